"""Points of Azul explain themselves: which tiles made them, and how they come together."""

from mozaika.games.azul import GAME
from mozaika.kernel import never_waiting
from mozaika.table.teaching import walk_lesson


@never_waiting()
def told_at(step: str) -> list:
    """The sentences with points of seat 1 at a step of the first lesson."""
    moments = walk_lesson(GAME, GAME.lessons()[0])
    ended = next(each.ended for each in moments if each.step.id == step)
    return [said for said in ended.tell() if said.seat == 0 and said.points]


def test_a_tile_in_a_row_and_a_column_lights_both():
    (said,) = told_at("both")
    assert said.points == 6
    assert said.how == "In the row: 3. In the column: 3."
    assert said.places == ("wall-1-3", "wall-2-3", "wall-3-1", "wall-3-2", "wall-3-3")


def test_a_lonely_tile_says_so_and_the_floor_lights_up():
    first, second, third, floor = told_at("tiling")
    assert (first.how, third.how) == ("It touches no other tile.",) * 2
    assert (second.how, second.places) == ("In the column: 2.", ("wall-1-2", "wall-2-2"))
    assert (floor.points, floor.places) == (-2, ("floor",))


def test_the_bonuses_light_their_rows_and_columns():
    _, rows, columns = told_at("end")
    assert rows.places == tuple(f"wall-1-{column}" for column in range(1, 6))
    assert columns.places == tuple(f"wall-{row}-1" for row in range(1, 6))
