"""The end of a game, and what each objective brings."""

import pytest

from mozaika.games.azul_duel import pieces, setup
from mozaika.games.azul_duel.notation import parse_move
from mozaika.games.azul_duel.objectives import count_spaces, objective_points, objective_spaces
from mozaika.games.azul_duel.pieces import LETTERS, OBJECTIVES, DuelOptions
from mozaika.games.azul_duel.refusals import why_not
from mozaika.games.azul_duel.tests.boards import BARE, NO_RED, Duel, duel, tiling
from mozaika.state import State


def over(one: str = BARE, two: str = BARE, **fields: object) -> Duel:
    """A game that ends with the last chip of round 5."""
    return tiling(one, two, round=5, **fields)


def test_the_game_ends_after_round_five_with_the_objectives():
    """AD-F1: added up, then never below 0 (AD-P5)."""
    at = over(objectives="rows columns empty_specials", scores=(30, 8))
    assert at.state["phase"] == pieces.OVER
    assert at.movers == []
    empty_specials = [count_spaces(at.state, seat, pieces.SPECIAL, False) for seat in range(2)]
    assert sum(empty_specials) == 9
    assert at.scores == [max(0, 30 - 3 * empty_specials[0]), max(0, 8 - 3 * empty_specials[1])]
    assert why_not(at.state, 0, parse_move("F1 blue >1")) == "AD-F1"


def test_objectives_are_added_up_before_the_score_is_cut_off_at_zero():
    """AD-F1, AD-P5: -3 for each empty special space and 1 for each tile on the edge, at 0 points."""
    at = over(EDGE_TILES, objectives="rows edge empty_specials", scores=(0, 0))
    lost = 3 * count_spaces(at.state, 0, pieces.SPECIAL, False)
    assert lost > 3
    assert at.scores == [0, 0]
    at = over(EDGE_TILES, objectives="rows edge empty_specials", scores=(lost - 1, 0))
    assert at.scores == [3 - 1, 0]


EDGE_TILES = """
    - | YK .. ..
    - | T* .. ..
    - | .. .. ..
    - | .. .. ..
    - | .. .. ..
    - | .. .. ..
"""


@pytest.mark.parametrize(
    ("scores", "marker", "ranks"),
    [
        ((9, 8), "large", [1, 2]),
        ((8, 9), "1", [2, 1]),
        ((9, 9), "1", [1, 2]),
        ((9, 9), "2", [2, 1]),
        ((9, 9), "large", [1, 1]),
    ],
)
def test_a_tie_goes_to_the_holder_of_the_marker(scores, marker, ranks):
    """AD-F1: if nobody holds it, the victory is shared."""
    costs = [2 if marker == str(seat + 1) else 0 for seat in range(2)]
    at = over(scores=(scores[0] + costs[0], scores[1] + costs[1]), marker=marker)
    assert at.scores == list(scores)
    assert at.ranks == ranks


def tiled(dome: str) -> State:
    """The first dome with these tiles, * being a special one."""
    state = setup.new(2, DuelOptions(start="1"))
    spaces = dome.split()
    assert len(spaces) == 36
    state["tile"][0] = [
        0 if space == "." else LETTERS.index(space) + 1 if space in LETTERS else 6 for space in spaces
    ]
    return state


def objective(name: str, dome: str) -> int:
    """What an objective brings for a dome."""
    return objective_points(tiled(dome), 0, OBJECTIVES.index(name))


GAP = ". . . . . .  "
ROW = "B Y R K T *  "
SIX = "B B B B B B  "


def test_rows():
    """AD-O1: 3 for each complete row, special tiles included."""
    assert objective("rows", GAP * 6) == 0
    assert objective("rows", ROW + GAP + SIX + GAP * 2 + "B B B B B .  ") == 6
    assert objective("rows", ROW * 6) == 18


def test_columns():
    """AD-O2: 7 for each complete column."""
    assert objective("columns", ". B . . * .  " * 6) == 14
    assert objective("columns", SIX + ". B . . * .  " * 5) == 14
    assert objective("columns", SIX * 5 + GAP) == 0


def test_diagonals():
    """AD-O3: 10 for each of the two long ones."""
    falling = "B . . . . .  . B . . . .  . . * . . .  . . . B . .  . . . . B .  . . . . . "
    assert objective("diagonals", falling + "B") == 10
    assert objective("diagonals", falling + ".") == 0
    rising = ". . . . . B  . . . . B .  . . . B . .  . . * . . .  . B . . . .  B . . . . ."
    assert objective("diagonals", rising) == 10
    both = "B . . . . B  . B . . B .  . . B B . .  . . B B . .  . B . . B .  B . . . . B"
    assert objective("diagonals", both) == 20


WILD_DOME = """
    - | tr ky rt
    - | b{0} r{1} y{2}
    - | .. .. ..
    - | .. .. ..
    - | .. .. ..
    - | .. .. ..
"""


