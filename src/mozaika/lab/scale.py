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

    move: float = 7.4
    """At the server that is asked: rules, views for those who look there, HTTP."""
    catching_up: float = 1.3
    """At each other server at which somebody looks."""
    idle: float = 5.7
    """Of a server in a second, whatever happens: looks at the log, signs of life."""
    commit: float = 0.35
    """At PostgreSQL."""
    hint: float = 0.025
    """At PostgreSQL, that something has changed; and besides for each process that hears of it."""
    delivery: float = 0.005
    hearing: float = 0.008
    """At each process."""
    job: float = 1.9
    """At PostgreSQL, for a move of a bot: asked, claimed, answered, with the hints of that."""
    asking: float = 2.6
    """At whoever asks for it and thinks about it, besides the thought."""
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
    connections: int
    first_to_break: str
    """What is nearest to its limit, or beyond it; processors can be added."""


BUSY = 0.6
"""How busy a processor may be, so that nobody waits for long."""
MOST_COMMITS = 3_000.0
"""Of one PostgreSQL, a second, on a machine of its own."""
MOST_CORES = 16.0
"""Of the machine of PostgreSQL."""
CONNECTIONS, CONNECTIONS_OF_A_WORKER, MOST_CONNECTIONS = 13, 4, 500
"""Of a server; of a worker, who needs few at once; and how many a PostgreSQL has without losing much."""
THREADS = 8
"""Of a worker's process, each on a processor."""
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
    workers = ceil(rate * people.bots * (costs.thought + costs.asking / 2) / (1_000 * BUSY))
    servers = 1
    while _load(servers, rate, costs, people) > servers * 1_000 * BUSY:
        servers += 1
    thinking = ceil(workers / THREADS)
    cores = _database(rate, servers + thinking, costs, people) / 1_000 / BUSY
    connections = servers * CONNECTIONS + thinking * CONNECTIONS_OF_A_WORKER
    return Needs(
        tables=tables,
        moves_per_s=rate,
        servers=servers,
        workers=workers,
        database_cores=cores,
        megabits_per_s=rate * people.looking * costs.view * 8 / 1e6,
        gigabytes_a_day=rate * costs.event * 86_400 / 1e9,
        p99_ms=_answers(rate, costs, people, servers, Random(seed)),
        connections=connections,
        first_to_break=_weakest(rate, cores, connections, servers, workers),
    )


def _load(servers: int, rate: float, costs: Costs, people: People) -> float:
    """Milliseconds of all servers in a second: all of them hear of every change."""
    moves = rate * (cpu_of_a_move(costs, people, servers) + people.bots * costs.asking / 2)
    return moves + servers * (costs.idle + rate * costs.hearing)


def _database(rate: float, listening: int, costs: Costs, people: People) -> float:
    """Milliseconds of PostgreSQL in a second. A job is told when it is asked for and when it is done."""
    words = rate * (1 + 2 * people.bots)
    return rate * (costs.commit + costs.hint + people.bots * costs.job) + words * costs.delivery * listening


def shares_of_limits(rate: float, cores: float, connections: int) -> dict[str, float]:
    """How much of what one PostgreSQL can do is taken."""
    return {
        "commits of one PostgreSQL": rate / MOST_COMMITS,
        "connections to PostgreSQL": connections / MOST_CONNECTIONS,
        "processors of PostgreSQL": cores / MOST_CORES,
    }


def _weakest(rate: float, cores: float, connections: int, servers: int, workers: int) -> str:
    name, share = max(shares_of_limits(rate, cores, connections).items(), key=lambda each: each[1])
    if share >= 1:
        return name
    return "processors for thinking" if workers > servers else "processors of the servers"


def reached_at(limit: str) -> int:
    """At how many tables at once, in thousands, one PostgreSQL is at a limit."""
    few, many = 0, 1_000
    while many - few > 1:
        middle = (few + many) // 2
        found = needs(1_000 * middle)
        share = shares_of_limits(found.moves_per_s, found.database_cores, found.connections)[limit]
        few, many = (few, middle) if share >= 1 else (middle, many)
    return 1_000 * many


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
        "| tables at once | moves/s | servers | workers | PostgreSQL | connections | network | log | p99 "
        "| breaks first |",
        "|--:|--:|--:|--:|--:|--:|--:|--:|--:|---|",
    ]
    for each in map(needs, sizes):
        cells = (
            f"{each.tables:,}",
            f"{each.moves_per_s:,.0f}",
            str(each.servers),
            str(each.workers),
            f"{each.database_cores:.1f} cores",
            f"{each.connections:,}",
            f"{each.megabits_per_s:,.0f} Mbit/s",
            f"{each.gigabytes_a_day:,.1f} GB a day",
            f"{each.p99_ms:.0f} ms",
            each.first_to_break,
        )
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def write_limits() -> str:
    """At how many tables at once each limit of one PostgreSQL is reached, as docs/scale.md has it."""
    reached = sorted((reached_at(limit), limit) for limit in shares_of_limits(0, 0, 0))
    lines = ["| limit of one PostgreSQL | reached at |", "|---|--:|"]
    return "\n".join([*lines, *(f"| {limit} | {tables:,} tables |" for tables, limit in reached)])
