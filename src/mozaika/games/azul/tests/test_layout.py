"""Where things lie on a table: what matters most has the most room."""

from itertools import product

import pytest

from mozaika.games.azul.layout import lay_out


@pytest.mark.parametrize(("seats", "shape"), [*product((2, 3, 4), ("wide", "tall"))])
def test_the_bag_and_the_lid_take_less_room_than_any_board(seats, shape):
    layout = lay_out(seats, shape)
    bag = layout.ledger.box
    assert all(bag.width * bag.height < 0.95 * board.width * board.height for board in layout.boards)
