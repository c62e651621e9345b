"""Games for Gymnasium: one seat against bots, or alone; one game (`TableEnv`) or many at once (`TablesEnv`).

Observations have the keys `observation` and `action_mask`; the mask is also in `info`, `action_masks()` has
it as sb3-contrib asks for it. An action that is not open ends a game with -1.
"""

from collections.abc import Mapping
from typing import Any, ClassVar

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from mozaika.doors.batch import Batch, first_randoms, observe_games
from mozaika.doors.one import OneGame, read_choice
from mozaika.doors.steps import LEAVE
from mozaika.game import Bot, Game
from mozaika.games import find_game
from mozaika.given import seat_among, some_text, whole_number
from mozaika.kernel import compiled

Observation = dict[str, NDArray[Any]]


def _others(seats: int, seat: int, opponents: str | Bot | Mapping[int, str | Bot]) -> dict[int, str | Bot]:
    """The bots of all other seats."""
    others = [each for each in range(seats) if each != seat]
    if not isinstance(opponents, Mapping):
        return dict.fromkeys(others, opponents)
    if sorted(opponents) != others:
        raise ValueError(
            f"Seat {seat} is yours, and the others need opponents: {others}, not {[*opponents]}."
        )
    return dict(opponents)


def _sit_down(game: str | Game, seats: int | None, seat: int) -> tuple[Game, int, int]:
    """The game, how many play, and one's own seat."""
    game = game if isinstance(game, Game) else find_game(some_text("A game", game))
    count = game.seats.start if seats is None else whole_number("How many play", seats)
    return game, count, seat_among(seat, count)


def _spaces(size: int, width: int) -> tuple[spaces.Dict, spaces.Discrete]:
    seen = {"observation": spaces.Box(-10, 10, (width,), np.float32)}
    mask = {"action_mask": spaces.Box(0, 1, (size,), np.int8)}
    return spaces.Dict(seen | mask), spaces.Discrete(size)


class TableEnv(gymnasium.Env[Observation, Any]):
    """One seat of a game; bots have the others."""

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["ansi"], "render_fps": 1}

    def __init__(
        self,
        game: str | Game,
        seats: int | None = None,
        *,
        seat: int = 0,
        opponents: str | Bot | Mapping[int, str | Bot] = "random",
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        self.game, count, self.seat = _sit_down(game, seats, seat)
        self.render_mode = render_mode
        self.one = OneGame(self.game, count, _others(count, seat, opponents), **options)
        self.observation_space, self.action_space = _spaces(self.one.size, self.one.width)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        super().reset(seed=seed)
        self.one.reset(seed)
        return self._look()

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        choice = read_choice(action)
        if not self.one.is_open(choice):
            seen, info = self._look()
            return seen, -1.0, True, False, info | {"illegal": True}
        self.one.choose(choice)
        seen, info = self._look()
        return seen, float(self.one.rewards[self.seat]), self.one.is_over, False, info

    def _look(self) -> tuple[Observation, dict[str, Any]]:
        mask = self.one.mask(self.seat)
        return {"observation": self.one.observe(self.seat), "action_mask": mask}, {"action_mask": mask}

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are open, as sb3-contrib asks for it."""
        return self.one.mask(self.seat).astype(bool)

    def render(self) -> str:  # type: ignore[override]
        return self.one.sketch()


class TablesEnv(VectorEnv[Observation, NDArray[Any], NDArray[Any]]):
    """The same for many games at once, over a batch. A game that ends begins anew in the same step; the last
    observation of the old one is in `info["final_obs"]`.
    """

    metadata: ClassVar[dict[str, Any]] = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": []}

    def __init__(
        self,
        game: str | Game,
        seats: int | None = None,
        num_envs: int = 16,
        *,
        seat: int = 0,
        opponents: str | Bot | Mapping[int, str | Bot] = "random",
        threads: int = 1,
        **options: Any,
    ) -> None:
        self.game, count, self.seat = _sit_down(game, seats, seat)
        self.num_envs = num_envs
        self.batch = Batch(
            self.game,
            count,
            num_envs,
            again=False,
            threads=threads,
            opponents=_others(count, seat, opponents),
            **options,
        )
        self.single_observation_space, self.single_action_space = _spaces(
            self.batch.size, self.batch.observation.shape[1]
        )
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin anew. A list has a seed for each game, which is then that of a `TableEnv` with this seed."""
        if not isinstance(seed, list):
            super().reset(seed=seed)
            self.batch.reset(seed=seed)
            return self._look()
        if len(seed) != self.num_envs:
            raise ValueError(f"There is one seed for each of {self.num_envs} games, not {len(seed)}.")
        for row, each in enumerate(seed):
            if each is not None:
                self.batch._notes["random"][row] = first_randoms(each, 1)
        self.batch.reset()
        return self._look()

    def step(
        self, actions: NDArray[Any]
    ) -> tuple[Observation, NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        batch = self.batch
        given = np.asarray(actions)
        if given.shape != (self.num_envs,):
            raise ValueError(f"There is one action for each of {self.num_envs} games, not {given.shape}.")
        if given.dtype.kind not in "iuf":
            given = np.array([read_choice(action) for action in given])
        chosen = np.where((given >= 0) & (given < batch.size), given, 0).astype(np.int32)
        wrong = (chosen != given) | (batch.mask[np.arange(self.num_envs), chosen] == 0)
        batch._carry_out(np.where(wrong, LEAVE, chosen))
        reward = batch.reward[:, self.seat].astype(np.float64)
        reward[wrong] = -1.0
        ended = batch.done.astype(bool) | wrong
        info: dict[str, Any] = {}
        if ended.any():
            info["final_obs"], info["_final_obs"] = self._last_looks(ended), ended.copy()
            info["illegal"] = wrong
            batch.reset(ended)
        seen, masks = self._look()
        return seen, reward, ended, np.zeros(self.num_envs, bool), info | masks

    def _look(self) -> tuple[Observation, dict[str, Any]]:
        mask = self.batch.mask.astype(np.int8)
        return {"observation": self.batch.observation.copy(), "action_mask": mask}, {"action_mask": mask}

    def _last_looks(self, ended: NDArray[np.bool_]) -> NDArray[np.object_]:
        rows, looks = np.flatnonzero(ended), np.full(self.num_envs, None, object)
        seen = np.zeros((len(rows), self.batch.observation.shape[1]), np.float32)
        compiled(observe_games)(self.batch.states[rows], self.seat, seen)
        for row, each in zip(rows, seen, strict=True):
            looks[row] = {"observation": each, "action_mask": np.zeros(self.batch.size, np.int8)}
        return looks

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are open, by game."""
        return self.batch.mask.astype(bool)
