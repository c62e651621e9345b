"""What a moment is worth: one search with one budget for everybody, asked several times to be sure.

Whatever is compared is looked at with the same random numbers, so noise falls out of a difference.
"""

from typing import TypeAlias
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from mozaika.chance import weigh_draw
from mozaika.game import Game
from mozaika.kernel import new_random, random_below, swift_game, wait_for_rules
from mozaika.reviewing.calibration import Calibration
from mozaika.state import CHANCE, Random, State, copy_of, seats_in
from mozaika.thought import Budget, Thought

JUDGE = "expert"
"""Of our levels the one whose shares of the victory mean what they say (docs/review.md)."""
FOREVER = 1e9

Worth: TypeAlias = NDArray[np.float64]
"""For each seat the share of the victory, and below that the points it can expect."""
SHARE, POINTS = 0, 1


class Judge:
    """Asks the judge of a game, always with the same number of nodes."""

    def __init__(self, game: Game, calibration: Calibration, nodes: int | None = None) -> None:
        """With so many nodes for a decision; as many as the calibration was made with if not said."""
        if JUDGE not in game.bots:
            raise ValueError(f"{game.name} has no {JUDGE}, so there is nobody who could review it.")
        wait_for_rules(game)
        self.game, self.fast, self.calibration = game, swift_game(game), calibration
        self.nodes = nodes or calibration.nodes

    def think(self, state: State, seat: int) -> Thought:
        """What the judge would do on a seat that knows what it may know."""
        view = self.game.hide(state, seat)
        random = new_random(_luck_of(view, 0))
        return self.game.bots[JUDGE](self.game, view, seat, random, Budget(self.nodes, FOREVER))

    def look(self, state: State, ply: int, random: Random) -> Worth:
        """What each seat can expect, whoever is to move; a draw is made as it may fall."""
        state = copy_of(state)
        while (mask := int(self.fast.movers(state))) >> CHANCE & 1:
            self.draw(state, random)
        if not mask:
            return self.count(state)
        seat = seats_in(mask)[0]
        return self.read(self._ask(state, seat, random), ply)

    def _ask(self, state: State, seat: int, random: Random) -> Thought:
        budget = Budget(max(1, self.nodes // NODES_OF_A_LOOK), FOREVER)
        return self.game.bots[JUDGE](self.game, self.game.hide(state, seat), seat, random, budget)

    def read(self, thought: Thought, ply: int) -> Worth:
        """What a thought expects, calibrated."""
        if not thought.shares or not thought.points:
            raise ValueError(f"The {JUDGE} of {self.game.name} does not say what it expects.")
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

    def compare(self, state: State, seat: int, moves: list[int], ply: int) -> NDArray[np.float64]:
        """What becomes of some moves of a seat: by move, attempt, and as a Worth.

        A seat cannot know what is hidden: each attempt guesses that anew, the same for all moves.
        """
        view = self.game.hide(state, seat)
        found = np.zeros((len(moves), ATTEMPTS, 2, int(state["seats"])))
        for attempt in range(ATTEMPTS):
            luck = _luck_of(view, attempt + 1)
            guessed = self.game.guess(view, seat, new_random(luck))
            for index, move in enumerate(moves):
                after = copy_of(guessed)
                self.fast.apply(after, seat, move)
                found[index, attempt] = self.look(after, ply + 1, new_random(luck + 1))
        return found

    def redraw(self, before: State, after: State, ply: int) -> tuple[Worth, Worth, Worth]:
        """What was drawn between two states is worth, what a draw is worth there, and how sure that is."""
        luck = _luck_of(before, 0)
        drawn = np.mean([self.look(after, ply, new_random(luck + each)) for each in range(LOOKS)], axis=0)
        draws = np.array([self.look(before, ply, new_random(luck + each)) for each in range(REDRAWS)])
        return drawn, draws.mean(axis=0), draws.std(axis=0, ddof=1) / np.sqrt(REDRAWS)


ATTEMPTS = 8
"""So often a decision is looked at."""
REDRAWS = 32
LOOKS = 4
NODES_OF_A_LOOK = 4
"""A look from behind a move takes so many times less than the search for the best move."""


def _luck_of(view: State, attempt: int) -> int:
    """The same moment gets the same random numbers, everywhere."""
    return crc32(view.tobytes()) + 1_000_003 * attempt
