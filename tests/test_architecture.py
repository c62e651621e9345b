"""Imports point one way, inside the house and inside a game."""

import grimp
from importlinter.cli import lint_imports

from mozaika.games import SHELF

INSIDE_A_GAME = [
    "pieces",
    "rules",
    "stages",
    "knowledge",
    "possible",
    "notation",
    "tell",
    "artwork",
    "layout",
    "walks",
    "ground",
    "sketch",
    "picture",
    "outlook",
    "bot",
]
"""Each may import those before it."""


def test_import_contracts_hold():
    assert lint_imports(no_cache=True) == 0


def test_imports_inside_a_game_point_one_way():
    graph = grimp.build_graph("mozaika", cache_dir=None)
    for name in SHELF:
        modules = {module.rpartition(".")[2] for module in graph.find_children(f"mozaika.games.{name}")}
        assert modules <= {*INSIDE_A_GAME, "tests"}, "a new file in a game needs a place in this list"
        package = f"mozaika.games.{name}"
        for place, importer in enumerate(INSIDE_A_GAME):
            for imported in INSIDE_A_GAME[place + 1 :]:
                if {f"{package}.{importer}", f"{package}.{imported}"} <= graph.modules:
                    assert not graph.direct_import_exists(
                        importer=f"{package}.{importer}", imported=f"{package}.{imported}"
                    ), f"{name}: {importer} imports {imported}"
