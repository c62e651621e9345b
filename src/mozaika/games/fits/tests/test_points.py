"""Points of FITS explain themselves, also when the board that brought them is gone."""

import pytest

from mozaika.games.fits import GAME
from mozaika.kernel import never_waiting
from mozaika.server.views import Viewer, explain_points
from mozaika.state import WATCHER
from mozaika.store.sqlite import SqliteStore
from mozaika.table.shared import SharedTable
from mozaika.table.teaching import walk_lesson
from mozaika.table.told import read_told


@never_waiting()
def told_at(step: str) -> dict:
    """How the points of a step of the lesson come together, by their rules."""
    ended = next(each.ended for each in walk_lesson(GAME, GAME.lessons()[0]) if each.step.id == step)
    return {said.rule: said.how for said in ended.tell() if said.points}


@pytest.mark.parametrize(
    ("step", "rule", "how"),
    [
        ("fields", "FI-S3", "3 + 3 + 2 + 1 = 9"),
        ("traps", "FI-S4", "3 + 2 + 2 + 1 − 5 = 3"),
        ("pairs", "FI-S5", "3 + 3 + 3 − 3 = 6"),
    ],
)
def test_special_fields_and_pairs_are_added_up(step, rule, how):
    assert told_at(step)[rule] == how


@never_waiting()
def test_points_of_a_board_that_is_gone_name_the_moment_that_shows_it(tmp_path):
    record = min((GAME.folder / "tests" / "records").glob("fits-2-1234-*.txt")).read_text("utf-8")
    header, events = read_told(record, "en")
    shared = SharedTable(header, events, SqliteStore(tmp_path / "games.db"), {})
    viewer, last = Viewer("", False, "en", "wide"), shared.table.ply - 1
    seen = 0
    for ply in range(last + 1):
        for number, said in enumerate(shared.telling.sentences("en", WATCHER, ply)):
            if said.points:
                found = explain_points(shared, viewer, ply, number)
                assert found.moment == (ply + 1 if ply < last else None), said.text
                seen += ply < last
    assert seen > 5
