"""What must hold of the rules and the notation."""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice, pairwise
from random import Random

import numpy as np

from mozaika import kernel
from mozaika.checks.holding import hold
from mozaika.checks.kinds import LONGEST, Kind, some_state, walk, weights_of
from mozaika.game import Game
from mozaika.search.playout import new_desk, playouts
from mozaika.stages import Stages
from mozaika.state import CHANCE, WATCHER, State, seats_in

GAMES_PLAYED = 12
PLAIN = 1_000
"""So many moves and draws are made without the compiler."""
MOST_READ = 20
"""Of thousands of legal moves so many are read: reading one looks at them all."""
WRITTEN, COMPARED = 7, 3
"""Of so many positions one is looked at where that takes long: which, the seed says."""
OBSERVED = 1
"""So many states of a random game are looked at as numbers."""
STAGED = 1
"""So many states of a random game are looked at with all the choices of all their moves."""


def games_end(kind: Kind, seed: int) -> None:
    states, desk = np.empty(1, kind.game.state), new_desk(seed)
    for _ in range(GAMES_PLAYED):
        states[0] = kind.start()
        kernel.compiled(playouts)(states, desk, LONGEST)
        hold(not kind.game.movers(states[0]), "A random game goes on and on.")


def moves_round_trip_and_ascend(kind: Kind, seed: int) -> None:
    game, state = kind.fast, some_state(kind, seed)
    for seat in seats_in(game.movers(state)):
        moves = game.legal_moves(state, seat)
        hold(moves, f"Seat {seat} is to move and has no move.")
        texts = [game.write_move(move) for move in moves]
        ascend = all(low < high for low, high in pairwise(moves))
        hold(ascend, f"The moves of a seat ascend, not {', '.join(texts[:20])}.")
        hold(len(moves) <= game.most_moves, f"There are {len(moves)} moves; most_moves is {game.most_moves}.")
        for text, move in zip(texts, moves, strict=True):
            read = game.parse_move(text)
            hold(read == move, f"“{text}” is read as {read}, not as {move}.")
        pairs = list(zip(texts, moves, strict=True))
        for text, move in Random(seed).sample(pairs, min(len(pairs), MOST_READ)):
            for typed in (text, f" {text.lower()} "):
                read = game.read(state, seat, typed, game.words())
                hold(read == move, f"“{typed}” is understood as {game.write_move(read)}.")


def nobody_else_has_a_move(kind: Kind, seed: int) -> None:
    state = some_state(kind, seed)
    movers = seats_in(kind.game.movers(state))
    for seat in range(CHANCE + 1):
        if seat not in movers:
            hold(not kind.game.legal_moves(state, seat), f"Seat {seat} is not to move and has moves.")
    for seat in (-5, -2, WATCHER, kind.seats, 40):
        hold(not kind.fast.legal_moves(state, seat), f"There is no seat {seat}, and it has moves.")


def chance_weighs_each_outcome(kind: Kind, seed: int) -> None:
    """The first game is looked at without the compiler: compiled code would draw past the end of weights, or
    write past the end of a buffer for too few moves.
    """
    game = kind.game if seed == 0 else kind.fast
    for state in _play_plainly(kind) if seed == 0 else (state for state, _, _ in walk(kind, seed)):
        if game.movers(state) >> CHANCE & 1:
            weights = weights_of(game, state, len(game.legal_moves(state, CHANCE)))
            hold(all(weight > 0 for weight in weights), f"Each outcome has a weight above 0, not {weights}.")
            told = game.weigh(state, np.zeros(game.most_moves, np.int32))
            hold(told == sum(weights), f"`weigh` returns the sum of the weights, {sum(weights)}, not {told}.")


def _play_plainly(kind: Kind) -> Iterator[State]:
    """The states of a game up to its end, or so many of them."""
    game, state, random = kind.game, kind.start(), Random(0)
    for _ in range(PLAIN):
        yield state
        if not (movers := seats_in(game.movers(state))):
            return
        moves = game.legal_moves(state, movers[0])
        hold(moves, f"Seat {movers[0]} is to move and has no move.")
        game.apply(state, movers[0], random.choice(moves))


def a_position_is_complete(kind: Kind, seed: int) -> None:
    game = kind.game
    for state, _, _ in islice(walk(kind, seed), seed % WRITTEN, None, WRITTEN):
        text = game.write_position(state)
        hold(text.split()[0] == game.id, f"A position begins with the id of its game: {text}")
        hold(game.parse_position(text).tobytes() == state.tobytes(), f"This is read as another state: {text}")


