"""What a new table is to be, before there is one; and the making of it."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import msgspec

from mozaika import chance
from mozaika.game import Game
from mozaika.options import BadOption, Options
from mozaika.store import Event, Header, Store
from mozaika.table.commands import Opening, digest, new_opening
from mozaika.table.events import SIT, Occupant
from mozaika.table.refusals import BadWish
from mozaika.table.shared import SharedTable
from mozaika.words import Words, later


@dataclass(frozen=True)
class Plan:
    """A game with its options, who sits where, and whose table it will be."""

    game: Game
    options: Options
    seats: Sequence[Occupant]
    owner: str
    seed: str = ""
    position: str = ""
    """Where the game begins, if not at its beginning."""
    hints: bool | None = None
    """Whether hints are allowed; if not said, only without other people at the table."""
    lesson: str = ""
    """The lesson that is taken, if one is."""
    begins: Sequence[Event] = ()
    """What happens at a lesson when everybody sits."""
    practice: bool = False
    """Whether the game is played to learn: with hints, and counted nowhere."""
    deal: str = ""
    """The deal that is played, if others play the same."""
    sealed: float = 0.0
    """Until when nobody is shown its seed."""


def plan_game(
    game: Game,
    options: Options,
    seats: Sequence[Occupant],
    owner: str,
    *,
    seed: str,
    hints: bool | None,
    practice: bool = False,
) -> Plan:
    """A game from its beginning, as whoever opens the table wants it."""
    if seed and any(occupant.kind == "open" for occupant in seats):
        raise BadWish(later("Among several people nobody chooses the seed."))
    if practice and _is_for_several(seats):
        raise BadWish(later("Practice is for one person; play with others at a table like any other."))
    hints = True if practice else hints
    return Plan(game, options, seats, owner, seed=seed, hints=hints, practice=practice)


def read_options(game: Game, seats: int, given: Mapping[str, str], words: Words) -> Options:
    """Options that a game can begin with; BadWish in the words of the game where they are none."""
    try:
        options = game.read_options(given)
        game.start(seats, options)
    except BadOption as error:
        raise BadWish(error.said(words)) from None
    return options


async def create_game(
    store: Store, plan: Plan, opening: Opening | None = None, *, asking: bool = False
) -> tuple[SharedTable, str]:
    """Start a game and keep it. Returns it and the secret of its link; Taken if it was opened before."""
    game, opening = plan.game, opening or new_opening()
    header = Header(
        id=opening.id,
        game=game.id,
        version=game.version,
        options=game.write_options(plan.options),
        seats=len(plan.seats),
        owner=plan.owner,
        link=digest(opening.link),
        position=plan.position,
        created=time.time(),
        hints=plan.hints,
        wish=opening.wish,
        lesson=plan.lesson,
        practice=plan.practice,
        deal=plan.deal,
        sealed=plan.sealed,
        chosen=bool(plan.seed) and not plan.deal,
    )
    events = [
        Event(number, number - 1, SIT, msgspec.json.encode(occupant).decode())
        for number, occupant in enumerate(plan.seats, 1)
    ] + list(plan.begins)
    drawn = plan.lesson or _is_for_several(plan.seats)  # by a lesson, or by everybody together
    seeds = {} if drawn else {0: plan.seed or chance.new_seed()}
    shared = SharedTable(header, events, store, seeds, asking=asking)
    while due := shared.due():
        shared.draws.learn(due.seeds)
        for event in due.events:
            shared.adopt(event)
        events, seeds = [*events, *due.events], {**seeds, **due.seeds}
    await store.create(header, events, seeds)
    return shared, opening.link


def _is_for_several(seats: Sequence[Occupant]) -> bool:
    guests = {occupant.guest for occupant in seats if occupant.guest}
    return len(guests) > 1 or any(occupant.kind == "open" for occupant in seats)
