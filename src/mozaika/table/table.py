"""A table: one game, its seats and everything that has happened. What a Python user holds in the hand."""

import dataclasses
import re
from collections.abc import Iterable, Sequence
from typing import Any, Literal, Self, get_args

import numpy as np
from numpy.typing import NDArray

from mozaika import chance
from mozaika.game import Bot, Game
from mozaika.games import find_game, shelved
from mozaika.given import some_text, whole_number
from mozaika.kernel import count_ready, new_random, swift_game, wait_for_rules
from mozaika.moves import AmbiguousMove, IllegalMove, MoveError, UnknownMove
from mozaika.record import TOLD, Entry, Record, read_names
from mozaika.scene import Shape, Theme, write_svg
from mozaika.sentence import Sentence
from mozaika.sketch import plain, plain_name
from mozaika.state import CHANCE, WATCHER, State, copy_of, seats_in
from mozaika.store import Header
from mozaika.thought import Budget, Thought

_SEAT_FIRST = re.compile(r"\s*([1-9]) ?: ?(.*)")


class _Shown(int):
    """A number that `help` shows by its name."""

    name: str

    def __repr__(self) -> str:
        return self.name


_CHANCE, _WATCHER = _Shown(CHANCE), _Shown(WATCHER)
_CHANCE.name, _WATCHER.name = "CHANCE", "WATCHER"


