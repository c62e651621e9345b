"""Azul Duel as a picture: what a viewer sees of the table as sprites, labels, spots and walks."""

from bisect import bisect_right
from collections.abc import Iterator
from functools import lru_cache
from itertools import accumulate
from unicodedata import east_asian_width

from mozaika.game import State
from mozaika.games.azul_duel import rules
from mozaika.games.azul_duel.artwork import (
    AIM_SYMBOLS,
    CHIP_BACK_SYMBOL,
    CHIP_SYMBOLS,
    DARK_STYLE,
    MARKER_SYMBOL,
    PIP_SYMBOL,
    PLATE_SYMBOLS,
    SIGN_SYMBOL,
    SLOT_SYMBOL,
    SPENT_SYMBOL,
    TILE_SYMBOLS,
    TOKEN_SYMBOL,
    TOP_SYMBOLS,
    TURN_SYMBOL,
)
from mozaika.games.azul_duel.ground import STYLE, SYMBOLS, Captions, draw_ground
from mozaika.games.azul_duel.layout import (
    CHIP_SPOTS,
    MOON_SPOTS,
    SLOT_SPOTS,
    SPACE_SPOTS,
    STAY_SPOTS,
    STORE_SPOTS,
    SUN_SPOTS,
    TARGET_SPOTS,
    Board,
    Box,
    Layout,
    Ledger,
    Place,
    Seating,
    lay_out,
    name_plate_spot,
    name_rest_spot,
    name_turn_spot,
    spread,
    surround,
)
from mozaika.games.azul_duel.pieces import (
    ACQUIRE,
    CHIPS_A_ROUND,
    CHOICE,
    CHOOSE,
    DRAWING,
    FACE_UP,
    HAND,
    KIND,
    LARGE,
    LAST_PLATES,
    LETTERS,
    LINES,
    NO_CHIP,
    NOTHING,
    ON_LARGE,
    OVER,
    PLATES,
    RETURN,
    SETUP,
    SMALL,
    SPACES,
    STACK,
    STORE,
    TILE_SPECIAL,
    TILING,
    UNDER,
)
from mozaika.games.azul_duel.tell import (
    count_colored,
    name_chip,
    name_color,
    name_kind,
    name_objective,
    name_phase,
    name_plate,
    pointed_at,
)
from mozaika.games.azul_duel.walks import held_plates, offered, rest_letters, top_back, walk
from mozaika.scene import Label, Scene, Shape, Spot, Sprite
from mozaika.words import Words

Group = tuple[tuple[Place, ...], int]
"""Tiles of one colour on a sun side or the large moon side: their places, the colour."""
FEW_TILES = 7
"""With so few tiles left a player is told of the plates that must still be placed."""


def scene(view: State, seat: int, names: tuple[str, ...], words: Words, shape: Shape) -> Scene:
    """The table as a viewer sees it; the viewer's board comes first."""
    layout = lay_out(shape)
    order = (max(seat, 0), 1 - max(seat, 0))
    return Scene(
        width=layout.width,
        height=layout.height,
        title=words.say("Azul Duel, round {n}", n=int(view["round"])),
        style=STYLE,
        dark_style=DARK_STYLE,
        symbols=SYMBOLS,
        ground=draw_ground(shape, _say_captions(words)),
        sprites=tuple(_lay_sprites(view, seat, order, layout)),
        labels=tuple(_write_labels(view, seat, order, names, words, layout)),
        spots=tuple(_name_spots(view, seat, layout, words)) if seat >= 0 else (),
        walks=tuple(walk(view, seat, layout)) if seat >= 0 else (),
        notice=_say_notice(view, seat, words),
        loose=(1, 1 + STORE) if view["phase"] == TILING else (0, 0),  # AD-W4: the chips of a payment
    )


@lru_cache(maxsize=8)
def _say_captions(words: Words) -> Captions:
    return Captions(
        bag=words.say("bag"),
        tower=words.say("tower"),
        plates=words.say("to place"),
        chips=words.say("to take"),
        moons=words.say("all moon|sides"),
        display=words.say("plates on display"),
        objectives=words.say("objectives, and what they would bring now"),
    )


