"""What a game need not bring: ranks, weights, a picture."""

from types import SimpleNamespace

import numpy as np
import pytest

from mozaika.defaults.picture import FEW, move_along, picture_of
from mozaika.defaults.rules import rank_by_points, weigh_alike
from mozaika.words import Words


@pytest.mark.parametrize(
    ("points", "places"),
    [([3, 9], [2, 1]), ([5, 5, 5], [1, 1, 1]), ([-4, 0, -4, 100_000], [3, 2, 3, 1]), ([0], [1])],
)
def test_ranks_are_by_points_and_equal_points_share_a_place(points, places):
    def scores(state, out):
        out[: len(points)] = points

    out = np.zeros(16, np.int32)
    rank_by_points(scores)({"seats": len(points)}, out)
    assert out[: len(points)].tolist() == places


def test_outcomes_are_as_likely():
    def legal(state, seat, out):
        out[:3] = 7, 8, 9
        return 3

    out = np.zeros(4, np.int32)
    assert weigh_alike(legal)({}, out) == 3
    assert out.tolist() == [1, 1, 1, 0]


def board(columns: int, rows: int) -> SimpleNamespace:
    """All that a picture asks of a game: here one whose moves are squares."""
    texts = [f"{'abcdefghijkl'[column]} {row}" for column in range(columns) for row in range(1, rows + 1)]
    return SimpleNamespace(
        name="Squares",
        sketch=lambda view, names, words: f"[red]{'.' * 70}[/]\n\n{names[0]}",
        legal_moves=lambda view, seat: range(len(texts)) if seat == 0 else [],
        write_move=texts.__getitem__,
        parse_move=texts.index,
    )


@pytest.mark.parametrize("shape", ["wide", "tall"])
@pytest.mark.parametrize("rows", [4, 12])
def test_each_move_is_one_walk_over_spots_that_do_not_touch(shape, rows):
    game = board(12, rows)
    scene = picture_of(game)(np.void(b""), 0, ("A[n]n",), Words(), shape)
    assert len({walk.spots for walk in scene.walks}) == len(scene.walks) == 12 * rows
    assert len(scene.spots) == (12 * rows if 12 * rows <= FEW else 12 + rows)
    for walk in scene.walks:
        assert game.write_move(move_along(game.parse_move)(np.void(b""), 0, walk.spots)) == walk.move
    boxes = [(spot.x, spot.y, spot.x + spot.width, spot.y + spot.height) for spot in scene.spots]
    for index, (left, top, right, bottom) in enumerate(boxes):
        assert 0 <= left < right <= scene.width
        assert 0 <= top < bottom <= scene.height
        for other in boxes[:index]:
            apart = left >= other[2] or other[0] >= right or top >= other[3] or other[1] >= bottom
            assert apart, "two spots lie upon each other"
    assert scene.labels[0].text == "." * 70
    assert scene.labels[1].text == "A(n)n"


def test_who_looks_on_has_nothing_to_point_at():
    scene = picture_of(board(3, 3))(np.void(b""), -1, ("Ann",), Words(), "wide")
    assert (scene.spots, scene.walks) == ((), ())
