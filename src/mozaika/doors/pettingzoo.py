"""Games for PettingZoo: `aec(GAME, seats=3)` one after the other, `parallel(GAME, seats=2)` all at once.

Observations have the keys `observation` and `action_mask`; the mask is also in `infos`, and `action_masks()`
has that of the agent to move. An action that is not open ends the game with -1 for who chose it.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv, ParallelEnv

from mozaika.doors.one import OneGame, read_choice
from mozaika.game import Game
from mozaika.given import at_least

Observation = dict[str, Any]


def aec(game: str | Game, seats: int | None = None, **given: Any) -> "AecTable":
    """A game in which agents act one after the other."""
    return AecTable(game, seats, **given)


def parallel(game: str | Game, seats: int | None = None, **given: Any) -> "ParallelTable":
    """A game in which all agents act in each step; who is not to move waits, with the last action."""
    return ParallelTable(game, seats, **given)


class Choices(spaces.Discrete):
    """Actions, of which open ones are drawn more quickly."""

    def sample(self, mask: Any = None, probability: Any = None) -> Any:
        if mask is None or probability is not None:
            return super().sample(mask, probability)
        found = mask.nonzero()[0]
        return found[int(self.np_random.random() * len(found))] if len(found) else self.start


class _Table:
    """What both kinds of environments have: agents, spaces, and a game."""

    possible_agents: list[str]
    render_mode: str | None

    def _set_up(
        self, game: str | Game, seats: int | None, max_cycles: int | None, render_mode: str | None,
        waits: bool, options: dict[str, Any],
    ) -> None:  # fmt: skip
        self.one = OneGame(game, seats, **options)
        if max_cycles is not None:
            at_least("max_cycles", max_cycles, 1)
        self.max_cycles, self.render_mode, self.cycles = max_cycles, render_mode, 0
        self.metadata = {
            "name": f"mozaika_{self.one.game.id}_v{self.one.game.version}",
            "render_modes": ["ansi", "human"],
            "is_parallelizable": False,
            "render_fps": 1,
        }
        self.possible_agents = [f"player_{seat}" for seat in range(self.one.seats)]
        self.seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.size = self.one.size + waits
        seen = spaces.Box(-10, 10, (self.one.width,), np.float32)
        mask = spaces.Box(0, 1, (self.size,), np.int8)
        self.observation_spaces = {
            agent: spaces.Dict({"observation": seen, "action_mask": mask}) for agent in self.possible_agents
        }
        self.action_spaces = {agent: Choices(self.size) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def render(self) -> str | None:
        text = self.one.sketch()
        if self.render_mode == "human":
            print(text)
            return None
        return text

    def close(self) -> None:
        pass


class AecTable(_Table, AECEnv):  # type: ignore[misc]
    """Agents act one after the other. Where several may move at once, the lowest seat comes first."""

    def __init__(
        self,
        game: str | Game,
        seats: int | None = None,
        *,
        max_cycles: int | None = None,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        AECEnv.__init__(self)
        self._set_up(game, seats, max_cycles, render_mode, False, options)
        self.reset()

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self.one.reset(seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {"action_mask": self._mask(agent)} for agent in self.agents}
        self.cycles = 0
        self.agent_selection = self.possible_agents[self.one.seat]
        self.infos[self.agent_selection] = {"action_mask": self._mask(self.agent_selection)}

    def _mask(self, agent: str) -> Any:
        return self.one.mask(self.seats[agent])

    def action_masks(self) -> Any:
        """The mask of the agent to move, as sb3-contrib asks for it."""
        return self._mask(self.agent_selection).astype(bool)

    def observe(self, agent: str) -> Observation:
        seat = self.seats[agent]
        return {"observation": self.one.observe(seat), "action_mask": self.one.mask(seat)}

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self.cycles += 1
        choice = read_choice(action)
        legal, late = self.one.is_open(choice), False
        if legal:
            self.one.choose(choice)
            for each, reward in zip(self.possible_agents, self.one.rewards.tolist(), strict=True):
                self.rewards[each] = reward
        else:
            self.rewards = dict.fromkeys(self.agents, 0.0)
            self.rewards[agent] = -1.0
        if self.one.is_over or not legal:
            self.terminations = dict.fromkeys(self.agents, True)
        elif self.max_cycles is not None and self.cycles >= self.max_cycles:
            self.truncations = dict.fromkeys(self.agents, True)
            late = True
        self.infos[agent] = {"action_mask": self._mask(agent)}
        if not self.one.is_over:
            self.agent_selection = self.possible_agents[self.one.seat]
            self.infos[self.agent_selection] = {"action_mask": self._mask(self.agent_selection)}
        self._accumulate_rewards()
        if late or not legal or self.one.is_over:
            self._deads_step_first()


class ParallelTable(_Table, ParallelEnv):  # type: ignore[misc]
    """All agents act in each step. An action that is not open costs 1; the first that is takes its place."""

    def __init__(
        self,
        game: str | Game,
        seats: int | None = None,
        *,
        max_cycles: int | None = None,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        self._set_up(game, seats, max_cycles, render_mode, True, options)
        self.agents: list[str] = []

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        self.one.reset(seed)
        self.agents, self.cycles = list(self.possible_agents), 0
        return self._look()

    def _look(self) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        self.acting = self.one.together()
        masks = {agent: self._mask(seat) for agent, seat in self.seats.items()}
        seen = {
            agent: {"observation": self.one.observe(seat), "action_mask": masks[agent]}
            for agent, seat in self.seats.items()
        }
        return seen, {agent: {"action_mask": masks[agent]} for agent in self.seats}

    def _mask(self, seat: int) -> Any:
        mask = np.zeros(self.size, np.int8)
        if seat not in self.acting:
            mask[-1] = 1
        elif len(self.acting) == 1:
            mask[:-1] = self.one.batch.mask[0]
        else:
            mask[self.one.open(seat)] = 1
        return mask

    def step(self, actions: dict[str, int]) -> tuple[dict[str, Any], ...]:
        if not self.agents:
            raise ValueError("The game is over or has not begun: reset() begins one.")
        if not isinstance(actions, Mapping):
            raise TypeError(f"Actions come by agent, {{'player_0': …}}, not as {actions!r}.")
        self.cycles += 1
        rewards = dict.fromkeys(self.possible_agents, 0.0)
        wrong: set[str] = set()
        acting = list(self.acting)
        for agent, seat in self.seats.items():
            mask, choice = self._mask(seat), read_choice(actions.get(agent))
            if not 0 <= choice < self.size or not mask[choice]:
                wrong.add(agent)
                rewards[agent] -= 1.0
                choice = int(mask.argmax())
            if seat in acting:
                if len(acting) > 1:
                    self.one.play(seat, choice)
                else:
                    self.one.choose(choice)
                for each, reward in zip(self.possible_agents, self.one.rewards.tolist(), strict=True):
                    rewards[each] += reward
        over, late = self.one.is_over, self.max_cycles is not None and self.cycles >= self.max_cycles
        seen, infos = self._look()
        for agent in wrong:
            infos[agent]["illegal"] = True
        ended, cut = dict.fromkeys(self.agents, over), dict.fromkeys(self.agents, late and not over)
        if over or late:
            self.agents = []
        return seen, rewards, ended, cut, infos
