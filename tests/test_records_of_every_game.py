"""Recorded games of every kind, replayed on every change; some of them told in full."""

import hashlib
from functools import cache
from itertools import islice
from pathlib import Path

import pytest

from mozaika import kernel
from mozaika.game import Game
from mozaika.games import GAMES
from mozaika.record import TOLD, Record
from mozaika.state import CHANCE
from mozaika.table import Table
from mozaika.words import LANGUAGES

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))


def records(game: Game) -> list[Path]:
    return sorted((game.folder / "tests" / "records").glob("*.txt"))


@cache
def read(path: Path) -> Record:
    return Record.read(path.read_text("utf-8"))


WRITTEN = 5
"""Of so many positions one is written down; they are compared as they are after every entry."""


def digest(record: Record) -> str:
    """A digest of the positions of a game, which is the same compiled and plain."""
    fast, state, text = kernel.swift_game(record.game), record.start(), hashlib.sha256()
    compiled = state.copy()
    for left, (seat, move) in zip(range(len(record.entries), 0, -1), record.entries, strict=True):
        record.game.apply(state, seat, move)
        fast.apply(compiled, seat, move)
        assert state.tobytes() == compiled.tobytes()
        if left % WRITTEN == 1:
            text.update(record.game.write_position(state).encode())
    return text.hexdigest()[:16]


@every_game
def test_recorded_games_replay_to_the_same_states(game, expect):
    kernel.warm(game)
    lines = []
    for path in records(game):
        record = read(path)
        assert record.write() == path.read_text("utf-8"), path.name
        assert record.verify() == [], path.name
        assert record.result() is not None, path.name
        lines.append(f"{path.stem} {len(record.entries)} {digest(record)}")
    expect(game.folder / "tests" / "digests.txt", "\n".join(lines) + "\n")


@every_game
def test_every_position_of_a_recorded_game_can_be(game):
    """None that came about in play is refused."""
    kernel.warm(game)
    for path in records(game)[::4]:
        for state in islice(read(path).states(), 0, None, 37):
            assert game.parse_position(game.write_position(state)).tobytes() == state.tobytes(), path.name


@every_game
def test_recorded_games_are_of_every_kind(game):
    kernel.warm(game)
    found = [read(path) for path in records(game)]
    for seats, variant in game.kinds():
        of_this_kind = [
            record
            for record in found
            if record.seats == seats and variant.items() <= game.write_options(record.options).items()
        ]
        assert of_this_kind, f"{seats} seats, {variant}"


def tell_whole_game(record: Record, lang: str) -> str:
    """Every sentence of a game, and the table as it is before each round of moves and at the end."""
    table = Table.from_record(record, lang=lang, drawing=False)
    words, lines = table.words, [record.game.name, " / ".join(record.names), ""]
    for ply, (state, entry) in enumerate(zip(record.states(), record.entries, strict=False)):
        drawn = ply > 0 and record.entries[ply - 1].seat == CHANCE
        if drawn and entry.seat != CHANCE:
            lines += [
                "",
                str(Table.from_position(record.game.write_position(state), draws=TOLD, lang=lang)),
                "",
            ]
        if entry.seat != CHANCE:
            lines.append(f"{entry.seat + 1}: {record.game.write_move(entry.move)}")
        lines += [f"    {table.line(sentence)}" for sentence in table.tell(ply)]
    lines += ["", str(table), "", table.position(), ""]
    lines += [f"{source}: {' '.join(map(str, numbers))}" for source, numbers in table.tally.items()]
    lines += [f"{words.say('place')}: {' '.join(map(str, table.ranks))}"]
    return "\n".join(line.rstrip() for line in "\n".join(lines).splitlines()) + "\n"


@every_game
def test_whole_games_are_told_as_they_were_reviewed(game, expect):
    kernel.warm(game)
    by_kind: dict[str, Path] = {}
    for path in records(game):
        by_kind.setdefault(path.stem.rpartition("-")[0], path)
    for number, path in enumerate(by_kind.values()):
        record, lang = read(path), LANGUAGES[number % len(LANGUAGES)]
        expect(game.folder / "tests" / "goldens" / f"{path.stem}.{lang}.txt", tell_whole_game(record, lang))
