"""What each player knows of the plates, against a model that replays only what the player saw (AD-A3)."""

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import permutations
from math import perm
from random import Random

import pytest

from mozaika.games.azul_duel.knowledge import guess, hide
from mozaika.games.azul_duel.notation import parse_move, split_placing, write_move
from mozaika.games.azul_duel.pieces import (
    CHIP_TAKES,
    CHOICE,
    DRAW,
    FACES,
    HAND,
    KIND,
    KINDS,
    LOOK,
    PLACINGS,
    PLATES,
    REFILL,
    RETURN,
    RETURNS,
    TURNS,
    UNDER,
)
from mozaika.games.azul_duel.plates import to_look_at
from mozaika.games.azul_duel.tell import tell
from mozaika.games.azul_duel.tests.boards import Duel, duel, legal, swift, walk
from mozaika.kernel import new_random
from mozaika.sentence import Sentence
from mozaika.state import CHANCE, WATCHER, State
from mozaika.words import Words

Plates = tuple[int, ...]
World = tuple[Plates, Plates]
"""The plates in the hand, then those under the stack, as one player can name them: a plate this player
has seen
by its number, any other one as -1 (special) or -2 (wild). When one of the hand has been placed, the
order of the
hand is lost."""

MOST_WORLDS = 2_000


def name_unseen(kind: int) -> int:
    return -1 - kind


def kind_of(plate: int) -> int:
    return int(KIND[plate]) if plate > 0 else -1 - plate


def seen_by(state: State, seat: int, move: int, viewer: int) -> str:
    """A move as a viewer sees it at a real table: written out of the rules' words, without `hide`."""
    if viewer != state["turn"] and RETURNS <= move < CHIP_TAKES:
        return f"{seat} returns {KINDS[KIND[move - RETURNS + 1]]}"
    if viewer != state["turn"] and FACES <= move < TURNS and state["phase"] == LOOK:
        return "somebody looks at a plate"
    return f"{seat} {write_move(move)}"


class Mind:
    """A player who remembers every way in which the plates can lie, from what this player saw alone."""

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self.worlds: set[World] = {((), ())}
        self.seen: set[int] = set()

    def watch(self, state: State, move: int) -> None:
        mine = self.seat == state["turn"]
        if FACES <= move < TURNS:
            plate = move - FACES + 1
            if state["phase"] == REFILL:
                self._see_on_display(plate, from_below=state["top"] == 0)
            elif mine:
                self._look(plate, to_look_at(state))
        elif move == DRAW:
            self._see_drawn(int(state["top"]))
        elif PLACINGS <= move < DRAW:
            plate = split_placing(move)[0]
            if state["phase"] == CHOICE:
                self._see_placed(plate)
            self.seen.add(plate)
        elif RETURNS <= move < CHIP_TAKES:
            plate = move - RETURNS + 1
            self._see_returned(plate if mine else name_unseen(int(KIND[plate])), exactly=mine)

    def _may_be(self, name: int, plate: int) -> bool:
        return name == plate or (plate not in self.seen and name == name_unseen(int(KIND[plate])))

    def _see_on_display(self, plate: int, from_below: bool) -> None:
        if from_below:
            self.worlds = {(hand, under[1:]) for hand, under in self.worlds if self._may_be(under[0], plate)}
        self.seen.add(plate)

    def _see_drawn(self, back: int) -> None:
        if back:
            self.worlds = {((*hand, name_unseen(int(KIND[back]))), under) for hand, under in self.worlds}
        else:
            self.worlds = {((*hand, under[0]), under[1:]) for hand, under in self.worlds}

    def _look(self, plate: int, index: int) -> None:
        self.worlds = {
            ((*hand[:index], plate, *hand[index + 1 :]), under)
            for hand, under in self.worlds
            if self._may_be(hand[index], plate)
        }
        self.seen.add(plate)

    def _see_placed(self, plate: int) -> None:
        self.worlds = {
            self._settle(without(hand, index), under)
            for hand, under in self.worlds
            for index, name in enumerate(hand)
            if self._may_be(name, plate)
        }

    def _see_returned(self, plate: int, exactly: bool) -> None:
        self.worlds = {
            self._settle(without(hand, index), (*under, name))
            for hand, under in self.worlds
            for index, name in enumerate(hand)
            if (name == plate if exactly else kind_of(name) == kind_of(plate))
        }

    def _settle(self, hand: Plates, under: Plates) -> World:
        """The last plate is returned by itself."""
        return ((), under + hand) if len(hand) == 1 else (tuple(sorted(hand)), under)

    def name(self, state: State) -> World:
        """The plates of a state as this player can name them; backs that nobody has looked at too."""
        piles = []
        for pile in (HAND, UNDER):
            plates = [int(plate) for plate in state["plate"][pile, : state["piles"][pile]]]
            piles.append(tuple(p if p in self.seen else name_unseen(int(KIND[p])) for p in plates))
        hand, under = piles
        return (tuple(sorted(hand)) if state["phase"] == RETURN else hand), under

    def arrangements(self, state: State) -> set[World]:
        """Every way in which plates that others have looked at can lie, each plate by its number."""
        found = set()
        for hand, under in self.worlds:
            looked = [self._is_looked_at(state, index) for index in range(len(hand))]
            names = [*(name for index, name in enumerate(hand) if looked[index]), *under]
            for plates in self._fill(names):
                rest = iter(plates)
                held = tuple(next(rest) if looked[i] else name for i, name in enumerate(hand))
                found.add((tuple(sorted(held)) if state["phase"] == RETURN else held, tuple(rest)))
        return found

    def count(self) -> int:
        """How many ways there are at most, without listing them."""
        free = [
            sum(KIND[p] == kind and p not in self.seen for p in range(1, PLATES + 1)) for kind in range(2)
        ]
        ways = 0
        for hand, under in self.worlds:
            names = hand + under
            ways += perm(free[0], names.count(-1)) * perm(free[1], names.count(-2))
        return ways

    def _is_looked_at(self, state: State, index: int) -> bool:
        return bool(state["by"][HAND, index])

    def _fill(self, names: list[int]) -> set[Plates]:
        found: set[Plates] = {()}
        for name in names:
            found = {
                (*plates, plate)
                for plates in found
                for plate in ([name] if name > 0 else range(1, PLATES + 1))
                if plate not in plates and self._may_be(name, plate)
            }
        return found


