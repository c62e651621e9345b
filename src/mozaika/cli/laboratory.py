"""Commands for many games: simulations, the arena, fitting, and a bot for other programs."""

import os
import sys
from collections.abc import Iterable, Sequence
from contextlib import nullcontext
from dataclasses import asdict
from functools import partial
from itertools import takewhile
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer
from rich.markup import escape
from rich.progress import Progress, TaskID, track
from rich.table import Table as Grid

from mozaika.chance import new_seed
from mozaika.cli.settings import own_ratings
from mozaika.cli.shell import (
    BOT_HELP,
    EXAMPLE,
    AsJson,
    Chosen,
    GameName,
    RayAddress,
    Results,
    Seats,
    Seed,
    check_new,
    cluster_at,
    command,
    console,
    get_ready,
    meet,
    meeting,
    notices,
    print_json,
    read_record,
    short_options,
    split_options,
)
from mozaika.doors.engage import write_own_rating
from mozaika.doors.players import EXEC, find_bot, split_bots
from mozaika.doors.protocol import answer
from mozaika.game import Game
from mozaika.games import GAMES, find_game
from mozaika.lab.arena import Match, Report, Sprt, check, play_match, report, until_known
from mozaika.lab.cluster import Cluster
from mozaika.lab.dataset import Dataset, check_dataset, recorded
from mozaika.lab.journal import Journal, kept_seed, part_of
from mozaika.lab.signature import signature
from mozaika.lab.simulate import Outcome, Standing, simulate, standings, write_outcomes, written
from mozaika.options import Options
from mozaika.rating import FILE, Ratings
from mozaika.thought import Budget


@command("simulate")
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
    dataset: Annotated[
        Path | None,
        typer.Option(help="Write every decision to this .ndjson or .parquet file, for programs that learn."),
    ] = None,
    ray: RayAddress = "",
    as_json: AsJson = False,
) -> None:
    """Let bots play many games for their records and results. `mozaika arena` says who is stronger.

    The same command goes on where a run with --out or --records was cut off, if it has no --dataset.

    Examples: `mozaika simulate GAME --bots greedy,random` · `mozaika simulate GAME --seats 4 --out r.csv` ·
    `mozaika simulate GAME --bots expert --dataset games.parquet`
    """
    shelf_game, texts = find_game(game), split_bots(bots)
    count = seats or max(shelf_game.seats.start, len(texts))
    options, budget = _read_options(shelf_game, option, count), Budget(nodes=nodes, milliseconds=60_000)
    if len(texts) > count:
        raise ValueError(f"There are {len(texts)} bots for {count} seats.")
    kind = "-".join([shelf_game.id, str(count), *short_options(shelf_game, options)])
    part = part_of(out) if out else part_of(records / kind) if records else None
    if dataset is not None:  # it would lack the games that were played before
        part = None
    _check_results(out)
    if records is not None and not (part and part.exists()):
        check_new(records / f"{kind}-000.txt", parent=records.parent)
    if dataset is not None:
        check_dataset(dataset, shelf_game)
        check_new(dataset)
    called = meet(shelf_game, texts)
    commands = {name: text for text, name in called.items() if text.startswith(EXEC)}
    if records is not None:
        records.mkdir(exist_ok=True)
    names, drawn = [called[text] for text in texts], seed or kept_seed(part) or new_seed()
    about = _about(shelf_game, count, options, texts, drawn, budget) if part else {}
    journal = Journal(part, about | {"choice of records": records is not None}, Outcome)
    files = None if records is None else (lambda outcome: records / f"{kind}-{outcome.game:03}.txt")
    if files:  # a record that somebody has removed is played again, and all after it
        journal.keep(sum(1 for _ in takewhile(lambda outcome: files(outcome).exists(), journal.kept)))
    journal.keep(number)
    _go_on(journal)
    kept = Dataset(dataset, shelf_game, count) if dataset else None
    with cluster_at(ray) as cluster, kept or nullcontext():
        played = simulate(
            shelf_game, count, options, names, number, drawn, budget,
            commands=commands, cluster=cluster, first=len(journal.kept),
        )  # fmt: skip
        run = journal.follow(written(recorded(played, kept), files))
        outcomes = list(track(run, "Playing", total=number, console=notices, transient=True))
    if out is not None:
        write_outcomes(outcomes, out)
    journal.end()
    table = standings(outcomes)
    if as_json:
        print_json({"game": shelf_game.id, "seats": count, "games": number,
                     "bots": [asdict(s) for s in table], "commands": commands})  # fmt: skip
        return
    console.print(_standings_grid(table))
    _print_lines(f"Game {each.game + 1}: {each.forfeit}" for each in outcomes if each.forfeit)


