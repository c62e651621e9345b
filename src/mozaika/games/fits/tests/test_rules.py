"""Every rule of FITS, by its id; the worked examples of the rulebook among them."""

from itertools import permutations

import numpy as np
import pytest

from mozaika.checks import refused
from mozaika.games.fits import GAME, pieces, rules, tell
from mozaika.games.fits.layout import lay_out
from mozaika.games.fits.notation import parse_move, write_move
from mozaika.games.fits.picture import lay_aside
from mozaika.games.fits.pieces import COLUMNS, DECLINE, FIRST_WAY, NAMES, PIECES, ROWS, START_PIECES, WAYS
from mozaika.games.fits.tests.boards import OWN, PLAIN, drop_of, play_out, ramp, rows_of, solo, table
from mozaika.games.fits.tests.witnesses import EXAMPLES, PERFECT, WITNESSES, Witness
from mozaika.moves import IllegalMove
from mozaika.state import CHANCE, WATCHER
from mozaika.table import Table


def squares(art: tuple[str, ...]) -> frozenset[tuple[int, int]]:
    return frozenset((x, y) for y, row in enumerate(art) for x, mark in enumerate(row) if mark == "#")


# The box


@pytest.mark.parametrize("seats", [0, 5])
def test_one_to_four_players(seats):
    """FI-B1"""
    with pytest.raises(ValueError, match="1 to 4 players"):
        Table("fits", seats)


def test_sixteen_pieces_of_72_squares_for_a_ramp_of_72():
    """FI-B1: ten pentominoes without I and Z, four tetrominoes without I, both trominoes."""
    sizes = [len(squares(art)) for art in PIECES.values()]
    assert sizes == [5] * 10 + [4] * 4 + [3] * 2
    assert sum(sizes) == COLUMNS * ROWS == 72
    shapes = {min(tuple(sorted(squares(pieces.turned(art, turns, flipped)))) for turns in range(4)
                  for flipped in (False, True)) for art in PIECES.values()}  # fmt: skip
    assert len(shapes) == 16, "no piece is another one turned or flipped"
    straight = {(x, 0) for x in range(5)}
    assert all(set(shape) != straight and set(shape) != {(x, 0) for x in range(4)} for shape in shapes)
    zigzag = squares(("##.", ".#.", ".##"))
    assert all(frozenset(shape) != zigzag for shape in shapes)


@pytest.mark.parametrize(
    ("piece", "ways"),
    list(zip(NAMES, [8, 8, 8, 8, 4, 4, 4, 4, 1, 8, 1, 4, 8, 4, 2, 4], strict=True)),
)
def test_a_piece_has_so_many_ways_to_lie(piece, ways):
    """FI-P1"""
    number = NAMES.index(piece)
    found = [WAYS[way][3] for way in range(FIRST_WAY[number], FIRST_WAY[number + 1])]
    assert len(found) == len(set(found)) == ways
    assert all(len(squares(art)) == len(squares(PIECES[piece])) for art in found)


def test_the_start_cards_are_four_pieces_of_five_squares():
    """FI-B1, FI-B2: which four is our choice."""
    assert [NAMES[piece] for piece in START_PIECES] == ["L5", "T5", "U5", "V5"]


# Round


def test_a_round_begins_with_an_empty_board_and_all_pieces():
    """FI-R1, FI-S6: the ramps are cleared when the first start card of the next round is dealt."""
    at = play_out(EXAMPLES[0].drawn, EXAMPLES[0].order, boards="12")
    assert at.movers == [CHANCE]
    assert ramp(at) == rows_of(EXAMPLES[0].drawn)
    assert at.scores == [4]
    at.draw("start V5")
    assert (ramp(at), at.state["round"], at.scores) == ([], 2, [4])
    assert not at.state["aside"].any()
    assert refused(at, "L5 r0 >A") == "FI-R1"


