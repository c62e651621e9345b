"""How strong a bot of one's own is: measured against the bots of a game, on the scale of their ratings."""

from collections.abc import Callable
from datetime import UTC, datetime
from random import Random
from statistics import quantiles

from mozaika.doors.engage import OwnRating, identity
from mozaika.game import Game
from mozaika.lab.arena import Match, check, play_match, unit_share
from mozaika.rating import Rating
from mozaika.thought import LEVELS, Budget

RESAMPLES = 200
LONGEST = LEVELS.index("club")
"""Beyond this level a game takes long."""
FARTHEST = 800.0
"""A bot that always wins, or never, is said to be so far from the strongest or the weakest it has met."""

Shares = dict[int, list[float]]
"""By the rating of an opponent: what each pair of games has brought, from 0 to 1."""


def measure_own(
    game: Game,
    bot: str,
    games: int,
    budget: Budget | None,
    jobs: int,
    seed: str,
    watch: Callable[[int, int], None],
) -> OwnRating:
    """So many games in pairs, with changed seats, against each rated bot of a game up to the club player."""
    known, seats = game.ratings(), max(2, game.seats[0])
    rated = known.bots if known else []
    met = [each for each in rated if each.bot not in LEVELS[LONGEST + 1 :] and each.bot != bot]
    if not met:
        raise ValueError(f"{game.name} has no bots whose strength was measured.")
    options, pairs, shares = game.write_options(game.options()), max(1, games // 2), Shares()
    watch(0, pairs * len(met))
    for other in met:
        match = check(Match(game.id, seats, options, (bot, other.bot), f"{seed}-{other.bot}", budget))
        for unit in play_match(match, 0, pairs, jobs):
            shares.setdefault(other.rating, []).append(unit_share(match.bots[0], unit))
            watch(1, pairs * len(met))
    random = Random(seed)
    again = sorted(
        rate_against({each: random.choices(found, k=len(found)) for each, found in shares.items()})
        for _ in range(RESAMPLES)
    )
    cuts = quantiles(again, n=40, method="inclusive")
    number = rate_against(shares)
    rating = Rating(bot, round(number), round(cuts[0]), round(cuts[-1]), 2 * pairs * len(met))
    return OwnRating(
        identity(bot), game.id, game.version, seats, datetime.now(UTC).date().isoformat(), rating
    )


def rate_against(shares: Shares) -> float:
    """The rating with which just as much was to be expected as was won."""
    low, high = min(shares) - FARTHEST, max(shares) + FARTHEST
    while high - low > 0.5:
        middle = (low + high) / 2
        expected = sum(len(found) / (1 + 10 ** ((each - middle) / 400)) for each, found in shares.items())
        if expected < sum(map(sum, shares.values())):
            low = middle
        else:
            high = middle
    return (low + high) / 2
