"""What a Python user meets: everything is found in `mozaika`, and can be compared, copied and sent away."""

import ast
import copy
import inspect
import pickle
import pydoc
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from importlib.metadata import version
from multiprocessing import get_context
from typing import Any, get_args, get_type_hints

import numpy as np
import pytest

import mozaika
from mozaika import GAMES, BadOption, Game, IllegalMove, Record, RecordError, Table

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))


def is_ours(value: object) -> bool:
    return inspect.isclass(value) and value.__module__.startswith("mozaika.")


PUBLIC = [getattr(mozaika, name) for name in mozaika.__all__]
CLASSES = [value for value in PUBLIC if is_ours(value)]


def classes_in(hint: Any) -> Iterator[type]:
    """The classes of ours in an annotation, however deep."""
    if is_ours(hint):
        yield hint
    for part in get_args(hint):
        for each in part if isinstance(part, list) else [part]:
            yield from classes_in(each)


def members(cls: type) -> Iterator[Any]:
    """Whatever has annotations: the class itself, its public methods and its properties."""
    yield cls
    for name, value in vars(cls).items():
        if not name.startswith("_") or name == "__init__":
            member = value.fget if isinstance(value, property) else getattr(cls, name)
            if inspect.isroutine(member) and hasattr(member, "__annotations__"):
                yield member


@pytest.mark.parametrize("value", [*CLASSES, mozaika.random_games], ids=lambda value: value.__name__)
def test_whatever_public_names_speak_of_is_public(value):
    spoken = set()
    for member in members(value) if inspect.isclass(value) else [value]:
        for hint in get_type_hints(member).values():
            spoken |= set(classes_in(hint))
    assert spoken <= set(CLASSES), "export it in mozaika/__init__.py"


@pytest.mark.parametrize("cls", CLASSES, ids=lambda cls: cls.__name__)
def test_whatever_a_public_class_raises_is_public(cls):
    module = sys.modules[cls.__module__]
    raised = {
        node.exc.func.id
        for node in ast.walk(ast.parse(inspect.getsource(module)))
        if isinstance(node, ast.Raise)
        and isinstance(node.exc, ast.Call)
        and isinstance(node.exc.func, ast.Name)
    }
    ours = {vars(module)[name] for name in raised if is_ours(vars(module).get(name))}
    assert ours <= set(CLASSES)


def test_every_public_name_is_listed_once_and_in_order():
    assert len(set(mozaika.__all__)) == len(mozaika.__all__)
    assert mozaika.__version__ == version("mozaika")


@pytest.mark.parametrize("cls", [Table, Record, Game], ids=lambda cls: cls.__name__)
def test_help_shows_seats_by_their_names(cls):
    text = pydoc.plain(pydoc.render_doc(cls))
    assert "= 15" not in text
    assert "= -1" not in text
    assert cls is not Table or ("viewer: int = CHANCE" in text and "seat: int = WATCHER" in text)


def play(table: Table, moves: int) -> Table:
    """Make the first legal moves, wherever several may move for the first seat that may."""
    for _ in range(moves):
        table.play(table.legal_moves(table.movers[0])[0], table.movers[0])
    return table


def test_tables_compare_by_what_they_are():
    first = play(Table("azul", seed="sunday", names=["Ania", "Bartek"]), 3)
    same = play(Table("azul", seed="sunday", names=["Ania", "Bartek"], lang="pl"), 3)
    assert first == same
    assert Table.from_record(first.record(reveal=True)) == first
    same.undo()
    assert first != same
    for other in (
        Table("azul", seed="sunday", names=["Ania", "Celina"]),
        Table("azul", seed="monday", names=["Ania", "Bartek"]),
        Table("azul", seed="sunday", names=["Ania", "Bartek"], wall="grey"),
        Table("azul", draws="told", names=["Ania", "Bartek"]),
        Table("gemino", seed="sunday", names=["Ania", "Bartek"]),
    ):
        assert Table("azul", seed="sunday", names=["Ania", "Bartek"]) != other
    assert first != first.position()
    with pytest.raises(TypeError, match="unhashable"):
        hash(first)


def check_twin(table: Table, twin: Table) -> None:
    """A twin is the same table, and what happens at it does not happen at the other."""
    assert twin == table
    assert twin.words.lang == table.words.lang
    assert [twin.state_at(ply).tobytes() for ply in range(twin.ply + 1)] == [
        table.state_at(ply).tobytes() for ply in range(table.ply + 1)
    ]
    before = table.state.tobytes()
    assert play(twin, 2) == play(table.copy(), 2) != table
    assert table.state.tobytes() == before != twin.state.tobytes()
    twin.back_to(0)
    assert twin.state.tobytes() == table.state_at(0).tobytes()


@every_game
def test_a_table_can_be_copied_and_pickled(game):
    table = play(Table(game, seed="sunday", lang="de"), 4)
    check_twin(table, copy.copy(table))
    check_twin(table, copy.deepcopy(table))
    check_twin(table, pickle.loads(pickle.dumps(table)))
    assert pickle.loads(pickle.dumps(table)).seed == "sunday"
    assert pickle.loads(pickle.dumps(table.record())) == table.record()


@every_game
def test_a_game_is_pickled_as_its_id(game):
    kept = pickle.dumps(game)
    assert pickle.loads(kept) is game
    assert len(kept) < 100
    assert copy.copy(game) is copy.deepcopy(game) is game
    assert {game: 1}[pickle.loads(kept)] == 1


def test_a_game_that_is_not_on_the_shelf_cannot_be_pickled():
    with pytest.raises(ValueError, match="no game 'mine' on the shelf"):
        pickle.dumps(replace(GAMES["azul"], id="mine"))


def test_games_tables_and_errors_go_to_another_process_and_back():
    table, wrong = play(Table("azul", seed="sunday", start="1"), 2), "F1 blue >floor"
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        assert pool.submit(copy.copy, GAMES["fits"]).result() is GAMES["fits"]
        check_twin(table, pool.submit(Table.copy, table).result())
        with pytest.raises(IllegalMove) as refused:
            pool.submit(table.play, wrong).result()
    with pytest.raises(IllegalMove) as here:
        table.play(wrong)
    assert refused.value.rule == here.value.rule


@pytest.mark.parametrize(
    "error",
    [
        mozaika.UnknownMove("What?"),
        mozaika.IllegalMove("Not now.", "AZ-A1"),
        mozaika.AmbiguousMove("Which?", ("a", "b")),
        RecordError(3, "Too " + "long" * 1000),
        BadOption("At most {most}.", most=3),
    ],
    ids=lambda error: type(error).__name__,
)
def test_errors_can_be_pickled(error):
    twin = pickle.loads(pickle.dumps(error))
    assert type(twin) is type(error)
    assert str(twin) == str(error)
    assert vars(twin) == vars(error)


def test_random_games_are_whole_and_repeat_with_their_seed():
    azul = GAMES["azul"]
    states = mozaika.random_games("azul", 20, 3, seed=1, wall="grey")
    assert states.shape == (20,)
    assert states.dtype == azul.state
    assert set(states["seats"]) == {3}
    assert states["grey"].all()
    assert not any(azul.movers(state) for state in states)
    assert np.array_equal(states, mozaika.random_games(azul, 20, 3, seed=1, wall="grey"))
    assert not np.array_equal(states, mozaika.random_games(azul, 20, 3, seed=2, wall="grey"))
    with pytest.raises(ValueError, match="2 to 4 players"):
        mozaika.random_games("azul", 1, 5)
