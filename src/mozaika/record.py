"""A game as one readable text file: headers, then every move and every draw. Made to be edited by hand."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final, NamedTuple

import numpy as np

from mozaika import chance
from mozaika.game import CHANCE, WATCHER, Game, Ints, MoveError, Options, State, seats_in
from mozaika.games import find_game
from mozaika.kernel import swift_game

FIRST_LINE = "Mozaika record 1"
TOLD: Final = "told"
"""Draws that somebody typed in, instead of the method that drew them."""
WIDTH = 100


class RecordError(ValueError):
    """A text that is no record; the message names the line of the first error."""

    def __init__(self, line: int, sentence: str) -> None:
        super().__init__(f"Line {line}: {sentence}")
        self.line = line


class Entry(NamedTuple):
    """One move of a seat or of CHANCE."""

    seat: int
    move: int


@dataclass
class Record:
    """A game from its first draw to its last move, or as far as it went."""

    game: Game
    options: Options
    names: tuple[str, ...]
    entries: list[Entry] = field(default_factory=list)
    draws: str = chance.METHOD
    commitment: str = ""
    seed: str = ""
    position: str = ""
    """Where the game began, if not at its beginning."""
    remarks: dict[str, str] = field(default_factory=dict)
    """Any other headers, kept as they are."""

    @property
    def seats(self) -> int:
        return len(self.names)

    def start(self) -> State:
        """The state before the first entry."""
        if self.position:
            return self.game.parse_position(self.position)
        return self.game.start(self.seats, self.options)

    def states(self) -> Iterator[State]:
        """The state before each entry, and the last one: one more than entries."""
        game, state = swift_game(self.game), self.start()
        for seat, move in self.entries:
            yield state.copy()
            game.apply(state, seat, move)
        yield state

    def state(self, ply: int | None = None) -> State:
        """The state after so many entries; after all of them if none is named."""
        wanted = len(self.entries) if ply is None else ply
        if not 0 <= wanted <= len(self.entries):
            raise ValueError(f"The record has the plies 0 to {len(self.entries)}, not {wanted}.")
        game, state = swift_game(self.game), self.start()
        for seat, move in self.entries[:wanted]:
            game.apply(state, seat, move)
        return state

    def result(self) -> list[int] | None:
        """The final points, if the game is over."""
        state = self.state()
        return None if self.game.movers(state) else points(self.game, state)

    def write(self) -> str:
        """The record as text."""
        result = self.result()
        options = self.game.write_options(self.options)
        headers = {
            "Game": f"{self.game.id} {self.game.version}",
            "Options": " ".join(f"{name}={value}" for name, value in options.items()),
            "Seats": " / ".join(self.names),
            **self.remarks,
            "Position": self.position,
            "Draws": self.draws,
            "Commitment": self.commitment,
            "Seed": self.seed,
            "Result": " ".join(map(str, result)) if result else "",
        }
        lines = [FIRST_LINE, *(f"{name}: {value}" for name, value in headers.items() if value), ""]
        return "\n".join([*lines, *self._write_entries()]) + "\n"

    def _write_entries(self) -> Iterator[str]:
        drawn: list[str] = []
        for seat, move in self.entries:
            text = self.game.write_move(move)
            if seat == CHANCE:
                if len(", ".join(["chance: ", *drawn, text])) > WIDTH:
                    yield f"chance: {', '.join(drawn)}"
                    drawn = []
                drawn.append(text)
                continue
            if drawn:
                yield f"chance: {', '.join(drawn)}"
                drawn = []
            yield f"{seat + 1}: {text}"
        if drawn:
            yield f"chance: {', '.join(drawn)}"

    @classmethod
    def read(cls, text: str, lang: str = "en") -> "Record":
        """The record of a text. Every move is played, so what comes back is a possible game."""
        return _Reader(text, lang).read()

    def verify(self) -> list[str]:
        """Everything that speaks against the draws having been fixed before play; empty if nothing does."""
        if self.draws == TOLD:
            return ["The draws were typed in, so there is nothing to verify."]
        if not self.seed:
            return ["The record does not show the seed; it is revealed when the game is over."]
        faults = []
        if not self.commitment:
            faults.append("The record has no commitment to compare the seed with.")
        elif chance.commitment(self.seed) != self.commitment:
            faults.append("The seed does not match the commitment.")
        for ply, (state, entry) in enumerate(zip(self.states(), self.entries, strict=False)):
            if entry.seat == CHANCE and (due := draw(self.game, state, self.seed, ply)) != entry.move:
                wrong, right = self.game.write_move(entry.move), self.game.write_move(due)
                faults.append(f"At ply {ply} the seed gives {right}, but the record has {wrong}.")
                break
        return faults


def points(game: Game, state: State) -> list[int]:
    """The points of each seat."""
    return _per_seat(game.scores, state)


def places(game: Game, state: State) -> list[int]:
    """The place of each seat."""
    return _per_seat(game.ranks, state)


def _per_seat(rule: Callable[[State, Ints], None], state: State) -> list[int]:
    buffer = np.zeros(CHANCE, np.int32)
    rule(state, buffer)
    return [int(number) for number in buffer[: state["seats"]]]


def draw(game: Game, state: State, seed: str, ply: int) -> int:
    """What CHANCE does at a ply, by the seed."""
    outcomes = game.legal_moves(state, CHANCE)
    weights = np.zeros(game.most_moves, np.int32)
    game.weigh(state, weights)
    return outcomes[chance.pick(seed, ply, [int(weight) for weight in weights[: len(outcomes)]])]


class _Reader:
    """Reads a record line by line and plays it while it reads."""

    def __init__(self, text: str, lang: str) -> None:
        self.lang = lang
        self.lines = [
            (number, " ".join(line.split()))
            for number, line in enumerate(text.removeprefix("\N{BYTE ORDER MARK}").splitlines(), 1)
            if line.strip() and not line.lstrip().startswith("#")
        ]
        self.headers: dict[str, tuple[int, str]] = {}

    def read(self) -> Record:
        if not self.lines or self.lines[0][1] != FIRST_LINE:
            number = self.lines[0][0] if self.lines else 1
            raise RecordError(number, f"a record begins with “{FIRST_LINE}”.")
        body = self._read_headers()
        record = self._open_record()
        state = self._play(record, body)
        self._check_result(record, state)
        return record

    def _read_headers(self) -> list[tuple[int, str]]:
        """Everything up to the first entry; returns the rest."""
        for index, (number, line) in enumerate(self.lines[1:], 1):
            name, colon, value = line.partition(":")
            if not colon:
                raise RecordError(number, f"this is neither a header nor a move: “{line}”.")
            if name.isdigit() or name == "chance":
                return self.lines[index:]
            if name in self.headers:
                raise RecordError(number, f"the header “{name}” stands here a second time.")
            self.headers[name] = (number, value.strip())
        return []

    def _take_header(self, name: str, otherwise: str = "") -> tuple[int, str]:
        return self.headers.pop(name, (1, otherwise))

    def _open_record(self) -> Record:
        number, value = self._take_header("Game")
        try:
            name, _, version = value.partition(" ")
            game = find_game(name)
            if version != str(game.version):
                raise ValueError(f"this Mozaika plays {game.id} {game.version}, not “{value}”.")  # noqa: TRY301
            number, value = self._take_header("Options")
            pairs = dict(_split_option(pair) for pair in value.split())
            options = game.read_options(pairs)
            number, value = self._take_header("Seats")
            names = tuple(name.strip() for name in value.split("/"))
            start_number, position = self._take_header("Position")
            record = Record(game, options, names, position=position)
            game.start(len(names), options)
            number = start_number
            if record.start()["seats"] != len(names):
                raise ValueError(f"the position is for {record.start()['seats']} seats, not {len(names)}.")  # noqa: TRY301
        except ValueError as error:
            raise RecordError(number, _lower(str(error))) from None
        record.draws = self._take_header("Draws", TOLD)[1]
        record.commitment = self._take_header("Commitment")[1]
        record.seed = self._take_header("Seed")[1]
        record.remarks = {name: value for name, (_, value) in self.headers.items() if name != "Result"}
        return record

    def _play(self, record: Record, body: list[tuple[int, str]]) -> State:
        game, state, words = swift_game(record.game), record.start(), record.game.words(self.lang)
        for number, line in body:
            name, colon, value = line.partition(":")
            seat = CHANCE if name == "chance" else int(name) - 1 if name.isdigit() else WATCHER
            if not colon or not (seat == CHANCE or 0 <= seat < record.seats):
                raise RecordError(
                    number, f"a move begins with a seat (1 to {record.seats}) or “chance:”, not “{name}”."
                )
            for text in value.split(",") if seat == CHANCE else (value,):
                try:
                    move = game.read(state, seat, text.strip(), words)
                except MoveError as error:
                    raise RecordError(number, _lower(str(error))) from None
                record.entries.append(Entry(seat, move))
                game.apply(state, seat, move)
        return state

    def _check_result(self, record: Record, state: State) -> None:
        number, value = self._take_header("Result")
        if not value:
            return
        if seats_in(record.game.movers(state)):
            raise RecordError(number, "the game is not over, so it has no result yet.")
        result = " ".join(map(str, points(record.game, state)))
        if value != result:
            raise RecordError(number, f"the game ends {result}, not {value}.")


def _split_option(pair: str) -> tuple[str, str]:
    name, equals, value = pair.partition("=")
    if not equals:
        raise ValueError(f"an option is written name=value, not “{pair}”.")
    return name, value


def _lower(sentence: str) -> str:
    """A sentence that follows a colon."""
    return sentence[:1].lower() + sentence[1:]
