"""Games between bots for a notebook: their results as one array, which pandas takes for a table."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mozaika.chance import new_seed
from mozaika.doors.players import introduce, split_bots
from mozaika.game import Game
from mozaika.games import find_game
from mozaika.given import at_least, some_text
from mozaika.kernel import warm
from mozaika.lab import simulate as games_between
from mozaika.thought import Budget

RESULT: list[tuple[str, Any]] = [
    ("game", np.int32),  # from 0
    ("seat", np.int8),  # from 1
    ("bot", np.str_),  # as long as the longest
    ("score", np.int32),
    ("rank", np.int8),  # places from 1
    ("share", np.float64),  # of the victory
    ("moves", np.int32),  # of all seats together
]


def simulate(
    game: str | Game,
    bots: str | Sequence[str] = "random",
    games: int = 100,
    seats: int | None = None,
    *,
    seed: str | int | None = None,
    nodes: int | None = None,
    ms: float | None = None,
    **options: Any,
) -> NDArray[np.void]:
    """Let bots play games, changing seats from game to game: an array with a row for each seat of each game.

    Bots are named as in the arena: `greedy`, `expert@500`, `exec:COMMAND`. `pandas.DataFrame(simulate(...))`
    is a table with the columns game, seat, bot, score, rank, share and moves.
    """
    game = game if isinstance(game, Game) else find_game(some_text("A game", game))
    texts = [some_text("A bot", bot) for bot in (split_bots(bots) if isinstance(bots, str) else bots)]
    if not texts:
        raise ValueError("There is no bot to play.")
    count = max(game.seats.start, len(texts)) if seats is None else seats
    chosen = game.read_options(options)
    game.start(count, chosen)
    if len(texts) > count:
        raise ValueError(f"There are {len(texts)} bots for {count} seats.")
    called = introduce(game, texts)
    warm(game)
    run = games_between.simulate(
        game,
        count,
        chosen,
        [called[text] for text in texts],
        at_least("The number of games", games, 0),
        new_seed() if seed is None else str(seed),
        Budget.of(nodes, ms),
        commands={name: text for text, name in called.items()},
    )
    rows = [
        (each.game, seat, bot, score, rank, share, each.moves)
        for each, _ in run
        for seat, (bot, score, rank, share) in enumerate(
            zip(each.bots, each.scores, each.ranks, each.shares, strict=True), 1
        )
    ]
    longest = max(map(len, called.values()))
    return np.array(rows, [(name, f"U{longest}" if kind is np.str_ else kind) for name, kind in RESULT])
