"""Games whose levels think at once and say all that a bot can."""

import dataclasses
from pathlib import Path

from mozaika.game import Game
from mozaika.games import GAMES
from mozaika.rating import Measured, Rating, Ratings
from mozaika.state import CHANCE, Random, State, seats_in
from mozaika.table import mind
from mozaika.thought import LEVELS, Alternative, Budget, Thought

LINE = 4
"""So many moves they foresee, their own among them."""
SHARE, POINTS = 0.62, 54.4


def think(game: Game, view: State, seat: int, random: Random, budget: Budget | None = None) -> Thought:
    """The last legal move and then the first ones; who moves has the better game."""
    seats = int(view["seats"])
    state, line = game.guess(view, seat, random), list[tuple[int, int]]()
    who, move = seat, game.legal_moves(view, seat)[-1]
    while len(line) < LINE:
        line.append((who, move))
        game.apply(state, who, move)
        movers = seats_in(game.movers(state))
        if not movers or movers == [CHANCE]:
            break
        who = movers[0]
        move = game.legal_moves(state, who)[0]
    first, *others = game.legal_moves(view, seat)
    return Thought(
        line[0][1],
        *expect(seat, seats, SHARE, POINTS),
        line=tuple(line),
        nodes=1,
        other=Alternative(first, *expect(seat, seats, SHARE - 0.05, POINTS - 3)) if others else None,
    )


def expect(seat: int, seats: int, share: float, points: float) -> tuple[tuple[float, ...], tuple[float, ...]]:
    rest = (1 - share) / max(1, seats - 1)
    return (
        tuple(share if each == seat else rest for each in range(seats)),
        tuple(points if each == seat else points - 7 for each in range(seats)),
    )


def thinking(game: Game) -> Game:
    """The same game with all levels; its rules are those of the shelf."""
    return dataclasses.replace(game, bots={**game.bots, **dict.fromkeys(LEVELS, think)})


RATINGS = Ratings(
    measured=Measured("", 1, 0, {}, None, None, "s"),
    date="2026-11-16",
    anchor="greedy",
    bots=[
        Rating(level, 1000 + 150 * number, 980 + 150 * number, 1020 + 150 * number, 400)
        for number, level in enumerate(LEVELS)
    ],
    meetings=[],
)


def prepare() -> None:
    """For a process whose games are such games."""
    GAMES.update({name: thinking(game) for name, game in GAMES.items()})
    Game.ratings = lambda self: RATINGS  # type: ignore[method-assign]
    here = (
        f"import sys; sys.path.append({str(Path(__file__).parent)!r}); import thinkers; thinkers.prepare(); "
    )
    mind.PROGRAM = here + mind.PROGRAM
