"""What can be chosen before a game: options, read from texts and written as texts."""

import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal, NamedTuple, TypeAlias, get_args, get_origin, get_type_hints

import msgspec

from mozaika.given import whole_number
from mozaika.words import Term, Translatable, Typed, later

NO_LABELS: Mapping[str, str] = {}

Line: TypeAlias = Annotated[str, msgspec.Meta(max_length=100)]
"""An option that is a short text, such as `1234`; blanks in it do not matter."""

Grid: TypeAlias = Annotated[str, msgspec.Meta(max_length=4_000)]
"""An option that is drawn in letters: rows of squares with a new line or / between them.

Blanks do not matter, and any number of empty rows is one; it is kept with / and without blanks.
"""


class Brush(NamedTuple):
    """What a square is painted with: as it is written, what it is called (in {text} what it shows), what it
    shows, and its colours.
    """

    text: str
    name: str
    shows: str = ""
    fill: str = ""
    ink: str = ""


class Drawing(msgspec.Struct, frozen=True, kw_only=True):
    """A Grid as boards of squares, row by row."""

    rows: int
    columns: int
    brushes: tuple[Brush, ...]
    names: str
    """What the boards are called, a letter each; there are at most so many."""
    example: str
    """A board to start from, its rows with / between them."""
    blank: str = ""
    """The text of a square of a new board; where there is none, a new board is the example."""
    flag: tuple[str, str] | None = None
    """A word that may stand above a board, and what it means."""
    joins: str = ""
    """The option with the letters of the boards that are played: a new board is added there."""
    plays: tuple[tuple[str, str], ...] = ()
    """For each board the option, and its value, by which it is played."""


class Options(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What can be chosen before a game; each game has its own."""


class BadOption(Translatable, ValueError):
    """An option that does not fit."""


def read_options(
    kind: type[Options], given: Mapping[str, Any], game: str, labels: Mapping[str, str] = NO_LABELS
) -> Options:
    """The options of a game from their names and values, the values as texts or as what they mean.

    A drawing that is too long is called by its label.
    """
    if not isinstance(given, Mapping):
        raise TypeError(f"Options are given as names and values, not as {given!r}.")
    hints = get_type_hints(kind, include_extras=True)
    for name in given:
        if name not in hints:
            raise BadOption(
                later("{game} has no option {name}; it has {known}."),
                game=Term(game),
                name=Typed(repr(name)),
                known=", ".join(hints),
            )
    values = {
        name: _read_value(name, labels.get(name, name), value, hints[name]) for name, value in given.items()
    }
    try:
        return msgspec.convert(values, kind, strict=False)
    except msgspec.ValidationError as error:
        raise BadOption(
            later("These options do not fit {game}: {error}"), game=Term(game), error=error
        ) from None


def write_options(options: Options) -> dict[str, str]:
    """Every option and its value, as texts."""
    return {name: str(value) for name, value in msgspec.structs.asdict(options).items()}


def read_seats(given: Any, known: range, game: str) -> int:
    """How many play, where a game is for so many."""
    if (seats := whole_number("How many play", given)) not in known:
        one, several = (
            later("{game} is for {least} players, not {seats}."),
            later("{game} is for {least} to {most} players, not {seats}."),
        )
        sentence = one if len(known) == 1 else several
        raise BadOption(sentence, game=Term(game), least=known[0], most=known[-1], seats=Typed(repr(given)))
    return seats


def _read_value(name: str, label: str, value: Any, hint: Any) -> Any:
    if hint in (Line, Grid):
        text = _tidy(str(value)) if hint == Grid else "".join(str(value).split())
        if len(text) > (most := hint.__metadata__[0].max_length):
            raise BadOption(later("“{option}” has more than {most} letters."), option=Term(label), most=most)
        return text
    choices = get_args(hint) if get_origin(hint) is Literal else ()
    meant = str(value) if choices and all(isinstance(each, str) for each in choices) else value
    if choices and meant not in choices:
        raise BadOption(
            later("{name} is one of {known}, not {value}."),
            name=name,
            known=", ".join(map(str, choices)),
            value=Typed(repr(value)),
        )
    return meant


def _tidy(drawn: str) -> str:
    rows = ("".join(row.split()) for row in re.split(r"[/\n]", drawn))
    return re.sub("/{3,}", "//", "/".join(rows)).strip("/")
