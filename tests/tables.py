"""Shared tables without a server, for the tests of what a table decides."""

from collections.abc import Sequence

from kinds import FIRST
from mozaika.games import GAMES
from mozaika.store import Store
from mozaika.table.commands import digest
from mozaika.table.events import Occupant
from mozaika.table.hall import Hall
from mozaika.table.plan import Plan, create_game
from mozaika.table.shared import SharedTable

ANIA, BARTEK, CELINA = (Occupant("person", name, digest(name)) for name in ("Ania", "Bartek", "Celina"))
OPEN, BOT = Occupant("open"), Occupant("bot", "Random", bot="random")
STRANGER = digest("stranger")
ENGLISH = GAMES[FIRST].words("en")


def plan(*seats: Occupant, game: str = FIRST, **more: object) -> Plan:
    """A table of the first seat's guest; seat 1 begins."""
    rules, owner = GAMES[game], seats[0].guest or ANIA.guest
    return Plan(rules, rules.read_options({"start": "1"} if game == FIRST else {}), seats, owner, **more)


async def seated(store: Store, *seats: Occupant, asking: bool = False, **more: object) -> SharedTable:
    """A new table; people are asked to have a part in its draws only if a test wants them to be."""
    return (await create_game(store, plan(*seats, **more), asking=asking))[0]


async def again(shared: SharedTable) -> SharedTable:
    """The same game in another process."""
    store, name = shared.store, shared.header.id
    return SharedTable(*(await store.load(name)), store, await store.seeds(name), asking=shared.asking)


async def move(shared: SharedTable, seat: int = 0, command: str = "", choice: int = 0) -> None:
    moves = shared.table.legal_moves(seat)
    text = moves[choice % len(moves)]
    await shared.submit(seat, shared.seq, command or f"{seat} at {shared.seq}", text)


async def finish(shared: SharedTable) -> None:
    """Who never takes the first move there is, which throws tiles away, is done soon."""
    while not shared.table.is_over:
        await move(shared, shared.table.movers[0], choice=1)


def to_move(hall: Hall) -> Sequence[int]:
    """The seats whose bots have been woken."""
    return sorted(seat for _, seat in hall.bots._thinking)
