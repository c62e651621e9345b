"""A game as one readable text file: headers, then every move and every draw. Made to be edited by hand."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from difflib import get_close_matches
from itertools import chain
from typing import Any, Final, NamedTuple

from mozaika import chance, epochs
from mozaika.epochs import Epoch
from mozaika.game import Game
from mozaika.games import find_game
from mozaika.given import some_text, whole_number
from mozaika.kernel import swift_game
from mozaika.options import Options
from mozaika.state import CHANCE, WATCHER, State, copy_of, seats_in
from mozaika.words import Translatable, Typed, Words, later, say_error

FIRST_LINE = "Mozaika record 1"
TOLD: Final = "told"
"""Draws that somebody typed in, instead of the method that drew them."""
WIDTH = 100
LONGEST_NAME, LONGEST_LINE, MOST_HEADERS, LONGEST_SENTENCE = 100, 10_000, 50, 1_000
MOST_EPOCHS = 1_000
MOST_SPELT = 150_000
"""So many legal moves are spelt out at most to understand the shortened moves of a record."""
_UNSEEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
"""Letters and marks that show nothing, though Unicode counts them as such."""
_JOINED = re.compile("(?<=[\u0530-\U0010ffff])(?:[\u200c\u200d\ufe0f]+(?=[\u0530-\U0010ffff])|\ufe0f(?= |$))")
"""What joins emoji and the letters of scripts that are joined; between Latin letters it would only hide."""
_PILED = re.compile("[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]{4}")
"""So many marks on one letter stand in the lines above it."""
HEADERS = ("Game", "Options", "Seats", "Position", "Draws", "Table", "Commitment", "Seed", "Result")
_HEADER = re.compile(r"[^\W\d][\w -]{2,40}")
_FILE_NAME = re.compile(r"[^\n#]{1,250}\.\w{1,8}")
_ENTRY = re.compile(r"[0-9]{1,2}|[Cc]hance")
_EPOCH = re.compile(r"[Ee]poch [0-9].{0,80}")


class RecordError(ValueError):
    """A text that is no record; the message names the line of the first error."""

    def __init__(self, line: int, sentence: str, lang: str = "en") -> None:
        shown = sentence if len(sentence) <= LONGEST_SENTENCE else f"{sentence[:LONGEST_SENTENCE]}…"
        super().__init__(Words(lang).say("Line {line}: {sentence}", line=line, sentence=shown))
        self.line, self.sentence, self.lang = line, shown, lang

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.line, self.sentence, self.lang)


class Unreadable(Translatable, ValueError):
    """A part of a text that cannot be."""


class Entry(NamedTuple):
    """One move of a seat or of CHANCE."""

    seat: int
    move: int


NOTHING_TO_VERIFY = later("The draws were typed in, so there is nothing to verify.")
MISMATCH = later("The seed does not match the commitment.")
NOT_SHOWN = later("The record does not show the seed; it is revealed when the game is over.")
NOT_PLEDGED = later("What seat {seats} added to the draws from ply {ply} on is not what was pledged.")
NOT_ADDED = later(
    "What seat {seats} had pledged is not among the numbers that the draws from ply {ply} on come from: "
    "whoever left it out could choose."
)
MATCHES_GIVEN = later("The seed fits the fingerprint that you gave.")
MATCHES_OWN = later("The seed fits the fingerprint in this record.")
UNPUBLISHED = later(
    "Whether this fingerprint was shown before the draws: "
    "give the one that you kept, or let your browser compare."
)
SERVER_KNOWS = later("Whether the server told somebody the draws: it knows them once all have added to them.")
HAD_A_PART = later(
    "From ply {ply} on: seat {seats} added numbers to the draws, fixed before any was shown. "
    "If one of these people is honest, nobody can have chosen the draws."
)
NOBODY_HAD_A_PART = later(
    "From ply {ply} on: nobody but the table had a part in the draws, so it could choose them."
)
LEFT_OUT = later("From ply {ply} on: seat {seats} had no part in the draws.")
DROPPED = later(
    "At ply {ply} an attempt to settle the draws was given up: "
    "seat {seats} did not show what had been pledged. "
    "Together with the server they could reject one outcome."
)
FROM_POSITION = later("Who chose the position with which the game begins, and what they know of it.")
DROPPED_EARLY = later(
    "At ply {ply} an attempt to settle the draws was given up, because people came or went. "
    "Together with the server they could reject one outcome."
)


@dataclass
class Proof:
    """What a record proves of its draws: what speaks against them, what is proven, and what is not."""

    faults: list[str] = field(default_factory=list)
    proven: list[str] = field(default_factory=list)
    unproven: list[str] = field(default_factory=list)

    def tell_epoch(self, epoch: Epoch, words: Words) -> None:
        """Who had a part in an epoch and who had none."""
        said = {"ply": epoch.ply}
        if epoch.stage != "settled":
            sentence = DROPPED if epoch.hiding and epoch.stage == "dropped" else DROPPED_EARLY
            self.unproven.append(words.say(sentence, seats=epochs.join_labels(epoch.hiding), **said))
            return
        if epoch.hiding:
            self.faults.append(words.say(NOT_ADDED, seats=epochs.join_labels(epoch.hiding), **said))
        if not epoch.shown:
            self.unproven.append(words.say(NOBODY_HAD_A_PART, **said))
            return
        self.proven.append(words.say(HAD_A_PART, seats=epochs.join_labels(epoch.shown), **said))
        if out := [party for party in epoch.parties if not party.contribution]:
            self.unproven.append(words.say(LEFT_OUT, seats=epochs.join_labels(out), **said))


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
    table: str = ""
    """The id of the table, where its draws come in epochs."""
    epochs: list[Epoch] = field(default_factory=list)
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
            yield copy_of(state)
            game.apply(state, seat, move)
        yield state

    def state(self, ply: int | None = None) -> State:
        """The state after so many entries; after all of them if none is named."""
        wanted = len(self.entries) if ply is None else whole_number("A ply", ply)
        if not 0 <= wanted <= len(self.entries):
            raise ValueError(f"The record has the plies 0 to {len(self.entries)}, not {wanted}.")
        game, state = swift_game(self.game), self.start()
        for seat, move in self.entries[:wanted]:
            game.apply(state, seat, move)
        return state

    def result(self) -> list[int] | None:
        """The final points, if the game is over."""
        state = self.state()
        return None if self.game.movers(state) else self.game.points(state)

    def write(self) -> str:
        """The record as text."""
        result = self.result()
        usual, options = self.game.write_options(self.game.options()), self.game.write_options(self.options)
        for name in self.game.unsaid:
            if options[name] == usual[name]:
                del options[name]
        headers = {
            "Game": f"{self.game.id} {self.game.version}",
            "Options": " ".join(f"{name}={value}" for name, value in options.items()),
            "Seats": " / ".join(self.names),
            **self.remarks,
            "Position": self.position,
            "Draws": self.draws,
            "Table": self.table,
            "Commitment": self.commitment,
            "Seed": self.seed,
            "Result": " ".join(map(str, result)) if result else "",
        }
        shown = {name: value for name, value in headers.items() if value or name in self.remarks}
        lines = [FIRST_LINE, *(f"{name}: {value}".rstrip() for name, value in shown.items()), ""]
        return "\n".join([*lines, *self._write_entries()]) + "\n"

    def _write_entries(self) -> Iterator[str]:
        drawn: list[str] = []
        begun = iter([*self.epochs, None])
        epoch = next(begun)
        for ply, (seat, move) in enumerate([*self.entries, (CHANCE, None)]):
            text = "" if move is None else self.game.write_move(move)
            begins = epoch is not None and (epoch.ply <= ply or move is None)
            full = len(", ".join(["chance: ", *drawn, text])) > WIDTH
            if drawn and (begins or seat != CHANCE or full or move is None):
                yield f"chance: {', '.join(drawn)}"
                drawn = []
            while epoch is not None and (epoch.ply <= ply or move is None):
                yield from epochs.write_epoch(epoch)
                epoch = next(begun)
            if seat != CHANCE:
                yield f"{seat + 1}: {text}"
            elif move is not None:
                drawn.append(text)

    @classmethod
    def read(cls, text: str, lang: str = "en") -> "Record":
        """The record of a text. Every move is played, so what comes back is a possible game."""
        if _FILE_NAME.fullmatch(some_text("A record", text)):
            sentence = later("This is the name of a file; read its text: Path({text}).read_text().")
            raise RecordError(1, Words(lang).say(sentence, text=repr(text)), lang)
        return _Reader(text, lang).read()

    def verify(self, published: str = "", lang: str = "en") -> list[str]:
        """Everything that speaks against the draws having been fixed before play; empty if nothing does.

        What was published before the game is compared if it is given; else the commitment in the record.
        """
        return self.prove(published, lang).faults

    def prove(self, published: str = "", lang: str = "en") -> Proof:
        """What the record proves about its draws, what speaks against it, and what it cannot prove."""
        some_text("A commitment", published)
        words, kept = self.game.words(lang), published.strip().lower()
        if self.draws == TOLD:
            return Proof([words.say(NOTHING_TO_VERIFY)])
        if not self.is_shown:
            return Proof([words.say(NOT_SHOWN)])
        prove = self._prove_epochs if self.draws == epochs.METHOD else self._prove_seed
        proof = prove(kept, words)
        self._prove_draws(proof, words)
        if self.position:
            proof.unproven.append(words.say(FROM_POSITION))
        return proof

    @property
    def is_shown(self) -> bool:
        """Whether the record shows what its draws came from."""
        if self.draws != epochs.METHOD:
            return bool(self.seed)
        return bool(self.epochs) and all(epoch.secret for epoch in self.epochs if epoch.stage == "settled")

    def _prove_seed(self, published: str, words: Words) -> Proof:
        """One seed that the table has chosen alone."""
        proof = Proof()
        committed = published or self.commitment
        if not committed:
            proof.faults.append(words.say("The record has no commitment to compare the seed with."))
        elif chance.commitment(self.seed) != committed:
            proof.faults.append(words.say(MISMATCH))
        else:
            proof.proven.append(words.say(MATCHES_GIVEN if published else MATCHES_OWN))
        if not published:
            proof.unproven.append(words.say(UNPUBLISHED))
        proof.unproven.append(words.say("Whether the table chose the seed: nobody else had a part in it."))
        return proof

    def _prove_epochs(self, published: str, words: Words) -> Proof:
        """Seeds in which the people at the table had a part."""
        proof = Proof()
        for epoch in self.epochs:
            if epoch.secret and epochs.commitment_of(self.table, epoch, epoch.secret) != epoch.commitment:
                proof.faults.append(words.say(MISMATCH))
            for party in epoch.parties:
                right = epochs.pledge(self.table, epoch, party, party.contribution) == party.pledge
                if party.contribution and not right:
                    proof.faults.append(words.say(NOT_PLEDGED, seats=party.label, ply=epoch.ply))
            proof.tell_epoch(epoch, words)
        if published and published not in {epoch.commitment for epoch in self.epochs}:
            proof.faults.append(words.say(MISMATCH))
        settled = {epoch.commitment for epoch in self.epochs if epoch.stage == "settled"}
        if not proof.faults:
            proof.proven.append(words.say(MATCHES_GIVEN if published in settled else MATCHES_OWN))
        if settled != {published}:  # what was given is of an attempt that was given up, or there are others
            proof.unproven.append(words.say(UNPUBLISHED))
        proof.unproven.append(words.say(SERVER_KNOWS))
        return proof

    def seed_at(self, ply: int) -> str:
        """What a draw at a ply comes from, as far as the record shows it."""
        if self.draws != epochs.METHOD:
            return self.seed
        epoch = epochs.governing(self.epochs, ply)
        return (
            epochs.derive_seed(self.table, epoch, epoch.secret) if epoch is not None and epoch.secret else ""
        )

    def stretches(self) -> list[tuple[int, int, int, int]]:
        """Of each draw its ply, the sum of all weights, where its outcome begins and how wide it lies there.

        With it, whoever has the seed can check a draw without knowing the rules.
        """
        game, found = swift_game(self.game), []
        for ply, (state, entry) in enumerate(zip(self.states(), self.entries, strict=False)):
            if entry.seat == CHANCE:
                outcomes, weights = chance.weigh_draw(game, state)
                at = outcomes.index(entry.move)
                found.append((ply, sum(weights), sum(weights[:at]), weights[at]))
        return found

    def _prove_draws(self, proof: Proof, words: Words) -> None:
        game, drawn = swift_game(self.game), 0
        for ply, (state, entry) in enumerate(zip(self.states(), self.entries, strict=False)):
            if entry.seat != CHANCE:
                continue
            drawn += 1
            seed = self.seed_at(ply)
            due = chance.draw(game, state, seed, ply) if seed else None
            if due != entry.move:
                right = "–" if due is None else self.game.write_move(due)
                wrong = self.game.write_move(entry.move)
                sentence = later("At ply {ply} the seed gives {right}, but the record has {wrong}.")
                proof.faults.append(words.say(sentence, ply=ply, right=right, wrong=wrong))
                return
        proof.proven.append(words.say("All draws follow from what was committed to: {n}.", n=drawn))


def is_name(text: str) -> bool:
    """Whether a text can be the name of a player: one line of letters that can be seen, without “/”."""
    if not text.strip(" ") or "/" in text or len(text) > LONGEST_NAME:
        return False
    alone = _JOINED.sub("", text)
    return alone.isprintable() and not _UNSEEN.search(alone) and not _PILED.search(alone)


def read_names(names: Iterable[str]) -> tuple[str, ...]:
    """The names of the players without blanks that do not matter; ValueError where one cannot be."""
    given = tuple(names)
    for name in given:
        if not is_name(name):
            shown = Typed(repr(name if len(name) <= LONGEST_NAME else f"{name[:20]}…"))
            raise Unreadable(
                later("A name is a line of 1 to {most} letters without “/”, not {name}."),
                most=LONGEST_NAME,
                name=shown,
            )
    return tuple(" ".join(name.split()) for name in given)


class _Reader:
    """Reads a record line by line and plays it while it reads."""

    def __init__(self, text: str, lang: str) -> None:
        self.lang, self.words = lang, Words(lang)
        self.lines = self._lines(text.removeprefix("\N{BYTE ORDER MARK}"))
        self.first = 1
        self.headers: dict[str, tuple[int, str]] = {}
        self.spelt = 0

    def read(self) -> Record:
        self.first, line = next(self.lines, (1, ""))
        if line != FIRST_LINE:
            raise self._error(self.first, later("A record begins with “{first}”."), first=FIRST_LINE)
        body = self._read_headers()
        record = self._open_record()
        state = self._play(record, body)
        self._check_result(record, state)
        return record

    def _error(self, number: int, sentence: str, /, **values: Any) -> RecordError:
        return RecordError(number, self.words.say(sentence, **values), self.lang)

    def _lines(self, text: str) -> Iterator[tuple[int, str]]:
        """The lines that say something, with their numbers and without blanks that do not matter."""
        for number, line in enumerate(text.splitlines(), 1):
            bare = line.strip()
            if bare and bare[0] != "#":
                if len(bare) > LONGEST_LINE:
                    raise self._error(
                        number,
                        later("A line has at most {most} letters, not {n}."),
                        most=LONGEST_LINE,
                        n=len(bare),
                    )
                yield number, " ".join(bare.split())

    def _read_headers(self) -> Iterable[tuple[int, str]]:
        """Everything up to the first entry; returns the rest."""
        for number, line in self.lines:
            name, colon, value = (part.strip() for part in line.partition(":"))
            if _ENTRY.fullmatch(name) or _EPOCH.fullmatch(name):
                return chain([(number, line)], self.lines)
            if not colon or not _HEADER.fullmatch(name):
                raise self._error(number, later("This is neither a header nor a move: “{line}”."), line=line)
            if len(self.headers) == MOST_HEADERS:
                raise self._error(number, later("A record has at most {most} headers."), most=MOST_HEADERS)
            name = self._known_header(number, name)
            if name in self.headers:
                raise self._error(number, later("The header “{name}” stands here a second time."), name=name)
            self.headers[name] = (number, value)
        return []

    def _known_header(self, number: int, name: str) -> str:
        """A header as we spell it; one that only looks like ours is a slip of the pen."""
        for known in HEADERS:
            if name.lower() == known.lower():
                return known
        if close := get_close_matches(name, HEADERS, 1, 0.8):
            sentence = later("There is no header “{name}”; is it “{close}”?")
            raise self._error(number, sentence, name=name, close=close[0])
        return name

    def _take_header(self, name: str, otherwise: str | None = None) -> tuple[int, str]:
        if name not in self.headers and otherwise is None:
            raise self._error(self.first, later("The header “{name}” is missing."), name=name)
        return self.headers.pop(name, (self.first, otherwise or ""))

    def _open_record(self) -> Record:
        number, value = self._take_header("Game")
        try:
            game = find_game(value.partition(" ")[0])
            self.words, plays = game.words(self.lang), f"{game.id} {game.version}"
            _demand(
                value == plays,
                later("This Mozaika plays {plays}, not “{value}”."),
                plays=plays,
                value=value,
            )
            number, value = self._take_header("Options", "")
            given = _split_options(value)
            options_number, options = number, game.read_options(given)
            number, value = self._take_header("Seats")
            names = value.split("/")
            game.start(len(names), options)
            seated = read_names(names)
            number, position = self._take_header("Position", "")
            record = Record(game, options, seated, position=position)
            if position:
                seats = int(record.start()["seats"])
                _demand(
                    seats == len(names),
                    later("The position is for {seats} seats, not {n}."),
                    seats=seats,
                    n=len(names),
                )
                number, fixed = options_number, game.options_of(record.start())
                for option, fact in fixed.items():
                    _demand(
                        given.get(option, fact) == fact,
                        later("The position was made with {option}={fact}, not {value}."),
                        option=option,
                        fact=fact,
                        value=given.get(option),
                    )
                record.options = game.read_options({**given, **fixed})
            number, record.draws = self._take_header("Draws", TOLD)
            known = (chance.METHOD, epochs.METHOD, TOLD)
            _demand(
                record.draws in known,
                later("Draws are {known} or {told}, not “{value}”."),
                known=", ".join(known[:-1]),
                told=TOLD,
                value=record.draws,
            )
        except RecordError:
            raise
        except ValueError as error:
            raise RecordError(number, self._said(error), self.lang) from None
        record.table = self._take_header("Table", "")[1]
        record.commitment = self._take_header("Commitment", "")[1]
        record.seed = self._take_header("Seed", "")[1]
        record.remarks = {name: value for name, (_, value) in self.headers.items() if name != "Result"}
        return record

    def _play(self, record: Record, body: Iterable[tuple[int, str]]) -> State:
        game, state = swift_game(record.game), record.start()
        for number, line in body:
            name, colon, value = (part.strip() for part in line.partition(" #")[0].partition(":"))
            if _EPOCH.fullmatch(name):
                self._read_epoch(record, number, name, value)
                continue
            seat = (
                CHANCE if name.lower() == "chance" else int(name) - 1 if _ENTRY.fullmatch(name) else WATCHER
            )
            if not colon or not (seat == CHANCE or 0 <= seat < record.seats):
                raise self._error(
                    number,
                    later("A move begins with a seat (1 to {seats}) or “chance:”, not “{name}”."),
                    seats=record.seats,
                    name=name,
                )
            for text in value.split(",") if seat == CHANCE else (value,):
                try:
                    move = self._read_move(game, state, seat, text.strip())
                except ValueError as error:
                    raise RecordError(number, self._said(error), self.lang) from None
                record.entries.append(Entry(seat, move))
                game.apply(state, seat, move)
        return state

    def _read_epoch(self, record: Record, number: int, name: str, value: str) -> None:
        ply, known = len(record.entries), record.draws == epochs.METHOD and len(record.epochs) <= MOST_EPOCHS
        if not known or not epochs.read_epoch_line(record.epochs, name, value, ply, record.seats):
            raise self._error(number, later("This cannot be said of an epoch here: “{name}”."), name=name)

    def _said(self, error: ValueError) -> str:
        return say_error(error, self.words)

    def _read_move(self, game: Game, state: State, seat: int, text: str) -> int:
        """Records are written in full; shortened moves are for hands, which do not write thousands."""
        move = game.read_full(state, seat, text, self.words)
        if move is None:
            moves = game.legal_moves(state, seat)
            self.spelt += len(moves)
            _demand(self.spelt <= MOST_SPELT, later("Too many moves are shortened here; write them in full."))
            move = game.read_short(text, moves, self.words)
        return move

    def _check_result(self, record: Record, state: State) -> None:
        number, value = self._take_header("Result", "")
        if not value:
            return
        if seats_in(record.game.movers(state)):
            raise self._error(number, later("The game is not over, so it has no result yet."))
        result = " ".join(map(str, record.game.points(state)))
        if value != result:
            sentence = later("The game ends {result}, not {value}.")
            raise self._error(number, sentence, result=result, value=value)


def _split_options(text: str) -> dict[str, str]:
    options: dict[str, str] = {}
    for pair in text.split():
        name, equals, value = pair.partition("=")
        _demand(bool(equals), later("An option is written name=value, not “{pair}”."), pair=pair)
        _demand(name not in options, later("The option {name} stands here twice."), name=name)
        options[name] = value
    return options


def _demand(fulfilled: bool, sentence: str, **values: Any) -> None:
    if not fulfilled:
        raise Unreadable(sentence, **values)
