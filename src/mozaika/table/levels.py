"""The bots as people meet them: what they are called, how they play, and who is asked for what."""

import unicodedata
from functools import cache

from mozaika.game import Game
from mozaika.table.engaged import engaged_bots
from mozaika.table.refusals import BadWish
from mozaika.thought import LEVEL_NAMES
from mozaika.words import LANGUAGES, Words, later

NAMES = {
    **LEVEL_NAMES,
    "random": later("Random (any move)"),
    "greedy": later("Greedy (takes what looks best)"),
}
"""What a bot is called; what stands before “ (” is also its name at the table."""

MANNERS = {
    "beginner": later("Knows the rules and little more: a good first opponent."),
    "casual": later("Likes what a move brings at once, and makes mistakes."),
    "club": later("Thinks about what comes next, and rarely gives anything away."),
    "expert": later("Looks far ahead; few people beat it."),
    "champion": later("The best that we have, and it takes its time."),
}
"""What kind of player a level is."""


def name_bot(bot: str, words: Words) -> str:
    """What a bot is called in a list of bots."""
    return words.say(NAMES.get(bot, bot))


def short_name(bot: str, words: Words) -> str:
    """What a bot is called at the table."""
    return name_bot(bot, words).partition(" (")[0]


def rename_bot(name: str, bot: str, words: Words) -> str:
    """The name of a bot at a table, in the language of another reader than the one who has seated it."""
    level = name.rstrip(" 0123456789")
    return short_name(bot, words) + name.removeprefix(level) if level in _names_of(bot) else name


@cache
def _names_of(bot: str) -> frozenset[str]:
    return frozenset(short_name(bot, Words(lang)) for lang in LANGUAGES)


def looks_like_a_bot(name: str, game: Game) -> bool:
    """Whether people could take a name for that of a bot, in any language."""
    bots = {*NAMES, *game.bots, *(bot.name for bot in engaged_bots(game))}
    return _outline(name) in {_outline(short_name(bot, Words(lang))) for bot in bots for lang in LANGUAGES}


def _outline(name: str) -> str:
    """What is left of a name at a glance: letters without marks, case or script, and no number behind."""
    name = name.partition(" (")[0].rstrip(" 0123456789")  # as in “Champion (bot)”
    plain = unicodedata.normalize("NFKD", name).casefold().translate(_TWINS)
    return "".join(letter for letter in plain if letter.isalpha())


_TWINS = str.maketrans(
    "авеёкмнорстухіјѕԁԛԝһιοαερτυνκχηհոօսցıɑɡᴀᴄᴇɢʜɪᴍɴᴏᴘʀᴛᴜ01345@$",
    "abeekmhopctyxijsdqwhioaeptuvkxnhnougiagaceghimnoprtuoieasas",
)
"""What looks alike: Cyrillic, Greek, Armenian, small capitals, and digits that stand for a letter."""


def opponents(game: Game) -> tuple[str, ...]:
    """The bots that people choose from: the levels, or where there are none yet, what there is."""
    return game.levels or tuple(game.bots)


def usual_opponent(game: Game) -> str:
    """Who plays if nobody says which bot shall."""
    offered = opponents(game)
    return "casual" if "casual" in offered else offered[len(offered) // 2] if offered else ""


def adviser(game: Game) -> str:
    """Who is asked for a hint: the expert, or the strongest there is; BadWish where there is nobody."""
    if not game.bots:
        raise BadWish(later("{game} has no bots, so there is nobody to ask for advice."), game=game.name)
    return "expert" if "expert" in game.bots else opponents(game)[-1]