def without(plates: Plates, index: int) -> Plates:
    return (*plates[:index], *plates[index + 1 :])


def lie(state: State) -> World:
    """How the plates lie in a state; a back that nobody has looked at as -1 or -2."""
    piles = []
    for pile in (HAND, UNDER):
        plates = [int(plate) for plate in state["plate"][pile, : state["piles"][pile]]]
        piles.append(tuple(plate if plate <= PLATES else name_unseen(int(KIND[plate])) for plate in plates))
    return piles[0], piles[1]


def knowing(seed: int, bold: float) -> Iterator[tuple[State, int, int, tuple[Mind, Mind]]]:
    """A random game with two players who remember; as long as there is not too much to remember."""
    minds = (Mind(0), Mind(1))
    for state, seat, move in walk(Random(seed), bold=bold):
        yield state, seat, move, minds
        for mind in minds:
            mind.watch(state, move)
            if len(mind.worlds) > MOST_WORLDS:
                return


SEEDS = [(seed, bold) for seed in range(8) for bold in (0.25, 0.5, 0.75)]


@pytest.mark.parametrize(
    ("seed", "bold"), [*SEEDS[:8], *(pytest.param(*each, marks=pytest.mark.long) for each in SEEDS[8:])]
)
def test_guesses_agree_with_everything_a_player_saw(seed, bold):
    """AD-A3: and the truth is always among the worlds that a player holds possible."""
    for state, _, _, minds in knowing(seed, bold):
        if not state["piles"].any():
            continue
        for mind in minds:
            assert mind.name(state) in mind.worlds
            view = hide(state, mind.seat)
            for ticket in range(3):
                guessed = guess(view, mind.seat, new_random(ticket))
                assert mind.name(guessed) in mind.worlds
                assert hide(guessed, mind.seat).tobytes() == view.tobytes()


def bound(possible: int) -> float:
    """What chi-square exceeds once in millions of honest samples."""
    freedom = possible - 1
    return freedom + 6 * (2 * freedom) ** 0.5 + 20


