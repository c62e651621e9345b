"""One game of a batch for doors that play a single game: the same steps without the care for many."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mozaika.doors.batch import Batch
from mozaika.doors.crew import PLAY
from mozaika.doors.steps import WHOLE
from mozaika.game import Bot, Game
from mozaika.kernel import compiling, swift_game, swift_stages
from mozaika.sketch import plain
from mozaika.state import seats_in


def read_choice(action: Any) -> int:
    """An action as a number; what is none is -1, which is never open."""
    try:
        choice = int(action)
    except (TypeError, ValueError, OverflowError):
        return -1
    return choice if choice == action else -1


class OneGame:
    """A game that is played choice by choice."""

    def __init__(
        self,
        game: str | Game,
        seats: int | None,
        opponents: dict[int, str | Bot] | None = None,
        **options: Any,
    ) -> None:
        self.batch = batch = Batch(game, seats, 1, again=False, opponents=opponents, **options)
        self.game, self.seats, self.size = batch.game, batch.seats, batch.size
        self.width, self._notes = batch.observation.shape[1], batch._notes
        self.bots = bool(opponents)
        with compiling():
            self.fast, stages = swift_game(self.game), swift_stages(self.game)
        assert stages is not None  # noqa: S101  a batch has asked for them
        self.stages = stages
        self._none, self._mask = np.zeros(self.size, np.int8), batch.mask[0].view(np.int8)
        self._note()

    def reset(self, seed: int | None) -> None:
        """Begin anew: with a seed as if nothing had been played, without one the draws go on."""
        self.batch.reset(seed=seed)
        self._note()

    def _note(self) -> None:
        self.seat = int(self.batch.seat[0])
        """Who is to move."""
        self.is_over = not self._notes["open"][0]

    @property
    def rewards(self) -> NDArray[np.float32]:
        """What the last step has brought to each seat."""
        rewards: NDArray[np.float32] = self.batch.reward[0]
        return rewards

    def is_open(self, choice: int) -> bool:
        return 0 <= choice < self.size and bool(self.batch.mask[0, choice])

    def choose(self, choice: int) -> None:
        """Make an open choice for the seat that is to move."""
        self._order(choice)

    def play(self, seat: int, choice: int) -> None:
        """A move that has one choice, of any seat that may move."""
        self.batch.seat[0] = seat
        made = np.zeros(16, np.int32)
        made[0] = choice
        self._order(WHOLE - int(self.stages.join(self.batch.states[0], made, 1)))

    def _order(self, order: int) -> None:
        batch = self.batch
        batch._orders[0] = order
        batch._crew.do(PLAY)
        if self.bots:
            batch._let_others_move()
        self._note()

    def together(self) -> list[int]:
        """The seats that act in a step for all: those who may move at once, where a move is one choice; else
        the lowest of them.
        """
        state = self.batch.states[0]
        seats = [] if self.is_over else seats_in(int(self.fast.movers(state)))
        if len(seats) < 2 or self.batch.made(0):
            return [self.seat] if seats else []
        single = all(self.stages.stage_of(choice).last for seat in seats for choice in self.open(seat))
        return seats if single else [self.seat]

    def open(self, seat: int) -> list[int]:
        """What a seat that begins a move may choose."""
        return self.stages.next_choices(self.batch.states[0], seat, [])

    def observe(self, seat: int) -> NDArray[np.float32]:
        """What a seat sees; for the one to move with the choices that it has made."""
        if seat == self.seat and not self.is_over:
            return np.array(self.batch.observation[0])
        seen = np.zeros(self.width, np.float32)
        size = int(self.batch._terms["features"][0])
        seen[:size] = self.batch.observe(seat)[0]
        return seen

    def mask(self, seat: int) -> NDArray[np.int8]:
        """1 for each choice that is open to a seat; nothing for one that is not to move."""
        if seat == self.seat and not self.is_over:
            return np.array(self._mask)
        return np.array(self._none)

    def sketch(self) -> str:
        """The table in letters, as one who watches sees it."""
        state, names = self.batch.states[0], tuple(f"player_{seat}" for seat in range(self.seats))
        return plain(self.game.sketch(self.game.hide(state, -1), names, self.game.words()))
