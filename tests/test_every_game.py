"""What must hold of every game on the shelf, whatever it is. No exceptions, ever."""

from functools import lru_cache
from itertools import islice, pairwise
from random import Random
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kinds import KINDS, Kind, some_state, walk, weights_of
from mozaika import kernel
from mozaika.game import CHANCE, WATCHER, Budget, Game, IllegalMove, MoveError, State, seats_in
from mozaika.kernel import new_random
from mozaika.record import Record, RecordError
from mozaika.scene import Scene, Shape, Walk, write_svg
from mozaika.search.playout import new_desk, playouts
from mozaika.server.walks import along
from mozaika.table import Table
from mozaika.table.advice import advise
from mozaika.words import LANGUAGES
from thinkers import think as know_all

every_kind = pytest.mark.parametrize("kind", KINDS, ids=repr)
seeds = st.integers(0, 2 * settings.default.max_examples)
"""Few, so that many properties are checked along the same random games."""
MOST_READ = 20
"""Of thousands of legal moves so many are read: reading one looks at them all."""


def test_there_is_a_game():
    assert KINDS


@every_kind
def test_games_end(kind: Kind):
    states = np.empty(300, kind.game.state)
    states[:] = kind.start()
    kernel.compiled(playouts)(states, new_desk(1), 100_000)
    assert not any(kind.game.movers(state) for state in states)


@every_kind
@given(seed=seeds)
def test_moves_round_trip_and_ascend(kind: Kind, seed: int):
    game = kind.fast
    state = some_state(kind, seed)
    for seat in seats_in(game.movers(state)):
        moves = game.legal_moves(state, seat)
        assert moves, "a seat that is to move has a move"
        assert all(low < high for low, high in pairwise(moves))
        texts = [game.write_move(move) for move in moves]
        assert [game.parse_move(text) for text in texts] == moves
        assert len(moves) <= game.most_moves
        pairs = list(zip(texts, moves, strict=True))
        for text, move in Random(seed).sample(pairs, min(len(pairs), MOST_READ)):
            assert game.read(state, seat, text, game.words()) == move
            assert game.read(state, seat, f" {text.lower()} ", game.words()) == move


@every_kind
@given(seed=seeds)
def test_nobody_else_has_a_move(kind: Kind, seed: int):
    state = some_state(kind, seed)
    movers = seats_in(kind.game.movers(state))
    for seat in range(CHANCE + 1):
        if seat not in movers:
            assert kind.game.legal_moves(state, seat) == []
    for seat in (-5, -2, WATCHER, kind.seats, 40):
        assert kind.fast.legal_moves(state, seat) == []


@every_kind
@given(seed=seeds)
def test_chance_weighs_each_outcome(kind: Kind, seed: int):
    game = kind.fast
    for state, seat, _ in walk(kind, seed):
        if seat == CHANCE:
            weights = weights_of(game, state, len(game.legal_moves(state, CHANCE)))
            assert all(weight > 0 for weight in weights)
            assert game.weigh(state, np.zeros(game.most_moves, np.int32)) == sum(weights)


@every_kind
@given(seed=seeds)
def test_a_position_is_complete(kind: Kind, seed: int):
    game = kind.game
    for state, _, _ in islice(walk(kind, seed), seed % 7, None, 7):
        text = game.write_position(state)
        assert text.split()[0] == game.id
        assert game.parse_position(text).tobytes() == state.tobytes()


@every_kind
@given(seed=seeds)
def test_compiled_equals_plain(kind: Kind, seed: int):
    plain = kind.game
    with kernel.compiling():
        fast = kernel.swift_game(plain)
        for before, seat, move in walk(kind, seed):
            assert fast.movers(before) == plain.movers(before)
            for numbers in ("scores", "ranks"):
                buffers = np.zeros((2, 16), np.int32)
                getattr(fast, numbers)(before, buffers[0])
                getattr(plain, numbers)(before, buffers[1])
                assert (buffers[0] == buffers[1]).all()
            if seat < 0:
                break
            moves = plain.legal_moves(before, seat)
            assert fast.legal_moves(before, seat) == moves
            if seat == CHANCE:
                assert weights_of(fast, before, len(moves)) == weights_of(plain, before, len(moves))
            after = before.copy()
            fast.apply(before, seat, move)
            plain.apply(after, seat, move)
            assert before.tobytes() == after.tobytes()


@every_kind
def test_compiled_playouts_equal_plain_ones(kind: Kind):
    fast, plain = np.empty(2, kind.game.state), np.empty(2, kind.game.state)
    fast[:] = plain[:] = kind.start()
    desk, plain_desk = new_desk(5), new_desk(5)
    kernel.compiled(playouts)(fast, desk, 100_000)
    playouts(plain, plain_desk, 100_000)
    assert fast.tobytes() == plain.tobytes()
    assert desk.tobytes() == plain_desk.tobytes()


