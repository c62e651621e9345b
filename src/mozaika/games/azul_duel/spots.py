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
    name_back_spot,
    name_plate_spot,
    name_rest_spot,
    name_turn_spot,
    spread,
)
from mozaika.games.azul_duel.names import count_colored, name_chip, name_color, name_kind, name_plate
from mozaika.games.azul_duel.pieces import (
    DRAWING,
    FACE_UP,
    KIND,
    LARGE,
    LETTERS,
    NO_CHIP,
    NOTHING,
    PLATES,
    RETURN,
    SPACES,
    TILING,
)
from mozaika.games.azul_duel.seen import Counts, Dome, Seen, moon_groups, stored, sun_groups
from mozaika.places import surround
from mozaika.scene import Spot, part
from mozaika.words import Words


def name_spots(seen: Seen, seat: int, layout: Layout, words: Words) -> tuple[Spot, ...]:
    owned = seen.boards[seat]
    placeable, stops = seen.placeable(seat), seen.phase == DRAWING and seen.is_mover(seat)
    stays = owned.next_line if seen.may_stay(seat) else -1
    return (
        *_name_suns(seen, layout, words),
        *_name_moons(layout, seen.offered, seen.large_moon, words),
        *(
            spot
            for factory, (stack, chip) in enumerate(zip(seen.moon, seen.chips, strict=True))
            for spot in _name_stack(layout, factory, stack, chip, words)
        ),
        *_name_plates(layout, seen.shown, seen.hand, seen.phase == RETURN, words),
        *_name_turns(layout, placeable, words),
        *_name_stack_of_plates(layout, seen.back, seen.height, stops, words),
        *_name_lines(layout, owned.colors, owned.counts, words),
        _name_broken(layout, sum(owned.broken), owned.penalty, words),
        *(_name_spaces if seen.phase == TILING else _name_slots)(layout, owned.dome, words),
        *_name_store(layout, owned.store, stays, words),
    )


def _name_suns(seen: Seen, layout: Layout, words: Words) -> Iterator[Spot]:
    for source, counts in enumerate(seen.sun):
        if source + 1 == seen.stacking:
            yield from _name_rest(layout, source, seen.rest, words)
        else:
            yield from _name_sun(layout, source, counts, words)


@part
def _name_sun(layout: Layout, source: int, counts: Counts, words: Words) -> tuple[Spot, ...]:
    spots = []
    for places, color in sun_groups(layout, source, counts):
        tiles = count_colored(color, len(places), words)
        if source == LARGE:
            label = words.say("large factory, sun side, {tiles}", tiles=tiles)
        else:
            label = words.say("factory {n}, sun side, {tiles}", n=source + 1, tiles=tiles)
        spots.append(Spot(SUN_SPOTS[source][color], *surround(places), label))
    return tuple(spots)


@part
def _name_rest(layout: Layout, factory: int, rest: str, words: Words) -> tuple[Spot, ...]:
    """The tiles to be stacked. Of two that are alike, the second stands for the first."""
    spots = []
    for index, (letter, place) in enumerate(zip(rest, layout.factories[factory].sun, strict=False)):
        color, twin = name_color(LETTERS.index(letter), words), rest.index(letter)
        means = name_rest_spot(rest, twin) if twin < index else ""
        spots.append(Spot(name_rest_spot(rest, index), *surround((place,)), color, means=means))
    return tuple(spots)


@part
def _name_moons(
    layout: Layout, offered: tuple[tuple[int, bool], ...], large_moon: Counts, words: Words
) -> tuple[Spot, ...]:
    spots = []
    for color, (offer, (n, marked)) in enumerate(zip(layout.offers, offered, strict=True)):
        tiles = count_colored(color, n, words)
        if marked:
            label = words.say("moon sides, {tiles} and the start marker", tiles=tiles)
        elif n:
            label = words.say("moon sides, {tiles}", tiles=tiles)
        else:
            label = words.say("moon sides: no top tile is {color}", color=name_color(color, words))
        spots.append(Spot(MOON_SPOTS[color], *offer.box, label))
    for places, color in moon_groups(layout, large_moon):
        label = words.say("large factory, moon side, {tiles}", tiles=count_colored(color, len(places), words))
        spots.append(Spot(f"large-moon-{color + 1}", *surround(places), label, means=MOON_SPOTS[color]))
    return tuple(spots)


@part
def _name_stack(layout: Layout, factory: int, moon: Counts, chip: int, words: Words) -> tuple[Spot, ...]:
    """The top tile stands for its colour on all moon sides; without tiles there may be a chip to take."""
    if stack := [tile for tile in moon if tile]:
        colors = ", ".join(name_color(tile - 1, words) for tile in reversed(stack))
        label = words.say("factory {n}, moon side, from the top: {colors}", n=factory + 1, colors=colors)
        place = layout.factories[factory].stack[len(stack) - 1]
        return (Spot(f"top-{factory + 1}", *surround((place,)), label, means=MOON_SPOTS[stack[-1] - 1]),)
    if chip == NO_CHIP:
        return ()
    face = name_chip(chip - FACE_UP, words) if chip >= FACE_UP else words.say("face down")
    label = words.say("chip of factory {n}, {face}", n=factory + 1, face=face)
    return (Spot(CHIP_SPOTS[factory], *surround((layout.factories[factory].chip,)), label),)