def _lay_sprites(view: State, viewer: int, order: tuple[int, int], layout: Layout) -> list[Sprite]:
    sprites: list[Sprite] = []
    for source, groups in enumerate(_sun_groups(view, layout)):
        if source + 1 == view["stacking"]:
            continue
        sprites += [place.hold(TILE_SYMBOLS[color]) for places, color in groups for place in places]
    _lay_moons(sprites, view, layout)
    _lay_plates(sprites, view, layout)
    if _placeable(view, viewer):
        sprites += [place.hold(SLOT_SYMBOL) for place in layout.tray]
    for index, side in enumerate(_aims(view)):
        icon = layout.aims.icon
        x, y = layout.aims.box.x + 0.4 * icon, layout.aims.middle(index) - icon / 2
        sprites.append(Sprite(AIM_SYMBOLS[side], round(x, 1), round(y, 1), icon))
    boards = list(zip(layout.boards, order, strict=True))
    for board, seat in boards:
        _lay_board(sprites, view, seat, board.seating)
    if view["stacking"]:
        sprites += [
            place.hold(TILE_SYMBOLS[LETTERS.index(letter)])
            for place, letter in zip(_rest_places(view, layout), rest_letters(view), strict=False)
        ]
    pointed = pointed_at(view)
    sprites += [board.seating.turn.hold(TURN_SYMBOL) for board, seat in boards if pointed >> seat & 1]
    return sprites


def _rest_places(view: State, layout: Layout) -> tuple[Place, ...]:
    return layout.factories[int(view["stacking"]) - 1].sun


def _sun_groups(view: State, layout: Layout) -> list[list[Group]]:
    """The tiles on each sun side, the larger groups first: their boxes may reach under a single tile."""
    groups = []
    places = [*(factory.sun for factory in layout.factories), layout.large_sun]
    for row, counts in zip(places, view["sun"].tolist(), strict=True):
        found = [(n, color) for color, n in enumerate(counts) if n]
        if row is not layout.large_sun:
            found.sort(key=lambda group: -group[0])
        groups.append(_deal_out(row, found))
    return groups


def _deal_out(places: tuple[Place, ...], found: list[tuple[int, int]]) -> list[Group]:
    groups, first = [], 0
    for n, color in found:
        groups.append((places[first : first + n], color))
        first += n
    return groups


def _moon_groups(view: State, layout: Layout) -> list[Group]:
    counts = view["large_moon"].tolist()
    return _deal_out(layout.large_moon, [(n, color) for color, n in enumerate(counts) if n])


def _lay_moons(sprites: list[Sprite], view: State, layout: Layout) -> None:
    """Chips with their stacks, the large moon side with the marker, and the moon bar."""
    for factory, chip, stack in zip(
        layout.factories, view["chip"].tolist(), view["moon"].tolist(), strict=True
    ):
        if chip != NO_CHIP:
            symbol = CHIP_SYMBOLS[chip - FACE_UP] if chip >= FACE_UP else CHIP_BACK_SYMBOL
            sprites.append(factory.chip.hold(symbol))
        sprites += [
            place.hold(TILE_SYMBOLS[tile - 1])
            for place, tile in zip(factory.stack, stack, strict=True)
            if tile
        ]
    for places, color in _moon_groups(view, layout):
        sprites += [place.hold(TILE_SYMBOLS[color]) for place in places]
    if view["marker"] == ON_LARGE:
        sprites.append(layout.marker.hold(MARKER_SYMBOL))
    for offer, symbol, (n, marked) in zip(layout.offers, TOP_SYMBOLS, offered(view), strict=True):
        if n:
            sprites.append(offer.tile.hold(symbol))
        if marked:
            sprites.append(offer.sign.hold(SIGN_SYMBOL))


