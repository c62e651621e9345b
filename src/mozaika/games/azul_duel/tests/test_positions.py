"""Positions that cannot be are refused with a sentence that says why; those of real games never are."""

from random import Random

import pytest

from mozaika.games.azul_duel import rules, setup
from mozaika.games.azul_duel.knowledge import guess, hide
from mozaika.games.azul_duel.pieces import DuelOptions
from mozaika.games.azul_duel.positions import write_position
from mozaika.games.azul_duel.reading import parse_position, read_position
from mozaika.games.azul_duel.tests.boards import BARE, legal, position, walk
from mozaika.kernel import new_random
from mozaika.state import CHANCE

OFFER = {"sun": ["BBYR"]}
NO_CHIPS = {"chips": "- - - -", "chosen": (2, 2)}
PLATES = {"round": 3, "unseen": "4 6 7", "shown": "- - -", "scores": (5, 5)}
CHOOSING = """
    - | ko tr rt
   YY | yt bo y?
    - | .. .. ..
    - | .. .. ..
    - | .. .. ..
    - | .. .. ..
"""
BREAKING = CHOOSING.replace("YY | yt bo y?", " - | yt bo y?").replace("- | ko", "B | ko")
FILLED = CHOOSING.replace("ko tr", "K* tr")
UNFILLED = CHOOSING.replace("ko tr", "Ko tr").replace("yt bo", "YT bo")
BROKEN = BARE + "\nKK"
FIRST = (
    "azul_duel 2; objectives rows columns diagonals; round 1; phase acquire; starter 1; turn 1; "
    "marker large; dealt 21; bag B10 Y10 R6 K9 T9; tower -; sun BYRK YKTT BBYR RRRR RKKTT; moon - - - - -; "
    "chips ? ? ? ?; top special; unseen 1 2 4 5 6 8 9 11 13 14 15 16 17; shown 3 18 12; hand -; under -; "
    "score 5 / 5; points 0 0 0 0 / 0 0 0 0; tokens 2 / 2; chosen 0 / 0; store - / -; spent - / -; "
    "lines - - - - - - / - - - - - -; domes 10t1 - - - - - - - - / - - - - 7t0 - - - -; "
    "tiles ...... ...... ...... ...... ...... ...... / ...... ...... ...... ...... ...... ......; "
    "broken - / -"
)
"""The first turn of the first round."""
TAKEN = {"turn 1": "turn 2", "RKKTT": "-", "- - - - -;": "- - - - RTT;", "lines - -": "lines - KK"}
"""Seat 1 has taken two black tiles from the large factory."""


def test_newlines_may_stand_between_the_fields():
    assert write_position(parse_position(FIRST.replace("; ", "\n"))) == FIRST


@pytest.mark.parametrize(
    ("seed", "bold"),
    [
        (0, 0.0),
        (1, 0.5),
        (2, 0.5),
        *(pytest.param(seed, 0.0, marks=pytest.mark.long) for seed in range(1, 6)),
        *(pytest.param(seed, 0.5, marks=pytest.mark.long) for seed in (0, 3, 4, 5)),
    ],
)
def test_no_position_of_a_game_is_refused(seed, bold):
    """Nor one that a player holds possible; and each comes back as it was, byte for byte."""
    options = DuelOptions(objectives=("3", "4", "first_game")[seed % 3], start=("random", "1", "2")[seed % 3])
    for n, (state, _, _) in enumerate(walk(Random(seed), options, bold)):
        assert parse_position(write_position(state)).tobytes() == state.tobytes()
        if n % 7 == 0:
            for seat in range(2):
                guessed = guess(hide(state, seat), seat, new_random(n))
                assert parse_position(write_position(guessed)).tobytes() == guessed.tobytes()


