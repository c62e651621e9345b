"""What many tables at once need: a small simulation of people, servers, workers and PostgreSQL.

Everything in it is a unit cost that was measured, see docs/scale.md. People move now and then; each move is
made at one server and shown at each server at which somebody looks; some moves are those of bots.
"""

from dataclasses import dataclass
from heapq import heappop, heappush
from math import ceil
from random import Random


@dataclass(frozen=True)
class Costs:
    """What one of everything costs: CPU in milliseconds, sizes in bytes."""

    move: float = 5.8
    """At the server that is asked: rules, views for those who look there, HTTP."""
    catching_up: float = 5.3
    """At each other server at which somebody looks."""
    idle: float = 5.3
    """Of a server in a second, whatever happens: looks at the log, signs of life."""
    commit: float = 0.34
    """At PostgreSQL."""
    thought: float = 430.0
    """Of a worker, for a move of a bot, if people choose all levels as often."""
    view: int = 2_300
    """Compressed, to one who looks."""
    event: int = 400
    """In PostgreSQL, with its indexes."""


@dataclass(frozen=True)
class People:
    """What happens at tables."""

    between_moves: float = 15.0
    """Seconds of thinking before a move."""
    looking: float = 2.5
    """Pages that follow a table, in the mean."""
    bots: float = 0.4
    """The share of moves that are made by bots."""


@dataclass(frozen=True)
class Needs:
    """What so many tables take: whole processes on processors that are busy to a share."""

    tables: int
    moves_per_s: float
    servers: int
    workers: int
    database_cores: float
    megabits_per_s: float
    gigabytes_a_day: float
    p99_ms: float
    """Until a move is answered, in the simulation."""
    first_to_break: str


BUSY = 0.6
"""How busy a processor may be, so that nobody waits for long."""
MOST_COMMITS = 3_000.0
"""Of one PostgreSQL, a second; half of that was measured here on two cores that did everything else, too."""


CONNECTIONS, MOST_CONNECTIONS = 13, 500
"""Of a server; and how many a PostgreSQL has without losing much."""
MOVES = 5_000
"""So many are simulated."""
SECONDS_OF_A_HINT = 0.003


def spread(servers: int, looking: float) -> float:
    """At how many servers somebody looks at a table, in the mean, if everybody is anywhere."""
    elsewhere: float = (1 - 1 / servers) ** looking
    return servers * (1 - elsewhere)


def cpu_of_a_move(costs: Costs, people: People, servers: int) -> float:
    """Milliseconds of all servers together."""
    return costs.move + costs.catching_up * (spread(servers, people.looking) - 1)


def needs(tables: int, costs: Costs | None = None, people: People | None = None, seed: int = 0) -> Needs:
    """What so many tables at once take."""
    costs, people = costs or Costs(), people or People()
    rate = tables / people.between_moves
    servers = 1
    while rate * cpu_of_a_move(costs, people, servers) + servers * costs.idle > servers * 1_000 * BUSY:
        servers += 1
    workers = ceil(rate * people.bots * costs.thought / (1_000 * BUSY))
    return Needs(
        tables=tables,
        moves_per_s=rate,
        servers=servers,
        workers=workers,
        database_cores=rate * costs.commit / 1_000 / BUSY,
        megabits_per_s=rate * people.looking * costs.view * 8 / 1e6,
        gigabytes_a_day=rate * costs.event * 86_400 / 1e9,
        p99_ms=_answers(rate, costs, people, servers, Random(seed)),
        first_to_break=_weakest(rate, servers, workers),
    )


def _weakest(rate: float, servers: int, workers: int) -> str:
    if rate > MOST_COMMITS:
        return "commits of one PostgreSQL"
    if servers * CONNECTIONS > MOST_CONNECTIONS:
        return "connections to PostgreSQL"
    return "processors for thinking" if workers > servers else "processors of the servers"


def _answers(rate: float, costs: Costs, people: People, servers: int, random: Random) -> float:
    """Moves come at random, each to a random server; who comes while it works waits. The 99th percentile."""
    free, times, now = [0.0] * servers, list[float](), 0.0
    catching_up: list[tuple[float, int]] = []
    others, always = spread(servers, people.looking) - 1, costs.idle / max(1.0, rate / servers)
    for _ in range(MOVES):
        now += random.expovariate(rate)
        while catching_up and catching_up[0][0] <= now:
            at, server = heappop(catching_up)
            free[server] = max(free[server], at) + costs.catching_up / 1_000
        server = random.randrange(servers)
        free[server] = max(free[server], now) + (costs.move + always) / 1_000
        times.append(free[server] - now)
        for _ in range(int(others + random.random())):
            heappush(catching_up, (now + SECONDS_OF_A_HINT, random.randrange(servers)))
    return 1_000 * sorted(times)[len(times) * 99 // 100]


def write_table(sizes: tuple[int, ...] = (1_000, 10_000, 100_000)) -> str:
    """The needs of several sizes, as docs/scale.md has them."""
    lines = [
        "| tables at once | moves/s | servers | workers | PostgreSQL | network | log | p99 | breaks first |",
        "|--:|--:|--:|--:|--:|--:|--:|--:|---|",
    ]
    for each in map(needs, sizes):
        cells = (
            f"{each.tables:,}",
            f"{each.moves_per_s:,.0f}",
            str(each.servers),
            str(each.workers),
            f"{each.database_cores:.1f} cores",
            f"{each.megabits_per_s:,.0f} Mbit/s",
            f"{each.gigabytes_a_day:,.1f} GB a day",
            f"{each.p99_ms:.0f} ms",
            each.first_to_break,
        )
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)
