"""Looking ahead: budgets are kept, the same numbers give the same move, and what is certain is found."""

from dataclasses import replace
from importlib import import_module
from random import Random

import numpy as np
import pytest

from mozaika import chance
from mozaika.games import GAMES, find_game
from mozaika.kernel import compiling, new_random, swift, swift_game
from mozaika.search import alphabeta, effort, tree
from mozaika.search.playout import best_first
from mozaika.state import CHANCE, seats_in
from mozaika.table import Table
from mozaika.thought import LEVELS, MOST_NODES, Budget

AZUL, GEMINO = find_game("azul"), find_game("gemino")
FOREVER = float("inf")
SEARCHES = {
    "tree": lambda *given: tree.search_tree(*given, tree.Style()),
    "two trees": lambda *given: tree.search_tree(*given, tree.Style(threads=2)),
    "past draws": lambda *given: tree.search_tree(*given, tree.Style(past_chance=True)),
    "chance nodes": lambda *given: tree.search_tree(*given, tree.Style(past_chance=True, open_loop=False)),
    "paranoid": lambda *given: tree.search_tree(*given, tree.Style(paranoid=True)),
    "alpha-beta": lambda *given: alphabeta.search_deep(*given, alphabeta.Style()),
    "widening": lambda *given: alphabeta.search_deep(
        *given, alphabeta.Style(widest=2, widens=True, threads=2)
    ),
}
every_search = pytest.mark.parametrize("search", SEARCHES.values(), ids=SEARCHES)


@pytest.fixture(scope="module", autouse=True)
def _compiled():
    with compiling():
        yield


def late_in_a_round(seed: int, takes: int) -> Table:
    """A game of Azul whose first round has but a few takes to go."""
    table = Table("azul", 2, seed=seed)
    while int(table.state["on_offer"]).bit_count() > takes:
        table.play(table.legal_moves()[0])
    return table


@every_search
@pytest.mark.parametrize("seats", [2, 4])
def test_a_search_is_legal_repeats_itself_and_keeps_its_nodes(search, seats):
    table = Table("azul", seats, seed=5)
    seat = table.movers[0]
    thoughts = [search(AZUL, table.state, seat, new_random(3), Budget(300, FOREVER)) for _ in range(2)]
    assert thoughts[0] == thoughts[1]
    assert thoughts[0].move in AZUL.legal_moves(table.state, seat)
    assert 0 < thoughts[0].nodes <= 300
    assert thoughts[0].line[0] == (seat, thoughts[0].move)
    assert len(thoughts[0].points) == seats
    assert sum(thoughts[0].shares) == pytest.approx(1, abs=0.001)


@every_search
def test_what_is_expected_can_be_played(search):
    table = Table("azul", 2, seed=8)
    state = table.state.copy()
    for seat, move in search(AZUL, state, table.movers[0], new_random(3), Budget(2_000, FOREVER)).line:
        assert seat in seats_in(AZUL.movers(state))
        assert move in AZUL.legal_moves(state, seat)
        AZUL.apply(state, seat, move)


@every_search
def test_where_several_may_move_a_seat_gets_a_move_of_its_own(search):
    """On the grey wall both tile at the same time."""
    table = Table("azul", 2, seed=3, wall="grey")
    while len(table.movers) < 2:  # both fill their first line
        moves = table.legal_moves()
        table.play(next((move for move in moves if move.endswith(">1")), moves[-1]))
    for seat in table.movers:
        thought = search(AZUL, table.state, seat, new_random(1), Budget(50, FOREVER))
        assert thought.move in AZUL.legal_moves(table.state, seat)
        assert thought.line[0] == (seat, thought.move)