def test_a_damaged_position_is_refused_or_possible():
    """Whatever is cut out, doubled or overwritten: a sentence, or a position that can be written again."""
    random = Random(5)
    texts = [write_position(state) for state, _, _ in walk(random, bold=0.4)]
    refused = 0
    for _ in range(1_500):
        text = random.choice(texts)
        start = random.randrange(len(text))
        stop = start + random.randrange(1, 12)
        patch = random.choice(["", text[start:stop] * 2, *"0159-?*BYRKT/; ", "special", "7@1=7", "99"])
        try:
            state = parse_position(text[:start] + patch + text[stop:])
        except ValueError as error:
            refused += 1
            assert str(error)[0].isupper() or str(error)[0] == "“", error
            assert str(error).endswith("."), error
        else:
            assert parse_position(write_position(state)).tobytes() == state.tobytes()
            movers = rules.movers(state)
            for seat in (0, 1, CHANCE):
                assert bool(legal(state, seat)) == bool(movers >> seat & 1)
    assert refused > 1_000


@pytest.mark.parametrize(
    ("boards", "fields", "sentence"),
    [
        # tiles and boards
        ((BARE.replace("-", "BB", 1),), OFFER, "“lines” has room for 1 tiles there, not for “BB”"),
        (
            (BARE.replace("- | .. .. ..\n- |", "- | .. .. ..\nBY |", 1),),
            OFFER,
            "Line 2 holds tiles of one colour",
        ),
        ((BARE + "\nBBBBB",), OFFER, "“broken” has room for 4 tiles there, not for “BBBBB”"),
        ((BARE,), {"sun": ["BBBBB"]}, "“sun” has room for 4 tiles there"),
        ((BARE,), {"sun": ["BGBB"]}, "“sun” has tiles B, Y, R, K, T or -, not “G”"),
        ((BARE,), {"moon": ["BBBB"]}, "“moon” has room for 3 tiles there"),
        ((BARE,), {"moon": ["-", "-", "-", "-", "BBBBB"]}, "“moon” has room for 4 tiles there"),
        ((BARE,), {"sun": ["BB"], "moon": ["Y"]}, "on its sun side or on its moon side, not on both (AD-T1)"),
        ((UNFILLED,), OFFER, "row 1, column 2 of seat 1 is filled when its plate is, and only then (AD-W5)"),
        ((FILLED,), OFFER, "row 1, column 2 of seat 1 is filled when its plate is, and only then (AD-W5)"),
        # objectives and the beginning
        ((BARE,), {**OFFER, "objectives": "rows columns"}, "There are 3 or 4 objectives"),
        ((BARE,), {**OFFER, "objectives": "rows five_colors edge"}, "never two sides of one plate (AD-S1)"),
        ((BARE,), {**OFFER, "objectives": "rows rows edge"}, "There are 3 or 4 objectives"),
        ((BARE,), {**OFFER, "objectives": "rows edge snow"}, "An objective is one of rows, five_colors"),
        # plates and tokens
        ((BARE,), {**OFFER, "round": 3, "tokens": (3, 0)}, "“tokens” is a number from 0 to 2, not “3”"),
        ((BARE,), {**OFFER, "round": 3, "shown": "1 2 2"}, "Each of the 18 plates has one place"),
        ((BARE,), {**PLATES, **OFFER, "unseen": "4 4 7"}, "Plate 4 is unseen twice"),
        ((BARE,), {**OFFER, "round": 3, "shown": "1 2 19"}, "“shown” is a number from 1 to 18, not “19”"),
        (
            (BARE,),
            {**OFFER, "tokens": (2, 1), "shown": "- - 1"},
            "The display lacks more plates than have been",
        ),
        (
            (BARE,),
            {**OFFER, "unseen": "4 6", "top": "special", "round": 3},
            "Each of the 18 plates has one place",
        ),
        # the hand and what is under the stack
        ((BARE,), {**OFFER, "hand": "special"}, "There are plates in the hand while they are drawn"),
        ((BARE,), {**OFFER, "phase": "drawing"}, "There are plates in the hand while they are drawn"),
        (
            (BARE,),
            {**OFFER, "phase": "choice", "hand": "special"},
            "looks at all drawn plates before placing one",
        ),
        (
            (BARE,),
            {**OFFER, "phase": "look", "hand": "7@1=-+"},
            "looks at all drawn plates before placing one",
        ),
        ((BARE,), {**OFFER, "phase": "return", "hand": "7@1=-+"}, "Plates to be returned are two or more"),
        (
            (BARE,),
            {**OFFER, "phase": "return", "hand": "8@1=-+ 7@1=-+"},
            "in the order of their numbers (AD-A3)",
        ),
        (
            (BARE,),
            {**OFFER, "phase": "return", "hand": "7@1=-+ 8@1=7+"},
            "in the order of their numbers (AD-A3)",
        ),
        ((BARE,), {**OFFER, "under": "special"}, "A plate in a pile is written as in “7@1=3,7+”"),
        ((BARE,), {**OFFER, "under": "7@3=-+"}, "A plate in a pile is written as in “7@1=3,7+”"),
        ((BARE,), {**OFFER, "under": "7@1=8"}, "“7@1=8” leaves out plate 7 itself"),
        ((BARE,), {**OFFER, "under": "7@1=2,7"}, "The back of plate 7 shows its kind"),
        ((BARE,), {**OFFER, "under": "7@1=7,9"}, "Seat 2 cannot believe that about plate 9 (AD-A3)"),
        ((BARE,), {**OFFER, "under": "7@1=-+ 8@1=7,8"}, "Seat 2 cannot believe that about plate 7 (AD-A3)"),
        # factories and chips
        (
            (BARE,),
            {**OFFER, "chips": "B ? ? ?"},
            "A chip is face down while there are tiles on its factory (AD-T2)",
        ),
        ((BARE,), {"sun": ["-", "BYRK"], "chips": "? ? - -"}, "A chip is face down while there are tiles"),
        (
            (BARE,),
            {**OFFER, "chips": "Q - - -"},
            "A chip is one of B, Y, R, K, T, TY, YK, KB, BR, RT, not “Q”",
        ),
        (
            (BARE,),
            {**OFFER, "chosen": (2, 2)},
            "There are 4 chips in a round, on the factories or taken (AD-D1)",
        ),
        ((BARE,), {**OFFER, "spent": "- / -"}, "Seat 1 has not taken 0 chips by now (AD-D1)"),
        ((BARE,), {**OFFER, "store": ("B B B", "-")}, "There are 2 chips B in the box, not 3 (AD-B1)"),
        ((BARE,), {**OFFER, "chosen": (3, 0)}, "“chosen” is a number from 0 to 2, not “3”"),
        (
            (BARE,),
            {"sun": ["-", "-", "-", "-", "BYR"], "marker": "1"},
            "until a tile leaves its moon side (AD-T4)",
        ),
        ((BARE,), {**OFFER, "phase": "stack"}, "The position lacks the field “stacking”"),
        ((BARE,), {**OFFER, "phase": "stack", "stacking": "1"}, "two or three tiles, not all equal (AD-T1)"),
        (
            (BARE,),
            {"sun": ["YY"], "phase": "stack", "stacking": "1"},
            "two or three tiles, not all equal (AD-T1)",
        ),
        ((BARE,), {**OFFER, "stacking": "1"}, "The field “stacking” belongs to the phase stack"),
        # dealing
        ((BARE,), {"round": 5, "phase": "deal", "dealt": 3, **NO_CHIPS}, "The large factory is filled first"),
        (
            (BARE,),
            {"round": 5, "phase": "deal", "dealt": 4, "sun": ["BBBB"], "chips": "- - - -", "chosen": (0, 0)},
            "The large factory is filled first, then the small ones in turn (AD-N2)",
        ),
        (
            (BARE,),
            {"round": 5, "phase": "deal", "dealt": 0, "bag": "-", "chips": "- - - -", "chosen": (0, 0)},
            "A tile is wanted and the bag is empty; the tower is poured into it (AD-N2)",
        ),
        ((BARE,), {**OFFER, "dealt": 7}, "When the tiles are dealt, “dealt” is 21 (AD-N2)"),
        # points and turns
        ((BARE,), {**OFFER, "points": "0 0 0 0 / 9 0 0 0"}, "The points of seat 2 make 14, not 5 (AD-P5)"),
        ((BARE,), {**OFFER, "points": "61 0 0 61 / 0 0 0 0"}, "Seat 1 cannot have lost so much (AD-P4)"),
        ((BARE,), {**OFFER, "scores": (-1, 5)}, "“score” is a number from 0 to 999, not “-1”"),
        (
            (BARE,),
            {**OFFER, "points": "0 0 0 / 0 0 0 0"},
            "“points” has 4 parts with spaces between them, not 3",
        ),
        ((BARE,), {"chips": "B B - -", "chosen": (2, 0)}, "Seat 1 cannot act, so it is not its turn (AD-E2)"),
        ((BARE,), {**OFFER, "turn": 3}, "“turn” is a number from 1 to 2, not “3”"),
        ((BARE,), {**OFFER, "phase": "lunch"}, "“phase” is one of aim, choose, refill, deal, setup, acquire"),
        ((BARE,), {"phase": "over", "round": 4, **NO_CHIPS}, "The game is over after round 5 (AD-F1)"),
        ((BARE,), {"phase": "over", "round": 5, **OFFER}, "No tiles lie on the factories now (AD-E1)"),
        # tiling
        ((CHOOSING,), {"phase": "tiling", **NO_CHIPS}, "The position lacks the field “tiling”"),
        (
            (CHOOSING,),
            {"phase": "tiling", "tiling": "- / -", **NO_CHIPS},
            "Line 2 of seat 1 must be placed (AD-W1)",
        ),
        (
            (CHOOSING,),
            {"phase": "tiling", "tiling": "3 / -", **NO_CHIPS},
            "Line 2 of seat 1 must be placed (AD-W1)",
        ),
        (
            (CHOOSING,),
            {"phase": "tiling", "tiling": "1 / -", **NO_CHIPS},
            "Line 1 leaves seat 1 no choice (AD-W1)",
        ),
        ((CHOOSING,), {"phase": "tiling", "tiling": "7 / -", **NO_CHIPS}, "“tiling” is a number from 1 to 6"),
        (
            (CHOOSING, BROKEN),
            {"phase": "tiling", "tiling": "2 / -", **NO_CHIPS},
            "no broken tiles any more (AD-P4)",
        ),
        (
            (BARE,),
            {"phase": "tiling", "tiling": "- / -", **NO_CHIPS},
            "Both have tiled, so the tiling is over (AD-W6)",
        ),
        (
            (BREAKING,),
            {"phase": "tiling", "tiling": "- / -", **NO_CHIPS},
            "Line 1 of seat 1 must break (AD-W3)",
        ),
        (
            (CHOOSING,),
            {"phase": "tiling", "tiling": "2 / -", **OFFER},
            "No tiles lie on the factories now (AD-E1)",
        ),
        ((CHOOSING,), {"tiling": "2 / -", **OFFER}, "The field “tiling” belongs to the phase tiling"),
    ],
)
def test_impossible_positions(boards, fields, sentence):
    with pytest.raises(ValueError) as refusal:
        parse_position(position(*boards, **fields))
    assert sentence in str(refusal.value)


