"""Imports point one way, inside the house and inside a game; what every game must do names none."""

import re
from dataclasses import fields
from pathlib import Path

import grimp
import pytest
from importlinter.cli import lint_imports

import mozaika
from mozaika.game import Game
from mozaika.games import GAMES, SHELF
from mozaika.judgement import Judgement

PRESENTATION = (
    "write_move",
    "parse_move",
    "write_position",
    "parse_position",
    "tell",
    "sketch",
    "scene",
)
"""What the rules of a game know nothing of: notation, words, pictures and bots."""
TESTS = Path(__file__).parent
LONGEST = 550
ARCHITECTURE = TESTS.parent / "ARCHITECTURE.md"
SHARED = [
    path
    for path in sorted(TESTS.rglob("*.py"))
    if re.search(r"\b(?:KINDS|WALKED)\b", path.read_text("utf-8"))
]
"""The tests that go through the shelf."""


def test_import_contracts_hold(monkeypatch):
    monkeypatch.setattr("importlinter.cli._configure_logging", lambda verbose: None)  # it would silence ours
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
        parts = [getattr(game, part) for part in PRESENTATION] + [game.judgement.rate]
        shown = {part.__module__ for part in parts if part is not None}
        imported = {
            each for module in rules & inside for each in graph.find_modules_directly_imported_by(module)
        }
        assert imported & {"mozaika.scene", *shown} == set(), "rules draw nothing"


def test_the_table_of_the_contract_lists_every_part_of_a_game():
    rows = re.findall(r"^\| `(.+)` \| (.+) \|$", ARCHITECTURE.read_text("utf-8"), re.MULTILINE)
    listed = [name for names, _ in rows for name in names.split()]
    assert sorted(listed) == sorted(field.name for field in fields(Game))
    [told] = [about for names, about in rows if "judgement" in names.split()]
    assert set(re.findall(r"`(.+)`", told)[0].split()) == {field.name for field in fields(Judgement)}


def test_the_tree_of_the_house_shows_every_file_and_folder():
    shown = re.findall(r"^  (\w+)(?:\.py|/)\s", ARCHITECTURE.read_text("utf-8"), re.MULTILINE)
    house = Path(mozaika.__file__).parent
    files = {path.stem for path in house.glob("*.py")} - {"__init__"}
    assert sorted(shown) == sorted(files | {path.parent.name for path in house.glob("*/__init__.py")})


def test_no_file_goes_on_for_ever():
    """Artwork and what is written by a program aside, a reader has no more than 550 lines before them."""
    house = Path(mozaika.__file__).parent
    files = [path for kind in ("py", "js", "css", "html") for path in house.rglob(f"*.{kind}")]
    lengths = {path: path.read_text("utf-8").count("\n") for path in files if path.stem != "artwork"}
    assert {str(path): lines for path, lines in lengths.items() if lines > LONGEST} == {}
    assert len(lengths) > 200


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