@pytest.mark.parametrize(("filled", "points"), [("BYR", 6), ("BY?", 0), ("???", 0)])
def test_all_wild_spaces(filled, points):
    """AD-O4: 2 for each, but only if every one is filled; on wild any colour may lie."""
    board = WILD_DOME.format(*filled)
    at = duel(board, round=1, sun=["BYRK"], shown="1 8 -", tokens=(0, 0))
    assert [plate.split("t")[0] for plate in at.field("domes").split()[:3]] == ["3", "4", "14"]
    assert objective_points(at.state, 0, pieces.ALL_WILD) == points


def test_without_wild_spaces_there_are_no_points_for_them():
    """AD-O4"""
    at = duel(NO_RED, round=1, sun=["BYRK"])
    assert objective_points(at.state, 0, pieces.ALL_WILD) == 0


def test_five_colours_in_a_row():
    """AD-O5: at least five different ones, a special tile being one; a gap is allowed."""
    assert objective("five_colors", "B Y R K T .  " + GAP * 5) == 4
    assert objective("five_colors", "B Y R K . *  " + GAP * 5) == 4
    assert objective("five_colors", "B Y R K T *  " + "B Y R K K *  " + GAP * 4) == 8
    assert objective("five_colors", "B Y R K K B  " + GAP * 5) == 0
    assert objective("five_colors", "B Y R * * *  " + GAP * 5) == 0
    assert objective("five_colors", ROW * 6) == 24


def test_the_edge():
    """AD-O6: 1 for each tile on the 20 outer spaces."""
    assert objective("edge", SIX * 6) == 20
    assert objective("edge", GAP + ". B B B B .  " * 4 + GAP) == 0
    assert objective("edge", "B . . . . *  " + GAP * 4 + ". . B . . .  ") == 3


def corners(*filled: int) -> int:
    spaces = ["."] * 36
    for slot in filled:
        first = slot // 3 * 12 + slot % 3 * 2
        for space in (first, first + 1, first + 6, first + 7):
            spaces[space] = "B"
    spaces[8] = "B"
    return objective("corners", " ".join(spaces))


def test_the_corners():
    """AD-O7: 3 for each full upper corner plate, 8 for each lower one."""
    assert [corners(slot) for slot in range(9)] == [3, 0, 3, 0, 0, 0, 8, 0, 8]
    assert corners(0, 2, 6, 8) == 22
    assert objective("corners", "B B . . . .  B . . . . .  " + GAP * 4) == 0


def test_empty_special_spaces():
    """AD-O8: -3 for each; a filled one costs nothing, and special tiles are tiles for the other
    objectives.
    """
    at = duel(NO_RED, round=1, sun=["BYRK"])
    assert objective_points(at.state, 0, pieces.EMPTY_SPECIALS) == -9
    at = duel(NO_RED.replace("yk", "YK", 1).replace("to", "T*", 1), round=1, sun=["BYRK"])
    assert objective_points(at.state, 0, pieces.EMPTY_SPECIALS) == -6
    specials = "* * * * * *  "
    assert [
        objective(name, specials * 6) for name in ("rows", "columns", "diagonals", "edge", "corners")
    ] == [
        18,
        42,
        20,
        20,
        22,
    ]


FALLING = [0, 7, 14, 21, 28, 35]


@pytest.mark.parametrize(
    ("name", "dome", "spaces"),
    [
        ("rows", ROW + GAP + SIX + GAP * 3, [*range(6), *range(12, 18)]),
        ("columns", ". B . . * .  " * 6, sorted([*range(1, 36, 6), *range(4, 36, 6)])),
        (
            "diagonals",
            "B . . . . .  . B . . . .  . . * . . .  . . . B . .  . . . . B .  K . . . . B",
            FALLING,
        ),
        ("five_colors", "B Y R K T .  " + GAP * 5, [0, 1, 2, 3, 4]),
        ("edge", "B . . . . .  . B . . . *  " + GAP * 4, [0, 11]),
        ("corners", "B B . . B B  B B . . B .  " + GAP * 4, [0, 1, 6, 7]),
    ],
)
def test_the_tiles_that_an_objective_counts_are_known(name, dome, spaces):
    """AD-O1 to AD-O7"""
    assert objective_spaces(tiled(dome), 0, OBJECTIVES.index(name)) == spaces


def test_what_an_objective_has_brought_lights_up_at_the_end():
    """AD-O6, AD-O8: tiles on the edge, and special spaces that are empty."""
    at = over(EDGE_TILES, objectives="rows edge empty_specials", scores=(50, 50))
    told = [said for said in at.tell() if said.seat == 0 and said.rule in ("AD-O6", "AD-O8")]
    assert {said.rule: len(said.places) for said in told} == {
        "AD-O6": 3,
        "AD-O8": count_spaces(at.state, 0, pieces.SPECIAL, False),
    }
