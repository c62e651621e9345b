"""What happens in a game of Azul, as sentences with points and rule ids; and why a move is refused."""

from collections.abc import Iterable, Iterator
from functools import reduce
from operator import or_

from msgspec.structs import replace

from mozaika.games.azul.pieces import (
    CENTRE,
    COLOR_BONUS,
    COLUMN_BONUS,
    DRAWS,
    FLOOR,
    LAST_ROUND,
    LINES,
    OFFER,
    ON_CENTRE,
    OVER,
    PENALTIES,
    PLACES,
    ROW_BONUS,
    STARTS,
    TARGETS,
    TILING,
)
from mozaika.games.azul.rules import (
    ROW,
    apply,
    color_bonus,
    column_bonus,
    free_columns,
    full_rows,
    movers,
    occupied,
    pay_floor,
    printed_column,
    ranks,
    row_bonus,
    spill,
    take,
    tile,
)
from mozaika.kernel import swift_rule
from mozaika.places import joined, point_at
from mozaika.sentence import Sentence, add_up, multiply
from mozaika.state import State, copy_of
from mozaika.words import Words, later

SENTENCE = later("Take tiles from the factories, fill your lines, and lay the most beautiful wall.")

LABELS = {
    "wall": later("Wall"),
    "coloured": later("coloured: every colour has its place"),
    "grey": later("grey: you choose the place"),
    "start": later("Who starts"),
    "random": later("drawn by lot"),
    "1": later("seat 1"),
    "2": later("seat 2"),
    "3": later("seat 3"),
    "4": later("seat 4"),
}

REFUSALS = {
    "AZ-B1": later("There is no such seat: the seats are 1 to the number of players at this table."),
    "AZ-S1": later("The start player is drawn once, before anything else."),
    "AZ-S2": later("That belongs to another phase of the round."),
    "AZ-A1": later("It is not your turn."),
    "AZ-A2": later("No tile of this colour lies on that factory."),
    "AZ-A3": later("No tile of this colour lies in the centre."),
    "AZ-A4": later("That line is full or holds another colour."),
    "AZ-A5": later("Your wall already has this colour in the row of that line."),
    "AZ-A9": later("The offer is over; now the walls are tiled."),
    "AZ-W4": later("You have already tiled your wall in this round."),
    "AZ-C1": later("No such tile is drawn from the bag now."),
    "AZ-E1": later("The game is over."),
    "AZ-G1": later("That space is taken, or its column already has this colour."),
    "AZ-G3": later("Lines are tiled from top to bottom; another line is next."),
}


def tell(state: State, seat: int, move: int, viewer: int, words: Words) -> list[Sentence]:
    """What a move does, in the order in which it happens; everybody sees all of it."""
    if DRAWS <= move < STARTS and sum(state["bag"].tolist()) > 1:  # AZ-C1: and the bag is not empty yet
        return []
    if move < PLACES and int(state["on_offer"]) != 1 << move // TARGETS:  # nothing follows from it yet
        return list(_tell_take(state, seat, move, words))
    after = copy_of(state)
    swift_rule(apply)(after, seat, move)
    before = copy_of(state)
    if move < PLACES:
        sentences = list(_tell_take(before, seat, move, words))
        take(before, seat, move)
        if before["on_offer"] == 0:
            for board in range(before["seats"]):
                before["next_line"][board] = 0
                sentences += _tell_tiling(before, board, words)
    elif move < DRAWS:
        row, column = divmod(move - PLACES, 5)
        sentences = [_tell_tile(before, seat, row, column, words)]
        before["next_line"][seat] = row + 1
        sentences += _tell_tiling(before, seat, words)
    elif move < STARTS:
        sentences = []
    else:
        return [Sentence(words.say("starts the game."), "AZ-S1", move - STARTS)]
    return sentences + list(_tell_round(before, after, words))


def _tell_take(state: State, seat: int, move: int, words: Words) -> Iterator[Sentence]:
    source_color, target = divmod(move, TARGETS)
    source, color = divmod(source_color, 5)
    count = int(state["sources"][source, color])
    tiles = count_colored(color, count, words)
    match source, target:
        case 0, 0:
            text = words.say("takes {tiles} from the centre straight to the floor.", tiles=tiles)
        case 0, _:
            text = words.say("takes {tiles} from the centre for line {line}.", tiles=tiles, line=target)
        case _, 0:
            text = words.say(
                "takes {tiles} from factory {factory} straight to the floor.", tiles=tiles, factory=source
            )
        case _:
            text = words.say(
                "takes {tiles} from factory {factory} for line {line}.",
                tiles=tiles,
                factory=source,
                line=target,
            )
    yield Sentence(text, "AZ-A6" if target == 0 else "AZ-A3" if source == CENTRE else "AZ-A2", seat)
    space = FLOOR - int(state["fallen"][seat])
    if source == CENTRE and state["marker"] == ON_CENTRE:
        if space:
            yield Sentence(words.say("takes the start marker."), "AZ-A3", seat)
            space -= 1
        else:
            yield Sentence(
                words.say("takes the start marker; the full floor has no space for it."), "AZ-A8", seat
            )
    falling = count - min(count, target - int(state["line_count"][seat, target - 1])) if target else count
    yield from _tell_fall(seat, falling, space, words, announced=target == 0)