def chi_square(view: State, seat: int, possible: set[World], each: int = 60) -> float:
    """How unevenly the guesses of a seat are spread over what is possible."""
    samples, random = each * len(possible), new_random(1)
    met = Counter(lie(guess(view, seat, random)) for _ in range(samples))
    assert set(met) <= possible
    return sum((met[world] - each) ** 2 / each for world in possible)


@pytest.mark.parametrize("games", [12, pytest.param(36, marks=pytest.mark.long)])
def test_guesses_are_uniform_wherever_there_are_few_possibilities(games):
    """AD-A3: in random games, also when plates were returned, drawn, looked at and returned again."""
    tested = Counter()
    for seed in range(games):
        checked = set()
        for state, _, _, minds in knowing(seed, 0.6):
            for mind in minds:
                names = frozenset(mind.worlds)
                if not state["piles"].any() or mind.count() > 100 or names in checked:
                    continue
                possible = mind.arrangements(state)
                if 2 <= len(possible) <= 24 and tested[len(possible)] < 3:
                    view = hide(state, mind.seat)
                    assert chi_square(view, mind.seat, possible) < bound(len(possible))
                    tested[len(possible)] += 1
                    checked.add(names)
    assert tested.total() > 12
    assert len(tested) > 5


def after_returns() -> tuple[Duel, tuple[Mind, Mind]]:
    """Round 3: five plates lie face down. The first player has drawn and returned two special ones, a
    wild one.
    """
    at = duel(round=3, tokens=(1, 1), unseen="4 6 7 8 9", shown="- 1 -", top="special", scores=(5, 5))
    minds = (Mind(0), Mind(1))
    for mind in minds:
        mind.seen = {*range(1, PLATES + 1)} - {4, 6, 7, 8, 9}
    play(
        at,
        minds,
        "draw",
        "back special",
        "draw",
        "back wild",
        "draw",
        "back wild",
        "draw",
        "back special",
        "stop",
    )
    play(at, minds, "face 7", "face 8", "face 4", "face 6", "plate 6 >s1 turn 0")
    return at, minds


def play(at: Duel, minds: tuple[Mind, ...], *moves: str) -> None:
    for text in moves:
        move = parse_move(text)
        for mind in minds:
            mind.watch(at.state, move)
        at.play(text, at.movers[0])


def test_what_is_known_after_plates_were_returned():
    """AD-A3: the player who returned them knows all; the other only the kinds, in their order."""
    at, minds = after_returns()
    play(at, minds, "return 8", "return 4")
    assert [int(plate) for plate in at.state["plate"][UNDER, :3]] == [8, 4, 7]
    assert minds[0].arrangements(at.state) == {((), (8, 4, 7))}
    fresh = [7, 8, 9]
    assert minds[1].arrangements(at.state) == {((), (a, 4, b)) for a, b in permutations(fresh, 2)}
    for mind in minds:
        view = hide(at.state, mind.seat)
        possible = mind.arrangements(at.state)
        assert {lie(guess(view, mind.seat, new_random(n))) for n in range(200)} == possible


def test_what_is_known_when_the_other_draws_them_looks_and_returns_them_again():
    """AD-A3: the first player knows which plates they are and no longer in which order they lie."""
    at, minds = after_returns()
    play(at, minds, "return 8", "return 4")
    assert at.movers == [1]
    play(at, minds, "draw", "draw", "draw", "draw")
    assert at.state["phase"] == LOOK
    play(at, minds, "face 9", "face 8", "face 4", "face 7", "plate 4 >s1 turn 0", "return 9", "return 7")
    assert [int(plate) for plate in at.state["plate"][UNDER, :3]] == [9, 7, 8]
    possible = {((), order) for order in permutations((7, 8, 9))}
    assert minds[0].arrangements(at.state) == possible
    view = hide(at.state, 0)
    assert chi_square(view, 0, possible) < bound(len(possible))
    assert lie(guess(hide(at.state, 1), 1, new_random(1))) == ((), (9, 7, 8))


