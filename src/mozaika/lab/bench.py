"""How fast the rules are, as a ratio to a loop that every machine can run in the same minute."""

from dataclasses import dataclass
from time import thread_time

import numpy as np

from mozaika.game import Game
from mozaika.kernel import compiled, kernel, new_random, random_bits
from mozaika.options import Options
from mozaika.search.playout import new_desk, playouts
from mozaika.state import Random

CALIBRATION_STEPS = 20_000_000
MOST_MOVES = 100_000
BATCH = 1_000


@dataclass(frozen=True)
class Speed:
    """What uniformly random games of one kind take, and what they are like."""

    game: str
    seats: int
    options: dict[str, str]
    games: int
    ns_per_move: float
    """CPU time of the thread for each move of a player, with all the drawing and scoring around it."""
    games_per_s: float
    steps_per_move: float
    """The same in steps of the calibration loop, which ran between the games."""
    moves_per_game: float
    rounds: float | None
    score: float
    branching: float


@kernel
def step_on(random: Random, steps: int) -> int:
    """So many steps of splitmix64, each from the result of the last: no compiler can do several at once."""
    for _ in range(steps):
        random[0] = random_bits(random)
    return int(random[0])


def measure(game: Game, seats: int, options: Options, games: int, seed: int = 1) -> Speed:
    """Play random games in one thread, and after each batch of them a part of the calibration loop."""
    play, loop, desk, random = compiled(playouts), compiled(step_on), new_desk(seed), new_random(1)
    batch = np.empty(min(BATCH, games), game.state)
    batch[0] = game.start(seats, options)
    play(batch[:1], desk, MOST_MOVES)
    loop(random, 1)
    desk["made"] = desk["choices"] = 0
    batches = [min(BATCH, games - played) for played in range(0, games, BATCH)]
    steps = CALIBRATION_STEPS // len(batches)
    playing = stepping = score = rounds = 0.0
    for size in batches:
        states = batch[:size]
        states[:] = game.start(seats, options)
        start = thread_time()
        play(states, desk, MOST_MOVES)
        between = thread_time()
        loop(random, steps)
        playing, stepping = playing + between - start, stepping + thread_time() - between
        score += sum(sum(game.points(state)) for state in states) / seats
        rounds += float(states["round"].sum()) if "round" in (game.state.names or ()) else np.nan
    made, step = int(desk["made"]), stepping / (steps * len(batches))
    return Speed(
        game=game.id,
        seats=seats,
        options=game.write_options(options),
        games=games,
        ns_per_move=1e9 * playing / made,
        games_per_s=games / playing,
        steps_per_move=playing / made / step,
        moves_per_game=made / games,
        rounds=rounds / games if np.isfinite(rounds) else None,
        score=score / games,
        branching=float(desk["choices"]) / made,
    )
