"""How long a move takes at one table while somebody else misbehaves, beside how long it takes before.

A real server with its usual limits, on this machine only. Players and attackers come from addresses of their
own (127.x.y.z). They stand for other machines, so they have other processors than the server, where the
system lets us say so, and the player goes before the attackers. What the machine does to a player beside whom
somebody computes is measured by itself (`busy`), and so is how much of its processor the server uses. Each
attack (`attacks`) is looked at from its first moment on.
"""

import asyncio
import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.synchronize import Event
from pathlib import Path
from random import Random

from mozaika.games import GAMES
from mozaika.lab.attacks import ATTACKS, Player, Target
from mozaika.lab.bench_server import _calm, _cpu_seconds, _percentile, _server

PAIRS, MOVES = 4, 300
"""So often quiet moves and as many with the attack follow each other, each time at a new server: nothing else
slows only one of them.
Of twelve hundred moves twelve are slower than the p99; of a hundred it would be the slowest one.
"""
TABLES = 20
"""Each with an address of its own; they move in turn, so nobody is near a limit."""
VISITOR = "127.0.2.1"
DRAWN, SURE = 400, 0.9
"""For the interval of a ratio: so often other moves are drawn from those measured."""
SECONDS_TO_BEGIN, WARMING = 30.0, 60
LIMITS = ("--webhooks", "--webhook-hosts", "127.0.0.1", "--patience", "0", "--answer-seconds", "0")


@dataclass(frozen=True)
class AttackCost:
    """What one attack does to moves at another table, all pairs together, in milliseconds."""

    attack: str
    moves: int
    quiet_p50_ms: float
    quiet_p99_ms: float
    attacked_p50_ms: float
    attacked_p99_ms: float
    ratio: float
    """Of the two p99, and between what it lies."""
    ratio_low: float
    ratio_high: float
    quiet_server: float | None
    """How much of one processor the server uses, 1 for all of it; None where the machine does not tell."""
    attacked_server: float | None
    attackers: float | None
    """How much of one processor the attackers use."""


@dataclass
class Stretch:
    """Moves one after another, and what they and everything else meanwhile took of processors."""

    times: list[float]
    seconds: float
    server: float | None
    attackers: float | None


def measure_attacks(game: str, names: list[str] | None = None) -> Iterator[AttackCost]:
    """Each attack for a few seconds, after a few quiet ones, several times; what is known comes at once."""
    for number, name in enumerate(names or ATTACKS, 1):
        yield _measure(game, name, number)


def _share_processors() -> tuple[set[int], set[int]]:
    """Those of the server and those of everybody else; none of their own where they cannot be shared out."""
    if not hasattr(os, "sched_getaffinity"):
        return set(), set()
    found = sorted(os.sched_getaffinity(0))
    half = len(found) // 2
    return set(found[:half]), set(found[half:])


@contextmanager
def _on(processors: set[int]) -> Iterator[None]:
    """What is started meanwhile runs on these processors."""
    if not processors:
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, processors)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def _measure(game: str, name: str, number: int) -> AttackCost:
    pairs = [_compare_anew(game, name, f"{2 + pair}.{number}") for pair in range(PAIRS)]
    quiet, attacked = _join([pair[0] for pair in pairs]), _join([pair[1] for pair in pairs])
    low, high = _interval(quiet.times, attacked.times)
    return AttackCost(
        attack=name,
        moves=len(attacked.times),
        quiet_p50_ms=_percentile(quiet.times, 50),
        quiet_p99_ms=_percentile(quiet.times, 99),
        attacked_p50_ms=_percentile(attacked.times, 50),
        attacked_p99_ms=_percentile(attacked.times, 99),
        ratio=_percentile(attacked.times, 99) / _percentile(quiet.times, 99),
        ratio_low=low,
        ratio_high=high,
        quiet_server=None if quiet.server is None else quiet.server / quiet.seconds,
        attacked_server=None if attacked.server is None else attacked.server / attacked.seconds,
        attackers=None if attacked.attackers is None else attacked.attackers / attacked.seconds,
    )