class Table:
    """One game being played."""

    def __init__(
        self,
        game: str | Game,
        seats: int | None = None,
        *,
        seed: str | int | None = None,
        draws: Literal["seed", "told"] = "seed",
        names: Sequence[str] = (),
        lang: str = "en",
        drawing: bool = True,
        **options: Any,
    ) -> None:
        """Open a table. Its draws come from a seed, or somebody tells them (`draws="told"`, then `draw`).

        With `drawing=False` the first draws wait for `draw_on`, or for the entries of a log.
        """
        game = shelved(game) if isinstance(game, Game) else find_game(some_text("A game", game))
        chosen = game.read_options(options)
        names = _list_names(names)
        state = game.start(seats if seats is not None else len(names) or game.seats.start, chosen)
        record = Record(game, chosen, _seat_names(names, state), **_read_draws(seed, draws))
        self._open(record, state, lang, drawing=drawing)

    def _open(self, record: Record, state: State, lang: str, *, drawing: bool) -> None:
        self.game = record.game
        self.words = record.game.words(lang)
        self.state = state
        """The state now, a NumPy record. Read it as you like; change it only by playing."""
        self._record = record
        self._states: list[State] = []
        self._moving: tuple[State | None, list[int]] = None, []
        """A state, and who may act there: the rules are asked once, however often somebody wants to know."""
        if drawing:
            self.draw_on()

    @classmethod
    def from_position(
        cls,
        position: str,
        *,
        seed: str | int | None = None,
        draws: Literal["seed", "told"] = "seed",
        names: Sequence[str] = (),
        lang: str = "en",
        drawing: bool = True,
    ) -> Self:
        """A table at which the game goes on from a position, as written by `position()`."""
        table = cls.__new__(cls)
        game = find_game((some_text("A position", position).split() or [""])[0])
        state = game.parse_position(position)
        options, names = game.read_options(game.options_of(state)), _seat_names(_list_names(names), state)
        begun = game.write_position(state)
        record = Record(game, options, names, position=begun, **_read_draws(seed, draws))
        table._open(record, state, lang, drawing=drawing)
        return table

    @classmethod
    def from_record(
        cls, record: Record, ply: int | None = None, *, lang: str = "en", drawing: bool = True
    ) -> Self:
        """A table at which a recorded game goes on, after all of its entries or after so many.

        It draws from the seed of the record; if that is not known, its draws are told.
        """
        if not isinstance(record, Record):
            raise TypeError("A table goes on with a Record; Record.read(text) makes one of a text.")
        record.state(ply)
        table = cls.__new__(cls)
        mine = dataclasses.replace(record, entries=[], remarks=dict(record.remarks), table="", epochs=[])
        if record.epochs:
            mine.draws = TOLD
        table._open(mine, record.start(), lang, drawing=False)
        for entry in record.entries[:ply]:
            table._push(*entry)
        if drawing:
            table.draw_on()
        return table

    @property
    def names(self) -> tuple[str, ...]:
        return self._record.names

    @property
    def seed(self) -> str:
        """What the draws come from; empty if they are told. Keep it to yourself while the game runs."""
        return self._record.seed

    @property
    def commitment(self) -> str:
        """What can be published before the first move: it fixes the draws and does not show them."""
        return self._record.commitment

    @property
    def movers(self) -> list[int]:
        """The seats that may act now, CHANCE among them; empty when the game is over."""
        return self._find_movers().copy()

    def _find_movers(self) -> list[int]:
        state, movers = self._moving
        if state is not self.state:
            movers = seats_in(self.game.movers(self.state))
            self._moving = self.state, movers
        return movers

    @property
    def is_over(self) -> bool:
        return not self._find_movers()

    @property
    def scores(self) -> list[int]:
        return self.game.points(self.state)

    @property
    def ranks(self) -> list[int]:
        """The places of the seats by the points now, with the game's tie-break; equal places are shared."""
        return self.game.places(self.state)

    @property
    def tally(self) -> dict[str, list[int]]:
        """Where the points of each seat came from."""
        return dict(self.game.tally(self.state, self.words))

    @property
    def ply(self) -> int:
        """How many moves and draws have been made."""
        return len(self._record.entries)

    def legal_moves(self, seat: int | None = None) -> list[str]:
        """The texts of all legal moves of a seat; of the seat to move, if there is just one."""
        if seat is None:
            if len(self.movers) > 1:
                raise ValueError(f"Seats {self.movers} may move at once; say whose moves you want.")
            seat = self.movers[0] if self.movers else WATCHER
        seat = whole_number("A seat", seat)
        return [self.game.write_move(move) for move in swift_game(self.game).legal_moves(self.state, seat)]

    def play(self, text: str, seat: int | None = None) -> str:
        """Play a move for a seat, for the seat to move if none is named. Returns its full text.

        The seat may also stand before the move, counted from 1: `2: line 4 >c1`.
        """
        if found := _SEAT_FIRST.fullmatch(some_text("A move", text)):
            seat, text = int(found[1]) - 1, found[2]
        if self.is_over and seat is None:
            raise UnknownMove(self.words.say("The game is over."))
        seat, move = self._read(text, seat)
        self._push(seat, move)
        self.draw_on()
        return self.game.write_move(move)

    def _read(self, text: str, seat: int | None) -> tuple[int, int]:
        seats = (
            [whole_number("A seat", seat)]
            if seat is not None
            else [s for s in self.movers if s != CHANCE] or [WATCHER]
        )
        game, found, refused = swift_game(self.game), [], []
        for each in seats:
            try:
                found.append((each, game.read(self.state, each, text, self.words)))
            except AmbiguousMove as error:
                if len(seats) == 1:
                    raise
                found += [(each, game.parse_move(meant)) for meant in error.candidates]
            except MoveError as error:
                refused.append(error)
        if len(found) == 1:
            return found[0]
        if not found:
            raise refused[0]
        candidates = tuple(f"{each + 1}: {self.game.write_move(move)}" for each, move in found)
        some = ", ".join(candidates[:4]) + (", …" if len(candidates) > 4 else "")
        raise AmbiguousMove(
            self.words.say("Several seats could play “{text}”: {some}.", text=text, some=some), candidates
        )

    def draw(self, text: str) -> None:
        """Say what was drawn, one outcome or several with spaces or commas between them: all or none."""
        if self.seed:
            raise ValueError("This table draws by itself; open it with draws='told' to tell it.")
        some_text("What is drawn", text)
        made = self.ply
        try:
            for outcome in self._outcomes(text):
                self._push(CHANCE, swift_game(self.game).read(self.state, CHANCE, outcome, self.words))
        except MoveError:
            self.back_to(made)
            raise
        if self._record.draws != TOLD:
            self._record.draws = TOLD
            self._record.remarks["Resumed"] = f"the draws are told from ply {made} on"

    def _outcomes(self, text: str) -> list[str]:
        """One outcome may have several words, so spaces part outcomes only if the text is not one itself."""
        if "," in text:
            return [part.strip() for part in text.split(",")]
        try:
            swift_game(self.game).read(self.state, CHANCE, text, self.words)
        except IllegalMove:
            return [text]
        except MoveError:
            return text.split() or [text]
        return [text]

    def undo(self, seat: int | None = None) -> str:
        """Take back the last move, with the draws that followed it; at a told table the last move or draw.

        With a seat: the last move of that seat, if nothing that came after it depends on it.
        """
        if seat is not None:
            self._check_seat(seat)
        entries = self._record.entries
        last = len(entries) - 1
        while last >= 0 and (entries[last].seat != seat if seat is not None else self._skips(last)):
            last -= 1
        if last < 0:
            raise ValueError(self.words.say("There is no move to take back."))
        undone, later = entries[last], entries[last + 1 :]
        trial = self.copy()
        trial.back_to(last)
        for each in later if seat is not None else ():
            if each.seat == CHANCE or each.move not in self.game.legal_moves(trial.state, each.seat):
                raise ValueError(self.words.say("Others have moved since; this can no longer be taken back."))
            trial.enter(*each)
        self.take_over(trial)
        return self.game.write_move(undone.move)

    def _skips(self, ply: int) -> bool:
        """Draws that followed a move by themselves go back with it."""
        return bool(self.seed) and self._record.entries[ply].seat == CHANCE

    @property
    def entries(self) -> tuple[Entry, ...]:
        """Every move and draw so far."""
        return tuple(self._record.entries)

    def copy(self) -> Self:
        """The same table once more; what is played at one does not happen at the other."""
        twin = self.__class__.__new__(self.__class__)
        twin.__dict__.update(self.__dict__)
        twin.state, twin._states = copy_of(self.state), list(self._states)
        twin._record = dataclasses.replace(
            self._record, entries=list(self._record.entries), remarks=dict(self._record.remarks)
        )
        return twin

    def take_over(self, trial: Self) -> None:
        """What was tried at a copy of this table has happened here; the copy is used no more."""
        self.state, self._states, self._record = trial.state, trial._states, trial._record
        self._moving = trial._moving

    __copy__ = copy

    def __deepcopy__(self, _: object) -> Self:
        return self.copy()

    def __getstate__(self) -> dict[str, Any]:
        states = np.array([*self._states, self.state])  # a record alone comes back as one that cannot change
        return {"record": self._record, "states": states, "lang": self.words.lang}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        *before, now = kept["states"]
        self._open(kept["record"], now, kept["lang"], drawing=False)
        self._states = before

    def __eq__(self, other: object) -> bool:
        """Whether it is the same game so far: its options, names, draws, and all that has been played."""
        return self._record == other._record if isinstance(other, Table) else NotImplemented

    __hash__ = None  # type: ignore[assignment]  # what has been played changes

    def enter(self, seat: int, move: int) -> None:
        """Make a legal move or draw as it stands in a log; nothing is checked and nothing drawn after it."""
        self._push(seat, move)

    def draw_on(self) -> None:
        """While CHANCE is to move and there is a seed: draw."""
        while self.seed and self.movers == [CHANCE]:
            self._push(CHANCE, chance.draw(swift_game(self.game), self.state, self.seed, self.ply))

    def back_to(self, ply: int) -> None:
        """Take back everything after a ply."""
        self._check_ply(ply)
        while self.ply > ply:
            self._pop()

    def state_at(self, ply: int) -> State:
        """The state after so many moves and draws."""
        if ply == self.ply:
            return self.state
        self._check_ply(ply)
        return self._states[ply]

    def _check_ply(self, ply: int) -> None:
        if not 0 <= whole_number("A ply", ply) <= self.ply:
            raise ValueError(f"The table has the plies 0 to {self.ply}, not {ply}.")

    def ask(self, bot: str | Bot, seat: int | None = None, budget: Budget | None = None) -> str:
        """The move a bot would play for a seat; for the seat to move, if there is just one.

        The bot is one of the game's by its name, or any that is called as they are.
        """
        return self.game.write_move(self.think(bot, seat, budget).move)

    def think(self, bot: str | Bot, seat: int | None = None, budget: Budget | None = None) -> Thought:
        """The same with what the bot expects, as far as it says so."""
        if not callable(bot) and (not isinstance(bot, str) or bot not in self.game.bots):
            raise ValueError(f"{self.game.name} has the bots {', '.join(self.game.bots)}, not {bot!r}.")
        if budget is not None and not isinstance(budget, Budget):
            raise TypeError(f"How long a bot may think is a Budget, not {budget!r}.")
        whose = self._thinker(seat)
        view = self.game.hide(self.state, whose)
        random = new_random(chance.luck_of_bot(self.seed, self.ply))
        wait_for_rules(self.game)
        if not isinstance(bot, str):
            return bot(swift_game(self.game), view, whose, random, budget)
        ready = -1
        while ready != count_ready():  # else part of its time went by with loading
            ready = count_ready()
            thought = self.game.bots[bot](swift_game(self.game), view, whose, random.copy(), budget)
        return thought

    def _thinker(self, seat: int | None) -> int:
        """The seat that a bot is asked for."""
        if self.is_over:
            raise ValueError(self.words.say("The game is over."))
        movers = [each for each in self.movers if each != CHANCE]
        if not movers:
            raise ValueError("Before anybody can move, something has to be drawn.")
        if seat is None and len(movers) > 1:
            raise ValueError(f"Seats {movers} may move at once; say for which one the bot is asked.")
        if seat is not None and whole_number("A seat", seat) not in movers:
            raise ValueError(f"Seat {seat} is not to move; to move: {', '.join(map(str, movers))}.")
        return movers[0] if seat is None else int(seat)

    def tell(self, ply: int | None = None, viewer: int = _CHANCE) -> list[Sentence]:
        """What the entry after a ply did, as sentences; the last one's, if none is named.

        With a viewer: as a seat or a WATCHER saw it.
        """
        if viewer not in (WATCHER, CHANCE):
            self._check_seat(viewer)
        if not self.ply:
            raise ValueError("Nothing has happened yet at this table.")
        index = self.ply - 1 if ply is None else whole_number("A ply", ply)
        if not 0 <= index < self.ply:
            raise ValueError(f"The table has {self.ply} moves and draws, counted from 0, and not {index}.")
        return self.game.tell(self._states[index], *self._record.entries[index], viewer, self.words)

    def log(self, viewer: int = _CHANCE) -> list[str]:
        """The whole game as sentences, with names, points and rule ids; with a viewer: as that one saw it."""
        return [self.line(sentence) for ply in range(self.ply) for sentence in self.tell(ply, viewer)]

    def line(self, sentence: Sentence) -> str:
        """A sentence with the name of the player it is about and the rule it follows."""
        name = f"{self.names[sentence.seat]}: " if sentence.seat != CHANCE else ""
        rule = f" ({sentence.rule})" if sentence.rule else ""
        return f"{name}{sentence.text}{rule}"

    def position(self) -> str:
        """The position as a text from which the game can be resumed."""
        return self.game.write_position(self.state)

    def record(self, *, reveal: bool = False) -> Record:
        """The game so far. The seed is kept back until the game is over, unless it is to be revealed: without
        it, a table that goes on with the record has to be told its draws.
        """
        shown = self.seed if reveal or self.is_over else ""
        return dataclasses.replace(self._record, entries=list(self._record.entries), seed=shown)

    def svg(self, seat: int = _WATCHER, shape: Shape = "wide", theme: Theme = "auto", part: str = "") -> str:
        """The table as a seat sees it, as an SVG text; or only areas of its picture, such as `board-1`."""
        for name, value, kind in (("shape", shape, Shape), ("theme", theme, Theme)):
            if value not in get_args(kind):
                raise ValueError(f"{name} is one of {', '.join(get_args(kind))}, not {value!r}.")
        view = self._view(seat)
        return write_svg(self.game.scene(view, seat, self.names, self.words, shape), theme, part)

    def _repr_svg_(self) -> str:
        return self.svg()

    def sketch(self, seat: int = _WATCHER) -> str:
        """The table as text with console mark-up for its colours."""
        names = tuple(map(plain_name, self.names))
        return self.game.sketch(self._view(seat), names, self.words)

    def features(self, seat: int) -> dict[str, NDArray[np.float32]]:
        """What a seat sees as numbers for programs that learn, block by block with names."""
        if self.game.features is None:
            raise ValueError(f"{self.game.name} has no features.")
        return self.game.features.of(self._view(seat), seat)

    def _view(self, seat: int) -> State:
        """What a seat or a WATCHER sees."""
        if seat != WATCHER:
            self._check_seat(seat)
        return self.game.hide(self.state, seat)

    def _check_seat(self, seat: int) -> None:
        if not 0 <= whole_number("A seat", seat) < len(self.names):
            raise ValueError(f"There are the seats 0 to {len(self.names) - 1}, and WATCHER; not {seat}.")

    def __str__(self) -> str:
        return plain(self.sketch())

    def __repr__(self) -> str:
        return f"<Table {self.game.id}, {len(self.names)} seats, ply {self.ply}>"

    def _push(self, seat: int, move: int) -> None:
        self._states.append(copy_of(self.state))
        swift_game(self.game).apply(self.state, seat, move)
        self._moving = None, []
        self._record.entries.append(Entry(seat, move))

    def _pop(self) -> None:
        self.state = self._states.pop()
        self._record.entries.pop()


