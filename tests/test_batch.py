"""Batches: each row is a game of the library, step by step, drawn, shown and paid as the rules say."""

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import mozaika
from kinds import FIRST, KINDS
from mozaika import CHANCE, GAMES, Batch, Budget, Game, State, Thought
from mozaika.checks import Kind
from mozaika.doors.steps import LEAVE, WHOLE, move_at_sight
from mozaika.kernel import compiled, compiling, swift_game, swift_stages
from mozaika.state import Random, seats_in

every_kind = pytest.mark.parametrize("kind", KINDS, ids=repr)
every_game = pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
STEPS = 40


def batch_of(kind: Kind, n: int = 3, **others) -> Batch:
    return Batch(kind.game, kind.seats, n, **others, **kind.game.write_options(kind.options))


class Follower:
    """A game that the library plays by the choices of a batch."""

    def __init__(self, kind: Kind) -> None:
        self.kind, self.state, self.made = kind, kind.start(), []
        with compiling():
            self.game, self.stages = swift_game(kind.game), swift_stages(kind.game)

    def seat(self) -> int:
        movers = seats_in(self.game.movers(self.state))
        return movers[0] if movers else -1

    def open(self) -> list[int]:
        if (seat := self.seat()) == CHANCE:
            return list(range(len(self.game.legal_moves(self.state, CHANCE))))
        return self.stages.next_choices(self.state, seat, self.made) if seat >= 0 else []

    def choose(self, choice: int) -> None:
        if (seat := self.seat()) == CHANCE:
            self.game.apply(self.state, CHANCE, self.game.legal_moves(self.state, CHANCE)[choice])
            return
        self.made = self.stages.skip_forced(self.state, seat, [*self.made, choice])
        if not self.stages.next_choices(self.state, seat, self.made):
            self.game.apply(self.state, seat, self.stages.join_choices(self.state, self.made))
            self.made = []


@every_kind
def test_a_batch_equals_the_games_of_the_library_step_by_step(kind: Kind):
    batch = batch_of(kind, chance="steps", again=False, seed=4)
    games = [Follower(kind) for _ in range(batch.n)]
    features = kind.game.features
    for _ in range(STEPS):
        for index, game in enumerate(games):
            assert batch.states[index].tobytes() == game.state.tobytes()
            assert np.flatnonzero(batch.mask[index]).tolist() == game.open()
            assert batch.seat[index] == game.seat()
            assert batch.made(index) == game.made
        index = int(batch.seat[0] == CHANCE)
        if batch.seat[index] != CHANCE:
            seen = np.zeros(features.size(kind.seats), np.float32)
            features.observe(
                kind.game.hide(games[index].state, games[index].seat()), games[index].seat(), seen
            )
            assert np.allclose(batch.observation[index, : len(seen)], seen, atol=1e-6)
            assert batch.observation[index, len(seen) :].sum() == sum(
                choice in kind.game.stages.remembered for choice in games[index].made
            )
        actions = batch.sample().copy()
        for game, action in zip(games, actions.tolist(), strict=True):
            game.choose(action)
        batch.step(actions)


@every_game
def test_games_end_and_begin_anew(game):
    batch, ended = Batch(game, n=16, seed=1), 0
    while batch.games < 16:
        batch.step()
        assert (batch.mask.sum(1) > 0).all()
        ended += int(batch.done.sum())
    assert ended == batch.games
    assert batch.moves > 16


@every_game
def test_the_victory_is_paid_when_a_game_is_over(game):
    seats = max(2, game.seats.start)
    batch = Batch(game, seats, 4, seed=2, again=False)
    paid = np.zeros((4, seats))
    while batch.mask.any():
        batch.step()
        assert not batch.reward[batch.done == 0].any()
        paid += batch.reward
    for state, rewards in zip(batch.states, paid.tolist(), strict=True):
        places = game.places(state)
        assert rewards == [seats / places.count(1) * (place == 1) - 1 for place in places]


