"""The command line: `mozaika --help`."""

import importlib.metadata
import json
import os
import platform
import re
import sys
import threading
import webbrowser
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import asdict
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Annotated, Any, TypeVar

import msgspec
import platformdirs
import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import Progress, SpinnerColumn, TaskID, TextColumn, TimeElapsedColumn, track
from rich.table import Table as Grid

from mozaika import kernel
from mozaika.chance import new_seed
from mozaika.doors.players import EXEC, find_bot, introduce, seat_name, sit_down, split_bots
from mozaika.doors.protocol import answer
from mozaika.game import WATCHER, Budget, Game, Options
from mozaika.games import GAMES, find_game
from mozaika.lab.arena import Match, Report, Sprt, check, play_match, report, until_known
from mozaika.lab.bench import Speed, measure
from mozaika.lab.bench_server import measure_server
from mozaika.lab.signature import signatures, whole
from mozaika.lab.simulate import Outcome, Standing, simulate, standings, write_outcomes
from mozaika.rating import FILE, Ratings
from mozaika.record import TOLD, Record
from mozaika.rulebook import find_rule
from mozaika.scene import Shape, Theme
from mozaika.search.perft import count_ways
from mozaika.table import Table
from mozaika.terminal import PERSON, Terminal
from mozaika.words import LANGUAGES

F = TypeVar("F", bound=Callable[..., None])

USAGE_ERROR: type[Exception] = typer.BadParameter.__mro__[1]
"""The error of all wrong usage, which typer does not offer by its name."""

app = typer.Typer(
    help="Mozaika: an open digital table for tile-laying games.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
    context_settings={"help_option_names": ["-h", "--help"]},
)
console = Console()
notices = Console(stderr=True)

GameName = Annotated[str, typer.Argument(metavar="GAME", help="A game of the shelf; see `mozaika games`.")]
RecordFile = Annotated[str, typer.Argument(metavar="RECORD", help="A record file; - reads standard input.")]
Seats = Annotated[int | None, typer.Option("--seats", "-n", min=1, help="How many play.")]
Chosen = Annotated[
    list[str] | None,
    typer.Option(
        "--option", "-o", metavar="NAME=VALUE", help="An option of the game; NAME=@FILE reads it from a file."
    ),
]
Seed = Annotated[str | None, typer.Option(help="Draw from this seed, to repeat a game.")]
Language = Annotated[str | None, typer.Option("--lang", help=f"One of {', '.join(LANGUAGES)}.")]
Results = Annotated[
    Path | None, typer.Option("--out", help="Write every game's result to this .csv or .json file.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for a program to read.")]
Ply = Annotated[int | None, typer.Option(help="After so many moves and draws; the end if not given.")]


BOT_HELP = f"BOT, BOT@NODES or {EXEC}COMMAND"
EXAMPLE = next(iter(GAMES), "GAME")
"""The first game of the shelf stands in the examples of `--help`."""


def _command(name: str | None = None) -> Callable[[F], F]:
    def add(function: F) -> F:
        text = (function.__doc__ or "").replace("GAME", EXAMPLE)
        app.command(name, help=text)(function)
        return function

    return add


def main() -> None:
    """Run a command; bad input is answered with one sentence and exit code 2."""
    try:
        sys.exit(app(standalone_mode=False) or 0)
    except USAGE_ERROR as error:
        _refuse(error.format_message())  # type: ignore[attr-defined]
    except typer.Abort:
        sys.exit(130)
    except (ValueError, OSError) as error:
        _refuse(str(error))


def _refuse(sentence: str) -> None:
    notices.print(f"[red]{escape(sentence)}[/]", soft_wrap=True, highlight=False)
    sys.exit(2)


def _print_version(wanted: bool) -> None:
    if wanted:
        print(importlib.metadata.version("mozaika"))
        raise typer.Exit


@app.callback()
def about(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_print_version, is_eager=True)
    ] = False,
) -> None:
    pass


@_command()
def games(as_json: AsJson = False) -> None:
    """List the games of the shelf.

    Example: `mozaika games --json`
    """
    facts = [_facts(game) for game in GAMES.values()]
    if as_json:
        _print_json(facts)
        return
    grid = Grid("game", "name", "players", "options", "bots")
    for fact in facts:
        options = (f"{name}: {' | '.join(values)}" for name, values in fact["options"].items())
        players = f"{fact['seats'][0]}-{fact['seats'][-1]}"
        grid.add_row(fact["id"], fact["name"], players, "\n".join(options), ", ".join(fact["bots"]))
    console.print(grid)


