"""Commands for practice: puzzles are made, and solved."""

from pathlib import Path
from typing import Annotated, Literal

import typer
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from mozaika.cli.shell import (
    GameName,
    Language,
    Refused,
    check_new,
    choose_language,
    command,
    console,
    get_ready,
    notices,
)
from mozaika.game import Game
from mozaika.games import find_game
from mozaika.lab.puzzling import COUNT, NODES, go_on
from mozaika.reviewing.puzzles import FILE, find_puzzles
from mozaika.table.exercises import PUZZLE, explain, find_exercise
from mozaika.table.teaching import set_out
from mozaika.tutor import Tutor
from mozaika.words import Term, later


@command()
def puzzles(
    action: Annotated[
        Literal["make", "play"],
        typer.Argument(metavar="ACTION", help="`make` some, or `play` those that there are."),
    ],
    game: GameName,
    puzzle: Annotated[int, typer.Option("--puzzle", "-p", min=1, help="Play from this one on.")] = 1,
    count: Annotated[int, typer.Option("--count", "-c", min=1, help="Make so many in all.")] = COUNT,
    nodes: Annotated[
        int, typer.Option(min=100, help="Make: how much the first search looks at; others ten times that.")
    ] = NODES,
    seed: Annotated[str, typer.Option(help="Make: from which the games follow.")] = "puzzles",
    out: Annotated[
        Path | None, typer.Option(help="Make: the file; beside the game if not given. What it has stays.")
    ] = None,
    lang: Language = None,
) -> None:
    """Solve positions that have one best move; or find more of them in games of our bots.

    Making goes on where it was stopped, and the same seed makes the same.

    Examples: `mozaika puzzles play GAME` · `mozaika puzzles make GAME --count 300 --out more.txt`
    """
    shelf_game = find_game(game)
    if action == "play":
        _play(shelf_game, puzzle, choose_language(lang))
    else:
        _make(shelf_game, count, seed, nodes, out)


def _make(game: Game, count: int, seed: str, nodes: int, out: Path | None) -> None:
    if out is None and game.folder is None:
        raise ValueError(f"{game.name} has no folder; name a file with --out.")
    path = out or Path(str(game.folder), FILE)
    if not path.exists():
        check_new(path)
    get_ready(game)
    maker = go_on(game, path, count, seed, nodes)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=notices, transient=True) as bar:
        task = bar.add_task("", total=count, completed=len(maker.puzzles))
        for done in maker.run():
            bar.update(task, description=f"game {maker.at}", completed=done)
            path.write_text(maker.write(), "utf-8")
    console.print(f"{len(maker.puzzles)} puzzles in {path}", highlight=False, soft_wrap=True)
    for stage, decisions in maker.looked.items():
        console.print(f"{decisions:8} {stage}", highlight=False)


def _play(game: Game, first: int, lang: str) -> None:
    known, words = find_puzzles(game), game.words(lang)
    if not 1 <= first <= len(known):
        sentence = later("{game} has the puzzles 1 to {most}, not {n}.")
        raise Refused(sentence, game=Term(game.name), most=len(known), n=first)
    console.print(words.say("Type a move, “show” or “quit”."), style="dim")
    for puzzle in known[first - 1 :]:
        exercise = find_exercise(game, f"{PUZZLE}{puzzle.id}", lang)
        if exercise is None:
            continue
        tutor, step = Tutor(game, exercise.lesson, console, lang), exercise.lesson.steps[0]
        table = set_out(step, None, lang)
        tutor.show(1, step, table)
        if not tutor.wait(step, table, puzzle.best[0]):
            return
        found = explain(game, exercise, table.entries[0].move, table.names, lang)
        console.print(escape(found.said), style="green", highlight=False)
        for argument in found.arguments:
            console.print(escape(f"- {argument.text}"), highlight=False)
