"""Commands that count, measure and look after this installation."""

import json
import os
import platform
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape
from rich.progress import track
from rich.table import Table as Grid

from mozaika import kernel
from mozaika.checks import check_game
from mozaika.cli.settings import effective
from mozaika.cli.shell import (
    EXAMPLE,
    AsJson,
    Chosen,
    GameName,
    Seats,
    command,
    console,
    notices,
    print_json,
    short_options,
    split_options,
)
from mozaika.doors.batch import warm_batch
from mozaika.games import GAMES, find_game
from mozaika.lab.bench import Speed, measure
from mozaika.lab.signature import signatures, whole
from mozaika.record import TOLD
from mozaika.search.perft import count_ways
from mozaika.table import Table
from mozaika.words import LANGUAGES

if TYPE_CHECKING:
    from mozaika.lab.bench_attacks import AttackCost


@command("check-game")
def check(
    game: GameName,
    seeds: Annotated[int, typer.Option(min=1, help="So many random games of each kind are looked at.")] = 8,
    as_json: AsJson = False,
) -> None:
    """Hold a game to what every game must do, ours or another package's.

    Games end, moves and positions are read as they are written, records replay, compiled rules equal plain
    ones, views leak nothing, bots play legal moves, the picture can be drawn.

    Exit code 0 if all holds, 1 if something does not.

    Example: `mozaika check-game GAME`
    """
    found = []
    for each in check_game(game, range(seeds)):
        found.append(each)
        if not as_json:
            mark = f"[red]no [/] {each.name}: " if each.fault else f"[green]yes[/] {each.name}"
            console.print(mark + escape(each.fault), highlight=False, soft_wrap=True)
    if as_json:
        print_json([each._asdict() for each in found])
    raise typer.Exit(1 if any(each.fault for each in found) else 0)


@command()
def perft(
    game: GameName,
    depth: Annotated[int, typer.Option("--depth", "-d", min=1, max=12, help="How many plies to look.")] = 2,
    seats: Seats = None,
    option: Chosen = None,
    seed: Annotated[str, typer.Option(help="The seed of the first deal.")] = "perft",
    position: Annotated[str | None, typer.Option(help="Count from this position instead.")] = None,
    as_json: AsJson = False,
) -> None:
    """Count the ways a game can go on, from the first move on or from a position.

    Example: `mozaika perft GAME --depth 3 --seed 1`
    """
    shelf_game = find_game(game)
    if position:
        table = Table.from_position(position, draws=TOLD)
        if table.game is not shelf_game or seats or option:
            raise ValueError(f"This is a position of {table.game.name}, with its seats and options.")
    else:
        table = Table(shelf_game, seats, seed=seed, **split_options(option))
    counts = []
    with kernel.compiling():
        for plies in track(range(1, depth + 1), "Counting", console=notices, transient=True):
            counts.append(count_ways(table.game, table.state, plies))  # noqa: PERF401
    if as_json:
        print_json({"position": table.position(), "counts": counts})
        return
    grid = Grid("plies", "ways")
    for plies, ways in enumerate(counts, 1):
        grid.add_row(str(plies), f"{ways:,}")
    console.print(grid)