def _facts(game: Game) -> dict[str, Any]:
    schema = msgspec.json.schema(game.options)["$defs"][game.options.__name__]["properties"]
    return {
        "id": game.id,
        "name": game.name,
        "version": game.version,
        "seats": list(game.seats),
        "options": {name: field.get("enum", [field.get("type")]) for name, field in schema.items()},
        "bots": list(game.bots),
    }


@_command()
def play(
    game: GameName = EXAMPLE,
    bot: Annotated[
        list[str] | None, typer.Option(help=f"A bot for one of the seats, from the last on: {BOT_HELP}.")
    ] = None,
    seats: Seats = None,
    name: Annotated[list[str] | None, typer.Option(help="A player's name, from the first seat on.")] = None,
    option: Chosen = None,
    seed: Seed = None,
    told: Annotated[
        bool, typer.Option("--told", help="Type in what is drawn: follow a physical game.")
    ] = False,
    resume: Annotated[Path | None, typer.Option(help="Go on with a recorded game.")] = None,
    position: Annotated[str | None, typer.Option(help="Go on from a position.")] = None,
    keep: Annotated[Path | None, typer.Option(help="Keep the record in this file.")] = None,
    lang: Language = None,
) -> None:
    """Play in the terminal, against bots or on one screen.

    Examples: `mozaika play GAME --bot greedy` · `mozaika play GAME --seats 3 --bot random --lang pl`
    """
    language = _language(lang)
    bots = bot or []
    if (resume or position) and (seats or name or option or (resume and (seed or told or position))):
        raise ValueError("A game that goes on has its seats, names, options and draws already.")
    _check_new(keep if keep != resume else None)
    if resume is not None:
        table = Table.from_record(_read_record(str(resume), language), lang=language)
    elif position is not None:
        table = Table.from_position(position, seed=seed, draws="told" if told else "seed", lang=language)
    else:
        shelf_game = find_game(game)
        names = _introduce(shelf_game, bots)
        count = seats or max(shelf_game.seats.start, len(bots) + 1, len(name or ()))
        table = Table(
            shelf_game,
            count,
            seed=seed,
            draws="told" if told else "seed",
            names=_name_seats(name or [], count, [(text, names[text]) for text in bots]),
            lang=language,
            **_split_options(option),
        )
    people = len(table.names) - len(bots)
    if people < 0:
        raise ValueError(f"There are {len(bots)} bots for {len(table.names)} seats.")
    kernel.warmer.load(table.game)
    with kernel.never_waiting(), sit_down(table.game, {text: text for text in bots}) as players:
        Terminal(table, [PERSON] * people + [players[text] for text in bots], console, keep).run()


def _name_seats(given: list[str], count: int, bots: list[tuple[str, str]]) -> list[str]:
    """Names of people from the first seat on; at the end bots that are commands have names of their own."""
    names = [*given, *(f"P{seat}" for seat in range(len(given) + 1, count + 1))][:count]
    for seat, (text, name) in enumerate(bots, count - len(bots)):
        if text.startswith(EXEC) and seat >= len(given):
            names[seat] = seat_name(name)
    return names