@every_game
def test_what_is_drawn_depends_on_the_seed_alone(game):
    one, two = Batch(game, n=9, seed=3), Batch(game, n=9, seed=3, threads=2)
    other = Batch(game, n=9, seed=4)
    for _ in range(20):
        for batch in (one, two, other):
            batch.step()
    for name in ("states", "seat", "mask", "reward", "done", "observation"):
        assert getattr(one, name).tobytes() == getattr(two, name).tobytes(), name
    assert one.states.tobytes() != other.states.tobytes()
    assert len({state.tobytes() for state in one.states}) > 1
    two.reset(seed=3)
    assert two.states.tobytes() == Batch(game, n=9, seed=3).states.tobytes()


def test_only_some_games_begin_anew():
    batch = Batch(FIRST, n=4, seed=1)
    for _ in range(9):
        batch.step()
    kept = batch.states.copy()
    batch.reset(np.array([False, True, False, True]))
    assert [batch.states[index] == kept[index] for index in range(4)] == [True, False, True, False]
    batch.reset([0])
    assert batch.states[0] != kept[0]


def test_done_is_a_mask_of_the_games_that_begin_anew():
    batch = Batch(FIRST, n=4, seed=1)
    for _ in range(9):
        batch.step()
    kept, done = batch.states.copy(), batch.done.copy()
    done[:] = [0, 0, 1, 1]
    batch.reset(done)
    assert [batch.states[index] == kept[index] for index in range(4)] == [True, True, False, False]


NOT_GAMES = [9, -1, 1.5, "x", [4], [[0, 1]], [True], [0.0], np.zeros(3, np.uint8), {}, 1 << 70]


@pytest.mark.parametrize("where", NOT_GAMES, ids=repr)
def test_games_that_are_not_there_do_not_begin_anew(where):
    batch = Batch(FIRST, n=4, seed=1)
    before = batch.states.tobytes()
    with pytest.raises((ValueError, TypeError), match=r"games|masks? has one value|by indexes"):
        batch.reset(where)
    assert batch.states.tobytes() == before


@pytest.mark.parametrize("best", [False, True])
def test_logits_that_are_no_numbers_are_refused(best):
    batch = Batch(FIRST, n=4, seed=1)
    for wrong in (np.nan, np.inf):
        logits = np.zeros(batch.mask.shape, np.float32)
        logits[2, 3] = wrong
        with pytest.raises(ValueError, match=f"not {wrong}"):
            batch.sample(logits, best=best)
    logits[:2], logits[2:] = 0, -np.inf
    with pytest.raises(ValueError, match="In game 2 the logits of all open choices are -inf"):
        batch.sample(logits, best=best)
    masked = np.where(batch.mask, np.float32(0), -np.inf)
    assert batch.mask[np.arange(4), batch.sample(masked, best=best)].all()


@pytest.mark.parametrize("seat", [-1, 2, 15, 1 << 70])
def test_a_seat_that_is_not_there_sees_nothing(seat):
    with pytest.raises(ValueError, match=f"There is no seat {seat}; seats count from 0 to 1"):
        Batch(FIRST, 2).observe(seat)


@every_game
def test_whole_moves_are_legal_or_nothing_happens(game):
    batch = Batch(game, max(2, game.seats.start), 3, seed=2)
    moves = [game.legal_moves(state, int(seat)) for state, seat in zip(batch.states, batch.seat, strict=True)]
    before = batch.states.tobytes(), batch.observation.tobytes()
    closed = next(move for move in range(game.most_moves + 1) if move not in moves[2])
    for wrong in (closed, -1, -14, 1 << 30, 1 << 40):
        with pytest.raises(ValueError, match=f"In game 2 the move {wrong} is not legal now"):
            batch.play({0: moves[0][0], 2: wrong})
    for nonsense in ({0: "a"}, {0: 0.5}, {"0": 0}, [moves[0][0]], 5):
        with pytest.raises(TypeError):
            batch.play(nonsense)
    with pytest.raises(ValueError, match="There are the games 0 to 2, not 3"):
        batch.play({3: moves[0][0]})
    assert (batch.states.tobytes(), batch.observation.tobytes()) == before
    after = batch.states[2].copy()
    game.apply(after, int(batch.seat[2]), moves[2][-1])
    batch.play({2: moves[2][-1]})
    assert batch.moves == 1
    if game.movers(after) & ~(1 << CHANCE):
        assert batch.states[2].tobytes() == after.tobytes()
    batch.play({})
    assert batch.moves == 1


