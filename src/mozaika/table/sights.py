"""Moments of a table: what everybody knows of one, and what each seat sees, found once for all who look."""

from functools import cached_property

from mozaika.defaults import hides_nothing
from mozaika.kernel import swift_game
from mozaika.state import WATCHER, State, seats_in
from mozaika.table.table import Table

MOST_SIGHTS = 4


class Sight:
    """One moment: who is to move, the points, the places, and by the eyes what may be known."""

    def __init__(self, table: Table, ply: int) -> None:
        self._table, self._ply = table, ply
        self._seen: dict[int, bytes] = {}

    @property
    def state(self) -> State:
        return self._table.state_at(self._ply)

    @cached_property
    def movers(self) -> tuple[int, ...]:
        return tuple(seats_in(self._table.game.movers(self.state)))

    @cached_property
    def scores(self) -> list[int]:
        return swift_game(self._table.game).points(self.state)

    @cached_property
    def ranks(self) -> list[int]:
        return swift_game(self._table.game).places(self.state)

    def seen_by(self, seat: int) -> bytes:
        """What a seat or a WATCHER may know, as the bytes of a state."""
        game = self._table.game
        eyes = WATCHER if hides_nothing(game) else seat
        if eyes not in self._seen:
            self._seen[eyes] = game.hide(self.state, seat).tobytes()
        return self._seen[eyes]


class Sights:
    """The last moments of a table that somebody has looked at."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self._kept: dict[int, Sight] = {}

    def at(self, ply: int) -> Sight:
        """The moment after so many moves and draws."""
        found = self._kept.get(ply)
        if found is None:
            if len(self._kept) >= MOST_SIGHTS:
                del self._kept[min(self._kept)]
            found = self._kept[ply] = Sight(self.table, ply)
        return found

    def forget(self) -> None:
        """Something has been taken back."""
        self._kept.clear()
