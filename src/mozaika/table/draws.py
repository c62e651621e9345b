"""What the draws of a shared table come from: its epochs, and what is due before the next draw.

At a table of one guest the table draws from a seed of its own. Where several people play, or somebody is
waited for, nothing is drawn before every seat is taken and everybody has been asked to have a part in the
seed. A new person, draws that were taken back and a seed that somebody knows begin a new epoch. What is due
follows from the log alone, so it goes on after a crash.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

import msgspec

from mozaika import chance, epochs
from mozaika.epochs import Epoch, Party
from mozaika.kernel import swift_game
from mozaika.state import CHANCE
from mozaika.store import NO_SEEDS, Event
from mozaika.table.events import Occupant
from mozaika.table.refusals import BadWish, NotAllowed, NotNow
from mozaika.table.table import Table
from mozaika.words import later

COMMIT, PLEDGE, PLEDGED, REVEAL, SETTLE, DRAW = "commit", "pledge", "pledged", "reveal", "settle", "draw"
TOO_LATE = later("The draws are settled already, or others are being settled now.")


class Company(NamedTuple):
    """The people at a table with their seats, also those for whom a bot plays; whether a seat is free."""

    guests: Mapping[str, tuple[int, ...]]
    waits: bool

    @property
    def several(self) -> bool:
        """Whether several people play, or somebody is waited for."""
        return self.waits or len(self.guests) > 1


def gather(seats: Sequence[Occupant]) -> Company:
    """Who plays, on which seats; whether somebody is waited for."""
    guests: dict[str, tuple[int, ...]] = {}
    for seat, occupant in enumerate(seats):
        if occupant.guest:
            guests[occupant.guest] = (*guests.get(occupant.guest, ()), seat)
    return Company(guests, any(occupant.kind == "open" for occupant in seats))


class Due(NamedTuple):
    """What the table does by itself: events, and what new epochs draw from."""

    events: list[Event]
    seeds: Mapping[int, str] = NO_SEEDS


class Draws:
    """The epochs of a table. What they draw from stays in here until it may be shown."""

    def __init__(self, table: str, seeds: Mapping[int, str]) -> None:
        self.table, self._seeds, self.epochs = table, dict(seeds), list[Epoch]()
        if 0 in seeds:  # a table of one guest begins with it, and so did every older table
            first = Epoch(number=0, commitment=chance.commitment(seeds[0]), stage="settled", alone=True)
            self.epochs.append(first)

    def learn(self, seeds: Mapping[int, str]) -> None:
        """New seeds that were kept."""
        self._seeds.update(seeds)

    @property
    def pending(self) -> Epoch | None:
        """The epoch that is being settled."""
        last = self.epochs[-1] if self.epochs else None
        return last if last is not None and last.stage in ("pledging", "showing") else None

    @property
    def current(self) -> Epoch | None:
        """The last epoch that was settled."""
        for epoch in reversed(self.epochs):
            if epoch.stage == "settled":
                return epoch
        return None

    def serves(self, company: Company) -> bool:
        """Whether the people at the table can go on with the draws of the current epoch."""
        epoch = self.current
        if epoch is None or self.pending is not None:
            return False
        if epoch.alone:
            return not company.several
        asked = {party.guest for party in epoch.parties}
        return set(company.guests) <= asked and not (epoch.known and company.several)

    def seed(self) -> str:
        """What the next draw comes from."""
        epoch = self.current
        return epochs.derive_seed(self.table, epoch, self._seeds[epoch.number]) if epoch is not None else ""

    def begin(self, epoch: Epoch) -> None:
        self._drop()
        self.epochs.append(epoch)
        if epoch.alone:
            epoch.stage = "settled"

    def reseat(self, company: Company) -> None:
        """Somebody has come or gone: an epoch that is being settled is for others than sit here now."""
        if (pending := self.pending) is not None:
            asked = {party.guest for party in pending.parties}
            if company.waits or set(company.guests) != asked:
                self._drop()

    def _drop(self) -> None:
        if (pending := self.pending) is not None:
            pending.stage = "dropped"

    def note(self, event: Event) -> None:
        """A pledge, a contribution, the end of the pledging, or an epoch that is settled."""
        if (epoch := self.pending) is None:
            return
        party = next((each for each in epoch.parties if event.seat in each.seats), None)
        match event.kind:
            case "pledge" if party is not None:
                party.pledge = event.text
            case "reveal" if party is not None:
                party.contribution = event.text
            case "pledged":
                epoch.stage = "showing"
            case "settle":
                epoch.stage, epoch.ply = "settled", int(event.text)

    def take_out(self, ply: int, *, seen: bool) -> None:
        """Moves were taken back to a ply; draws of theirs, or the seed itself, may have been seen."""
        if seen and self.current is not None:
            self.current.known = True
        for epoch in self.epochs:
            epoch.ply = min(epoch.ply, ply)

    def due(self, table: Table, company: Company, seq: int, *, asking: bool) -> Due | None:
        """What the table has to do by itself now."""
        if self.serves(company):
            if company.waits or table.movers != [CHANCE]:
                return None
            trial = table.copy()
            self.draw_on(trial)
            return Due(write_draws(table, trial, seq))
        if table.is_over:
            return None
        if (epoch := self.pending) is not None:
            return self._next_step(epoch, table, seq, asking=asking)
        return None if company.waits else self.open_epoch(table, company, seq)

    def _next_step(self, epoch: Epoch, table: Table, seq: int, *, asking: bool) -> Due | None:
        if epoch.stage == "pledging":
            done = not asking or all(party.pledge or party.silent for party in epoch.parties)
            return Due([Event(seq + 1, CHANCE, PLEDGED, "")]) if done else None
        if not epoch.hiding:
            return Due([Event(seq + 1, CHANCE, SETTLE, str(table.ply))])
        return None

    def open_epoch(self, table: Table, company: Company, seq: int, silent: Collection[str] = ()) -> Due:
        """A new epoch with a new secret, for everybody at the table but those who were silent."""
        number = max([0, *(epoch.number for epoch in self.epochs)]) + 1
        alone = len(company.guests) < 2
        secret = chance.new_seed() if alone else epochs.new_number()
        parties = [
            Party(seats, guest, silent=guest in silent)
            for guest, seats in sorted(company.guests.items(), key=lambda each: each[1])
        ]
        ply = 0 if self._deals_anew(table) else table.ply
        epoch = Epoch(number=number, commitment="", ply=ply, alone=alone, parties=[] if alone else parties)
        epoch.commitment = epochs.commitment_of(self.table, epoch, secret)
        text = msgspec.json.encode(epoch).decode()
        return Due([Event(seq + 1, CHANCE, COMMIT, text)], {number: secret})

    def _deals_anew(self, table: Table) -> bool:
        """What one guest alone had dealt goes back, as long as nobody has moved: it may have been chosen."""
        settled = [epoch for epoch in self.epochs if epoch.stage == "settled"]
        return all(epoch.alone for epoch in settled) and all(entry.seat == CHANCE for entry in table.entries)

    def time_out(self, table: Table, company: Company, seq: int) -> Due | None:
        """What happens without those who have not answered.

        Who has pledged and does not show it could have seen the seed before everybody else and rejected it;
        so all begin anew, without them.
        """
        if (epoch := self.pending) is None:
            return None
        if epoch.stage == "pledging":
            return Due([Event(seq + 1, CHANCE, PLEDGED, "")])
        silent = {each.guest for each in epoch.parties if each.silent or each in epoch.hiding}
        return self.open_epoch(table, company, seq, silent)

    def missing(self) -> set[str]:
        """The guests whose answer is waited for."""
        if (epoch := self.pending) is None:
            return set()
        if epoch.stage == "pledging":
            return {party.guest for party in epoch.parties if not party.pledge and not party.silent}
        return {party.guest for party in epoch.hiding}

    def check_pledge(self, guest: str, number: int, text: str) -> int:
        """The seat of a guest who may pledge now."""
        _, party = self._asked(guest, number, "pledging")
        if not epochs.is_number(text):
            raise BadWish(later("A pledge and a contribution have 64 hexadecimal digits."))
        if party.pledge:
            raise NotNow(later("This was pledged already."))
        return party.seats[0]

    def check_contribution(self, guest: str, number: int, text: str) -> int:
        """The seat of a guest who may show a contribution now, and had pledged this one."""
        epoch, party = self._asked(guest, number, "showing")
        if not epochs.is_number(text) or epochs.pledge(self.table, epoch, party, text) != party.pledge:
            raise BadWish(later("This contribution is not the one that was pledged."))
        if party.contribution:
            raise NotNow(later("This was shown already."))
        return party.seats[0]

    def has_said(self, kind: str, guest: str, number: int, text: str) -> bool:
        """Whether a guest has said just this in an epoch: two pages of one browser may both say it."""
        epoch = next((each for each in self.epochs if each.number == number), None)
        party = epoch.party_of(guest) if epoch is not None else None
        return party is not None and text == (party.pledge if kind == PLEDGE else party.contribution)

    def _asked(self, guest: str, number: int, stage: str) -> tuple[Epoch, Party]:
        epoch = self.pending
        if epoch is None or epoch.number != number or epoch.stage != stage:
            raise NotNow(TOO_LATE)
        party = epoch.party_of(guest)
        if party is None or party.silent or (stage == "showing" and not party.pledge):
            raise NotAllowed(later("You are not asked to have a part in these draws."))
        return epoch, party

    def draw_on(self, table: Table) -> None:
        """While CHANCE is to move: draw."""
        if table.movers != [CHANCE]:
            return
        game, seed = swift_game(table.game), self.seed()
        while table.movers == [CHANCE]:
            table.enter(CHANCE, chance.draw(game, table.state, seed, table.ply))

    def for_record(self, *, shown: bool) -> list[Epoch]:
        """The epochs as a record has them: without guests, with what they drew from if it may be known."""
        copies = [msgspec.json.decode(msgspec.json.encode(epoch), type=Epoch) for epoch in self.epochs]
        for epoch in copies:
            epoch.known, epoch.secret = False, self._seeds[epoch.number] if shown else ""
            for party in epoch.parties:
                party.guest = ""
        return copies


def write_draws(table: Table, trial: Table, seq: int) -> list[Event]:
    """The draws with which a trial goes on from a table, or from a move at it, after a seq."""
    drawn = [entry for entry in trial.entries[table.ply :] if entry.seat == CHANCE]
    return [
        Event(number, CHANCE, DRAW, trial.game.write_move(entry.move))
        for number, entry in enumerate(drawn, seq + 1)
    ]
