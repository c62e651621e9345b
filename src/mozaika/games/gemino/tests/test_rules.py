"""Every rule of GEMINO, by its id; the worked example of the rulebook among them."""

import pytest

from mozaika.checks import refused
from mozaika.games.gemino import GAME, pieces, rules, tell
from mozaika.games.gemino.notation import parse_move, read_field, write_move
from mozaika.games.gemino.pieces import LINE_COUNTS
from mozaika.games.gemino.tests.boards import (
    EMPTY,
    OWN,
    drawn,
    fields_of,
    hand,
    position,
    same,
    table,
    with_tiles,
)
from mozaika.moves import UnknownMove
from mozaika.options import BadOption
from mozaika.state import WATCHER
from mozaika.table import Table


def moves_to(at: Table, first: str, second: str = "") -> list[str]:
    """All legal moves that bring tiles to these fields."""
    found = []
    for move in at.legal_moves():
        targets = [word.rpartition(">")[2] for word in move.split()[:2]]
        if targets[0] == first and second in ("", targets[1]):
            found.append(move)
    return found


# The turn


def test_a_violet_field_wants_a_violet_field_of_the_other_board():
    """The worked example of the rulebook (GE-T1)"""
    at = Table("gemino", 3, start="1")
    [violet, *_] = fields_of("V", 0)
    assert [move.split()[1] for move in moves_to(at, violet)] == fields_of("V", 1)
    at.play(f"{violet} {fields_of('V', 1)[2]}")
    assert hand(at, 1) == 12
    assert at.log()[-1] == f"P1: plays on {violet} and {fields_of('V', 1)[2]} (violet). (GE-T1)"


def test_two_tiles_on_empty_fields_of_one_colour_one_on_each_board():
    """GE-T1: 6 x 6 x 6 pairs on empty boards; the second board may be named first."""
    at = Table("gemino", 2, start="1")
    assert len(at.legal_moves()) == 216
    assert refused(at, "a1 g1") == "GE-T1"
    assert at.play("h1 a1") == "a1 h1"
    assert same(drawn(at), "1 . . . . .    . 1 . . . .\n" + EMPTY[27:])
    assert refused(at, "a1 g4") == "GE-T1"
    assert refused(at, "c2 h1") == "GE-T1"
    for wrong in ("a1 b2", "a1", "g1 h1", "a1 h1 c1", "a7 h1", "a1 h1 +a1-a4 +b1-b4"):
        with pytest.raises(UnknownMove):
            at.play(wrong)


THIRTEEN = """
    1 . 1 . 1 .    1 . 1 . . .
    . . . . . .    . . . . 1 .
    1 . 1 . 1 .    . 1 . 1 . .
    . . . . . .    . . . . . .
    1 . . . . .    1 . . . . .
    . . . . . .    . . . . . .
"""
FOURTEEN = THIRTEEN.replace("1 . . . . .    1", "1 . . . 1 .    1", 1)


def test_with_one_tile_in_hand_it_is_played_and_one_on_the_other_board_moves():
    """GE-T2"""
    at = table(THIRTEEN)
    assert hand(at, 1) == 1
    moves = moves_to(at, "d1", "h5")  # both green
    own = [read_field(name) for name in ("a1", "g1")]
    assert own == [(0, 0), (1, 0)]
    assert moves[:6] == [f"d1 {field}>h5" for field in ("g1", "i1", "k2", "h3", "j3", "g5")]
    assert moves[6:] == [f"{field}>d1 h5" for field in ("a1", "c1", "e1", "a3", "c3", "e3", "a5")]
    assert refused(at, "d1 h5") == "GE-T2"
    assert refused(at, "a1>d1 g1>h5") == "GE-T2"
    assert refused(at, "b1>d1 h5") == "GE-T2"
    at.play("d1 k2>h5")
    assert hand(at, 1) == 0
    assert at.log()[-1] == "P1: plays on d1 and moves k2 to h5 (green). (GE-T2)"
    other = table(THIRTEEN)
    other.play("a1>d1 h5")
    assert other.log()[-1] == "P1: moves a1 to d1 and plays on h5 (green). (GE-T2)"