def worth(state, own) -> float:
    """What a round is worth to a seat if both play on as well as they can, by trying everything."""
    fast = swift_game(AZUL)
    seats = seats_in(fast.movers(state))
    if not seats or seats == [CHANCE]:
        shares, points = np.zeros(4), np.zeros(4)
        swift(AZUL.judgement.appraise)(state, shares, points)
        return shares[own] + 0.001 * (points[own] - points[1 - own])
    values = []
    for move in fast.legal_moves(state, seats[0]):
        after = state.copy()
        fast.apply(after, seats[0], move)
        values.append(worth(after, own))
    return max(values) if seats[0] == own else min(values)


@pytest.mark.parametrize("seed", range(4))
def test_the_end_of_a_round_is_played_perfectly(seed):
    """By alpha-beta, by its threads that divide the moves, from few moves on, and by a tree."""
    table = late_in_a_round(seed, 4)
    own = table.movers[0]
    values = {}
    for move in AZUL.legal_moves(table.state, own):
        after = table.state.copy()
        AZUL.apply(after, own, move)
        values[move] = worth(after, own)
    best = max(values.values())
    whole, growing = alphabeta.Style(widest=64), alphabeta.Style(widest=2, widens=True)
    for style in (replace(each, threads=threads) for each in (whole, growing) for threads in (1, 2, 3)):
        deep = alphabeta.search_deep(AZUL, table.state, own, new_random(1), Budget(10**6, FOREVER), style)
        assert values[deep.move] == pytest.approx(best, abs=1e-6)
        told = deep.shares[own] + 0.001 * (deep.points[own] - deep.points[1 - own])
        assert told == pytest.approx(best, abs=1e-6)
    grown = tree.search_tree(
        AZUL, table.state, own, new_random(1), Budget(20_000, FOREVER), tree.Style(widest=64)
    )
    assert values[grown.move] == pytest.approx(best, abs=0.01)


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_threads_of_alpha_beta_divide_the_moves_and_the_best_find_counts(monkeypatch, threads):
    """All look at what looks best, and each other move is looked at by one."""
    table, shares = Table(AZUL, 2, seed=1), []
    seat, moves = table.movers[0], table.legal_moves()

    def deepen(walk, *_):
        shares.append(walk.desk["roots"][: walk.desk["count"]].tolist())
        return alphabeta.Find(walk, shares[-1][-1], float(shares[-1][-1]), [0.5, 0.5], [0.0, 0.0]), False

    monkeypatch.setattr(alphabeta, "deepen", deepen)
    style = alphabeta.Style(widest=64, threads=threads)
    thought = alphabeta.search_deep(AZUL, table.state, seat, new_random(1), Budget(100, FOREVER), style)
    assert len(shares) == threads
    assert len({own[0] for own in shares}) == 1
    others = [move for own in shares for move in own[1:]]
    assert len(others) == len(set(others)) == min(64, len(moves)) - 1
    assert thought.move == max(own[-1] for own in shares)


@pytest.mark.parametrize("seed", range(8))
def test_alpha_beta_tells_what_it_has_found(monkeypatch, seed):
    """The shares and points that it expects are those that make the value of its move."""
    finds, conclude = [], alphabeta._conclude
    monkeypatch.setattr(
        alphabeta, "_conclude", lambda best, *rest: finds.append(best) or conclude(best, *rest)
    )
    table, style = Table(AZUL, 2, seed=seed), alphabeta.Style(widest=12, widens=True, threads=2, greed=0.01)
    for _ in range(20):
        own = table.movers[0]
        thought = alphabeta.search_deep(AZUL, table.state, own, new_random(1), Budget(2_000, FOREVER), style)
        ahead = thought.points[own] - thought.points[1 - own]
        told = thought.shares[own] + style.margin * ahead + style.greed * thought.points[own]
        assert told == pytest.approx(finds[-1].value, abs=1e-5)
        table.play(AZUL.write_move(thought.move))