def test_a_tile_lies_on_its_colour_or_on_wild():
    """AD-W1"""
    text = position(CHOOSING, **OFFER)
    assert read_position(text)
    with pytest.raises(
        ValueError, match=r"The tile in row 1, column 1 of seat 1 is not on a space for it \(AD-W1\)"
    ):
        parse_position(text.replace("tiles ......", "tiles R.....").replace("R12", "R11"))


BEGINNING = (
    "azul_duel 2; objectives 3 of random random random random; round 1; phase aim; starter 1; turn 1; "
)


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("azul_duel 2", "azul_duel 3", "“azul_duel” is a number from 2 to 2, not “3”"),
        ("round 2", "round two", "“round” is a number from 1 to 5, not “two”"),
        ("round 2", "round 6", "“round” is a number from 1 to 5, not “6”"),
        ("round 2; ", "", "The position lacks the field “round”"),
        ("round 2; ", "round 2; round 2; ", "The position gives “round” twice"),
        ("round 2; ", "round 2; weather fine; ", "has no field “weather”"),
        ("bag B11", "bag B10", "There are 13 blue tiles in the box, not 12 (AD-B1)"),
        ("bag B11", "bag B11 B11", "“bag” counts each colour once"),
        ("bag B11", "bag B14", "“bag” is a number from 0 to 13, not “14”"),
        ("bag B11", "bag x", "“bag” counts each colour once, as in “B12 Y9”, not “x”"),
        ("sun BBYR - - - -", "sun BBYR -", "“sun” has 5 parts with spaces between them, not 2"),
        ("lines - - - - - -", "lines - -", "“lines” has 6 parts with spaces between them, not 2"),
        ("lines - - - - - - / ", "lines ", "“lines” needs 2 values"),
        ("tiles ......", "tiles .....", "A dome row is six spaces (. BYRKT *), not “.....”"),
        ("domes -", "domes 5", "A slot of a dome is - or a plate and its turn, as in 7t1, not “5”"),
        ("domes -", "domes 5t4", "A slot of a dome is - or a plate and its turn, as in 7t1, not “5t4”"),
        ("domes -", "domes 19t0", "“domes” is a number from 1 to 18, not “19”"),
        ("domes -", "domes 18t0", "Each of the 18 plates has one place"),
        ("marker large", "marker small", "“marker” is a number from 1 to 2, not “small”"),
        ("top special", "top red", "“top” is one of -, special, wild, not “red”"),
        ("tokens 0 / 0", "tokens 1 / 0", "Seat 1 should have 4 plates by now, not 5 (AD-A5)"),
        ("phase acquire", "phase setup", "Seat 1 cannot have 0 tokens left now (AD-A5)"),
        ("phase acquire", "phase aim", "“objectives” is a number from 3 to 4"),
        ("phase acquire", "phase choose", "drawn before anything else (AD-S1)"),
        ("phase acquire", "phase tiling; tiling 1 / -", "No tiles lie on the factories now (AD-E1)"),
        ("phase acquire", "phase refill", "tokens left now (AD-A5)"),
    ],
)
def test_texts_that_are_no_position(old, new, sentence):
    text = position(**OFFER)
    assert old in text
    with pytest.raises(ValueError) as refusal:
        parse_position(text.replace(old, new, 1))
    assert sentence in str(refusal.value)


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("3 of random", "5 of random", "“objectives” is a number from 3 to 4, not “5”"),
        ("3 of random random", "3 of random", "“objectives” has 4 parts with spaces between them, not 3"),
        (
            "3 of random",
            "3 of edge",
            "Objective plate 1 is one of random, rows, five_colors, out, not “edge”",
        ),
        (
            "3 of random random random random",
            "3 of rows edge corners out",
            "there is nothing to draw (AD-S1)",
        ),
        ("round 1", "round 2", "The objectives and the start player are drawn before anything else (AD-S1)"),
        ("dealt 0", "dealt 4", "The objectives and the start player are drawn before anything else (AD-S1)"),
        ("top -", "top wild", "The objectives and the start player are drawn before anything else (AD-S1)"),
        ("bag B13", "bag B12", "There are 13 blue tiles in the box, not 12 (AD-B1)"),
        ("tokens 2 / 2", "tokens 2 / 1", "Seat 2 cannot have 1 tokens left now (AD-A5)"),
    ],
)
def test_texts_that_are_no_beginning(old, new, sentence):
    """AD-S1"""
    text = write_position(setup.new(2, DuelOptions()))
    assert text.startswith(BEGINNING)
    assert old in text
    with pytest.raises(ValueError) as refusal:
        parse_position(text.replace(old, new, 1))
    assert sentence in str(refusal.value)