def test_with_none_in_hand_one_tile_moves_on_each_board():
    """GE-T2: the colour that a tile leaves does not matter."""
    at = table(FOURTEEN)
    assert hand(at, 1) == 0
    assert len(moves_to(at, "d1", "h5")) == 8 * 6
    for wrong in ("d1 h5", "a1>d1 h5", "d1 g1>h5", "b2>d1 g1>h5"):
        assert refused(at, wrong) == "GE-T2"
    at.play("a1>d1 k2>h5")
    assert hand(at, 1) == 0
    assert at.log()[-1] == "P1: moves a1 to d1 and k2 to h5 (green). (GE-T2)"
    after = """
        . . 1 1 1 .    1 . 1 . . .
        . . . . . .    . . . . . .
        1 . 1 . 1 .    . 1 . 1 . .
        . . . . . .    . . . . . .
        1 . . . 1 .    1 1 . . . .
        . . . . . .    . . . . . .
    """
    assert same(drawn(at), after)


def test_with_two_or_more_in_hand_no_tile_moves():
    """GE-T2"""
    at = table("1 . . . . .    1 . . . . .\n" + EMPTY[27:])
    assert refused(at, "a1>d1 h5") == "GE-T2"
    assert all(">" not in move for move in at.legal_moves())


def test_a_move_goes_to_a_different_field_of_the_same_board():
    """GE-T2"""
    at = table(FOURTEEN)
    for wrong in ("a1>a1 g1>h1", "g1>d1 g1>h5", "a1>h5 g1>d1"):
        with pytest.raises(UnknownMove):
            at.play(wrong)


RED_IS_FULL = """
    . . . . . .    . 2 . . . .
    . . . . . .    . . . . 2 .
    . . . . . .    . . 2 . . .
    . . . . . .    2 . . . . .
    . . . . . .    . . . . . 3
    . . . . . .    . . . 3 . .
"""


def test_a_colour_that_is_full_on_the_other_board_cannot_be_chosen():
    """GE-T3"""
    at = table(RED_IS_FULL)
    assert moves_to(at, "a1") == []
    assert refused(at, "a1 g1") == "GE-T3"
    assert len(at.legal_moves()) == 216 - 36


def test_a_pair_is_one_move_and_there_is_no_passing():
    """GE-T3"""
    at = table(RED_IS_FULL)
    moves = at.legal_moves()
    assert len({frozenset(move.split()) for move in moves}) == len(moves)
    for wrong in ("pass", "", "-"):
        with pytest.raises(UnknownMove):
            at.play(wrong)


# Points

LINES = {
    "d2-d5": ("d3", ["d2", "d4", "d5"]),
    "b4-e4": ("b4", ["c4", "d4", "e4"]),
    "b2-e5": ("e5", ["b2", "c3", "d4"]),
    "c6-f3": ("d5", ["c6", "e4", "f3"]),
    "g1-j1": ("i1", ["g1", "h1", "j1"]),
    "l3-l6": ("l6", ["l3", "l4", "l5"]),
    "i3-l6": ("i3", ["j4", "k5", "l6"]),
    "g4-j1": ("j1", ["g4", "h3", "i2"]),
}


@pytest.mark.parametrize("line", LINES)
def test_four_in_a_row_a_column_or_a_diagonal_score_one_point(line):
    """GE-P1"""
    field, others = LINES[line]
    at = table(with_tiles(*others))
    board = read_field(field)[0]
    moves = [move for move in at.legal_moves() if field in move.split()]
    assert moves
    assert all(move.split()[2:] == [f"+{line}"] for move in moves)
    at.play(moves[0])
    assert at.scores == [1, 0, 0]
    assert at.state["points"][0].tolist() == [1 - board, board]
    assert at.tell()[1].text == f"scores the line {line.replace('-', '–')} on board {board + 1}: 1 point."


def test_there_are_54_lines_of_four_and_32_of_five():
    """GE-P1"""
    assert LINE_COUNTS.tolist() == [54, 32]


@pytest.mark.parametrize("gone", ["c4", "d4", "e4"])
def test_a_line_has_no_gap_and_no_tile_of_another(gone):
    """GE-P1"""
    others = [name for name in ("c4", "d4", "e4") if name != gone]
    for at in (table(with_tiles(*others)), table(with_tiles(gone, of=2, upon=with_tiles(*others)))):
        assert not any("+" in move for move in at.legal_moves())


def test_an_edge_does_not_join():
    """GE-P1: neither row to row nor board to board."""
    at = table(with_tiles("e1", "f1", "a2", "e4", "g4", "h4"))
    assert not any("+" in move for move in at.legal_moves())


