"""Commands for after a game: what each decision was worth."""

from pathlib import Path
from typing import Annotated

import msgspec
import typer
from rich.markup import escape
from rich.progress import Progress, SpinnerColumn, TextColumn, track
from rich.table import Table as Grid

from mozaika.cli.shell import (
    AsJson,
    GameName,
    Language,
    RecordFile,
    Seats,
    Seed,
    check_new,
    choose_language,
    command,
    console,
    get_ready,
    notices,
    print_json,
    read_record,
)
from mozaika.games import find_game
from mozaika.lab.calibrate import Found
from mozaika.lab.calibrate import calibrate as measure
from mozaika.record import Record
from mozaika.reviewing import Review, Reviewer
from mozaika.reviewing.page import write_page
from mozaika.reviewing.tell import (
    MARK_NAMES,
    MEANINGS,
    tell_amount,
    tell_decision,
    tell_judge,
    tell_loss,
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
    reviewer = Reviewer(played, nodes)
    for _ in track(reviewer.run(), "Reviewing", total=reviewer.steps, console=notices, transient=True):
        pass
    found = reviewer.result()
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
    games: Annotated[int, typer.Option("--games", "-g", min=10, help="How many games are held out.")] = 300,
    level_games: Annotated[int, typer.Option(min=2, help="How many games each level plays.")] = 40,
    nodes: Annotated[int, typer.Option(min=40, help="How much the judge looks at for a decision.")] = 2_000,
    seed: Seed = "calibration",
    out: Annotated[Path | None, typer.Option(help="Write what a review needs to this .json file.")] = None,
    as_json: AsJson = False,
) -> None:
    """Measure whether a review's numbers mean what they say: on games of bots, half of them held out.

    Examples: `mozaika calibrate GAME` · `mozaika calibrate GAME --seats 4 --games 300 --out review.json`
    """
    shelf_game = find_game(game)
    check_new(out)
    get_ready(shelf_game)
    count = seats or max(2, shelf_game.seats.start)
    with Progress(SpinnerColumn(), TextColumn("{task.description}"), console=notices, transient=True) as bar:
        task = bar.add_task("")
        steps = measure(shelf_game, count, games, level_games, nodes, seed or "")
        for doing, result in steps:
            bar.update(task, description=doing)
            found = result
    if out is not None:
        out.write_bytes(msgspec.json.format(msgspec.json.encode([found.calibration]), indent=2) + b"\n")
    if as_json:
        print_json(msgspec.to_builtins(found))
        return
    console.print(_fits_grid(found))
    spread = f"{found.luck_mean:+.4f} ± {found.luck_error:.4f} in {found.luck_games} games"
    _print(f"luck {spread}; results spread {found.spread:.2f} times as much without it")
    console.print(_levels_grid(found))


def _fits_grid(found: Found) -> Grid:
    grid = Grid("phase", "looks", "slope", "95 %", "uncorrected", "Brier", "of a constant")
    for fit in found.fits:
        span = f"{fit.slope_low:.2f} to {fit.slope_high:.2f}"
        cells = (f"{each:.3f}" for each in (fit.brier, fit.constant))
        grid.add_row(
            str(fit.phase + 1), str(fit.looks), f"{fit.slope:.2f}", span, f"{fit.raw_slope:.2f}", *cells
        )
    return grid


def _levels_grid(found: Found) -> Grid:
    grid = Grid("level", "games", "mean loss", "95 %")
    for level in found.calibration.levels:
        span = f"{level.low:.4f} to {level.high:.4f}"
        grid.add_row(level.bot, str(level.games), f"{level.loss:.4f}", span)
    return grid


def _print_review(record: Record, review: Review, words: Words) -> None:
    states = list(record.states())
    console.print(_players_grid(review, words))
    _print(tell_judge(review, words))
    for decision in review.decisions:
        if decision.mark:
            told = tell_decision(record, states[decision.ply], decision, review, words)
            _print(f"{decision.ply:4}  {words.say(MARK_NAMES[decision.mark])}: {told}")
    _print(words.translate(MEANINGS["mark"]))
    if decisive := tell_turning_points(record, review, words):
        console.print()
        _print(words.say("What decided the game"))
        for telling in decisive:
            _print(f"{telling.ply:4}  {telling.text}")


def _print(text: str) -> None:
    console.print(escape(text), highlight=False, soft_wrap=True)


def _players_grid(review: Review, words: Words) -> Grid:
    luck = (words.say("luck"), words.say("rest")) if review.luck_counts else ()
    names = (words.say(name) for name in MARK_NAMES.values())
    grid = Grid(words.say("player"), words.say("accuracy"), words.say("mean loss"), *names, *luck)
    for player in review.players:
        lucky = (tell_amount(review, each, words) for each in (player.luck, player.rest)) if luck else ()
        marks = (str(player.marks[mark]) for mark in MARK_NAMES)
        loss = tell_loss(review, player, words)
        grid.add_row(escape(player.name), f"{player.accuracy:.0f}", loss, *marks, *lucky)
    return grid
