"""Our games in OpenSpiel: import this, then `pyspiel.load_game("mozaika_azul(players=3)")`.

An action is a choice of a stage of a move, an outcome of chance is counted from 0. What a player knows is the
view of its seat. A game in which seats may move at once is also there as `mozaika_…_at_once`.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, cast

import numpy as np
import pyspiel
from numpy.typing import NDArray

from mozaika.defaults import hides_nothing
from mozaika.doors.steps import make_choice, make_draw, weigh_draws
from mozaika.game import Game
from mozaika.games import GAMES
from mozaika.given import seat_among
from mozaika.kernel import compiled, new_random
from mozaika.search.playout import CHANCE_ONLY
from mozaika.sketch import plain
from mozaika.state import CHANCE, State, copy_of

MOST_OUTCOMES = 64
LONGEST_GAME = 2_000
MOST_POINTS = 400.0
"""Alone, the points are the utility; nobody has more, or fewer than none by more."""
AT_ONCE = "_at_once"
QUOTE = "'"
"""Before the text of an option that OpenSpiel would take for a number."""


_CHANCE = (CHANCE,)
_SEATS = [tuple(seat for seat in range(4) if mask >> seat & 1) for mask in range(16)]


class Position:
    """A state and the choices of the move that is not finished."""

    def __init__(self, state: State, made: tuple[int, ...] = ()) -> None:
        self.state, self.made = state, made

    def __deepcopy__(self, _: object) -> "Position":
        return Position(copy_of(self.state), self.made)


class Kind:
    """A game with a number of seats and options. There is one of each, and it is never copied."""

    def __init__(self, game: Game, seats: int, options: Mapping[str, str], at_once: bool) -> None:
        assert game.stages is not None  # noqa: S101  only such games are registered
        assert game.features is not None  # noqa: S101
        self.given = game.id, seats, tuple(options.items()), at_once
        self.game, self.at_once, self.features = game, at_once, game.features
        self.begin = game.start(seats, game.read_options(options))
        self.stages = stages = game.stages
        self.movers, self.apply = compiled(game.movers), compiled(game.apply)
        self._choices, self._join = compiled(stages.choices), compiled(stages.join)
        self._legal, self._choose = compiled(game.legal), compiled(make_choice)
        self._draw, self._weigh = compiled(make_draw), compiled(weigh_draws)
        self._made, self._found = np.zeros(stages.longest, np.int32), np.zeros(stages.size, np.int32)
        self._moves, self._weights = np.zeros((2, game.most_moves), np.int32)
        self._parts = np.zeros(game.most_moves, np.float64)
        starts = np.cumsum([0, *(part.size for part in stages.parts)])
        self.begins = {part.name: int(at) for part, at in zip(stages.parts, starts, strict=False)}
        self.size = self.features.size(seats)

    def __deepcopy__(self, _: object) -> "Kind":
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return kind_of, self.given

    def choices(self, state: State, seat: int, made: Sequence[int]) -> list[int]:
        """What a seat may choose after the choices it has made."""
        self._made[: len(made)] = made
        found = self._found[: self._choices(state, seat, self._made, len(made), self._found)]
        return cast("list[int]", found.tolist())

    def choose(self, state: State, seat: int, made: Sequence[int], choice: int) -> tuple[list[int], int]:
        """The choices of a move after one more and those that are none; and the move, or -1 if it goes on."""
        if choice not in self.choices(state, seat, made):
            raise _not_open(choice)
        after = [*made, choice]
        while len(following := self.choices(state, seat, after)) == 1:
            after += following
        return after, -1 if following else int(self._join(state, self._made, len(after)))

    def step(self, at: "Position", seat: int, choice: int) -> int:
        """Make a choice; returns the seats that may move after a whole move, or -1 if the move goes on."""
        self._made[: len(at.made)] = at.made
        count = self._choose(at.state, seat, self._made, len(at.made), choice, self._found)
        if count == 0:
            raise _not_open(choice)
        at.made = tuple(self._made[:count].tolist()) if count > 0 else ()
        return -1 if count > 0 else int(-1 - count)

    def draw(self, state: State, outcome: int) -> int:
        """Let CHANCE do something; returns the seats that may move then."""
        if (movers := int(self._draw(state, outcome, self._moves))) < 0:
            raise _not_open(outcome)
        return movers

    def outcomes(self, state: State) -> list[int]:
        """What CHANCE may do."""
        found = self._moves[: self._legal(state, CHANCE, self._moves)]
        return cast("list[int]", found.tolist())

    def weights(self, state: State) -> list[float]:
        """How likely each outcome is."""
        n = self._weigh(state, self._moves, self._weights, self._parts)
        return cast("list[float]", self._parts[:n].tolist())

    def see(self, at: Position, player: int) -> NDArray[np.float32]:
        """What a player sees as numbers, and the choices it has made."""
        seen = np.zeros(self.size + self.stages.size, np.float32)
        self.features.observe(at.state, player, seen)
        for choice in at.made:
            seen[self.size + choice] = 1.0
        return seen


def _not_open(action: int) -> ValueError:
    return ValueError(f"The action {action} is not open now.")


@lru_cache(maxsize=256)
def kind_of(game: str, seats: int, options: tuple[tuple[str, str], ...], at_once: bool) -> Kind:
    return Kind(GAMES[game], seats, dict(options), at_once)


class TableState(pyspiel.State):
    """A game of ours as a state of OpenSpiel."""

    def __init__(self, game: "TableGame") -> None:
        super().__init__(game)
        self.table = game.table
        self.at = Position(copy_of(game.table.begin))
        self._settle(int(self.table.movers(self.at.state)))

    def _settle(self, mask: int) -> None:
        self.chance = mask == CHANCE_ONLY
        self.movers = _SEATS[mask & 15] if not self.chance else _CHANCE

    def current_player(self) -> int:
        if not self.movers:
            return int(pyspiel.PlayerId.TERMINAL)
        if self.chance:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.SIMULTANEOUS) if self.table.at_once else self.movers[0]

    def _legal_actions(self, player: int) -> list[int]:
        if player not in self.movers:
            return []
        return self.table.choices(self.at.state, player, self.at.made)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return list(enumerate(self.table.weights(self.at.state)))

    def _apply_action(self, action: int) -> None:
        if not self.movers:
            raise _not_open(action)
        if self.chance:
            self._settle(self.table.draw(self.at.state, action))
        elif (mask := self.table.step(self.at, self.movers[0], action)) >= 0:
            self._settle(mask)

    def _apply_actions(self, actions: list[int]) -> None:
        for seat in self.movers:
            _, move = self.table.choose(self.at.state, seat, (), actions[seat])
            self.table.apply(self.at.state, seat, move)
        self._settle(int(self.table.movers(self.at.state)))

    def _action_to_string(self, player: int, action: int) -> str:
        table, state = self.table, self.at.state
        if player == pyspiel.PlayerId.CHANCE:
            if not 0 <= action < len(outcomes := table.outcomes(state)):
                raise _not_open(action)
            return table.game.write_move(outcomes[action])
        _, move = table.choose(state, player, self.at.made, action)
        if move >= 0:
            return table.game.write_move(move)
        part = table.stages.stage_of(action)
        return f"{part.name} {action - self.table.begins[part.name]}"

    def is_terminal(self) -> bool:
        return not self.movers

    def returns(self) -> list[float]:
        seats = self.num_players()
        if self.movers:
            return [0.0] * seats
        if seats == 1:
            return [float(self.table.game.points(self.at.state)[0])]
        places = self.table.game.places(self.at.state)
        return [seats / places.count(1) * (place == 1) - 1.0 for place in places]

    def information_state_string(self, player: int | None = None) -> str:
        seat = self.current_player() if player is None else player
        return self._told(self.table.game.hide(self.at.state, seat_among(seat, self.num_players())))

    observation_string = information_state_string

    def information_state_tensor(self, player: int | None = None) -> list[float]:
        seat = self.current_player() if player is None else player
        return [float(each) for each in self.table.see(self.at, seat_among(seat, self.num_players()))]

    observation_tensor = information_state_tensor

    def _told(self, state: State) -> str:
        made = f" after {' '.join(map(str, self.at.made))}" if self.at.made else ""
        return self.table.game.write_position(state) + made

    def __str__(self) -> str:
        return self._told(self.at.state)

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> "TableState":
        """A state that looks the same to a player: what is hidden from it is guessed."""
        game, state = self.table.game, cast("TableState", self.clone())
        seat_among(player, self.num_players())
        random = new_random(int(sampler() * 2**53))
        state.at = Position(game.guess(game.hide(self.at.state, player), player, random), self.at.made)
        state._settle(int(self.table.movers(state.at.state)))
        return state

    def sketch(self) -> str:
        """The table in letters."""
        game, names = self.table.game, tuple(f"player {seat}" for seat in range(self.num_players()))
        return plain(game.sketch(self.at.state, names, game.words()))


class TableGame(pyspiel.Game):
    """A game of ours as a game of OpenSpiel."""

    ours: Game
    at_once = False
    kind: pyspiel.GameType

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        params = dict(params or {})
        ours, seats = self.ours, int(params.get("players", self.ours.seats.start))
        given = {name: str(text).removeprefix(QUOTE) for name, text in params.items() if name != "players"}
        params |= {name: _quote(text) for name, text in given.items()}
        options = tuple(sorted(given.items()))
        self.table = kind_of(ours.id, seats, options, self.at_once)
        alone = seats == 1
        info = pyspiel.GameInfo(
            num_distinct_actions=self.table.stages.size,
            max_chance_outcomes=MOST_OUTCOMES,
            num_players=seats,
            min_utility=-MOST_POINTS if alone else -1.0,
            max_utility=MOST_POINTS if alone else seats - 1.0,
            utility_sum=None if alone else 0.0,
            max_game_length=LONGEST_GAME,
        )
        super().__init__(_type_of(ours, self.at_once, alone), info, params)

    def new_initial_state(self) -> TableState:
        return TableState(self)

    def make_py_observer(self, kind: Any = None, params: Any = None) -> "Observer":
        return Observer(self)


class Observer:
    """What OpenSpiel asks for views and numbers."""

    def __init__(self, game: TableGame) -> None:
        self.tensor = np.zeros(game.table.size + game.table.stages.size, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: TableState, player: int) -> None:
        self.tensor[:] = state.table.see(state.at, player)

    def string_from(self, state: TableState, player: int) -> str:
        return state.information_state_string(player)


def _quote(text: str) -> str:
    return QUOTE + text if text.isdecimal() else text


def _type_of(game: Game, at_once: bool, alone: bool) -> pyspiel.GameType:
    kind = pyspiel.GameType
    perfect = hides_nothing(game) and not at_once
    return kind(
        short_name=f"mozaika_{game.id}{AT_ONCE if at_once else ''}",
        long_name=f"{game.name} (Mozaika)",
        dynamics=kind.Dynamics.SIMULTANEOUS if at_once else kind.Dynamics.SEQUENTIAL,
        chance_mode=kind.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kind.Information.PERFECT_INFORMATION
        if perfect
        else kind.Information.IMPERFECT_INFORMATION,
        utility=kind.Utility.GENERAL_SUM if alone else kind.Utility.ZERO_SUM,
        reward_model=kind.RewardModel.TERMINAL,
        max_num_players=game.seats[-1],
        min_num_players=game.seats[0],
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=False,
        provides_factored_observation_string=False,
        parameter_specification={
            "players": game.seats.start,
            **{name: _quote(text) for name, text in game.write_options(game.options()).items()},
        },
    )


def _register(game: Game, at_once: bool) -> None:
    name = f"{game.name.title().replace(' ', '')}{'AtOnce' if at_once else ''}"
    made = type(name, (TableGame,), {"ours": game, "at_once": at_once, "__module__": __name__})
    globals()[name] = made
    pyspiel.register_game(_type_of(game, at_once, False), made)


def _moves_at_once(game: Game) -> bool:
    """Whether all moves of a game can be made at once: one choice each, for all who may move."""
    return game.stages is not None and game.stages.longest == 1 and game.seats[-1] > 1


for _game in GAMES.values():
    if _game.stages is not None and _game.features is not None:
        _register(_game, at_once=False)
        if _moves_at_once(_game):
            _register(_game, at_once=True)
