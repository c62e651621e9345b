"""How the draws are settled, as a viewer is told: so a browser can have a part in them and check them."""

from typing import Literal

import msgspec

from mozaika.epochs import Epoch
from mozaika.state import CHANCE
from mozaika.table.shared import SharedTable
from mozaika.words import Words


class PartyView(msgspec.Struct):
    """Somebody who was asked to add to the draws; seats count from 1."""

    seats: list[int]
    mine: bool
    pledge: str
    shown: bool
    """Whether the contribution has come; in a settled epoch who has not shown one was left out."""
    silent: bool
    """Had pledged something just before and did not show it, so was not asked this time."""


class EpochView(msgspec.Struct):
    number: int
    stage: Literal["pledging", "showing", "settled", "dropped"]
    ply: int
    alone: bool
    commitment: str
    parties: list[PartyView]


class Fair(msgspec.Struct):
    """The last epochs that were settled and the newest one, which is at the end."""

    epochs: list[EpochView]
    position: bool
    """Whether the game began from a position that somebody chose."""
    waits: bool
    """Whether the next draw waits for people or for what they add."""
    notice: str
    """What the table waits for, in words; empty if it does not wait."""


def tell_fairness(shared: SharedTable, guest: str, words: Words) -> Fair:
    waits = shared.table.movers == [CHANCE]
    settled = [epoch for epoch in shared.draws.epochs if epoch.stage == "settled"][-2:]
    newest = [epoch for epoch in shared.draws.epochs[-1:] if epoch not in settled]
    epochs = [_tell_epoch(epoch, guest) for epoch in settled + newest]
    return Fair(epochs, bool(shared.header.position), waits, _notice(shared, words) if waits else "")


def _notice(shared: SharedTable, words: Words) -> str:
    if shared.company.waits:
        return words.say("The board waits: it is dealt when every seat is taken.")
    return words.say("The board waits a moment, until all browsers have had a part in the draws.")


def _tell_epoch(epoch: Epoch, guest: str) -> EpochView:
    parties = [
        PartyView(
            seats=[seat + 1 for seat in party.seats],
            mine=bool(guest) and party.guest == guest,
            pledge=party.pledge,
            shown=bool(party.contribution),
            silent=party.silent,
        )
        for party in epoch.parties
    ]
    return EpochView(epoch.number, epoch.stage, epoch.ply, epoch.alone, epoch.commitment, parties)
