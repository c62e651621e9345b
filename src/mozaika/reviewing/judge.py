"""What a moment is worth: one search with one budget for everybody, asked several times to be sure.

Whatever is compared is looked at with the same random numbers, so noise falls out of a difference.
"""

from functools import cached_property
from math import sqrt
from typing import TypeAlias
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from mozaika.chance import weigh_draw
from mozaika.game import Game
from mozaika.kernel import new_random, random_below, swift_game, wait_for_rules
from mozaika.reviewing.calibration import Calibration
from mozaika.state import CHANCE, Random, State, copy_of, seats_in
from mozaika.thought import MOST_NODES, Budget, Thought

FOREVER = 1e9
ATTEMPTS = 8
"""So often moves are compared."""
CLOSER = 4
"""A closer look has so many times the nodes."""
FRESH = 1_000
"""No look takes more random numbers than this."""
LOOKS = 4
"""So often what was drawn is looked at."""
FEW = 20
"""A draw of one thing with no more outcomes is compared with all of them, as often as each can be."""
PASSES = 2

Worth: TypeAlias = NDArray[np.float64]
"""For each seat the share of the victory, and below that the points it can expect."""
SHARE, POINTS = 0, 1


class Judge:
    """Asks the judge of a game, always with the same number of nodes."""

    def __init__(self, game: Game, calibration: Calibration, nodes: int | None = None) -> None:
        """With so many nodes for a decision, and a look in proportion; as calibrated if not said."""
        self.name = calibration.judge
        if not can_review(game, calibration):
            raise ValueError(f"{game.name} has no {self.name}, so there is nobody who could review it.")
        wait_for_rules(game)
        self.game, self.fast, self.calibration = game, swift_game(game), calibration
        self.nodes = nodes or calibration.nodes
        self.nodes_of_a_look = calibration.look * self.nodes / calibration.nodes
        self.first = 0
        """The first of its random numbers."""

    @cached_property
    def closer(self) -> "Judge":
        """The same judge when it looks closer."""
        return self.deeper(CLOSER)

    def deeper(self, times: int) -> "Judge":
        """The same judge with so many times the nodes, and with other random numbers."""
        found = Judge(self.game, self.calibration, min(MOST_NODES, times * self.nodes))
        found.first = self.first + FRESH
        return found

    def think(self, state: State, seat: int) -> Thought:
        """What the judge would do on a seat that knows what it may know."""
        view = self.game.hide(state, seat)
        random = new_random(_luck_of(view, self.first))
        return self.game.bots[self.name](self.game, view, seat, random, Budget(self.nodes, FOREVER))

    def look(self, state: State, ply: int, random: Random, times: float = 1.0) -> Worth:
        """What each seat can expect, whoever is to move, by a search with so many times the usual nodes.

        A draw is made as it may fall.
        """
        state = copy_of(state)
        while (mask := int(self.fast.movers(state))) >> CHANCE & 1:
            self.draw(state, random)
        if not mask:
            return self.count(state)
        seat = seats_in(mask)[0]
        budget = Budget(min(MOST_NODES, max(1, round(times * self.nodes_of_a_look))), FOREVER)
        view = self.game.hide(state, seat)
        return self.read(self.game.bots[self.name](self.game, view, seat, random, budget), ply)

    def read(self, thought: Thought, ply: int) -> Worth:
        """What a thought expects, calibrated."""
        if not thought.shares or not thought.points:
            raise ValueError(f"The {self.name} of {self.game.name} does not say what it expects.")
        return np.array([self.calibration.correct(thought.shares, ply), thought.points], np.float64)

    def count(self, state: State) -> Worth:
        """What a game that is over has brought."""
        places = self.fast.places(state)
        winners = [place == 1 for place in places]
        shares = [won / sum(winners) for won in winners]
        return np.array([shares, self.fast.points(state)], np.float64)

    def draw(self, state: State, random: Random) -> None:
        """Something is drawn, each as likely as it is."""
        outcomes, weights = weigh_draw(self.fast, state)
        rest = random_below(random, sum(weights))
        for outcome, weight in zip(outcomes, weights, strict=True):
            rest -= weight
            if rest < 0:
                self.fast.apply(state, CHANCE, outcome)
                return

    def compare(
        self, state: State, seat: int, moves: list[int], ply: int, attempts: int | None = None
    ) -> NDArray[np.float64]:
        """What becomes of some moves of a seat: by move, attempt, and as a Worth.

        A seat cannot know what is hidden: each attempt guesses that anew, the same for all moves. Attempts
        have from half to twice the nodes, so that a search without chance shows how sure it is, too.
        """
        view, attempts = self.game.hide(state, seat), attempts or ATTEMPTS
        found = np.zeros((len(moves), attempts, 2, int(state["seats"])))
        for attempt in range(attempts):
            times = 2 ** (2 * attempt / max(1, attempts - 1) - 1)
            luck = _luck_of(view, self.first + attempt + 1)
            guessed = self.game.guess(view, seat, new_random(luck))
            for index, move in enumerate(moves):
                after = copy_of(guessed)
                self.fast.apply(after, seat, move)
                found[index, attempt] = self.look(after, ply + 1, new_random(luck + 1), times)
        return found

    def redraw(self, before: State, after: State, ply: int, drawn: int) -> tuple[Worth, Worth, Worth]:
        """What so many draws between two states have brought, what they bring in the mean, and how sure the
        difference is.
        """
        if drawn == 1 and len(outcomes := weigh_draw(self.fast, before)[0]) <= FEW and outcomes:
            return self._redraw_all(before, after, ply)
        luck, number = _luck_of(before, 0), self.calibration.redraws
        here = np.array([self.look(after, ply, new_random(luck + each)) for each in range(LOOKS)])
        there = np.array([self.look(before, ply, new_random(luck + each)) for each in range(number)])
        error = np.sqrt(here.var(axis=0, ddof=1) / LOOKS + there.var(axis=0, ddof=1) / number)
        return here.mean(axis=0), there.mean(axis=0), error

    def _redraw_all(self, before: State, after: State, ply: int) -> tuple[Worth, Worth, Worth]:
        """The same, exactly: every outcome counts as often as it can be, with the same random numbers."""
        outcomes, weights = weigh_draw(self.fast, before)
        luck, here, there = _luck_of(before, 0), [], []
        for each in range(PASSES):
            worths = []
            for outcome in outcomes:
                state = copy_of(before)
                self.fast.apply(state, CHANCE, outcome)
                worths.append(self.look(state, ply, new_random(luck + each)))
            here.append(self.look(after, ply, new_random(luck + each)))
            there.append(np.average(worths, axis=0, weights=weights))
        apart = np.array(here) - np.array(there)
        error = apart.std(axis=0, ddof=1) / sqrt(PASSES)
        return np.mean(here, axis=0), np.mean(there, axis=0), error


def can_review(game: Game, calibration: Calibration) -> bool:
    """Whether the judge plays this game, and says what it expects."""
    return calibration.judge in game.bots


def _luck_of(view: State, attempt: int) -> int:
    """The same moment gets the same random numbers, everywhere."""
    return crc32(view.tobytes()) + 1_000_003 * attempt
