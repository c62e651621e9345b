"""What the home page tells about each game of the shelf."""

from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec

from mozaika.game import Game
from mozaika.games import GAMES
from mozaika.options import Grid
from mozaika.rating import Rating
from mozaika.table.levels import MANNERS, name_bot, opponents, usual_opponent
from mozaika.words import Words


class Choice(msgspec.Struct):
    value: str
    label: str


class OptionFacts(msgspec.Struct):
    name: str
    label: str
    kind: Literal["choice", "line", "grid"]
    value: str
    """What it is if nothing is chosen."""
    choices: list[Choice]
    hint: str
    """How to write a line or a grid."""


class BotFacts(msgspec.Struct):
    id: str
    label: str
    about: str
    """What kind of player it is."""
    rating: str
    interval: str
    """Where the rating lies, such as 1490–1550; both are empty if it was not measured."""


class Facts(msgspec.Struct):
    id: str
    name: str
    seats: list[int]
    sentence: str
    options: list[OptionFacts]
    bots: list[BotFacts]
    """The opponents to choose from, the weakest first."""
    usual_bot: str
    picture: str


def facts_of(lang: str, root: str = "") -> list[Facts]:
    """In a language; with what stands before every address of the server."""
    return [_facts(game, lang, root) for game in GAMES.values()]


def _facts(game: Game, lang: str, root: str) -> Facts:
    words = game.words(lang)
    usual, options = game.write_options(game.options()), []
    for name, hint in get_type_hints(game.options, include_extras=True).items():
        choices = [
            Choice(str(value), words.say(game.labels.get(str(value), str(value)))) for value in _choices(hint)
        ]
        kind: Literal["choice", "line", "grid"] = "choice" if choices else "grid" if hint == Grid else "line"
        label, how = words.say(game.labels.get(name, name)), words.translate(game.hints.get(name, ""))
        options.append(OptionFacts(name, label, kind, usual[name], choices, how))
    return Facts(
        id=game.id,
        name=game.name,
        seats=list(game.seats),
        sentence=words.say(game.sentence),
        options=options,
        bots=_bots(game, words),
        usual_bot=usual_opponent(game),
        picture=f"{root}/api/picture/{game.id}.svg",
    )


def _bots(game: Game, words: Words) -> list[BotFacts]:
    measured = game.ratings()
    ratings = {each.bot: each for each in measured.bots} if measured else {}
    return [
        BotFacts(
            bot,
            name_bot(bot, words),
            words.translate(MANNERS[bot]) if bot in MANNERS else "",
            *_write_rating(ratings.get(bot)),
        )
        for bot in opponents(game)
    ]


def _write_rating(found: Rating | None) -> tuple[str, str]:
    return (str(found.rating), f"{found.low}–{found.high}") if found else ("", "")


def _choices(hint: Any) -> tuple[Any, ...]:
    return get_args(hint) if get_origin(hint) is Literal else ()