DEALING = {"round": 3, "phase": "deal", "dealt": 0, "tokens": (2, 2), "chips": "- - - -", "chosen": (0, 0)}
COMPLETE = "- | ko tr rt\nYY | yt bo y?\n" + "\n".join(["- | .. .. .."] * 4)
NEW = write_position(setup.new(2, DuelOptions()))


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (position(**DEALING, shown="- - -"), "The display is refilled before tiles are dealt (AD-N1)"),
        (position(BARE + "\nKK", **DEALING), "no broken tiles any more (AD-P4)"),
        (position(COMPLETE, **DEALING), "Line 2 of seat 1 must be placed (AD-W1)"),
        (position(moon=[*"----", "BBYY"], marker="1"), "until a tile leaves its moon side (AD-T4)"),
        (NEW.replace("starter 1; turn 1", "starter 2; turn 2"), "starter and turn are 1 (AD-S3)"),
        (
            NEW.replace("score 5 /", "score 9 /").replace("points 0", "points 4", 1),
            "before anything else (AD-S1)",
        ),
    ],
)
def test_what_no_game_leads_to_is_refused(text, sentence):
    with pytest.raises(ValueError) as refusal:
        parse_position(text)
    assert sentence in str(refusal.value)


def change(*changes: dict[str, str]) -> str:
    text = FIRST
    for each in changes:
        for old, new in each.items():
            assert old in text
            text = text.replace(old, new, 1)
    return text