def test_with_two_players_five_are_needed():
    """GE-P1"""
    four = with_tiles("b4", "c4", "d4")
    at = table(four, seats=2)
    assert not any("+" in move for move in at.legal_moves())
    assert refused(at, "e4 g5 +b4-e4") == "GE-P3"
    at.play("e4 g5")
    assert at.scores == [0, 0]
    five = table(with_tiles("b4", "c4", "d4", "e4"), seats=2)
    assert {move.split()[2] for move in moves_to(five, "f4")} == {"+b4-f4"}
    five.play(moves_to(five, "f4")[0])
    assert five.scores == [1, 0]
    assert [hand(five, seat) for seat in (1, 2)] == [12, 14]


def test_scoring_is_compulsory():
    """GE-P1"""
    at = table(with_tiles("c4", "d4", "e4"))
    assert refused(at, "b4 h1") == "GE-P1"
    assert refused(at, "b4 h1 +a4-d4") == "GE-P3"
    assert refused(at, "b4 h1 +b4-f4") == "GE-P3"
    assert refused(at, "b4 h1 +b4-e4 +h1-h4") == "GE-P3"
    at.play("b4 h1 +b4-e4")
    assert at.scores == [1, 0, 0]


def test_lines_on_both_boards_in_one_turn_score_two_points():
    """GE-P1"""
    at = table(with_tiles("c4", "d4", "e4", "h2", "h3", "h4"))
    at.play("b4 h1 +b4-e4 +h1-h4")
    assert at.scores == [2, 0, 0]
    assert at.tally == {"board 1": [1, 0, 0], "board 2": [1, 0, 0]}
    assert hand(at, 1) == 12
    assert same(drawn(at), EMPTY)


def test_a_tile_that_moves_away_is_missing_in_the_line():
    """GE-P1: lines are scored after both tiles have come to their fields."""
    at = table(with_tiles("c4", "d4", "e4", "a1", "a2", "a6", "f1", "g1", "g2", "i1", "k1", "l3", "l6", "j5"))
    assert hand(at, 1) == 0
    assert {move.split()[0] for move in moves_to(at, "b4", "h1") if "+" in move} == {
        f"{field}>b4" for field in ("a1", "f1", "a2", "a6")
    }
    assert {move.split()[0] for move in moves_to(at, "b4", "h1") if "+" not in move} == {
        f"{field}>b4" for field in ("c4", "d4", "e4")
    }
    at.play("e4>b4 g2>h1")
    assert at.scores == [0, 0, 0]


def test_one_tile_of_the_line_becomes_the_point_and_the_others_return_to_the_hand():
    """GE-P2"""
    at = table(with_tiles("c4", "d4", "e4"))
    assert hand(at, 1) == 11
    at.play("b4 h1 +b4-e4")
    assert same(drawn(at), with_tiles("h1"))
    assert hand(at, 1) == 14 - 1 - 1
    assert at.tell()[2].text == "3 tiles return to the hand."


def test_of_crossing_lines_one_is_chosen():
    """GE-P3: the other tiles stay."""
    crossing = with_tiles("a3", "b3", "d3", "c1", "c2", "c4")
    at = table(crossing)
    assert moves_to(at, "c3", "k1") == ["c3 k1 +a3-d3", "c3 k1 +c1-c4"]
    assert at.play("c3 k1 +c1-c4")
    assert same(drawn(at), with_tiles("a3", "b3", "d3", "k1"))
    assert at.tell()[1].rule == "GE-P3"
    other = table(crossing)
    other.play("c3 k1 +a3-d3")
    assert same(drawn(other), with_tiles("c1", "c2", "c4", "k1"))
    assert other.scores == [1, 0, 0]


def test_of_a_longer_line_four_neighbours_leave_with_the_new_tile_among_them():
    """GE-P3"""
    five = table(with_tiles("a3", "b3", "d3", "e3"))
    assert moves_to(five, "c3", "k1") == ["c3 k1 +b3-e3", "c3 k1 +a3-d3"]
    six = table(with_tiles("a3", "b3", "c3", "e3", "f3"))
    assert moves_to(six, "d3", "g1") == [f"d3 g1 +{line}" for line in ("c3-f3", "b3-e3", "a3-d3")]
    six.play("d3 g1 +b3-e3")
    assert same(drawn(six), with_tiles("a3", "f3", "g1"))
    ends = table(with_tiles("a3", "b3", "c3", "e3", "f3"))
    assert refused(ends, "d3 g1 +d3-a6") == "GE-P3"
    with pytest.raises(UnknownMove):
        ends.play("d3 g1 +a2-d2")


