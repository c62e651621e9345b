"""Nets that rate the moves of Azul for two, by some facts about each of them; ppo.py trains one."""

from itertools import pairwise
from typing import Any

import numpy as np

import mozaika
from mozaika.doors.nets import list_facts

Net = dict[str, Any]

TOLD = mozaika.GAMES["azul"].features.facts  # type: ignore[union-attr]
FACTS = len(TOLD.names)  # type: ignore[union-attr]


def see(seen: Any) -> tuple[Any, Any, Any, Any]:
    """Moves, their facts, where those of each game begin and end, and how many points one is ahead."""
    return list_facts(TOLD, seen)  # type: ignore[arg-type]


def forward(net: Net, name: str, given: Any) -> tuple[Any, Any]:
    """A layer of tanh, and a sum: the logit of a move, or the value of a table."""
    hidden = np.tanh(given @ net[name + "_w"] + net[name + "_b"])
    return hidden, hidden @ net[name + "_v"]


def best_moves(net: Net, seen: Any) -> list[int]:
    """What the net likes best in each game."""
    moves, facts, ends, _ = see(seen)
    logits = forward(net, "move", facts)[1]
    return [int(moves[first + logits[first:last].argmax()]) for first, last in pairwise(ends)]


def keep(net: Net, file: str) -> None:
    """As a file that is a bot, net:FILE: layers that make one number of the facts of a move."""
    layers = {"w0": net["move_w"], "b0": net["move_b"], "w1": net["move_v"][:, None]}
    np.savez(file, **layers, b1=np.zeros(1, np.float32))