def _tell_fall(seat: int, falling: int, space: int, words: Words, *, announced: bool) -> Iterator[Sentence]:
    down = min(falling, space)
    if down and not announced:
        text = words.count("{n} tile falls to the floor.", "{n} tiles fall to the floor.", down)
        yield Sentence(text, "AZ-A4", seat)
    if falling > down:
        text = words.count(
            "{n} tile finds the floor full and goes to the lid.",
            "{n} tiles find the floor full and go to the lid.",
            falling - down,
        )
        yield Sentence(text, "AZ-A7", seat)


def _tell_tiling(state: State, seat: int, words: Words) -> Iterator[Sentence]:
    """The way of `rules.to_next_choice`, told."""
    for row in range(state["next_line"][seat], LINES):
        if state["line_count"][seat, row] == row + 1:
            color = int(state["line_color"][seat, row])
            if not state["grey"]:
                yield _tell_tile(state, seat, row, printed_column(row, color), words)
            elif free_columns(state, seat, row, color):
                return
            else:
                text = words.say("has no space left for line {line}; it falls to the floor.", line=row + 1)
                yield Sentence(text, "AZ-G2", seat)
                spill(state, seat, row)
    state["next_line"][seat] = LINES
    fallen = int(state["fallen"][seat])
    if cost := swift_rule(pay_floor)(state, seat):
        text = words.count("loses {n} point for the floor.", "loses {n} points for the floor.", cost)
        how = add_up([int(PENALTIES[n] - PENALTIES[n + 1]) for n in range(fallen)])
        if cost < PENALTIES[fallen]:
            never = words.say("A score never falls below 0.")
            how = f"{how}. {never}"
        yield Sentence(text, "AZ-W3", seat, -cost, ("floor",), how)


def _tell_tile(state: State, seat: int, row: int, column: int, words: Words) -> Sentence:
    color = int(state["line_color"][seat, row])
    filled = _filled(state, seat)
    alone = tile_stands_alone(filled, row, column)
    points = swift_rule(tile)(state, seat, row, column)
    text = words.count(
        "tiles {color} in row {row}, column {column}: {n} point.",
        "tiles {color} in row {row}, column {column}: {n} points.",
        points,
        color=name_color(color, words),
        row=row + 1,
        column=column + 1,
    )
    across, down = joined(lambda r, c: _is_tiled(filled, r, c), row, column)
    how = [words.say("In the row: {n}.", n=len(across))] if len(across) > 1 else []
    how += [words.say("In the column: {n}.", n=len(down))] if len(down) > 1 else []
    cells = {*(across if len(across) > 1 else ()), *(down if len(down) > 1 else ()), (row, column)}
    alone_how = words.say("It touches no other tile.")
    return Sentence(
        text, "AZ-P1" if alone else "AZ-P2", seat, points, _name_cells(cells), " ".join(how) or alone_how
    )


def _filled(state: State, seat: int) -> int:
    """The same as `occupied`, for plain code."""
    filled: int = reduce(or_, state["wall"][seat].tolist())
    return filled


def _is_tiled(filled: int, row: int, column: int) -> bool:
    return 0 <= row < LINES and 0 <= column < 5 and bool(filled >> 5 * row + column & 1)


def _name_cells(cells: Iterable[tuple[int, int]]) -> tuple[str, ...]:
    return tuple(f"wall-{row + 1}-{column + 1}" for row, column in sorted(cells))


def tile_stands_alone(filled: int, row: int, column: int) -> bool:
    around = ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))
    return not any(0 <= r < 5 and 0 <= c < 5 and filled >> 5 * r + c & 1 for r, c in around)


def _tell_round(before: State, after: State, words: Words) -> Iterator[Sentence]:
    """What follows from a move for the whole table: a poured lid, a new round, the end."""
    if sum(after["lid"].tolist()) < sum(before["lid"].tolist()):
        yield Sentence(words.say("The bag is empty; the lid is poured into it."), "AZ-C1")
    if after["phase"] == OVER:
        *told, last = _tell_end(before, after, words)
        yield from [*told, replace(last, closes=True)]
    elif after["round"] != before["round"]:
        taken = before["marker"] != ON_CENTRE
        text = words.say("starts round {n}.", n=after["round"])
        yield Sentence(text, "AZ-C2" if taken else "AZ-C3", int(after["starter"]), closes=True)


