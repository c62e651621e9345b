"""What reviews are measured by, game by game: each row follows from its number alone, so a run that was cut
off goes on where it was, and more rows make the same numbers surer.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from math import sqrt
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
from mozaika.reviewing.review import Reviewer, mark_loss
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
"""As many as these levels usually have time for, so that a measurement can be repeated; the champion has a
hundredth of the time it takes at a table.
"""

Row = TypeVar("Row", bound=msgspec.Struct)


class Looked(msgspec.Struct, frozen=True):
    """What the judge expected at moments of a game, and what came of it."""

    plies: int
    won: tuple[float, ...]
    seen: tuple[tuple[int, tuple[float, ...]], ...]
    """Plies, and the shares of all seats there, uncorrected."""


class Lucky(msgspec.Struct, frozen=True):
    """The luck of the first seat in a game, all draws together, and its result."""

    luck: float
    result: float


class Lost(msgspec.Struct, frozen=True):
    """What each level would have lost at moments of a game."""

    losses: dict[str, tuple[float, ...]]


class Planted(msgspec.Struct, frozen=True):
    """A move that was put in the place of the strongest level's: what it loses, and whether it is marked."""

    loss: float
    error: float
    mark: str
    true: float


class Planting(msgspec.Struct, frozen=True):
    moves: tuple[Planted, ...]


class Players(msgspec.Struct, frozen=True):
    """Who plays the games: a level that has so many nodes for a move."""

    bot: str = "expert"
    nodes: int = 60


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
        """All draws of a game."""
        reviewer = Reviewer(self.play_alike(number), calibration=self.calibration)
        luck = sum(reviewer.judge_draw(*place).luck[0] for place in reviewer.drawn)
        return Lucky(luck, float(self.judge.count(reviewer.states[-1])[self.unit][0]))

    def lose(self, number: int) -> Lost:
        """All levels at the same moments, out of a game of weaker and stronger ones."""
        levels = [level for level in LEVELS if level in self.game.levels]
        losses: dict[str, list[float]] = {}
        for state, seat, ply, random in self._moments(number, levels[:-1], MOMENTS_OF_A_GAME):
            moves = {bot: self._ask(bot, NODES_OF_LEVELS.get(bot, 1), state, seat, random) for bot in levels}
            hurried = NODES_OF_LEVELS.get(levels[-1], 1) // HURRY
            moves[HURRIED] = self._ask(levels[-1], max(1, hurried), state, seat, random)
            best = self.decider.think(state, seat).move
            found = self._lost(state, seat, ply, best, sorted({*moves.values()} - {best}))
            for bot, move in moves.items():
                losses.setdefault(bot, []).append(max(0.0, found[move][0]) if move != best else 0.0)
        return Lost({bot: tuple(each) for bot, each in losses.items()})

    def plant(self, number: int) -> Planting:
        """Other moves than the strongest level's, at moments of its own game: any, or the judge's second."""
        found, strongest = list[Planted](), self.game.levels[-1]
        deeper = Meter(self.game, self._deep(), self.players, self.seed)
        for state, seat, ply, random in self._moments(number, [strongest], PLANTED_IN_A_GAME):
            thought = self.decider.think(state, seat)
            moves = self.game.legal_moves(state, seat)
            move = moves[random_below(random, len(moves))]
            if len(found) % 2 and thought.other is not None:
                move = thought.other.move
            if move == thought.move:
                found.append(Planted(0.0, 0.0, "", 0.0))
                continue
            loss, error = self._lost(state, seat, ply, thought.move, [move])[move]
            best = deeper.decider.think(state, seat).move
            true = 0.0
            if best != move:
                true = deeper._lost(state, seat, ply, best, [move], DEEP_ATTEMPTS)[move][0]
            alone = self.calibration.seats == 1
            found.append(Planted(max(0.0, loss), error, mark_loss(loss, error, alone=alone), max(0.0, true)))
        return Planting(tuple(found))

    def _deep(self) -> Calibration:
        calibration = self.calibration.of_decisions
        nodes, look = DEEPER * calibration.nodes, DEEPER * calibration.look
        return msgspec.structs.replace(calibration, nodes=nodes, look=look)

    def _lost(
        self, state: State, seat: int, ply: int, best: int, moves: list[int], attempts: int | None = None
    ) -> dict[int, tuple[float, float]]:
        """What moves lose against the best, each with its standard error."""
        compare = self.decider.compare
        every = [best, *moves]
        found = (
            compare(state, seat, every, ply)
            if attempts is None
            else compare(state, seat, every, ply, attempts)
        )
        lost = {}
        for move, worths in zip(moves, found[1:], strict=True):
            apart = (found[0] - worths)[:, self.unit, seat]
            lost[move] = float(apart.mean()), float(apart.std(ddof=1)) / sqrt(len(apart))
        return lost

    def _ask(self, bot: str, nodes: int, state: State, seat: int, random: Random) -> int:
        view = self.game.hide(state, seat)
        return self.game.bots[bot](
            self.game, view, seat, new_random(int(random_below(random, 1 << 30))), Budget(nodes, MINUTE)
        ).move

    def _moments(self, number: int, levels: list[str], most: int) -> Iterator[tuple[State, int, int, Random]]:
        """Moments with a choice, out of a game between levels."""
        random = new_random(7_919 * (number + 1))
        bots = [levels[random_below(random, len(levels))] for _ in range(self.calibration.seats)]
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