def play_table(kind: Kind, seed: int, plies: int = 100_000) -> Table:
    """A table at which random moves have been played through the front door."""
    return _play_once(repr(kind), seed, plies).copy()


@lru_cache(maxsize=500)
def _play_once(name: str, seed: int, plies: int) -> Table:
    kind = next(each for each in KINDS if repr(each) == name)
    options = kind.game.write_options(kind.options)
    game = kind.fast
    table, random = Table(kind.game, kind.seats, seed=seed, **options), Random(seed)
    while not table.is_over and table.ply < plies:
        seat = random.choice(table.movers)
        move = random.choice(game.legal_moves(table.state, seat))
        table.play(kind.game.write_move(move), seat)
    return table


@every_kind
@given(seed=seeds)
def test_replay_equals_play(kind: Kind, seed: int):
    table = play_table(kind, seed)
    text = table.record().write()
    record = Record.read(text)
    assert record.state().tobytes() == table.state.tobytes()
    assert record.write() == text
    assert record.verify() == []
    again = Table.from_record(record)
    assert again.log() == table.log()


@every_kind
@given(seed=seeds)
def test_undo_goes_all_the_way_back(kind: Kind, seed: int):
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
@given(seed=seeds)
def test_a_view_holds_all_that_a_guess_may_use(kind: Kind, seed: int):
    """`guess` never changes what the seat knows."""
    game, state = kind.fast, some_state(kind, seed)
    for seat in range(kind.seats):
        view = game.hide(state, seat)
        guessed = game.guess(view, seat, new_random(seed))
        assert game.hide(guessed, seat).tobytes() == view.tobytes()
        assert game.legal_moves(guessed, seat) == game.legal_moves(state, seat)


@every_kind
@given(seed=seeds)
def test_nothing_is_told_that_cannot_be_seen(kind: Kind, seed: int):
    """Moves after which a viewer sees the same are told to that viewer in the same words."""
    game, words, random = kind.fast, kind.game.words(), Random(seed)
    plies = list(walk(kind, seed))
    hidden = [each for each in plies if any(sees_less(game, each[0], seat) for seat in range(kind.seats))]
    for state, seat, _ in random.sample(plies[:-1], 8) + random.sample(hidden, min(8, len(hidden))):
        moves = game.legal_moves(state, seat) if seat >= 0 else []
        for viewer in {WATCHER, *range(kind.seats)} - {seat}:
            told: dict[bytes, list[str]] = {}
            for move in random.sample(moves, min(6, len(moves))):
                after = state.copy()
                game.apply(after, seat, move)
                said = [str(sentence) for sentence in game.tell(state, seat, move, viewer, words)]
                assert told.setdefault(game.hide(after, viewer).tobytes(), said) == said


def sees_less(game: Game, state: State, seat: int) -> bool:
    return game.hide(state, seat).tobytes() != state.tobytes()


@every_kind
@given(seed=seeds)
def test_seats_that_move_at_once_do_not_touch_each_other(kind: Kind, seed: int):
    game = kind.fast
    for state, _, _ in walk(kind, seed):
        movers = seats_in(game.movers(state))
        for one, other in pairwise(movers):
            moves = {seat: game.legal_moves(state, seat)[0] for seat in (one, other)}
            forth, back = state.copy(), state.copy()
            for seat in (one, other):
                assert moves[seat] in game.legal_moves(forth, seat)
                game.apply(forth, seat, moves[seat])
            for seat in (other, one):
                game.apply(back, seat, moves[seat])
            assert forth.tobytes() == back.tobytes()


@every_kind
@given(seed=st.integers(0, 3))
def test_bots_play_legal_moves(kind: Kind, seed: int):
    state = some_state(kind, seed)
    for seat in seats_in(kind.game.movers(state)):
        view = kind.game.hide(state, seat)
        for name, bot in kind.game.bots.items():
            before = view.tobytes()
            move = bot(kind.game, view, seat, new_random(seed), Budget(nodes=4, milliseconds=50)).move
            assert move in kind.game.legal_moves(state, seat), name
            assert view.tobytes() == before, f"{name} changed what it was shown"


@every_kind
@given(seed=seeds)
def test_telling_changes_nothing_and_cites_rules(kind: Kind, seed: int):
    game = kind.game
    rulebook, words = game.rulebook(), game.words()
    for state, seat, move in walk(kind, seed):
        if seat >= 0:
            before = state.tobytes()
            sentences = game.tell(state, seat, move, CHANCE, words)
            assert state.tobytes() == before
            for sentence in sentences:
                assert f"**{sentence.rule}**" in rulebook
                assert sentence.text
                assert "{" not in sentence.text


