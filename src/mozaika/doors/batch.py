"""Many games at once, compiled, as NumPy arrays: played at random, or step by step by programs that learn."""

import os
from collections.abc import Mapping
from functools import partial
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from mozaika.defaults import hides_nothing
from mozaika.doors.crew import BEST, PLAY, SAMPLE, SOFTMAX, STEP, TRY, Crew, can_share
from mozaika.doors.players import find_bot
from mozaika.doors.steps import (
    ANEW,
    AT_RANDOM,
    BY_OTHERS,
    FIRST_SIGHT,
    GREEDY,
    LEAVE,
    LONGEST,
    NOTE,
    TERMS,
    WHOLE,
    first_illegal,
    first_wrong,
    move_at_random,
    move_at_sight,
    sample_outcomes,
)
from mozaika.game import Bot, Game
from mozaika.games import find_game
from mozaika.given import at_least, seat_among, some_text, whole_number
from mozaika.kernel import (
    MOST_MOVES,
    MOST_SEATS,
    compiled,
    compiling,
    kernel,
    new_random,
    observe,
    random_bits,
    swift_game,
)
from mozaika.search.playout import new_desk, playouts
from mozaika.search.simple import first_sight, greedy, random_mover
from mozaika.thought import Budget

LONGEST_GAME = 100_000
"""Far more moves than any game has."""
MOST_MOVE = (1 << 31) - 17
"""No move has a greater number: an order is made of it."""
Chance = Literal["inside", "steps"]
Reward = Literal["victory", "points"]


def random_games(
    game: str | Game, number: int, seats: int | None = None, *, seed: int = 0, **options: Any
) -> NDArray[np.void]:
    """So many games, played to their ends with uniformly random moves: an array of their last states.

    The same seed makes the same games. The first call compiles the rules, which takes up to a minute.
    """
    game = game if isinstance(game, Game) else find_game(some_text("A game", game))
    start = game.start(game.seats.start if seats is None else seats, game.read_options(options))
    states = np.full(at_least("The number of games", number, 0), start, game.state)
    compiled(playouts)(states, new_desk(whole_number("A seed", seed)), LONGEST_GAME)
    return states


