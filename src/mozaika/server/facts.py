"""What the home page tells about each game of the shelf."""

from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec

from mozaika.game import Game, Grid
from mozaika.games import GAMES
from mozaika.server.views import BOT_NAMES


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


class Facts(msgspec.Struct):
    id: str
    name: str
    seats: list[int]
    sentence: str
    options: list[OptionFacts]
    bots: list[BotFacts]
    picture: str


def facts_of(lang: str) -> list[Facts]:
    return [_facts(game, lang) for game in GAMES.values()]


def _facts(game: Game, lang: str) -> Facts:
    words = game.words(lang)
    usual, options = game.write_options(game.options()), []
    for name, hint in get_type_hints(game.options, include_extras=True).items():
        choices = [
            Choice(str(value), words.say(game.labels.get(str(value), str(value)))) for value in _choices(hint)
        ]
        kind: Literal["choice", "line", "grid"] = "choice" if choices else "grid" if hint == Grid else "line"
        label, how = words.say(game.labels.get(name, name)), words.translate(game.hints.get(name, ""))
        options.append(OptionFacts(name, label, kind, usual[name], choices, how))
    bots = [BotFacts(bot, words.say(BOT_NAMES.get(bot, bot))) for bot in game.bots]
    picture = f"/api/picture/{game.id}.svg"
    return Facts(game.id, game.name, list(game.seats), words.say(game.sentence), options, bots, picture)


def _choices(hint: Any) -> tuple[Any, ...]:
    return get_args(hint) if get_origin(hint) is Literal else ()
