"""Who sits where: who may come to a table, sit down, leave, hand over to a bot and take the seat back."""

from collections.abc import Sequence
from typing import Annotated, Literal

import msgspec

from mozaika.game import Game
from mozaika.record import is_name
from mozaika.table.commands import digest
from mozaika.table.engaged import engaged_bot, engaged_bots
from mozaika.table.events import LINK, REMOVE, REVOKE, Occupant
from mozaika.table.hooks import end_hooks
from mozaika.table.levels import looks_like_a_bot, short_name, usual_opponent
from mozaika.table.refusals import BadWish, NotAllowed, NotNow, NotThere
from mozaika.table.secrets import brings_secrets, holds_secrets, is_seen_through
from mozaika.table.shared import SharedTable
from mozaika.words import Words, later

Name = Annotated[str, msgspec.Meta(max_length=40)]
MOST_SITTINGS = 30
"""Whoever comes begins the draws anew, and each attempt stands in the record, which has to stay readable."""


class SeatWish(msgspec.Struct, forbid_unknown_fields=True):
    """Who shall sit on a seat: me, someone on this screen, a bot, or whoever opens the link."""

    kind: Literal["me", "screen", "bot", "open"]
    """me and screen are seats of yours, open is for whoever comes by the link."""
    name: Name = ""
    """How who sits there is called."""
    bot: Name = ""
    """Which bot: its id, as in GET /api/games."""


class SeatChange(msgspec.Struct, forbid_unknown_fields=True):
    """What a guest wants to do with a seat."""

    action: Literal["sit", "leave", "bot", "back", "remove"]
    """bot hands your seat over to a bot, back takes it again; remove asks somebody to leave your table."""
    name: Name = ""
    """With sit: how you are called."""
    bot: Name = ""
    """With bot: which one; its id, as in GET /api/games."""


def seat_all(game: Game, wishes: Sequence[SeatWish], guest: str, words: Words) -> list[Occupant]:
    """Who sits at a new table that a guest opens."""
    seats: list[Occupant] = []
    for wish in wishes:
        match wish.kind:
            case "me" | "screen":
                seats.append(Occupant("person", read_name(wish.name, game), guest))
            case "bot":
                seats.append(seat_bot(game, wish.bot, seats, words, len(wishes)))
            case "open":
                seats.append(Occupant("open"))
    return seats


def seat_bot(
    game: Game, bot: str, others: Sequence[Occupant], words: Words, players: int | None = None
) -> Occupant:
    """A bot under the name of its level, numbered if there is another of that name."""
    if not game.bots:
        raise BadWish(later("{game} has no bots."), game=game.name)
    if engaged := engaged_bot(game, bot):
        if players is not None and players not in engaged.seats:
            fitting = ", ".join(map(str, engaged.seats))
            raise BadWish(
                later("{bot} plays {game} only with so many players: {fitting}."),
                bot=bot,
                game=game.name,
                fitting=fitting,
            )
    elif bot not in game.bots:
        known = ", ".join([*game.bots, *(each.name for each in engaged_bots(game))])
        raise BadWish(
            later("{game} has the bots {known}, not “{bot}”."), game=game.name, known=known, bot=bot
        )
    level, taken = short_name(bot, words), {occupant.name for occupant in others}
    names = [level, *(f"{level} {n}" for n in range(2, len(others) + 2))]
    return Occupant("bot", next(name for name in names if name not in taken), bot=bot)


def read_name(name: str, game: Game) -> str:
    """The name that somebody wants, without blanks that do not matter; perhaps none."""
    name = " ".join(name.split())
    if name and not is_name(name):
        raise BadWish(later("A name is one line of letters that can be seen, without “/”."))
    if name and looks_like_a_bot(name, game):
        raise BadWish(later("“{name}” is the name of a bot; choose another."), name=name)
    return name


def own_seat(shared: SharedTable, guest: str, number: int) -> int:
    """The seat of a number, counted from 1, if the guest may act for it."""
    seat = number - 1
    if seat not in shared.seats_of(guest):
        raise NotAllowed(later("You do not sit on this seat."))
    if shared.seats[seat].kind == "bot":
        raise NotAllowed(later("A bot plays for you; take the seat back first."))
    return seat


async def enter(shared: SharedTable, guest: str, link: str) -> None:
    """Let a guest who has the link sit down."""
    if guest in shared.removed:
        raise NotAllowed(later("The owner of this table has asked you to leave."))
    if digest(link) not in shared.links:
        raise NotAllowed(later("This link does not open this table."))
    await shared.store.admit(guest, shared.header.id)
    shared.entered.add(guest)
    shared.show()


async def is_admitted(shared: SharedTable, guest: str) -> bool:
    """Whether a guest may sit down: the owner, who sits here, and who has shown the link."""
    if is_known(shared, guest):
        return True
    if guest in shared.removed:
        return False
    revoked = shared.revoked
    admitted = await shared.store.is_admitted(guest, shared.header.id)
    if admitted and guest not in shared.removed and revoked == shared.revoked:  # not taken back meanwhile
        shared.entered.add(guest)
    return admitted


