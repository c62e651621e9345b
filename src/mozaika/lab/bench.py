"""How fast the rules are, as a ratio to a loop that every machine can run in the same minute."""

from dataclasses import dataclass
from time import thread_time

import numpy as np

from mozaika.game import Game, Options, Random
from mozaika.kernel import compiled, kernel, new_random, random_bits
from mozaika.record import points
from mozaika.search.playout import new_desk, playouts

CALIBRATION_STEPS = 100_000_000
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
    """The same in steps of the calibration loop, which ran just before."""
    moves_per_game: float
    rounds: float | None
    score: float
    branching: float


@kernel
def step_on(random: Random, steps: int) -> int:
    """So many steps of splitmix64."""
    bits = 0
    for _ in range(steps):
        bits ^= random_bits(random)
    return bits


def seconds_per_step() -> float:
    """How long one step of the calibration loop takes here and now."""
    loop, random = compiled(step_on), new_random(1)
    loop(random, 1)
    start = thread_time()
    loop(random, CALIBRATION_STEPS)
    return (thread_time() - start) / CALIBRATION_STEPS


def measure(game: Game, seats: int, options: Options, games: int, seed: int = 1) -> Speed:
    """Play random games in one thread, a batch after the other."""
    run, desk = compiled(playouts), new_desk(seed)
    batch = np.empty(BATCH, game.state)
    batch[0] = game.start(seats, options)
    run(batch[:1], desk, MOST_MOVES)
    desk["made"] = desk["choices"] = 0
    step = seconds_per_step()
    seconds = score = rounds = 0.0
    for played in range(0, games, BATCH):
        states = batch[: min(BATCH, games - played)]
        states[:] = game.start(seats, options)
        start = thread_time()
        run(states, desk, MOST_MOVES)
        seconds += thread_time() - start
        score += sum(sum(points(game, state)) for state in states) / seats
        rounds += float(states["round"].sum()) if "round" in (game.state.names or ()) else np.nan
    made = int(desk["made"])
    return Speed(
        game=game.id,
        seats=seats,
        options=game.write_options(options),
        games=games,
        ns_per_move=1e9 * seconds / made,
        games_per_s=games / seconds,
        steps_per_move=seconds / made / step,
        moves_per_game=made / games,
        rounds=rounds / games if np.isfinite(rounds) else None,
        score=score / games,
        branching=float(desk["choices"]) / made,
    )
