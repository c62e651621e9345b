"""A table that several people and bots share: its log, one door for every move, and who is told of it.

The log is the game: every change is an event that is kept first and adopted then. What an event means is
said once, in `SharedTable.adopt`, for the running game and for one that is loaded again.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from time import monotonic, time

import msgspec

from mozaika.epochs import Epoch
from mozaika.kernel import swift_game
from mozaika.record import Entry
from mozaika.sentence import Hindsight
from mozaika.state import CHANCE
from mozaika.store import NO_SEEDS, Event, Header, Hook, Store, StoreError, Taken
from mozaika.table.commands import Reused, split_command
from mozaika.table.course import Course
from mozaika.table.draws import PLEDGE, REVEAL, Draws, Due, gather, write_draws
from mozaika.table.events import ASK, DRAW, HOOK, MOVE, REMOVE, SETTLING, SIT, UNDO, Occupant, call_all
from mozaika.table.presence import Presence, Watchers
from mozaika.table.refusals import NotNow, Shut, Stale
from mozaika.table.sights import Sights
from mozaika.table.table import Table, open_table
from mozaika.table.telling import Telling
from mozaika.thought import Thought
from mozaika.words import Words

log = logging.getLogger("mozaika")

ATTEMPTS = 20
"""So often something is tried again that does not depend on what is played, where others were faster."""
SECONDS_OF_A_LOOK = 60.0
"""Bots that play among themselves go on for so long after somebody has looked."""


class SharedTable:
    """One shared game."""

    def __init__(
        self,
        header: Header,
        events: Sequence[Event],
        store: Store,
        seeds: Mapping[int, str] = NO_SEEDS,
        *,
        asking: bool = False,
    ) -> None:
        """The game as its log says, and what its draws come from; whether people are asked to add to that."""
        self.header = header
        self.asking = asking
        self.store = store
        self.lock = asyncio.Lock()
        self.creating = asyncio.Lock()
        """Held while a rematch is opened, so that there is one."""
        self.watchers = Watchers()
        self.listeners: list[Callable[[SharedTable, Sequence[Event]], None]] = []
        """Who is told after every change: of the table, and of the events as far as they are known."""
        self.presence = Presence(self.seats_of, self.show)
        self._here: tuple[tuple[int, int], tuple[bool, ...]] = (-1, -1), ()
        self._tried: Table | None = None
        """A copy of the table at which a move was played that is being kept."""
        self.hooks: dict[int, Hook] = {}
        """Addresses to call when it is a seat's turn."""
        self.address = ""
        """From where somebody plays here: whose turn it is when several want a bot to think."""
        self.looked = float("-inf")
        """When somebody has looked who does not stay."""
        self.sure_at = monotonic()
        """When it was last known that the log goes no further; matters where others serve the same game."""
        self.led_elsewhere = False
        """Whether another process has brought about what happened last, and will see to what follows."""
        self.visited = 0.0
        """When it was last noted in the store that somebody looks."""
        self.entered: set[str] = set()
        """Guests who have shown the link, as far as it is known without a look into the store."""
        self.helped = False
        """Whether it was noted that somebody has had a hint."""
        self.evaluations: tuple[int, dict[bytes, asyncio.Task[Thought | None]]] = (-1, {})
        """Of one seq: what is expected, for each view that somebody has asked with."""
        self._restore(events, seeds)

    def _restore(self, events: Sequence[Event], seeds: Mapping[int, str]) -> None:
        header = self.header
        self.draws = Draws(header.id, seeds)
        self.table = open_table(header)
        self.seats = [Occupant("open")] * header.seats
        self.company = gather(self.seats)
        self.sitters: list[set[str]] = [set() for _ in self.seats]
        """Everybody who has ever sat on a seat, and so may have seen what it knows."""
        self.sittings: Counter[str] = Counter()
        """How often each guest has sat down."""
        self.since = [0] * header.seats
        """At which ply whoever sits on a seat came there."""
        self.removed: set[str] = set()
        """Guests whom the owner has asked to leave."""
        self.revoked = 0
        """The seq at which the owner has last revoked all links."""
        self.seq = 0
        self.commands: dict[str, tuple[str, int, bool]] = {}
        """By its name what a command asked for, and its answer: the seq after it, whether it asks others."""
        self._by = ""
        self.asked: int | None = None
        """The seat that asks to take its last move back."""
        self.agreed: set[str] = set()
        self._ended_among_people = False
        self.rematch = ""
        self.deal = header.deal
        """The deal that others play, too, or that this game has become."""
        self.seatings = 0
        """How often somebody was given a seat."""
        self.regrets = 0
        """How often a move was taken back although others had moved, or something was drawn."""
        self.links = {header.link}
        """Digests of the secrets that let people sit down."""
        self.closed: str | None = None
        """Why the operator has closed the table, perhaps without a word; None while it is open."""
        self.resigned = False
        """Whether it is closed because whoever played there has given the game up."""
        self.entry_seqs: list[int] = []
        """The seq of each move and draw at the table."""
        self.undone = 0
        """The seq of the last taking back."""
        self.hindsight: asyncio.Task[list[Hindsight]] | None = None
        """What would have been possible in the game as it ended, once somebody has asked."""
        self.telling, self.sights = Telling(self.table), Sights(self.table)
        self.course = Course(header) if header.lesson else None
        self._absent: list[Occupant] = []
        """Who is in another step of a lesson."""
        for event in events:
            self.adopt(event)

    def adopt(self, event: Event) -> None:  # noqa: C901, PLR0915  one case for each kind of event
        """Let a kept event happen."""
        self.seq = event.seq
        if event.command is not None:
            self._by, wish = split_command(event.command)
            self.commands[self._by] = wish, event.seq, event.kind == ASK
        elif self._by and event.kind in (DRAW, UNDO):  # the command before has brought it about
            self.commands[self._by] = self.commands[self._by][0], event.seq, False
        match event.kind:
            case "move" | "draw":
                if self.table.ply == len(self.entry_seqs):  # else it was played when it was read
                    self.table.enter(event.seat, self.table.game.parse_move(event.text))
                self.entry_seqs.append(event.seq)
                self.asked = None
                if self.course is not None and event.command is not None:
                    self.course.taken = True
            case "undo":
                self._take_back(event)
            case "sit":
                self._seat({event.seat: msgspec.json.decode(event.text, type=Occupant)})
            case "remove":
                self._seat(dict.fromkeys(self.seats_of(event.text), Occupant("open")))
                self.removed.add(event.text)
                self.entered.discard(event.text)
            case "revoke":
                self.links.clear()
                self.entered.clear()
                self.revoked = event.seq
            case "ask":
                self.asked, self.agreed = event.seat, set()
            case "agree":
                self.agreed.add(event.text)
            case "refuse":
                self.asked = None
            case "rematch":
                self.rematch = event.text
            case "deal":
                self.deal = event.text
            case "link":
                self.links.add(event.text)
            case "close":
                self.closed = event.text
            case "step":
                self._step(event)
            case "resign":
                bots = msgspec.json.decode(event.text, type=dict[int, Occupant])
                self._seat(bots)
                if not bots:  # nobody is left to play
                    self.closed, self.resigned = "", True
            case "commit":
                self._by, epoch = "", msgspec.json.decode(event.text, type=Epoch)
                if epoch.ply < self.table.ply:
                    self._take_out(event, epoch.ply, ())
                self.draws.begin(epoch)
            case "pledge" | "pledged" | "reveal" | "settle":
                self._by = ""
                self.draws.note(event)

    def _seat(self, occupants: Mapping[int, Occupant]) -> None:
        self._ended_among_people = self.is_final
        self.seatings += len(occupants)
        for seat, occupant in occupants.items():
            if occupant.guest != self.seats[seat].guest:
                self.since[seat] = self.table.ply
                self.sittings[occupant.guest] += 1
            self.seats[seat] = occupant
            self.sitters[seat] |= {occupant.guest} - {""}
        self.company = gather(self.seats)
        self.asked = None
        self.draws.reseat(self.company)

    def _step(self, event: Event) -> None:
        """The next step of a lesson: in a position of its own everything begins anew, also who plays."""
        if self.course is None or (table := self.course.go_to(event.text)) is None:
            return
        everybody, seats = self.seats + self._absent, len(table.names)
        self.seats, self._absent = everybody[:seats], everybody[seats:]
        self.table, self.telling, self.sights, self.entry_seqs = table, Telling(table), Sights(table), []
        self.since, self.undone, self.company = [0] * seats, event.seq, gather(self.seats)

    def _take_back(self, event: Event) -> None:
        """Everything after a ply goes; with a + behind the ply, what others have moved since stays."""
        ply = int(event.text.removesuffix("+"))
        self.regrets += self.table.is_over or (self.table.ply > ply + 1 and not event.text.endswith("+"))
        self._take_out(event, ply, self.table.entries[ply + 1 :] if event.text.endswith("+") else ())

    def _take_out(self, event: Event, ply: int, kept: Sequence[Entry]) -> None:
        drawn = any(entry.seat == CHANCE for entry in self.table.entries[ply:])
        self.draws.take_out(ply, seen=drawn or self.table.is_over)
        self.table.back_to(ply)
        for entry in kept:
            self.table.enter(*entry)
        self.entry_seqs[ply:] = [event.seq] * len(kept)
        self.since = [min(since, ply) for since in self.since]
        self.telling.forget(ply)
        self.sights.forget()
        self.asked = None
        self._ended_among_people = False
        self.undone = event.seq
        self.hindsight = None

    async def submit(self, seat: int, seq: int, command: str, text: str, lang: str = "en") -> int:
        """The one door for moves of people and bots. Returns the seq after the move; MoveError if refused.

        Who was to move at `seq` may still move after others have moved at the same time.
        """

        def make() -> list[Event]:
            game = swift_game(self.table.game)
            view = game.hide(self.table.state, seat)
            move = game.read(view, seat, text, self.table.game.words(lang))
            trial = self.table.copy()
            trial.enter(seat, move)
            if self.course is not None:
                self.course.answer(trial, game.write_move(move), lang)
            elif self.is_dealing:
                self.draws.draw_on(trial)
            made = Event(self.seq + 1, seat, MOVE, game.write_move(move), command)
            events, self._tried = [made, *write_draws(self.table, trial, self.seq + 1)], trial
            return events

        return (await self.perform(seq, command, make, mover=seat))[0]

    @property
    def is_dealing(self) -> bool:
        """Whether draws are made at once; else they wait for people, or for what people add to them."""
        company = self.company
        return self.draws.serves(company) and not company.waits

    @property
    def commitment(self) -> str:
        """What fixes the draws that come next and does not show them."""
        epoch = self.draws.pending or self.draws.current
        return epoch.commitment if epoch is not None else ""

    @property
    def shown_seed(self) -> str | None:
        """What the last draws came from, once the game is over; of the deal of a day, once that is over."""
        shows = self.table.is_over and time() >= self.header.sealed
        return self.draws.seed() if shows and self.draws.current else None

    def due(self) -> Due | None:
        """What the table has to do by itself now, before the next draw can be made."""
        if self.closed is not None or self.course is not None or self.header.told:
            return None
        return self.draws.due(self.table, self.company, self.seq, asking=self.asking)

    async def go_on(self) -> None:
        """Do what is due, as after a restart."""
        async with self.lock:
            await self._go_on()

    async def _go_on(self) -> None:
        try:
            while due := self.due():
                await self._append(*due)
        except (Stale, StoreError):  # the hall will try again
            log.warning("the draws of a table could not be settled")

    async def time_out(self, number: int, stage: str) -> None:
        """Who has not answered at this stage of an epoch is waited for no longer."""
        async with self.lock:
            epoch = self.draws.pending
            if epoch is None or (epoch.number, epoch.stage) != (number, stage):
                return
            due = self.draws.time_out(self.table, self.company, self.seq)
            if due is not None and self.closed is None and not self.table.is_over:
                await self._append(*due)
                await self._go_on()

    async def pledge(self, guest: str, number: int, text: str, command: str) -> int:
        """A guest fixes a contribution to an epoch, without showing it. Returns the seq after it."""
        return await self._say(PLEDGE, guest, number, text, command)

    async def contribute(self, guest: str, number: int, text: str, command: str) -> int:
        """A guest shows the contribution to an epoch that was pledged. Returns the seq after it."""
        return await self._say(REVEAL, guest, number, text, command)

    async def _say(self, kind: str, guest: str, number: int, text: str, command: str) -> int:
        def make() -> Event:
            check = self.draws.check_pledge if kind == PLEDGE else self.draws.check_contribution
            return Event(self.seq + 1, check(guest, number, text), kind, text, command)

        try:
            return await self._note(make, command)
        except NotNow:
            if self.draws.has_said(kind, guest, number, text):
                return self.seq
            raise

    def is_fresh(self, seat: int, seq: int) -> bool:
        """Whether a seat has the same choice as at a seq: it was to move all along, and others at most moved
        beside it. Seats that move at once do not touch each other.
        """
        if not self.undone <= seq <= self.seq:
            return False
        table, known = self.table, sum(1 for each in self.entry_seqs if each <= seq)
        return all(
            seat in self.sights.at(ply).movers and table.entries[ply].seat not in (CHANCE, seat)
            for ply in range(known, table.ply)
        )

    async def sit(self, seat: int, change: Callable[[Occupant], Occupant], command: str | None = None) -> int:
        """Give a seat to somebody; `change` says to whom, when it is told who sits there. Returns the seq."""

        def make() -> Event:
            text = msgspec.json.encode(change(self.seats[seat])).decode()
            return Event(self.seq + 1, seat, SIT, text, command)

        return await self._note(make, command)

    async def announce(
        self,
        kind: str,
        text: str | Callable[[], str],
        seat: int = CHANCE,
        command: str | None = None,
        first: Callable[[], Awaitable[None]] | None = None,
    ) -> int:
        """Let everybody know of a rematch, of who must leave, that a link opens the table or none does; what
        is kept elsewhere comes first.
        """

        def make() -> Event:
            return Event(self.seq + 1, seat, kind, text if isinstance(text, str) else text(), command)

        return await self._note(make, command, first)

    async def _note(
        self,
        make: Callable[[], Event],
        command: str | None,
        first: Callable[[], Awaitable[None]] | None = None,
    ) -> int:
        """Keep one event that does not depend on what is played; of a command once."""
        async with self.lock:
            if command is not None and (answer := self._answered(command)):
                return answer[0]
            for left in reversed(range(ATTEMPTS)):
                self._check_open()
                event = make()
                if first is not None:
                    await first()
                try:
                    await self._keep([event])
                    break
                except Stale:  # another process was faster with something else
                    if not left:
                        raise
            return self.seq if command is None else self.commands[split_command(command)[0]][1]

    def _answered(self, command: str) -> tuple[int, bool] | None:
        """What a command was answered before; Reused if its key came with another wish then."""
        name, wish = split_command(command)
        if name not in self.commands:
            return None
        known, seq, asks = self.commands[name]
        if known != wish:
            raise Reused
        return seq, asks

    async def perform(
        self,
        seq: int,
        command: str,
        make: Callable[[], list[Event]],
        mover: int | None = None,
    ) -> tuple[int, bool]:
        """Do what a command asks for, once, whoever else is trying something."""
        async with self.lock:
            if answer := self._answered(command):
                return answer
            if seq > self.seq:  # seen where another process had it
                await self._learn()
            if seq != self.seq and (mover is None or not self.is_fresh(mover, seq)):
                raise Stale(self.seq)
            while True:
                self._check_open()
                events = make()
                try:
                    await self._keep(events)
                except Stale:  # another process was faster; if it only moved another seat, once more
                    if mover is None or not self.is_fresh(mover, seq):
                        raise
                else:
                    _, after, asks = self.commands[split_command(command)[0]]
                    return after, asks

    async def _keep(self, events: list[Event]) -> None:
        """Keep events, then adopt them, then show them; then do what is due after them."""
        await self._append(events)
        await self._go_on()

    async def _append(self, events: list[Event], seeds: Mapping[int, str] = NO_SEEDS) -> None:
        tried, self._tried = self._tried, None
        try:
            await self.store.append(self.header.id, events, seeds)
        except (Taken, StoreError) as error:
            # another process was faster, or the outcome is unknown: only the log knows
            kept = await self.store.load(self.header.id)
            if kept is None:
                raise StoreError("The game is not in the store.") from error
            self._restore(kept[1], await self.store.seeds(self.header.id))
            await self.find_hooks()
            command = events[0].command
            happened = command is not None and split_command(command)[0] in self.commands
            self.sure_at, self.led_elsewhere = monotonic(), not happened
            self._tell(events if happened else ())
            if events[0].command is None or self._answered(events[0].command) is None:
                if isinstance(error, Taken):
                    raise Stale(self.seq) from None
                raise
            return
        self.draws.learn(seeds)
        self.sure_at, self.led_elsewhere = monotonic(), False
        if tried is not None:
            self.table.take_over(tried)
        for event in events:
            self.adopt(event)
        self._tell(events)

    async def catch_up(self) -> bool:
        """Adopt what another process has kept; False if the game is not in the store any more."""
        async with self.lock:
            return await self._learn()

    async def _learn(self) -> bool:
        now, events = monotonic(), await self.store.since(self.header.id, self.seq)
        if kinds := {event.kind for event in events or ()}:
            if kinds.intersection(SETTLING):
                self.draws.learn(await self.store.seeds(self.header.id))
            if kinds & {HOOK, SIT, REMOVE}:
                await self.find_hooks()
            self.led_elsewhere = True
            for event in events or ():
                self.adopt(event)
            self._tell(events or ())
        self.sure_at = max(self.sure_at, now)
        return events is not None

    async def find_hooks(self) -> None:
        """They stand beside the log, so that they can be deleted."""
        self.hooks = {hook.seat: hook for hook in await self.store.hooks(self.header.id)}

    def tell_closed(self, words: Words) -> str:
        """What people are told at a table that is closed or was given up; nothing while it is open."""
        return "" if self.closed is None else Shut(self.closed, given_up=self.resigned).said(words)

    def _check_open(self) -> None:
        if self.closed is not None:
            raise Shut(self.closed, given_up=self.resigned)

    def _tell(self, events: Sequence[Event]) -> None:
        self.show()
        for listener in self.listeners:
            listener(self, events)

    def show(self) -> None:
        """Wake everybody who watches."""
        self.watchers.ring(self.company.guests)

    def who_is_here(self) -> tuple[bool, ...]:
        """For each seat, whether somebody there can see the table now."""
        moment = self.seq, self.presence.changes
        if self._here[0] != moment:
            here = [each.kind == "bot" or each.guest in self.presence for each in self.seats]
            self._here = moment, tuple(here)
        return self._here[1]

    def seats_of(self, guest: str) -> list[int]:
        return list(self.company.guests.get(guest, ()))

    def eyes_of(self, guest: str, ply: int) -> list[int]:
        """The seats of a guest that were theirs at a ply: what others saw there before is not theirs."""
        return [seat for seat in self.seats_of(guest) if self.since[seat] <= ply]

    def names(self, words: Words) -> tuple[str, ...]:
        """What everybody is called; a free seat, too."""
        return call_all(tuple(self.seats), words)

    def other_guests(self, guest: str) -> set[str]:
        """The people at the table but one, also those for whom a bot plays."""
        return {occupant.guest for occupant in self.seats if occupant.guest} - {guest}

    @property
    def is_final(self) -> bool:
        """Whether the game has ended among people: then nothing is taken back any more, whoever leaves."""
        return self._ended_among_people or (self.is_among_people and self.table.is_over)

    @property
    def is_among_people(self) -> bool:
        """Whether several people play, or somebody is waited for."""
        return self.company.several

    @property
    def gives_hints(self) -> bool:
        """As the owner has decided; else only where nobody plays with other people or waits for them."""
        if self.header.hints is not None:
            return self.header.hints
        return not self.is_among_people

    @property
    def waits_for_a_look(self) -> bool:
        """Whether only bots play and nobody looks: then they have time."""
        if any(occupant.kind == "person" for occupant in self.seats) or self.watchers:
            return False
        return monotonic() - self.looked > SECONDS_OF_A_LOOK

    def bots_to_move(self) -> list[tuple[int, str]]:
        """The seats that a bot has to play for now, and its name."""
        seats = [seat for seat in self.table.movers if seat != CHANCE and self.seats[seat].kind == "bot"]
        if not seats or self.closed is not None or not self.draws.serves(self.company):
            return []
        return [(seat, self.seats[seat].bot) for seat in seats]
