"""Commands for players: the shelf, a game in the terminal, records and rules."""

from pathlib import Path
from typing import Annotated, Any, NoReturn

import msgspec
import typer
from rich.markup import escape
from rich.table import Table as Grid

from mozaika import chance, kernel
from mozaika.cli.shell import (
    BOT_HELP,
    EXAMPLE,
    AsJson,
    Chosen,
    GameName,
    Language,
    Ply,
    RecordFile,
    Refused,
    Seats,
    Seed,
    check_new,
    choose_language,
    command,
    console,
    meet,
    notices,
    one_of,
    print_json,
    read_record,
    split_options,
)
from mozaika.doors.players import EXEC, seat_name, sit_down
from mozaika.game import Game
from mozaika.games import GAMES, find_game
from mozaika.record import TOLD
from mozaika.rulebook import find_rule
from mozaika.scene import Shape, Theme
from mozaika.state import WATCHER
from mozaika.table import Table
from mozaika.table.teaching import find_lesson, options_after
from mozaika.terminal import PERSON, Terminal
from mozaika.tutor import Tutor
from mozaika.words import Term, Words, later


@command()
def games(as_json: AsJson = False) -> None:
    """List the games of the shelf.

    Example: `mozaika games --json`
    """
    facts = [_facts(game) for game in GAMES.values()]
    if as_json:
        print_json(facts)
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


@command()
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
    language = choose_language(lang)
    bots = bot or []
    if (resume or position) and (seats or name or option or (resume and (seed or told or position))):
        raise Refused(later("A game that goes on has its seats, names, options and draws already."))
    check_new(keep if keep != resume else None)
    if resume is not None:
        table = Table.from_record(read_record(str(resume), language), lang=language)
    elif position is not None:
        table = Table.from_position(position, seed=seed, draws="told" if told else "seed", lang=language)
    else:
        shelf_game = find_game(game)
        names = meet(shelf_game, bots)
        count = seats or max(shelf_game.seats.start, len(bots) + 1, len(name or ()))
        table = Table(
            shelf_game,
            count,
            seed=seed,
            draws="told" if told else "seed",
            names=_name_seats(
                name or [], count, [(text, names[text]) for text in bots], shelf_game.words(language)
            ),
            lang=language,
            **split_options(option),
        )
    people = len(table.names) - len(bots)
    if people < 0:
        raise Refused(
            later("There are {bots} bots for {seats} seats."),
            bots=len(bots),
            seats=len(table.names),
        )
    kernel.warmer.load(table.game)
    with kernel.never_waiting(), sit_down(table.game, {text: text for text in bots}) as players:
        Terminal(table, [PERSON] * people + [players[text] for text in bots], console, keep).run()


def _name_seats(given: list[str], count: int, bots: list[tuple[str, str]], words: Words) -> list[str]:
    """Names of people from the first seat on; at the end bots that are commands have names of their own."""
    names = [*given, *(words.say("Seat {n}", n=seat) for seat in range(len(given) + 1, count + 1))][:count]
    for seat, (text, name) in enumerate(bots, count - len(bots)):
        if text.startswith(EXEC) and seat >= len(given):
            names[seat] = seat_name(name)
    return names


@command()
def learn(
    game: GameName = EXAMPLE,
    lesson: Annotated[
        str, typer.Argument(metavar="[LESSON]", help="Which lesson; the first one if none.")
    ] = "",
    step: Annotated[int, typer.Option(min=1, help="Begin with this step.")] = 1,
    walk: Annotated[
        bool, typer.Option("--walk", help="Print all that a learner sees, without waiting for one.")
    ] = False,
    lang: Language = None,
) -> None:
    """Learn a game in the terminal, step by step; then play it against a beginner.

    Examples: `mozaika learn GAME` · `mozaika learn GAME --walk --lang pl`
    """
    language, shelf_game = choose_language(lang), find_game(game)
    taught = find_lesson(shelf_game, lesson, language)
    if taught is None:
        known = ", ".join(each.id for each in shelf_game.lessons())
        if not known:
            raise Refused(later("Nobody has written a lesson for {game} yet."), game=Term(shelf_game.name))
        raise Refused(
            later("{game} has no such lesson; there is: {known}."), game=Term(shelf_game.name), known=known
        )
    if step > (most := len(taught.steps)):
        raise Refused(later("This lesson has the steps 1 to {most}, not {step}."), most=most, step=step)
    tutor = Tutor(shelf_game, taught, console, language)
    if walk:
        tutor.walk()
    elif tutor.run(step) and shelf_game.levels:
        chosen = [f"{name}={value}" for name, value in options_after(shelf_game, taught).items()]
        play(game, bot=[shelf_game.levels[0]], option=chosen, lang=language)