def test_everybody_gets_another_start_card():
    """FI-R2: dealt one by one, each of those left as likely."""
    at = Table("fits", 3, draws="told")
    at.draw("start U5")
    assert at.legal_moves() == ["start L5", "start T5", "start V5"]
    weights = np.zeros(pieces.MOST_MOVES, np.int32)
    assert rules.weigh(at.state, weights) == 3
    assert weights[:3].tolist() == [1, 1, 1]
    at.draw("start V5, start L5")
    assert at.movers == [0, 1, 2]
    assert {move.split()[0] for move in at.legal_moves(1)} == {"V5", "aside"}
    at.play("aside", 1)
    assert at.state["aside"][1] == 1 << NAMES.index("V5")


def test_all_place_at_the_same_time_and_the_next_card_waits_for_all():
    """FI-R3"""
    for order in permutations(range(3)):
        at = Table("fits", 3, seed=1)
        for seat in order:
            assert seat in at.movers
            assert refused(at, "card X5", seat) == "FI-R3"
            at.play(at.legal_moves(seat)[0], seat)
            if at.state["card"] == 0:
                assert refused(at, "aside", seat) == "FI-R3"
        assert at.state["card"] > 0, "the first card was turned"


def test_sixteen_cards_make_a_round():
    """FI-R3"""
    at = solo("start L5", boards="1")
    at.play("aside")
    for n, piece in enumerate(NAMES):
        assert len(at.legal_moves(CHANCE)) == 16 - n
        at.draw(f"card {piece}")
        if piece != "L5":
            at.play("aside")
    assert at.is_over
    assert at.scores == [-72]


def test_who_started_with_the_piece_skips_its_card():
    """FI-R4"""
    at = Table("fits", 2, draws="told")
    at.draw("start L5, start T5")
    at.play("aside", 0)
    at.play("aside", 1)
    at.draw("card T5")
    assert at.movers == [0]
    assert refused(at, "T5 r0 >A", 1) == "FI-R4"
    assert "P2: skips T5: it was on the start card. (FI-R4)" in at.log()


def test_a_card_for_nobody_is_passed_over():
    """FI-R4"""
    at = solo("start L5")
    at.play("aside")
    at.draw("card L5")
    assert at.movers == [CHANCE]
    assert "card L5" not in at.legal_moves(CHANCE)


def test_a_piece_may_be_declined_and_is_then_out_for_the_round():
    """FI-R5"""
    at = solo("start L5")
    assert at.legal_moves()[-1] == "aside"
    at.play("aside")
    assert ramp(at) == []
    at.draw("card X5")
    assert refused(at, "L5 r0 >A") == "FI-R1"


def test_without_a_placement_declining_is_all_there_is():
    """FI-R5, FI-P3: the second example of the rulebook, when the last card shows the cross."""
    example = EXAMPLES[1]
    at = solo(f"start {example.order[0]}", boards="2")
    at.play(drop_of(example.drawn, example.order[0]))
    for piece in example.order[1:]:
        at.draw(f"card {piece}")
        at.play(drop_of(example.drawn, piece))
    at.draw("card X5")
    assert at.legal_moves() == ["aside"]
    assert refused(at, "X5 r0 >A") == "FI-P3"


# Placing


def test_a_piece_slides_straight_down_until_it_rests():
    """FI-P1: on the bottom edge, then on a piece; a gap that is not open from above cannot be filled."""
    at = solo("start U5")
    at.play("U5 r2 >A")
    assert ramp(at) == ["UUU...", "U.U..."]
    at.draw("card I3")
    at.play("I3 r1 >B")
    assert ramp(at) == [".i....", ".i....", ".i....", "UUU...", "U.U..."]
    x5 = parse_move("X5 r0 >D") // COLUMNS
    assert rules.closed_squares(at.state, 0, x5, 3) == [(3, 0), (5, 0)]
    u5 = parse_move("U5 r1 >D") // COLUMNS
    assert rules.closed_squares(at.state, 0, u5, 3) == [(4, 1)], "also what a piece surrounds"


