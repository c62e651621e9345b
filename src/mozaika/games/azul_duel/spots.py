"""The spots of the table: everything that one can point at, with words for a screen reader."""

from collections.abc import Iterator

from mozaika.games.azul_duel.artwork import PLATE_SYMBOLS
from mozaika.games.azul_duel.layout import (
    CHIP_SPOTS,
    MOON_SPOTS,
    SLOT_SPOTS,
    SPACE_SPOTS,
    STAY_SPOTS,
    STORE_SPOTS,
    SUN_SPOTS,
    TARGET_SPOTS,
    Layout,
    Seating,
    name_plate_spot,
    name_rest_spot,
    name_turn_spot,
    spread,
)
from mozaika.games.azul_duel.lines import broken_tiles, penalty
from mozaika.games.azul_duel.names import count_colored, name_chip, name_color, name_kind, name_plate
from mozaika.games.azul_duel.pieces import (
    DRAWING,
    FACE_UP,
    HAND,
    KIND,
    LARGE,
    LETTERS,
    NO_CHIP,
    NOTHING,
    PLATES,
    SMALL,
    SPACES,
    TILE_SPECIAL,
    TILING,
)
from mozaika.games.azul_duel.plates import stack_height
from mozaika.games.azul_duel.seen import (
    held_plates,
    is_mover,
    may_stay,
    moon_groups,
    offered,
    placeable,
    rest_letters,
    rest_places,
    stored,
    sun_groups,
    top_back,
)
from mozaika.places import surround
from mozaika.scene import Spot, part
from mozaika.state import State
from mozaika.words import Words


def name_spots(view: State, seat: int, layout: Layout, words: Words) -> list[Spot]:
    seating = layout.boards[0].seating
    return [
        *_name_suns(view, layout, words),
        *_name_moons(view, layout, words),
        *_name_plates(view, seat, layout, words),
        *_name_lines(view, seat, seating, words),
        *_name_dome(view, seat, seating, words),
        *_name_store(view, seat, seating, words),
    ]


def _name_suns(view: State, layout: Layout, words: Words) -> Iterator[Spot]:
    for source, groups in enumerate(sun_groups(view, layout)):
        if source + 1 == view["stacking"]:
            yield from _name_rest(view, layout, words)
            continue
        for places, color in groups:
            tiles = count_colored(color, len(places), words)
            if source == LARGE:
                label = words.say("large factory, sun side, {tiles}", tiles=tiles)
            else:
                label = words.say("factory {n}, sun side, {tiles}", n=source + 1, tiles=tiles)
            yield Spot(SUN_SPOTS[source][color], *surround(places), label)


def _name_rest(view: State, layout: Layout, words: Words) -> Iterator[Spot]:
    """The tiles to be stacked. Of two that are alike, the second stands for the first."""
    rest = rest_letters(view)
    for index, (letter, place) in enumerate(zip(rest, rest_places(view, layout), strict=False)):
        color, twin = name_color(LETTERS.index(letter), words), rest.index(letter)
        means = name_rest_spot(rest, twin) if twin < index else ""
        yield Spot(name_rest_spot(rest, index), *surround((place,)), color, means=means)


def _name_moons(view: State, layout: Layout, words: Words) -> Iterator[Spot]:
    for color, (offer, (n, marked)) in enumerate(zip(layout.offers, offered(view), strict=True)):
        tiles = count_colored(color, n, words)
        if marked:
            label = words.say("moon sides, {tiles} and the start marker", tiles=tiles)
        elif n:
            label = words.say("moon sides, {tiles}", tiles=tiles)
        else:
            label = words.say("moon sides: no top tile is {color}", color=name_color(color, words))
        yield Spot(MOON_SPOTS[color], *offer.box, label)
    for places, color in moon_groups(view, layout):
        label = words.say("large factory, moon side, {tiles}", tiles=count_colored(color, len(places), words))
        yield Spot(f"large-moon-{color + 1}", *surround(places), label, means=MOON_SPOTS[color])
    for factory in range(SMALL):
        yield from _name_stack(view, factory, layout, words)


def _name_stack(view: State, factory: int, layout: Layout, words: Words) -> Iterator[Spot]:
    """The top tile stands for its colour on all moon sides; without tiles there may be a chip to take."""
    stack, chip = [tile for tile in view["moon"][factory].tolist() if tile], int(view["chip"][factory])
    if stack:
        colors = ", ".join(name_color(tile - 1, words) for tile in reversed(stack))
        label = words.say("factory {n}, moon side, from the top: {colors}", n=factory + 1, colors=colors)
        place = layout.factories[factory].stack[len(stack) - 1]
        yield Spot(f"top-{factory + 1}", *surround((place,)), label, means=MOON_SPOTS[stack[-1] - 1])
    elif chip != NO_CHIP:
        face = name_chip(chip - FACE_UP, words) if chip >= FACE_UP else words.say("face down")
        label = words.say("chip of factory {n}, {face}", n=factory + 1, face=face)
        yield Spot(CHIP_SPOTS[factory], *surround((layout.factories[factory].chip,)), label)