def _lay_plates(sprites: list[Sprite], view: State, layout: Layout) -> None:
    """The display, the stack, what lies under it, and the plates that have been drawn."""
    for place, plate in zip(layout.display, view["shown"].tolist(), strict=True):
        if plate:
            sprites.append(place.hold(PLATE_SYMBOLS[plate]))
    (x, y, size), back = layout.stack, top_back(view)
    sheets = min(3, rules.stack_height(view)) if back else 0
    sprites += [
        Sprite(PLATE_SYMBOLS[back], x + 2.5 * sheet, y + 2.5 * sheet, size)
        for sheet in reversed(range(sheets))
    ]
    for box, most, pile in ((layout.under, layout.most_under, UNDER), (layout.hand, layout.most_held, HAND)):
        plates = held_plates(view, pile)
        places = spread(box, len(plates), most)
        sprites += [place.hold(PLATE_SYMBOLS[plate]) for place, plate in zip(places, plates, strict=True)]


def _lay_board(sprites: list[Sprite], view: State, seat: int, seating: Seating) -> None:
    slots = zip(
        seating.slots, view["slot_plate"][seat].tolist(), view["slot_turn"][seat].tolist(), strict=True
    )
    sprites += [place.hold(PLATE_SYMBOLS[plate], turn) for place, plate, turn in slots if plate]
    for space, tile in enumerate(view["tile"][seat].tolist()):
        if tile:
            sprites.append(seating.spaces[space // 6][space % 6].hold(TILE_SYMBOLS[tile - 1]))
    lines = zip(
        seating.lines, view["line_color"][seat].tolist(), view["line_count"][seat].tolist(), strict=True
    )
    for places, color, count in lines:
        sprites += [place.hold(TILE_SYMBOLS[color]) for place in places[:count]]
    broken = [color for color, n in enumerate(view["broken"][seat].tolist()) for _ in range(n)]
    sprites += [place.hold(TILE_SYMBOLS[color]) for place, color in zip(seating.broken, broken, strict=False)]
    if view["marker"] == seat:
        sprites.append(seating.marker.hold(MARKER_SYMBOL))
    sprites += [place.hold(CHIP_SYMBOLS[chip]) for _, place, chip in _stored(view, seat, seating)]
    spent = int(view["spent"][seat].sum())
    sprites += [place.hold(SPENT_SYMBOL) for place in seating.store[len(seating.store) - spent :]]
    sprites += [place.hold(TOKEN_SYMBOL) for place in seating.tokens[: int(view["tokens"][seat])]]
    if view["phase"] != OVER:
        to_take = CHIPS_A_ROUND - int(view["chosen"][seat])
        sprites += [place.hold(PIP_SYMBOL) for place in seating.pips[:to_take]]


def _stored(view: State, seat: int, seating: Seating) -> Iterator[tuple[int, Place, int]]:
    """The chips that can be spent: which of its type, where, and the type."""
    places = iter(seating.store)
    for chip, n in enumerate(view["store"][seat].tolist()):
        for index in range(n):
            yield index, next(places), chip


def _write_labels(
    view: State, viewer: int, order: tuple[int, int], names: tuple[str, ...], words: Words, layout: Layout
) -> list[Label]:
    labels = [
        Label(_say_phase(view, viewer, words), *layout.phase, f"mz-ad-phase-{layout.shape}"),
        Label(words.say("Round {n}", n=int(view["round"])), *layout.title, f"mz-ad-title-{layout.shape}"),
    ]
    for board, seat in zip(layout.boards, order, strict=True):
        labels += _write_board(view, board, seat, names[seat])
    labels += _write_ledger(view, layout.ledger)
    labels += [
        _write(f"×{n}", *offer.number, "offer", layout.aims.size)
        for offer, (n, _) in zip(layout.offers, offered(view), strict=True)
        if n
    ]
    height = words.say("stack ×{n}", n=rules.stack_height(view))
    labels.append(_write_above(layout.stack, height, layout.word))
    if view["piles"][UNDER]:
        labels.append(_write_above(layout.under, words.say("put under it"), layout.word))
    if view["piles"][HAND]:
        labels.append(_write_above(layout.hand, words.say("drawn plates"), layout.word))
    if _placeable(view, viewer):
        labels.append(_write_above(layout.tray[0], words.say("turn it here"), layout.word))
    labels += _write_aims(view, order, names, words, layout)
    return labels + _write_buttons(view, viewer, words, layout)


def _write_ledger(view: State, ledger: Ledger) -> list[Label]:
    return [
        _write(str(n), *ledger.cell(color, column), "total" if color == 5 else "count", ledger.size)
        for column, counts in ((1, view["bag"].tolist()), (2, view["tower"].tolist()))
        for color, n in enumerate((*counts, sum(counts)))
    ]


def _write_above(place: Box | Place, text: str, size: int) -> Label:
    return Label(text, place[0], round(place[1] - 0.45 * size, 1), f"mz-ad-word-{size}")


def _write_board(view: State, board: Board, seat: int, name: str) -> list[Label]:
    letters, body, seating, y = board.letters, board.body, board.seating, board.middle
    labels = [
        _write(
            _shorten(name, board.name_room), seating.turn.x + 1.45 * letters.name, y, "name", letters.name
        ),
        _write(str(view["score"][seat]), body.x + body.width, y, "score", letters.score),
    ]
    if view["phase"] != OVER and (cost := rules.penalty(view, seat)):
        x, y, size = seating.marker
        labels.append(_write(f"−{cost}", x + 1.1 * size, y + size / 2, "cost", letters.word))
    return labels


def _write_aims(
    view: State, order: tuple[int, int], names: tuple[str, ...], words: Words, layout: Layout
) -> list[Label]:
    aims, labels = layout.aims, []
    left = aims.box.x + 1.7 * aims.icon
    for index, side in enumerate(_aims(view)):
        y = aims.middle(index)
        labels.append(
            _write(name_objective(side, words), left, y - 0.42 * aims.name_size, "aimed", aims.name_size)
        )
        labels.append(_write(say_aim(side, words), left, y + 0.62 * aims.hint_size, "hint", aims.hint_size))
        for board, seat in enumerate(order):
            points = rules.objective_points(view, seat, side)
            text = f"−{-points}" if points < 0 else str(points)
            labels.append(_write(text, aims.column(board), y, "total", aims.size))
    for board, seat in enumerate(order):
        name = _shorten(names[seat], (aims.apart - 4) / layout.word)
        y = aims.box.y + 0.58 * aims.head
        labels.append(_write(name, aims.column(board), y, "head", layout.word))
    return labels


def _aims(view: State) -> list[int]:
    return [side for side in range(8) if view["objectives"] >> side & 1]


def say_aim(side: int, words: Words) -> str:
    """What an objective counts, in a few words."""
    return (
        words.say("3 for each full row"),
        words.say("4 for each row with 5 different tiles"),
        words.say("7 for each full column"),
        words.say("1 for each tile on the outer spaces"),
        words.say("10 for each full long diagonal"),
        words.say("full corner plates: 3 above, 8 below"),
        words.say("2 for each wild space, if all are filled"),
        words.say("−3 for each empty special space"),
    )[side]


def _write_buttons(view: State, viewer: int, words: Words, layout: Layout) -> list[Label]:
    if not _is_mover(view, viewer):
        return []
    if view["phase"] == DRAWING:
        x, y, width, height = layout.stop
        return [_write(words.say("look at them"), x + width / 2, y + height / 2, "press", layout.word)]
    if _may_stay(view, viewer):
        x, y, width, height = layout.boards[0].seating.stay
        text = words.say("line {row} stays", row=int(view["next_line"][viewer]) + 1)
        return [_write(text, x + width / 2, y + height / 2, "press", layout.word)]
    return []


def _may_stay(view: State, seat: int) -> bool:
    row = int(view["next_line"][seat])
    return bool(view["phase"] == TILING and row < LINES and view["line_count"][seat, row] <= row)


def _say_phase(view: State, viewer: int, words: Words) -> str:
    if not _is_mover(view, viewer):
        return name_phase(view, words)
    phase = int(view["phase"])
    if phase == TILING:
        row = int(view["next_line"][viewer]) + 1
        if _may_stay(view, viewer):
            return words.say("complete line {row} with chips, or not", row=row)
        return words.say("place the tile of line {row}", row=row)
    if phase == ACQUIRE and view["tokens"][viewer]:
        return words.say("take tiles, a plate or a chip")
    return {
        SETUP: words.say("take a plate for your dome"),
        ACQUIRE: words.say("take tiles or a chip"),
        STACK: words.say("stack the rest, bottom first"),
        DRAWING: words.say("draw another plate, or look"),
        CHOICE: words.say("place one of the plates"),
        RETURN: words.say("put the others back, top first"),
    }[phase]


def _say_notice(view: State, viewer: int, words: Words) -> str:
    """Where people misread the rules, a sentence."""
    phase = view["phase"]
    if phase <= CHOOSE or phase >= TILING:
        return ""
    if view["round"] > LAST_PLATES:
        return words.say("This is the last round: no plates are taken any more.")
    left = int(view["tokens"][viewer]) if viewer >= 0 else 0
    tiles = int(view["sun"].sum()) + int(view["large_moon"].sum()) + int((view["moon"] > 0).sum())
    if phase == ACQUIRE and left and tiles <= FEW_TILES:
        return words.count(
            "You must still place {n} plate in this round.",
            "You must still place {n} plates in this round.",
            left,
        )
    return ""


@lru_cache(maxsize=64)
def _shorten(name: str, room: float) -> str:
    """The part of a name that fits."""
    ends = list(accumulate(map(_letter_width, name)))
    if not ends or ends[-1] <= room:
        return name
    return name[: bisect_right(ends, room - 1)].rstrip() + "…"


def _letter_width(letter: str) -> float:
    """About as wide as a letter of a serif is to its size; a scene is set without knowing the font."""
    if east_asian_width(letter) in "WF" or letter in "mwMW":
        return 1
    return 0.75 if letter.isupper() else 0.5


def _write(text: str, x: float, middle: float, kind: str, size: int) -> Label:
    """A text whose figures stand round a height."""
    return Label(text, round(x, 1), round(middle + 0.36 * size, 1), f"mz-ad-{kind}-{size}")


def _name_spots(view: State, seat: int, layout: Layout, words: Words) -> list[Spot]:
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
    for source, groups in enumerate(_sun_groups(view, layout)):
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
    for index, (letter, place) in enumerate(zip(rest, _rest_places(view, layout), strict=False)):
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
    for places, color in _moon_groups(view, layout):
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
    for plate in _placeable(view, seat):
        for turn, place in enumerate(layout.tray):
            show = (place.hold(PLATE_SYMBOLS[plate], turn),)
            yield Spot(
                name_turn_spot(plate, turn), *surround((place,)), _say_turn(plate, turn, words), shows=show
            )
    if back := top_back(view):
        label = words.count(
            "stack: {n} plate, on top {kind}",
            "stack: {n} plates, on top {kind}",
            rules.stack_height(view),
            kind=name_kind(int(KIND[back]), words),
        )
        yield Spot("stack", *surround((layout.stack,)), label)
    if view["phase"] == DRAWING and _is_mover(view, seat):
        yield Spot("stop", *layout.stop, words.say("stop drawing and look at the plates"))


def _placeable(view: State, seat: int) -> list[int]:
    """The plates that a seat may place now."""
    if not _is_mover(view, seat):
        return []
    if view["phase"] == CHOICE:
        return held_plates(view, HAND)
    if view["phase"] == SETUP or (view["phase"] == ACQUIRE and view["tokens"][seat] > 0):
        return [plate for plate in view["shown"].tolist() if plate]
    return []


def _is_mover(view: State, seat: int) -> bool:
    return seat >= 0 and bool(rules.movers(view) >> seat & 1)


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
    if broken := rules.broken_tiles(view, seat):
        cost = rules.penalty(view, seat)
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
    for index, place, chip in _stored(view, seat, seating):
        first, _ = STORE_SPOTS[chip]
        label = words.say("chip {face}", face=name_chip(chip, words))
        yield Spot(STORE_SPOTS[chip][index], *surround((place,)), label, means=first if index else "")
    if _may_stay(view, seat):
        row = int(view["next_line"][seat])
        yield Spot(STAY_SPOTS[row], *seating.stay, words.say("line {row} stays", row=row + 1))