class Batch:
    """So many games of one kind, each a row of arrays that are handed out uncopied and change in place.

    A step is a choice: a move has one or more, as the game's stages say. Of the choices of a move the first
    is always asked for, a later one only where there are several. Where several seats may move at once the
    lowest comes first. Draws happen inside a step, unless `chance="steps"`.
    """

    states: NDArray[np.void]
    """The state of each game, with all that is hidden; `views` shows what its seat may know."""
    seat: NDArray[np.int8]
    """Who is to move; CHANCE where draws are steps."""
    mask: NDArray[np.uint8]
    """By game and choice: 1 where it can be chosen now. Where CHANCE is to move, its outcomes."""
    reward: NDArray[np.float32]
    """By game and seat: what the last step has brought."""
    done: NDArray[np.uint8]
    """1 where the last step has ended a game; its row is already the next game, unless `again=False`."""
    observation: NDArray[np.float32]
    """By game: what the seat to move sees, and then the choices that it has already made of its move."""
    actions: NDArray[np.int32]
    """The choices that `sample` has drawn."""

    def __init__(
        self,
        game: str | Game,
        seats: int | None = None,
        n: int = 1,
        *,
        seed: int = 0,
        threads: int = 1,
        chance: Chance = "inside",
        again: bool = True,
        reward: Reward | None = None,
        opponents: Mapping[int, str | Bot] | None = None,
        budget: Budget | None = None,
        out: Mapping[str, NDArray[Any]] | None = None,
        **options: Any,
    ) -> None:
        self.game = game = game if isinstance(game, Game) else find_game(some_text("A game", game))
        if game.stages is None or game.features is None or game.stages.longest > LONGEST:
            raise ValueError(f"{game.name} has no stages and features, which a batch needs.")
        self.seats = game.seats.start if seats is None else seats
        self.n = at_least("The number of games", n, 1)
        self.options = game.read_options(options)
        self._start = np.full(1, game.start(self.seats, self.options), game.state)
        self._terms = np.zeros(1, TERMS)
        self._terms["explicit"] = _one_of("chance", chance, Chance) == "steps"
        self._terms["again"] = _one_of("again", again, Literal[True, False])
        usual: Reward = "points" if self.seats == 1 else "victory"
        self._terms["points"] = _one_of("reward", usual if reward is None else reward, Reward) == "points"
        self._terms["features"] = game.features.size(self.seats)
        self._places, remembered = np.full(game.stages.size, -1, np.int32), game.stages.remembered
        self._places[remembered] = np.arange(len(remembered))
        self._make_arrays({} if out is None else out)
        self._crew = self._hire(min(at_least("The number of threads", threads, 1), self.n))
        if not isinstance(budget, Budget | None):
            raise TypeError(f"How long a bot may think is a Budget, not {budget!r}.")
        self.budget = budget
        """How long opponents that search may think; without a budget they take the time of their level."""
        self._invite({} if opponents is None else opponents)
        self.reset(seed=whole_number("A seed", seed))

    @property
    def size(self) -> int:
        """How many actions there are."""
        return len(self._places)

    @property
    def names(self) -> list[str]:
        """A name for each number of an observation."""
        stages, features = self.game.stages, self.game.features
        assert stages is not None  # noqa: S101  it was asked for
        assert features is not None  # noqa: S101
        made = [
            f"made.{part.name.replace(' ', '_')}[{choice}]"
            for part in stages.parts
            if not part.last
            for choice in range(part.size)
        ]
        return features.names(self.seats) + made

    @property
    def moves(self) -> int:
        """How many moves players have made in all games together."""
        return int(self._notes["moves"].sum())

    @property
    def games(self) -> int:
        """How many games have ended."""
        return int(self._notes["games"].sum())

    def reset(self, where: Any = None, *, seed: int | None = None) -> None:
        """Begin anew: all games, or those of a mask (such as `done`) or of indexes; with a seed also all that
        is drawn.
        """
        rows = self._rows(where)
        if seed is not None:
            self._notes["random"][rows, 0] = first_randoms(seed, self.n)[rows]
        self._orders.fill(LEAVE)
        self._orders[rows] = ANEW
        self.reward[rows], self.done[rows] = 0, 0
        self._crew.do(STEP)
        self._let_others_move()

    def step(self, actions: Any = None) -> None:
        """Make one choice in each game; without actions one at random, as `sample` draws them.

        ValueError with a sentence where a choice is not open, and then nothing has happened. In games that
        are over, with `again=False`, nothing happens.
        """
        given = self.sample() if actions is None else np.asarray(actions)
        if given.shape != (self.n,):
            raise ValueError(f"There is one action for each of {self.n} games, not {given.shape}.")
        if given.dtype.kind not in "iu":
            raise ValueError(f"An action is a whole number, not {given.dtype}.")
        self._orders[:] = given
        narrowed = np.flatnonzero(self._orders != given) if given.dtype != np.int32 else ()
        if len(narrowed) or not self._crew.do(TRY):
            wrong = (*narrowed, first_wrong(0, self.n, self._notes, self.mask, self._orders))
            raise ValueError(f"In game {wrong[0]} the choice {int(given[wrong[0]])} is not open now.")
        self._let_others_move()

    def sample(self, logits: NDArray[np.float32] | None = None, *, best: bool = False) -> NDArray[np.int32]:
        """A choice that is open in each game: each as likely, or by the softmax of logits, or the best.

        Where CHANCE is to move it is an outcome by its weight. Games that are over get a number below 0.
        """
        if logits is None:
            self._crew.do(SAMPLE)
        else:
            given = np.ascontiguousarray(logits, np.float32)
            if given.shape != self.mask.shape:
                raise ValueError(f"Logits have the shape of the mask, {self.mask.shape}, not {given.shape}.")
            if not given.max() < np.inf:
                raise ValueError(f"Logits are numbers, -inf among them, but not {given.max()}.")
            self._crew.do(BEST if best else SOFTMAX, given)
        if self._terms["explicit"][0]:
            weigh_now = compiled(sample_outcomes)
            weigh_now(0, self.n, self.states, self._notes, self._desks[0], self.seat, self.actions)
        if logits is not None and len(
            closed := np.flatnonzero((self.actions < 0) & (self._notes["open"] > 0))
        ):
            raise ValueError(f"In game {closed[0]} the logits of all open choices are -inf.")
        return self.actions

    def views(self) -> NDArray[np.void]:
        """What the seat to move may know of each game, as records: the states where nothing is hidden."""
        if hides_nothing(self.game):
            return self.states
        seen = np.empty(self.n, self.game.state)
        for index in range(self.n):
            seen[index] = self.game.hide(self.states[index], int(self.seat[index]))
        return seen

    def observe(self, seat: int) -> NDArray[np.float32]:
        """What one seat sees in each game, whoever is to move; without the choices of an unfinished move."""
        seen = np.zeros((self.n, int(self._terms["features"][0])), np.float32)
        compiled(observe_games)(self.states, seat_among(seat, self.seats), seen)
        return seen

    def play(self, moves: Mapping[int, int]) -> None:
        """Whole moves, by the index of their games, without their stages.

        ValueError with a sentence where a move is not legal, and then nothing has happened.
        """
        if not isinstance(moves, Mapping):
            raise TypeError(f"Moves come by the index of their games, {{0: …}}, not as {moves!r}.")
        rows = self._rows([whole_number("A game", index) for index in moves])
        numbers = [whole_number("A move", move) for move in moves.values()]
        self._orders.fill(LEAVE)
        self._orders[rows] = WHOLE - np.clip(numbers, -1, MOST_MOVE)
        arrays = (self.states, self._notes, self._desks[0], self.seat)
        if (wrong := compiled(first_illegal)(0, self.n, *arrays, self._orders)) >= 0:
            raise ValueError(f"In game {wrong} the move {moves[wrong]} is not legal now.")
        self._carry_out(self._orders)

    def made(self, index: int) -> list[int]:
        """The choices that have been made in a game of the move that is not finished."""
        note = self._notes[index]
        return [int(choice) for choice in note["made"][: note["count"]]]

    def _rows(self, where: Any) -> NDArray[np.integer[Any]]:
        """The games of a mask, which is of truth values or has the type of `done`, or of indexes."""
        if where is None:
            return np.arange(self.n)
        given = np.asarray(where)
        if given.dtype in (np.bool_, np.uint8):
            if given.shape != (self.n,):
                raise ValueError(f"A mask has one value for each of {self.n} games, not {given.shape}.")
            return np.flatnonzero(given)
        rows = np.atleast_1d(given if given.size else given.astype(np.int64))
        if rows.dtype.kind not in "iu" or rows.ndim > 1:
            raise TypeError(f"Games are given by a mask or by indexes, not by {where!r}.")
        for wrong in rows[(rows < 0) | (rows >= self.n)]:
            raise ValueError(f"There are the games 0 to {self.n - 1}, not {wrong}.")
        return rows

    def _make_arrays(self, out: Mapping[str, NDArray[Any]]) -> None:
        n, features = self.n, int(self._terms["features"][0]) + int((self._places >= 0).sum())
        shapes: dict[str, tuple[tuple[int, ...], Any]] = {
            "states": ((n,), self.game.state),
            "seat": ((n,), np.int8),
            "mask": ((n, self.size), np.uint8),
            "reward": ((n, self.seats), np.float32),
            "done": ((n,), np.uint8),
            "observation": ((n, features), np.float32),
            "actions": ((n,), np.int32),
        }
        if not isinstance(out, Mapping):
            raise TypeError(f"Arrays of your own come by name, {{'mask': …}}, not as {out!r}.")
        if unknown := [str(name) for name in out if name not in shapes]:
            raise ValueError(f"A batch has {', '.join(shapes)}, not {', '.join(unknown)}.")
        for name, (shape, kind) in shapes.items():
            array = out[name] if name in out else np.zeros(shape, kind)
            fits = isinstance(array, np.ndarray) and array.shape == shape and array.dtype == kind
            if not fits or not array.flags.carray:
                told = f"a contiguous array of {np.dtype(kind)} with the shape {shape}"
                raise ValueError(f"{name} is {told}, and not only to be read.")
            setattr(self, name, array)
        self._notes, self._orders = np.zeros(n, NOTE), np.zeros(n, np.int32)
        self._listed = np.zeros((n, self.size), np.int32)

    def _carry_out(self, orders: NDArray[np.int32]) -> None:
        """One step of all games by orders that can be carried out, and what the bots among the players do."""
        self._orders[:] = orders
        self._crew.do(PLAY)
        self._let_others_move()

    def _hire(self, threads: int) -> Crew:
        threads = min(threads, 8 * (os.cpu_count() or 1)) if can_share() else 1
        self._desks = np.array([new_desk() for _ in range(threads)])
        return Crew(
            threads,
            *(self.states, self._start, self._notes, self._desks, self._terms, self._orders, self.actions),
            *(self.seat, self._listed, self.mask, self.reward, self.done, self.observation, self._places),
            np.empty(self.mask.shape, np.float32),
        )

    def _invite(self, opponents: Mapping[int, str | Bot]) -> None:
        """Let bots have seats: compiled where they are, one game after the other where not."""
        self._bots, self._noise = np.zeros(MOST_SEATS, np.int8), np.zeros(MOST_SEATS, np.float32)
        self._thinkers: dict[int, Bot] = {}
        if not isinstance(opponents, Mapping):
            raise TypeError(f"Opponents come by their seats, {{1: 'casual'}}, not as {opponents!r}.")
        for seat, named in opponents.items():
            seat_among(seat, self.seats)
            bot = find_bot(self.game, named) if isinstance(named, str) else named
            if not callable(bot):
                raise TypeError(f"A bot is a text or a function, not {bot!r}.")
            self._bots[seat], self._noise[seat] = _compiled_form(self.game, bot)
            if self._bots[seat] == BY_OTHERS:
                self._thinkers[seat] = bot
        if len(opponents) == self.seats and self._terms["again"][0]:
            raise ValueError("Bots on all seats would never stop: leave one to your program.")
        self._trial, self._rates = np.empty(1, self.game.state), np.zeros(MOST_MOVES, np.float32)

    def _let_others_move(self) -> None:
        """Let the bots among the players move until somebody else is to move in every game."""
        if not self._bots.any() and not self._thinkers:
            return
        games = (self._notes, self._desks[0], self.seat, self._bots)
        while True:
            answered = compiled(move_at_random)(0, self.n, self.states, *games, self._orders)
            if (self._bots >= GREEDY).any():
                answered += compiled(move_at_sight)(
                    0, self.n, self.states, self._trial, *games, self._noise, self._rates, self._orders
                )
            answered += self._ask_thinkers()
            if not answered:
                return
            self._crew.do(STEP)

    def _ask_thinkers(self) -> int:
        rows = [
            index
            for index in np.flatnonzero(np.isin(self.seat, list(self._thinkers)))
            if self._notes[index]["open"]
        ]
        if rows:
            with compiling():
                fast = swift_game(self.game)
                for index in rows:
                    seat = int(self.seat[index])
                    random = new_random(int(random_bits(self._notes[index]["random"])))
                    view = self.game.hide(self.states[index], seat)
                    move = self._thinkers[seat](fast, view, seat, random, self.budget).move
                    self._orders[index] = WHOLE - move
        return len(rows)


