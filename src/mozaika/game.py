"""The contract: what a game is. Everything else talks to games through this page, and it knows no game.

A game is a record of functions. The six *rules* (`movers`, `legal`, `weigh`, `apply`, `scores`, `ranks`)
work in place on one NumPy record and are compiled on demand (see `kernel`); the rest is ordinary Python.
Seats count from 0 in code, as arrays do, and from 1 in every text, as people do.
"""

import operator
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from math import inf
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, Literal, NamedTuple, Self, TypeAlias, get_args, get_origin, get_type_hints

import msgspec
import numpy as np
from numpy.typing import NDArray

from mozaika.rating import Rating, Ratings, read_ratings
from mozaika.scene import Scene, Shape, Walk
from mozaika.stages import Stages
from mozaika.words import Translatable, Words, later

CHANCE = 15
"""The seat that draws tiles, cards, plates and chips."""

WATCHER = -1
"""Whoever looks on without a seat."""

State: TypeAlias = np.void
"""One record of the game's dtype: `state["wall"][seat, row]`."""

Ints: TypeAlias = NDArray[np.int32]
"""A buffer of moves, weights, points or ranks."""

USUAL: Any = None
"""What a game leaves open: the shelf fills in what is usual (see `defaults`), so nobody else meets it."""

Floats: TypeAlias = NDArray[np.floating[Any]]
"""A buffer of what searches expect."""

Random: TypeAlias = NDArray[np.uint64]
"""The state of a small random generator for searches: one number. Games at a table never use it."""

Bot: TypeAlias = Callable[["Game", State, int, Random, "Budget | None"], "Thought"]
"""Chooses a move for a seat from the seat's view; what the seat cannot know it has to guess. Without a budget
it takes the time of its level.
"""

LEVELS = ("beginner", "casual", "club", "expert", "champion")
"""The opponents that every game has, the weakest first. A game may have other bots to measure them by."""

LONGEST_MOVE = 200
"""No text of a move has more letters."""

MOST_NODES = 2_000_000
"""No bot looks at more for one move, however much time it has."""


@dataclass(frozen=True)
class Budget:
    """How long a bot may think. Whichever limit comes first ends the search."""

    nodes: int = 20_000
    milliseconds: float = 1_000.0

    def __post_init__(self) -> None:
        if whole_number("A number of nodes", self.nodes) < 1:
            raise ValueError(f"A bot looks at one node or more, not at {self.nodes}.")
        if not isinstance(self.milliseconds, int | float) or not self.milliseconds > 0:
            raise ValueError(f"A bot thinks for more than 0 milliseconds, not for {self.milliseconds!r}.")
        if self.nodes > MOST_NODES:
            raise ValueError(
                f"A bot looks at no more than {MOST_NODES:,} nodes for a move, not {self.nodes:,}."
            )

    @classmethod
    def of(cls, nodes: int | None, milliseconds: float | None) -> "Budget | None":
        """The limits that are given and no other; nothing where none is, for the time of the bot's level."""
        if nodes is None and milliseconds is None:
            return None
        return cls(nodes or MOST_NODES, inf if milliseconds is None else milliseconds)


@dataclass(frozen=True)
class Thought:
    """What a bot has come to: its move, and what it expects. Only `move` is always there."""

    move: int
    shares: tuple[float, ...] = ()
    """The share of the victory that each seat can expect, from 0 to 1."""
    points: tuple[float, ...] = ()
    """The points that each seat can expect to end with."""
    line: tuple[tuple[int, int], ...] = ()
    """What is likely to happen, as seats and moves, this move first."""
    nodes: int = 0
    """How much it has looked at."""


Line: TypeAlias = Annotated[str, msgspec.Meta(max_length=100)]
"""An option that is a short text, such as `1234`; blanks in it do not matter."""

Grid: TypeAlias = Annotated[str, msgspec.Meta(max_length=4_000)]
"""An option that is drawn in letters: rows of squares with a new line or / between them.

Blanks do not matter, and any number of empty rows is one; it is kept with / and without blanks.
"""


