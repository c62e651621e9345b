"""PPO on a batch, with NumPy alone: it learns Azul for two against a bot, and writes a net that plays.

Try it: python examples/ppo.py net.npz --opponent casual --updates 300
then:   mozaika arena azul --bots net:net.npz,casual --games 200
"""

import argparse
from itertools import pairwise
from typing import Any

import numpy as np

import mozaika

HIDDEN, ROLL, EPOCHS, PARTS = 128, 32, 3, 8
GAMMA, SMOOTH, CLIP, ENTROPY, RATE = 0.995, 0.95, 0.2, 0.01, 3e-4
POINTS = 20.0  # so many points more than the other are a reward of 1
Arrays = dict[str, Any]


def new_net(inputs: int, actions: int, random: np.random.Generator) -> Arrays:
    """Two layers of tanh, then the logits of the actions and the value."""
    sizes = [inputs, HIDDEN, HIDDEN, actions + 1]
    net = {}
    for number, (before, after) in enumerate(pairwise(sizes)):
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
    masked = np.where(mask, logits, -1e9)
    powers = np.exp(masked - masked.max(1, keepdims=True))
    return powers / powers.sum(1, keepdims=True)


def roll_out(batch: mozaika.Batch, net: Arrays) -> Arrays:
    """So many steps of all games, with advantages and returns."""
    n = batch.n
    kept: Arrays = {
        "seen": np.zeros((ROLL, n, batch.observation.shape[1]), np.float32),
        "mask": np.zeros((ROLL, n, batch.size), bool),
        "action": np.zeros((ROLL, n), np.int64),
        "chance": np.zeros((ROLL, n), np.float32),
    }
    value, reward, done = (np.zeros((ROLL + 1, n), np.float32) for _ in range(3))
    for step in range(ROLL):
        kept["seen"][step], kept["mask"][step] = batch.observation, batch.mask
        _, logits, value[step] = forward(net, batch.observation)
        action = batch.sample(logits.astype(np.float32)).copy()
        kept["action"][step] = action
        kept["chance"][step] = softmax(logits, batch.mask)[np.arange(n), action]
        batch.step(action)
        reward[step], done[step] = (batch.reward[:, 0] - batch.reward[:, 1]) / POINTS, batch.done
    value[ROLL] = forward(net, batch.observation)[2]
    gain = np.zeros((ROLL + 1, n), np.float32)
    for step in reversed(range(ROLL)):
        goes_on = 1 - done[step]
        surprise = reward[step] + GAMMA * value[step + 1] * goes_on - value[step]
        gain[step] = surprise + GAMMA * SMOOTH * goes_on * gain[step + 1]
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
    chosen = np.zeros_like(chances)
    chosen[rows, part["action"]] = 1
    logs = np.log(chances + 1e-9)
    spread = -(chances * logs).sum(1, keepdims=True)
    out = -used[:, None] * (chosen - chances) + ENTROPY * chances * (logs + spread)
    error = 0.5 * (value - part["return"])
    back = np.concatenate([out, error[:, None]], 1) / len(rows)
    found: Arrays = {}
    for number in (2, 1, 0):
        found[f"w{number}"], found[f"b{number}"] = layers[number].T @ back, back.sum(0)
        back = back @ net[f"w{number}"].T * (1 - layers[number] ** 2) if number else back
    return found


def improve(net: Arrays, memory: Arrays, kept: Arrays, random: np.random.Generator) -> None:
    """Adam, a few times through what was kept."""
    for _ in range(EPOCHS):
        for rows in np.array_split(random.permutation(len(kept["action"])), PARTS):
            found = gradient(net, {name: array[rows] for name, array in kept.items()})
            memory["t"] += 1
            for name, slope in found.items():
                mean, square = memory["mean"][name], memory["square"][name]
                mean += 0.1 * (slope - mean)
                square += 0.001 * (slope**2 - square)
                size = RATE * (1 - 0.999 ** memory["t"]) ** 0.5 / (1 - 0.9 ** memory["t"])
                net[name] -= (size * mean / (np.sqrt(square) + 1e-8)).astype(np.float32)


def main() -> None:
    """Learn, tell how it goes, and write the net."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file")
    parser.add_argument("--opponent", default="random")
    parser.add_argument("--updates", type=int, default=200)
    parser.add_argument("--games", type=int, default=256)
    parser.add_argument("--start", help="go on with this net")
    given = parser.parse_args()
    random = np.random.default_rng(1)
    batch = mozaika.batch("azul", 2, given.games, seed=1, reward="points", opponents={1: given.opponent})
    fresh = new_net(batch.observation.shape[1], batch.size, random)
    net = dict(np.load(given.start)) if given.start else fresh
    memory: Arrays = {"t": 0, "mean": {}, "square": {}}
    for name, array in net.items():
        memory["mean"][name], memory["square"][name] = np.zeros_like(array), np.zeros_like(array)
    for update in range(1, given.updates + 1):
        before = batch.games
        kept = roll_out(batch, net)
        improve(net, memory, kept, random)
        if update % 10 == 0 or update == given.updates:
            ahead = POINTS * float(kept["return"].mean())
            print(f"update {update}: {batch.games - before} games; expects {ahead:+.1f} points", flush=True)
    np.savez(given.file, **net)


if __name__ == "__main__":
    main()
