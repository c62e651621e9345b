"""Bots of one's own for the people at a server: `NAME=BOT`, or `NAME@GAME=BOT` for one game.

A net thinks in the server. A command, or a function in a process of its own, is given some seconds for
a move; then it is ended.
"""

import shlex
import sys
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path

import msgspec

from mozaika.doors.nets import NET, NetPlayer
from mozaika.doors.players import EXEC, PYTHON, load_function
from mozaika.doors.protocol import External
from mozaika.game import Game
from mozaika.games import GAMES, find_game
from mozaika.rating import Rating
from mozaika.record import is_name
from mozaika.table.engaged import Engaged
from mozaika.table.levels import looks_like_a_bot
from mozaika.thought import Budget

PATIENCE = 5.0
"""Seconds for an answer above the time to think; five times that for the first one."""
TO_THINK = Budget.of(None, 2_000)
"""What such a bot may think, as it is told."""


class OwnRating(msgspec.Struct, frozen=True):
    """How strong a bot was measured to be against those of a game."""

    bot: str
    """Its identity: what it is, wherever it lies."""
    game: str
    version: int
    seats: int
    date: str
    rating: Rating


def identity(bot: str) -> str:
    """The text of a bot; of a net what is in its file, so that another net is not taken for it."""
    if not bot.startswith(NET):
        return bot
    path = Path(bot.removeprefix(NET).strip())
    return f"{NET}{path.name}#{sha256(path.read_bytes()).hexdigest()[:16]}"


def read_own_ratings(path: Path) -> list[OwnRating]:
    """What was measured of bots of one's own; nothing where there is no such file."""
    if not path.exists():
        return []
    try:
        return msgspec.json.decode(path.read_bytes(), type=list[OwnRating])
    except (OSError, msgspec.MsgspecError) as error:
        raise ValueError(f"{path} holds no ratings of bots: {error}.") from None


def write_own_rating(path: Path, measured: OwnRating) -> None:
    """Put a rating into a file, in the place of an earlier one of the same bot."""
    same = (measured.bot, measured.game)
    others = [each for each in read_own_ratings(path) if (each.bot, each.game) != same]
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_suffix(".new")
    new.write_bytes(msgspec.json.format(msgspec.json.encode([*others, measured]), indent=1) + b"\n")
    new.replace(path)


def read_engaged(texts: Iterable[str], ratings: Iterable[OwnRating]) -> list[Engaged]:
    """The bots of texts as `serve --bot` takes them; ValueError with a sentence where one cannot play."""
    found: list[Engaged] = []
    measured = {(each.bot, each.game): each for each in ratings}
    for text in texts:
        name, games, bot = split_engagement(text)
        fitting = [each for game in games if (each := _engage(name, game, bot)) is not None]
        if not fitting:
            raise ValueError(f"“{text}”: the net has the numbers of inputs and outputs of no game.")
        for each in fitting:
            if looks_like_a_bot(name, each.game) or any((each.game, name) == (a.game, a.name) for a in found):
                raise ValueError(f"“{text}”: there is a bot of that name already.")
            known = measured.get((identity(bot), each.game.id))
            if known is not None and known.version == each.game.version:
                each.rating = known.rating
        found += fitting
    return found


def split_engagement(text: str) -> tuple[str, list[Game], str]:
    """The name, the games and the bot of `NAME@GAME=BOT`."""
    name, equals, bot = (part.strip() for part in text.partition("="))
    name, at, game = (part.strip() for part in name.partition("@"))
    if not equals or not is_name(name) or not bot.startswith((NET, EXEC, PYTHON)):
        bots = f"{NET}FILE, {EXEC}COMMAND or {PYTHON}MODULE:NAME"
        raise ValueError(f"A bot is NAME=BOT or NAME@GAME=BOT, where BOT is {bots}; not “{text}”.")
    return name, [find_game(game)] if at else list(GAMES.values()), bot


def _engage(name: str, game: Game, bot: str) -> Engaged | None:
    """A bot for one game; None where a net does not fit it."""
    if bot.startswith(NET):
        player = NetPlayer(Path(bot.removeprefix(NET).strip()))
        seats = tuple(players for players in game.seats if player.fits(game, players))
        return Engaged(name, game, player, seats) if seats else None
    command = bot.removeprefix(EXEC).strip()
    if bot.startswith(PYTHON):
        load_function(bot.removeprefix(PYTHON).strip())
        command = shlex.join([sys.executable, "-m", "mozaika", "bot", game.id, "--level", bot])
    external = External(command, PATIENCE)
    return Engaged(name, game, external, tuple(game.seats), budget=TO_THINK, close=external.close)
