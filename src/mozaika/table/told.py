"""Games that somebody brings as a record: kept as a table at which nobody plays, so that everything that can
be done with a finished game can be done with them. The same record is the same table for everybody.
"""

import base64
import time
from hashlib import sha256

import msgspec

from mozaika.record import Record
from mozaika.state import CHANCE
from mozaika.store import Event, Header, Store, Taken
from mozaika.table.events import DRAW, MOVE, SIT, Occupant
from mozaika.table.refusals import BadWish
from mozaika.words import later

MOST_ENTRIES = 5_000
LONGEST_NAME = 40


class Verified(msgspec.Struct):
    ok: bool
    faults: list[str]
    proven: list[str]
    unproven: list[str]
    """What the record cannot prove."""
    game: str
    moves: int
    stretches: list[tuple[int, int, int, int]]
    """Of each draw: its ply, the sum of all weights, where its outcome begins, and how wide it lies there."""


def prove_told(text: str, published: str, lang: str) -> Verified:
    """What a record proves of its draws; RecordError if it is none."""
    record = Record.read(text, lang)
    proof, stretches = record.prove(published, lang), record.stretches() if record.is_shown else []
    found = proof.faults, proof.proven, proof.unproven
    return Verified(not proof.faults, *found, record.game.title(lang), len(record.entries), stretches)


def read_told(text: str, lang: str) -> tuple[Header, list[Event]]:
    """A table out of a record; RecordError if that is none."""
    record = Record.read(text, lang)
    if len(record.entries) > MOST_ENTRIES:
        raise BadWish(later("This record is too long to be kept here."))
    if not any(entry.seat != CHANCE for entry in record.entries):
        raise BadWish(later("Nobody has moved in this record yet."))
    game = record.game
    header = Header(
        id=_name(record),
        game=game.id,
        version=game.version,
        options=game.write_options(record.options),
        seats=record.seats,
        owner="",
        link="",
        position=record.position,
        created=time.time(),
        told=True,
    )
    sitting = [Occupant("person", name[:LONGEST_NAME]) for name in record.names]
    events = [
        Event(number, number - 1, SIT, msgspec.json.encode(occupant).decode())
        for number, occupant in enumerate(sitting, 1)
    ]
    events += [
        Event(number, seat, DRAW if seat == CHANCE else MOVE, game.write_move(move))
        for number, (seat, move) in enumerate(record.entries, len(events) + 1)
    ]
    return header, events


def _name(record: Record) -> str:
    """The same for the same game, however its file was written."""
    moves = [(seat, record.game.write_move(move)) for seat, move in record.entries]
    options = record.game.write_options(record.options)
    game = (record.game.id, record.game.version, options, record.names, record.position, moves)
    found = sha256(b"told " + msgspec.json.encode(game, order="deterministic")).digest()[:9]
    return base64.urlsafe_b64encode(found).decode().replace("-", "x").replace("_", "y")


async def keep_told(store: Store, header: Header, events: list[Event], guest: str) -> str:
    """Keep a table for whoever has brought its record. Returns its id; it may be there already."""
    try:
        await store.create(msgspec.structs.replace(header, owner=guest), events)
    except Taken:
        await store.admit(guest, header.id)
    return header.id