@_command()
def serve(
    host: Annotated[str, typer.Option(envvar="MOZAIKA_HOST", help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(envvar="MOZAIKA_PORT", min=0, max=65535, help="The port; 0 takes any.")
    ] = 8000,
    store: Annotated[
        Path | None, typer.Option(envvar="MOZAIKA_STORE", help="The file that keeps the games.")
    ] = None,
    open_browser: Annotated[
        bool,
        typer.Option(
            "--open/--no-open", envvar="MOZAIKA_OPEN", help="Open a browser where there is a desktop."
        ),
    ] = True,
    proxied: Annotated[
        bool,
        typer.Option("--proxied", envvar="MOZAIKA_PROXIED", help="Trust X-Forwarded-* of a proxy in front."),
    ] = False,
    burst: Annotated[
        int, typer.Option(envvar="MOZAIKA_BURST", min=1, help="Requests at once from one address.")
    ] = 200,
    rate: Annotated[
        float, typer.Option(envvar="MOZAIKA_RATE", min=0.1, help="Requests a second from one address.")
    ] = 40,
    webhooks: Annotated[
        bool,
        typer.Option(
            "--webhooks", envvar="MOZAIKA_WEBHOOKS", help="Let players have an address called at their turn."
        ),
    ] = False,
    origin: Annotated[
        str,
        typer.Option(envvar="MOZAIKA_ORIGIN", help="How the table is reached from outside, for such calls."),
    ] = "",
    patience: Annotated[
        float, typer.Option(envvar="MOZAIKA_PATIENCE", min=0, help="Seconds a bot waits before it moves.")
    ] = 0.5,
) -> None:
    """Start the table in the browser. Every setting can also be given as an environment variable.

    Examples: `mozaika serve` · `mozaika serve --host 0.0.0.0 --port 80 --store games.db`
    """
    from mozaika.server.app import build_app, listen
    from mozaika.server.app import serve as run
    from mozaika.store import StoreError
    from mozaika.store.sqlite import SqliteStore
    from mozaika.table.caller import Caller

    path = store or Path(platformdirs.user_data_dir("mozaika")) / "games.db"
    try:
        games = SqliteStore(path)
    except StoreError as error:
        raise ValueError(str(error)) from None
    try:
        sock = listen(host, port)
    except OSError as error:
        raise ValueError(
            f"Cannot listen on {host}:{port}: {(error.strerror or str(error)).lower()}."
        ) from None
    address = f"http://{f'[{host}]' if ':' in host else host}:{sock.getsockname()[1]}/"
    console.print(f"Mozaika's table is at [bold]{address}[/] (Ctrl+C ends it)", highlight=False)
    console.print(f"The games are kept in {escape(str(path))}", style="dim", highlight=False, soft_wrap=True)
    caller = Caller((origin or address).rstrip("/")) if webhooks else None
    if open_browser and (
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY") or sys.platform in ("darwin", "win32")
    ):
        webbrowser.open(address)
    run(
        build_app(lambda: games, burst=burst, per_second=rate, patience=patience, caller=caller),
        sock,
        proxied=proxied,
    )


@_command()
def show(
    record: Annotated[
        str, typer.Argument(metavar="[RECORD]", help="A record file; - reads standard input.")
    ] = "",
    position: Annotated[str | None, typer.Option(help="Show this position instead of a record.")] = None,
    ply: Ply = None,
    seat: Annotated[int, typer.Option(help="As this seat sees it; 0 for an onlooker.")] = 0,
    svg: Annotated[bool, typer.Option("--svg", help="Print a picture instead of text.")] = False,
    shape: Annotated[str, typer.Option(help="wide, or tall for a phone.")] = "wide",
    theme: Annotated[str, typer.Option(help="auto, light or dark.")] = "auto",
    as_json: AsJson = False,
    lang: Language = None,
) -> None:
    """Show any moment of a game as text or as an SVG picture.

    Examples: `mozaika show game.txt --ply 40` · `mozaika show game.txt --svg > board.svg`
    """
    language = _language(lang)
    if bool(record) == bool(position):
        raise ValueError("Name a record file or a --position, one of the two.")
    if position:
        table = Table.from_position(position, draws=TOLD, lang=language)
    else:
        table = Table.from_record(_read_record(record, language), ply, lang=language, drawing=False)
    viewer = seat - 1 if seat else WATCHER
    if not WATCHER <= viewer < len(table.names):
        raise ValueError(f"There are the seats 1 to {len(table.names)}, not {seat}.")
    if svg:
        print(table.svg(viewer, _one_of("shape", shape, Shape), _one_of("theme", theme, Theme)), end="")
    elif as_json:
        _print_json({"position": table.position(), "ply": table.ply, "movers": [s + 1 for s in table.movers],
                     "scores": table.scores, "ranks": table.ranks, "over": table.is_over})  # fmt: skip
    else:
        console.print(table.sketch(viewer), highlight=False)


@_command()
def replay(
    record: RecordFile,
    boards: Annotated[
        bool, typer.Option("--boards", help="Draw the board after every player's move.")
    ] = False,
    as_json: AsJson = False,
    lang: Language = None,
) -> None:
    """Tell a recorded game move by move.

    Example: `mozaika replay game.txt --lang de`
    """
    read = _read_record(record, _language(lang))
    table = Table.from_record(read, lang=_language(lang), drawing=False)
    if as_json:
        _print_json([
            {"ply": ply, "seat": sentence.seat + 1 if sentence.seat < len(table.names) else None,
             "text": sentence.text, "rule": sentence.rule, "points": sentence.points}
            for ply in range(table.ply) for sentence in table.tell(ply)
        ])  # fmt: skip
        return
    for ply, entry in enumerate(read.entries):
        for sentence in table.tell(ply):
            console.print(escape(table.line(sentence)), highlight=False)
        if boards and entry.seat < len(table.names):
            moment = Table.from_record(read, ply + 1, lang=table.words.lang, drawing=False)
            console.print(moment.sketch(), highlight=False)
    console.print(f"{' '.join(map(str, table.scores))}", style="bold", highlight=False)


@_command()
def verify(
    record: RecordFile,
    published: Annotated[
        str, typer.Option("--commitment", metavar="HEX", help="The commitment published before the game.")
    ] = "",
    as_json: AsJson = False,
) -> None:
    """Check a record: that the game is possible, and that its draws were fixed beforehand.

    Exit code 0 if all is well, 1 if the draws cannot be confirmed, 2 if it is no possible game.

    Example: `mozaika verify game.txt`
    """
    read = _read_record(record)
    faults = read.verify(published)
    if as_json:
        _print_json(
            {"moves": len(read.entries), "draws": read.draws, "faults": faults, "verified": not faults}
        )
    else:
        console.print(
            f"A possible game of {read.game.name}: {len(read.entries)} moves and draws.", highlight=False
        )
        for fault in faults:
            console.print(f"[yellow]{escape(fault)}[/]", highlight=False)
        if not faults:
            where = "published" if published else "in this file; was it the one shown before play?"
            sentence = f"The draws follow from the seed, and the seed fits the commitment {where}."
            console.print(f"[green]{sentence}[/]", highlight=False)
    raise typer.Exit(1 if faults else 0)


@_command()
def best(record: RecordFile, as_json: AsJson = False, lang: Language = None) -> None:
    """Look back on a recorded game: what would have been possible for somebody who knew all the draws.

    Example: `mozaika best game.txt`
    """
    language = _language(lang)
    read = _read_record(record, language)
    game = read.game
    if game.look_back is None:
        raise ValueError(f"For {game.name} nobody can say what would have been possible.")
    words = game.words(language)
    with notices.status("Looking back"):
        parts = game.look_back(read.start(), read.entries, words)
    if as_json:
        _print_json([{"part": name, "made": made, "possible": possible} for name, made, possible in parts])
        return
    if not parts:
        raise ValueError("The record does not go far enough to look back.")
    caption = words.say("Points made, and how many were at least possible for who knew all draws")
    grid = Grid("", *map(escape, read.names), title=caption)
    for name, made, possible in parts:
        pairs = zip(made, possible, strict=True)
        grid.add_row(name, *(words.say("{n} of {all}", n=points, all=most) for points, most in pairs))
    totals = [
        (sum(made[seat] for _, made, _ in parts), sum(possible[seat] for *_, possible in parts))
        for seat in range(read.seats)
    ]
    grid.add_section()
    at_least = (words.say("{n} of at least {all}", n=points, all=most) for points, most in totals)
    grid.add_row("", *at_least, style="bold")
    console.print(grid)


@_command("simulate")
def simulate_games(
    game: GameName,
    bots: Annotated[
        str, typer.Option(help=f"Bots with commas between them, which change seats: {BOT_HELP}.")
    ] = "random",
    number: Annotated[int, typer.Option("--games", "-g", min=1, help="How many games.")] = 100,
    seats: Seats = None,
    option: Chosen = None,
    seed: Seed = None,
    nodes: Annotated[int, typer.Option(min=1, help="How much a searching bot may look at.")] = 2_000,
    out: Results = None,
    records: Annotated[Path | None, typer.Option(help="Write the records into this folder.")] = None,
    as_json: AsJson = False,
) -> None:
    """Let bots play many games for their records and results. `mozaika arena` says who is stronger.

    Examples: `mozaika simulate GAME --bots greedy,random` · `mozaika simulate GAME --seats 4 --out r.csv`
    """
    shelf_game, texts = find_game(game), split_bots(bots)
    count = seats or max(shelf_game.seats.start, len(texts))
    options = _read_options(shelf_game, option, count)
    if len(texts) > count:
        raise ValueError(f"There are {len(texts)} bots for {count} seats.")
    kind = "-".join([shelf_game.id, str(count), *_short_options(shelf_game, options)])
    _check_results(out)
    if records is not None:
        _check_new(records / f"{kind}-000.txt", parent=records.parent)
    called = _introduce(shelf_game, texts)
    commands = {name: text for text, name in called.items() if text.startswith(EXEC)}
    if records is not None:
        records.mkdir(exist_ok=True)
    budget, names = Budget(nodes=nodes, milliseconds=60_000), [called[text] for text in texts]
    run = simulate(shelf_game, count, options, names, number, seed or new_seed(), budget, commands=commands)
    outcomes: list[Outcome] = []
    for outcome, record in track(run, "Playing", total=number, console=notices, transient=True):
        outcomes.append(outcome)
        if records is not None:
            (records / f"{kind}-{outcome.game:03}.txt").write_text(record.write(), "utf-8")
    if out is not None:
        write_outcomes(outcomes, out)
    table = standings(outcomes)
    if as_json:
        _print_json({"game": shelf_game.id, "seats": count, "games": number,
                     "bots": [asdict(s) for s in table], "commands": commands})  # fmt: skip
        return
    console.print(_standings_grid(table))
    _print_lines(f"Game {each.game + 1}: {each.forfeit}" for each in outcomes if each.forfeit)


def _print_lines(lines: Iterable[str]) -> None:
    for line in lines:
        console.print(escape(line), highlight=False, soft_wrap=True)


def _standings_grid(table: Iterable[Standing], *, alone: bool = False) -> Grid:
    """How bots did; who plays alone has no victories."""
    shared = () if alone else ("share", "95 %")
    grid = Grid("bot", "games", *shared, "points", "95 %", "ms a move")
    for row in table:
        share = () if alone else (f"{row.share:.1%}", f"{row.low:.1%} to {row.high:.1%}")
        sure = row.score_low is not None and row.score_high is not None
        span = f"{row.score_low:.2f} to {row.score_high:.2f}" if sure else ""
        grid.add_row(
            escape(row.bot), str(row.seats), *share, f"{row.score:.2f}", span, f"{row.milliseconds:.1f}"
        )
    return grid


@_command()
def arena(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A game; with --ladder all if not given.")] = "",
    bots: Annotated[
        str,
        typer.Option(help=f"Bots with commas between them, the last of whom fills up: {BOT_HELP}."),
    ] = "",
    number: Annotated[
        int, typer.Option("--games", "-g", min=1, help="How many games at most; of every two with --ladder.")
    ] = 100,
    seats: Seats = None,
    option: Chosen = None,
    sprt: Annotated[
        str, typer.Option(metavar="ELO0,ELO1", help="Stop as soon as the first bot is known to be so strong.")
    ] = "",
    nodes: Annotated[int | None, typer.Option(min=1, help="How much a bot may look at.")] = None,
    ms: Annotated[float | None, typer.Option(min=1, help="How many milliseconds a move may take.")] = None,
    jobs: Annotated[int, typer.Option(min=1, max=256, help="How many processes play.")] = 1,
    seed: Seed = None,
    ladder: Annotated[
        bool, typer.Option("--ladder", help="Rate the levels of a game, and write it into the game's folder.")
    ] = False,
    out: Results = None,
    as_json: AsJson = False,
) -> None:
    """Find out which bot is stronger: every deal is played once in each seating.

    Without --nodes and --ms every bot takes the time of its level. Ctrl+C ends a match and counts what there
    is. A run with --ladder can be stopped, and
    goes on where it was as long as the bots play the same; --out names another file for its ratings.

    Examples: `mozaika arena GAME --bots greedy,random` ·
    `mozaika arena GAME --bots "exec:python bot.py,greedy" --sprt 0,30 --games 2000 --jobs 4`
    """
    budget = Budget.of(nodes, ms)
    if ladder:
        if bots or option or seats or sprt or seed:
            raise ValueError("With --ladder go only --games, --nodes, --ms, --jobs, --out and --json.")
        _climb(game, number, budget, jobs, out, as_json=as_json)
        return
    if not game or not bots:
        raise ValueError(f"Name a game and its bots, as in: mozaika arena {EXAMPLE} --bots greedy,random")
    shelf_game, texts = find_game(game), tuple(split_bots(bots))
    count = seats or max(shelf_game.seats.start, len(texts))
    options = shelf_game.write_options(_read_options(shelf_game, option, count))
    match = Match(shelf_game.id, count, options, texts, seed or new_seed(), budget)
    test = _read_sprt(sprt, match) if sprt else None
    _check_results(out)
    with _meeting(texts):
        match = check(match)
    _get_ready(shelf_game)
    units = -(-number // len(match.seatings))
    run = until_known(match, play_match(match, 0, units, jobs), test)
    played: list[list[Outcome]] = []
    try:
        for unit in track(run, "Playing", total=units, console=notices, transient=True):
            played.append(unit)  # noqa: PERF402  what was played before Ctrl+C counts
    except KeyboardInterrupt:
        if not played:
            raise
    if out is not None:
        write_outcomes([outcome for unit in played for outcome in unit], out)
    _print_report(report(match, played, test), match.bots[0], as_json=as_json)


def _print_report(told: Report, first: str, *, as_json: bool) -> None:
    if as_json:
        _print_json(asdict(told))
        return
    console.print(_standings_grid(told.bots, alone=told.seats == 1))
    lines = [f"{told.units} deals, {told.games} games of {told.moves:.1f} moves; seed {told.seed}."]
    if told.elo and told.elo[0] is not None:
        mean, low, high = ("…" if points is None else f"{points:+.0f}" for points in told.elo)
        lines.append(f"{first} is ahead by {mean} Elo ({low} to {high}).")
    if told.sprt:
        claim = f"That {first} is {told.sprt.high:+g} Elo ahead rather than {told.sprt.low:+g}"
        lines.append(f"{claim}: {told.sprt.verdict}.")
    _print_lines([*lines, *told.forfeits])


def _read_sprt(text: str, match: Match) -> Sprt:
    try:
        low, high = map(float, text.split(","))
    except ValueError:
        raise ValueError(f"--sprt takes two numbers such as 0,30, not {text!r}.") from None
    if not -1000 <= low < high <= 1000:
        raise ValueError("The numbers of --sprt go from the smaller to the greater, at most 1000 Elo.")
    if match.seats == 1 or match.line_up.count(match.bots[0]) > 1:
        raise ValueError("--sprt needs a first bot that plays in one seat, against others.")
    return Sprt(low, high)


def _advance(progress: Progress, bar: TaskID, done: int, of: int) -> None:
    progress.update(bar, advance=done, total=of)


def _climb(
    name: str, number: int, budget: Budget | None, jobs: int, out: Path | None, *, as_json: bool
) -> None:
    from mozaika.lab.ladder import climb, climbers

    games = [find_game(name)] if name else [game for game in GAMES.values() if len(climbers(game)) > 1]
    if out is not None and (not name or out.suffix != ".json"):
        raise ValueError("With --ladder --out names a .json file, for one game.")
    rated: list[Ratings] = []
    for game in games:
        path = out or game.folder / FILE
        if not os.access(path.parent, os.W_OK):
            raise ValueError(f"{path.parent} is no folder that can be written to; name a file with --out.")
        _get_ready(game)
        with Progress(console=notices, transient=True) as progress:
            bar = progress.add_task(game.name, total=None)
            rated.append(climb(game, number, budget, jobs, path, partial(_advance, progress, bar)))
    if as_json:
        _print_json([msgspec.to_builtins(each) for each in rated])
        return
    for each in rated:
        grid = Grid("bot", "rating", "95 % interval", "games", title=find_game(each.measured.game).name)
        for row in each.bots:
            grid.add_row(row.bot, str(row.rating), f"{row.low} to {row.high}", str(row.games))
        console.print(grid)


@_command("fit")
def fit_net(
    game: GameName,
    records: Annotated[
        list[Path], typer.Argument(metavar="RECORDS", help="Record files, or folders of them.")
    ],
    out: Annotated[Path, typer.Option(help="Write the weights to this .npz file.")],
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Begin anew instead of with the weights of the game.")
    ] = False,
    epochs: Annotated[int, typer.Option(min=1, help="How often to go through all positions.")] = 12,
    seed: Annotated[int, typer.Option(min=0, help="For what is drawn while fitting.")] = 0,
    as_json: AsJson = False,
) -> None:
    """Fit the net with which the bots of a game appraise positions to how recorded games ended.

    One game of ten is not learnt from, but tells how surprising its winners were, and how far off the points.
    Weights beside the game's `bot.py`, as `weights.npz`, are the ones that it uses.

    Example: `mozaika simulate GAME --bots expert --nodes 150 --games 4000 --records games`, then
    `mozaika fit GAME games --out weights.npz`
    """
    from mozaika.lab.fit import fit_to

    shelf_game = find_game(game)
    if out.suffix != ".npz":
        raise ValueError(f"Weights go to a .npz file, not to {out}.")
    _check_new(out)
    files = [file for path in records for file in (sorted(path.glob("*.txt")) if path.is_dir() else [path])]
    read = [_read_record(str(file)) for file in track(files, "Reading", console=notices, transient=True)]
    with Progress(console=notices, transient=True) as progress:
        bar = progress.add_task("Fitting", total=None)
        told = fit_to(shelf_game, read, out, epochs, seed, partial(_advance, progress, bar), fresh=fresh)
    if as_json:
        _print_json(asdict(told))
        return
    grid = Grid("", "before", "after", title=f"{told.positions} positions of {told.games} games")
    grid.add_row("surprise", *(f"{each:.4f}" for each in told.surprise))
    if told.error is not None:
        grid.add_row("points off", *(f"{each:.2f}" for each in told.error))
    console.print(grid)


@_command("bot")
def speak(
    game: GameName,
    level: Annotated[str, typer.Option(help="Which of the game's bots.")] = "greedy",
) -> None:
    """Answer the requests of another program on standard input: the text protocol for bots.

    Example: `mozaika bot GAME --level greedy`
    """
    shelf_game = find_game(game)
    if level.startswith(EXEC):
        raise ValueError("A bot that is a command speaks for itself; --level names one of the game's.")
    answer(shelf_game, find_bot(shelf_game, level), sys.stdin, lambda line: print(line, flush=True))


@_command()
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
        table = Table(shelf_game, seats, seed=seed, **_split_options(option))
    counts = []
    with kernel.compiling():
        for plies in track(range(1, depth + 1), "Counting", console=notices, transient=True):
            counts.append(count_ways(table.game, table.state, plies))  # noqa: PERF401
    if as_json:
        _print_json({"position": table.position(), "counts": counts})
        return
    grid = Grid("plies", "ways")
    for plies, ways in enumerate(counts, 1):
        grid.add_row(str(plies), f"{ways:,}")
    console.print(grid)


@_command()
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
    as_json: AsJson = False,
) -> None:
    """Measure random games in one thread, as a ratio to a calibration loop in the same run.

    With --json the first kind is the object itself and the others stand under "more". `mozaika bench server`
    measures durable moves over HTTP instead, at so many tables as --games says, with two watchers each.

    `mozaika bench --signature` measures no speed: it lets every bot of every game look at fixed positions and
    prints one number.

    Examples: `mozaika bench GAME --json` · `mozaika bench server --games 20` · `mozaika bench --signature`
    """
    if signature:
        parts = signatures()
        _print_json({"signature": whole(parts), "games": parts} if as_json else whole(parts))
        return
    if game == "server":
        _bench_server(min(number, MOST_BENCH_TABLES), as_json=as_json)
        return
    shelf_game = find_game(game)
    kinds = [
        (count, options)
        for options in ([_split_options(option)] if option else shelf_game.variants)
        for count in ([seats] if seats else shelf_game.seats)
    ]
    speeds = [
        measure(shelf_game, count, shelf_game.read_options(options), number)
        for count, options in track(kinds, "Playing", console=notices, transient=True)
    ]
    if as_json:
        _print_json({**asdict(speeds[0]), "more": [asdict(speed) for speed in speeds[1:]]})
    else:
        console.print(_bench_grid(speeds))


