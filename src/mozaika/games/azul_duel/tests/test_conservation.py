"""What holds in every state of a thousand random games: nothing is lost or made, and all points add up."""

from random import Random as Dice

import numpy as np
import pytest

from mozaika.games.azul_duel import rules, setup
from mozaika.games.azul_duel.dome import space_at
from mozaika.games.azul_duel.lines import broken_tiles
from mozaika.games.azul_duel.objectives import all_objectives
from mozaika.games.azul_duel.pieces import (
    ACQUIRE,
    ALL_PLATES,
    BROKEN,
    CHIP_TYPES,
    CHIPS_A_ROUND,
    FACE_UP,
    HAND,
    LAST_PLATES,
    LINES,
    MOST_MOVES,
    NO_CHIP,
    OVER,
    PLATES,
    ROUNDS,
    SMALL,
    SPECIAL,
    START_POINTS,
    TILE_SPECIAL,
    TILES_PER_COLOR,
    TILING,
    TOKENS,
    DuelOptions,
)
from mozaika.games.azul_duel.tests.boards import walk
from mozaika.kernel import compiled, kernel, new_random, random_below
from mozaika.state import CHANCE, Ints, Random, State

FAULTS = ("", "tiles", "special tiles", "plates", "chips", "points", "tokens", "boards", "moves")


@kernel
def fault(state: State) -> int:
    """What is wrong with a state, as an index of FAULTS; 0 if nothing is."""
    if not _tiles_are_kept(state):
        return 1
    if not _special_tiles_are_where_they_belong(state):
        return 2
    if not _plates_are_kept(state):
        return 3
    if not _chips_are_kept(state):
        return 4
    if not _points_add_up(state):
        return 5
    if not _tokens_fit_the_round(state):
        return 6
    return 0 if _boards_are_in_order(state) else 7


@kernel
def _tiles_are_kept(state: State) -> bool:
    """AD-B1: 13 of each colour."""
    for color in range(5):
        tiles = int(state["bag"][color]) + state["tower"][color] + state["large_moon"][color]
        for factory in range(5):
            tiles += state["sun"][factory, color]
        for factory in range(SMALL):
            for level in range(3):
                tiles += 1 if state["moon"][factory, level] == color + 1 else 0
        for seat in range(2):
            tiles += state["broken"][seat, color]
            for row in range(LINES):
                tiles += state["line_count"][seat, row] if state["line_color"][seat, row] == color else 0
            for space in range(36):
                tiles += 1 if state["tile"][seat, space] == color + 1 else 0
        if tiles != TILES_PER_COLOR:
            return False
    return True


