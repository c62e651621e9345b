"""What the home page tells about each game of the shelf."""

from typing import get_args, get_type_hints

import msgspec

from mozaika.game import Game
from mozaika.games import GAMES
from mozaika.server.views import BOT_NAMES


class Choice(msgspec.Struct):
    value: str
    label: str


class OptionFacts(msgspec.Struct):
    name: str
    label: str
    choices: list[Choice]


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
    options = []
    for name, hint in get_type_hints(game.options).items():
        choices = [
            Choice(str(value), words.say(game.labels.get(str(value), str(value)))) for value in get_args(hint)
        ]
        options.append(OptionFacts(name, words.say(game.labels.get(name, name)), choices))
    bots = [BotFacts(bot, words.say(BOT_NAMES.get(bot, bot))) for bot in game.bots]
    picture = f"/api/picture/{game.id}.svg"
    return Facts(game.id, game.name, list(game.seats), words.say(game.sentence), options, bots, picture)
