"""The texts on the table: names, numbers, what to do now, and what the objectives bring."""

from mozaika.games.azul_duel.layout import Board, Layout
from mozaika.games.azul_duel.lines import penalty
from mozaika.games.azul_duel.names import name_objective, name_phase
from mozaika.games.azul_duel.objectives import objective_points
from mozaika.games.azul_duel.pieces import (
    ACQUIRE,
    CHOICE,
    DRAWING,
    HAND,
    OVER,
    RETURN,
    SETUP,
    STACK,
    TILING,
    UNDER,
)
from mozaika.games.azul_duel.plates import stack_height
from mozaika.games.azul_duel.seen import is_mover, list_aims, may_stay, offered, placeable
from mozaika.kernel import swift_rule
from mozaika.places import Box, Place, write_round
from mozaika.scene import Label, shorten
from mozaika.state import State
from mozaika.words import Words, later


def write_labels(
    view: State, viewer: int, order: tuple[int, int], names: tuple[str, ...], words: Words, layout: Layout
) -> list[Label]:
    labels = [
        Label(_say_phase(view, viewer, words), *layout.phase, f"mz-ad-phase-{layout.shape}"),
        Label(words.say("Round {n}", n=int(view["round"])), *layout.title, f"mz-ad-title-{layout.shape}"),
    ]
    for board, seat in zip(layout.boards, order, strict=True):
        labels += _write_board(view, board, seat, names[seat])
    labels += layout.ledger.write("mz-ad", view["bag"].tolist(), view["tower"].tolist())
    labels += [
        _write(f"×{n}", *offer.number, "offer", layout.aims.size)
        for offer, (n, _) in zip(layout.offers, offered(view), strict=True)
        if n
    ]
    height = words.say("stack ×{n}", n=stack_height(view))
    labels.append(_write_above(layout.stack, height, layout.word))
    if view["piles"][UNDER]:
        labels.append(_write_above(layout.under, words.say("put under it"), layout.word))
    if view["piles"][HAND]:
        labels.append(_write_above(layout.hand, words.say("drawn plates"), layout.word))
    if placeable(view, viewer):
        labels.append(_write_above(layout.tray[0], words.say("turn it here"), layout.word))
    labels += _write_aims(view, order, names, words, layout)
    return labels + _write_buttons(view, viewer, words, layout)


def _write_above(place: Box | Place, text: str, size: int) -> Label:
    return Label(text, place[0], round(place[1] - 0.45 * size, 1), f"mz-ad-word-{size}")


def _write_board(view: State, board: Board, seat: int, name: str) -> list[Label]:
    letters, body, seating, y = board.letters, board.body, board.seating, board.middle
    labels = [
        _write(shorten(name, board.name_room), seating.turn.x + 1.45 * letters.name, y, "name", letters.name),
        _write(str(view["score"][seat]), body.x + body.width, y, "score", letters.score),
    ]
    if view["phase"] != OVER and (cost := penalty(view, seat)):
        x, y, size = seating.marker
        labels.append(_write(f"−{cost}", x + 1.1 * size, y + size / 2, "cost", letters.small))
    return labels


def _write_aims(
    view: State, order: tuple[int, int], names: tuple[str, ...], words: Words, layout: Layout
) -> list[Label]:
    aims, labels, count = layout.aims, [], swift_rule(objective_points)
    left = aims.box.x + 1.7 * aims.icon
    for index, side in enumerate(list_aims(view)):
        y = aims.middle(index)
        labels.append(
            _write(name_objective(side, words), left, y - 0.42 * aims.name_size, "aimed", aims.name_size)
        )
        labels.append(_write(say_aim(side, words), left, y + 0.62 * aims.hint_size, "hint", aims.hint_size))
        for board, seat in enumerate(order):
            points = int(count(view, seat, side))
            text = f"−{-points}" if points < 0 else str(points)
            labels.append(_write(text, aims.column(board), y, "total", aims.size))
    for board, seat in enumerate(order):
        name = shorten(names[seat], (aims.apart - 4) / layout.word)
        y = aims.box.y + 0.58 * aims.head
        labels.append(_write(name, aims.column(board), y, "head", layout.word))
    return labels


def say_aim(side: int, words: Words) -> str:
    """What an objective counts, in a few words."""
    return words.say(AIMS[side])


AIMS = (
    later("3 for each full row"),
    later("4 for each row with 5 different tiles"),
    later("7 for each full column"),
    later("1 for each tile on the outer spaces"),
    later("10 for each full long diagonal"),
    later("full corner plates: 3 above, 8 below"),
    later("2 for each wild space, if all are filled"),
    later("−3 for each empty special space"),
)


def _write_buttons(view: State, viewer: int, words: Words, layout: Layout) -> list[Label]:
    if not is_mover(view, viewer):
        return []
    if view["phase"] == DRAWING:
        x, y, width, height = layout.stop
        return [_write(words.say("look at them"), x + width / 2, y + height / 2, "press", layout.word)]
    if may_stay(view, viewer):
        x, y, width, height = layout.boards[0].seating.stay
        text = words.say("line {row} stays", row=int(view["next_line"][viewer]) + 1)
        return [_write(text, x + width / 2, y + height / 2, "press", layout.word)]
    return []


def _say_phase(view: State, viewer: int, words: Words) -> str:
    if not is_mover(view, viewer):
        return name_phase(view, words)
    phase = int(view["phase"])
    if phase == TILING:
        row = int(view["next_line"][viewer]) + 1
        if may_stay(view, viewer):
            return words.say("complete line {row} with chips, or not", row=row)
        return words.say("place the tile of line {row}", row=row)
    if phase == ACQUIRE and view["tokens"][viewer]:
        return words.say("take tiles, a plate or a chip")
    return words.say(DEMANDS[phase])


DEMANDS = {
    SETUP: later("take a plate for your dome"),
    ACQUIRE: later("take tiles or a chip"),
    STACK: later("stack the rest, bottom first"),
    DRAWING: later("draw another plate, or look"),
    CHOICE: later("place one of the plates"),
    RETURN: later("put the others back, top first"),
}


def _write(text: str, x: float, middle: float, kind: str, size: int) -> Label:
    """A text whose figures stand round a height."""
    return write_round(text, x, middle, f"mz-ad-{kind}", size)
