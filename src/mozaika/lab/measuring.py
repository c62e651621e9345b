"""What reviews are measured by, game by game: each row follows from its number alone, so a run that was cut
off goes on where it was, and more rows make the same numbers surer.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import numpy as np

from mozaika.game import Game
from mozaika.games import find_game
from mozaika.kernel import new_random, random_below, warm
from mozaika.lab.cluster import Cluster
from mozaika.lab.simulate import play_game
from mozaika.record import Record
from mozaika.reviewing.calibration import PHASES, Calibration
from mozaika.reviewing.judge import POINTS, SHARE, Judge
from mozaika.reviewing.review import Reviewer
from mozaika.reviewing.weighing import compare_with, weigh
from mozaika.state import CHANCE, Random, State
from mozaika.thought import LEVELS, Budget

MINUTE = 60_000
LOOKS_OF_A_PHASE = 3
MOMENTS_OF_A_GAME = 4
PLANTED_IN_A_GAME = 2
DEEPER, DEEP_ATTEMPTS = 10, 4
"""What is true of a planted move is said by a search so many times deeper, in so many attempts."""
HURRY = 10
HURRIED = "in a hurry"
"""The strongest level with so many times fewer nodes; not a level, but what accuracy is measured by."""
NODES_OF_LEVELS = {"club": 300, "expert": 2_000, "champion": 6_000}
"""With these the levels are asked where nobody says otherwise: never a time, so that it can be repeated."""

Row = TypeVar("Row", bound=msgspec.Struct)


class Looked(msgspec.Struct, frozen=True):
    """What the judge expected at moments of a game, and what came of it."""

    plies: int
    won: tuple[float, ...]
    seen: tuple[tuple[int, tuple[float, ...]], ...]
    """Plies, and the shares of all seats there, uncorrected."""


class Lucky(msgspec.Struct, frozen=True):
    """What the first seat got in a game, and how lucky it was with each draw."""

    result: float
    draws: tuple[tuple[int, float], ...]
    """Plies after what was drawn at once, and the luck of that."""

    @property
    def luck(self) -> float:
        return sum(luck for _, luck in self.draws)


class Lost(msgspec.Struct, frozen=True):
    """What each level would have lost at moments of a game."""

    losses: dict[str, tuple[float, ...]]


class Planted(msgspec.Struct, frozen=True):
    """A move that was put in the place of the judge's in a game of the strongest level: what it loses to a
    review, how sure that is, and what it truly loses.
    """

    loss: float
    error: float
    true: float


class Planting(msgspec.Struct, frozen=True):
    moves: tuple[Planted, ...]


class Players(msgspec.Struct, frozen=True):
    """Who plays the games: a level that has so many nodes for a move; and how many the levels have that are
    asked.
    """

    bot: str = "expert"
    nodes: int = 60
    asked: dict[str, int] = msgspec.field(default_factory=NODES_OF_LEVELS.copy)


class Meter:
    """Measures one number of players of a game, with one judge."""

    def __init__(
        self,
        game: Game,
        calibration: Calibration,
        players: Players,
        seed: str,
        cluster: Cluster | None = None,
    ) -> None:
        self.game, self.calibration, self.players, self.seed = game, calibration, players, seed
        self.cluster = cluster
        self.judge, self.decider = Judge(game, calibration), Judge(game, calibration.of_decisions)
        self.unit = POINTS if calibration.seats == 1 else SHARE

    def each(self, what: str, numbers: Sequence[int]) -> Iterator[Any]:
        """What one of the measures below tells of each of these games; elsewhere, if there is a cluster."""
        if self.cluster is not None:
            about = what, self.game.id, self.calibration, self.players, self.seed
            yield from self.cluster.map(measure_far, about, numbers)
        else:
            for number in numbers:
                yield getattr(self, what)(number)

    def play(self, number: int, bots: list[str], nodes: int) -> Record:
        """One of the games that everything is measured on."""
        budget, players = Budget(nodes, MINUTE), {bot: self.game.bots[bot] for bot in bots}
        return play_game(self.game, self.game.options(), players, bots, f"{self.seed} {number}", budget)[1]

    def play_alike(self, number: int) -> Record:
        return self.play(number, [self.players.bot] * self.calibration.seats, self.players.nodes)

    def look(self, number: int) -> Looked:
        """Some moments of each quarter of a game."""
        record, random = self.play_alike(number), new_random(number + 1)
        states, turns = list(record.states()), turns_of(record)
        won, seen, looks = self.judge.count(states[-1])[SHARE], [], PHASES * LOOKS_OF_A_PHASE
        plain = msgspec.structs.replace(self.calibration, slopes=(1.0,) * PHASES)
        judge = Judge(self.game, plain)
        for part in range(looks):
            first, last = len(turns) * part // looks, len(turns) * (part + 1) // looks
            ply = turns[first + random_below(random, max(1, last - first))]
            shares = judge.look(states[ply], ply, new_random(ply + 1))[SHARE]
            seen.append((ply, tuple(shares.tolist())))
        return Looked(len(record.entries), tuple(won.tolist()), tuple(seen))

    def weigh_luck(self, number: int) -> Lucky:
        """All draws of a game of which the slopes know nothing: they come from those with even numbers."""
        reviewer = Reviewer(self.play_alike(2 * number + 1), calibration=self.calibration)
        draws = [reviewer.judge_draw(*place) for place in reviewer.drawn]
        result = float(self.judge.count(reviewer.states[-1])[self.unit][0])
        return Lucky(result, tuple((draw.until, draw.luck[0]) for draw in draws))

    def lose(self, number: int) -> Lost:
        """All levels at the same moments, out of a game of one of them against itself: such are close."""
        levels = [level for level in LEVELS if level in self.game.levels]
        asked, losses = self.players.asked, dict[str, list[float]]()
        for state, seat, ply, random in self._moments(number, levels, MOMENTS_OF_A_GAME):
            moves = {bot: self._ask(bot, asked.get(bot, 1), state, seat, random) for bot in levels}
            hurried = max(1, asked.get(levels[-1], 1) // HURRY)
            moves[HURRIED] = self._ask(levels[-1], hurried, state, seat, random)
            found = weigh(self.decider, state, seat, sorted({*moves.values()}), ply)
            for bot, move in moves.items():
                losses.setdefault(bot, []).append(found[move].loss)
        return Lost({bot: tuple(each) for bot, each in losses.items()})

    def plant(self, number: int) -> Planting:
        """Other moves than the judge's, at moments of the strongest level's games: any, or its second. What
        is true of them is said by a search with other random numbers than the review's.
        """
        found, truth = list[Planted](), self.decider.closer.deeper(DEEPER)
        for state, seat, ply, random in self._moments(number, [self.game.levels[-1]], PLANTED_IN_A_GAME):
            thought = self.decider.think(state, seat)
            moves = [move for move in self.game.legal_moves(state, seat) if move != thought.move]
            move = moves[random_below(random, len(moves))]
            if len(found) % 2 and thought.other is not None:
                move = thought.other.move
            loss, error = weigh(self.decider, state, seat, [move], ply)[move][2:]
            best = truth.think(state, seat)
            true = compare_with(truth, best, state, seat, [move], ply, DEEP_ATTEMPTS)[move].loss
            found.append(Planted(max(0.0, loss), error, max(0.0, true)))
        return Planting(tuple(found))

    def _ask(self, bot: str, nodes: int, state: State, seat: int, random: Random) -> int:
        view = self.game.hide(state, seat)
        return self.game.bots[bot](
            self.game, view, seat, new_random(int(random_below(random, 1 << 30))), Budget(nodes, MINUTE)
        ).move

    def _moments(self, number: int, levels: list[str], most: int) -> Iterator[tuple[State, int, int, Random]]:
        """Moments with a choice, out of a game of one of some levels against itself."""
        random = new_random(7_919 * (number + 1))
        bots = [levels[random_below(random, len(levels))]] * self.calibration.seats
        record = self.play(number, bots, self.players.nodes)
        states, turns = list(record.states()), turns_of(record)
        for part in range(most):
            first, last = len(turns) * part // most, len(turns) * (part + 1) // most
            start = random_below(random, max(1, last - first))
            for step in range(last - first):
                ply = turns[first + (start + step) % (last - first)]
                seat = record.entries[ply].seat
                if len(self.game.legal_moves(states[ply], seat)) > 1:
                    yield states[ply], seat, ply, random
                    break


def measure_far(about: tuple[str, str, Calibration, Players, str], numbers: Sequence[int]) -> list[Any]:
    """Some games, wherever this is."""
    what, game, calibration, players, seed = about
    warm(find_game(game))
    return list(Meter(find_game(game), calibration, players, seed).each(what, numbers))


def turns_of(record: Record) -> list[int]:
    """The plies at which somebody decided."""
    return [ply for ply, entry in enumerate(record.entries) if entry.seat != CHANCE]


def gather(
    path: Path | None,
    about: Any,
    kind: type[Row],
    number: int,
    measure: Callable[[Sequence[int]], Iterable[Row]],
) -> Iterator[list[Row]]:
    """So many rows, those first that a file has already; it is begun anew if it is about something else.

    Tells all rows after each that is new.
    """
    rows = _read_rows(path, about, kind)[:number]
    if path is not None and len(rows) < number:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"".join(msgspec.json.encode(each) + b"\n" for each in (about, *rows)))
    yield rows
    for row in measure(range(len(rows), number)):
        rows.append(row)
        if path is not None:
            with path.open("ab") as file:
                file.write(msgspec.json.encode(rows[-1]) + b"\n")
        yield rows


def _read_rows(path: Path | None, about: Any, kind: type[Row]) -> list[Row]:
    if path is None or not path.exists():
        return []
    first, *lines = path.read_bytes().splitlines() or [b""]
    rows: list[Row] = []
    if first == msgspec.json.encode(about):
        with suppress(msgspec.MsgspecError):  # the last one was cut off while it was written
            rows += (msgspec.json.decode(line, type=kind) for line in lines)
    return rows


def columns(looked: list[Looked], phase: int, calibration: Calibration) -> tuple[Any, Any, Any]:
    """Of all moments of a phase: of which game they are, the shares of all seats, and what came of them."""
    found = [
        (number, shares, each.won)
        for number, each in enumerate(looked)
        for ply, shares in each.seen
        if calibration.phase(ply) == phase
    ]
    numbers, shares, won = zip(*found, strict=True) if found else ((), (), ())
    seats = calibration.seats
    return (
        np.array(numbers, np.int64),
        np.array(shares, np.float64).reshape(-1, seats),
        np.array(won, np.float64).reshape(-1, seats),
    )