def compiled_equals_plain(kind: Kind, seed: int) -> None:
    plain = kind.game
    with kernel.compiling():
        fast = kernel.swift_game(plain)
        for ply, (before, seat, move) in enumerate(walk(kind, seed)):
            differs = partial(_tell_difference, plain, before)
            hold(fast.movers(before) == plain.movers(before), differs("movers"))
            looked_at = ply % COMPARED == seed % COMPARED
            for name in ("scores", "ranks") if looked_at or seat < 0 else ():
                buffers = np.zeros((2, 16), np.int32)
                getattr(fast, name)(before, buffers[0])
                getattr(plain, name)(before, buffers[1])
                hold((buffers[0] == buffers[1]).all(), differs(name))
            if seat < 0:
                break
            if looked_at:
                moves = plain.legal_moves(before, seat)
                hold(fast.legal_moves(before, seat) == moves, differs("legal"))
                if seat == CHANCE:
                    weights = [weights_of(each, before, len(moves)) for each in (fast, plain)]
                    hold(weights[0] == weights[1], differs("weigh"))
            one, other = before.copy(), before.copy()
            fast.apply(one, seat, move)
            plain.apply(other, seat, move)
            hold(one.tobytes() == other.tobytes(), differs("apply"))


def _tell_difference(game: Game, state: State, rule: str) -> Callable[[], str]:
    return lambda: f"`{rule}` differs compiled at {game.write_position(state)}"


def seats_that_move_at_once_do_not_touch_each_other(kind: Kind, seed: int) -> None:
    game = kind.fast
    for state, _, _ in walk(kind, seed):
        for one, other in pairwise(seats_in(game.movers(state))):
            moves = {seat: game.legal_moves(state, seat)[0] for seat in (one, other)}
            forth, back = state.copy(), state.copy()
            for seat in (one, other):
                hold(
                    moves[seat] in game.legal_moves(forth, seat), f"Seat {one} has taken a move from {other}."
                )
                game.apply(forth, seat, moves[seat])
            for seat in (other, one):
                game.apply(back, seat, moves[seat])
            hold(
                forth.tobytes() == back.tobytes(), f"The order in which seats {one} and {other} move counts."
            )


def stages_and_legal_moves_correspond(kind: Kind, seed: int) -> None:
    """Complete sequences of choices and legal moves are the same thing, where a game has stages."""
    stages, game = kernel.swift_stages(kind.game), kind.fast
    if stages is None:
        return
    states = [(state, seat) for state, seat, _ in walk(kind, seed) if seat not in (CHANCE, -1)]
    for state, seat in Random(seed).sample(states, min(STAGED, len(states))):
        found = _sequences(stages, state, seat)
        hold(sorted(found.values()) == game.legal_moves(state, seat), "The stages lead to other moves.")
        for made, move in found.items():
            hold(stages.split_move(move) == list(made), f"The move of {made} is split otherwise.")
        for idle in (CHANCE, *(each for each in range(kind.seats) if not game.legal_moves(state, each))):
            hold(stages.next_choices(state, idle, []) == [], f"Seat {idle} is not to move and has choices.")


def _sequences(stages: Stages, state: State, seat: int) -> dict[tuple[int, ...], int]:
    """Every complete sequence of choices, found step by step, and its move."""
    found: dict[tuple[int, ...], int] = {}
    begun: list[list[int]] = [[]]
    while begun:
        made = begun.pop()
        following = stages.next_choices(state, seat, made)
        known = all(0 <= choice < stages.size for choice in following)
        hold(
            known and following == sorted(set(following)),
            f"Choices ascend and have numbers, not {following}.",
        )
        if made and not following:
            found[tuple(made)] = stages.join_choices(state, made)
        begun += [[*made, choice] for choice in following]
    return found


def features_tell_what_a_seat_may_know(kind: Kind, seed: int) -> None:
    """A seat sees the same numbers in a state and in its view of it; compiled and plain ones are equal."""
    features = kind.game.features
    if features is None:
        return
    size = features.size(kind.seats)
    hold(len(set(features.names(kind.seats))) == size, "Two features have the same name.")
    states = [state for state, seat, _ in walk(kind, seed) if seat not in (CHANCE, -1)]
    for state in Random(seed).sample(states, min(OBSERVED, len(states))):
        for seat in range(kind.seats):
            seen = np.full((3, size + 1), -77, np.float32)
            features.observe(state, seat, seen[0])
            features.observe(kind.game.hide(state, seat), seat, seen[1])
            kernel.compiled(features.observe)(state, seat, seen[2])
            hold((seen[0] == seen[1]).all(), lambda: f"Seat {seat} sees what is hidden from it.")  # noqa: B023
            hold(np.allclose(seen[0], seen[2], atol=1e-6), "`observe` differs compiled.")
            written = seen[0] != -77
            hold(written[:size].all() and not written[size], "`observe` fills as many numbers as there are.")


FIRST = (chance_weighs_each_outcome, games_end)
"""Without these nothing else can be looked at."""

CHECKS: tuple[Callable[[Kind, int], None], ...] = (
    chance_weighs_each_outcome,
    games_end,
    moves_round_trip_and_ascend,
    nobody_else_has_a_move,
    a_position_is_complete,
    compiled_equals_plain,
    seats_that_move_at_once_do_not_touch_each_other,
    stages_and_legal_moves_correspond,
    features_tell_what_a_seat_may_know,
)
