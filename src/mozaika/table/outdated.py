"""Games that were begun under other rules than are played now: a replay of their log would be another game.

So nobody plays on; the log is kept and can be read.
"""

from collections.abc import Mapping, Sequence

import msgspec

from mozaika import chance, epochs
from mozaika.epochs import Epoch
from mozaika.games import GAMES
from mozaika.record import FIRST_LINE
from mozaika.state import CHANCE
from mozaika.store import Event, Header
from mozaika.table.events import Occupant
from mozaika.words import Words, later

OUTDATED = later(
    "This game was begun under rules that are no longer played here. "
    "It is kept as it was, but it cannot go on."
)


DAMAGED = later("This game cannot be read here. It is kept as it is; tell whoever runs this server.")


class Damaged(Exception):
    """A game whose log makes no sense; of others nothing is wrong."""

    def __init__(self, name: str) -> None:
        super().__init__(DAMAGED)
        self.name = name


class Outdated(Exception):
    """A game that cannot go on, as it stands in the store."""

    def __init__(self, header: Header, events: Sequence[Event], seeds: Mapping[int, str]) -> None:
        super().__init__(OUTDATED)
        self.header, self.events, self._seeds = header, events, seeds

    def title(self, lang: str) -> str:
        """What the game is called, as far as the shelf still knows it."""
        return GAMES[self.header.game].title(lang) if self.header.game in GAMES else self.header.game

    def names(self, words: Words) -> list[str]:
        """Who sat at the table at last."""
        seats = [Occupant("open")] * self.header.seats
        for event in self.events:
            if event.kind == "sit":
                seats[event.seat] = msgspec.json.decode(event.text, type=Occupant)
        return [occupant.called(number, words) for number, occupant in enumerate(seats, 1)]

    def entries(self) -> list[tuple[int, str]]:
        """Every move and draw that was not taken back, as it was written."""
        entries: list[tuple[int, str]] = []
        for event in self.events:
            if event.kind in ("move", "draw"):
                entries.append((event.seat, event.text))
            elif event.kind == "undo":
                ply = int(event.text.removesuffix("+"))
                entries[ply:] = entries[ply + 1 :] if event.text.endswith("+") else []
            elif event.kind == "commit":
                entries[msgspec.json.decode(event.text, type=Epoch).ply :] = []
        return entries

    def _draws(self) -> dict[str, str]:
        if any(event.kind == "commit" for event in self.events):
            return {"Draws": epochs.METHOD, "Table": self.header.id}
        return {"Draws": chance.METHOD, "Commitment": chance.commitment(self._seeds.get(0, ""))}

    def record(self) -> str:
        """The record of the game for a Mozaika that still plays it; the seed stays in the store."""
        header = self.header
        headers = {
            "Game": f"{header.game} {header.version}",
            "Options": " ".join(f"{name}={value}" for name, value in header.options.items()),
            "Seats": " / ".join(self.names(Words())),
            "Position": header.position,
            **self._draws(),
        }
        lines = [f"{name}: {value}" for name, value in headers.items() if value]
        moves = [f"{'chance' if seat == CHANCE else seat + 1}: {text}" for seat, text in self.entries()]
        return "\n".join([FIRST_LINE, *lines, "", *moves]) + "\n"


def check_rules(header: Header, events: Sequence[Event], seeds: Mapping[int, str]) -> None:
    """Outdated if a game cannot go on under the rules that are played now."""
    game = GAMES.get(header.game)
    if game is None or game.version != header.version:
        raise Outdated(header, events, seeds)
