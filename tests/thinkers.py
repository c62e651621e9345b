"""Games whose levels think at once and say all that a bot can. As a program: the server with such games."""

import dataclasses

from mozaika.game import Game
from mozaika.games import GAMES
from mozaika.rating import Measured, Rating, Ratings
from mozaika.state import CHANCE, Random, State, seats_in
from mozaika.thought import LEVELS, Budget, Thought

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
    rest = (1 - SHARE) / max(1, seats - 1)
    return Thought(
        line[0][1],
        shares=tuple(SHARE if each == seat else rest for each in range(seats)),
        points=tuple(POINTS if each == seat else POINTS - 7 for each in range(seats)),
        line=tuple(line),
        nodes=1,
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

if __name__ == "__main__":
    from mozaika.cli import main

    GAMES.update({name: thinking(game) for name, game in GAMES.items()})
    Game.ratings = lambda self: RATINGS  # type: ignore[method-assign]
    main()
