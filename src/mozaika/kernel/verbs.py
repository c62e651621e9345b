"""What compiled code is made of: functions marked `@kernel`, and verbs that find the rules of a game.

A search calls the verbs below (`legal(state, ...)`): inside compiled code a verb resolves, at compile time,
to the rules of the game whose record it is given; in plain code it looks them up by the record's dtype.
"""

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from mozaika.game import Game
from mozaika.state import Floats, Ints, State

F = TypeVar("F", bound=Callable[..., Any])

MOST_MOVES = 10_240
"""The room that searches have for the legal moves of a seat."""
MOST_SEATS = 4
"""The room that searches have for seats."""

kernels: list[Callable[..., Any]] = []
not_copied: set[Callable[..., Any]] = set()
_games: dict[np.dtype[Any], Game] = {}


def kernel(function: F) -> F:
    """Mark a plain function that compiled code may call."""
    kernels.append(function)
    return function


def not_inlined(function: F) -> F:
    """Mark a kernel that is compiled once. All others are copied to where they are called, which is faster,
    but copies of copies of large ones would keep the compiler busy for minutes.
    """
    not_copied.add(function)
    return kernel(function)


def movers(state: State) -> int:
    """Bit mask of the seats that may act."""
    return _games[state.dtype].movers(state)


def legal(state: State, seat: int, out: Ints) -> int:
    """Fill `out` with the legal moves of a seat."""
    return _games[state.dtype].legal(state, seat, out)


def weigh(state: State, out: Ints) -> int:
    """Fill `out` with the weights of what CHANCE may do."""
    return _games[state.dtype].weigh(state, out)


def apply(state: State, seat: int, move: int) -> None:
    """Play a move in place."""
    _games[state.dtype].apply(state, seat, move)


def scores(state: State, out: Ints) -> None:
    """Fill `out` with the points of each seat."""
    _games[state.dtype].scores(state, out)


def ranks(state: State, out: Ints) -> None:
    """Fill `out` with the place of each seat."""
    _games[state.dtype].ranks(state, out)


def appraise(state: State, shares: Floats, points: Floats) -> None:
    """Fill in the share of the victory and the points that each seat can expect."""
    _games[state.dtype].judgement.appraise(state, shares, points)  # type: ignore[misc]


def rate(state: State, seat: int, moves: Ints, n: int, out: Floats) -> None:
    """Fill `out` with how good each of the first n moves looks at first sight."""
    _games[state.dtype].judgement.rate(state, seat, moves, n, out)  # type: ignore[misc]


def candidates(state: State, seat: int, out: Ints) -> int:
    """Fill `out` with the legal moves that are worth a search's time; all, where the game does not say."""
    game = _games[state.dtype]
    return (game.judgement.candidates or game.legal)(state, seat, out)


def promise(state: State, seat: int) -> int:
    """How good things look for a seat that has just moved."""
    return _games[state.dtype].judgement.promise(state, seat)  # type: ignore[misc]


def choices(state: State, seat: int, made: Ints, n: int, out: Ints) -> int:
    """Fill `out` with what a seat that has made so many choices may choose next."""
    return _games[state.dtype].stages.choices(state, seat, made, n, out)  # type: ignore[union-attr]


def join(state: State, made: Ints, n: int) -> int:
    """The move of so many choices."""
    return _games[state.dtype].stages.join(state, made, n)  # type: ignore[union-attr]


def observe(state: State, seat: int, out: Floats) -> None:
    """Fill `out` with what a seat sees."""
    _games[state.dtype].features.observe(state, seat, out)  # type: ignore[union-attr]


RULES: tuple[Callable[..., Any], ...] = (movers, legal, weigh, apply, scores, ranks)
STAGED: tuple[Callable[..., Any], ...] = (choices, join)
VERBS: tuple[Callable[..., Any], ...] = (*RULES, *STAGED, observe, appraise, rate, candidates, promise)


def register(game: Game) -> None:
    """Let the verbs know a game; its record type must be its own."""
    if game.most_moves > MOST_MOVES:
        raise ValueError(f"{game.id} has up to {game.most_moves} moves; searches have room for {MOST_MOVES}.")
    if game.seats[-1] > MOST_SEATS:
        raise ValueError(
            f"{game.id} is for up to {game.seats[-1]} players; searches have room for {MOST_SEATS}."
        )
    other = _games.setdefault(game.state, game)
    if other.id != game.id:
        raise ValueError(f"{game.id} and {other.id} have the same record type; add a field to one.")


def rule_of(verb: Callable[..., Any], game: Game) -> Callable[..., Any] | None:
    """What a verb means in a game."""
    part: Any = game if verb in RULES else game.judgement
    if verb in STAGED or verb is observe:
        part = game.features if verb is observe else game.stages
    rule: Callable[..., Any] | None = getattr(part, verb.__name__, None)
    return game.legal if rule is None and verb is candidates else rule


def registered_games() -> dict[np.dtype[Any], Game]:
    """The games that verbs know, by the type of their record."""
    return _games