def test_with_two_players_five_of_a_line_of_six_leave():
    """GE-P3"""
    at = table(with_tiles("a3", "b3", "c3", "e3", "f3"), seats=2)
    assert moves_to(at, "d3", "g1") == ["d3 g1 +b3-f3", "d3 g1 +a3-e3"]
    at.play("d3 g1 +b3-f3")
    assert same(drawn(at), with_tiles("a3", "g1"))
    assert hand(at, 1) == 14 - 1 - 2


FIVE = with_tiles("a3", "b3", "d3", "e3")


def test_by_the_letter_four_of_five_leave_and_one_stays():
    """GE-P3: with two players, as an option."""
    at = table(FIVE, seats=2, leave="four")
    assert moves_to(at, "c3", "k1") == ["c3 k1 +b3-e3", "c3 k1 +a3-d3"]
    assert refused(at, "c3 k1 +a3-e3") == "GE-P3"
    assert refused(at, "c3 k1") == "GE-P1"
    at.play("c3 k1 +a3-d3")
    assert same(drawn(at), with_tiles("e3", "k1"))
    assert at.scores == [1, 0]
    assert hand(at, 1) == 14 - 1 - 2
    assert [sentence.text for sentence in at.tell()[1:]] == [
        "scores five in a line on board 1, and a3–d3 leave: 1 point.",
        "3 tiles return to the hand.",
    ]
    six = table(with_tiles("a3", "b3", "c3", "e3", "f3"), seats=2, leave="four")
    assert moves_to(six, "d3", "g1") == [f"d3 g1 +{line}" for line in ("c3-f3", "b3-e3", "a3-d3")]


def test_by_the_letter_four_in_a_line_do_not_score_either():
    """GE-P1, GE-P3"""
    at = table(with_tiles("c4", "d4", "e4"), seats=2, leave="four")
    assert not any("+" in move for move in at.legal_moves())
    assert refused(at, "b4 h1 +b4-e4") == "GE-P3"


def test_a_tile_that_moves_away_is_missing_in_a_line_by_the_letter():
    """GE-P1, GE-P3: without b3 only four are left, of which four could leave."""
    rest = ("a1", "f1", "f5", "g1", "g2", "i1", "k2", "l3", "l6", "j5")
    at = table(with_tiles("b3", "c3", "d3", "e3", *rest), seats=2, leave="four")
    assert hand(at, 1) == 0
    moved = {move.split()[0]: move for move in moves_to(at, "f3") if "+" in move}
    assert set(moved) == {f"{field}>f3" for field in ("a1", "f1", "f5")}
    assert {move.split()[2] for move in moved.values()} == {"+c3-f3"}


@pytest.mark.parametrize("seats", [3, 4])
def test_among_several_four_leave_anyway(seats):
    """GE-P3"""
    with pytest.raises(BadOption, match="for two players: among more, four tiles of a line leave anyway"):
        Table("gemino", seats, leave="four")
    with pytest.raises(ValueError, match="for two players"):
        table(seats=seats, leave="four")


def test_what_leaves_is_told_by_the_options_and_by_the_position():
    """GE-P3"""
    at = Table("gemino", 2, seed=1, leave="four")
    assert at.position().endswith("; leave four")
    assert "leave=four" in at.record().write()
    assert at.game.options_of(at.state)["leave"] == "four"
    assert "leave" not in Table("gemino", 2, seed=1).record().write()


# The end


def test_three_points_win_at_once():
    """GE-E1"""
    at = table(with_tiles("c4", "d4", "e4"), points="1 1 / 2 0 / 0 0")
    at.play("b4 h1 +b4-e4")
    assert at.is_over
    assert at.scores == [3, 2, 0]
    assert at.ranks == [1, 2, 3]
    assert at.log()[-1] == "P1: has 3 points and wins. (GE-E1)"
    assert refused(at, "a1 h1", 1) == "GE-E1"


def test_a_double_point_can_win_with_four():
    """GE-E1"""
    at = table(with_tiles("c4", "d4", "e4", "h2", "h3", "h4"), points="2 0 / 0 0 / 0 0")
    at.play("b4 h1 +b4-e4 +h1-h4")
    assert at.is_over
    assert at.scores == [4, 0, 0]


def full_colors(*colors: tuple[str, int], seats: int) -> str:
    """Boards on which whole colours are taken, by all seats in turn."""
    names = [name for color, board in colors for name in fields_of(color, board)]
    drawing = EMPTY
    for index, name in enumerate(names):
        drawing = with_tiles(name, of=index % seats + 1, upon=drawing)
    return drawing


