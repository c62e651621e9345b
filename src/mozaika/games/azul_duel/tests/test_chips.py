"""The bonus chips: turned, taken and paid."""

from functools import cache
from itertools import combinations, product
from random import Random

import pytest

from mozaika.games.azul_duel import pieces
from mozaika.games.azul_duel.chips import can_pay
from mozaika.games.azul_duel.notation import list_payment, parse_move, write_move
from mozaika.games.azul_duel.pieces import CHIP_LETTERS, LETTERS
from mozaika.games.azul_duel.stages import STAGES
from mozaika.games.azul_duel.tests.boards import Duel, choice_state, duel, legal, on_row, tiling, weights
from mozaika.games.azul_duel.validity import count_chips
from mozaika.state import CHANCE, State


def test_four_equal_tiles_turn_the_chip():
    """Example 4 (AD-T2): what shows up is drawn from the chips that nobody has seen."""
    at = duel(sun=["RRRR", "BYRK"], store=("R K", "B"), chips="? ? BR -", chosen=(1, 0))
    at.play("F1 red >4")
    assert at.movers == [CHANCE]
    assert at.field("chips") == "turning ? BR -"
    drawn = weights(at.state)
    seen = count_chips(at.state)
    assert drawn == {f"chip {name}": 2 - n for name, n in zip(CHIP_LETTERS, seen, strict=True) if n < 2}
    at.draw("chip TY")
    assert at.field("chips") == "TY ? BR -"
    assert at.movers == [1]
    at.play("chip F1")
    assert at.refuses("chip F2", 0) == "AD-D1"


def test_the_last_tile_of_a_small_moon_turns_its_chip():
    """AD-T4: several chips at once, the first factory first."""
    at = duel(moon=["B", "KB", "B", "BK", "BB"], sun=["-"] * 5)
    at.play("moon blue >6")
    assert at.field("moon") == "- K - BK -"
    assert at.field("chips") == "turning ? turning ?"
    assert at.state["line_count"][0, 5] == 5
    at.draw("chip T, chip TY")
    assert at.field("chips") == "T ? TY ?"
    assert at.movers == [1]


def test_exactly_two_chips_in_a_round():
    """AD-D1"""
    at = duel(chips="B KB - -", chosen=(2, 0), turn=2, sun=["-", "-", "-", "-", "BBYYK"])
    assert at.refuses("chip F3") == "AD-D1"
    at.play("chip F2")
    assert at.field("store") == "- / KB"
    assert at.refuses("chip F1") == "AD-D1"
    at.play("large black >1")
    at.play("chip F1")
    assert at.field("chips") == "- - - -"
    assert at.field("chosen") == "2 / 2"


def test_a_face_down_chip_cannot_be_taken():
    """AD-D1"""
    at = duel(sun=["BBYY"], moon=["-", "R"])
    assert at.refuses("chip F1") == "AD-D1"
    assert at.refuses("chip F2") == "AD-D1"


def with_chips(store: str) -> Duel:
    """Two turquoise in line 3 and three red in line 4, each with one space for its colour."""
    board = """
          - | ko tr ..
          - | yt bo ..
         TT | .. tk ..
        RRR | .. r? ..
          - | .. .. ..
          - | .. .. ..
    """
    return tiling(board, store=(store, "-"))


def test_chips_of_the_rulebook():
    """Example 6 (AD-W4): two half-turquoise chips for line 3, or any three for line 4."""
    at = with_chips("TY RT B")
    assert at.legal_moves() == ["line 3 >c3 pay TY RT", "line 3 stays"]
    other = at.copy()
    at.play("line 3 >c3 pay TY RT")
    assert at.field("tiles").split(" / ")[0].split()[2] == "..T..."
    assert at.field("tower") == "T1"
    assert at.state["tiled"][0] == 1
    assert at.state["round"] == 3
    other.play("line 3 stays")
    assert other.legal_moves() == ["line 4 >c3 pay B TY RT", "line 4 >c4 pay B TY RT", "line 4 stays"]
    other.play("line 4 >c4 pay B TY RT")
    assert other.field("tower") == "R2"
    assert other.field("lines").split(" / ")[0] == "- - TT - - -"


def test_used_chips_are_turned_over_for_good():
    """AD-W4"""
    at = with_chips("TY RT B")
    at.play("line 3 >c3 pay TY RT")
    assert at.field("store").split(" / ")[0] == "B"
    assert {"TY", "RT"} <= set(at.field("spent").split(" / ")[0].split())


def test_what_chips_cannot_do():
    """AD-W4: no chip too many, no chip one does not have, no payment for a complete line."""
    at = with_chips("TY RT B")
    assert at.refuses("line 3 >c3 pay B TY RT") == "AD-W4"
    assert at.refuses("line 3 >c3 pay TY B") == "AD-W4"
    assert at.refuses("line 3 >c3 pay T T") == "AD-W4"
    assert at.refuses("line 3 >c3") == "AD-W4"
    assert at.refuses("line 3 >c4 pay TY RT") == "AD-W4"
    at = tiling(on_row("YY", "ko tr rt", "yt bo y?"), store=("Y TY", "-"))
    assert at.refuses("line 2 >c1 pay Y TY") == "AD-W4"


