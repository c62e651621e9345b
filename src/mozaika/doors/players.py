"""Bots by what people write: one of the game's, also with nodes of its own, a net, a function, a command."""

import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from runpy import run_path
from typing import cast

from mozaika.doors.nets import NET, NetPlayer
from mozaika.doors.protocol import LONGEST_NAME, External, Forfeit
from mozaika.game import Bot, Game
from mozaika.thought import MOST_NODES, Budget
from mozaika.words import Term, Translatable, later

EXEC = "exec:"
"""Before a command that is a bot."""
PYTHON = "python:"
"""Before a function: MODULE:NAME, also of this folder, FILE.py:NAME, or the name of an entry point of
the group `mozaika.bots`.
"""

_COMMA = re.compile(r"""\\.|'[^']*'|"(?:\\.|[^"\\])*"|(,)""", re.DOTALL)
"""A comma, or something in which commas do not count."""


class NoSuchBot(Translatable, ValueError):
    """A bot that nobody knows."""


def split_bots(text: str) -> list[str]:
    """Bots with commas between them; inside the quotation marks of a command a comma is its own."""
    cuts = [found.start() for found in _COMMA.finditer(text) if found[1]]
    parts = zip([0, *(cut + 1 for cut in cuts)], [*cuts, len(text)], strict=True)
    return [text[start:end].strip() for start, end in parts]


def find_bot(game: Game, text: str) -> Bot:
    """The bot of a text; `expert@500` is the expert with 500 nodes for a move, whatever the others have."""
    if text.startswith(EXEC):
        return External(text.removeprefix(EXEC).strip())
    if text.startswith(NET):
        return NetPlayer(Path(text.removeprefix(NET).strip()))
    if text.startswith(PYTHON):
        return load_function(text.removeprefix(PYTHON).strip())
    bot, at, nodes = text.partition("@")
    if bot not in game.bots or (at and not (nodes.isdecimal() and 0 < int(nodes) <= MOST_NODES)):
        known = ", ".join(game.bots)
        others = f"BOT@NODES, {NET}FILE, {PYTHON}MODULE:NAME, {EXEC}COMMAND"
        sentence = later("{game} has the bots {known}, not “{bot}”.")
        raise NoSuchBot(sentence, game=Term(game.name), known=f"{known}, {others}", bot=text)
    if not at:
        return game.bots[bot]
    own, budget = game.bots[bot], Budget.of(int(nodes), None)
    return lambda game, view, seat, random, _: own(game, view, seat, random, budget)


def load_function(text: str) -> Bot:
    """A bot that is written in Python: a function as `mozaika.game.Bot` says."""
    place, colon, name = text.rpartition(":")
    try:
        if not colon:
            (found,) = entry_points(group="mozaika.bots", name=text)
            bot = found.load()
        elif place.endswith(".py"):
            bot = run_path(place)[name]
        else:
            here = str(Path.cwd())
            if here not in sys.path:  # a command has its own folder there instead
                sys.path.append(here)
            bot = getattr(import_module(place), name)
    except Exception as error:  # noqa: BLE001  whatever is wrong there is said
        reason = f"{type(error).__name__}: {error}"
        raise ValueError(f"There is no bot {PYTHON}{text} ({reason}).") from None
    if not callable(bot):
        raise ValueError(f"{PYTHON}{text} is no function that can be asked for a move.")  # noqa: TRY004
    return cast("Bot", bot)


@contextmanager
def sit_down(game: Game, bots: Mapping[str, str]) -> Iterator[dict[str, Bot]]:
    """The bots of these names, each found by its text; commands are told to leave in the end."""
    with ExitStack() as stack:
        players: dict[str, Bot] = {}
        for name, text in bots.items():
            players[name] = bot = find_bot(game, text)
            if isinstance(bot, External):
                stack.callback(bot.close)
        yield players


def seat_name(bot: str) -> str:
    """What a bot is called as a player: a name in a record is short and has no “/”."""
    return bot.replace("/", "_")[:LONGEST_NAME].strip()


def introduce(game: Game, bots: Iterable[str]) -> dict[str, str]:
    """What the bots of these texts are called in results: commands are tried once, and say their names.

    ValueError with a sentence where there is no such bot.
    """
    texts = {text: text for text in bots}
    names: dict[str, str] = {}
    with _meet(game, texts) as players:
        for text, player in players.items():
            if isinstance(player, External):
                own, taken = _ask_name(player, text), {*game.bots, *texts, *names.values()}
                told_apart = (own, f"{own} ({player.command})")
                names[text] = next((name for name in told_apart if own and name not in taken), text)
            else:
                names[text] = text
    return names


@contextmanager
def _meet(game: Game, texts: Mapping[str, str]) -> Iterator[dict[str, Bot]]:
    with ExitStack() as stack:
        try:
            players = stack.enter_context(sit_down(game, texts))
        except ValueError as error:
            if not any(text.startswith(EXEC) for text in texts):
                raise
            raise ValueError(f"{error} Commas inside a command need quotation marks.") from None
        yield players


def _ask_name(bot: External, text: str) -> str:
    try:
        bot.open()
    except Forfeit as fault:
        raise ValueError(fault.about(text)) from None
    return bot.name
