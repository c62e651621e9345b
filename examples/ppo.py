"""PPO on a batch, with NumPy alone: it learns Azul for two, against itself or a bot, and writes a net.

Try it: python examples/ppo.py first.npz --updates 160
        python examples/ppo.py net.npz --start first.npz --opponent casual --updates 400
then:   mozaika arena azul --bots net:net.npz,casual --games 200
"""

import argparse
from itertools import pairwise
from time import process_time
from typing import Any

import numpy as np

import mozaika

HIDDEN, ROLL, EPOCHS, PARTS = 192, 32, 4, 32
SMOOTH, CLIP, ENTROPY, RATE = 0.95, 0.2, 0.005, 7e-4
POINTS = 20.0  # so many points more than the other are a reward of 1
Arrays = dict[str, Any]


def new_net(inputs: int, actions: int, random: np.random.Generator) -> Arrays:
    """Two layers of tanh, then the logits of the actions and the value."""
    net = {}
    for number, (before, after) in enumerate(pairwise([inputs, HIDDEN, HIDDEN, actions + 1])):
        scale = 0.01 if after == actions + 1 else before**-0.5
        net[f"w{number}"] = (random.normal(size=(before, after)) * scale).astype(np.float32)
        net[f"b{number}"] = np.zeros(after, np.float32)
    return net


def forward(net: Arrays, seen: Any) -> tuple[list[Any], Any, Any]:
    """What each layer gives; the logits; the value."""
    first = np.tanh(seen @ net["w0"] + net["b0"])
    second = np.tanh(first @ net["w1"] + net["b1"])
    out = second @ net["w2"] + net["b2"]
    return [seen, first, second], out[:, :-1], out[:, -1]


def softmax(logits: Any, mask: Any) -> Any:
    """The probability of each action that is open."""
    masked = np.where(mask, logits, np.float32(-1e9))
    powers = np.exp(masked - masked.max(1, keepdims=True))
    return powers / powers.sum(1, keepdims=True)


def roll_out(batch: mozaika.Batch, net: Arrays) -> Arrays:
    """So many steps of all games, with advantages and returns of whoever moved."""
    n, rows = batch.n, np.arange(batch.n)
    kept: Arrays = {
        "seen": np.zeros((ROLL, n, batch.observation.shape[1]), np.float32),
        "mask": np.zeros((ROLL, n, batch.size), bool),
        "action": np.zeros((ROLL, n), np.int64),
        "chance": np.zeros((ROLL, n), np.float32),
    }
    value, reward, done, seat = (np.zeros((ROLL + 1, n), np.float32) for _ in range(4))
    for step in range(ROLL):
        kept["seen"][step], kept["mask"][step], seat[step] = batch.observation, batch.mask, batch.seat
        _, logits, value[step] = forward(net, batch.observation)
        who, action = batch.seat.astype(int), batch.sample(logits).copy()
        kept["action"][step], kept["chance"][step] = action, softmax(logits, batch.mask)[rows, action]
        batch.step(action)
        reward[step] = (batch.reward[rows, who] - batch.reward[rows, 1 - who]) / POINTS
        done[step] = batch.done
    value[ROLL], seat[ROLL] = forward(net, batch.observation)[2], batch.seat
    gain = np.zeros((ROLL + 1, n), np.float32)
    for step in reversed(range(ROLL)):
        goes_on = (1 - done[step]) * np.where(seat[step] == seat[step + 1], 1, -1)  # the other's gain is lost
        gain[step] = reward[step] + goes_on * (value[step + 1] + SMOOTH * gain[step + 1]) - value[step]
    kept["gain"], kept["return"] = gain[:ROLL], gain[:ROLL] + value[:ROLL]
    return {name: array.reshape(-1, *array.shape[2:]) for name, array in kept.items()}


