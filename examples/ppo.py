"""PPO on a batch, with NumPy alone: it learns Azul for two against itself, and sits down.

Try it: python examples/ppo.py net.npz
then:   mozaika arena azul --bots net:net.npz,casual --games 200
"""

import argparse
from time import process_time
from typing import Any

import numpy as np
from azul_moves import FACTS, Net, best_moves, forward, keep, see

import mozaika

ROLL, EPOCHS, HIDDEN = 20, 3, {"move": 32, "value": 64}
SMOOTH, CLIP, ENTROPY, RATE = 0.9, 0.2, 0.01, 2e-3
POINTS = 10.0  # so many points more than the other are a reward of 1


def new_net(inputs: dict[str, int], random: np.random.Generator) -> Net:
    """Two nets: one rates a move, one a table."""
    net: Net = {}
    for name, size in inputs.items():
        net[name + "_w"] = (random.normal(size=(size, HIDDEN[name])) * size**-0.5).astype(np.float32)
        net[name + "_b"], net[name + "_v"] = np.zeros((2, HIDDEN[name]), np.float32)
    return net


def backward(net: Net, name: str, given: Any, hidden: Any, slope: Any) -> Net:
    back = slope[:, None] * net[name + "_v"] * (1 - hidden**2)
    return {name + "_w": given.T @ back, name + "_b": back.sum(0), name + "_v": hidden.T @ slope}


def softmax(logits: Any, ends: Any) -> Any:
    """The probability of each move among those of its game."""
    starts, lengths = ends[:-1], np.diff(ends)
    powers = np.exp(logits - np.repeat(np.maximum.reduceat(logits, starts), lengths))
    return powers / np.repeat(np.add.reduceat(powers, starts), lengths)


def roll_out(batch: mozaika.Batch, net: Net, random: np.random.Generator) -> list[tuple[Any, ...]]:
    """Some moves of all games: what was seen, the move, how likely it was, its gain, what it gets in all."""
    rows, kept, paid = np.arange(batch.n), list[Any](), list[Any]()
    moves, facts, ends, sight = see(batch.observation)
    for _ in range(ROLL):
        seen, who = batch.observation.copy(), batch.seat.copy()
        chances = softmax(forward(net, "move", facts)[1], ends)
        total = np.concatenate([[0.0], np.cumsum(chances, dtype=np.float64)])
        lots = total[ends[:-1]] + random.random(batch.n) * (total[ends[1:]] - total[ends[:-1]])
        chosen = np.clip(np.searchsorted(total, lots, "right") - 1, ends[:-1], ends[1:] - 1)
        kept.append((seen, facts, np.diff(ends), chosen - ends[:-1], chances[chosen]))
        batch.play(dict(enumerate(moves[chosen].tolist())))
        moves, facts, ends, after = see(batch.observation)
        goes_on = (1 - batch.done.astype(np.float32)) * np.where(
            batch.seat == who, 1, -1
        )  # the other's gain is lost
        won = batch.reward[rows, who] - batch.reward[rows, 1 - who] + goes_on * after - sight
        paid.append((won / POINTS, goes_on))
        sight = after
    ahead, gain = forward(net, "value", batch.observation)[1], np.zeros(batch.n, np.float32)
    for step in reversed(range(ROLL)):
        won, goes_on = paid[step]
        value = forward(net, "value", kept[step][0])[1]
        gain, ahead = won + goes_on * (ahead + SMOOTH * gain) - value, value
        kept[step] += (gain, gain + value)
    return kept


def gradient(
    net: Net, seen: Any, facts: Any, lengths: Any, chosen: Any, chance: Any, gain: Any, gets: Any
) -> Net:
    """Of the clipped objective, the entropy and the squared error of the value."""
    ends = np.concatenate([[0], np.cumsum(lengths)])
    hidden, logits = forward(net, "move", facts)
    chances, index = softmax(logits, ends), ends[:-1] + chosen
    ratio, gain = chances[index] / chance, (gain - gain.mean()) / (gain.std() + 1e-6)
    used = (ratio * gain <= np.clip(ratio, 1 - CLIP, 1 + CLIP) * gain) * gain * ratio
    logs = np.log(chances + 1e-9)
    spread = -np.add.reduceat(chances * logs, ends[:-1])
    slope = chances * (np.repeat(used, lengths) + ENTROPY * (logs + np.repeat(spread, lengths)))
    slope[index] -= used
    found = backward(net, "move", facts, hidden, (slope / len(gain)).astype(np.float32))
    hidden, value = forward(net, "value", seen)
    return found | backward(net, "value", seen, hidden, (value - gets) / np.float32(len(gain)))


def improve(net: Net, memory: Net, kept: list[Any], rate: float, random: np.random.Generator) -> None:
    """Adam, a few times through what was kept, two moves of all games at a time."""
    for pair in (pair for _ in range(EPOCHS) for pair in random.permutation(ROLL).reshape(-1, 2)):
        seen, facts, *rest = (
            np.concatenate(parts) for parts in zip(*(kept[step] for step in pair), strict=True)
        )
        found = gradient(net, seen, facts, *rest)
        memory["t"] += 1
        size = np.float32(rate * (1 - 0.999 ** memory["t"]) ** 0.5 / (1 - 0.9 ** memory["t"]))
        for name, slope in found.items():
            mean, square = memory["mean"][name], memory["square"][name]
            mean += np.float32(0.1) * (slope - mean)
            square += np.float32(0.001) * (slope**2 - square)
            net[name] -= size * mean / (np.sqrt(square) + np.float32(1e-7))


def measure(net: Net, opponent: str, half: int) -> tuple[float, float]:
    """The share of victories with the best moves, so many games in each seat, and its standard error."""
    won: list[float] = []
    for seat in (0, 1):
        batch = mozaika.batch("azul", 2, half, seed=7 + seat, again=False, opponents={1 - seat: opponent})
        total = np.zeros(half)
        while len(rows := np.flatnonzero(batch.mask.any(1))):
            batch.play(dict(zip(rows.tolist(), best_moves(net, batch.observation[rows]), strict=True)))
            total += batch.reward[:, seat]
        won += list((total + 1) / 2)
    return float(np.mean(won)), float(np.std(won) / len(won) ** 0.5)


def main() -> None:
    """Learn, tell how it goes, and write the net."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("file")
    parser.add_argument("--updates", type=int, default=200)
    parser.add_argument("--games", type=int, default=256, help="how many are played at once")
    parser.add_argument("--measure", type=int, default=200, help="games against bots, every ten updates")
    given, random = parser.parse_args(), np.random.default_rng(1)
    batch = mozaika.batch("azul", 2, given.games, seed=1, reward="points")
    net, used = new_net({"move": FACTS, "value": batch.observation.shape[1]}, random), 0.0
    mean, square = ({name: np.zeros_like(array) for name, array in net.items()} for _ in range(2))
    memory: Net = {"t": 0, "mean": mean, "square": square}
    for update in range(1, given.updates + 1):
        used -= process_time()
        improve(net, memory, roll_out(batch, net, random), RATE * (1 - 0.9 * update / given.updates), random)
        used += process_time()
        if update % 10 == 0 or update == given.updates:
            keep(net, given.file)
            for bot in ("random", "casual"):
                share, error = measure(net, bot, max(1, given.measure // 2))
                found = f"{share:.3f} ± {1.96 * error:.3f} against {bot}"
                print(f"update {update}, {batch.games} games, {used:.0f} s: {found}", flush=True)


if __name__ == "__main__":
    main()