def open_table(header: Header) -> Table:
    """The table of a game before its first entry."""
    game = find_game(header.game)
    if header.position:
        return Table.from_position(header.position, draws="told", drawing=False)
    options: dict[str, Any] = dict(header.options)
    return Table(game, header.seats, draws="told", drawing=False, **options)


def _read_draws(seed: str | int | None, draws: str) -> dict[str, Any]:
    """How a table draws, as it stands in its record."""
    if draws not in ("seed", TOLD):
        raise ValueError(f"draws is one of seed, told, not {draws!r}.")
    if draws == TOLD:
        if seed is not None:
            raise ValueError("A table whose draws are told has no seed.")
        return {"draws": TOLD}
    if not isinstance(seed, str | int | None):
        raise TypeError(f"A seed is a line of text or a whole number, not {seed!r}.")
    text = chance.new_seed() if seed is None else " ".join(str(seed).split())
    if not text or not text.isprintable():
        raise ValueError(f"A seed is a line of text, not {seed!r}.")
    return {"draws": chance.METHOD, "seed": text, "commitment": chance.commitment(text)}


def _list_names(names: Sequence[str]) -> list[str]:
    if isinstance(names, str) or not isinstance(names, Iterable):
        raise TypeError(f"Names come as a list, one for each seat, not as {names!r}.")
    return [some_text("A name", name) for name in names]


def _seat_names(names: Sequence[str], state: State) -> tuple[str, ...]:
    seats = int(state["seats"])
    if names and len(names) != seats:
        raise ValueError(f"There are {seats} seats and {len(names)} names.")
    return read_names(names) or tuple(f"P{n}" for n in range(1, seats + 1))