def test_the_game_ends_when_no_pair_is_possible():
    """GE-E2: each colour is full on one of the boards, so it takes 36 tiles; two players have 28."""
    colors = (("R", 0), ("O", 0), ("Y", 0), ("G", 1), ("B", 1), ("V", 1))
    last = fields_of("V", 1)[-1]
    nearly = with_tiles(last, of=".", upon=full_colors(*colors, seats=4))
    at = table(nearly, seats=4, points="0 0 / 1 0 / 0 0 / 0 1")
    assert {move.split()[1] for move in at.legal_moves()} == {last}
    at.play(at.legal_moves()[0])
    assert at.is_over
    assert at.ranks == [3, 1, 3, 1], "ties share the victory and the other places"
    assert at.log()[-1] == "No colour has an empty field on both boards; the game ends. (GE-E2)"
    assert refused(at, "a2 h2", 0) == "GE-E2"


def test_the_game_ends_after_60_rounds():
    """GE-E2: 60 turns of each player."""
    at = table(round=60, turn=2, starter=1, seats=2, points="1 0 / 1 1")
    at.play(at.legal_moves()[0])
    assert at.is_over
    assert at.ranks == [2, 1]
    assert at.log()[-1] == "Round 60 was the last; the game ends. (GE-E2)"
    earlier = table(round=60, turn=1, starter=1, seats=2)
    earlier.play(earlier.legal_moves()[0])
    assert not earlier.is_over
    assert table(round=59, turn=2, starter=1, seats=2).play("a1 h1")


@pytest.mark.parametrize(
    ("points", "ranks"),
    [
        ("1 0 / 0 1 / 0 0 / 2 0", [2, 2, 4, 1]),
        ("1 1 / 2 0 / 0 1 / 0 0", [1, 1, 3, 4]),
        ("0 0 / 0 0 / 0 0 / 0 0", [1, 1, 1, 1]),
    ],
)
def test_places_go_by_points_and_ties_share(points, ranks):
    """GE-E2, GE-E3"""
    assert table(seats=4, points=points).ranks == ranks


# Whatever is not a rule of its own


def test_nothing_is_hidden():
    at = table(with_tiles("a1", "h1"))
    for seat in (0, 1, 2, WATCHER):
        assert GAME.hide(at.state, seat).tobytes() == at.state.tobytes()


def test_every_number_of_a_move_is_packed_and_unpacked():
    parts = (35, 35, 36, 36, 1, 20, 20)
    assert rules.unpack(rules.pack(*parts)) == parts
    assert rules.pack(*parts) < pieces.STARTS < pieces.MOVES < 1 << 31
    for move in (pieces.STARTS, pieces.STARTS + 3, pieces.SIDE_DRAWS, pieces.SIDE_DRAWS + 3):
        assert parse_move(write_move(move)) == move


def test_threats_are_the_fields_that_would_complete_a_line():
    at = table(with_tiles("c4", "d4", "e4", upon=with_tiles("f4", "h2", "h3", "h4", of=2)))
    assert tell.find_threats(at.state) == [[read_field("b4")], [read_field("h1"), read_field("h5")], []]
    said = tell.say_threats(tell.find_threats(at.state), ("Ann", "Ben", "Cleo"), at.words)
    assert said == "One tile short of a line: Ann: b4; Ben: h1, h5."
    none = tell.find_threats(table().state)
    assert tell.say_threats(none, ("A", "B", "C"), at.words) == "Nobody is one tile short of a line."


def test_the_only_line_that_a_tile_completes_is_not_pointed_at():
    """GE-P3: where there are several, one of them is chosen."""
    at, several = table(with_tiles("a3", "b3", "d3")), table(with_tiles("a3", "b3", "d3", "e3"))

    def meant(at: Table, seat: int, *spots: str) -> str:
        return at.game.write_move(at.game.move_along(at.state, seat, spots))

    assert meant(at, 0, "k1", "c3") == "c3 k1 +a3-d3"
    assert meant(several, 0, "c3", "k1", "c3+b3-e3") == "c3 k1 +b3-e3"
    assert meant(several, 0, "c3", "k1") == "c3 k1"
    assert meant(at, WATCHER, "c3", "k1") == "c3 k1"


def test_positions_of_these_tests_are_written_as_they_are_read():
    assert table(with_tiles("a1", "h1"), board2=OWN).position() == position(
        with_tiles("a1", "h1"), board2=OWN
    )
