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
from mozaika.games.azul_duel.layout import Layout, Seating, spread
from mozaika.games.azul_duel.pieces import (
    CHIPS_A_ROUND,
    FACE_UP,
    HAND,
    LETTERS,
    NO_CHIP,
    ON_LARGE,
    OVER,
    UNDER,
)
from mozaika.games.azul_duel.plates import stack_height
from mozaika.games.azul_duel.seen import (
    held_plates,
    list_aims,
    moon_groups,
    offered,
    placeable,
    pointed_at,
    rest_letters,
    rest_places,
    stored,
    sun_groups,
    top_back,
)
from mozaika.scene import Sprite
from mozaika.state import State


def lay_sprites(view: State, viewer: int, order: tuple[int, int], layout: Layout) -> list[Sprite]:
    sprites: list[Sprite] = []
    for source, groups in enumerate(sun_groups(view, layout)):
        if source + 1 == view["stacking"]:
            continue
        sprites += [place.hold(TILE_SYMBOLS[color]) for places, color in groups for place in places]
    _lay_moons(sprites, view, layout)
    _lay_plates(sprites, view, layout)
    if placeable(view, viewer):
        sprites += [place.hold(SLOT_SYMBOL) for place in layout.tray]
    for index, side in enumerate(list_aims(view)):
        icon = layout.aims.icon
        x, y = layout.aims.box.x + 0.4 * icon, layout.aims.middle(index) - icon / 2
        sprites.append(Sprite(AIM_SYMBOLS[side], round(x, 1), round(y, 1), icon))
    boards = list(zip(layout.boards, order, strict=True))
    for board, seat in boards:
        _lay_board(sprites, view, seat, board.seating)
    if view["stacking"]:
        sprites += [
            place.hold(TILE_SYMBOLS[LETTERS.index(letter)])
            for place, letter in zip(rest_places(view, layout), rest_letters(view), strict=False)
        ]
    pointed = pointed_at(view)
    sprites += [board.seating.turn.hold(TURN_SYMBOL) for board, seat in boards if pointed >> seat & 1]
    return sprites


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
    for places, color in moon_groups(view, layout):
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
    sheets = min(3, stack_height(view)) if back else 0
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
    sprites += [place.hold(CHIP_SYMBOLS[chip]) for _, place, chip in stored(view, seat, seating)]
    spent = int(view["spent"][seat].sum())
    sprites += [place.hold(SPENT_SYMBOL) for place in seating.store[len(seating.store) - spent :]]
    sprites += [place.hold(TOKEN_SYMBOL) for place in seating.tokens[: int(view["tokens"][seat])]]
    if view["phase"] != OVER:
        to_take = CHIPS_A_ROUND - int(view["chosen"][seat])
        sprites += [place.hold(PIP_SYMBOL) for place in seating.pips[:to_take]]