batch = Batch
"""`mozaika.batch(GAME, seats=2, n=1024)` reads better."""


@kernel
def observe_games(states: NDArray[np.void], seat: int, seen: NDArray[np.float32]) -> None:
    """What a seat sees in each game."""
    for index in range(len(states)):
        observe(states[index], seat, seen[index])


def first_randoms(seed: int, n: int) -> NDArray[np.uint64]:
    """Where the random numbers of so many games begin."""
    begun = np.random.SeedSequence(at_least("A seed", seed, 0)).generate_state(n, np.uint64)
    return begun.astype(np.uint64, copy=False)


def warm_batch(game: Game) -> None:
    """Compile what a batch of a game uses, or load it from the cache."""
    batch = Batch(game, max(2, game.seats.start), 1, chance="steps", opponents={1: "random"})
    batch.step()
    batch.sample(batch.mask.astype(np.float32))
    batch.observe(0)
    batch.play({})
    if game.bots.get("greedy") is greedy:
        Batch(game, n=1, opponents={0: "greedy"}, again=False)


def _compiled_form(game: Game, bot: Bot) -> tuple[int, float]:
    """How compiled code plays a bot, and its noise. Where something is hidden only chance needs no guess."""
    if bot is random_mover:
        return AT_RANDOM, 0.0
    if hides_nothing(game) and game.judgement.rate is not None and game.judgement.promise is not None:
        if bot is greedy:
            return GREEDY, 0.0
        if isinstance(bot, partial) and bot.func is first_sight:
            return FIRST_SIGHT, float(bot.keywords["noise"])
    return BY_OTHERS, 0.0


def _one_of(name: str, value: Any, kind: Any) -> Any:
    if value not in kind.__args__:
        raise ValueError(f"{name} is one of {', '.join(map(str, kind.__args__))}, not {value!r}.")
    return value
