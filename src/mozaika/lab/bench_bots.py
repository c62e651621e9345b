"""What a move of a bot costs whoever thinks, by level, at moments of a random game."""

from dataclasses import dataclass
from statistics import fmean
from time import perf_counter, process_time

from mozaika.game import Game
from mozaika.kernel import compiling, new_random, swift_game, warm
from mozaika.lab.simulate import play_game
from mozaika.search.simple import random_mover
from mozaika.state import CHANCE


@dataclass(frozen=True)
class BotCost:
    """Of one level of a game: how long a thread thinks, and what it uses of the processor meanwhile, which is
    less where others want it, too, and the level has a limit of time.
    """

    game: str
    level: str
    moves: int
    ms_mean: float
    ms_longest: float
    cpu_ms_mean: float


def measure_bots(game: Game, moments: int) -> list[BotCost]:
    """Every level thinks at so many moments of one game, with the time that it has at a table."""
    warm(game)
    seats, options = max(2, game.seats[0]), game.read_options(game.variants[0])
    record = play_game(game, options, {"": random_mover}, [""] * seats, "bench", None)[1]
    turns = [
        (state, entry.seat)
        for state, entry in zip(record.states(), record.entries, strict=False)
        if entry.seat != CHANCE
    ]
    chosen = [turns[(2 * number + 1) * len(turns) // (2 * moments)] for number in range(moments)]
    costs = []
    with compiling():
        fast = swift_game(game)
        for level in game.levels:
            times, spent = [], []
            for number, (state, seat) in enumerate(chosen):
                start, before = perf_counter(), process_time()
                game.bots[level](fast, game.hide(state, seat), seat, new_random(number + 1), None)
                times.append(1000 * (perf_counter() - start))
                spent.append(1000 * (process_time() - before))
            costs.append(BotCost(game.id, level, len(times), fmean(times), max(times), fmean(spent)))
    return costs