MOST_BENCH_TABLES = 200


def _bench_server(tables: int, *, as_json: bool) -> None:
    with notices.status("Playing"):
        speed = measure_server(next(iter(GAMES)), tables)
    if as_json:
        _print_json(asdict(speed))
        return
    grid = Grid("", "moves/s", "p50 ms", "p99 ms", title=f"{speed.games} tables, {speed.watchers} watchers")
    grid.add_row("server: answer", f"{speed.moves_per_s:.0f}", f"{speed.p50_ms:.1f}", f"{speed.p99_ms:.1f}")
    grid.add_row("server: seen by a watcher", "", f"{speed.news_p50_ms:.1f}", f"{speed.news_p99_ms:.1f}")
    store = (f"{speed.store_moves_per_s:.0f}", f"{speed.store_p50_ms:.1f}", f"{speed.store_p99_ms:.1f}")
    grid.add_row("store alone", *store)
    console.print(grid)
    console.print(f"The server does {speed.ratio:.2f} times what its store alone does.", highlight=False)


def _bench_grid(speeds: Iterable[Speed]) -> Grid:
    grid = Grid(title="uniformly random games, one thread", caption=BENCH_CAPTION, box=None, pad_edge=False)
    for column in ("seats", "options", "ns", "steps", "games/s", "moves", "rounds", "points", "choices"):
        if column == "options":  # of these some are long; the numbers must stay readable in 80 columns
            grid.add_column(column, no_wrap=True, max_width=LONGEST_OPTIONS)
        else:
            grid.add_column(column, justify="right", no_wrap=True)
    for s in speeds:
        options = " ".join(_short_options(find_game(s.game), find_game(s.game).read_options(s.options)))
        rounds = "" if s.rounds is None else f"{s.rounds:.3f}"
        times = (f"{s.ns_per_move:.0f}", f"{s.steps_per_move:.0f}", f"{s.games_per_s:,.0f}")
        counts = (f"{s.moves_per_game:.2f}", rounds, f"{s.score:.3f}", f"{s.branching:.2f}")
        grid.add_row(str(s.seats), options, *times, *counts)
    return grid


