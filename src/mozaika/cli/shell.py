"""What all commands share: the application, its arguments, and how they speak."""

import json
import os
import re
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from types import ModuleType
from typing import Annotated, Any, TypeVar

import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from mozaika import kernel
from mozaika.doors.players import EXEC, introduce
from mozaika.game import Game
from mozaika.games import GAMES
from mozaika.lab.cluster import Cluster
from mozaika.options import Options
from mozaika.record import Record
from mozaika.words import LANGUAGES, Term, Translatable, Words, later

F = TypeVar("F", bound=Callable[..., None])


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


BOT_HELP = f"BOT, BOT@NODES, net:FILE, python:MODULE:NAME or {EXEC}COMMAND"


EXAMPLE = next(iter(GAMES), "GAME")
"""The first game of the shelf stands in the examples of `--help`."""


commands: list[tuple[str | None, Callable[..., None]]] = []


def command(name: str | None = None) -> Callable[[F], F]:
    """Mark a function that is a command; under another name than its own, if one is given."""

    def add(function: F) -> F:
        commands.append((name, function))
        return function

    return add


def offer(subject: ModuleType) -> None:
    """Let the application have the commands of a module."""
    for name, function in commands:
        if function.__module__ == subject.__name__:
            app.command(name, help=(function.__doc__ or "").replace("GAME", EXAMPLE))(function)


def check_new(path: Path | None, parent: Path | None = None) -> None:
    """Refuse before any work what could not be written after it, or would overwrite something."""
    if path is None:
        return
    if path.exists():
        raise Refused(later("There is a file {path} already; choose another name."), path=path)
    folder = parent or path.parent
    if not folder.is_dir() or not os.access(folder, os.W_OK):
        raise Refused(later("{folder} is no folder that can be written to."), folder=folder)


REASONS = (later("no such file or directory"), later("permission denied"), later("is a directory"))
"""Why the system does not read a file."""


class Refused(Translatable, ValueError):
    """Something that a command cannot do, said in the language it speaks."""


spoken = ["en"]
"""The language of the command that runs; those that take none speak English."""


def choose_language(lang: str | None) -> str:
    guessed = os.environ.get("LC_ALL") or os.environ.get("LANG") or ""
    chosen = lang or (guessed[:2] if guessed[:2] in LANGUAGES else "en")
    spoken[:] = [Words(chosen).lang]
    return chosen


def tell_error(error: Exception) -> str:
    """The sentence of an error in the language of the command, from the words of the house or of a game."""
    if not isinstance(error, Translatable):
        return str(error)
    said = (error.said(words) for words in (game.words(spoken[0]) for game in GAMES.values()))
    return next((each for each in said if each != str(error)), error.said(Words(spoken[0])))


def split_options(pairs: list[str] | None) -> dict[str, Any]:
    options: dict[str, Any] = {}
    for pair in pairs or ():
        name, equals, value = pair.partition("=")
        if not equals:
            raise Refused(later("An option is written name=value, not “{pair}”."), pair=pair)
        options[name] = read_text(value[1:]) if value.startswith("@") else value
    return options


def short_options(game: Game, options: Options) -> list[str]:
    """The values that tell one kind of a game from another, as parts of a file name."""
    usual, telling = game.write_options(game.options()), {name for kind in game.variants for name in kind}
    values = game.write_options(options).items()
    shown = [value for name, value in values if value and (name in telling or value != usual[name])]
    return [re.sub(r"[^\w.]+", "_", value)[:24] for value in shown]


def meet(game: Game, bots: list[str]) -> dict[str, str]:
    """What each bot calls itself."""
    with meeting(bots):
        return introduce(game, bots)


def meeting(bots: Iterable[str]) -> AbstractContextManager[None]:
    """Commands may take their time to begin."""
    commands = [bot for bot in bots if bot.startswith(EXEC)]
    return waiting(f"Waiting for {' and '.join(commands)}") if commands else nullcontext()


def get_ready(game: Game) -> None:
    with waiting(
        f"Getting {game.name} ready: what is not compiled yet is compiled, once, for a minute or more"
    ):
        kernel.warm(game)


@contextmanager
def waiting(what: str) -> Iterator[None]:
    """Show what is being waited for, with a clock; where nobody watches, say it as soon as it takes long."""
    if notices.is_terminal:
        columns = SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn()
        with Progress(*columns, console=notices, transient=True) as progress:
            progress.add_task(escape(what), total=None)
            yield
        return
    saying = threading.Timer(SILENCE, say_aside, (what,))
    saying.start()
    try:
        yield
    finally:
        saying.cancel()


SILENCE = 3.0
"""So many seconds nothing need be said."""


def say_aside(what: str) -> None:
    notices.print(f"{escape(what)} …", highlight=False, soft_wrap=True)


def one_of(name: str, value: str, kind: Any) -> Any:
    if value not in kind.__args__:
        raise ValueError(f"{name} is one of {', '.join(kind.__args__)}, not {value!r}.")
    return value


def read_record(path: str, lang: str = "en") -> Record:
    return Record.read(read_text(path), lang)


def read_text(path: str) -> str:
    try:
        return sys.stdin.read() if path == "-" else Path(path).read_text("utf-8")
    except UnicodeDecodeError:
        raise Refused(later("{path} is not a text file in UTF-8."), path=path) from None
    except OSError as error:
        reason = Term((error.strerror or str(error)).lower())
        raise Refused(later("{path} cannot be read: {reason}."), path=path, reason=reason) from None


def print_json(value: Any) -> None:
    print(json.dumps(value, indent=2, ensure_ascii=False))


RayAddress = Annotated[
    str, typer.Option("--ray", metavar="ADDRESS", help="Do it on a cluster of Ray; `local` is this machine.")
]


def cluster_at(address: str) -> "AbstractContextManager[Cluster | None]":
    """The cluster at an address, if there is to be one."""
    if not address:
        return nullcontext()
    with notices.status("Waiting for the cluster"):
        return Cluster(address)
