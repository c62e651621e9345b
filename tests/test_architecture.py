"""Imports point one way, inside the house and inside a game; what every game must do names none."""

import re
from pathlib import Path

import grimp
import pytest
from importlinter.cli import lint_imports

from mozaika.games import GAMES, SHELF

PRESENTATION = (
    "write_move",
    "parse_move",
    "write_position",
    "parse_position",
    "tell",
    "sketch",
    "scene",
    "rate",
)
"""What the rules of a game know nothing of: notation, words, pictures and bots."""
TESTS = Path(__file__).parent
SHARED = [
    path
    for path in sorted(TESTS.rglob("*.py"))
    if re.search(r"\b(?:KINDS|WALKED)\b", path.read_text("utf-8"))
]
"""The tests that go through the shelf."""


def test_import_contracts_hold():
    assert lint_imports(no_cache=True) == 0


def test_imports_inside_a_game_point_one_way():
    graph = grimp.build_graph("mozaika", cache_dir=None)
    for name in SHELF:
        package = f"mozaika.games.{name}"
        inside = {module for module in graph.find_children(package) if not module.endswith(".tests")}
        for module in inside:
            above = graph.find_upstream_modules(module) & inside
            assert not {each for each in above if module in graph.find_upstream_modules(each)}, "a circle"
        game = GAMES[name]
        rules = {game.apply.__module__, game.why_not.__module__}
        rules |= {above for module in rules for above in graph.find_upstream_modules(module)}
        shown = {getattr(game, part).__module__ for part in PRESENTATION if getattr(game, part)}
        imported = {
            each for module in rules & inside for each in graph.find_modules_directly_imported_by(module)
        }
        assert imported & {"mozaika.scene", *shown} == set(), "rules draw nothing"


def names_a_game(text: str) -> list[str]:
    """Where an id of the shelf stands as a text, in a path or in an import."""
    return re.findall(rf"(?:[\"'/=]|\bgames\.)(?:{'|'.join(GAMES)})\b(?! \w)", text)


@pytest.mark.parametrize("path", SHARED, ids=lambda path: path.stem)
def test_what_every_game_must_do_makes_no_exception_for_one(path: Path):
    assert names_a_game(path.read_text("utf-8")) == []


def test_an_exception_would_be_found():
    name = next(iter(GAMES))
    for text in (f'name != "{name}"', f"games.{name}.pieces", f'"/rules/{name}#x"', f"[data-game={name}]"):
        assert names_a_game(text), text