def test_a_plate_placed_by_the_other_narrows_the_guess():
    """AD-A3: what lies open cannot lie under the stack."""
    at, minds = after_returns()
    play(at, minds, "return 8", "return 4", "draw", "draw", "stop", "face 9", "face 8", "plate 8 >s1 turn 0")
    assert minds[0].arrangements(at.state) == {((), (4, 7, 9))}
    assert lie(guess(hide(at.state, 0), 0, new_random(1))) == ((), (4, 7, 9))


def test_guesses_are_uniform_where_some_choices_leave_more_ways_than_others():
    """AD-A3: the first player returned 6 with one of two plates and later 2 with the other; one of
    these two is 12, the other new to the second player. With 6 in front there are four ways for the
    rest, else only two.
    """
    at = duel(
        round=3,
        tokens=(1, 0),
        unseen="-",
        shown="- - -",
        under="6@1=6,12+ 12@1=6,12+ 2@1=2,12+ 14@1=2,12+ 7@1=-+",
    )
    possible = {
        ((), (*first, *later, 7))
        for one, other in permutations((12, 14))
        for first in permutations((6, one))
        for later in permutations((2, other))
    }
    assert len(possible) == 8
    assert chi_square(hide(at.state, 1), 1, possible, each=200) < bound(len(possible))


def test_plates_of_several_returns_in_one_hand():
    """AD-A3: the second player knows that 12 and 17 are two of the last three plates. The first draws one of
    these three with a plate that the second has never seen, and returns both: at most one of 12 and 17 can be
    among them. A guess does not count across returns: all that can be is guessed, and here a little more.
    """
    at = duel(
        round=3,
        tokens=(1, 0),
        unseen="-",
        shown="- - -",
        under="4@1=-+ 8@1=-+ 12@1=12,17+ 14@1=12,17+ 17@1=12,17+",
        scores=(5, 5),
    )
    mind = Mind(1)
    mind.seen = {*range(1, PLATES + 1)} - {4, 8, 14}
    mind.worlds = {((), (-2, -1, *order)) for order in permutations((12, 17, -2))}
    play(at, (mind,), "draw", "draw", "draw", "stop", "plate 8 >s1 turn 0", "return 4")
    view = hide(at.state, 1)
    assert {lie(guess(view, 1, new_random(n))) for n in range(400)} > mind.arrangements(at.state)


# Information flow


def leaks(seed: int, hide: Callable[[State, int], State]) -> list[str]:
    """Play a game and, for each viewer, one that this viewer cannot tell from it; where their views
    differ.
    """
    history = [(state, seat, move) for state, seat, move in walk(Random(seed), bold=0.6) if seat >= 0]
    found, rules = [], swift()
    for viewer in (WATCHER, 0, 1):
        random = Random(seed)
        twin = history[0][0].copy()
        for state, seat, move in history:
            if hide(twin, viewer).tobytes() != hide(state, viewer).tobytes():
                found.append(f"viewer {viewer}, before {write_move(move)}")
                break
            if rules.movers(twin) != rules.movers(state):
                found.append(f"viewer {viewer}, who is to move before {write_move(move)}")
                break
            seen = seen_by(state, seat, move, viewer)
            alike = [other for other in legal(twin, seat) if seen_by(twin, seat, other, viewer) == seen]
            if not alike:
                break  # in the other game somebody holds a different plate and cannot go on like this
            rules.apply(twin, seat, random.choice(alike))
    return found


def test_games_that_look_the_same_have_the_same_views():
    """AD-A3: for both players and a watcher, whatever the others hold and return."""
    assert [leak for seed in range(12) for leak in leaks(seed, hide)] == []


def kept(field: str):
    """A leaky `hide` that keeps a field as it is."""

    def leaky(state: State, seat: int) -> State:
        view = hide(state, seat)
        view[field] = state[field]
        return view

    return leaky


def hide_without_sorting(state: State, seat: int) -> State:
    """A leaky `hide`: the drawn plates of a seat that returns them lie in the order of their numbers."""
    view = hide(state, seat)
    for index in range(state["piles"][HAND]):
        view["plate"][HAND, index] = 19 + KIND[state["plate"][HAND, index]]
    return view


@pytest.mark.parametrize("leaky", [kept("unseen"), kept("plate"), kept("known"), hide_without_sorting])
def test_planted_leaks_are_caught(leaky):
    """AD-A3: the check above can fail."""
    assert any(leaks(seed, leaky) for seed in range(40))