@command()
def bench(
    game: GameName = EXAMPLE,
    number: Annotated[
        int, typer.Option("--games", "-g", min=1, help="How many random games of each kind.")
    ] = 100_000,
    seats: Seats = None,
    option: Chosen = None,
    signature: Annotated[
        bool, typer.Option("--signature", help="Print the number that changes when a bot plays differently.")
    ] = False,
    store: Annotated[
        str, typer.Option(metavar="URL", help="For `bench server`: an empty database of PostgreSQL.")
    ] = "",
    servers: Annotated[
        int, typer.Option(min=1, max=64, help="For `bench server` with such a database: how many servers.")
    ] = 1,
    attack: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="For `bench attacks`: only this one; can be given several times."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Measure random games in one thread, as a ratio to a calibration loop in the same run.

    With --json the first kind is the object itself and the others stand under "more". `mozaika bench server`
    measures durable moves over HTTP instead, at so many tables as --games says, with two players and two
    watchers each; `mozaika bench views` what a first look takes, in bytes and CPU, at every ply of recorded
    games; `mozaika bench bots` how long each level thinks, at up to 10 moments of a game; `mozaika bench
    attacks` a move at one table while others misbehave, a line (with --json an object) as soon as one is
    measured; `mozaika bench batch` steps of batches for programs that learn, so many games at once as --games
    says, at most 1,024.

    `mozaika bench --signature` measures no speed: it lets every bot of every game look at fixed positions and
    prints one number.

    Examples: `mozaika bench GAME --json` · `mozaika bench server --games 20` · `mozaika bench --signature`
    """
    if signature:
        parts = signatures()
        print_json({"signature": whole(parts), "games": parts} if as_json else whole(parts))
        return
    if game == "server":
        _bench_server(min(number, MOST_BENCH_TABLES), store, servers, as_json=as_json)
        return
    if game == "attacks":
        _bench_attacks(attack or [], as_json=as_json)
        return
    if game == "views":
        _bench_views(as_json=as_json)
        return
    if game == "bots":
        _bench_bots(min(number, MOST_BENCH_MOMENTS), as_json=as_json)
        return
    if game == "batch":
        _bench_batch(min(number, MOST_BENCH_GAMES), seats, as_json=as_json)
        return
    shelf_game = find_game(game)
    if option or seats not in (None, *shelf_game.seats):
        kinds = [(count, split_options(option)) for count in ([seats] if seats else shelf_game.seats)]
    else:
        kinds = [(count, dict(options)) for count, options in shelf_game.kinds() if seats in (None, count)]
    speeds = [
        measure(shelf_game, count, shelf_game.read_options(options), number)
        for count, options in track(kinds, "Playing", console=notices, transient=True)
    ]
    if as_json:
        print_json({**asdict(speeds[0]), "more": [asdict(speed) for speed in speeds[1:]]})
    else:
        console.print(_bench_grid(speeds))


MOST_BENCH_TABLES = 200


def _bench_server(tables: int, store: str, servers: int, *, as_json: bool) -> None:
    from mozaika.lab.bench_server import measure_server

    if servers > 1 and not store:
        raise ValueError("Several servers need --store with a database of PostgreSQL.")
    with notices.status("Playing"):
        speed = measure_server(next(iter(GAMES)), tables, store_url=store, servers=servers)
    if as_json:
        print_json(asdict(speed))
        return
    grid = Grid("", "moves/s", "p50 ms", "p99 ms", title=f"{speed.games} tables, {speed.watchers} watchers")
    grid.add_row("server: answer", f"{speed.moves_per_s:.0f}", f"{speed.p50_ms:.1f}", f"{speed.p99_ms:.1f}")
    grid.add_row("server: seen by a watcher", "", f"{speed.news_p50_ms:.1f}", f"{speed.news_p99_ms:.1f}")
    alone = (f"{speed.store_moves_per_s:.0f}", f"{speed.store_p50_ms:.1f}", f"{speed.store_p99_ms:.1f}")
    grid.add_row("store alone", *alone)
    if speed.hint_p50_ms is not None:
        grid.add_row("another process hears", "", f"{speed.hint_p50_ms:.1f}", f"{speed.hint_p99_ms:.1f}")
    console.print(grid)
    if speed.server_cpu_ms_per_move is not None:
        console.print(
            f"A move costs the server {speed.server_cpu_ms_per_move:.2f} ms of CPU.", highlight=False
        )
    console.print(f"The server does {speed.ratio:.2f} times what its store alone does.", highlight=False)


def _bench_attacks(names: list[str], *, as_json: bool) -> None:
    from mozaika.lab.attacks import ATTACKS
    from mozaika.lab.bench_attacks import measure_attacks

    if unknown := set(names) - set(ATTACKS):
        raise ValueError(f"There is no attack “{min(unknown)}”, only {', '.join(ATTACKS)}.")
    if not as_json:
        print(ATTACK_ROW.format(*ATTACK_COLUMNS), flush=True)
    with notices.status("Attacking our own server"):
        for cost in measure_attacks(next(iter(GAMES)), names):
            row = json.dumps(asdict(cost)) if as_json else ATTACK_ROW.format(*_attack_row(cost))
            print(row, flush=True)


ATTACK_COLUMNS = (
    "a move while",
    "p50 ms",
    "p99 ms",
    "quiet",
    "ratio",
    "between",
    "server",
    "quiet",
    "attackers",
)
ATTACK_ROW = "{:<22}{:>8}{:>8}{:>8}{:>7}{:>16}{:>8}{:>7}{:>11}"


def _attack_row(cost: "AttackCost") -> tuple[str, ...]:
    times = (cost.attacked_p50_ms, cost.attacked_p99_ms, cost.quiet_p99_ms)
    between = f"{cost.ratio_low:.2f} and {cost.ratio_high:.2f}"
    shares = (
        "" if share is None else f"{share:.0%}"
        for share in (cost.attacked_server, cost.quiet_server, cost.attackers)
    )
    return cost.attack, *(f"{each:.1f}" for each in times), f"{cost.ratio:.2f}", between, *shares


def _bench_views(*, as_json: bool) -> None:
    from mozaika.server.measure import measure_views

    games = track(GAMES.values(), "Looking", console=notices, transient=True)
    costs = [cost for game in games for cost in measure_views(game)]
    if as_json:
        print_json([asdict(cost) for cost in costs])
        return
    grid = Grid("game", "seats", "kB", "largest", "ms", "longest", title="views of the recorded games")
    for cost in costs:
        sizes = (f"{cost.bytes_mean / 1000:.1f}", f"{cost.bytes_max / 1000:.1f}")
        grid.add_row(cost.game, str(cost.seats), *sizes, f"{cost.ms_mean:.2f}", f"{cost.ms_max:.2f}")
    console.print(grid)


MOST_BENCH_MOMENTS = 10


def _bench_bots(moments: int, *, as_json: bool) -> None:
    from mozaika.lab.bench_bots import measure_bots

    games = track(GAMES.values(), "Thinking", console=notices, transient=True)
    costs = [cost for game in games for cost in measure_bots(game, moments)]
    if as_json:
        print_json([asdict(cost) for cost in costs])
        return
    grid = Grid("game", "level", "ms", "longest", "CPU", title=f"a move of a bot, at {moments} moments")
    for cost in costs:
        times = (cost.ms_mean, cost.ms_longest, cost.cpu_ms_mean)
        grid.add_row(cost.game, cost.level, *(f"{each:.1f}" for each in times))
    console.print(grid)


MOST_BENCH_GAMES = 1_024


def _bench_batch(n: int, seats: int | None, *, as_json: bool) -> None:
    from mozaika.lab.bench_batch import measure_batch

    kinds = [
        (game, count)
        for game in GAMES.values()
        if game.stages and game.features
        for count in game.seats
        if seats in (None, count)
    ]
    tracked = track(kinds, "Stepping", console=notices, transient=True)
    speeds = [speed for game, count in tracked for speed in measure_batch(game, count, n)]
    if as_json:
        print_json([asdict(speed) for speed in speeds])
        return
    grid = Grid(
        "game", "seats", "threads", "steps/s", "moves/s", "CPU ns", "ratio", title=f"{n} games at once"
    )
    for each in speeds:
        rates = (f"{each.steps_per_s:,.0f}", f"{each.moves_per_s:,.0f}", f"{each.cpu_ns_per_step:.0f}")
        grid.add_row(each.game, str(each.seats), str(each.threads), *rates, f"{each.ratio:.0f}")
    console.print(grid)


def _bench_grid(speeds: Iterable[Speed]) -> Grid:
    grid = Grid(title="uniformly random games, one thread", caption=BENCH_CAPTION, box=None, pad_edge=False)
    for column in ("seats", "options", "ns", "steps", "games/s", "moves", "rounds", "points", "choices"):
        if column == "options":  # of these some are long; the numbers must stay readable in 80 columns
            grid.add_column(column, no_wrap=True, max_width=LONGEST_OPTIONS)
        else:
            grid.add_column(column, justify="right", no_wrap=True)
    for s in speeds:
        options = " ".join(short_options(find_game(s.game), find_game(s.game).read_options(s.options)))
        rounds = "" if s.rounds is None else f"{s.rounds:.3f}"
        times = (f"{s.ns_per_move:.0f}", f"{s.steps_per_move:.0f}", f"{s.games_per_s:,.0f}")
        counts = (f"{s.moves_per_game:.2f}", rounds, f"{s.score:.3f}", f"{s.branching:.2f}")
        grid.add_row(str(s.seats), options, *times, *counts)
    return grid


LONGEST_OPTIONS = 16


BENCH_CAPTION = "ns and steps of the calibration loop: per move of a player; choices: legal moves"


def _warm(game: str) -> None:
    kernel.warm(find_game(game))
    if find_game(game).stages and find_game(game).features:
        warm_batch(find_game(game))


@command()
def warm(
    game: Annotated[str, typer.Argument(metavar="[GAME]", help="One game; all if not given.")] = "",
) -> None:
    """Compile the rules, the bots and batches ahead of time, and clear away what nobody has used for a month.

    Example: `mozaika warm`
    """
    chosen = [find_game(game)] if game else list(GAMES.values())
    with ProcessPoolExecutor(min(len(chosen), os.cpu_count() or 1), get_context("spawn")) as pool:
        compiled = pool.map(_warm, [each.id for each in chosen])
        for _ in track(compiled, "Compiling", total=len(chosen), console=notices, transient=True):
            pass
    removed = kernel.clear_unused()
    console.print(
        f"Ready: {', '.join(each.name for each in chosen)}. Unused for long and removed: {removed} files."
    )


@command()
def doctor(
    settings: Annotated[
        Path | None,
        typer.Option("--settings", envvar="MOZAIKA_SETTINGS", help="Look at this file of settings."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Look whether everything Mozaika needs is here; exit code 1 if not.

    It also tells which settings a server would have, and where each comes from.

    Example: `mozaika doctor`
    """
    checks: dict[str, Callable[[], str]] = {
        "Python": platform.python_version,
        "games": lambda: ", ".join(f"{game.id} {game.version}" for game in GAMES.values()),
        "languages": lambda: ", ".join(
            lang for lang in LANGUAGES if all(g.rulebook(lang) for g in GAMES.values())
        ),
        "compiler": _check_compiler,
        "kernel cache": _check_cache,
        "settings": lambda: _check_settings(settings),
    }
    answers = {name: _examine(check) for name, check in checks.items()}
    well = all(good for good, _ in answers.values())
    if as_json:
        print_json({name: {"ok": good, "says": says} for name, (good, says) in answers.items()})
    else:
        for name, (good, says) in answers.items():
            console.print(f"[{'green]ok ' if good else 'red]bad'}[/] {name}: {escape(says)}", highlight=False)
    raise typer.Exit(0 if well else 1)


def _examine(check: Callable[[], str]) -> tuple[bool, str]:
    try:
        return True, check()
    except Exception as error:  # noqa: BLE001  a doctor reports every illness
        return False, f"{type(error).__name__}: {error}"


def _check_compiler() -> str:
    compiled = kernel.compiled(kernel.random_below)(kernel.new_random(7), 1000)
    plain = kernel.random_below(kernel.new_random(7), 1000)
    if compiled != plain:
        raise ValueError(f"compiled code gives {compiled}, plain code {plain}")
    import numba

    return f"numba {numba.__version__}, compiled and plain code agree"


def _check_settings(chosen: Path | None) -> str:
    return "".join(f"\n      {key} = {value} ({source})" for key, value, source in effective(chosen))


def _check_cache() -> str:
    folder = kernel.cache_folder()
    folder.mkdir(parents=True, exist_ok=True)
    probe = folder / "doctor"
    probe.write_text("well", "utf-8")
    probe.unlink()
    files = sum(path.is_file() for path in folder.rglob("*"))
    return f"{folder} ({files} files; `mozaika warm` fills it)"