def test_opponents_are_what_a_command_takes(tmp_path):
    random = np.random.default_rng(1)
    batch = Batch(FIRST, 2)
    weights = random.normal(size=(batch.observation.shape[1], batch.size)).astype(np.float32)
    np.savez(tmp_path / "net.npz", w0=weights, b0=np.zeros(batch.size, np.float32))
    batch = Batch(FIRST, 2, 2, opponents={1: f"net:{tmp_path / 'net.npz'}"})
    for _ in range(6):
        batch.step()
        assert not batch.seat.any()


def test_more_threads_than_a_machine_can_have_are_no_harm():
    batch = Batch(FIRST, n=20_000, threads=20_000)
    batch.step()
    assert batch.moves <= 20_000


def test_points_can_be_the_reward():
    batch = Batch(FIRST, n=2, seed=1, reward="points", again=False)
    paid = np.zeros((2, 2))
    while batch.mask.any():
        batch.step()
        paid += batch.reward
    assert paid.tolist() == [batch.game.points(state) for state in batch.states]
    assert batch.games == 2
    ended = batch.states.copy()
    batch.step([-2, 5])
    assert np.array_equal(batch.states, ended)
    with pytest.raises(ValueError, match="game 1 the choice -1 is not open"):
        batch.step([-2, -1])


def test_a_choice_that_is_not_open_is_refused_and_nothing_happens():
    batch = Batch(FIRST, n=2, seed=1)
    before = batch.states.copy()
    for wrong in (int(np.flatnonzero(batch.mask[1] == 0)[0]), -1, -16, batch.size):
        with pytest.raises(ValueError, match=f"game 1 the choice {wrong} is not open"):
            batch.step([int(np.flatnonzero(batch.mask[0])[0]), wrong])
    with pytest.raises(ValueError, match="one action for each of 2"):
        batch.step([0])
    assert np.array_equal(batch.states, before)


def test_arrays_of_ones_own_are_filled():
    mask = np.zeros((4, Batch(FIRST).size), np.uint8)
    batch = Batch(FIRST, n=4, out={"mask": mask})
    assert batch.mask is mask
    assert mask.any()
    with pytest.raises(ValueError, match="mask is a contiguous array of uint8"):
        Batch(FIRST, n=4, out={"mask": mask[:, 1:]})
    with pytest.raises(ValueError, match="not masks"):
        Batch(FIRST, n=4, out={"masks": mask})


@pytest.mark.parametrize("bot", ["random", "beginner", "greedy"])
def test_opponents_have_the_other_seats(bot):
    batch = Batch(FIRST, n=8, seed=1, opponents={1: bot})
    while batch.games < 8:
        assert not batch.seat.any()
        batch.step()


def thinker(game: Game, view: State, seat: int, random: Random, budget: Budget | None) -> Thought:
    return game.bots["random"](game, view, seat, random, budget)


@every_game
def test_opponents_that_are_not_compiled_play_too(game):
    batch = Batch(game, max(2, game.seats.start), 1, opponents={1: thinker})
    for _ in range(12):
        batch.step()
        assert batch.seat[0] != 1


def test_compiled_opponents_choose_as_the_bots_do():
    game = GAMES[FIRST]
    batch = Batch(game, n=8, seed=2, again=False)
    batch._invite({0: "greedy", 1: "greedy"})
    orders = np.full(8, LEAVE, np.int32)
    randoms = batch._notes["random"].copy()
    compiled(move_at_sight)(
        *(0, 8, batch.states, batch._trial, batch._notes, batch._desks[0], batch.seat),
        *(batch._bots, batch._noise, batch._rates, orders),
    )
    with compiling():
        fast = swift_game(game)
        for index, (state, seat) in enumerate(zip(batch.states, batch.seat.tolist(), strict=True)):
            thought = game.bots["greedy"](fast, game.hide(state, seat), seat, randoms[index], None)
            assert WHOLE - orders[index] == thought.move


