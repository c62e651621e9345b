"""The contract: what a game is. Everything else talks to games through this page, and it knows no game.

A game is a record of functions. The six *rules* (`movers`, `legal`, `weigh`, `apply`, `scores`, `ranks`)
work in place on one NumPy record and are compiled on demand (see `kernel`); the rest is ordinary Python.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Self, TypeAlias

import numpy as np

from mozaika.features import Features
from mozaika.given import whole_number
from mozaika.judgement import Judgement
from mozaika.lesson import Lesson, find_lessons
from mozaika.moves import IllegalMove, find_shortened, tidy_move
from mozaika.options import BadOption, Drawing, Options, read_options, read_seats, write_options
from mozaika.rating import Rating, Ratings, read_ratings
from mozaika.scene import Glimpse, Scene, Shape, Walk
from mozaika.sentence import Hindsight, Sentence, Suggestion
from mozaika.stages import Stages
from mozaika.state import CHANCE, Ints, Random, State, per_seat
from mozaika.thought import LEVELS, Budget, Thought
from mozaika.words import Words, later, read_rules

USUAL: Any = None
"""What a game leaves open: the shelf fills in what is usual (see `defaults`), so nobody else meets it."""

Bot: TypeAlias = Callable[["Game", State, int, Random, Budget | None], Thought]
"""Chooses a move for a seat from the seat's view; what the seat cannot know it has to guess. Without a budget
it takes the time of its level.
"""


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
    drawings: Mapping[str, Drawing] = field(default_factory=dict)
    """For an option that is a Grid: how it can be painted."""
    orders: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """For an option that is a Line of letters in an order: the letters there are, and their names."""
    scoring: tuple[str, ...] = ()
    """The rules that say how points are made, by their ids."""
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
    suggest: Callable[[State, int, int, tuple[str, ...], Words], Suggestion] = USUAL
    """A legal move of a seat in its view, with the players' names, as advice: what to do, and what speaks for
    and against it. Usually the move as it is written.
    """
    tally: Callable[[State, Words], list[tuple[str, list[int]]]] = USUAL
    """Where the points came from: a name for each source and the points of every seat. Usually one."""
    verdict: Callable[[State, Words], str] = lambda *_: ""
    """How a game has ended, where there is more to say than who has won; else nothing."""
    sketch: Callable[[State, tuple[str, ...], Words], str]
    """A view as text, with the players' names; colours are console mark-up: `[#3A86C8]B[/]`."""
    letters: Mapping[str, str] = field(default_factory=dict)
    """What the letters of a sketch stand for, where they are initials of English words."""
    scene: Callable[[State, int, tuple[str, ...], Words, Shape], Scene] = USUAL
    """A view as a scene for one seat, with the players' names. Usually the sketch, and a spot for each move
    below it.
    """
    glimpse: Callable[[State, int, int, Shape], Glimpse | None] | None = None
    """What a move of a seat lets be seen before it is done, such as a line that leaves the board."""
    move_along: Callable[[State, int, tuple[str, ...]], int] = USUAL
    """The move that a walk of a seat over these spots would mean in a view, legal or not; ValueError if it
    means none.
    """
    walks_from: Callable[[State, int, tuple[str, ...], Shape], Sequence[Walk]] | None = None
    """Where a scene tells only how walks begin: at least a seat's walks that begin with these spots."""
    spots_of: Callable[[State, int, int], tuple[str, ...]] | None = None
    """For such a scene: the spots of a legal move of a seat."""

    boxes: Callable[[State, int, int, tuple[str, ...], Shape], Sequence[tuple[float, ...]]] | None = None
    """For a view and its viewer: where the places of a sentence about a seat lie in the scene,
    each as x, y, width and height."""

    allows: Callable[[State, int, int], bool] | None = None
    """For a seat of the table: whether a move is legal, where listing thousands of them takes longer."""

    stages: Stages | None = None
    """How a move falls into a sequence of choices."""
    features: Features | None = None
    """What a seat sees, as numbers for programs that learn."""

    judgement: Judgement = field(default_factory=Judgement)
    """What it can tell searches about playing well."""
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

    def words(self, lang: str = "en", *, to_you: bool = False) -> Words:
        """What this game says in a language; with `to_you` also as it is said to whom it is about."""
        return _words_of(self, lang, to_you)

    def title(self, lang: str = "en") -> str:
        """What it is called in a language."""
        return self.words(lang).translate(self.name)

    def rulebook(self, lang: str = "en") -> str:
        """The rules in our own words, as Markdown with a rule id in front of each; pictures are positions.

        In English where nobody has translated them; where nobody has written them, that is said.
        """
        return read_rules(self.folder, self.words(lang), self.title(lang))

    def lessons(self, lang: str = "en") -> tuple[Lesson, ...]:
        """A first game, step by step; perhaps none."""
        return find_lessons(self.folder, lang)

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
        return read_options(self.options, given, self.name, self.labels)

    def write_options(self, options: Options) -> dict[str, str]:
        """Every option and its value, as texts."""
        return write_options(self._own(options))

    def _own(self, options: Options) -> Options:
        if isinstance(options, self.options):
            return options
        raise TypeError(f"The options of {self.name} are made by read_options, not {options!r}.")

    def start(self, seats: int, options: Options) -> State:
        """The state before anything is drawn, for a number of seats that fits."""
        return self.new(read_seats(seats, self.seats, self.name), self._own(options))

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

    def points(self, state: State) -> list[int]:
        """The points of each seat."""
        return per_seat(self.scores, state)

    def places(self, state: State) -> list[int]:
        """The place of each seat."""
        return per_seat(self.ranks, state)

    def read(self, state: State, seat: int, text: str, words: Words) -> int:
        """The legal move a text means for a seat, or a MoveError that says why there is none.

        The full text of a move always works. So does any shortened one that fits exactly one legal move,
        word by word: `f3 bla 4` for `F3 black >4`.
        """
        move = self.read_full(state, seat, text, words)
        return self.read_short(text, self.legal_moves(state, seat), words) if move is None else move

    def read_full(self, state: State, seat: int, text: str, words: Words) -> int | None:
        """The same for a text in full; None where it may be a shortened one."""
        typed = tidy_move(text, words)
        try:
            move = self.parse_move(typed)
        except ValueError:
            return None
        if self.is_legal(state, seat, move):
            return move
        raise IllegalMove(*self.refuse(state, seat, move, words))

    def read_short(self, text: str, moves: Iterable[int], words: Words) -> int:
        """The one of these moves that a text shortens."""
        return find_shortened(text, moves, self.write_move, words)

    def refuse(self, state: State, seat: int, move: int, words: Words) -> tuple[str, str]:
        """Why a move is not legal: a sentence, and the id of the rule."""
        reason = self.why_not(state, seat, move)
        return words.say(self.refusals[reason]), reason.partition(" ")[0]


@lru_cache(maxsize=256)
def _words_of(game: Game, lang: str, to_you: bool) -> Words:
    return Words(lang, game.folder and game.folder / "words", to_you=to_you)