def test_turns_are_clockwise_and_flipping_comes_first():
    """FI-P1"""
    at = solo("start L5")
    drawn = {
        "L5 r0 >A": ["L.....", "L.....", "L.....", "LL...."],
        "L5 r1 >A": ["LLLL..", "L....."],
        "L5 r2 >A": ["LL....", ".L....", ".L....", ".L...."],
        "L5 r3 >A": ["...L..", "LLLL.."],
        "L5 r0f >A": [".L....", ".L....", ".L....", "LL...."],
        "L5 r1f >A": ["L.....", "LLLL.."],
    }
    for move, rows in drawn.items():
        at.play(move)
        assert ramp(at) == rows
        at.undo()


def test_ways_that_look_alike_are_one_move():
    """FI-P1"""
    assert parse_move("X5 r3f >B") == parse_move("X5 >B") == parse_move("x5 r0>b")
    assert write_move(parse_move("I3 r2 >A")) == "I3 r0 >A"
    assert write_move(parse_move("S4 r0f >A")) == "S4 r0f >A"


def test_nothing_sticks_out_left_or_right():
    """FI-P2"""
    at = solo("start L5")
    assert "L5 r0 >E" in at.legal_moves()
    assert refused(at, "L5 r0 >F") == "FI-P2"
    assert refused(at, "L5 r1 >D") == "FI-P2"


def test_a_piece_may_stick_out_above_and_covers_nothing_there():
    """FI-P2"""
    example = EXAMPLES[0]
    at = play_out(example.drawn, example.order, boards="1")
    assert len(rows_of(example.drawn)) == 14
    assert at.scores == [4]
    assert at.state["heights"][0].max() == 14


def test_a_placement_that_covers_nothing_is_not_offered():
    """FI-P3"""
    at = column_of_twelve()
    assert "I3 r1 >C" in at.legal_moves()
    assert "I3 r1 >A" not in at.legal_moves()
    assert refused(at, "I3 r1 >A") == "FI-P3"


def column_of_twelve() -> Table:
    """A ramp whose first column reaches just above the board."""
    at = solo("start L5")
    for move in ("L5 r0 >A", "L4 r0 >A", "N5 r0 >A", "Y5 r2 >A"):
        if move[:2] != "L5":
            at.draw(f"card {move.split()[0]}")
        at.play(move)
    assert at.state["heights"][0, 0] >= ROWS
    at.draw("card I3")
    return at


# Scoring


@pytest.mark.parametrize("witness", WITNESSES, ids=lambda witness: witness.name)
def test_a_round_is_scored_as_in_the_rulebook(witness: Witness):
    """FI-S1, FI-S2, FI-S3, FI-S4, FI-S5: four examples and four perfect rounds, played as legal drops."""
    at = play_out(witness.drawn, witness.order, boards=str(witness.board))
    assert ramp(at) == rows_of(witness.drawn)
    assert at.scores == [witness.total]
    assert at.is_over
    squares_, rows, fields, pairs = at.state["tally"][0, 0].tolist()
    assert -squares_ == witness.dots
    assert rows == witness.full_rows
    assert fields == sum(witness.specials)
    assert pairs == 3 * (witness.pairs - witness.singles)
    open_fields = [
        rules.write_field(int(at.state["fields"][0, row * COLUMNS + column]))
        for row in range(ROWS)
        for column in range(COLUMNS)
        if not int(at.state["columns"][0, column]) >> row & 1
    ]
    values = sorted(int(field) for field in open_fields if field.lstrip("-").isdigit())
    assert values == sorted(witness.specials)


def test_only_a_board_whose_rows_score_counts_them():
    """FI-S2, FI-S7: a perfect round 1 on an own board that does not say rows."""
    perfect = PERFECT[0]
    assert play_out(perfect.drawn, perfect.order, boards="A", own=OWN).scores == [0]
    assert play_out(perfect.drawn, perfect.order, boards="A", own=f"rows/{OWN}").scores == [12]


