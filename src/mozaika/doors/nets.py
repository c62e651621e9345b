"""A net of one's own as a bot: `net:FILE`, an .npz file with its layers over the observation of a batch.

The file has `w0`, `b0`, `w1`, `b1` … by input and output; between layers is tanh, and of the last outputs the
first are the logits of the actions. Whatever comes after them, such as a value, is not looked at.
"""

from pathlib import Path
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from mozaika.game import Game
from mozaika.state import Random, State
from mozaika.thought import Budget, Thought

NET = "net:"
"""Before the file of a net."""


class NetPlayer:
    """Chooses what its net likes best, choice by choice."""

    def __init__(self, path: Path) -> None:
        try:
            with np.load(path) as kept:
                layers = [(kept[f"w{number}"], kept[f"b{number}"]) for number in range(len(kept.files) // 2)]
        except (OSError, ValueError, KeyError, BadZipFile):
            raise ValueError(f"{path} is no .npz file with the layers w0, b0, w1, b1 … of a net.") from None
        self.path, self.layers = path, layers

    def logits(self, seen: NDArray[np.float32]) -> NDArray[np.float32]:
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
        width = game.features.size(seats) + len(game.stages.remembered)
        inputs, outputs = self.layers[0][0].shape[0], self.layers[-1][1].shape[0]
        return bool(inputs == width and outputs >= game.stages.size)

    def _check(self, game: Game, width: int, actions: int) -> None:
        inputs, outputs = self.layers[0][0].shape[0], self.layers[-1][1].shape[0]
        if inputs != width or outputs < actions:
            raise ValueError(
                f"The net {self.path.name} has {inputs} inputs and {outputs} outputs; "
                f"{game.name} needs {width} and at least {actions}."
            )