LONGEST_OPTIONS = 16
BENCH_CAPTION = "ns and steps of the calibration loop: per move of a player; choices: legal moves"


def _warm(game: str) -> None:
    kernel.warm(find_game(game))


@_command()
def warm(
    game: Annotated[str, typer.Argument(metavar="[GAME]", help="One game; all if not given.")] = "",
) -> None:
    """Compile the rules and bots ahead of time, and clear away what nobody has used for a month.

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


@_command()
def rules(
    game: GameName,
    rule: Annotated[str, typer.Argument(metavar="[ID]", help="The id of one rule.")] = "",
    lang: Language = None,
) -> None:
    """Print the rules of a game in our own words.

    Example: `mozaika rules GAME --lang pl`
    """
    console.print(find_rule(find_game(game).rulebook(_language(lang)), rule), markup=False, highlight=False)


@_command()
def doctor(as_json: AsJson = False) -> None:
    """Look whether everything Mozaika needs is here; exit code 1 if not.

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
    }
    answers = {name: _examine(check) for name, check in checks.items()}
    well = all(good for good, _ in answers.values())
    if as_json:
        _print_json({name: {"ok": good, "says": says} for name, (good, says) in answers.items()})
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


def _check_cache() -> str:
    folder = kernel.cache_folder()
    folder.mkdir(parents=True, exist_ok=True)
    probe = folder / "doctor"
    probe.write_text("well", "utf-8")
    probe.unlink()
    files = sum(path.is_file() for path in folder.rglob("*"))
    return f"{folder} ({files} files; `mozaika warm` fills it)"