def _name_plates(view: State, seat: int, layout: Layout, words: Words) -> Iterator[Spot]:
    """The display, the stack and the hand; a plate that may be placed has its four turns on the tray."""
    shown = [
        (place, plate) for place, plate in zip(layout.display, view["shown"].tolist(), strict=True) if plate
    ]
    held = held_plates(view, HAND)
    drawn = list(zip(spread(layout.hand, len(held), layout.most_held), held, strict=True))
    for place, plate in shown + drawn:
        if plate <= PLATES:
            yield Spot(name_plate_spot(plate), *surround((place,)), name_plate(plate, words))
    for plate in placeable(view, seat):
        for turn, place in enumerate(layout.tray):
            show = (place.hold(PLATE_SYMBOLS[plate], turn),)
            yield Spot(
                name_turn_spot(plate, turn), *surround((place,)), _say_turn(plate, turn, words), shows=show
            )
    if back := top_back(view):
        label = words.count(
            "stack: {n} plate, on top {kind}",
            "stack: {n} plates, on top {kind}",
            stack_height(view),
            kind=name_kind(int(KIND[back]), words),
        )
        yield Spot("stack", *surround((layout.stack,)), label)
    if view["phase"] == DRAWING and is_mover(view, seat):
        yield Spot("stop", *layout.stop, words.say("stop drawing and look at the plates"))


@part
def _say_turn(plate: int, turn: int, words: Words) -> str:
    spaces = [name_color(space, words) for space in SPACES[plate, turn].tolist()]
    return words.say(
        "orientation {n}: {upper} above {lower}",
        n=turn + 1,
        upper=", ".join(spaces[:2]),
        lower=", ".join(spaces[2:]),
    )


def _name_lines(view: State, seat: int, seating: Seating, words: Words) -> Iterator[Spot]:
    lines = zip(view["line_color"][seat].tolist(), view["line_count"][seat].tolist(), strict=True)
    for row, (color, count) in enumerate(lines):
        tiles = count_colored(color, count, words) if count else words.say("empty")
        label = words.say("line {row}: {tiles}", row=row + 1, tiles=tiles)
        yield Spot(TARGET_SPOTS[row + 1], *surround(seating.lines[row]), label)
    label = words.say("broken tiles: none")
    if broken := broken_tiles(view, seat):
        cost = penalty(view, seat)
        label = words.count(
            "broken tiles: {n} tile, −{cost}", "broken tiles: {n} tiles, −{cost}", broken, cost=cost
        )
    yield Spot(TARGET_SPOTS[0], *surround(seating.broken), label)


def _name_dome(view: State, seat: int, seating: Seating, words: Words) -> Iterator[Spot]:
    """While tiles are placed, the spaces; else the slots for plates."""
    colors = [name_color(color, words) for color in range(TILE_SPECIAL + 1)]
    tiles = view["tile"][seat].tolist()
    plates, turns = view["slot_plate"][seat].tolist(), view["slot_turn"][seat].tolist()
    shown = SPACES[plates, turns].tolist()
    empty = words.say("empty")
    if view["phase"] != TILING:
        for slot, place in enumerate(seating.slots):
            spaces = ", ".join(colors[space] for space in shown[slot] if space != NOTHING) or empty
            label = words.say("slot {n}: {spaces}", n=slot + 1, spaces=spaces)
            yield Spot(SLOT_SPOTS[slot], *surround((place,)), label)
        return
    for space, tile in enumerate(tiles):
        row, column = divmod(space, 6)
        what = shown[row // 2 * 3 + column // 2][row % 2 * 2 + column % 2]
        if what != NOTHING and not tile:
            label = words.say(
                "dome row {row}, column {column}: {color}", row=row + 1, column=column + 1, color=colors[what]
            )
            yield Spot(SPACE_SPOTS[row][column], *surround((seating.spaces[row][column],)), label)


def _name_store(view: State, seat: int, seating: Seating, words: Words) -> Iterator[Spot]:
    for index, place, chip in stored(view, seat, seating):
        first, _ = STORE_SPOTS[chip]
        label = words.say("chip {face}", face=name_chip(chip, words))
        yield Spot(STORE_SPOTS[chip][index], *surround((place,)), label, means=first if index else "")
    if may_stay(view, seat):
        row = int(view["next_line"][seat])
        yield Spot(STAY_SPOTS[row], *seating.stay, words.say("line {row} stays", row=row + 1))