def _about(
    game: Game, seats: int, options: Options, bots: Sequence[str], seed: str, budget: Budget | None
) -> dict[str, object]:
    """What a run must have in common with the one that it goes on with: the bots must play the same, too."""
    return {
        "game": game.id,
        "version": game.version,
        "number of seats": seats,
        "set of options": game.write_options(options),
        "line-up": list(bots),
        "seed": seed,
        "budget": "usual" if budget is None else f"{budget.nodes} nodes, {budget.milliseconds} ms",
        "signature of the bots": signature(game),
    }


def _go_on(journal: "Journal[Any]") -> None:
    if journal.kept:
        notices.print(f"Going on after {len(journal.kept)} that a run which was cut off has left.")


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


@command()
def arena(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A game; with --ladder all if not given.")] = "",
    bots: Annotated[
        str,
        typer.Option(
            "--bots", "--bot", help=f"Bots with commas between them, the last of whom fills up: {BOT_HELP}."
        ),
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
    ray: RayAddress = "",
    seed: Seed = None,
    ladder: Annotated[
        bool, typer.Option("--ladder", help="Rate the levels of a game, and write it into the game's folder.")
    ] = False,
    rate: Annotated[
        bool,
        typer.Option(
            "--rate", help="Measure one bot of your own against those of the game, for `mozaika serve --bot`."
        ),
    ] = False,
    out: Results = None,
    as_json: AsJson = False,
) -> None:
    """Find out which bot is stronger: every deal is played once in each seating.

    Without --nodes and --ms every bot takes the time of its level. Ctrl+C ends a match and counts what there
    is. With --out and with --ladder the same command goes on where a run was cut off, as long as the bots
    play the same; with --ladder --out names another file for the ratings.

    Examples: `mozaika arena GAME --bots greedy,random` ·
    `mozaika arena GAME --bots "exec:python bot.py,greedy" --sprt 0,30 --games 2000 --jobs 4` ·
    `mozaika arena GAME --bots net:FILE --rate`
    """
    budget = Budget.of(nodes, ms)
    if ladder:
        if bots or option or seats or sprt or seed:
            raise ValueError("With --ladder go only --games, --nodes, --ms, --jobs, --ray, --out and --json.")
        with cluster_at(ray) as cluster:
            _climb(game, number, budget, jobs, out, cluster, as_json=as_json)
        return
    if rate:
        if not game or not bots or option or seats or sprt or ray:
            raise ValueError(
                "With --rate go a game, one bot, --games, --nodes, --ms, --jobs, --seed and --out."
            )
        _rate_own(find_game(game), bots, number, budget, jobs, seed or new_seed(), out, as_json=as_json)
        return
    if not game or not bots:
        raise ValueError(f"Name a game and its bots, as in: mozaika arena {EXAMPLE} --bots greedy,random")
    shelf_game, texts = find_game(game), tuple(split_bots(bots))
    count = seats or max(shelf_game.seats.start, len(texts))
    options = shelf_game.write_options(_read_options(shelf_game, option, count))
    part = part_of(out) if out else None
    match = Match(shelf_game.id, count, options, texts, seed or kept_seed(part) or new_seed(), budget)
    test = _read_sprt(sprt, match) if sprt else None
    _check_results(out)
    with meeting(texts):
        match = check(match)
    get_ready(shelf_game)
    units, chosen = -(-number // len(match.seatings)), shelf_game.read_options(options)
    about = _about(shelf_game, count, chosen, texts, match.seed, budget) if part else {}
    journal = Journal(part, about, list[Outcome])
    journal.keep(units)
    _go_on(journal)
    with cluster_at(ray) as cluster:
        left = len(journal.kept), units - len(journal.kept)
        run = until_known(match, journal.follow(play_match(match, *left, jobs, cluster)), test)
        played, is_whole = _play_on(run, units)
    if out is not None:
        write_outcomes([outcome for unit in played for outcome in unit], out)
    if is_whole:
        journal.end()
    _print_report(report(match, played, test), match.bots[0], as_json=as_json)


def _play_on(run: Iterable[list[Outcome]], units: int) -> tuple[list[list[Outcome]], bool]:
    """The units of a match, and whether they are all: what was played before Ctrl+C counts."""
    played: list[list[Outcome]] = []
    try:
        for unit in track(run, "Playing", total=units, console=notices, transient=True):
            played.append(unit)  # noqa: PERF402  one after the other
    except KeyboardInterrupt:
        if not played:
            raise
        return played, False
    return played, True


def _rate_own(
    game: Game,
    bot: str,
    number: int,
    budget: Budget | None,
    jobs: int,
    seed: str,
    out: Path | None,
    *,
    as_json: bool,
) -> None:
    from mozaika.lab.own import measure_own

    if out is not None and out.suffix != ".json":
        raise ValueError(f"Ratings are written as .json, not {out.name}.")
    path = out or own_ratings()
    with meeting([bot]), Progress(console=notices, transient=True) as progress:
        bar = progress.add_task(game.name, total=None)
        get_ready(game)
        found = measure_own(game, bot, number, budget, jobs, seed, partial(_advance, progress, bar))
    write_own_rating(path, found)
    if as_json:
        print_json(msgspec.to_builtins(found))
        return
    rating = found.rating
    _print_lines(
        [
            f"{bot}: {rating.rating} ({rating.low} to {rating.high}) after {rating.games} games.",
            f"It is kept in {path}.",
        ]
    )


def _print_report(told: Report, first: str, *, as_json: bool) -> None:
    if as_json:
        print_json(asdict(told))
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
    name: str,
    number: int,
    budget: Budget | None,
    jobs: int,
    out: Path | None,
    cluster: Cluster | None,
    *,
    as_json: bool,
) -> None:
    from mozaika.lab.ladder import climb, climbers

    games = (
        [find_game(name)]
        if name
        else [game for game in GAMES.values() if game.folder and len(climbers(game)) > 1]
    )
    if out is not None and (not name or out.suffix != ".json"):
        raise ValueError("With --ladder --out names a .json file, for one game.")
    rated: list[Ratings] = []
    for game in games:
        if out is None and game.folder is None:
            raise ValueError(f"{game.name} has no folder for its ratings; name a file with --out.")
        path = out or Path(game.folder or "") / FILE
        if not os.access(path.parent, os.W_OK):
            raise ValueError(f"{path.parent} is no folder that can be written to; name a file with --out.")
        get_ready(game)
        with Progress(console=notices, transient=True) as progress:
            bar = progress.add_task(game.name, total=None)
            rated.append(climb(game, number, budget, jobs, path, partial(_advance, progress, bar), cluster))
    if as_json:
        print_json([msgspec.to_builtins(each) for each in rated])
        return
    for each in rated:
        grid = Grid("bot", "rating", "95 % interval", "games", title=find_game(each.measured.game).name)
        for row in each.bots:
            grid.add_row(row.bot, str(row.rating), f"{row.low} to {row.high}", str(row.games))
        console.print(grid)


@command("fit")
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
    ray: RayAddress = "",
    as_json: AsJson = False,
) -> None:
    """Fit the net with which the bots of a game appraise positions to how recorded games ended.

    One game of ten is not learnt from, but tells how surprising its winners were, and how far off the points.
    Weights beside the game's `bot.py`, as `weights.npz`, are the ones that it uses. The same command goes on
    where a run was cut off.

    Example: `mozaika simulate GAME --bots expert --nodes 150 --games 4000 --records games`, then
    `mozaika fit GAME games --out weights.npz`
    """
    from mozaika.lab.fit import fit_to

    shelf_game = find_game(game)
    if out.suffix != ".npz":
        raise ValueError(f"Weights go to a .npz file, not to {out}.")
    check_new(out)
    files = [file for path in records for file in (sorted(path.glob("*.txt")) if path.is_dir() else [path])]
    read = [read_record(str(file)) for file in track(files, "Reading", console=notices, transient=True)]
    with cluster_at(ray) as cluster, Progress(console=notices, transient=True) as progress:
        watch = partial(_advance, progress, progress.add_task("Fitting", total=None))
        told = fit_to(shelf_game, read, out, epochs, seed, watch, fresh=fresh, cluster=cluster)
    if as_json:
        print_json(asdict(told))
        return
    grid = Grid("", "before", "after", title=f"{told.positions} positions of {told.games} games")
    grid.add_row("surprise", *(f"{each:.4f}" for each in told.surprise))
    if told.error is not None:
        grid.add_row("points off", *(f"{each:.2f}" for each in told.error))
    console.print(grid)


@command("bot")
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


def _check_results(path: Path | None) -> None:
    """Refuse what cannot be written or would overwrite something, but for results of the same run so far."""
    if path is not None and path.suffix not in (".csv", ".json"):
        raise ValueError(f"Results are written as .csv or .json, not {path.name}.")
    if path is None or not part_of(path).exists():
        check_new(path)


def _read_options(game: Game, pairs: list[str] | None, seats: int) -> Options:
    options = game.read_options(split_options(pairs))
    game.start(seats, options)
    return options