@part
def _name_plates(
    layout: Layout, shown: Counts, held: Counts, returning: bool, words: Words
) -> tuple[Spot, ...]:
    """The display and the hand."""
    lying = [(place, plate, name_plate_spot) for place, plate in zip(layout.display, shown, strict=True)]
    name_held = name_back_spot if returning else name_plate_spot
    drawn = zip(spread(layout.hand, len(held), layout.most_held), held, strict=True)
    return tuple(
        Spot(name(plate), *surround((place,)), name_plate(plate, words))
        for place, plate, name in (*lying, *((place, plate, name_held) for place, plate in drawn))
        if 0 < plate <= PLATES
    )


@part
def _name_turns(layout: Layout, plates: Counts, words: Words) -> tuple[Spot, ...]:
    """A plate that may be placed has its four turns on the tray."""
    return tuple(
        Spot(
            name_turn_spot(plate, turn),
            *surround((place,)),
            _say_turn(plate, turn, words),
            shows=(place.hold(PLATE_SYMBOLS[plate], turn),),
        )
        for plate in plates
        for turn, place in enumerate(layout.tray)
    )


@part
def _name_stack_of_plates(
    layout: Layout, back: int, height: int, stops: bool, words: Words
) -> tuple[Spot, ...]:
    spots = []
    if back:
        label = words.count(
            "stack: {n} plate, on top {kind}",
            "stack: {n} plates, on top {kind}",
            height,
            kind=name_kind(int(KIND[back]), words),
        )
        spots.append(Spot("stack", *surround((layout.stack,)), label))
    if stops:
        spots.append(Spot("stop", *layout.stop, words.say("stop drawing and look at the plates")))
    return tuple(spots)


@part
def _say_turn(plate: int, turn: int, words: Words) -> str:
    spaces = [name_color(space, words) for space in SPACES[plate, turn].tolist()]
    return words.say(
        "orientation {n}: {upper} above {lower}",
        n=turn + 1,
        upper=", ".join(spaces[:2]),
        lower=", ".join(spaces[2:]),
    )


@part
def _name_lines(layout: Layout, colors: Counts, counts: Counts, words: Words) -> tuple[Spot, ...]:
    spots = []
    for row, (color, count) in enumerate(zip(colors, counts, strict=True)):
        label = words.say("line {row}: empty", row=row + 1)
        if count:
            tiles = count_colored(color, count, words)
            label = words.say("line {row}: {tiles}", row=row + 1, tiles=tiles)
        spots.append(Spot(TARGET_SPOTS[row + 1], *surround(layout.boards[0].seating.lines[row]), label))
    return tuple(spots)


@part
def _name_broken(layout: Layout, broken: int, cost: int, words: Words) -> Spot:
    label = words.say("broken tiles: none")
    if broken:
        label = words.count(
            "broken tiles: {n} tile, −{cost}", "broken tiles: {n} tiles, −{cost}", broken, cost=cost
        )
    return Spot(TARGET_SPOTS[0], *surround(layout.boards[0].seating.broken), label)


@part
def _name_slots(layout: Layout, dome: Dome, words: Words) -> tuple[Spot, ...]:
    """The slots for plates, while no tiles are placed."""
    spots = []
    for slot, (place, plate, turn) in enumerate(
        zip(layout.boards[0].seating.slots, dome.plates, dome.turns, strict=True)
    ):
        shown = [name_color(space, words) for space in SPACES[plate, turn].tolist() if space != NOTHING]
        label = words.say("slot {n}: {spaces}", n=slot + 1, spaces=", ".join(shown) or words.say("empty"))
        spots.append(Spot(SLOT_SPOTS[slot], *surround((place,)), label))
    return tuple(spots)


@part
def _name_spaces(layout: Layout, dome: Dome, words: Words) -> tuple[Spot, ...]:
    """While tiles are placed, the free spaces."""
    shown, spots = SPACES[list(dome.plates), list(dome.turns)].tolist(), []
    for space, tile in enumerate(dome.tiles):
        row, column = divmod(space, 6)
        what = shown[row // 2 * 3 + column // 2][row % 2 * 2 + column % 2]
        if what != NOTHING and not tile:
            color, place = name_color(what, words), layout.boards[0].seating.spaces[row][column]
            label = words.say(
                "dome row {row}, column {column}: {color}", row=row + 1, column=column + 1, color=color
            )
            spots.append(Spot(SPACE_SPOTS[row][column], *surround((place,)), label))
    return tuple(spots)


@part
def _name_store(layout: Layout, store: Counts, stays: int, words: Words) -> tuple[Spot, ...]:
    """The chips, and the line that may stay as it is."""
    spots = []
    for index, place, chip in stored(layout, 0, store):
        first, _ = STORE_SPOTS[chip]
        label = words.say("chip {face}", face=name_chip(chip, words))
        means = first if index else ""
        spots.append(Spot(STORE_SPOTS[chip][index], *surround((place,)), label, means=means))
    if stays >= 0:
        label = words.say("line {row} stays", row=stays + 1)
        spots.append(Spot(STAY_SPOTS[stays], *layout.boards[0].seating.stay, label))
    return tuple(spots)
