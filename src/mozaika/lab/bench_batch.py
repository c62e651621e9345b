"""How fast a batch is: steps of uniformly random players, with all that a learning program gets to see."""

from collections.abc import Iterator
from dataclasses import dataclass
from time import perf_counter, process_time

from mozaika.doors.batch import Batch
from mozaika.game import Game
from mozaika.kernel import compiled, new_random
from mozaika.lab.bench import step_on

ROUNDS, STEPS = 8, 100
CALIBRATION_STEPS = 2_000_000


@dataclass(frozen=True)
class BatchSpeed:
    """What a step of a batch takes: a choice, draws, the end of a game and a new one, mask, observation."""

    game: str
    seats: int
    n: int
    threads: int
    policy: str
    steps_per_s: float
    """By the clock on the wall."""
    moves_per_s: float
    """Moves have one or more steps."""
    games_per_s: float
    cpu_ns_per_step: float
    """CPU time of all threads."""
    ratio: float
    """The same in steps of the calibration loop, which ran between the steps."""


def measure_batch(game: Game, seats: int, n: int, threads: tuple[int, ...] = (1, 2)) -> Iterator[BatchSpeed]:
    """With each number of threads; these take turns in the same minute."""
    batches = [Batch(game, seats, n, seed=1, threads=each) for each in threads]
    loop, random = compiled(step_on), new_random(1)
    wall, cpu, stepping = [0.0] * len(batches), [0.0] * len(batches), 0.0
    for batch in batches:
        for _ in range(STEPS):
            batch.step(batch.sample())
    begun = [(batch.moves, batch.games) for batch in batches]
    loop(random, 1)
    for _ in range(ROUNDS):
        for place, batch in enumerate(batches):
            clock, used = perf_counter(), process_time()
            for _ in range(STEPS):
                batch.step(batch.sample())
            wall[place] += perf_counter() - clock
            cpu[place] += process_time() - used
        used = process_time()
        loop(random, CALIBRATION_STEPS)
        stepping += process_time() - used
    calibration = stepping / (ROUNDS * CALIBRATION_STEPS)
    for place, batch in enumerate(batches):
        steps = ROUNDS * STEPS * batch.n
        moves, games = batch.moves - begun[place][0], batch.games - begun[place][1]
        yield BatchSpeed(
            game=batch.game.id,
            seats=batch.seats,
            n=batch.n,
            threads=threads[place],
            policy="random",
            steps_per_s=steps / wall[place],
            moves_per_s=moves / wall[place],
            games_per_s=games / wall[place],
            cpu_ns_per_step=1e9 * cpu[place] / steps,
            ratio=cpu[place] / steps / calibration,
        )
