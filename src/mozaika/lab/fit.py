"""Fit the net of a game to records: what positions looked like to each seat, and how their games ended."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import partial
from hashlib import sha256
from math import cos, pi
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mozaika.game import Game
from mozaika.games import find_game
from mozaika.judgement import Net
from mozaika.kernel import MOST_SEATS, compiling, swift
from mozaika.lab.cluster import Cluster
from mozaika.lab.journal import Checkpoint, part_of
from mozaika.record import Record
from mozaika.state import CHANCE, State

WEIGHTS = "weights.npz"
POSITIONS = 12
"""So many positions of a game are learnt from; more would have too much in common."""
HELD_OUT = 10
"""One game of so many is not learnt from: it tells how much was learnt."""
BATCH = 128
PACE = 0.008
"""How far a weight moves at a time, at first."""
DECAY = 1e-5
"""How fast a weight that nothing speaks for goes back to 0."""
POINT = 0.003
"""What the square of a point of error counts beside the surprise about who has won."""

Array = NDArray[Any]


@dataclass(frozen=True)
class Samples:
    """Positions: what each seat sees in them, and what came of it. Seats that nobody had are not `taken`."""

    sights: Array
    """For each position and seat its features, and a 1 for where the units start."""
    taken: Array
    points: Array
    """Those that a seat has already."""
    kinds: Array
    times: Array
    final: Array
    shares: Array
    games: Array
    """The record that each position comes from."""

    def __len__(self) -> int:
        return len(self.kinds)

    def part(self, chosen: Array) -> "Samples":
        return Samples(*(getattr(self, each.name)[chosen] for each in fields(self)))


def gather(
    game: Game, records: Sequence[Record], random: np.random.Generator, cluster: Cluster | None = None
) -> Samples:
    """Positions from all records of games that were played to their end."""
    net_of(game)
    ended = [(number, record) for number, record in enumerate(records) if record.result() is not None]

    def choose(count: int) -> list[int]:
        chosen: list[int] = random.permutation(count)[:POSITIONS].tolist()
        return chosen

    if cluster is None:
        looks = [look_into(game, record, number, choose) for number, record in ended]
    else:
        texts = [record.write() for _, record in ended]
        counts = cluster.map(_count_far, game.id, texts)
        tasks = [
            (text, number, choose(count))
            for text, (number, _), count in zip(texts, ended, counts, strict=True)
        ]
        looks = list(cluster.map(_look_far, game.id, tasks))
    found = [row for rows in looks for row in rows]
    if not found:
        raise ValueError("None of the records has a position of a game that was played to its end.")
    return Samples(*(np.array(column) for column in zip(*found, strict=True)))


def look_into(
    game: Game, record: Record, number: int, choose: Callable[[int], list[int]]
) -> list[tuple[Any, ...]]:
    """What is to be learnt from some positions of a record that knows how its game ended."""
    with compiling():
        ranks, more = np.array(game.places(record.state())), (0, MOST_SEATS - record.seats)
        shares = np.pad((ranks == 1) / (ranks == 1).sum(), more)
        asked, final = list(_asked(record, net_of(game))), np.pad(record.result() or (), more)
        return [(*look(game, asked[index]), final, shares, number) for index in choose(len(asked))]


def _count_far(name: str, texts: Sequence[str]) -> list[int]:
    """How many positions of each record could be chosen."""
    net = net_of(find_game(name))
    return [sum(1 for _ in _asked(Record.read(text), net)) for text in texts]


def _look_far(name: str, tasks: Sequence[tuple[str, int, list[int]]]) -> list[list[tuple[Any, ...]]]:
    game = find_game(name)
    return [
        look_into(game, Record.read(text), number, partial(_those, chosen)) for text, number, chosen in tasks
    ]


def _those(chosen: list[int], _: int) -> list[int]:
    return chosen


def net_of(game: Game) -> Net:
    """ValueError with a sentence where a game has none."""
    if game.judgement.net is None:
        raise ValueError(f"{game.name} has no net that could be fitted.")
    return game.judgement.net


def _asked(record: Record, net: Net) -> Iterator[State]:
    """The positions that a search would have appraised."""
    after_player = False
    for state, (seat, _) in zip(record.states(), record.entries, strict=False):
        if (after_player and seat == CHANCE) if net.before_draws else seat != CHANCE:
            yield state
        after_player = seat != CHANCE


def look(game: Game, state: State) -> tuple[Array, Array, Array, int, int]:
    """What each seat sees, who plays, the points so far, the kind of the position and its time."""
    net, seats = net_of(game), int(state["seats"])
    sights, now = np.zeros((MOST_SEATS, net.features + 1), np.float32), np.zeros(game.seats.stop, np.int32)
    for seat in range(seats):
        swift(net.look_at)(state, seat, sights[seat, :-1])
        sights[seat, -1] = 1
    if net.points:
        game.scores(state, now)
    points = np.pad(now[:seats], (0, MOST_SEATS - seats))
    return sights.astype(np.float16), np.arange(MOST_SEATS) < seats, points, net.kind(state), net.time(state)


class Fit:
    """Weights that learn. Those of a kind of position are apart, but for what is tied."""

    def __init__(self, net: Net, random: np.random.Generator) -> None:
        self.net = net
        hidden = net.units - 1
        self.weights: dict[tuple[str, int], Array] = {}
        for kind in range(net.kinds):
            self.weights["direct", kind] = np.zeros(net.features + 1)
            self.weights["spread", kind] = np.full(net.times, np.log(8.0) if net.points else 0.0)
            if kind == 0 or not net.tied:
                self.weights["hidden", kind] = random.normal(0, 0.1, (net.features + 1, hidden))
                self.weights["out", kind] = random.normal(0, 0.3, hidden)
        self.momentum = {name: np.zeros_like(each) for name, each in self.weights.items()}
        self.variance = {name: np.zeros_like(each) for name, each in self.weights.items()}
        self.steps = dict.fromkeys(self.weights, 0)

    def arrays(self) -> dict[str, Array]:
        """All that has been learnt, and how fast."""
        parts = {"weights": self.weights, "momentum": self.momentum, "variance": self.variance}
        return {
            f"{part} {name} {kind}": each
            for part, arrays in parts.items()
            for (name, kind), each in arrays.items()
        }

    def take(self, arrays: Mapping[str, Array], steps: Sequence[int]) -> None:
        """Go on from what `arrays` told, after so many steps of each."""
        for name, kind in self.weights:
            self.weights[name, kind] = arrays[f"weights {name} {kind}"]
            self.momentum[name, kind] = arrays[f"momentum {name} {kind}"]
            self.variance[name, kind] = arrays[f"variance {name} {kind}"]
        self.steps = dict(zip(self.weights, steps, strict=True))

    def begin(self, samples: Samples) -> None:
        """Begin by expecting the same of everybody: what they had in the mean."""
        for kind in np.unique(samples.kinds) if self.net.points else ():
            part = samples.part(samples.kinds == kind)
            self.weights["direct", int(kind)][-1] = (part.final - part.points)[part.taken].mean()

    def read(self, path: Path) -> None:
        """Go on from weights that were fitted before."""
        with np.load(path) as file:
            for name, kind in self.weights:
                layer = np.vstack((file["layer"][kind], file["start"][kind]))
                self.weights[name, kind] = {
                    "direct": layer[:, 0],
                    "hidden": layer[:, 1:],
                    "out": file["out"][kind, 1:],
                    "spread": np.log(file["spread"][kind]),
                }[name].astype(float)

    def write(self, path: Path) -> None:
        """The weights as the game reads them."""
        kinds = range(self.net.kinds)
        layers = [np.column_stack((self.weights["direct", k], self.weights[self._hidden(k)])) for k in kinds]
        out = [np.append(1.0, self.weights["out", self._hidden(k)[1]]) for k in kinds]
        np.savez_compressed(
            path,
            layer=np.array([each[:-1] for each in layers], np.float32),
            start=np.array([each[-1] for each in layers], np.float32),
            out=np.array(out, np.float32),
            spread=np.exp([self.weights["spread", k] for k in kinds]).astype(np.float32),
        )

    def _hidden(self, kind: int) -> tuple[str, int]:
        return "hidden", 0 if self.net.tied else kind

    def expect(self, part: Samples, kind: int) -> tuple[Array, Array, Array, Array]:
        """For positions of a kind: what the units say, the points, how unsure these are, and the shares."""
        sights = part.sights.astype(np.float32)
        units = sights @ self.weights[self._hidden(kind)]
        out = self.weights["out", self._hidden(kind)[1]]
        points = part.points + sights @ self.weights["direct", kind] + np.maximum(units, 0) @ out
        spread = np.exp(self.weights["spread", kind])[part.times][:, None]
        odds = np.where(part.taken, points / spread, -np.inf)
        odds = np.exp(odds - odds.max(1, keepdims=True))
        return units, points, spread, odds / odds.sum(1, keepdims=True)

    def learn(self, part: Samples, kind: int, pace: float) -> None:
        """One step down the slope of surprise and error."""
        units, points, spread, shares = self.expect(part, kind)
        sights, wrong = part.sights.astype(np.float32), (shares - part.shares) / len(part)
        by_points = wrong / spread
        slopes: dict[tuple[str, int], Array] = {}
        if self.net.points:
            by_points += 2 * POINT * np.where(part.taken, points - part.final, 0) / len(part)
            slopes["spread", kind] = np.zeros(self.net.times)
            np.add.at(slopes["spread", kind], part.times, -(wrong * points / spread).sum(1))
        name, number = self._hidden(kind)
        by_units = by_points[:, :, None] * self.weights["out", number] * (units > 0)
        slopes["direct", kind] = np.einsum("ns,nsf->f", by_points, sights)
        slopes[name, number] = np.einsum("nsf,nsu->fu", sights, by_units, optimize=True)
        slopes["out", number] = np.einsum("ns,nsu->u", by_points, np.maximum(units, 0))
        for each, slope in slopes.items():
            self._step(each, slope + DECAY * self.weights[each] * (each[0] != "spread"), pace)

    def _step(self, name: tuple[str, int], slope: Array, pace: float) -> None:
        """Adam: as far as the slopes of late agree."""
        self.steps[name] += 1
        momentum, variance = self.momentum[name], self.variance[name]
        momentum += 0.1 * (slope - momentum)
        variance += 0.001 * (slope**2 - variance)
        mean, square = momentum / (1 - 0.9 ** self.steps[name]), variance / (1 - 0.999 ** self.steps[name])
        self.weights[name] = self.weights[name] - pace * mean / (np.sqrt(square) + 1e-8)

    def measure(self, samples: Samples) -> tuple[float, float]:
        """How surprising the winners were (in nats: 0.69 is a coin), and how far off the points."""
        surprise, square = 0.0, 0.0
        for kind in np.unique(samples.kinds):
            part = samples.part(samples.kinds == kind)
            _, points, _, shares = self.expect(part, int(kind))
            surprise -= float((part.shares * np.log(np.maximum(shares, 1e-9))).sum())
            square += float(((points - part.final)[part.taken] ** 2).sum())
        return surprise / len(samples), float((square / samples.taken.sum()) ** 0.5)


def learn_all(
    fit: Fit, samples: Samples, epochs: int, random: np.random.Generator, first: int = 0
) -> Iterator[int]:
    """Go through all positions so many times, ever more carefully; yields after each time."""
    for epoch in range(first, epochs):
        batches = []
        for kind in np.unique(samples.kinds):
            rows = random.permutation(np.flatnonzero(samples.kinds == kind))
            batches += [(int(kind), rows[start : start + BATCH]) for start in range(0, len(rows), BATCH)]
        for done, index in enumerate(random.permutation(len(batches))):
            kind, rows = batches[index]
            part = (epoch + done / len(batches)) / epochs
            fit.learn(samples.part(rows), kind, PACE * (0.02 + 0.49 * (1 + cos(pi * part))))
        yield epoch


def _about(
    game: Game, records: Sequence[Record], begun: Path | None, epochs: int, seed: int
) -> dict[str, Any]:
    """What a run must have in common with the one that it goes on with."""
    games = sha256()
    for record in records:
        games.update(record.write().encode() + b"\0")
    return {
        "game": game.id,
        "version": game.version,
        "set of records": games.hexdigest()[:16],
        "beginning": "fresh" if begun is None else sha256(begun.read_bytes()).hexdigest()[:16],
        "number of epochs": epochs,
        "seed": seed,
    }


def _columns(samples: Samples) -> dict[str, Array]:
    return {each.name: getattr(samples, each.name) for each in fields(samples)}


def _values(
    epochs: int, fit: Fit, before: tuple[float, float], random: np.random.Generator
) -> dict[str, Any]:
    """What else is known after so many times through all positions."""
    steps = list(fit.steps.values())
    return {"epochs": epochs, "steps": steps, "before": before, "random": random.bit_generator.state}


@dataclass(frozen=True)
class Fitted:
    """What the games that were held out say, before and after."""

    games: int
    positions: int
    """Those that were learnt from."""
    surprise: tuple[float, float]
    error: tuple[float, float] | None
    """How far off the points were; None where the net tells no points."""


def fit_to(
    game: Game,
    records: Sequence[Record],
    out: Path,
    epochs: int,
    seed: int,
    watch: Callable[[int, int], None],
    *,
    fresh: bool,
    cluster: Cluster | None = None,
) -> Fitted:
    """Fit the net of a game to records, from its own weights or anew, and write the weights to a file.

    What is known after each time through all positions is kept beside it: who is cut off goes on from there.
    """
    net, random = net_of(game), np.random.default_rng(seed)
    for record in records:
        if record.game.id != game.id:
            raise ValueError(f"There is a game of {record.game.name} among the records.")
    begun = None if fresh else Path(game.folder or "") / WEIGHTS
    checkpoint = Checkpoint(part_of(out), _about(game, records, begun, epochs, seed))
    kept = checkpoint.read()
    if kept is None:
        samples, fit, epoch = gather(game, records, random, cluster), Fit(net, random), 0
    else:
        samples = Samples(**{each.name: kept[0][each.name] for each in fields(Samples)})
        fit, epoch = Fit(net, random), int(kept[1]["epochs"])
    held_out = samples.games % HELD_OUT == 0
    learnt, measured = samples.part(~held_out), samples.part(held_out)
    if not len(learnt) or not len(measured):
        raise ValueError(f"There are too few games: one of {HELD_OUT} is not learnt from.")
    if begun is None:
        fit.begin(learnt)
    else:
        fit.read(begun)
    before = fit.measure(measured)
    if kept is None:
        checkpoint.write(_columns(samples) | fit.arrays(), _values(0, fit, before, random))
    else:
        fit.take(kept[0], kept[1]["steps"])
        before = tuple(kept[1]["before"])
        random.bit_generator.state = kept[1]["random"]
    watch(epoch, epochs)
    for done in learn_all(fit, learnt, epochs, random, epoch):
        checkpoint.write(_columns(samples) | fit.arrays(), _values(done + 1, fit, before, random))
        watch(1, epochs)
    after = fit.measure(measured)
    fit.write(out)
    checkpoint.end()
    error = (before[1], after[1]) if net.points else None
    return Fitted(len(set(samples.games.tolist())), len(learnt), (before[0], after[0]), error)
