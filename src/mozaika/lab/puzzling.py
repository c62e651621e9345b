"""Puzzles out of games of our strongest level: one search finds a move that is clearly best, two others with
ten times the nodes must come to the same, and the judge says by how much. All from a seed, with fixed nodes.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from math import sqrt
from pathlib import Path

import numpy as np

from mozaika.game import Game
from mozaika.kernel import compiling, new_random, random_below, swift_game
from mozaika.lab.simulate import play_game
from mozaika.record import Record
from mozaika.reviewing.calibration import calibration_of
from mozaika.reviewing.judge import FOREVER, POINTS, SHARE, Judge
from mozaika.reviewing.puzzles import MOST_DIFFICULT, Puzzle, head_of, name_puzzle, read_puzzles
from mozaika.state import CHANCE, Random, State, copy_of, seats_in
from mozaika.thought import Budget, Thought

PLAYER, OTHER, SLIPPING = "champion", "casual", "beginner"
"""Our strongest level plays against a weak one, and both slip: then there is something to find."""
NODES_OF_A_GAME = 200
"""So much is looked at for each move of the games that puzzles come from."""
SLIPS = 6
"""Every so many moves, by chance, somebody plays like our weakest level."""
FINDER = "expert"
"""Its search finds what may be a puzzle."""
CONFIRMERS = ("champion", "club")
"""These search otherwise, and must come to the same."""
GLANCE = 4
"""At first sight it takes so many times less."""
DEEPER = 10
"""With so many times its nodes."""
LEAST = {SHARE: 0.05, POINTS: 1.5}
"""By so much the best move is better than any other."""
CERTAIN = 3.0
"""And by so many standard errors of that."""
LEAST_CHOICE = 4
"""So many different things can be done at least."""
OF_A_GAME = 2
"""No game gives more puzzles than this."""
NODES_OF_LEVELS = {"beginner": 1, "casual": 1, "club": 300, "expert": 1_000, "champion": 4_000}
"""With these the levels try a puzzle, so that its difficulty is the same everywhere."""
TRIES = 4
LARGEST_PART = 0.45
COUNT, NODES = 150, 2_000
"""No difficulty makes up more of the puzzles."""


class Maker:
    """Looks through games, one after another, until there are enough puzzles."""

    def __init__(self, game: Game, count: int, seed: str, nodes: int, known: Sequence[Puzzle] = ()) -> None:
        """Goes on after the games that gave the known ones, as if it had never stopped."""
        self.game, self.count, self.seed, self.nodes = game, count, seed, nodes
        self.puzzles = list(known)
        self.seats = game.seats.start
        self.unit = POINTS if self.seats == 1 else SHARE
        self.judge = Judge(game, calibration_of(game, self.seats), nodes)
        self.fast = swift_game(game)
        self.looked = Counter[str]()
        """How many decisions came how far."""
        self.at = 1 + max((int(puzzle.origin.split()[-3].rstrip(",")) for puzzle in known), default=0)
        """The next game, counted from 1."""

    def run(self) -> Iterator[int]:
        """Game after game; says how many puzzles there are."""
        with compiling():
            while len(self.puzzles) < self.count:
                _, record = play_game(
                    self.game,
                    self.game.read_options(),
                    {bot: partial(_play, bot) for bot in (PLAYER, OTHER)},
                    [PLAYER if (seat + self.at) % self.seats == 0 else OTHER for seat in range(self.seats)],
                    f"{self.seed} {self.at}",
                    Budget(NODES_OF_A_GAME, FOREVER),
                )
                self.puzzles += self._look_through(record)[: self.count - len(self.puzzles)]
                self.at += 1
                yield len(self.puzzles)

    def _look_through(self, record: Record) -> list[Puzzle]:
        found: list[Puzzle] = []
        last = -len(record.entries)
        states = list(record.states())
        for ply, (seat, _) in enumerate(record.entries):
            if seat == CHANCE or len(found) == OF_A_GAME or ply - last < len(record.entries) // 4:
                continue
            state = states[ply]
            if seats_in(int(self.fast.movers(state))) != [seat]:
                continue
            origin = f"{PLAYER} and others who slip, seed {self.seed}, game {self.at}, ply {ply}"
            puzzle = self.examine(state, seat, ply, origin)
            if puzzle is not None and self._is_wanted(puzzle, found):
                found.append(puzzle)
                last = ply
        return found

    def _is_wanted(self, puzzle: Puzzle, found: Sequence[Puzzle]) -> bool:
        """Whether it is new, and there are not too many as difficult as this one."""
        known = [*self.puzzles, *found]
        alike = sum(each.difficulty == puzzle.difficulty for each in known)
        return alike < LARGEST_PART * self.count and puzzle.id not in {each.id for each in known}

    def examine(self, state: State, seat: int, ply: int, origin: str) -> Puzzle | None:
        """A puzzle, if a seat has one best move here; what it cannot know is guessed, and never shown."""
        position, state = self._set_out(state, seat)
        moves = self.fast.legal_moves(state, seat)
        if len(moves) < LEAST_CHOICE:
            return None
        self.looked["decisions"] += 1
        glance = self._ask(FINDER, state, seat, self.nodes // GLANCE, 1)
        if self._lead(glance, seat) < LEAST[self.unit]:
            return None
        thought = self._ask(FINDER, state, seat, self.nodes, 1)
        if thought.other is None or self._lead(thought, seat) < LEAST[self.unit]:
            return None
        self.looked["clear at first"] += 1
        best, rivals = self._after(state, seat, thought.move), {thought.other.move}
        if not self._is_clear(*self._margin(state, seat, thought.move, rivals, ply)):
            return None
        self.looked["clear to the judge"] += 1
        for number, bot in enumerate(CONFIRMERS):
            other = self._ask(bot, state, seat, DEEPER * self.nodes, 2 + number)
            if self._after(state, seat, other.move) != best:
                return None
            rivals |= {other.other.move} if other.other is not None else set()
        self.looked["confirmed"] += 1
        levels = {bot: self._try(bot, state, seat) for bot in NODES_OF_LEVELS if bot in self.game.bots}
        rivals |= {move for tried in levels.values() for move in tried}
        rivals = {move for move in rivals if self._after(state, seat, move) != best}
        margin, error = self._margin(state, seat, thought.move, rivals, ply)
        if not self._is_clear(margin, error):
            return None
        self.looked["clear against all"] += 1
        finders = tuple(bot for bot, tried in levels.items() if self._finds(tried, state, seat, best))
        alike = [move for move in moves if self._after(state, seat, move) == best]
        alike.sort(key=lambda move: move != thought.move)
        return Puzzle(
            id=name_puzzle(position, seat + 1),
            seat=seat + 1,
            position=position,
            best=tuple(map(self.game.write_move, alike)),
            margin=round(margin, 3),
            error=round(error, 3),
            unit="points" if self.unit == POINTS else "share",
            difficulty=_difficulty(tuple(levels), finders),
            found_by=finders,
            origin=origin,
        )

    def _set_out(self, state: State, seat: int) -> tuple[str, State]:
        """The position as text, with what the seat cannot know dealt anew; and what that text says."""
        view = self.game.hide(state, seat)
        guessed = self.game.guess(view, seat, new_random(self.at))
        position = self.game.write_position(guessed)
        return position, self.game.parse_position(position)

    def _ask(self, bot: str, state: State, seat: int, nodes: int, luck: int) -> Thought:
        view = self.game.hide(state, seat)
        return self.game.bots[bot](self.fast, view, seat, new_random(luck), Budget(nodes, FOREVER))

    def _try(self, bot: str, state: State, seat: int) -> list[int]:
        nodes = NODES_OF_LEVELS[bot]
        return [self._ask(bot, state, seat, nodes, 10 + attempt).move for attempt in range(TRIES)]

    def _finds(self, tried: Sequence[int], state: State, seat: int, best: bytes) -> bool:
        """More often than not."""
        return sum(self._after(state, seat, move) == best for move in tried) > len(tried) / 2

    def _after(self, state: State, seat: int, move: int) -> bytes:
        after = copy_of(state)
        self.fast.apply(after, seat, move)
        return after.tobytes()

    def _lead(self, thought: Thought, seat: int) -> float:
        other = thought.other
        if other is None:
            return 0.0
        if self.unit == POINTS:
            return thought.points[seat] - other.points[seat]
        return thought.shares[seat] - other.shares[seat]

    def _is_clear(self, margin: float, error: float) -> bool:
        return margin >= LEAST[self.unit] and margin >= CERTAIN * error

    def _margin(
        self, state: State, seat: int, best: int, others: Iterable[int], ply: int
    ) -> tuple[float, float]:
        """By how much the best move is better than the best of the others, and how sure that is."""
        found = self.judge.compare(state, seat, [best, *sorted(others)], ply)[:, :, self.unit, seat]
        leads = found[0] - found[1:]
        nearest = leads[int(np.argmin(leads.mean(axis=1)))]
        return float(nearest.mean()), float(nearest.std(ddof=1)) / sqrt(len(nearest))

    def write(self) -> str:
        """The whole file."""
        return "\n\n".join([head_of(self.game), *(puzzle.write() for puzzle in self.puzzles)]) + "\n"


def _play(
    bot: str, game: Game, view: State, seat: int, random: Random, budget: Budget | None = None
) -> Thought:
    """A level that slips now and then."""
    slips = random_below(random, SLIPS) == 0
    return game.bots[SLIPPING if slips else bot](game, view, seat, random, budget)


def _difficulty(levels: Sequence[str], finders: Sequence[str]) -> int:
    """How many levels do not find it, and one."""
    return min(1 + len(levels) - len(finders), MOST_DIFFICULT)


def go_on(game: Game, path: Path, count: int, seed: str, nodes: int) -> Maker:
    """A maker that has what a file holds by now."""
    known = list(read_puzzles(game, path.read_text("utf-8"))) if path.exists() else []
    return Maker(game, count, seed, nodes, known)
