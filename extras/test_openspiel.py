"""The tests of OpenSpiel, unedited: random games, copied and serialised; playthroughs as goldens."""

import pickle
import re
from pathlib import Path

import numpy as np
import pyspiel
import pytest
from absl import flags
from open_spiel.python.algorithms import generate_playthrough, ismcts, mcts

import mozaika.doors.openspiel  # noqa: F401  it registers the games
from kinds import KINDS, NAMES
from mozaika import CHANCE, GAMES, Table
from mozaika.kernel import compiling, new_random, swift_game

AT_ONCE = [kind for kind in KINDS if kind[0] == "fits"]
MOST_ENTRIES = 60
"""So many moves of a game are compared; chance comes on top."""
PLAYTHROUGHS = Path(__file__).parent / "playthroughs"


def load(name, seats, variant, suffix=""):
    return pyspiel.load_game(f"mozaika_{name}{suffix}", {"players": seats, **variant})


@pytest.mark.parametrize("kind", KINDS, ids=NAMES)
def test_random_games_are_copied_and_serialised(kind):
    pyspiel.random_sim_test(load(*kind), num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("kind", AT_ONCE, ids=[f"{seats}-{len(text)}" for _, seats, text in AT_ONCE])
def test_games_with_moves_at_once(kind):
    pyspiel.random_sim_test(load(*kind, "_at_once"), num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("name", GAMES)
def test_a_game_and_a_state_can_be_pickled(name):
    game = load(name, GAMES[name].seats.start, {})
    assert str(pickle.loads(pickle.dumps(game))) == str(game)
    state = play_on(game.new_initial_state(), 30)
    assert str(pickle.loads(pickle.dumps(state))) == str(state)
    assert str(game.deserialize_state(state.serialize())) == str(state)


def play_on(state, steps, seed=1):
    random = np.random.default_rng(seed)
    for _ in range(steps):
        if state.is_terminal():
            break
        if state.is_chance_node():
            outcomes, weights = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(int(random.choice(outcomes, p=weights)))
        else:
            state.apply_action(int(random.choice(state.legal_actions())))
    return state


@pytest.mark.parametrize("name", GAMES)
def test_what_is_guessed_looks_the_same(name):
    state = load(name, max(2, GAMES[name].seats.start), {}).new_initial_state()
    for steps in range(60, 140, 20):
        state = play_on(state.clone(), 20, steps)
        if state.current_player() >= 0:
            player = state.current_player()
            other = state.resample_from_infostate(player, lambda: 0.37)
            assert other.information_state_string(player) == state.information_state_string(player)
            assert other.legal_actions() == state.legal_actions()


@pytest.mark.parametrize("name", GAMES)
def test_playthroughs(name, request):
    """A game as text, choice by choice; PLAYTHROUGHS=write in the environment writes them anew."""
    import os

    state, lines = load(name, max(2, GAMES[name].seats.start), {}).new_initial_state(), []
    random = np.random.default_rng(7)
    while not state.is_terminal() and len(lines) < 120:
        player = state.current_player()
        if state.is_chance_node():
            outcomes, weights = zip(*state.chance_outcomes(), strict=True)
            action = int(random.choice(outcomes, p=weights))
        else:
            action = int(random.choice(state.legal_actions()))
        lines.append(f"{player}: {action} {state.action_to_string(player, action)}")
        state.apply_action(action)
    text = "\n".join([*lines, str(state), str(state.returns())]) + "\n"
    path = PLAYTHROUGHS / f"{name}.txt"
    if os.environ.get("PLAYTHROUGHS") == "write":
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
    assert re.sub(r"\s+", " ", path.read_text("utf-8")) == re.sub(r"\s+", " ", text)


def test_their_playthrough_replays(tmp_path):
    """The text that OpenSpiel keeps of its own games, generated and replayed by its own code. It writes every
    state with all its actions, which takes long: one game has to do; the goldens below are of all.
    """
    flags.FLAGS.mark_as_parsed()
    file = tmp_path / "azul.txt"
    file.write_text(generate_playthrough.playthrough("mozaika_azul", None, seed=3), "utf-8")
    original, again = generate_playthrough.replay(file)
    assert original == again
    assert "IsTerminal() = True" in original


@pytest.mark.parametrize("kind", KINDS, ids=NAMES)
@pytest.mark.parametrize("bot", ["random", "greedy"])
def test_a_game_of_the_door_is_a_game_of_the_library(kind, bot):
    """A game that a table has played, entry by entry; the rules of the table are not compiled."""
    name, seats, variant = kind
    game, state = GAMES[name], load(*kind).new_initial_state()
    table = Table(game, seats, seed="x", **variant)
    with compiling():
        fast = swift_game(game)
    replayed = game.start(seats, game.read_options(variant))
    for number in range(MOST_ENTRIES):
        if table.is_over:
            break
        seat = table.movers[0]
        view = game.hide(table.state, seat)
        thought = game.bots[bot](fast, view, seat, new_random(number), None)
        table.play(game.write_move(thought.move), seat)
    for seat, move in table.entries:
        if seat == CHANCE:
            legal = game.legal_moves(replayed, CHANCE)
            state.apply_action(legal.index(move))
        else:
            for choice in game.stages.split_move(move):
                if state.current_player() == seat and choice in state.legal_actions():
                    state.apply_action(choice)
        game.apply(replayed, seat, move)
        assert state.at.state.tobytes() == replayed.tobytes()
        assert state.at.made == ()
    assert replayed.tobytes() == table.state.tobytes()
    assert state.is_terminal() == table.is_over


@pytest.mark.parametrize("name", GAMES)
def test_an_action_that_is_not_open_is_refused_and_nothing_happens(name):
    state = load(name, max(2, GAMES[name].seats.start), {}).new_initial_state()
    met = set()
    for seed in range(60):
        if (state.is_chance_node(), bool(state.at.made)) not in met:
            met.add((state.is_chance_node(), bool(state.at.made)))
            open_now, before = state.legal_actions(), str(state)
            closed = next(action for action in range(999) if action not in open_now)
            for action in (closed, 999, 10**6, 2**31 - 1):
                with pytest.raises(ValueError, match=f"The action {action} is not open now"):
                    state.apply_action(action)
                with pytest.raises(ValueError, match=f"The action {action} is not open now"):
                    state.action_to_string(state.current_player(), action)
            assert (str(state), state.legal_actions()) == (before, open_now)
        state = play_on(state.clone(), 1, seed)
    assert len(met) > 1
    for call in (state.information_state_string, state.observation_tensor):
        with pytest.raises(ValueError, match="There is no seat 7"):
            call(7)
    state = play_on(state, 2000)
    with pytest.raises(ValueError, match="The action 0 is not open now"):
        state.apply_action(0)


def test_their_search_plays_our_games():
    random = np.random.RandomState(1)
    state = play_on(load("azul", 2, {}).new_initial_state(), 25)
    bot = mcts.MCTSBot(state.get_game(), 1.4, 20, mcts.RandomRolloutEvaluator(1, random), random_state=random)
    assert bot.step(state) in state.legal_actions()


def test_their_search_with_hidden_information_plays_our_games():
    random = np.random.RandomState(1)
    state = play_on(load("azul_duel", 2, {}).new_initial_state(), 40)
    while state.is_chance_node():
        state = play_on(state, 1)
    bot = ismcts.ISMCTSBot(
        game=state.get_game(), uct_c=1.4, max_simulations=10,
        evaluator=mcts.RandomRolloutEvaluator(1, random), random_state=random,
    )  # fmt: skip
    assert bot.step(state) in state.legal_actions()