class Options(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What can be chosen before a game; each game has its own."""


class BadOption(Translatable, ValueError):
    """An option that does not fit."""


class Sentence(msgspec.Struct, frozen=True):
    """Something that happened, for people: the rule that made it so, and the points it brought."""

    text: str
    rule: str
    seat: int = CHANCE
    points: int = 0


class Hindsight(NamedTuple):
    """A part of a game, the points of each seat, and how many each could have had at least."""

    sentence: str
    values: Mapping[str, Any]
    """What fills the blanks of the sentence."""
    made: list[int]
    possible: list[int]

    def name(self, words: Words) -> str:
        """What the part is called."""
        return words.say(self.sentence, **self.values)


class MoveError(ValueError):
    """A move that cannot be played; its message is a sentence for the player."""


class UnknownMove(MoveError):
    """The text is no move of this game."""


class IllegalMove(MoveError):
    """A move of this game, but not now; `rule` is the id of the rule that forbids it."""

    def __init__(self, sentence: str, rule: str) -> None:
        super().__init__(sentence)
        self.rule = rule

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self), self.rule)


class AmbiguousMove(MoveError):
    """A text that could mean several legal moves, listed in `candidates`."""

    def __init__(self, sentence: str, candidates: tuple[str, ...]) -> None:
        super().__init__(sentence)
        self.candidates = candidates

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self), self.candidates)


@dataclass(frozen=True, kw_only=True)
class Net:
    """What the net of an appraisal looks at, for who fits it.

    Its weights lie beside the game, in `weights.npz`: for each kind of position the `layer` by feature and
    unit, the `start` and the `out` of each unit, and the `spread` of the points at each time.
    """

    look_at: Callable[[State, int, Floats], None]
    """Adds up the features of a seat: in an array with room for all of them, one by one. Compiled."""
    features: int
    units: int
    kinds: int = 1
    kind: Callable[[State], int] = lambda _: 0
    """Which weights a position has."""
    times: int = 1
    time: Callable[[State], int] = lambda _: 0
    tied: bool = False
    """Whether all units but the first have the same weights in every kind of position."""
    points: bool = True
    """Whether it tells the points that are still to come, or only who will win."""
    before_draws: bool = False
    """Whether a search asks it only before draws."""


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class Game:
    """One game of the shelf. There is one of each: it is pickled as its id, and never copied.

    What stands here without a value has to be there; the shelf fills in what is USUAL.
    """

    id: str
    name: str
    version: int = 1
    """Rises when an old log would replay differently."""
    sentence: str = ""
    """What the game is about."""
    seats: range
    options: type[Options] = Options
    labels: Mapping[str, str] = field(default_factory=dict)
    """Plain words for the names of the options and for their values."""
    hints: Mapping[str, str] = field(default_factory=dict)
    """For an option that is a Line or a Grid: how to write it."""
    unsaid: tuple[str, ...] = ()
    """Options that came after games had been recorded: a record names them where they are not as usual."""
    variants: tuple[Mapping[str, str], ...] = ({},)
    """Options that make different games of it, the usual one first: what is tested and measured apart."""
    state: np.dtype[np.void]
    """The type of the state record; its field `seats` says how many play."""
    most_moves: int
    """No seat ever has more legal moves than this; the size of a buffer for `legal`."""

    new: Callable[[int, Any], State]
    """The state before anything is drawn; a BadOption where the options do not fit."""
    options_of: Callable[[State], Mapping[str, str]] = lambda _: {}
    """The options that a state was made with and that still matter. Usually none."""
    movers: Callable[[State], int]
    """Bit mask of the seats that may act, CHANCE among them; 0 when the game is over."""
    legal: Callable[[State, int, Ints], int]
    """Fills the buffer with the legal moves of a seat, ascending; returns how many."""
    weigh: Callable[[State, Ints], int] = USUAL
    """Fills the buffer with the weight of each legal outcome of CHANCE; returns their sum. Usually each is as
    likely.
    """
    apply: Callable[[State, int, int], None]
    """Plays a legal move in place. It trusts: `read` checks."""
    scores: Callable[[State, Ints], None]
    ranks: Callable[[State, Ints], None] = USUAL
    """Places from 1; seats that share a place have the same number. Usually by points."""

    why_not: Callable[[State, int, int], str] = lambda *_: ""
    """The id of the rule that forbids a move; nothing where no rule is named."""
    refusals: Mapping[str, str] = field(default_factory=lambda: {"": later("This move is not possible now.")})
    """The sentence for each id that `why_not` may give; a word behind an id tells its sentences apart."""
    hide: Callable[[State, int], State] = USUAL
    """What a seat (or a WATCHER) may know, built up from nothing. Usually all; who hides something
    also has to `guess` and to `tell`.
    """
    guess: Callable[[State, int, Random], State] = USUAL
    """A complete state that fits the view of a seat, what the seat cannot know being sampled."""

    write_move: Callable[[int], str]
    parse_move: Callable[[str], int]
    """The move of exactly this text; ValueError where there is none."""
    write_position: Callable[[State], str]
    parse_position: Callable[[str], State]
    """ValueError with a sentence where the text is no possible position."""

    tell: Callable[[State, int, int, int, Words], list[Sentence]] = USUAL
    """What a move does in this state, as sentences for a viewer: a seat, a WATCHER, or CHANCE, who sees all.
    Nothing for a draw that needs no words. Usually the move as it is written, and the points it brings.
    """
    tally: Callable[[State, Words], list[tuple[str, list[int]]]] = USUAL
    """Where the points came from: a name for each source and the points of every seat. Usually one."""
    verdict: Callable[[State, Words], str] = lambda *_: ""
    """How a game has ended, where there is more to say than who has won; else nothing."""
    sketch: Callable[[State, tuple[str, ...], Words], str]
    """A view as text, with the players' names; colours are console mark-up: `[#3A86C8]B[/]`."""
    scene: Callable[[State, int, tuple[str, ...], Words, Shape], Scene] = USUAL
    """A view as a scene for one seat, with the players' names. Usually the sketch, and a spot for each move
    below it.
    """
    move_along: Callable[[tuple[str, ...]], int] = USUAL
    """The move that a walk over these spots would mean, legal or not; ValueError if it means none."""
    walks_from: Callable[[State, int, tuple[str, ...], Shape], Sequence[Walk]] | None = None
    """Where a scene tells only how walks begin: at least a seat's walks that begin with these spots."""
    spots_of: Callable[[State, int, int], tuple[str, ...]] | None = None
    """For such a scene: the spots of a legal move of a seat."""

    allows: Callable[[State, int, int], bool] | None = None
    """For a seat of the table: whether a move is legal, where listing thousands of them takes longer."""

    stages: Stages | None = None
    """How a move falls into a sequence of choices."""

    appraise: Callable[[State, Floats, Floats], None] | None = None
    """For searches: fills in the share of the victory and the points that each seat can expect. Compiled."""
    rate: Callable[[State, int, Ints, int, Floats], None] | None = None
    """For searches: fills in how good each of so many legal moves of a seat looks at first sight; one more
    makes a move e times as likely. Compiled.
    """
    candidates: Callable[[State, int, Ints], int] | None = None
    """For searches: like `legal`, without moves that are hardly ever the best. Compiled."""
    net: Net | None = None
    """For `mozaika fit`: what its appraisal looks at, where that is a net."""
    promise: Callable[[State, int], int] | None = None
    """For `greedy`: how good things look for a seat that has just moved. Compiled."""
    bots: Mapping[str, Bot] = USUAL
    """Usually `random`, and two levels that play games to their end at random."""
    hindsight: Callable[[State, Sequence[tuple[int, int]]], list[Hindsight]] | None = None
    """For a game from its first state and its entries (seat, move): what knowing all draws would have made
    possible, part by part; None where nobody can tell.
    """
    folder: Path | None = None
    """Where its words, its rulebook and its ratings lie; English only and without them where it has none."""

    def __repr__(self) -> str:
        return f"<Game {self.id} {self.version}>"

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, _: object) -> Self:
        return self

    def words(self, lang: str = "en") -> Words:
        """What this game says in a language."""
        return Words(lang, self.folder and self.folder / "words")

    def rulebook(self, lang: str = "en") -> str:
        """The rules in our own words, as Markdown with a rule id in front of each; pictures are positions.

        In English where nobody has translated them; where nobody has written them, that is said.
        """
        words, folder = self.words(lang), self.folder or Path()
        for name in (f"rules.{words.lang}.md", "rules.en.md") if self.folder else ():
            if (book := folder / "words" / name).exists():
                return book.read_text("utf-8")
        missing = words.say("Nobody has written down the rules of {game} here yet.", game=self.name)
        return f"# {self.name}\n\n{missing}\n"

    def demand(self, bot: str, *parts: str) -> None:
        """ValueError with a sentence where a bot needs a part that this game does not have."""
        for part in parts:
            if getattr(self, part) is None:
                raise ValueError(f"{self.name} has no `{part}`, and {bot} needs it.")

    @property
    def levels(self) -> tuple[str, ...]:
        """The bots that are opponents for people, the weakest first."""
        return tuple(level for level in LEVELS if level in self.bots)

    def ratings(self) -> Ratings | None:
        """How strong its bots were measured to be; None where nobody has measured."""
        return read_ratings(self.folder) if self.folder else None

    def rating(self, bot: str) -> Rating | None:
        """How strong a bot was measured to be; None where nobody has measured."""
        ratings = self.ratings()
        return next((each for each in ratings.bots if each.bot == bot), None) if ratings else None

    def read_options(self, given: Mapping[str, Any] = MappingProxyType({})) -> Options:
        """Options from their names and values, the values as texts or as what they mean."""
        if not isinstance(given, Mapping):
            raise TypeError(f"Options are given as names and values, not as {given!r}.")
        hints = get_type_hints(self.options, include_extras=True)
        values: dict[str, Any] = {}
        for name, value in given.items():
            if name not in hints:
                raise BadOption(
                    later("{game} has no option {name}; it has {known}."),
                    game=self.name,
                    name=repr(name),
                    known=", ".join(hints),
                )
            choices = get_args(hints[name]) if get_origin(hints[name]) is Literal else ()
            values[name] = str(value) if choices and all(isinstance(c, str) for c in choices) else value
            if hints[name] in (Line, Grid):
                values[name] = _tidy(str(value)) if hints[name] == Grid else "".join(str(value).split())
                if len(values[name]) > (most := hints[name].__metadata__[0].max_length):
                    raise BadOption(later("“{option}” has more than {most} letters."), option=name, most=most)
            if choices and values[name] not in choices:
                raise BadOption(
                    later("{name} is one of {known}, not {value}."),
                    name=name,
                    known=", ".join(map(str, choices)),
                    value=repr(value),
                )
        try:
            return msgspec.convert(values, self.options, strict=False)
        except msgspec.ValidationError as error:
            sentence = later("These options do not fit {game}: {error}")
            raise BadOption(sentence, game=self.name, error=error) from None

    def write_options(self, options: Options) -> dict[str, str]:
        """Every option and its value, as texts."""
        return {name: str(value) for name, value in msgspec.structs.asdict(self._own(options)).items()}

    def start(self, seats: int, options: Options) -> State:
        """The state before anything is drawn, for a number of seats that fits."""
        if whole_number("How many play", seats) not in self.seats:
            least, most = self.seats[0], self.seats[-1]
            one, several = (
                later("{game} is for {least} players, not {seats}."),
                later("{game} is for {least} to {most} players, not {seats}."),
            )
            sentence, given = one if least == most else several, repr(seats)
            raise BadOption(sentence, game=self.name, least=least, most=most, seats=given)
        return self.new(int(seats), self._own(options))

    def _own(self, options: Options) -> Options:
        if isinstance(options, self.options):
            return options
        raise TypeError(f"The options of {self.name} are made by read_options, not {options!r}.")

    def kinds(self) -> list[tuple[int, Mapping[str, str]]]:
        """Each variant with each number of seats that it is for."""
        found = []
        for variant in self.variants:
            for seats in self.seats:
                try:
                    self.start(seats, self.read_options(variant))
                except BadOption:
                    continue
                found.append((seats, variant))
        return found

    def legal_moves(self, state: State, seat: int) -> list[int]:
        """The legal moves of a seat as a list; none for somebody who does not sit at the table."""
        if not isinstance(state, np.void) or state.dtype != self.state:
            raise TypeError(f"A state of {self.name} is a record of its own type, not {state!r}.")
        if seat != CHANCE and not 0 <= whole_number("A seat", seat) < state["seats"]:
            return []
        buffer = np.empty(self.most_moves, np.int32)
        found: list[int] = buffer[: self.legal(state, seat, buffer)].tolist()
        return found

    def is_legal(self, state: State, seat: int, move: int) -> bool:
        """Whether a seat may make a move."""
        if self.allows is None or not 0 <= seat < state["seats"]:
            return move in self.legal_moves(state, seat)
        return self.allows(state, seat, move)

    def read(self, state: State, seat: int, text: str, words: Words) -> int:
        """The legal move a text means for a seat, or a MoveError that says why there is none.

        The full text of a move always works. So does any shortened one that fits exactly one legal move,
        word by word: `f3 bla 4` for `F3 black >4`.
        """
        move = self.read_full(state, seat, text, words)
        return self.read_short(text, self.legal_moves(state, seat), words) if move is None else move

    def read_full(self, state: State, seat: int, text: str, words: Words) -> int | None:
        """The same for a text in full; None where it may be a shortened one."""
        if len(text) > LONGEST_MOVE:
            raise UnknownMove(words.say("No move has more than {most} letters.", most=LONGEST_MOVE))
        try:
            move = self.parse_move(" ".join(some_text("A move", text).split()))
        except ValueError:
            return None
        if self.is_legal(state, seat, move):
            return move
        raise IllegalMove(*self.refuse(state, seat, move, words))

    def refuse(self, state: State, seat: int, move: int, words: Words) -> tuple[str, str]:
        """Why a move is not legal: a sentence, and the id of the rule."""
        reason = self.why_not(state, seat, move)
        return words.say(self.refusals[reason]), reason.partition(" ")[0]

    def read_short(self, text: str, moves: Iterable[int], words: Words) -> int:
        """The one of these moves that a text shortens. All are spelt, so thousands take a while."""
        typed, meant = _split(text), dict[str, int]()
        for move in moves:
            full = self.write_move(move)
            if typed and typed[0] in full.lower() and _shortens(typed, _split(full)):
                meant[full] = move
        if len(meant) == 1:
            return next(iter(meant.values()))
        if not meant:
            raise UnknownMove(words.say("There is no move “{text}” now.", text=text))
        some = ", ".join(islice(meant, 4)) + (", …" if len(meant) > 4 else "")
        raise AmbiguousMove(words.say("“{text}” could be {some}.", text=text, some=some), tuple(meant))


def whole_number(name: str, value: Any) -> int:
    """A whole number that somebody has given; a TypeError with a sentence where it is none."""
    try:
        return operator.index(value)
    except TypeError:
        raise TypeError(f"{name} is a whole number, not {value!r}.") from None


def some_text(name: str, value: Any) -> str:
    """A text that somebody has given; a TypeError with a sentence where it is none."""
    if not isinstance(value, str):
        raise TypeError(f"{name} is a text, not {value!r}.")
    return value


def seats_in(mask: int) -> list[int]:
    """The seats of a bit mask, ascending."""
    return [seat for seat in range(CHANCE + 1) if mask >> seat & 1]


def _tidy(drawn: str) -> str:
    rows = ("".join(row.split()) for row in re.split(r"[/\n]", drawn))
    return re.sub("/{3,}", "//", "/".join(rows)).strip("/")


def _split(text: str) -> list[str]:
    return text.lower().replace(">", " ").split()


def _shortens(typed: list[str], full: list[str]) -> bool:
    """Whether the typed words begin words of the full text, in their order."""
    rest = iter(full)
    return all(any(word.startswith(part) for word in rest) for part in typed)