@kernel
def _special_tiles_are_where_they_belong(state: State) -> bool:
    """AD-W5: at most nine, one on each special plate whose colours are filled and nowhere else."""
    tiles = 0
    for seat in range(2):
        for slot in range(9):
            first = slot // 3 * 12 + slot % 3 * 2
            special, filled = -1, 0
            for index in range(4):
                space = first + index // 2 * 6 + index % 2
                tile = int(state["tile"][seat, space])
                shows = space_at(state, seat, space // 6, space % 6)
                if shows == SPECIAL:
                    special = tile
                elif tile == TILE_SPECIAL:
                    return False
                elif tile > 0:
                    filled += 1
            if special > 0:
                tiles += 1
            if special >= 0 and special != (TILE_SPECIAL if filled == 3 else 0):
                return False
    return tiles <= 9


@kernel
def _plates_are_kept(state: State) -> bool:
    """AD-B1: each of the 18 once; backs in the hand stand for plates that nobody has seen."""
    seen = int(state["unseen"])
    number = 0
    backs = 0
    for plate in range(1, PLATES + 1):
        number += seen >> plate & 1
    unseen = number
    for index in range(3):
        plate = int(state["shown"][index])
        seen |= 1 << plate
        number += 1 if plate > 0 else 0
    for seat in range(2):
        for slot in range(9):
            plate = int(state["slot_plate"][seat, slot])
            seen |= 1 << plate
            number += 1 if plate > 0 else 0
    for pile in range(2):
        for index in range(state["piles"][pile]):
            plate = int(state["plate"][pile, index])
            if plate > PLATES:
                backs += 1 if pile == HAND else 100
            else:
                seen |= 1 << plate
                number += 1
    in_stack = int(state["left"][0]) + int(state["left"][1])
    return seen & ALL_PLATES == ALL_PLATES and number == PLATES and in_stack == unseen - backs


@kernel
def _chips_are_kept(state: State) -> bool:  # noqa: C901  counts them wherever they are
    """AD-B1: two of each type; AD-D1: two for each player in each round."""
    for chip in range(CHIP_TYPES):
        chips = int(state["chips"][chip])
        for factory in range(SMALL):
            chips += 1 if state["chip"][factory] == FACE_UP + chip else 0
        for seat in range(2):
            chips += int(state["store"][seat, chip]) + int(state["spent"][seat, chip])
        if chips != 2:
            return False
    for seat in range(2):
        owned = 0
        for chip in range(CHIP_TYPES):
            owned += int(state["store"][seat, chip]) + int(state["spent"][seat, chip])
        if owned != CHIPS_A_ROUND * (int(state["round"]) - 1) + state["chosen"][seat]:
            return False
        if state["phase"] == TILING and state["chosen"][seat] != CHIPS_A_ROUND:
            return False
    for factory in range(SMALL):
        bare = state["moon"][factory, 0] == 0
        for color in range(5):
            bare = bare and state["sun"][factory, color] == 0
        turned = state["chip"][factory] >= FACE_UP or state["chip"][factory] == NO_CHIP
        if state["phase"] == ACQUIRE and state["turning"] == 0 and bare != turned:
            return False
    return True


@kernel
def _points_add_up(state: State) -> bool:
    """AD-B4, AD-P5"""
    for seat in range(2):
        points = START_POINTS + int(state["tiled"][seat]) + int(state["gilded"][seat])
        points -= int(state["paid"][seat]) + int(state["lost"][seat])
        if state["phase"] == OVER:
            points = max(0, points + all_objectives(state, seat))
        if state["score"][seat] != points or points < 0:
            return False
    return True


@kernel
def _tokens_fit_the_round(state: State) -> bool:
    """AD-A5: as many plates as tokens have been used in rounds 1 to 4; none in round 5."""
    number = int(state["round"])
    if state["phase"] < ACQUIRE and number == 1:
        return bool(state["tokens"][0] == TOKENS and state["tokens"][1] == TOKENS)
    for seat in range(2):
        plates = 0
        for slot in range(9):
            plates += 1 if state["slot_plate"][seat, slot] > 0 else 0
        used = TOKENS - int(state["tokens"][seat]) if number <= LAST_PLATES else 0
        holds = state["piles"][HAND] > 0 and state["turn"] == seat
        known = 1 + TOKENS * min(number - 1, LAST_PLATES) + used
        if plates != known and not (holds and plates == known - 1):
            return False
        if number > LAST_PLATES and state["tokens"][seat] > 0:
            return False
        if state["phase"] >= TILING and state["tokens"][seat] > 0:
            return False
    return True


@kernel
def _boards_are_in_order(state: State) -> bool:
    """AD-B2"""
    for seat in range(2):
        if broken_tiles(state, seat) > BROKEN:
            return False
        for row in range(LINES):
            if not 0 <= state["line_count"][seat, row] <= row + 1:
                return False
    return bool(1 <= state["round"] <= ROUNDS)


@kernel
def play_watched(state: State, random: Random, moves: Ints, weights: Ints) -> int:
    """Play at random to the end, looking at every state. Returns the first fault, or 0 at the end."""
    while True:
        found = fault(state)
        mask = rules.movers(state)
        if found != 0 or mask == 0:
            return found
        seat = 0
        while mask >> seat & 1 == 0:
            seat += 1
        n = rules.legal(state, seat, moves)
        if n == 0:
            return 8
        choice = 0
        if seat == CHANCE:
            rest = random_below(random, rules.weigh(state, weights))
            while rest >= weights[choice]:
                rest -= weights[choice]
                choice += 1
        else:
            choice = random_below(random, n)
        rules.apply(state, seat, int(moves[choice]))


def test_nothing_is_lost_in_a_thousand_games():
    """AD-B1, AD-B2, AD-B4, AD-A5, AD-D1, AD-W5, AD-P5"""
    random, buffers = new_random(1), np.zeros((2, MOST_MOVES), np.int32)
    watched = compiled(play_watched)
    rounds = []
    for game in range(1_000):
        state = setup.new(2, DuelOptions(objectives=("3", "4", "first_game")[game % 3]))
        assert FAULTS[watched(state, random, buffers[0], buffers[1])] == "", game
        rounds.append(int(state["round"]))
    assert rounds == [ROUNDS] * 1_000


@pytest.mark.parametrize(
    ("field", "place", "expected"),
    [
        ("tower", 2, "tiles"),
        ("line_count", (1, 5), "tiles"),
        ("store", (1, 3), "chips"),
        ("chosen", 1, "chips"),
        ("score", 0, "points"),
        ("paid", 1, "points"),
        ("gilded", 0, "points"),
        ("tokens", 1, "tokens"),
        ("shown", 1, "plates"),
        ("unseen", None, "plates"),
        ("left", 0, "plates"),
    ],
)
def test_faults_are_noticed(field, place, expected):
    """The watchman of the test above sees what is planted."""
    state = next(state for state, _, _ in walk(Dice(1)) if state["round"] == 3 and state["phase"] == TILING)
    assert fault(state) == 0
    if place is None:
        state[field] += 2
    else:
        state[field][place] += 2
    assert FAULTS[fault(state)] == expected


def test_a_special_tile_too_many_is_noticed():
    state = next(state for state, _, _ in walk(Dice(1)) if state["round"] == 3 and state["phase"] == TILING)
    state["tile"][0, list(state["tile"][0]).index(0)] = TILE_SPECIAL
    assert FAULTS[fault(state)] == "special tiles"