def _join(stretches: list[Stretch]) -> Stretch:
    def add(values: list[float | None]) -> float | None:
        known = [each for each in values if each is not None]
        return sum(known) if len(known) == len(values) else None

    return Stretch(
        [each for stretch in stretches for each in stretch.times],
        sum(stretch.seconds for stretch in stretches),
        add([stretch.server for stretch in stretches]),
        add([stretch.attackers for stretch in stretches]),
    )


def _interval(quiet: list[float], attacked: list[float]) -> tuple[float, float]:
    """Between what the ratio of the two p99 would lie with other moves."""
    random = Random(0)
    ratios = sorted(
        _percentile(random.choices(attacked, k=len(attacked)), 99)
        / _percentile(random.choices(quiet, k=len(quiet)), 99)
        for _ in range(DRAWN)
    )
    beyond = round(DRAWN * (1 - SURE) / 2)
    return ratios[beyond], ratios[-1 - beyond]


def _compare_anew(game: str, name: str, place: str) -> tuple[Stretch, Stretch]:
    """Quiet moves and attacked ones at a server of their own: one that has been attacked may go on thinking
    about it for long, and is not quiet.
    """
    ours, others = _share_processors()
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        with _on(ours):
            port, process = stack.enter_context(_server(str(Path(folder) / "games.db"), LIMITS))
        with _on(others):
            people = [Player(port, f"127.0.1.{number}") for number in range(1, TABLES + 1)]
            for player in people:
                player.open(game, {"kind": "me"}, {"kind": "screen"})
            _use_everything(people[0])
            _play(people, game, process, moves=WARMING)
            asyncio.run(_calm(process))
            return _compare(people, process, game, name, place)


def _use_everything(player: Player) -> None:
    """A server that is in use has loaded its games, and has started the processes beside it."""
    visitor = Player(player.port, VISITOR)
    for game in GAMES.values():
        visitor.open(game.id, *[{"kind": "me"}] * game.seats[0])
        visitor.ask("GET", f"/api/games/{visitor.table}/view")
    for method, path in (("POST", "/api/verify"), ("GET", "/api")):
        with suppress(ValueError):  # a page is no JSON, and this is no record
            visitor.ask(method, path, "no record")


def _compare(people: list[Player], process: int, game: str, name: str, place: str) -> tuple[Stretch, Stretch]:
    """How long moves take in quiet, and while an address attacks that has not been seen before."""
    quiet = _play(people, game, process)
    target = Target(people[0].port, game, people[0].table, f"127.255.{place}")
    context = get_context("spawn")
    begun = context.Event()
    attacker = context.Process(target=_attack, args=(name, target, begun), daemon=True)
    attacker.start()
    if not begun.wait(SECONDS_TO_BEGIN) or attacker.pid is None:
        raise ValueError("The attack did not begin.")
    attacked = _play(people, game, process, attacker.pid)
    attacker.kill()
    attacker.join()
    return quiet, attacked


def _play(
    people: list[Player], game: str, server: int, attacker: int | None = None, moves: int = MOVES
) -> Stretch:
    """One move at each table in turn."""

    def spent() -> tuple[float | None, float | None]:
        return _cpu_seconds(server), None if attacker is None else _cpu_seconds(attacker)

    began, before = time.perf_counter(), spent()
    times = [time for number in range(moves) for time in people[number % len(people)].play(game, 1)]
    took, after = time.perf_counter() - began, spent()
    of_server, of_attacker = (
        None if then is None or now is None else now - then for then, now in zip(before, after, strict=True)
    )
    return Stretch(times, took, of_server, of_attacker)


def _attack(name: str, target: Target, begun: Event) -> None:
    if hasattr(os, "SCHED_IDLE"):
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))  # the player goes first
    begun.set()
    asyncio.run(ATTACKS[name](target))
