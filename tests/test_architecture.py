"""Imports point one way, inside the house and inside a game."""

import grimp
from importlinter.cli import lint_imports

from mozaika.games import SHELF

INSIDE_A_GAME = {"pieces": 0, "rules": 1, "notation": 2, "tell": 3, "artwork": 3, "picture": 4, "bot": 4}


def test_import_contracts_hold():
    assert lint_imports(no_cache=True) == 0


def test_imports_inside_a_game_point_one_way():
    graph = grimp.build_graph("mozaika", cache_dir=None)
    for name in SHELF:
        package = f"mozaika.games.{name}"
        for importer in INSIDE_A_GAME:
            for imported, level in INSIDE_A_GAME.items():
                if level >= INSIDE_A_GAME[importer] and importer != imported:
                    assert not graph.direct_import_exists(
                        importer=f"{package}.{importer}", imported=f"{package}.{imported}"
                    ), f"{name}: {importer} imports {imported}"
