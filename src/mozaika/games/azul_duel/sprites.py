"""The pieces on the table as sprites, from what lies below to what lies above."""

from mozaika.games.azul_duel.artwork import (
    AIM_SYMBOLS,
    CHIP_BACK_SYMBOL,
    CHIP_SYMBOLS,
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
from mozaika.games.azul_duel.layout import Layout, spread
from mozaika.games.azul_duel.pieces import CHIPS_A_ROUND, FACE_UP, LETTERS, NO_CHIP, OVER
from mozaika.games.azul_duel.seen import (
    Counts,
    Dome,
    Seen,
    moon_groups,
    pointed_at,
    stored,
    sun_groups,
)
from mozaika.scene import Sprite, part
from mozaika.state import State


def lay_sprites(view: State, seen: Seen, viewer: int, order: tuple[int, int], layout: Layout) -> list[Sprite]:
    sprites: list[Sprite] = []
    for source, counts in enumerate(seen.sun):
        if source + 1 != seen.stacking:
            sprites += _lay_sun(layout, source, counts)
    sprites += _lay_moons(layout, seen.chips, seen.moon)
    sprites += _lay_offers(layout, seen.large_moon, seen.waits, seen.offered)
    sprites += _lay_plates(layout, seen.shown, seen.back, seen.height, seen.under, seen.hand)
    if seen.placeable(viewer):
        sprites += [place.hold(SLOT_SYMBOL) for place in layout.tray]
    sprites += _lay_aims(layout, seen.aims)
    for board, seat in enumerate(order):
        owned = seen.boards[seat]
        to_take = CHIPS_A_ROUND - owned.chosen if seen.phase != OVER else 0
        sprites += _lay_dome(layout, board, owned.dome)
        sprites += _lay_lines(layout, board, owned.colors, owned.counts)
        sprites += _lay_broken(layout, board, owned.broken, owned.marked)
        sprites += _lay_store(layout, board, owned.store, owned.spent, owned.tokens, to_take)
    if seen.stacking:
        sprites += [
            place.hold(TILE_SYMBOLS[LETTERS.index(letter)])
            for place, letter in zip(layout.factories[seen.stacking - 1].sun, seen.rest, strict=False)
        ]
    pointed = pointed_at(view)
    turns = (layout.boards[board].seating.turn for board, seat in enumerate(order) if pointed >> seat & 1)
    return sprites + [turn.hold(TURN_SYMBOL) for turn in turns]


@part
def _lay_sun(layout: Layout, source: int, counts: Counts) -> tuple[Sprite, ...]:
    return tuple(
        place.hold(TILE_SYMBOLS[color])
        for places, color in sun_groups(layout, source, counts)
        for place in places
    )


@part
def _lay_moons(layout: Layout, chips: Counts, moon: tuple[Counts, ...]) -> tuple[Sprite, ...]:
    """Chips with their stacks."""
    sprites: list[Sprite] = []
    for factory, chip, stack in zip(layout.factories, chips, moon, strict=True):
        if chip != NO_CHIP:
            symbol = CHIP_SYMBOLS[chip - FACE_UP] if chip >= FACE_UP else CHIP_BACK_SYMBOL
            sprites.append(factory.chip.hold(symbol))
        sprites += [
            place.hold(TILE_SYMBOLS[tile - 1])
            for place, tile in zip(factory.stack, stack, strict=True)
            if tile
        ]
    return tuple(sprites)


@part
def _lay_offers(
    layout: Layout, large_moon: Counts, waits: bool, offered: tuple[tuple[int, bool], ...]
) -> tuple[Sprite, ...]:
    """The large moon side with the marker, and the moon bar."""
    sprites = [
        place.hold(TILE_SYMBOLS[color])
        for places, color in moon_groups(layout, large_moon)
        for place in places
    ]
    if waits:
        sprites.append(layout.marker.hold(MARKER_SYMBOL))
    for offer, symbol, (n, marked) in zip(layout.offers, TOP_SYMBOLS, offered, strict=True):
        if n:
            sprites.append(offer.tile.hold(symbol))
        if marked:
            sprites.append(offer.sign.hold(SIGN_SYMBOL))
    return tuple(sprites)


@part
def _lay_plates(
    layout: Layout, shown: Counts, back: int, height: int, under: Counts, hand: Counts
) -> tuple[Sprite, ...]:
    """The display, the stack, what lies under it, and the plates that have been drawn."""
    sprites = [
        place.hold(PLATE_SYMBOLS[plate]) for place, plate in zip(layout.display, shown, strict=True) if plate
    ]
    x, y, size = layout.stack
    sheets = min(3, height) if back else 0
    sprites += [
        Sprite(PLATE_SYMBOLS[back], x + 2.5 * sheet, y + 2.5 * sheet, size)
        for sheet in reversed(range(sheets))
    ]
    for box, most, plates in (
        (layout.under, layout.most_under, under),
        (layout.hand, layout.most_held, hand),
    ):
        places = spread(box, len(plates), most)
        sprites += [place.hold(PLATE_SYMBOLS[plate]) for place, plate in zip(places, plates, strict=True)]
    return tuple(sprites)


@part
def _lay_aims(layout: Layout, sides: Counts) -> tuple[Sprite, ...]:
    aims, x = layout.aims, round(layout.aims.box.x + 0.4 * layout.aims.icon, 1)
    return tuple(
        Sprite(AIM_SYMBOLS[side], x, round(aims.middle(index) - aims.icon / 2, 1), aims.icon)
        for index, side in enumerate(sides)
    )


@part
def _lay_dome(layout: Layout, board: int, dome: Dome) -> tuple[Sprite, ...]:
    seating = layout.boards[board].seating
    slots = zip(seating.slots, dome.plates, dome.turns, strict=True)
    sprites = [place.hold(PLATE_SYMBOLS[plate], turn) for place, plate, turn in slots if plate]
    for space, tile in enumerate(dome.tiles):
        if tile:
            sprites.append(seating.spaces[space // 6][space % 6].hold(TILE_SYMBOLS[tile - 1]))
    return tuple(sprites)


@part
def _lay_lines(layout: Layout, board: int, colors: Counts, counts: Counts) -> tuple[Sprite, ...]:
    lines = zip(layout.boards[board].seating.lines, colors, counts, strict=True)
    return tuple(
        place.hold(TILE_SYMBOLS[color]) for places, color, count in lines for place in places[:count]
    )


@part
def _lay_broken(layout: Layout, board: int, broken: Counts, marked: bool) -> tuple[Sprite, ...]:
    seating = layout.boards[board].seating
    colors = [color for color, n in enumerate(broken) for _ in range(n)]
    sprites = [place.hold(TILE_SYMBOLS[color]) for place, color in zip(seating.broken, colors, strict=False)]
    return (*sprites, seating.marker.hold(MARKER_SYMBOL)) if marked else tuple(sprites)


@part
def _lay_store(
    layout: Layout, board: int, store: Counts, spent: int, tokens: int, to_take: int
) -> tuple[Sprite, ...]:
    """The chips to spend and those spent, the tokens for plates, and how many chips may still be taken."""
    seating = layout.boards[board].seating
    return (
        *(place.hold(CHIP_SYMBOLS[chip]) for _, place, chip in stored(layout, board, store)),
        *(place.hold(SPENT_SYMBOL) for place in seating.store[len(seating.store) - spent :]),
        *(place.hold(TOKEN_SYMBOL) for place in seating.tokens[:tokens]),
        *(place.hold(PIP_SYMBOL) for place in seating.pips[:to_take]),
    )
