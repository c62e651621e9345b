"""Commands for after a game: what each decision was worth."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import msgspec
import typer
from rich.markup import escape
from rich.progress import Progress, track
from rich.table import Table as Grid

from mozaika.cli.shell import (
    AsJson,
    GameName,
    Language,
    RayAddress,
    RecordFile,
    Seats,
    Seed,
    check_new,
    choose_language,
    cluster_at,
    command,
    console,
    get_ready,
    notices,
    print_json,
    read_record,
)
from mozaika.games import find_game
from mozaika.lab.calibrate import Fit, Found, Plan
from mozaika.lab.calibrate import calibrate as measure
from mozaika.lab.measuring import NODES_OF_LEVELS, Players
from mozaika.record import Record
from mozaika.reviewing import Review, Reviewer
from mozaika.reviewing.calibration import Calibration, Opinion, calibration_of, write_calibration
from mozaika.reviewing.graph import list_values
from mozaika.reviewing.numbers import (
    MARK_NAMES,
    list_sheets,
    tell_meanings,
    tell_possible,
    tell_value,
)
from mozaika.reviewing.page import write_page
from mozaika.reviewing.steps import Going, run
from mozaika.reviewing.tell import (
    Telling,
    tell_decision,
    tell_draws,
    tell_judge,
    tell_line,
    tell_turning_points,
)
from mozaika.words import Words


@command("review")
def review_record(
    record: RecordFile,
    nodes: Annotated[
        int | None,
        typer.Option(min=40, help="How much is looked at for each decision; usually as calibrated."),
    ] = None,
    html: Annotated[
        Path | None, typer.Option(help="Write the review as a page that needs nothing else.")
    ] = None,
    lang: Language = None,
    as_json: AsJson = False,
) -> None:
    """Go over a game: what each decision was worth, how lucky each draw was, and what was better.

    Examples: `mozaika review game.txt` · `mozaika review game.txt --html review.html`
    """
    spoken = choose_language(lang)
    played = read_record(record, spoken)
    check_new(html)
    get_ready(played.game)
    going = Going(Reviewer(played, nodes))
    for _ in track(run(going), "Reviewing", total=len(going.steps), console=notices, transient=True):
        pass
    found = going.result()
    if html is not None:
        html.write_text(write_page(played, found, spoken), "utf-8")
    if as_json:
        print(msgspec.json.format(msgspec.json.encode(found), indent=2).decode())
    elif html is None:
        _print_review(played, found, played.game.words(spoken))


@command()
def calibrate(
    game: GameName,
    seats: Seats = None,
    games: Annotated[
        int,
        typer.Option(
            "--games", "-g", min=0, help="How many games are held out; 0 takes the judge as it is calibrated."
        ),
    ] = 300,
    decider_games: Annotated[int, typer.Option(min=4, help="How many of them for the --decider.")] = 300,
    luck_games: Annotated[int, typer.Option(min=0, help="How many of them for the luck.")] = 200,
    level_games: Annotated[
        int, typer.Option(min=0, help="Out of how many games all levels are asked.")
    ] = 100,
    level_nodes: Annotated[
        str, typer.Option(help="How much levels look at that are asked, as LEVEL:NODES,LEVEL:NODES.")
    ] = "",
    planted_games: Annotated[int, typer.Option(min=0, help="In how many games moves are planted.")] = 100,
    judge: Annotated[str, typer.Option(help="The level that judges.")] = "expert",
    nodes: Annotated[int, typer.Option(min=40, help="How much it looks at for a decision.")] = 2_000,
    look: Annotated[int, typer.Option(min=4, help="How much for the worth of a moment.")] = 400,
    redraws: Annotated[int, typer.Option(min=2, help="With how many draws one is compared.")] = 32,
    decider: Annotated[
        str, typer.Option(help="Another level that judges decisions, as LEVEL:NODES:LOOK; usually the judge.")
    ] = "",
    players: Annotated[str, typer.Option(help="The level that plays the games.")] = "expert",
    player_nodes: Annotated[int, typer.Option(min=1, help="How much it looks at for a move.")] = 60,
    seed: Seed = "calibration",
    work: Annotated[
        Path | None, typer.Option(help="A folder for what is measured; a second run goes on there.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="Put what a review needs into this .json file, for these seats.")
    ] = None,
    ray: RayAddress = "",
    as_json: AsJson = False,
) -> None:
    """Measure whether a review's numbers mean what they say: on games of bots, half of them held out.

    Examples: `mozaika calibrate GAME` · `mozaika calibrate GAME --seats 4 --work rows --out review.json`
    """
    shelf_game = find_game(game)
    get_ready(shelf_game)
    count = seats or max(2, shelf_game.seats.start)
    plain = calibration_of(shelf_game, count)
    if games:
        opinion = _read_opinion(decider)
        plain = Calibration(count, judge=judge, nodes=nodes, look=look, redraws=redraws, decider=opinion)
    who = Players(players, player_nodes, NODES_OF_LEVELS | _read_nodes(level_nodes))
    plan = Plan(games, decider_games, luck_games, level_games, planted_games, who, seed or "")
    with cluster_at(ray) as cluster, Progress(console=notices, transient=True) as bar:
        task = bar.add_task("")
        for doing, done, of, result in measure(shelf_game, plain, plan, work, cluster):
            bar.update(task, description=doing, completed=done, total=of)
            found = result
    if out is not None:
        write_calibration(found.calibration, out)
    if as_json:
        print_json(msgspec.to_builtins(found))
        return
    for fits in (found.fits, found.decider_fits):
        if fits:
            console.print(_fits_grid(fits))
    spread = f"{found.luck_mean:+.4f} ± {found.luck_error:.4f} in {found.luck_games} games"
    span = f"{found.spread_low:.2f} to {found.spread_high:.2f}"
    _print(f"luck {spread}; results spread {found.spread:.2f} ({span}) times as much without it")
    console.print(_levels_grid(found))
    for what, marked in (("bad", found.bad), ("good", found.good)):
        low, high = marked.span
        _print(f"of {marked.moves} {what} moves {marked.marked} are marked ({low:.3f} to {high:.3f})")


def _read_opinion(text: str) -> Opinion | None:
    if not text:
        return None
    try:
        level, nodes, look = text.split(":")
        return Opinion(level, int(nodes), int(look))
    except ValueError:
        raise ValueError(f"{text} is not written as LEVEL:NODES:LOOK.") from None


def _read_nodes(text: str) -> dict[str, int]:
    try:
        pairs = [each.split(":") for each in text.split(",") if each]
        return {level: int(nodes) for level, nodes in pairs}
    except ValueError:
        raise ValueError(f"{text} is not written as LEVEL:NODES,LEVEL:NODES.") from None


def _fits_grid(fits: list[Fit]) -> Grid:
    grid = Grid("phase", "looks", "slope", "95 %", "uncorrected", "Brier", "of a constant")
    for fit in fits:
        span = f"{fit.slope_low:.2f} to {fit.slope_high:.2f}"
        cells = (f"{each:.3f}" for each in (fit.brier, fit.constant))
        grid.add_row(
            str(fit.phase + 1), str(fit.looks), f"{fit.slope:.2f}", span, f"{fit.raw_slope:.2f}", *cells
        )
    return grid


def _levels_grid(found: Found) -> Grid:
    grid = Grid("level", "games", "mean loss", "95 %", "more than the next", "95 %")
    ahead = {each.bot: each for each in found.ahead}
    for level in found.calibration.levels:
        measured = [level, *([ahead[level.bot]] if level.bot in ahead else [])]
        cells = [
            text for each in measured for text in (f"{each.loss:.4f}", f"{each.low:.4f} to {each.high:.4f}")
        ]
        grid.add_row(level.bot, str(level.games), *cells)
    return grid


def _print_review(record: Record, review: Review, words: Words) -> None:
    states, meanings = list(record.states()), tell_meanings(review, words)
    console.print(_values_grid(review, words))
    for sheet in list_sheets(review, words):
        grid = Grid(sheet.title, *map(escape, review.names))
        for row in sheet.rows:
            grid.add_row(row.name, *row.cells)
        console.print(grid)
    _print(tell_judge(review, words))
    for decision in review.decisions:
        if decision.mark:
            told = tell_decision(record, states[decision.ply], decision, review, words)
            after = tell_line(record, states[decision.ply], decision, words)
            _print(f"{decision.ply:4}  {words.say(MARK_NAMES[decision.mark])}: {told} {after}".rstrip())
    _print(meanings["decision"])
    _print_moments(words.say("What was drawn"), tell_draws(record, review, words), meanings["draw"])
    if review.hindsight:
        console.print(_hindsight_grid(review, words))
        _print(meanings["possible"])
    _print_moments(words.say("What decided the game"), tell_turning_points(record, review, words))


def _print_moments(title: str, moments: Sequence[Telling], about: str = "") -> None:
    if not moments:
        return
    console.print()
    _print(title)
    for moment in moments:
        _print(f"{moment.ply:4}  {moment.text}")
    if about:
        _print(about)


def _values_grid(review: Review, words: Words) -> Grid:
    """The course of the game: expected points, and the chance to win."""
    grid = Grid(words.say("ply"), *map(escape, review.names), title=words.say("The course of the game"))
    for value in list_values(review):
        grid.add_row(str(value.ply), *tell_value(review, value, words))
    return grid


def _hindsight_grid(review: Review, words: Words) -> Grid:
    grid = Grid("", *map(escape, review.names), title=words.say("What would have been possible"))
    for part in review.hindsight:
        grid.add_row(escape(words.say(part.sentence, **part.values)), *tell_possible(part, words))
    return grid


def _print(text: str) -> None:
    console.print(escape(text), highlight=False, soft_wrap=True)