def _check_new(path: Path | None, parent: Path | None = None) -> None:
    """Refuse before any work what could not be written after it, or would overwrite something."""
    if path is None:
        return
    if path.exists():
        raise ValueError(f"There is a file {path} already; choose another name.")
    folder = parent or path.parent
    if not folder.is_dir() or not os.access(folder, os.W_OK):
        raise ValueError(f"{folder} is no folder that can be written to.")


def _check_results(path: Path | None) -> None:
    if path is not None and path.suffix not in (".csv", ".json"):
        raise ValueError(f"Results are written as .csv or .json, not {path.name}.")
    _check_new(path)


def _language(lang: str | None) -> str:
    if lang is not None:
        return lang
    guessed = os.environ.get("LC_ALL") or os.environ.get("LANG") or ""
    return guessed[:2] if guessed[:2] in LANGUAGES else "en"


def _split_options(pairs: list[str] | None) -> dict[str, Any]:
    options: dict[str, Any] = {}
    for pair in pairs or ():
        name, equals, value = pair.partition("=")
        if not equals:
            raise ValueError(f"An option is written name=value, not {pair!r}.")
        options[name] = _read_text(value[1:]) if value.startswith("@") else value
    return options


def _short_options(game: Game, options: Options) -> list[str]:
    """The values that tell one kind of a game from another, as parts of a file name."""
    usual, telling = game.write_options(game.options()), {name for kind in game.variants for name in kind}
    values = game.write_options(options).items()
    shown = [value for name, value in values if value and (name in telling or value != usual[name])]
    return [re.sub(r"[^\w.]+", "_", value)[:24] for value in shown]