def test_scoring_follows_the_board_into_any_round():
    """FI-S7: board 4 first, then board 1."""
    at = play_out(PERFECT[3].drawn, PERFECT[3].order, boards="41")
    assert at.scores == [15]
    assert at.tally == {
        "board 4: squares": [0],
        "board 4: pairs": [15],
        "board 1: squares": [0],
        "board 1: rows": [0],
    }


@pytest.mark.parametrize(("covered", "points"), [((), 3), (("A",), -3), (("A", "F"), 0)])
def test_a_pair_of_symbols(covered, points):
    """FI-S5: both, one or none uncovered."""
    own = "/".join([PLAIN] * 11 + ["a....a"])
    at = solo("start L5", boards="A", own=own)
    at.play("L5 r0 >A" if "A" in covered else "L5 r0 >B")
    for piece in NAMES:
        at.draw(f"card {piece}")
        if piece != "L5":
            at.play("I3 r1 >F" if piece == "I3" and "F" in covered else "aside")
    assert at.tally["board A: pairs"] == [points]


def test_rounds_are_added_up_also_negative_ones():
    """FI-S6"""
    at = Table("fits", 2, seed=5, boards="12")
    while not at.is_over:
        seat = at.movers[0]
        at.play("aside" if seat else at.ask("greedy", seat), seat)
    assert at.state["tally"][1, 0].sum() == -72
    assert at.scores[1] == -72 - (72 - 6) + 12
    assert at.scores[0] == int(at.state["tally"][0].sum())


# End and variants


def test_the_highest_total_wins_and_ties_share():
    """FI-E1"""
    at = Table("fits", 3, seed=2, boards="1")
    while not at.is_over:
        seat = at.movers[0]
        at.play(at.ask("greedy", seat) if seat == 1 else "aside", seat)
    assert at.ranks == [2, 1, 2]
    assert refused(at, "aside", 0) == "FI-E1"
    assert tell.pointed_at(at.state) == 0b010


@pytest.mark.parametrize(
    ("points", "title"),
    [
        (60, "grandmaster"),
        (31, "grandmaster"),
        (30, "master"),
        (26, "master"),
        (25, "expert"),
        (21, "expert"),
        (20, "specialist"),
        (16, "specialist"),
        (15, "novice"),
        (11, "novice"),
        (10, "trainee"),
        (6, "trainee"),
        (5, "pupil"),
        (-80, "pupil"),
    ],
)
def test_titles_of_solo_players(points, title):
    """FI-E2"""
    assert tell.name_title(points, GAME.words()) == title
    polish = {"grandmaster": "arcymistrz", "master": "mistrz", "expert": "ekspert", "pupil": "uczeń"}
    if title in polish:
        assert tell.name_title(points, GAME.words("pl")) == polish[title]


@pytest.mark.parametrize(
    ("seats", "boards", "title"),
    [(1, "1234", True), (1, "4213", True), (1, "123", False), (2, "1234", False)],
)
def test_a_title_is_earned_alone_on_our_four_boards(seats, boards, title):
    """FI-E2"""
    at = Table("fits", seats, seed=1, boards=boards)
    while not at.is_over:
        at.play("aside", at.movers[0])
    assert any("(FI-E2)" in line for line in at.log()) is title
    assert ("pupil" in tell.verdict(at.state, at.words)) is title
    assert (tell.verdict(at.state, at.words) == "") is (seats > 1)


def test_fewer_boards_make_fewer_rounds():
    """FI-V1"""
    at = Table("fits", 1, seed=1, boards="31")
    while not at.is_over:
        at.play("aside")
    assert at.state["round"] == 2
    assert sum(line.startswith("Round") for line in at.log()) == 2
    assert at.log()[0] == "Round 1 is played on board 3. (FI-R1)"


