"""A net of one's own as a bot: `net:FILE`, an .npz file with its layers over the observation of a batch.

The file has `w0`, `b0`, `w1`, `b1` … by input and output; between layers is tanh, and of the last outputs the
first are the logits of the actions. Whatever comes after them, such as a value, is not looked at. A net with
one output rates moves instead, each by the facts that its game tells of moves.
"""

from pathlib import Path
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from mozaika.features import Facts
from mozaika.game import Game
from mozaika.kernel import swift
from mozaika.state import Random, State
from mozaika.thought import Budget, Thought

NET = "net:"
"""Before the file of a net."""


Numbers = NDArray[np.float32]


def list_facts(facts: Facts, seen: Numbers) -> tuple[NDArray[np.int32], Numbers, NDArray[np.int32], Numbers]:
    """Of observations, one for each game: all moves, the facts of each, where the moves of each game begin
    and those of the last one end, and how many points ahead the seat is.
    """
    most, n = len(seen) * facts.most_moves, len(seen)
    moves, told = np.zeros(most, np.int32), np.zeros((most, len(facts.names)), np.float32)
    ends, ahead = np.zeros(n + 1, np.int32), np.zeros(n, np.float32)
    found = swift(facts.tell)(seen, moves, told, ends, ahead)
    return moves[:found], told[:found], ends, ahead


class NetPlayer:
    """Chooses what its net likes best, choice by choice."""

    def __init__(self, path: Path) -> None:
        try:
            with np.load(path) as kept:
                layers = [(kept[f"w{number}"], kept[f"b{number}"]) for number in range(len(kept.files) // 2)]
        except (OSError, EOFError, ValueError, TypeError, KeyError, BadZipFile):
            raise ValueError(f"{path} is no .npz file with the layers w0, b0, w1, b1 … of a net.") from None
        self.path, self.layers = path, layers
        self._check_layers()

    def _check_layers(self) -> None:
        if not self.layers:
            raise ValueError(f"{self.path} has no layers w0, b0, w1, b1 … of a net.")
        width = self.layers[0][0].shape[:1]
        for number, (weights, bias) in enumerate(self.layers):
            if weights.ndim != 2 or weights.shape != (*width, *bias.shape):
                shapes = f"w{number} has the shape {weights.shape} and b{number} {bias.shape}"
                raise ValueError(f"{self.path}: {shapes}, which do not fit each other or the layer before.")
            parts = (weights, bias)
            if not all(part.dtype.kind in "iuf" and np.isfinite(part).all() for part in parts):
                raise ValueError(f"{self.path}: in w{number} or b{number} is something that is no number.")
            width = bias.shape

    def logits(self, seen: Numbers) -> Numbers:
        """What the net thinks of each action."""
        for number, (weights, bias) in enumerate(self.layers):
            seen = (np.tanh(seen) if number else seen) @ weights + bias
        return seen

    def __call__(self, game: Game, view: State, seat: int, random: Random, budget: Budget | None) -> Thought:
        stages, features = game.stages, game.features
        if stages is None or features is None:
            raise ValueError(f"{game.name} has no stages and features, which a net needs.")
        state, remembered = game.guess(view, seat, random), stages.remembered
        size = features.size(int(view["seats"]))
        seen, made = np.zeros(size + len(remembered), np.float32), list[int]()
        features.observe(view, seat, seen)
        if self._rates_moves(game, int(view["seats"])):
            return self._rate_moves(game, seen[:size])
        self._check(game, len(seen), stages.size)
        while len(found := stages.next_choices(state, seat, made)) > 0:
            if len(found) > 1:
                seen[size:] = [choice in made for choice in remembered]
                found = [found[int(self.logits(seen)[found].argmax())]]
            made += found
        return Thought(stages.join_choices(state, made))

    def fits(self, game: Game, seats: int) -> bool:
        """Whether it has the numbers of inputs and outputs of a game for so many players."""
        if game.stages is None or game.features is None:
            return False
        if self._rates_moves(game, seats):
            return True
        width = game.features.size(seats) + len(game.stages.remembered)
        inputs, outputs = self.layers[0][0].shape[0], self.layers[-1][1].shape[0]
        return bool(inputs == width and outputs >= game.stages.size)

    def _rates_moves(self, game: Game, seats: int) -> bool:
        facts = game.features.facts if game.features else None
        if facts is None or seats not in facts.seats:
            return False
        inputs, outputs = self.layers[0][0].shape[0], self.layers[-1][1].shape[0]
        return bool(inputs == len(facts.names) and outputs == 1)

    def _rate_moves(self, game: Game, seen: Numbers) -> Thought:
        facts = game.features.facts  # type: ignore[union-attr]
        moves, told, _, _ = list_facts(facts, seen[None])  # type: ignore[arg-type]
        if len(moves) == 0:
            raise ValueError(
                f"The net {self.path.name} rates moves by facts, which {game.name} has only as it is usual."
            )
        return Thought(int(moves[self.logits(told)[:, 0].argmax()]))

    def _check(self, game: Game, width: int, actions: int) -> None:
        inputs, outputs = self.layers[0][0].shape[0], self.layers[-1][1].shape[0]
        if inputs != width or outputs < actions:
            raise ValueError(
                f"The net {self.path.name} has {inputs} inputs and {outputs} outputs; "
                f"{game.name} needs {width} and at least {actions}."
            )
