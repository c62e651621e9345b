"""The command line: `mozaika --help`."""

import importlib.metadata
import sys
from typing import Annotated

import typer
from rich.markup import escape

from mozaika.cli import laboratory, measuring, operating, playing, practising, reviewing, serving
from mozaika.cli.shell import app, notices, offer, tell_error

USAGE_ERROR: type[Exception] = typer.BadParameter.__mro__[1]
"""The error of all wrong usage, which typer does not offer by its name."""


def main() -> None:
    """Run a command; bad input is answered with one sentence and exit code 2."""
    try:
        sys.exit(app(standalone_mode=False) or 0)
    except USAGE_ERROR as error:
        _refuse(error.format_message())  # type: ignore[attr-defined]
    except typer.Abort:
        sys.exit(130)
    except (ValueError, OSError) as error:
        _refuse(tell_error(error))


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


for _subject in (playing, practising, reviewing, serving, operating, laboratory, measuring):
    offer(_subject)
