"""How many ways each kind of game can go on: the truth about move generation."""

import pytest

from kinds import KINDS
from mozaika import kernel
from mozaika.checks.kinds import Kind, some_state
from mozaika.game import Game
from mozaika.games import GAMES
from mozaika.search.perft import count_ways
from mozaika.state import State, seats_in
from mozaika.table import Table

MOST_WAYS = 100_000
"""More are not counted one by one in plain code."""


def count_slowly(game: Game, state: State, depth: int) -> int:
    """The same count by the shortest recursion there is, in plain code."""
    if depth == 0:
        return 1
    ways = 0
    for seat in seats_in(game.movers(state)):
        moves = game.legal_moves(state, seat)
        if depth == 1:
            ways += len(moves)
            continue
        for move in moves:
            after = state.copy()
            game.apply(after, seat, move)
            ways += count_slowly(game, after, depth - 1)
    return ways


@pytest.mark.parametrize("kind", KINDS, ids=repr)
def test_counting_agrees_with_a_plain_recursion(kind: Kind):
    for seed in range(3):
        state = some_state(kind, seed)
        for depth in (0, 1, 2):
            if count_ways(kind.game, state, 1) ** depth < MOST_WAYS:
                assert count_ways(kind.game, state, depth) == count_slowly(kind.game, state, depth)
    assert count_ways(kind.game, kind.start(), 2) == count_slowly(kind.game, kind.start(), 2)


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_perft_table(game: Game, expect):
    """Counts from the first deal of a few seeds and from the middle of a few games."""
    lines = []
    with kernel.compiling():
        for kind in KINDS:
            if kind.game is game:
                for seed in range(2):
                    table = Table(game, kind.seats, seed=seed, **game.write_options(kind.options))
                    counts = [count_ways(game, table.state, depth) for depth in (1, 2, 3)]
                    lines.append(f"{' '.join(map(str, counts))} | {table.position()}")
                for seed in range(4):
                    state = some_state(kind, 1000 + seed)
                    counts = [count_ways(game, state, depth) for depth in (1, 2)]
                    lines.append(f"{' '.join(map(str, counts))} | {game.write_position(state)}")
    expect(game.folder / "tests" / "perft.txt", "\n".join(lines) + "\n")
