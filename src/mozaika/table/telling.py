"""What has happened at a shared table as its viewers are told: each in a language, as far as they saw it.

What somebody did is said to them, and of them to everybody else.
"""

from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from mozaika.sentence import Sentence
from mozaika.state import CHANCE, WATCHER
from mozaika.table.table import Table

MOST_SAID = 100


class LogLine(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A sentence of the log: after which ply, and about which seat, counted from 1; 0 is nobody.

    Said to you it is a whole sentence; of others it follows their name.
    """

    ply: int
    seat: int
    text: str
    rule: str
    points: int = 0
    to_you: bool = False
    closes: bool = False
    """Whether a round has ended with it."""


class Told(NamedTuple):
    """What a reader saw happen at a ply, and how long that is as JSON."""

    lines: tuple[LogLine, ...]
    size: int


NOTHING = Told((), len("[]"))


class Reader(NamedTuple):
    """Who reads: the seat through whose eyes, and the seat to whose person “you” is said."""

    eyes: int = WATCHER
    you: int = WATCHER


NOBODY = Reader()


class Telling:
    """The log of a table in sentences, each made once for all who read the same."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self._told: dict[tuple[str, Reader], dict[int, Told]] = {}
        self._said: dict[tuple[str, int, int], list[Sentence]] = {}
        """What the game has told last: several readers see a move through the same eyes."""

    def at(self, lang: str, reader: Reader, ply: int) -> Told:
        """What a reader saw happen at a ply."""
        told = self._told.setdefault((lang, reader), {})
        found = told.get(ply)
        if found is None:
            found = told[ply] = self._tell(lang, reader, ply)
        return found

    def newest(self, lang: str, reader: Reader, plies: range, room: int) -> list[Told]:
        """What a reader saw happen, from the last of these plies back as far as there is room for it."""
        told, found = self._told.setdefault((lang, reader), {}), []
        for ply in reversed(plies):
            each = told.get(ply) or self.at(lang, reader, ply)
            room -= each.size
            if room < 0:
                break
            found.append(each)
        return found

    def _tell(self, lang: str, reader: Reader, ply: int) -> Told:
        eyes, you = reader
        told = self.sentences(lang, eyes, ply)
        if not told:
            return NOTHING
        if you == WATCHER:
            return _write([_line(ply, sentence) for sentence in told])
        if not any(sentence.seat == you for sentence in told):
            return self.at(lang, Reader(eyes), ply)
        return _write([_line(ply, said, to_you=to_you) for said, to_you in address(you, told)])

    def sentences(self, lang: str, eyes: int, ply: int) -> list[Sentence]:
        """What happened at a ply through the eyes of a seat, as the game tells it."""
        key = (lang, eyes, ply)
        if key not in self._said:
            if len(self._said) >= MOST_SAID:
                self._said.clear()
            table = self.table
            words = table.game.words(lang, to_you=True)
            self._said[key] = list(table.game.tell(table.state_at(ply), *table.entries[ply], eyes, words))
        return self._said[key]

    def forget(self, ply: int) -> None:
        """What came after a ply has been taken back."""
        self._said.clear()
        for told in self._told.values():
            for later in [each for each in told if each >= ply]:
                del told[later]


def address(you: int, told: list[Sentence]) -> list[tuple[Sentence, bool]]:
    """Sentences of which those about you are said to you, as far as there are such, and whether each is."""
    return [
        (replace(said, text=said.to_you), True) if said.seat == you and said.to_you else (said, False)
        for said in told
    ]


def _write(lines: list[LogLine]) -> Told:
    return Told(tuple(lines), len(msgspec.json.encode(lines)))


def _line(ply: int, said: Sentence, *, to_you: bool = False) -> LogLine:
    seat = 0 if said.seat == CHANCE else said.seat + 1
    return LogLine(ply, seat, said.text, said.rule, said.points, to_you, said.closes)