def _read_options(game: Game, pairs: list[str] | None, seats: int) -> Options:
    options = game.read_options(_split_options(pairs))
    game.start(seats, options)
    return options


def _introduce(game: Game, bots: list[str]) -> dict[str, str]:
    with _meeting(bots):
        return introduce(game, bots)


def _meeting(bots: Iterable[str]) -> AbstractContextManager[None]:
    """Commands may take their time to begin."""
    commands = [bot for bot in bots if bot.startswith(EXEC)]
    return _waiting(f"Waiting for {' and '.join(commands)}") if commands else nullcontext()


def _get_ready(game: Game) -> None:
    with _waiting(
        f"Getting {game.name} ready: what is not compiled yet is compiled, once, for a minute or more"
    ):
        kernel.warm(game)


@contextmanager
def _waiting(what: str) -> Iterator[None]:
    """Show what is being waited for, with a clock; where nobody watches, say it as soon as it takes long."""
    if notices.is_terminal:
        columns = SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn()
        with Progress(*columns, console=notices, transient=True) as progress:
            progress.add_task(escape(what), total=None)
            yield
        return
    saying = threading.Timer(SILENCE, _say_aside, (what,))
    saying.start()
    try:
        yield
    finally:
        saying.cancel()


SILENCE = 3.0
"""So many seconds nothing need be said."""


def _say_aside(what: str) -> None:
    notices.print(f"{escape(what)} …", highlight=False, soft_wrap=True)


def _one_of(name: str, value: str, kind: Any) -> Any:
    if value not in kind.__args__:
        raise ValueError(f"{name} is one of {', '.join(kind.__args__)}, not {value!r}.")
    return value


def _read_record(path: str, lang: str = "en") -> Record:
    return Record.read(_read_text(path), lang)


def _read_text(path: str) -> str:
    try:
        return sys.stdin.read() if path == "-" else Path(path).read_text("utf-8")
    except UnicodeDecodeError:
        raise ValueError(f"{path} is not a text file in UTF-8.") from None
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {(error.strerror or str(error)).lower()}.") from None


def _print_json(value: Any) -> None:
    print(json.dumps(value, indent=2, ensure_ascii=False))


if __name__ == "__main__":
    main()
