"""The texts on the table: names, numbers, what to do now, and what the objectives bring."""

from mozaika.games.azul_duel.layout import Layout
from mozaika.games.azul_duel.names import name_objective, name_phase
from mozaika.games.azul_duel.objectives import objective_points
from mozaika.games.azul_duel.pieces import (
    ACQUIRE,
    CHOICE,
    DRAWING,
    OVER,
    RETURN,
    SETUP,
    STACK,
    TILING,
)
from mozaika.games.azul_duel.seen import Counts, Dome, Seen
from mozaika.kernel import swift_rule
from mozaika.places import Box, Place, write_round
from mozaika.scene import Label, part, shorten
from mozaika.words import Words, later


def write_labels(
    seen: Seen, viewer: int, order: tuple[int, int], names: tuple[str, ...], words: Words, layout: Layout
) -> list[Label]:
    labels = [
        Label(_say_phase(seen, viewer, words), *layout.phase, f"mz-ad-phase-{layout.shape}"),
        Label(words.say("Round {n}", n=seen.round), *layout.title, f"mz-ad-title-{layout.shape}"),
    ]
    for board, seat in enumerate(order):
        owned = seen.boards[seat]
        cost = owned.penalty if seen.phase != OVER else 0
        labels += _write_board(layout, board, names[seat], owned.score, cost)
    labels += _write_ledger(layout, seen.bag, seen.tower)
    labels += _write_offers(layout, seen.offered)
    labels.append(_write_above(layout.stack, words.say("stack ×{n}", n=seen.height), layout.word))
    if seen.under:
        labels.append(_write_above(layout.under, words.say("put under it"), layout.word))
    if seen.hand:
        labels.append(_write_above(layout.hand, words.say("drawn plates"), layout.word))
    if seen.placeable(viewer):
        labels.append(_write_above(layout.tray[0], words.say("turn it here"), layout.word))
    points = tuple(count_aims(seen.aims, seen.boards[seat].dome) for seat in order)
    labels += _write_aims(layout, seen.aims, points, (names[order[0]], names[order[1]]), words)
    return labels + _write_buttons(seen, viewer, words, layout)


def _write_above(place: Box | Place, text: str, size: int) -> Label:
    return Label(text, place[0], round(place[1] - 0.45 * size, 1), f"mz-ad-word-{size}")


@part
def _write_board(layout: Layout, index: int, name: str, score: int, cost: int) -> tuple[Label, ...]:
    board = layout.boards[index]
    letters, body, seating, y = board.letters, board.body, board.seating, board.middle
    labels = [
        _write(shorten(name, board.name_room), seating.turn.x + 1.45 * letters.name, y, "name", letters.name),
        _write(str(score), body.x + body.width, y, "score", letters.score),
    ]
    if cost:
        x, y, size = seating.marker
        labels.append(_write(f"−{cost}", x + 1.1 * size, y + size / 2, "cost", letters.small))
    return tuple(labels)


@part
def _write_ledger(layout: Layout, bag: Counts, tower: Counts) -> tuple[Label, ...]:
    return tuple(layout.ledger.write("mz-ad", bag, tower))


@part
def _write_offers(layout: Layout, offered: tuple[tuple[int, bool], ...]) -> tuple[Label, ...]:
    return tuple(
        _write(f"×{n}", *offer.number, "offer", layout.aims.size)
        for offer, (n, _) in zip(layout.offers, offered, strict=True)
        if n
    )


@part
def count_aims(sides: Counts, dome: Dome) -> Counts:
    """What objectives would bring for a dome if the game were over now."""
    count, state = swift_rule(objective_points), dome.build()
    return tuple(int(count(state, 0, side)) for side in sides)


@part
def _write_aims(
    layout: Layout, sides: Counts, points: tuple[Counts, ...], names: tuple[str, str], words: Words
) -> tuple[Label, ...]:
    aims, labels = layout.aims, []
    left = aims.box.x + 1.7 * aims.icon
    for index, side in enumerate(sides):
        y = aims.middle(index)
        labels.append(
            _write(name_objective(side, words), left, y - 0.42 * aims.name_size, "aimed", aims.name_size)
        )
        labels.append(_write(say_aim(side, words), left, y + 0.62 * aims.hint_size, "hint", aims.hint_size))
        for board, brought in enumerate(points):
            text = f"−{-brought[index]}" if brought[index] < 0 else str(brought[index])
            labels.append(_write(text, aims.column(board), y, "total", aims.size))
    for board, name in enumerate(names):
        shown, y = shorten(name, (aims.apart - 4) / layout.word), aims.box.y + 0.58 * aims.head
        labels.append(_write(shown, aims.column(board), y, "head", layout.word))
    return tuple(labels)


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


def _write_buttons(seen: Seen, viewer: int, words: Words, layout: Layout) -> list[Label]:
    if not seen.is_mover(viewer):
        return []
    if seen.phase == DRAWING:
        x, y, width, height = layout.stop
        return [_write(words.say("look at them"), x + width / 2, y + height / 2, "press", layout.word)]
    if seen.may_stay(viewer):
        x, y, width, height = layout.boards[0].seating.stay
        text = words.say("line {row} stays", row=seen.boards[viewer].next_line + 1)
        return [_write(text, x + width / 2, y + height / 2, "press", layout.word)]
    return []


def _say_phase(seen: Seen, viewer: int, words: Words) -> str:
    if not seen.is_mover(viewer):
        return name_phase(seen.phase, words)
    if seen.phase == TILING:
        row = seen.boards[viewer].next_line + 1
        if seen.may_stay(viewer):
            return words.say("line {row}: use chips, or not", row=row)
        return words.say("place the tile of line {row}", row=row)
    if seen.phase == ACQUIRE and seen.boards[viewer].tokens:
        return words.say("take tiles, a plate or a chip")
    return words.say(DEMANDS[seen.phase])


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