def test_a_first_turn_is_possible():
    for text in (FIRST, change(TAKEN)):
        assert write_position(parse_position(text)) == text


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        # whose turn it is
        ([{"turn 1": "turn 2"}], "it is not the turn of seat 2 (AD-1)"),
        ([TAKEN, {"turn 2": "turn 1"}], "it is not the turn of seat 1 (AD-1)"),
        ([TAKEN, {"lines - KK": "lines - -", "/ - - - - - -": "/ - KK - - - -"}], "Seat 2 has had too few"),
        # the large factory
        ([{"RKKTT": "-", "R6 K9 T9": "R7 K11 T11"}], "so 44 are in the bag (AD-N2)"),
        ([{"RKKTT": "-", "tower -": "tower R1 K2 T2"}], "brought somebody the start marker (AD-T4)"),
        ([{"RKKTT": "KKKKK", "R6 K9 T9": "R7 K6 T11"}], "Five equal tiles go back"),
        ([TAKEN, {"marker large": "marker 1"}], "it is not the turn of seat 2 (AD-1)"),
        (
            [TAKEN, {"marker large": "marker 1", "RTT": "KRT", "lines - KK": "lines K T"}],
            "it is not the turn of seat 2 (AD-1)",
        ),
        (
            [TAKEN, {"marker large": "marker 1", "RTT": "KRTT", "lines - KK": "lines K -"}],
            "until a tile leaves its moon side (AD-T4)",
        ),
        # tiles that were dealt and taken
        ([{"BYRK": "BYR", "K9": "K10"}], "so 44 are in the bag (AD-N2)"),
        ([{"BYRK": "BYR", "lines -": "lines K"}], "on its sun side until somebody takes some (AD-T1)"),
        ([TAKEN, {"lines - KK": "lines - -", "tower -": "tower K2"}], "only when four are broken (AD-L2)"),
        ([{"K9": "K8", "broken -": "broken K"}], "so 44 are in the bag (AD-N2)"),
        # points
        ([{"score 5": "score 6", "points 0": "points 1"}], "have brought 0 points, not 1 (AD-P2)"),
        ([{"score 5": "score 6", "points 0 0": "points 0 1"}], "have brought 0 points, not 1 (AD-W5)"),
        ([{"score 5": "score 4", "points 0 0 0": "points 0 0 1"}], "cannot have paid for so many plates"),
        ([{"score 5": "score 4", "points 0 0 0 0": "points 0 0 0 1"}], "cannot have lost so much"),
    ],
)  # fmt: skip
def test_no_game_leads_there(changes, sentence):
    with pytest.raises(ValueError) as refusal:
        parse_position(change(*changes))
    assert sentence in str(refusal.value)
