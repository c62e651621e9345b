"""Epochs: stretches of a game whose draws come from one seed, in which the people at the table have a part.

The table commits to a secret; each person's browser commits to a contribution (a pledge); only then all
contributions are shown. The seed follows from all of them, so nobody can have chosen it. docs/fair.md has the
formulas, and what is proven by them.
"""

import hashlib
import hmac
import re
import secrets
from collections.abc import Iterable, Sequence
from typing import Literal

import msgspec

from mozaika import chance

METHOD = "epochs/1"
"""What stands in a record whose draws come in epochs."""

Stage = Literal["pledging", "showing", "settled", "dropped"]
_NUMBER = re.compile(r"[0-9a-f]{64}")


class Party(msgspec.Struct, omit_defaults=True):
    """A person who is asked to have a part in the draws, with all seats of theirs."""

    seats: tuple[int, ...]
    guest: str = ""
    pledge: str = ""
    contribution: str = ""
    silent: bool = False
    """Has pledged something just before and then not shown it, so is not asked this time."""

    @property
    def label(self) -> str:
        """The seats, counted from 1: `2`, or `1+3`."""
        return "+".join(str(seat + 1) for seat in self.seats)


class Epoch(msgspec.Struct, kw_only=True, omit_defaults=True):
    """One of them; what it draws from is only in records, once it may be known."""

    number: int
    commitment: str
    ply: int = 0
    """From which on it counts."""
    stage: Stage = "pledging"
    alone: bool = False
    """Whether it was made for one guest alone: then its secret is the seed."""
    parties: list[Party] = []
    known: bool = False
    """Whether somebody may have seen draws of it that were taken back."""
    secret: str = ""

    def party_of(self, guest: str) -> Party | None:
        return next((party for party in self.parties if guest and party.guest == guest), None)

    @property
    def shown(self) -> list[Party]:
        """Who has had a part in it, by their first seat, in whatever order a record has them."""
        return sorted((party for party in self.parties if party.contribution), key=lambda each: each.seats)

    @property
    def hiding(self) -> list[Party]:
        """Who has pledged a number that was not shown; an epoch is not settled without it."""
        return [party for party in self.parties if party.pledge and not party.contribution]


def new_number() -> str:
    """A secret or a contribution that nobody can guess: 256 random bits in hexadecimal digits."""
    return secrets.token_hex(32)


def is_number(text: str) -> bool:
    return bool(_NUMBER.fullmatch(text))


def commit(table: str, number: int, secret: str) -> str:
    """What the table publishes before anybody else says anything."""
    return _digest("mozaika epoch", table, number, secret)


def pledge(table: str, epoch: Epoch, party: Party, contribution: str) -> str:
    """What a browser publishes before anybody shows a contribution."""
    return _digest("mozaika pledge", table, epoch.number, epoch.commitment, party.label, contribution)


def derive_seed(table: str, epoch: Epoch, secret: str) -> str:
    """What the draws come from, once all contributions have been shown."""
    if epoch.alone:
        return secret
    parts = [f"{party.label} {party.contribution}" for party in epoch.shown]
    message = _lines("mozaika seed", table, epoch.number, *parts)
    return hmac.digest(secret.encode(), message, "sha256").hex()


def commitment_of(table: str, epoch: Epoch, secret: str) -> str:
    """What the table must have published for this secret."""
    return chance.commitment(secret) if epoch.alone else commit(table, epoch.number, secret)


def governing(epochs: Iterable[Epoch], ply: int) -> Epoch | None:
    """The epoch that a draw at a ply belongs to: the last that was settled by then."""
    found = None
    for epoch in epochs:
        if epoch.stage == "settled" and epoch.ply <= ply:
            found = epoch
    return found


def _digest(*lines: object) -> str:
    return hashlib.sha256(_lines(*lines)).hexdigest()


def _lines(*lines: object) -> bytes:
    return "\n".join(map(str, lines)).encode()


def write_epoch(epoch: Epoch) -> list[str]:
    """An epoch as it stands in a record, before the first entry that it counts for."""
    name = f"epoch {epoch.number}"
    lines = [f"{name}: {'alone' if epoch.alone else epoch.stage}", f"{name} commitment: {epoch.commitment}"]
    if epoch.secret:
        lines.append(f"{name} {'seed' if epoch.alone else 'secret'}: {epoch.secret}")
    for party in epoch.parties:
        seat = f"{name} seat {party.label}"
        if not party.pledge:
            lines.append(f"{seat}: {'silent' if party.silent else 'left out'}")
            continue
        lines.append(f"{seat} pledge: {party.pledge}")
        if party.contribution:
            lines.append(f"{seat} contribution: {party.contribution}")
    return lines


EPOCH_LINE = re.compile(
    r"epoch (?P<number>[0-9]{1,4})"
    r"(?: seat (?P<seats>[0-9]{1,2}(?:\+[0-9]{1,2}){0,14}))?(?: (?P<what>[a-z]{4,12}))?",
    re.IGNORECASE,
)
_STAGES: dict[str, Stage] = {each: each for each in ("pledging", "showing", "settled", "dropped")}


def read_epoch_line(epochs: list[Epoch], name: str, value: str, ply: int, seats: int) -> bool:
    """Take in a line of a record; False if it cannot stand there."""
    found = EPOCH_LINE.fullmatch(name)
    if found is None:
        return False
    number, what = int(found["number"]), (found["what"] or "").lower()
    if not found["seats"] and not what:
        return _open(epochs, number, value.lower(), ply)
    if not epochs or epochs[-1].number != number:
        return False
    if found["seats"]:
        return _read_party(epochs[-1], found["seats"], what, value.lower(), seats)
    return _read_fact(epochs[-1], what, value)


def _open(epochs: list[Epoch], number: int, stage: str, ply: int) -> bool:
    later_on = not epochs or number > epochs[-1].number
    if not later_on or stage not in ("alone", *_STAGES):
        return False
    settled: Stage = "settled" if stage == "alone" else _STAGES[stage]
    epochs.append(
        Epoch(number=number, commitment="", ply=ply, stage=settled, alone=stage == "alone", parties=[])
    )
    return True


def _read_fact(epoch: Epoch, what: str, value: str) -> bool:
    if what == "commitment" and not epoch.commitment and is_number(value.lower()):
        epoch.commitment = value.lower()
        return True
    if what == ("seed" if epoch.alone else "secret") and not epoch.secret and value:
        epoch.secret = value
        return epoch.alone or is_number(value)
    return False


def _read_party(epoch: Epoch, label: str, what: str, value: str, seats: int) -> bool:
    sitting = tuple(int(each) - 1 for each in label.split("+"))
    if sitting != tuple(sorted(set(sitting))) or not 0 <= sitting[0] <= sitting[-1] < seats or epoch.alone:
        return False
    party = epoch.parties[-1] if epoch.parties and epoch.parties[-1].seats == sitting else None
    if what == "contribution":
        if party is None or not party.pledge or party.contribution or not is_number(value):
            return False
        party.contribution = value
        return True
    taken = {seat for each in epoch.parties for seat in each.seats}
    says = is_number(value) if what == "pledge" else what == "" and value in ("left out", "silent")
    if taken & set(sitting) or not says:
        return False
    pledged = value if what == "pledge" else ""
    epoch.parties.append(Party(sitting, pledge=pledged, silent=value == "silent"))
    return True


def join_labels(parties: Sequence[Party]) -> str:
    """Seats in a sentence."""
    return ", ".join(party.label for party in parties)
