"""Bots of somebody's own that a server offers beside those of a game.

They think where they were engaged, each in a thread of its own: one that is slow keeps nobody else waiting.
One that fails is replaced at the table by a bot of the game.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from mozaika.game import Bot, Game
from mozaika.kernel import never_waiting, new_random, swift_game
from mozaika.rating import Rating
from mozaika.state import State
from mozaika.table.pool import Pool
from mozaika.thought import Budget, Thought
from mozaika.words import later

MOST_WAITING = 100
MOST_OF_ONE = 12
BUSY = later("Many bots are thinking; try again in a moment.")


class Unfit(Exception):
    """What a bot has answered cannot be played; the message says why."""


@dataclass(eq=False)
class Engaged:
    """A bot that plays one game under a name, for these numbers of players."""

    name: str
    game: Game
    bot: Bot
    seats: tuple[int, ...]
    rating: Rating | None = None
    budget: Budget | None = None
    close: Callable[[], None] = lambda: None
    pool: Pool = field(init=False)

    def __post_init__(self) -> None:
        self.pool = Pool("engaged", 1, most_waiting=MOST_WAITING, most_of_one=MOST_OF_ONE, sentence=BUSY)

    async def think(self, who: str, view: State, seat: int, luck: int) -> Thought:
        """What it comes to; whatever it raises is its own fault, but for Overworked."""
        return await self.pool.ask(who, lambda: self._think(view, seat, luck))

    @never_waiting()
    def _think(self, view: State, seat: int, luck: int) -> Thought:
        game, random = swift_game(self.game), new_random(luck)
        thought, state = self.bot(game, view, seat, random, self.budget), game.guess(view, seat, random)
        if not isinstance(thought, Thought) or not game.is_legal(state, seat, int(thought.move)):
            raise Unfit(f"{self.name} has answered {thought!r:.80}, which is no legal move.")
        return thought


_ENGAGED: dict[tuple[str, str], Engaged] = {}


def engage(bot: Engaged) -> None:
    """Offer a bot to people."""
    _ENGAGED[bot.game.id, bot.name] = bot


def engaged_bot(game: Game, name: str) -> Engaged | None:
    """The bot of a name, if it was engaged for a game."""
    return _ENGAGED.get((game.id, name))


def find_engaged(game: Game, name: str) -> Engaged:
    """The same; Unfit if it was not."""
    if bot := engaged_bot(game, name):
        return bot
    raise Unfit(f"this server has not engaged {name}")


def engaged_bots(game: Game) -> list[Engaged]:
    """All that were engaged for a game."""
    return [bot for (played, _), bot in _ENGAGED.items() if played == game.id]


def dismiss_all() -> None:
    """Let all of them leave."""
    for bot in _ENGAGED.values():
        bot.pool.close()
        bot.close()
    _ENGAGED.clear()
