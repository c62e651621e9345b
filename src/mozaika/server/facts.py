"""What the home page tells about each game of the shelf."""

from functools import cache
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec

from mozaika.game import Game
from mozaika.games import GAMES
from mozaika.options import BadOption, Drawing, Grid
from mozaika.rating import Rating
from mozaika.table.engaged import engaged_bots
from mozaika.table.levels import MANNERS, name_bot, opponents, usual_opponent
from mozaika.words import Words


class Choice(msgspec.Struct):
    value: str
    label: str
    seats: list[int] = []
    """How many may play with it."""


class BrushFacts(msgspec.Struct):
    """What a square of a drawing is painted with."""

    text: str
    name: str
    shows: str
    fill: str
    ink: str


class DrawingFacts(msgspec.Struct):
    """How a grid can be painted: boards of squares, and what may stand on them."""

    rows: int
    columns: int
    brushes: list[BrushFacts]
    names: str
    example: str
    blank: str
    flag: str
    """A word that may stand above a board; what it means is `flag_label`."""
    flag_label: str
    joins: str
    plays: list[tuple[str, str]]


class OptionFacts(msgspec.Struct):
    name: str
    label: str
    kind: Literal["choice", "line", "grid"]
    value: str
    """What it is if nothing is chosen."""
    choices: list[Choice]
    hint: str
    """How to write a line or a grid."""
    drawing: DrawingFacts | None = None
    items: list[Choice] = []
    """The letters of a line that is an order of them."""


class BotFacts(msgspec.Struct):
    id: str
    """What other requests call it."""
    label: str
    about: str
    """What kind of player it is."""
    rating: str
    interval: str
    """Where the rating lies, such as 1490–1550; both are empty if it was not measured."""
    seats: list[int]
    """How many may play where it does."""


class LessonFacts(msgspec.Struct):
    id: str
    title: str
    steps: int


class Prompt(msgspec.Struct):
    """What is asked while a choice is made: of which spots, and after how many others if that matters."""

    spots: list[str]
    text: str
    at: int | None


class Prompts(msgspec.Struct):
    choices: list[Prompt]
    several: str
    """Where several kinds of choices can begin a move."""
    regret: str
    """A spot to which beginners are sorry to bring something."""
    warning: str


class Facts(msgspec.Struct):
    id: str
    """What other requests call it."""
    name: str
    seats: list[int]
    """How many may play."""
    sentence: str
    options: list[OptionFacts]
    bots: list[BotFacts]
    """The opponents to choose from, the weakest first."""
    usual_bot: str
    picture: str
    lessons: list[LessonFacts]
    prompts: Prompts


def facts_of(lang: str, root: str = "") -> list[Facts]:
    """In a language; with what stands before every address of the server."""
    return [_facts(game, lang, root) for game in GAMES.values()]


def _facts(game: Game, lang: str, root: str) -> Facts:
    words = game.words(lang)
    usual, options = game.write_options(game.options()), []
    for name, hint in get_type_hints(game.options, include_extras=True).items():
        choices = [
            Choice(
                str(value), words.say(game.labels.get(str(value), str(value))), _seats_for(game, name, value)
            )
            for value in _choices(hint)
        ]
        kind: Literal["choice", "line", "grid"] = "choice" if choices else "grid" if hint == Grid else "line"
        label, how = words.say(game.labels.get(name, name)), words.translate(game.hints.get(name, ""))
        items = [
            Choice(each, words.say(called, text=each)) for each, called in game.orders.get(name, {}).items()
        ]
        drawing = _drawing(game.drawings[name], words) if name in game.drawings else None
        options.append(OptionFacts(name, label, kind, usual[name], choices, how, drawing, items))
    return Facts(
        id=game.id,
        name=game.title(lang),
        seats=list(game.seats),
        sentence=words.say(game.sentence),
        options=options,
        bots=_bots(game, words),
        usual_bot=usual_opponent(game),
        picture=f"{root}/api/picture/{game.id}.svg",
        prompts=_prompts(game, words),
        lessons=[LessonFacts(each.id, each.title, len(each.steps)) for each in game.lessons(lang)],
    )


def _drawing(drawing: Drawing, words: Words) -> DrawingFacts:
    flag, meaning = drawing.flag or ("", "")
    return DrawingFacts(
        rows=drawing.rows,
        columns=drawing.columns,
        brushes=[
            BrushFacts(each.text, words.say(each.name, text=each.shows), each.shows, each.fill, each.ink)
            for each in drawing.brushes
        ],
        names=drawing.names,
        example=drawing.example,
        blank=drawing.blank,
        flag=flag,
        flag_label=words.translate(meaning),
        joins=drawing.joins,
        plays=list(drawing.plays),
    )


@cache
def _seats_for(game: Game, name: str, value: Any) -> list[int]:
    """How many may play with one value of an option, all others being as usual."""

    def fits(seats: int) -> bool:
        try:
            game.start(seats, game.read_options({name: value}))
        except BadOption:
            return False
        return True

    # a value that fits nobody needs another option beside it
    return [seats for seats in game.seats if fits(seats)] or list(game.seats)


def _prompts(game: Game, words: Words) -> Prompts:
    """The sentences of the stages of a move; none where a game has no stages."""
    if game.stages is None:
        return Prompts([], "", "", "")
    asked = [each for each in game.stages.parts if each.prompt]
    spot, warning = game.stages.regret
    return Prompts(
        [Prompt(list(each.spots), words.translate(each.prompt), each.at) for each in asked],
        words.translate(game.stages.several),
        spot,
        words.translate(warning),
    )


def _bots(game: Game, words: Words) -> list[BotFacts]:
    measured = game.ratings()
    ratings = {each.bot: each for each in measured.bots} if measured else {}
    ours = [
        BotFacts(
            bot,
            name_bot(bot, words),
            words.translate(MANNERS[bot]) if bot in MANNERS else "",
            *_write_rating(ratings.get(bot)),
            list(game.seats),
        )
        for bot in opponents(game)
    ]
    about = words.say("A bot that the owner of this server has engaged.")
    engaged = [
        BotFacts(bot.name, bot.name, about, *_write_rating(bot.rating), list(bot.seats))
        for bot in engaged_bots(game)
    ]
    return ours + engaged


def _write_rating(found: Rating | None) -> tuple[str, str]:
    return (str(found.rating), f"{found.low}–{found.high}") if found else ("", "")


def _choices(hint: Any) -> tuple[Any, ...]:
    return get_args(hint) if get_origin(hint) is Literal else ()