def _tell_end(before: State, after: State, words: Words) -> Iterator[Sentence]:
    finishers = [seat for seat in range(after["seats"]) if full_rows(occupied(after, seat))]
    for seat in finishers:
        yield Sentence(words.say("has completed a row; the game ends."), "AZ-E1", seat)
    if not finishers and before["round"] == LAST_ROUND:
        yield Sentence(words.say("Round {n} was the last; the game ends.", n=LAST_ROUND), "AZ-C5")
    elif not finishers:
        yield Sentence(words.say("There is no tile left to deal; the game ends."), "AZ-C4")
    for seat in range(after["seats"]):
        if n := row_bonus(after, seat):
            text = words.count("{n} point for complete rows.", "{n} points for complete rows.", n)
            how = multiply(n // ROW_BONUS, ROW_BONUS)
            yield Sentence(text, "AZ-E2", seat, n, _full_rows(after, seat), how)
        if n := column_bonus(after, seat):
            text = words.count("{n} point for complete columns.", "{n} points for complete columns.", n)
            how = multiply(n // COLUMN_BONUS, COLUMN_BONUS)
            yield Sentence(text, "AZ-E2", seat, n, _full_columns(after, seat), how)
        if n := color_bonus(after, seat):
            text = words.count("{n} point for complete colours.", "{n} points for complete colours.", n)
            how = multiply(n // COLOR_BONUS, COLOR_BONUS)
            yield Sentence(text, "AZ-E2", seat, n, _full_colors(after, seat), how)


def _full_rows(state: State, seat: int) -> tuple[str, ...]:
    filled = occupied(state, seat)
    rows = [row for row in range(LINES) if filled >> 5 * row & ROW == ROW]
    return _name_cells((row, column) for row in rows for column in range(5))


def _full_columns(state: State, seat: int) -> tuple[str, ...]:
    filled = occupied(state, seat)
    columns = [column for column in range(5) if all(_is_tiled(filled, row, column) for row in range(LINES))]
    return _name_cells((row, column) for row in range(LINES) for column in columns)


def _full_colors(state: State, seat: int) -> tuple[str, ...]:
    walls = [int(tiles) for tiles in state["wall"][seat] if int(tiles).bit_count() == LINES]
    return _name_cells(divmod(space, 5) for tiles in walls for space in range(25) if tiles >> space & 1)


def tally(state: State, words: Words) -> list[tuple[str, list[int]]]:
    """Where the points of each seat came from."""
    seats = range(state["seats"])
    over = int(state["phase"] == OVER)
    rows = [row_bonus(state, seat) * over for seat in seats]
    columns = [column_bonus(state, seat) * over for seat in seats]
    colors = [color_bonus(state, seat) * over for seat in seats]
    lost = [int(state["lost"][seat]) for seat in seats]
    bonus = [sum(parts) for parts in zip(rows, columns, colors, strict=True)]
    return [
        (words.say("tiles"), [int(state["score"][seat]) + lost[seat] - bonus[seat] for seat in seats]),
        (words.say("floor"), [-points for points in lost]),
        (words.say("rows"), rows),
        (words.say("columns"), columns),
        (words.say("colours"), colors),
    ]


def name_color(color: int, words: Words) -> str:
    return words.say(COLOR_NAMES[color])


COLOR_NAMES = (later("blue"), later("yellow"), later("red"), later("black"), later("white"))


def count_colored(color: int, n: int, words: Words) -> str:
    """So many tiles of a colour, as the object of a sentence."""
    match color:
        case 0:
            return words.count("{n} blue tile", "{n} blue tiles", n)
        case 1:
            return words.count("{n} yellow tile", "{n} yellow tiles", n)
        case 2:
            return words.count("{n} red tile", "{n} red tiles", n)
        case 3:
            return words.count("{n} black tile", "{n} black tiles", n)
        case _:
            return words.count("{n} white tile", "{n} white tiles", n)


def name_phase(phase: int, words: Words) -> str:
    return words.say(PHASE_NAMES[phase])


PHASE_NAMES = (
    later("drawing the start player"),
    later("filling the factories"),
    later("factory offer"),
    later("wall tiling"),
    later("game over"),
)


pointed_at = point_at(movers, ranks)


def find_finisher(view: State) -> int:
    """AZ-E1: the seat that is about to complete a row, as soon as the board shows it; -1 if there is none."""
    for seat in range(view["seats"] if view["phase"] in (OFFER, TILING) else 0):
        counts = view["line_count"][seat].tolist()
        filled = _filled(view, seat)
        for row in range(LINES):
            if counts[row] == row + 1 and (filled >> 5 * row & ROW).bit_count() == 4:
                color = int(view["line_color"][seat, row])
                if not view["grey"] or free_columns(view, seat, row, color):
                    return seat
    return -1


def say_last_round(finisher: int, names: tuple[str, ...], words: Words) -> str:
    """That somebody is about to complete a row; else nothing."""
    if finisher < 0:
        return ""
    return words.say("This is the last round: {name} will complete a row.", name=names[finisher])
