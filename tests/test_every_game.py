"""What must hold of every game on the shelf, whatever it is. No exceptions, ever."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kinds import KINDS
from mozaika import kernel
from mozaika.checks import CHECKS, Check, Kind, name_of
from mozaika.checks.kinds import play_table, some_state, walk
from mozaika.kernel import new_random
from mozaika.moves import MoveError
from mozaika.record import Record, RecordError
from mozaika.search.playout import new_desk, playouts
from mozaika.state import CHANCE, seats_in
from mozaika.table import Table
from mozaika.table.advice import advise
from thinkers import think as know_all

every_kind = pytest.mark.parametrize("kind", KINDS, ids=repr)
SEEDS = range(settings.default.max_examples)
"""Few, so that all properties are checked along the same random games."""
some_seeds = pytest.mark.parametrize(
    "some", [SEEDS[:1], pytest.param(SEEDS[1:], marks=pytest.mark.long)], ids=["one", "more"]
)
seeds = st.sampled_from(SEEDS)
MOST_READ = 20
"""Of thousands of legal moves so many are read: reading one looks at them all."""


def test_there_is_a_game():
    assert KINDS


@every_kind
@pytest.mark.parametrize("check", CHECKS, ids=name_of)
@some_seeds
def test_what_any_package_can_check_of_its_game(kind: Kind, check: Check, some: range):
    for seed in some:
        check(kind, seed)


@every_kind
def test_compiled_playouts_equal_plain_ones(kind: Kind):
    fast, plain = np.empty(2, kind.game.state), np.empty(2, kind.game.state)
    fast[:] = plain[:] = kind.start()
    desk, plain_desk = new_desk(5), new_desk(5)
    kernel.compiled(playouts)(fast, desk, 100_000)
    playouts(plain, plain_desk, 100_000)
    assert fast.tobytes() == plain.tobytes()
    assert desk.tobytes() == plain_desk.tobytes()


@every_kind
@some_seeds
def test_undo_goes_all_the_way_back(kind: Kind, some: range):
    for seed in some:
        take_all_back(kind, seed)


def take_all_back(kind: Kind, seed: int) -> None:
    table = play_table(kind, seed, plies=120)
    first = Table(kind.game, kind.seats, seed=seed, **kind.game.write_options(kind.options))
    states = []
    while table.ply > first.ply:
        move = table.undo()
        states.append((table.state.copy(), move))
    assert table.state.tobytes() == first.state.tobytes()
    with pytest.raises(ValueError, match="no move to take back"):
        table.undo()
    for state, _ in reversed(states):
        assert kind.game.movers(state)


@every_kind
@given(seed=seeds, text=st.text(max_size=40))
def test_garbage_is_no_move(kind: Kind, seed: int, text: str):
    game, state = kind.fast, some_state(kind, seed)
    for seat in seats_in(game.movers(state)):
        try:
            move = game.read(state, seat, text, game.words())
        except MoveError:
            continue
        assert move in game.legal_moves(state, seat)


def damage(text: str, data: st.DataObject) -> str:
    """A text with a piece cut out, doubled, or overwritten."""
    start = data.draw(st.integers(0, len(text) - 1))
    stop = start + data.draw(st.integers(1, 12))
    patch = data.draw(st.one_of(st.just(""), st.just(text[start:stop] * 2), st.text(max_size=6)))
    return text[:start] + patch + text[stop:]


@every_kind
@given(seed=seeds, data=st.data())
def test_a_damaged_position_is_refused_or_possible(kind: Kind, seed: int, data: st.DataObject):
    text = damage(kind.game.write_position(some_state(kind, seed)), data)
    try:
        state = kind.game.parse_position(text)
    except ValueError as error:
        assert str(error)[0].isupper() or str(error)[0] == "“", error
        assert str(error).endswith("."), error
    else:
        again = kind.game.write_position(state)
        assert kind.game.parse_position(again).tobytes() == state.tobytes()


@every_kind
@given(seed=seeds, data=st.data())
def test_a_damaged_record_names_its_line(kind: Kind, seed: int, data: st.DataObject):
    text = play_table(kind, seed, plies=60).record().write()
    damaged = damage(text, data)
    try:
        record = Record.read(damaged)
    except RecordError as error:
        assert 1 <= error.line <= len(damaged.splitlines()) + 1
        assert str(error).startswith(f"Line {error.line}: ")
    else:
        assert record.write()


@every_kind
def test_every_game_can_put_a_thought_into_words(kind: Kind):
    """From the view alone."""
    game, words = kind.fast, kind.game.words()
    for number, (state, seat, _) in enumerate(walk(kind, 1, 80)):
        if number % 7 or seat in (CHANCE, -1):
            continue
        view = game.hide(state, seat)
        thought = know_all(game, view, seat, np.zeros(1, np.uint64))
        names = tuple(f"P{number}" for number in range(1, int(state["seats"]) + 1))
        advice = advise(game, view, seat, thought, names, words)
        assert advice.move == game.write_move(thought.move)
        assert advice.headline
        assert advice.other is None or advice.other.move != advice.move
        assert all(sentence.seat != CHANCE for sentence in advice.follows)
        assert len(advice.follows) <= 3


@every_kind
def test_a_position_that_is_sent_gives_back_what_the_seat_sees(kind: Kind):
    game = kind.fast
    for seed in range(3):
        state = some_state(kind, seed)
        for seat in seats_in(game.movers(state)):
            view = game.hide(state, seat)
            sent = game.write_position(game.guess(view, seat, new_random(seed)))
            read = game.parse_position(sent)
            assert game.hide(read, seat).tobytes() == view.tobytes()
            assert game.legal_moves(read, seat) == game.legal_moves(state, seat)