def is_known(shared: SharedTable, guest: str) -> bool:
    """The same for whoever has been asked about since the table is in memory; no look into the store."""
    return guest == shared.header.owner or guest in shared.entered or bool(shared.seats_of(guest))


async def make_link(shared: SharedTable, guest: str, link: str, command: str | None = None) -> None:
    """Let a new secret open the table; only its digest is kept."""
    await _check_admitted(shared, guest)
    await shared.announce(LINK, digest(link), command=command)


async def revoke_links(shared: SharedTable, guest: str, command: str | None = None) -> int:
    """No link of before opens the table any more, and who came by one must sit to stay. Returns the seq."""
    if guest != shared.header.owner:
        raise NotAllowed(later("Only the table's owner can do that."))
    seated = {occupant.guest for occupant in shared.seats}
    return await shared.announce(
        REVOKE, "", command=command, first=lambda: shared.store.dismiss(shared.header.id, {guest} | seated)
    )


async def change_seat(
    shared: SharedTable, number: int, wish: SeatChange, guest: str, words: Words, command: str | None = None
) -> int:
    """Do with a seat, counted from 1, what a guest wants. Returns the seq after it."""
    if not 1 <= number <= len(shared.seats):
        raise NotThere(later("There are the seats 1 to {most}."), most=len(shared.seats))
    await _check_admitted(shared, guest)
    if wish.action == "remove":
        seq = await shared.announce(REMOVE, lambda: _whom(shared, number - 1, guest), number - 1, command)
    else:
        seq = await shared.sit(
            number - 1, lambda sitting: next_occupant(shared, sitting, number, wish, guest, words), command
        )
    await end_hooks(shared)
    return seq


def next_occupant(
    shared: SharedTable, sitting: Occupant, number: int, wish: SeatChange, guest: str, words: Words
) -> Occupant:
    """Who sits on a seat after a guest has done there what they want."""
    _check_seats_change(shared)
    mine, owns = sitting.guest == guest and sitting.kind == "person", guest == shared.header.owner
    if shared.table.is_over and wish.action not in ("leave", "back"):
        raise NotNow(later("The game is over."))
    match wish.action:
        case "sit" if sitting.kind == "open" or (sitting.kind == "bot" and sitting.guest == ""):
            if sitting.kind == "bot" and not owns:
                raise NotAllowed(later("A bot plays here; only the table's owner may send it away."))
            if shared.sittings[guest] >= MOST_SITTINGS:
                raise NotAllowed(later("You have sat down at this table too often; open another one."))
            _check_secrets(shared, number - 1, guest)
            return Occupant("person", read_name(wish.name, shared.table.game), guest)
        case "leave" if mine:
            return Occupant("open")
        case "bot" if mine or (sitting.kind == "open" and owns):
            game = shared.table.game
            bot = seat_bot(game, wish.bot or usual_opponent(game), shared.seats, words, len(shared.seats))
            # the person's name and secret stay, so that only they can come back
            return msgspec.structs.replace(
                bot, guest=guest if mine else "", name=sitting.name if mine else bot.name
            )
        case "back" if sitting.kind == "bot" and sitting.guest == guest:
            return Occupant("person", sitting.name, guest)
    raise NotAllowed(later("That cannot be done with this seat now."))


def _check_secrets(shared: SharedTable, seat: int, guest: str) -> None:
    """NotAllowed if somebody would know what others have seen, once a guest sits on a seat."""
    if holds_secrets(shared, seat, guest):
        raise NotAllowed(
            later("Somebody else has seen secrets on this seat; let a bot or another person play there.")
        )
    if set(shared.company.guests) - {guest} and brings_secrets(shared):
        raise NotAllowed(
            later("This table began with a position whose secrets somebody knows; open a new one.")
        )
    if is_seen_through(shared, seat, guest):
        raise NotAllowed(later("Somebody would know what others have seen on their seats; open a new table."))


def _check_seats_change(shared: SharedTable) -> None:
    if shared.course is not None:
        raise NotNow(later("In a lesson everybody stays on their seat."))
    if shared.header.deal:
        raise NotNow(later("Others play the same deal: everybody stays on their seat."))


def _whom(shared: SharedTable, seat: int, guest: str) -> str:
    """The person on a seat, if a guest may ask them to leave."""
    person = shared.seats[seat].guest
    if guest != shared.header.owner or person in ("", guest):
        raise NotAllowed(later("That cannot be done with this seat now."))
    return person


async def _check_admitted(shared: SharedTable, guest: str) -> None:
    if not await is_admitted(shared, guest):
        raise NotAllowed(later("Ask for the link to sit down at this table."))