def test_logits_decide_within_the_mask():
    batch = Batch(FIRST, n=64, seed=1)
    logits = np.random.default_rng(1).normal(size=batch.mask.shape).astype(np.float32)
    best = batch.sample(logits, best=True).copy()
    assert best.tolist() == np.where(batch.mask, logits, -np.inf).argmax(1).tolist()
    logits *= 50
    assert (batch.sample(logits) == best).mean() > 0.8
    assert batch.mask[np.arange(64), batch.sample(logits * 0)].all()
    with pytest.raises(ValueError, match="shape of the mask"):
        batch.sample(logits[:, 1:])


def test_choices_are_drawn_evenly():
    batch = Batch(FIRST, n=2000, seed=1)
    batch._listed[:], batch._notes["open"] = batch._listed[0], batch._notes["open"][0]
    counts = np.bincount(batch.sample(), minlength=batch.size)
    expected = 2000 / batch.mask[0].sum()
    assert (counts > 0).tolist() == (batch.mask[0] > 0).tolist()
    assert (((counts - expected) ** 2)[batch.mask[0] > 0] / expected).sum() < 60


@every_game
def test_every_number_of_an_observation_has_a_name(game):
    for seats in game.seats:
        batch = Batch(game, seats)
        assert len(batch.names) == len(set(batch.names)) == batch.observation.shape[1]
        assert batch.observation.shape[1] <= 1_200
        assert batch.size <= 1_200
    seen = game.features.of(batch.states[0], int(batch.seat[0]))
    assert np.concatenate([block.ravel() for block in seen.values()]).tolist() == (
        batch.observation[0, : game.features.size(seats)].tolist()
    )


@every_game
def test_views_hide_what_a_seat_may_not_know(game):
    batch = Batch(game, n=2, seed=1)
    for _ in range(30):
        batch.step()
    for index, view in enumerate(batch.views()):
        assert view.tobytes() == game.hide(batch.states[index], int(batch.seat[index])).tobytes()
    assert batch.observe(0).shape == (2, game.features.size(batch.seats))


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"n": 0}, "The number of games is 1 or more"),
        ({"chance": "never"}, "chance is one of inside, steps"),
        ({"reward": "money"}, "reward is one of victory, points"),
        ({"opponents": {7: "greedy"}}, "There is no seat 7"),
        ({"opponents": {1: "nobody"}}, "not “nobody”"),
        ({"opponents": "greedy"}, "Opponents come by their seats"),
        ({"opponents": {1: 5}}, "A bot is a text or a function, not 5"),
        ({"budget": 5}, "is a Budget, not 5"),
        ({"again": "no"}, "again is one of True, False, not 'no'"),
        ({"reward": 0}, "reward is one of"),
        ({"seed": None}, "A seed is a whole number, not None"),
        ({"seed": -1}, "A seed is 0 or more, not -1"),
        ({"out": 5}, "Arrays of your own come by name"),
        ({"out": {"mask": [1]}}, "mask is a contiguous array"),
        ({"out": {"done": np.frombuffer(b"0", np.uint8)}}, "not only to be read"),
        ({"out": {5: 1}}, "A batch has .*, not 5"),
    ],
)
def test_wrong_wishes_are_answered_with_a_sentence(wrong, sentence):
    with pytest.raises((ValueError, TypeError), match=sentence):
        mozaika.batch(FIRST, **wrong)


@pytest.mark.parametrize("wrong", [{"number": -1}, {"number": 3, "seed": "x"}, {"number": 3, "seed": 0.5}])
def test_wrong_numbers_of_random_games_are_answered_with_a_sentence(wrong):
    with pytest.raises((ValueError, TypeError), match=r"(games|seed) is .*, not"):
        mozaika.random_games(FIRST, **wrong)