def test_a_line_that_is_known_to_its_end_leads_where_it_is_told():
    ended = 0
    for seed in range(8):
        table = late_in_a_round(seed, 5)
        own, state, style = table.movers[0], table.state.copy(), alphabeta.Style(widest=4, widens=True)
        thought = alphabeta.search_deep(AZUL, state, own, new_random(1), Budget(10**5, FOREVER), style)
        for seat, move in thought.line:
            AZUL.apply(state, seat, move)
        if seats_in(AZUL.movers(state)) in ([], [CHANCE]):
            shares, points = np.zeros(4), np.zeros(4)
            swift(AZUL.judgement.appraise)(state, shares, points)
            assert shares[:2].tolist() == pytest.approx(thought.shares, abs=1e-6)
            assert points[:2].tolist() == pytest.approx(thought.points, abs=1e-4)
            ended += 1
    assert ended > 4


def test_alpha_beta_does_not_widen_what_it_cannot_search_out():
    table = Table(AZUL, 2, seed=1)
    given = AZUL, table.state, table.movers[0]
    narrow = alphabeta.Style(widest=6)
    thoughts = [
        alphabeta.search_deep(*given, new_random(1), Budget(500, FOREVER), style)
        for style in (narrow, replace(narrow, widens=True))
    ]
    assert thoughts[0] == thoughts[1]


def test_who_is_greedy_counts_points_beside_the_lead():
    table = late_in_a_round(0, 4)
    plain, greedy = (
        alphabeta.new_probe(AZUL, table.state, 0, 1, alphabeta.Style(greed=greed), 1).desk
        for greed in (0.0, 0.01)
    )
    more = alphabeta.value_of(table.state, greedy) - alphabeta.value_of(table.state, plain)
    assert more == pytest.approx(0.01 * plain["points"][0])
    assert more > 0


def a_step_from_victory():
    """Four of five in a row, and two points."""
    state = GEMINO.new(2, GEMINO.read_options({"start": "1"}))
    state["tiles"][0] = [0b1111, 0]
    state["tiles"][1] = [0b1111 << 30, 0]
    state["points"][0] = [1, 1]
    return state


@pytest.mark.parametrize("name", [name for name in GEMINO.bots if name not in ("random", "beginner")])
def test_a_victory_at_hand_is_taken(name):
    state = a_step_from_victory()
    with compiling():
        thought = GEMINO.bots[name](GEMINO, state, 0, new_random(2), Budget(200, FOREVER))
    GEMINO.apply(state, 0, thought.move)
    assert GEMINO.movers(state) == 0


@pytest.mark.parametrize("cost", [1e-6, 1e-4, 0.003])
def test_a_budget_of_time_is_kept_by_a_tree(monkeypatch, cost):
    """The clock of this test goes on by what the descents cost."""
    now = [0.0]
    monkeypatch.setattr(effort, "perf_counter", lambda: now[0])

    def grow(nodes, desk, words, trial, roots, descents):
        now[0] += cost * descents

    tree.grow_until(tree.new_tree(AZUL, 0, 1, tree.Style(), 10), 10**9, grow, np.zeros(1, AZUL.state), 0.1)
    assert 0.1 <= now[0] <= 0.12


@pytest.mark.parametrize("cost", [1e-6, 1e-4, 0.003])
def test_a_budget_of_time_is_kept_by_alpha_beta(monkeypatch, cost):
    now = [0.0]
    monkeypatch.setattr(effort, "perf_counter", lambda: now[0])

    def look(frames, states, words, table, ends, desk, most):
        now[0] += cost * (most - int(desk["nodes"]))
        desk["nodes"] = most
        return False

    state = Table(AZUL, 2, seed=1).state
    walk = alphabeta.new_probe(AZUL, state, 0, 1, alphabeta.Style(), 10)
    assert not alphabeta.look_until(walk, look, 10**9, 0.1)
    assert 0.1 <= now[0] <= 0.12