@every_kind
@given(seed=seeds)
def test_points_told_are_points_scored(kind: Kind, seed: int):
    table = play_table(kind, seed)
    told = [0] * kind.seats
    for ply in range(table.ply):
        for sentence in table.tell(ply):
            if sentence.points:
                told[sentence.seat] += sentence.points
    assert told == table.scores
    assert [sum(parts) for parts in zip(*table.tally.values(), strict=True)] == table.scores


def whole_walks(game: Game, scene: Scene, view: State, seat: int, shape: Shape) -> list[Walk]:
    """All walks of a scene to their ends, in the order of the moves."""
    whole = {walk.spots: walk for walk in scene.walks if not walk.more}
    for opening in [each for each in scene.walks if each.more]:
        found = along(game.walks_from(view, seat, opening.spots, shape), opening.spots, scene.loose)
        assert found, "a walk that has begun goes on"
        assert all(set(opening.ghost) <= set(walk.ghost) for walk in found)
        begun = {walk.spots[0] for walk in scene.walks} | set(scene.later)
        assert {spot for walk in found for spot in walk.spots} <= begun, "it is said what comes later"
        whole |= {walk.spots: walk for walk in found}
    return sorted(whole.values(), key=lambda walk: game.parse_move(walk.move))


@every_kind
@given(seed=seeds)
def test_every_legal_move_is_one_walk_over_spots(kind: Kind, seed: int):
    game, state = kind.fast, some_state(kind, seed)
    names = tuple(f"Player {seat}" for seat in range(kind.seats))
    for shape in ("wide", "tall"):
        for seat in (WATCHER, *range(kind.seats)):
            scene = game.scene(game.hide(state, seat), seat, names, game.words(), shape)
            legal = game.legal_moves(state, seat) if seat >= 0 else []
            walks = whole_walks(game, scene, game.hide(state, seat), seat, shape)
            assert [walk.move for walk in walks] == [game.write_move(move) for move in legal]
            spots = [spot.name for spot in scene.spots]
            assert len(set(spots)) == len(spots)
            assert {spot for walk in walks for spot in walk.spots} <= set(spots)
            assert len({walk.spots for walk in walks}) == len(walks), "each walk leads to one move"
            for move, way in zip(legal, walks, strict=True) if game.spots_of else ():
                assert game.spots_of(state, seat, move) == way.spots
            assert all(spot.label for spot in scene.spots)
            assert all(spot.width >= 24 and spot.height >= 24 for spot in scene.spots)
            for spot in scene.spots:
                assert 0 <= spot.x <= spot.x + spot.width <= scene.width
                assert 0 <= spot.y <= spot.y + spot.height <= scene.height
            root = ElementTree.fromstring(write_svg(scene))
            symbols = {element.get("id") for element in root.iter("{http://www.w3.org/2000/svg}symbol")}
            assert {sprite.symbol for sprite in scene.sprites} <= symbols


@every_kind
@given(seed=seeds)
def test_a_sketch_fits_a_terminal(kind: Kind, seed: int):
    for lang in LANGUAGES:
        table = Table.from_position(kind.game.write_position(some_state(kind, seed)), draws="told", lang=lang)
        assert max(map(len, str(table).splitlines())) < 80


@every_kind
@given(seed=seeds, data=st.data())
def test_refusals_name_their_rule(kind: Kind, seed: int, data: st.DataObject):
    """Any move of the game that is not legal now is refused with a sentence and the rule behind it."""
    game, state = kind.fast, some_state(kind, seed)
    elsewhere = [(seat, move) for _, seat, move in walk(kind, seed + 1) if seat >= 0]
    _, move = data.draw(st.sampled_from(elsewhere))
    for lang in LANGUAGES:
        for seat in (*range(kind.seats), CHANCE, WATCHER):
            if move not in (game.legal_moves(state, seat) if seat >= 0 else []):
                with pytest.raises(IllegalMove) as refused:
                    game.read(state, seat, game.write_move(move), game.words(lang))
                assert f"**{refused.value.rule}**" in game.rulebook()
                assert str(refused.value)


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
@given(seed=st.integers(0, 20), data=st.data())
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
    """From the view alone, and with the same words as the move is told with when it is made."""
    game, words = kind.fast, kind.game.words()
    for number, (state, seat, _) in enumerate(walk(kind, 1, 80)):
        if number % 7 or seat in (CHANCE, -1):
            continue
        view = game.hide(state, seat)
        thought = know_all(game, view, seat, np.zeros(1, np.uint64))
        advice = advise(game, "expert", view, seat, thought, words)
        assert advice.does == game.tell(state, seat, thought.move, seat, words)
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