def gradient(net: Arrays, part: Arrays) -> Arrays:
    """Of the clipped objective, the entropy and the squared error of the value."""
    rows = np.arange(len(part["action"]))
    layers, logits, value = forward(net, part["seen"])
    chances = softmax(logits, part["mask"])
    ratio = chances[rows, part["action"]] / part["chance"]
    gain = (part["gain"] - part["gain"].mean()) / (part["gain"].std() + 1e-6)
    used = (ratio * gain <= np.clip(ratio, 1 - CLIP, 1 + CLIP) * gain) * gain * ratio
    chosen = np.eye(chances.shape[1], dtype=np.float32)[part["action"]]
    logs = np.log(chances + 1e-9)
    spread = -(chances * logs).sum(1, keepdims=True)
    out = -used[:, None] * (chosen - chances) + ENTROPY * chances * (logs + spread)
    back = np.concatenate([out, 0.5 * (value - part["return"])[:, None]], 1) / len(rows)
    found: Arrays = {}
    for number in (2, 1, 0):
        found[f"w{number}"], found[f"b{number}"] = layers[number].T @ back, back.sum(0)
        back = back @ net[f"w{number}"].T * (1 - layers[number] ** 2) if number else back
    return found


def improve(net: Arrays, memory: Arrays, kept: Arrays, rate: float, random: np.random.Generator) -> None:
    """Adam, a few times through what was kept."""
    for _ in range(EPOCHS):
        for rows in np.array_split(random.permutation(len(kept["action"])), PARTS):
            found = gradient(net, {name: array[rows] for name, array in kept.items()})
            size = min(1.0, 0.5 / (sum(float((slope**2).sum()) for slope in found.values()) ** 0.5 + 1e-9))
            memory["t"] += 1
            for name, slope in found.items():
                mean, square = memory["mean"][name], memory["square"][name]
                mean += 0.1 * (size * slope - mean)
                square += 0.001 * ((size * slope) ** 2 - square)
                step = rate * (1 - 0.999 ** memory["t"]) ** 0.5 / (1 - 0.9 ** memory["t"])
                net[name] -= (step * mean / (np.sqrt(square) + 1e-8)).astype(np.float32)


def measure(net: Arrays, opponent: str, half: int) -> tuple[float, float]:
    """The share of victories with the best choices, so many games in each seat, and its standard error."""
    won: list[float] = []
    for seat in (0, 1):
        batch = mozaika.batch("azul", 2, half, seed=7 + seat, again=False, opponents={1 - seat: opponent})
        total = np.zeros(half)
        while batch.mask.any():
            batch.step(batch.sample(forward(net, batch.observation)[1], best=True))
            total += batch.reward[:, seat]
        won += list((total + 1) / 2)
    return float(np.mean(won)), float(np.std(won) / len(won) ** 0.5)


def main() -> None:
    """Learn, tell how it goes, and write the net."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("file")
    parser.add_argument("--opponent", default="", help="one of our bots; without one it plays itself")
    parser.add_argument("--updates", type=int, default=160)
    parser.add_argument("--games", type=int, default=512, help="how many are played at once")
    parser.add_argument("--start", help="go on with this net")
    parser.add_argument("--measure", type=int, default=200, help="games against bots, every ten updates")
    given, random = parser.parse_args(), np.random.default_rng(1)
    bots: dict[int, Any] = {1: given.opponent} if given.opponent else {}
    batch = mozaika.batch("azul", 2, given.games, seed=1, reward="points", opponents=bots)
    inputs = batch.observation.shape[1]
    net = dict(np.load(given.start)) if given.start else new_net(inputs, batch.size, random)
    mean, square = ({name: np.zeros_like(array) for name, array in net.items()} for _ in range(2))
    memory: Arrays = {"t": 0, "mean": mean, "square": square}
    for update in range(1, given.updates + 1):
        improve(net, memory, roll_out(batch, net), RATE * (1 - 0.9 * update / given.updates), random)
        if update % 10 == 0 or update == given.updates:
            np.savez(given.file, **net)
            for bot in ("random", "casual"):
                share, error = measure(net, bot, max(1, given.measure // 2))
                found = f"{share:.3f} ± {1.96 * error:.3f} against {bot}"
                print(f"update {update}, {batch.games} games, {process_time():.0f} s: {found}", flush=True)


if __name__ == "__main__":
    main()
