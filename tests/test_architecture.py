"""Imports point one way, inside the house and inside a game."""

import grimp
from importlinter.cli import lint_imports

from mozaika.games import GAMES, SHELF

PRESENTATION = {"notation", "tell", "artwork", "layout", "walks", "ground", "sketch", "picture", "bot"}
"""What the rules of a game know nothing of."""


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
        rules = graph.find_upstream_modules(GAMES[name].apply.__module__) & inside
        assert {module.rpartition(".")[2] for module in rules} & PRESENTATION == set(), "rules draw nothing"
