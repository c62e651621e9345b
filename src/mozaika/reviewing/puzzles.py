"""Puzzles: positions with one best move, as text beside the game.

A file begins with a line that says of which game it is, and has a paragraph for each puzzle: its id, the seat
that is to move, the position, the best moves, by how much they are better than any other, how difficult that
was for our levels, and from which game it comes. New puzzles come last, so that none changes its place.
"""

import hashlib
import re
from collections.abc import Iterator
from datetime import date
from functools import lru_cache
from pathlib import Path

import msgspec

from mozaika.game import Game
from mozaika.games import GAMES

FILE = "puzzles.txt"
FIRST_LINE = "Mozaika puzzles 1: {game} {version}"
FIRST_DAY = date(2026, 11, 1)
"""Puzzles of the day begin here."""
MOST_DIFFICULT = 5

_FACT = re.compile(r"(Puzzle|Seat|Position|Best|Margin|Difficulty|Found by|From): (\S.*)")
_MARGIN = re.compile(r"([0-9.]+) \+- ([0-9.]+) (share|points)")


class Puzzle(msgspec.Struct, frozen=True, kw_only=True):
    """One position, and what is best there."""

    id: str
    seat: int
    """Counted from 1."""
    position: str
    best: tuple[str, ...]
    """The best move; several where they come to the same."""
    margin: float
    """By how much it is better than any other that was looked at, in the unit."""
    error: float
    """The standard error of the margin."""
    unit: str
    """`share` of the victory, or `points` in a game alone."""
    difficulty: int
    """1 if already our weakest level finds it, 5 if only the strongest does, or none in a hurry."""
    found_by: tuple[str, ...]
    """The levels that find it."""
    origin: str
    """The game that it comes from."""

    def write(self) -> str:
        """As a paragraph of the file."""
        return "\n".join(
            (
                f"Puzzle: {self.id}",
                f"Seat: {self.seat}",
                f"Position: {self.position}",
                f"Best: {' | '.join(self.best)}",
                f"Margin: {self.margin:.3f} +- {self.error:.3f} {self.unit}",
                f"Difficulty: {self.difficulty}",
                f"Found by: {', '.join(self.found_by) or 'nobody'}",
                f"From: {self.origin}",
            )
        )


def name_puzzle(position: str, seat: int) -> str:
    """The id of a puzzle: it follows from what is asked."""
    return hashlib.sha256(f"{position} {seat}".encode()).hexdigest()[:8]


def find_puzzles(game: Game) -> tuple[Puzzle, ...]:
    """The puzzles in the folder of a game; perhaps none."""
    if game.folder is None or not (book := game.folder / FILE).exists():
        return ()
    return _read_file(game, book, book.stat().st_mtime_ns)


@lru_cache(maxsize=16)
def _read_file(game: Game, book: Path, _: int) -> tuple[Puzzle, ...]:
    return tuple(read_puzzles(game, book.read_text("utf-8")))


def read_puzzles(game: Game, text: str) -> Iterator[Puzzle]:
    """The puzzles of a text; ValueError where something else stands there."""
    first, *paragraphs = text.strip().split("\n\n")
    if first != head_of(game):
        raise ValueError(f"Puzzles of {game.name} begin with “{head_of(game)}”, not “{first}”.")
    return map(_read_puzzle, paragraphs)


def head_of(game: Game) -> str:
    return FIRST_LINE.format(game=game.id, version=game.version)


def _read_puzzle(paragraph: str) -> Puzzle:
    found = [_FACT.fullmatch(line) for line in paragraph.splitlines()]
    facts = {each[1]: each[2] for each in found if each}
    margin = _MARGIN.fullmatch(facts.get("Margin", ""))
    if len(facts) != len(found) or len(facts) != 8 or margin is None:
        raise ValueError(f"This is no puzzle: “{paragraph}”.")
    return Puzzle(
        id=facts["Puzzle"],
        seat=int(facts["Seat"]),
        position=facts["Position"],
        best=tuple(facts["Best"].split(" | ")),
        margin=float(margin[1]),
        error=float(margin[2]),
        unit=margin[3],
        difficulty=int(facts["Difficulty"]),
        found_by=() if facts["Found by"] == "nobody" else tuple(facts["Found by"].split(", ")),
        origin=facts["From"],
    )


def puzzle_of(day: date) -> tuple[Game, Puzzle] | None:
    """The puzzle of a day, the same for everybody: the games take turns, each goes through its file."""
    if day < FIRST_DAY:
        return None
    shelf = [game for game in GAMES.values() if find_puzzles(game)]
    if not shelf:
        return None
    turn, at = divmod((day - FIRST_DAY).days, len(shelf))
    puzzles = find_puzzles(shelf[at])
    return shelf[at], puzzles[turn % len(puzzles)]