def test_the_best_come_first():
    moves, rates = np.arange(9, dtype=np.int32), np.array([3, 1, 4, 1, 5, 9, 2, 6, 5], np.float32)
    assert best_first(moves, rates, 9, 4) == 4
    assert moves[:4].tolist() == [5, 7, 4, 8]
    assert best_first(moves, rates, 2, 4) == 2


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_every_game_has_every_level(game):
    assert [name for name in game.bots if name in LEVELS] == list(LEVELS)


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_no_level_looks_at_more_than_any_bot_may(game):
    module = import_module(f"mozaika.games.{game.id}.bot")
    styles = [each for bot in game.bots.values() for each in getattr(bot, "keywords", {}).values()]
    given = [getattr(each, "budget", each) for each in (*vars(module).values(), *styles)]
    budgets = [each for each in given if isinstance(each, Budget)]
    assert budgets
    assert max(budget.nodes for budget in budgets) <= Budget.of(None, 1_000).nodes == MOST_NODES


def test_a_budget_beyond_what_bots_may_look_at_is_refused():
    assert Budget(MOST_NODES).nodes == MOST_NODES
    with pytest.raises(ValueError, match="no more than 2,000,000 nodes for a move, not 2,000,001"):
        Budget.of(MOST_NODES + 1, None)


def with_other_moves(table: Table, seat: int) -> Table:
    """A later moment of a game at which a seat has none of the moves that it has now, or one at most."""
    later, random, now = table.copy(), Random(7), set(table.legal_moves(seat))
    while seat not in later.movers or len(now & set(later.legal_moves(seat))) > 1:
        mover = later.movers[0]
        later.play(random.choice(later.legal_moves(mover)), mover)
    return later


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_a_bot_thinks_about_what_its_seat_could_guess(game, level):
    real = Table(game, 2, seed=1)
    seat = real.movers[0]
    guessed = with_other_moves(real, seat).state
    blind = replace(game, guess=lambda *_: guessed.copy())
    with compiling():
        thought = game.bots[level](blind, real.state, seat, new_random(5), Budget(50, FOREVER))
    assert thought.move in game.legal_moves(guessed, seat)


@pytest.mark.parametrize(
    "game", [game for game in GAMES.values() if game.judgement.appraise], ids=lambda game: game.id
)
def test_an_appraisal_divides_one_victory(game):
    with compiling():
        fast, appraise = swift_game(game), swift(game.judgement.appraise)
        for seats in game.seats:
            state, ply = game.start(seats, game.options()), 0
            while movers := seats_in(fast.movers(state)):
                shares, points = np.zeros(4), np.zeros(4)
                appraise(state, shares, points)
                assert shares[:seats].sum() == pytest.approx(1)
                assert (shares[:seats] >= 0).all()
                assert np.isfinite(points).all()
                drawn = movers[0] == CHANCE
                move = chance.draw(fast, state, "", ply) if drawn else fast.legal_moves(state, movers[0])[-1]
                fast.apply(state, movers[0], move)
                ply += 1
            shares, points = np.zeros(4), np.zeros(4)
            game.judgement.appraise(state, shares, points)
            winners = [seat for seat, place in enumerate(game.places(state)) if place == 1]
            assert np.flatnonzero(shares).tolist() == winners
            assert points[:seats].tolist() == pytest.approx(game.points(state))


@pytest.mark.parametrize(
    "game", [game for game in GAMES.values() if game.judgement.candidates], ids=lambda game: game.id
)
def test_candidates_are_legal(game):
    for seed in range(6):
        table = Table(game, 2 + seed % 3, seed=seed)
        for _ in range(12 + 4 * seed):
            if table.is_over:
                break
            seat = table.movers[0]
            buffer = np.zeros(game.most_moves, np.int32)
            legal = game.legal_moves(table.state, seat)
            found = buffer[: swift(game.judgement.candidates)(table.state, seat, buffer)].tolist()
            assert found
            assert set(found) <= set(legal)
            assert len(set(found)) == len(found)
            table.play(game.write_move(legal[(7 * seed + 5) % len(legal)]), seat)