@command()
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
    language = choose_language(lang)
    if bool(record) == bool(position):
        raise Refused(later("Name a record file or a --position, one of the two."))
    if position:
        table = Table.from_position(position, draws=TOLD, lang=language)
    else:
        table = Table.from_record(read_record(record, language), ply, lang=language, drawing=False)
    viewer = seat - 1 if seat else WATCHER
    if not WATCHER <= viewer < len(table.names):
        raise Refused(later("There are the seats 1 to {most}, not {seat}."), most=len(table.names), seat=seat)
    if svg:
        print(table.svg(viewer, one_of("shape", shape, Shape), one_of("theme", theme, Theme)), end="")
    elif as_json:
        print_json({"position": table.position(), "ply": table.ply, "movers": [s + 1 for s in table.movers],
                     "scores": table.scores, "ranks": table.ranks, "over": table.is_over})  # fmt: skip
    else:
        console.print(table.sketch(viewer), highlight=False)


@command()
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
    read = read_record(record, choose_language(lang))
    table = Table.from_record(read, lang=choose_language(lang), drawing=False)
    if as_json:
        print_json([
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


@command()
def verify(
    record: RecordFile = "",
    published: Annotated[
        str, typer.Option("--commitment", metavar="HEX", help="The commitment published before the game.")
    ] = "",
    seed: Annotated[
        str, typer.Option("--seed", metavar="SEED", help="The seed of a deal, instead of a record.")
    ] = "",
    as_json: AsJson = False,
) -> None:
    """Check a record: that the game is possible, and what it proves of its draws and what not.

    Exit code 0 if all is well, 1 if the draws cannot be confirmed, 2 if it is no possible game. With a seed
    and a commitment, such as those of the deal of a day: whether they fit.

    Example: `mozaika verify game.txt`
    """
    if bool(seed) == bool(record) or (seed and not published):
        raise Refused(later("Give a record, or a seed with the commitment that was published for it."))
    if seed:
        _verify_seed(seed, published, as_json=as_json)
    read = read_record(record)
    proof = read.prove(published)
    faults = proof.faults
    if as_json:
        said = {"faults": faults, "proven": proof.proven, "unproven": proof.unproven}
        print_json({"moves": len(read.entries), "draws": read.draws, **said, "verified": not faults})
    else:
        console.print(
            f"A possible game of {read.game.name}: {len(read.entries)} moves and draws.", highlight=False
        )
        for fault in faults:
            console.print(f"[yellow]{escape(fault)}[/]", highlight=False)
        for proven in proof.proven:
            console.print(f"[green]Proven:[/] {escape(proven)}", highlight=False, soft_wrap=True)
        for unproven in proof.unproven:
            console.print(f"[dim]Not proven:[/] {escape(unproven)}", highlight=False, soft_wrap=True)
    raise typer.Exit(1 if faults else 0)


def _verify_seed(seed: str, published: str, *, as_json: bool) -> NoReturn:
    fits = chance.commitment(seed) == published.strip().lower()
    if as_json:
        print_json({"verified": fits})
    elif fits:
        console.print("[green]Proven:[/] this seed was fixed by the commitment.", highlight=False)
    else:
        console.print("[yellow]This seed is not the one that was committed to.[/]", highlight=False)
    raise typer.Exit(0 if fits else 1)


@command()
def hindsight(record: RecordFile, as_json: AsJson = False, lang: Language = None) -> None:
    """Look back on a recorded game: what would have been possible for somebody who knew all the draws.

    Example: `mozaika hindsight game.txt`
    """
    language = choose_language(lang)
    read = read_record(record, language)
    game = read.game
    if game.hindsight is None:
        raise Refused(
            later("For {game} nobody can say what would have been possible."), game=game.title(language)
        )
    words = game.words(language)
    with notices.status(words.say("Looking back")):
        parts = game.hindsight(read.start(), read.entries)
    if as_json:
        print_json(
            [{"part": each.name(words), "made": each.made, "possible": each.possible} for each in parts]
        )
        return
    if not parts:
        raise Refused(later("The record does not go far enough to look back."))
    caption = words.say("Points made, and how many were at least possible for who knew all draws")
    grid = Grid("", *map(escape, read.names), title=caption)
    for part in parts:
        pairs = zip(part.made, part.possible, strict=True)
        grid.add_row(
            part.name(words), *(words.say("{n} of {all}", n=points, all=most) for points, most in pairs)
        )
    totals = [
        (sum(part.made[seat] for part in parts), sum(part.possible[seat] for part in parts))
        for seat in range(read.seats)
    ]
    grid.add_section()
    at_least = (words.say("{n} of at least {all}", n=points, all=most) for points, most in totals)
    grid.add_row("", *at_least, style="bold")
    console.print(grid)


@command()
def rules(
    game: GameName,
    rule: Annotated[str, typer.Argument(metavar="[ID]", help="The id of one rule.")] = "",
    lang: Language = None,
) -> None:
    """Print the rules of a game in our own words.

    Example: `mozaika rules GAME --lang pl`
    """
    language = choose_language(lang)
    console.print(find_rule(find_game(game).rulebook(language), rule), markup=False, highlight=False)