def test_the_code_of_the_page_for_research_runs():
    page = (Path(__file__).parent.parent / "docs" / "research.md").read_text("utf-8")
    names = {}
    blocks = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    for block in blocks[0], blocks[-1]:
        exec(block.replace("1000", "100").replace("1024", "64"), names)
    assert names["games"].games >= 100
    assert set(names["results"].dtype.names) >= {"game", "seat", "bot", "score", "rank", "share", "moves"}
    assert len(names["results"]) == 150


def test_results_are_a_table_that_repeats_with_its_seed():
    results = mozaika.simulate(FIRST, ["greedy", "random"], 4, seed=1)
    assert np.array_equal(results, mozaika.simulate(FIRST, "greedy,random", 4, seed=1))
    assert results["share"].sum() == 4
    assert results[results["game"] == 1]["bot"].tolist() == ["random", "greedy"]
    with pytest.raises(ValueError, match="3 bots for 2 seats"):
        mozaika.simulate(FIRST, "greedy,random,random", seats=2)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        (-3, "In game 70 the choice -3 is not open now"),
        (1 << 30, "In game 70 the choice 1073741824 is not open now"),
        ((1 << 32) + 1, "In game 70 the choice 4294967297 is not open now"),
        (0.5, "An action is a whole number, not float64"),
    ],
)
def test_an_action_that_is_not_open_is_refused_before_anything_happens(threads, wrong, sentence):
    batch = Batch(FIRST, n=130, seed=2, threads=threads)
    for _ in range(3):
        batch.step()
    kept = (batch.states, batch.observation, batch.mask, batch.seat, batch.reward, batch.done, batch._notes)
    actions = [int(row.argmax()) for row in batch.mask]
    before = [array.tobytes() for array in kept]
    with pytest.raises(ValueError, match=sentence):
        batch.step(np.array([*actions[:70], wrong, *actions[71:]]))
    with pytest.raises(ValueError, match="one action for each of 130 games"):
        batch.step(actions[:-1])
    assert [array.tobytes() for array in kept] == before
    batch.step(actions)
    assert [array.tobytes() for array in kept] != before


def test_bots_on_all_seats_are_refused_where_games_begin_anew():
    with pytest.raises(ValueError, match="leave one to your program"):
        Batch(FIRST, 2, n=2, opponents={0: "random", 1: "greedy"})
    batch = Batch(FIRST, 2, n=2, opponents={0: "random", 1: "greedy"}, again=False)
    assert batch.games == 2


def test_any_number_of_threads_makes_the_same_games():
    """More rows than a thread takes at once, and more threads than there are processors."""
    one, many = Batch(FIRST, n=333, seed=5), Batch(FIRST, n=333, seed=5, threads=5)
    logits = np.random.default_rng(1).normal(size=one.mask.shape).astype(np.float32)
    for _ in range(30):
        for batch in (one, many):
            batch.step(batch.sample(logits))
            batch.step()
        assert one.states.tobytes() == many.states.tobytes()
        assert one.actions.tobytes() == many.actions.tobytes()
    assert one.mask.tobytes() == many.mask.tobytes()


THREADS = """
import os, sys, threading, time
from mozaika import Batch
batch = Batch(sys.argv[1], n=130, seed=1, threads=2)
same = Batch(sys.argv[1], n=130, seed=1)
for _ in range(9):
    batch.step(), same.step()
time.sleep(0.05)
used = time.process_time()
time.sleep(0.5)
assert time.process_time() - used < 0.1, "a batch that rests takes time"
child = os.fork()
for _ in range(9):
    batch.step(), same.step()
assert batch.states.tobytes() == same.states.tobytes()
if child == 0:
    os._exit(0)
assert os.waitpid(child, 0)[1] == 0, "after a fork"
(thread,) = (each for each in threading.enumerate() if each.name == "batch-1")
del batch
thread.join(10)
assert not thread.is_alive(), "the batch is gone and its thread is not"
left = Batch(sys.argv[1], n=130, threads=2)
left.step()
print("done")
"""


def test_threads_rest_survive_a_fork_and_go_with_their_batch():
    """In a process of its own (1 s), which also has to end while a thread waits."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", THREADS, FIRST],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "done\n"), done.stderr