def test_a_view_shows_what_a_viewer_may_know():
    """AD-A3: own plates by their faces, the others' by their backs; a watcher sees backs only."""
    at, minds = after_returns()
    play(at, minds, "return 8", "return 4")
    views = {seat: hide(at.state, seat) for seat in (0, 1, WATCHER)}
    assert views[0]["plate"][UNDER, :3].tolist() == [8, 4, 7]
    assert views[1]["plate"][UNDER, :3].tolist() == [19, 20, 19]
    assert views[WATCHER].tobytes() == hide(views[WATCHER], WATCHER).tobytes()
    assert views[WATCHER]["plate"][UNDER, :3].tolist() == [19, 20, 19]
    assert [view["unseen"] for view in views.values()] == [1 << 9, 1 << 4 | 7 << 7, 1 << 4 | 7 << 7]


def test_while_plates_are_drawn_everybody_sees_their_backs_only():
    """AD-A3: fronts are seen after the player stops."""
    at = duel(round=3, tokens=(1, 1), unseen="4 6 7 8 9", shown="- 1 -", top="special")
    at.play("draw")
    at.draw("back wild")
    at.play("draw")
    at.draw("back wild")
    views = [hide(at.state, seat) for seat in (0, 1, WATCHER)]
    assert [view["plate"][HAND, :2].tolist() for view in views] == [[19, 20]] * 3
    at.play("stop")
    at.draw("face 8, face 6")
    views = [hide(at.state, seat) for seat in (0, 1, WATCHER)]
    assert [view["plate"][HAND, :2].tolist() for view in views] == [[8, 6], [19, 20], [19, 20]]


WORDS = Words("en")


Tell = Callable[[State, int, int, int, Words], list[Sentence]]


def betrayals(seed: int, tell: Tell) -> list[str]:
    """Moves after which a viewer sees the same, but is told something else."""
    found, rules = [], swift()
    for state, seat, _ in walk(Random(seed), bold=0.6):
        if seat < 0 or state["phase"] not in (LOOK, CHOICE, RETURN):
            continue
        for viewer in (WATCHER, 0, 1):
            told: dict[bytes, list[Sentence]] = {}
            for at in (state, guess(hide(state, viewer), viewer, new_random(seed))):
                for move in legal(at, seat)[:40]:
                    after = at.copy()
                    rules.apply(after, seat, move)
                    sentences = tell(at, seat, move, viewer, WORDS)
                    if told.setdefault(hide(after, viewer).tobytes(), sentences) != sentences:
                        found.append(f"{viewer}: {write_move(move)}")
    return found


def test_what_is_told_is_no_more_than_what_is_seen():
    """AD-A3: moves that lead to the same view are told in the same words, also where a state looks the
    same.
    """
    assert [each for seed in range(2) for each in betrayals(seed, tell)] == []


def test_words_that_tell_too_much_are_caught():
    """AD-A3: the check above can fail."""
    assert betrayals(0, lambda state, seat, move, _, words: tell(state, seat, move, CHANCE, words))


def test_the_player_who_looks_is_told_what_it_is():
    """AD-A3"""
    at = duel(round=3, tokens=(1, 1), unseen="4 6 7 8 9", shown="- 1 -", top="special")
    at.play("draw")
    at.draw("back wild")
    at.play("stop")
    move = legal(at.state, CHANCE)[0]
    told = {viewer: tell(at.state, CHANCE, move, viewer, WORDS) for viewer in (0, 1, WATCHER, CHANCE)}
    assert "plate 7" in told[0][0].text.lower()
    assert told[CHANCE] == told[0]
    assert told[1] == told[WATCHER] == []


def test_a_guess_for_a_watcher_fits_the_view():
    """AD-A3"""
    for state, _, _ in walk(Random(3), bold=0.5):
        view = hide(state, WATCHER)
        guessed = guess(view, WATCHER, new_random(4))
        assert hide(guessed, WATCHER).tobytes() == view.tobytes()
        assert [*map(kind_of, lie(guessed)[1])] == [*map(kind_of, lie(state)[1])]
        assert sorted(map(kind_of, lie(guessed)[0])) == sorted(map(kind_of, lie(state)[0]))
