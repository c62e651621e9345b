"""No text that a stranger sends takes long to refuse: measured in time of the processor, for every game."""

from collections.abc import Callable, Iterator
from itertools import cycle, islice
from pathlib import Path
from time import process_time

import pytest

from mozaika.game import Game
from mozaika.games import GAMES
from mozaika.moves import LONGEST_MOVE, MoveError
from mozaika.record import FIRST_LINE, LONGEST_LINE, Entry, Record, RecordError
from mozaika.state import CHANCE

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
MEGABYTE = 1 << 20
MOST_SECONDS, MOST_MOVE_SECONDS = 1.0, 0.05
PATTERNS = (
    "a",
    "a ",
    "1",
    "1 ",
    "a1 ",
    "9",
    ". ",
    ".",
    "-",
    ">",
    "+",
    "/",
    " / ",
    "//",
    "r",
    "é",
    "a1-",
    "x,",
    "=",
    "()",
)
"""What long texts are made of."""


def seconds(work: Callable[[], object]) -> float:
    began = process_time()
    work()
    return process_time() - began


def fill(pattern: str, letters: int) -> str:
    return (pattern * (letters // len(pattern) + 1))[:letters]


def records(game: Game) -> list[Path]:
    """The recorded games of a game, the shortest first."""
    return sorted((game.folder / "tests" / "records").glob("*.txt"), key=lambda path: path.stat().st_size)


def read(text: str) -> Record | str:
    """The record of a text, or why there is none."""
    try:
        return Record.read(text)
    except RecordError as error:
        assert len(str(error)) < 2_000
        return str(error)


def in_headers(text: str, line: str) -> str:
    """A record with one more line among its headers."""
    return text.replace("Draws:", f"{line}\nDraws:", 1)


def odd_names() -> Iterator[str]:
    """Many names of headers that look like none of ours."""
    for number in range(MEGABYTE):
        yield "Q" + "".join(chr(ord("g") + int(digit)) for digit in f"{number:07}") * 4


def bad_megabytes(game: Game) -> Iterator[str]:
    """What somebody might make of a whole game."""
    text = records(game)[-1].read_text("utf-8")
    headers, _, entries = text.partition("\n\n")
    yield in_headers(text, "\n".join(f"{name}: x" for name in islice(odd_names(), MEGABYTE // 32)))
    for name in ("Seats", "Options", "Game", "Remark"):
        rest = "\n".join(line for line in headers.splitlines() if not line.startswith(f"{name}:"))
        for pattern in PATTERNS:
            yield f"{rest}\n{name}: {fill(pattern, LONGEST_LINE - 20)}\n\n{entries}"
    for line in (
        "1: ",
        "chance: ",
        "2: " + entries.splitlines()[-1].partition(": ")[2] + "\n",
        "# a thought\n",
    ):
        yield text + fill(line, MEGABYTE)
        yield f"{headers}\n\n{fill(line, MEGABYTE)}"


SHAPELESS = [
    f"{before}{fill(pattern, MEGABYTE)}"
    for before in ("", f"{FIRST_LINE}\n", f"{FIRST_LINE}\nPosition: ", f"{FIRST_LINE}\n1: ")
    for pattern in (
        "a",
        "a,",
        "/",
        "\x1c",
        "\n",
        "#\n",
        "a\n",
        ":\n",
        "1:\n",
        "a:b\n",
        "abc:\n",
        " ",
        f"{' ' * 99}\n",
    )
]
"""What is a megabyte and nothing else."""


@every_game
def test_no_megabyte_made_of_a_game_takes_longer_than_a_second_to_read(game: Game):
    for text in bad_megabytes(game):
        taken = seconds(lambda text=text: read(text))  # type: ignore[misc]
        assert taken < MOST_SECONDS, f"{taken:.2f} s: {text[:300]!r}"


def test_no_other_megabyte_takes_longer_than_a_second_to_read():
    for text in SHAPELESS:
        assert seconds(lambda text=text: read(text)) < MOST_SECONDS, text[:99]  # type: ignore[misc]


@every_game
def test_no_field_of_a_position_takes_long_to_refuse(game: Game):
    record = Record.read(records(game)[0].read_text("utf-8"))
    fields = game.write_position(record.state(len(record.entries) // 2)).split("; ")
    for at, field in enumerate(fields):
        key, _, value = field.partition(" ")
        patterns = cycle([*PATTERNS, f"{value} ", value])
        for pattern in islice(patterns, len(PATTERNS) + 2):
            position = "; ".join(
                [*fields[:at], f"{key} {fill(pattern, LONGEST_LINE // 2)}", *fields[at + 1 :]]
            )
            text = f"{FIRST_LINE}\nGame: {game.id} {game.version}\nSeats: a / b\nPosition: {position}\n"
            assert seconds(lambda text=text: read(text)) < MOST_SECONDS, text[:300]  # type: ignore[misc]


@every_game
def test_the_longest_recorded_game_is_read_in_a_second(game: Game):
    text = records(game)[-1].read_text("utf-8")
    assert seconds(lambda: Record.read(text)) < MOST_SECONDS


def shorten(game: Game, entry: Entry) -> str:
    """A text that is not the whole one of a move, but its words or their beginnings."""
    full = game.write_move(entry.move)
    for short in (full.replace(">", " "), full[:-1], full):
        try:
            game.parse_move(short)
        except ValueError:
            return short
    return full


def write_short(record: Record) -> str:
    """A record in which every move of a player that has a shorter text than it needs is written so."""
    headers, game = record.write().partition("\n\n")[0], record.game
    lines = []
    for state, entry in zip(record.states(), record.entries, strict=False):
        text = shorten(game, entry)
        try:
            meant = game.read(state, entry.seat, text, game.words())
        except MoveError:
            meant = -1
        text = text if meant == entry.move else game.write_move(entry.move)
        lines.append(f"{'chance' if entry.seat == CHANCE else entry.seat + 1}: {text}")
    return "\n".join([headers, "", *lines])


@every_game
def test_a_game_of_ordinary_length_can_be_written_in_shortened_moves(game: Game):
    found = records(game)
    record = Record.read(found[len(found) // 2].read_text("utf-8"))
    short = write_short(record)
    assert short != record.write()
    assert Record.read(short).write() == record.write()


@every_game
def test_the_longest_game_in_shortened_moves_is_read_or_refused_in_a_second(game: Game):
    record = Record.read(records(game)[-1].read_text("utf-8"))
    short = write_short(record)
    found = []
    assert seconds(lambda: found.append(read(short))) < MOST_SECONDS
    if isinstance(found[0], Record):
        assert found[0].write() == record.write()
    else:
        assert "Too many moves are shortened here; write them in full." in found[0]


def refuse(game: Game, text: str) -> None:
    with pytest.raises(ValueError):
        game.parse_move(" ".join(text.split()))


@every_game
def test_long_texts_are_no_moves(game: Game):
    record = Record.read(records(game)[0].read_text("utf-8"))
    moves = [game.write_move(move) for _, move in record.entries]
    lines = [line for path in records(game) for line in path.read_text("utf-8").splitlines()]
    begun = {line.split()[1] for line in lines if line.startswith(("1: ", "2: ", "chance: "))}
    for text in (
        f"{first} {fill(pattern, 400)}"[:400] for first in sorted(begun) for pattern in ("a", "a ", "1 ", ">")
    ):
        assert seconds(lambda text=text: refuse(game, text)) < MOST_MOVE_SECONDS, text  # type: ignore[misc]
    for pattern in (
        *PATTERNS,
        *(f"{move} " for move in moves[:40]),
        *moves[:40],
        "+a1-a4 ",
        "f1 red >",
        "r0",
    ):
        text = fill(pattern, 400)
        assert seconds(lambda text=text: refuse(game, text)) < MOST_MOVE_SECONDS, text  # type: ignore[misc]
        with pytest.raises(MoveError, match=f"No move has more than {LONGEST_MOVE} letters"):
            game.read(record.start(), 0, text, game.words())


@every_game
def test_what_a_game_allows_is_what_it_lists(game: Game):
    record = Record.read(records(game)[-1].read_text("utf-8"))
    moves = [entry.move for entry in record.entries]
    for ply, state in enumerate(islice(record.states(), 0, None, 5)):
        for seat in (*range(record.seats), CHANCE):
            legal = game.legal_moves(state, seat)
            near = {
                move + step for move in legal[:: 1 + len(legal) // 20] for step in (-1, 0, 1, 7, 441, 882)
            }
            for move in {*near, *moves[ply : ply + 40]}:
                if move >= 0:
                    assert game.is_legal(state, seat, move) == (move in legal)


@pytest.mark.parametrize("name", ["", "   ", "\u200d", "a\x08b", "\u200b", "x" * 101, "y" * 5_000])
def test_names_that_nobody_can_read_are_refused(name: str):
    for game in GAMES.values():
        text = records(game)[0].read_text("utf-8")
        seats = next(line for line in text.splitlines() if line.startswith("Seats: "))
        bad = f"Seats: {name} / {seats.partition(' / ')[2]}" if " / " in seats else f"Seats: {name}"
        assert "A name is a line of 1 to 100 letters without “/”" in str(read(text.replace(seats, bad, 1)))