def test_a_random_order_is_drawn_before_the_first_round():
    """FI-V1: board by board; the last one has no choice."""
    at = Table("fits", 1, draws="told", boards="421", order="random")
    assert at.legal_moves() == ["board 1", "board 2", "board 4"]
    at.draw("board 4")
    assert at.legal_moves() == ["board 1", "board 2"]
    assert at.position().startswith("fits 1; boards 4?12;")
    at.draw("board 2")
    assert at.position().startswith("fits 1; boards 421;")
    assert at.legal_moves() == ["start L5", "start T5", "start U5", "start V5"]
    assert at.state["fields"][0].max() >= pieces.SYMBOLS
    assert not at.state["fields"][2].any()
    assert at.state["rows_score"].tolist() == [0, 0, 1, 0]
    fixed = Table("fits", 1, draws="told", boards="421")
    assert fixed.state.tobytes() == at.state.tobytes()


def test_one_board_needs_no_lot():
    """FI-V1"""
    assert Table("fits", 1, draws="told", boards="3", order="random").legal_moves()[0] == "start L5"


# Refusals and what is hidden


@pytest.mark.parametrize(
    ("position", "seat", "move", "rule"),
    [
        ({"boards": "12", "order": "random"}, 0, "aside", "FI-V1"),
        ({"boards": "12"}, 0, "aside", "FI-R2"),
        ({"boards": "12"}, CHANCE, "card L5", "FI-R2"),
        ({"boards": "12"}, WATCHER, "start L5", "FI-R2"),
    ],
)
def test_before_the_first_card_nobody_places(position, seat, move, rule):
    """FI-V1, FI-R2"""
    at = Table("fits", 1, draws="told", **position)
    assert rules.why_not(at.state, seat, parse_move(move)).split()[0] == rule


def test_what_is_not_turned_or_dealt_now_is_refused_with_its_reason():
    """FI-R2, FI-R3"""
    at = Table("fits", 2, draws="told")

    def refused(move: str, seat: int) -> str:
        with pytest.raises(IllegalMove) as refusal:
            at.game.read(at.state, seat, move, at.words)
        return str(refusal.value)

    assert refused("card X5", CHANCE) == "First everybody gets a start card."
    assert refused("start X5", CHANCE) == "That is no start card, or somebody has it already."
    at.draw("start L5, start T5")
    assert refused("start L5", CHANCE) == "The start cards are dealt at the beginning of a round."
    assert refused("card X5", CHANCE) == (
        "The first card is turned when everybody has placed the piece of the start card or set it aside."
    )
    at.play("aside", 0)
    assert refused("aside", 0) == "You have placed this piece; the next card is turned when everybody has."
    at.play("aside", 1)
    assert refused("aside", 0) == "First the next card is turned."
    at.draw("card X5")
    assert refused("card F5", CHANCE) == (
        "The next card is turned when everybody has placed this piece or set it aside."
    )
    assert refused("X5 >A", WATCHER) == "Only who sits at the table places pieces."
    at.play("aside", 0)
    at.play("aside", 1)
    assert refused("card X5", CHANCE) == "This card has been turned already."


def test_only_the_order_of_the_cards_is_hidden():
    """FI-R3: it is not even in the state; which cards are left is public."""
    at = table("LLLL..\nL.....", starts="L5", phase="card")
    view = GAME.hide(at.state, 0)
    assert view.tobytes() == at.state.tobytes()
    assert len(at.legal_moves(CHANCE)) == 16


def test_declining_is_a_move_of_its_own():
    """FI-R5"""
    assert parse_move("aside") == parse_move("ASIDE") == DECLINE
    assert write_move(DECLINE) == "aside"


@pytest.mark.parametrize("shape", ["wide", "tall"])
def test_all_pieces_that_can_be_set_aside_have_room(shape):
    """FI-R5"""
    for each in lay_out(4, 4, shape).ramps:
        box = each.aside
        for sprite in lay_aside(each, (1 << len(NAMES)) - 1):
            assert box.x <= sprite.x + sprite.size / 2 <= box.x + box.width