def test_two_chips_that_do_not_pay_leave_no_choice():
    """AD-W4"""
    assert with_chips("TY B").state["round"] == 3
    assert with_chips("R BR").movers == [0]


def test_an_empty_line_cannot_be_bought():
    """AD-W4: at least one tile must lie there."""
    at = tiling(on_row("-", "ko tr rt", "yt bo y?"), store=("Y Y TY TY", "-"))
    assert at.state["round"] == 3


def test_chips_are_not_spent_on_a_line_without_a_space():
    """AD-W4: only if its tile can be placed at once."""
    at = tiling(on_row("R", "yk yb ..", "to ko .."), store=("R R BR BR", "-"))
    assert at.field("lines").split(" / ")[0].split()[1] == "R"
    assert at.movers == [CHANCE]


def test_several_missing_tiles():
    """AD-W4: two chips for one and three for the other, if they last."""
    board = on_row("KKKK", "yb bt ot", "ko or yb", 6)
    at = tiling(board, store=("K K YK KB", "-"))
    assert at.legal_moves() == ["line 6 >c1 pay K K YK KB", "line 6 stays"]
    assert tiling(board, store=("K K T Y", "-")).state["phase"] != pieces.TILING
    at = tiling(board, round=3, store=("K K T TY R", "-"))
    assert at.legal_moves() == ["line 6 >c1 pay R K K T TY", "line 6 stays"]
    at.play("line 6 >c1 pay R K K T TY")
    assert at.field("tower") == "K3"
    assert at.field("store").split(" / ")[0] == "-"


@cache
def enough(chips: tuple[str, ...], letter: str, missing: int) -> bool:
    """Whether chips pay for so many tiles, said once more as the rulebook says it: tile by tile."""
    if missing == 0:
        return True
    for size in (2, 3):
        for paid in combinations(range(len(chips)), size):
            if size == 3 or all(letter in chips[n] for n in paid):
                rest = tuple(chip for n, chip in enumerate(chips) if n not in paid)
                if enough(rest, letter, missing - 1):
                    return True
    return False


@pytest.mark.parametrize("letter", LETTERS)
def test_payments_are_all_those_from_which_no_chip_can_be_left_out(letter):
    """AD-W4: compared with every subset of random stores, for one to three missing tiles."""
    random = Random(letter)
    state = choice_state()
    for missing, size in product((1, 2, 3), (2, 5, 7, 8)):
        box = [name for name in CHIP_LETTERS for _ in range(2)]
        store = tuple(sorted(random.sample(box, size), key=CHIP_LETTERS.index))
        state["store"][0] = [store.count(name) for name in CHIP_LETTERS]
        state["line_color"][0, 5], state["line_count"][0, 5] = LETTERS.index(letter), 6 - missing
        expected = set()
        for n in range(size + 1):
            for paid in combinations(store, n):
                minimal = not any(enough(paid[:k] + paid[k + 1 :], letter, missing) for k in range(n))
                if enough(paid, letter, missing) and minimal:
                    expected.add(" ".join(paid))
        texts = [write_move(move) for move in legal(state, 0)]
        assert texts[-1] == "line 6 stays"
        assert {text.split(" pay ")[1] for text in texts[:-1]} == expected
        assert can_pay(state, 0, LETTERS.index(letter), missing) == bool(expected)
        assert sorted(by_stages(state, [])) == legal(state, 0)


def by_stages(state: State, made: list[int]) -> list[int]:
    """The moves of the first seat to which these choices lead, chip by chip."""
    following = STAGES.next_choices(state, 0, made)
    if made and not following:
        return [STAGES.join_choices(state, made)]
    return [move for choice in following for move in by_stages(state, [*made, choice])]


def test_a_payment_is_written_chip_by_chip():
    """AD-W4"""
    move = parse_move("line 4 >c2 pay KB T KB")
    payment = (move - pieces.TILINGS) // 6 % pieces.PAYMENTS
    assert list_payment(payment) == ["T", "KB", "KB"]
    with pytest.raises(ValueError, match="There are only 2 chips KB"):
        parse_move("line 4 >c2 pay KB KB KB")


def test_only_real_tiles_go_to_the_tower():
    """AD-W6: chips replace tiles; one real tile moves to the dome."""
    at = tiling(on_row("K", "yb .. ..", "ko .. .."), store=("K YK", "-"))
    at.play("line 2 >c1 pay K YK")
    assert at.field("tower") == "-"
    at = with_chips("TY RT B")
    at.play("line 3 >c3 pay TY RT")
    assert at.field("tower") == "T1"
