"""Azul Duel boards drawn as text, so that a test reads as the picture in a rulebook.

Each of the six rows is a pattern line and a row of the dome, `RR | ky .. ?b`; a seventh row, if there is one,
is the broken tiles. In the dome a small letter is an empty space of that colour, ? an empty wild and o an
empty special space; a capital is a tile and * a special tile. Two rows of two such letters are a plate: the
first in the box that looks like this. Slots that the picture leaves empty get plates too, from the last slot
on, if the round wants them.
"""

from collections.abc import Callable, Iterator, Sequence
from random import Random

import numpy as np
import pytest

from mozaika import kernel
from mozaika.game import Game
from mozaika.games import GAMES
from mozaika.games.azul_duel import rules, setup
from mozaika.games.azul_duel.notation import write_move
from mozaika.games.azul_duel.pieces import (
    CHIP_LETTERS,
    CHIPS_OF_A_TYPE,
    DRAW,
    KIND,
    KINDS,
    LAST_PLATES,
    LETTERS,
    MOST_MOVES,
    PLATES,
    SPACES,
    SPECIAL,
    TILES_PER_COLOR,
    WILD,
    DuelOptions,
)
from mozaika.games.azul_duel.reading import read_position
from mozaika.moves import IllegalMove
from mozaika.state import CHANCE, State, copy_of, seats_in
from mozaika.table import Table

BARE = "\n".join(["- | .. .. .."] * 6)
"""A board without lines; its plates are those that the round wants."""

HOLDING = ("drawing", "look", "choice")
"""The phases in which a token is used and its plate not yet placed."""


class Duel(Table):
    """A table whose position can be read field by field."""

    @property
    def fields(self) -> dict[str, str]:
        """The fields of the position's text."""
        return dict(part.split(" ", 1) for part in self.position().split("; "))  # type: ignore[misc]

    def field(self, name: str) -> str:
        return self.fields[name]

    def refuses(self, text: str, seat: int | None = None) -> str:
        """The rule by which a move is refused; nothing changes."""
        before = self.state.tobytes()
        with pytest.raises(IllegalMove) as refusal:
            self.play(text, seat)
        assert self.state.tobytes() == before
        assert str(refusal.value)
        return refusal.value.rule


_buffer = np.zeros(MOST_MOVES, np.int32)


def swift() -> Game:
    """The game with its rules compiled: they are the same, and many games are played here."""
    with kernel.compiling():
        return kernel.swift_game(GAMES["azul_duel"])


def legal(state: State, seat: int) -> list[int]:
    """The legal moves of a seat; none for a watcher."""
    return [] if seat < 0 else _buffer[: swift().legal(state, seat, _buffer)].tolist()


def weights(state: State) -> dict[str, int]:
    """What CHANCE may draw and how likely each outcome is."""
    moves = [write_move(move) for move in legal(state, CHANCE)]
    total = rules.weigh(state, _buffer)
    drawn = dict(zip(moves, map(int, _buffer[: len(moves)]), strict=True))
    assert total == sum(drawn.values())
    return drawn


def walk(
    random: Random, options: DuelOptions | None = None, bold: float = 0.0
) -> Iterator[tuple[State, int, int]]:
    """A random game: each state with the seat that moves and its move, then the last state.

    `bold` is how often a player who may draw a plate draws one whatever else there is to do.
    """
    state, game = setup.new(2, options or DuelOptions()), swift()
    while mask := game.movers(state):
        seat = random.choice(seats_in(mask))
        moves = legal(state, seat)
        if seat == CHANCE:
            game.weigh(state, _buffer)
            move = random.choices(moves, _buffer[: len(moves)].tolist())[0]
        else:
            move = DRAW if DRAW in moves and random.random() < bold else random.choice(moves)
        yield state, seat, move
        state = copy_of(state)
        game.apply(state, seat, move)
    yield state, -1, -1


def duel(*boards: str, **fields: object) -> Duel:
    """A table in such a position, whether a game leads there or not, at which draws are told."""
    return table(read_position(position(*boards, **fields)))  # type: ignore[arg-type]


def table(state: State) -> Duel:
    """A table in such a state, at which draws are told."""
    opened = Duel("azul_duel", draws="told")
    opened.state = state
    return opened


def tiling(*boards: str, **fields: object) -> Duel:
    """A table at which the last chip has just been taken, so that these boards are tiled."""
    at = duel(*boards, chips="B - - -", chosen=(2, 1), turn=2, **fields)  # type: ignore[arg-type]
    at.play("chip F1")
    return at


def position(
    *boards: str,
    round: int = 0,  # noqa: A002
    phase: str = "acquire",
    objectives: str = "rows columns diagonals",
    starter: int = 1,
    turn: int = 1,
    marker: str = "large",
    dealt: int = 21,
    sun: Sequence[str] = (),
    moon: Sequence[str] = (),
    chips: str = "",
    chosen: tuple[int, int] | None = None,
    tokens: tuple[int, int] = (0, 0),
    scores: tuple[int, int] = (5, 5),
    store: tuple[str, str] = ("-", "-"),
    tower: str = "-",
    bag: str = "",
    shown: str = "",
    top: str = "",
    unseen: str = "",
    hand: str = "-",
    under: str = "-",
    **more: str,
) -> str:
    """The text of a position; what is not said here follows from the rest.

    Tiles that are nowhere else are in the bag (or, if the bag is given, in the tower), plates are
    unseen, chips
    spent.
    The round is the first from the second on with as many plates as are drawn.
    """
    rows = [[row.strip() for row in board.strip().splitlines()] for board in (*boards, BARE, BARE)[:2]]
    domes = ["".join(row.split("|")[1].replace(" ", "") for row in board[:6]) for board in rows]
    drawn = max(sum(dome[12 * (s // 3) + 2 * (s % 3)] != "." for s in range(9)) for dome in domes)
    number = round or next(n for n in range(2, LAST_PLATES + 1) if 1 + 2 * n - min(tokens) >= drawn)
    used = [2 - left if number <= LAST_PLATES else 0 for left in tokens]
    wanted = [1 + 2 * min(number - 1, LAST_PLATES) + used[seat] for seat in range(2)]
    if phase in HOLDING:
        wanted[turn - 1] -= 1
    free = [n for n in range(1, PLATES + 1) if not _mentions(n, shown, unseen, hand, under)]
    slots = [_find_plates(dome, free) for dome in domes]
    for seat in range(2):
        for slot in reversed(range(9)):
            if slots[seat][slot] == "-" and sum(plate != "-" for plate in slots[seat]) < wanted[seat]:
                slots[seat][slot] = f"{free.pop(0)}t0"
    if not shown:
        display = [str(free.pop(0)) for _ in range(max(0, 3 - sum(used))) if free and number <= LAST_PLATES]
        shown = " ".join([*display, *["-"] * (3 - len(display))])
    unseen = unseen or " ".join(map(str, free)) or "-"
    top = top or ("-" if unseen == "-" or phase in HOLDING else KINDS[KIND[int(unseen.split()[0])]])
    sun = [*sun, *["-"] * (5 - len(sun))]
    moon = [*moon, *["-"] * (5 - len(moon))]
    chips = chips or " ".join("?" if sun[n] + moon[n] != "--" else "-" for n in range(4))
    taken = 4 - sum(chip != "-" for chip in chips.split())
    chosen = chosen or ((taken + 1) // 2, taken // 2)
    spent = _spend(chips, store, [2 * (number - 1) + n for n in chosen])
    fields = {
        "azul_duel": "2",
        "objectives": objectives,
        "round": str(number),
        "phase": phase,
        "starter": str(starter),
        "turn": str(turn),
        "marker": marker,
        "dealt": str(dealt),
        "sun": " ".join(sun),
        "moon": " ".join(moon),
        "chips": chips,
        "top": top,
        "unseen": unseen,
        "shown": shown,
        "hand": hand,
        "under": under,
        "score": _both(str, scores),
        "points": _both(lambda score: f"{max(0, score - 5)} 0 0 {max(0, 5 - score)}", scores),
        "tokens": _both(str, tokens),
        "chosen": _both(str, chosen),
        "store": _both(str, store),
        "spent": _both(str, spent),
        "lines": _both(lambda board: " ".join(row.split("|")[0].strip() for row in board[:6]), rows),
        "domes": _both(" ".join, slots),
        "tiles": _both(_write_tiles, domes),
        "broken": _both(lambda board: board[6] if len(board) > 6 else "-", rows),
        **more,
    }
    visible = "".join(fields[key] for key in ("sun", "moon", "lines", "tiles", "broken"))
    kept = {part[0]: int(part[1:]) for text in (tower, bag) for part in text.split() if part != "-"}
    rest = {letter: TILES_PER_COLOR - visible.count(letter) - kept.get(letter, 0) for letter in LETTERS}
    left = " ".join(f"{letter}{n}" for letter, n in rest.items() if n) or "-"
    fields["bag"], fields["tower"] = (bag, left) if bag else (left, tower)
    return "; ".join(f"{key} {value}" for key, value in fields.items())


def _both(write: Callable[..., str], values: Sequence[object]) -> str:
    return " / ".join(write(value) for value in values)


def _mentions(plate: int, *texts: str) -> bool:
    return any(str(plate) == part.split("@")[0] for text in texts for part in text.split())


def _find_plates(dome: str, free: list[int]) -> list[str]:
    """The plates of a drawn dome, taken from the free ones."""
    slots = []
    for slot in range(9):
        first = slot // 3 * 12 + slot % 3 * 2
        drawn = [dome[space] for space in (first, first + 1, first + 6, first + 7)]
        if set(drawn) == {"."}:
            slots.append("-")
            continue
        fitting = (
            (plate, turn)
            for plate in free
            for turn in range(4)
            if all(
                _shows(int(space), letter) for space, letter in zip(SPACES[plate, turn], drawn, strict=True)
            )
        )
        plate, turn = next(fitting, (0, 0))
        assert plate, f"no plate left that shows {drawn}"
        free.remove(plate)
        slots.append(f"{plate}t{turn}")
    return slots


def _shows(space: int, letter: str) -> bool:
    if letter in "?o*":
        return space == (WILD if letter == "?" else SPECIAL)
    return space == LETTERS.index(letter.upper()) or (letter.isupper() and space == WILD)


def _write_tiles(dome: str) -> str:
    tiles = "".join(letter if letter in LETTERS + "*" else "." for letter in dome)
    return " ".join(tiles[6 * row : 6 * row + 6] for row in range(6))


def _spend(chips: str, store: Sequence[str], owned: Sequence[int]) -> list[str]:
    """So many chips that everybody has taken as many as the round wants."""
    used = [*chips.split(), *store[0].split(), *store[1].split()]
    rest = [name for name in CHIP_LETTERS for _ in range(CHIPS_OF_A_TYPE - used.count(name))]
    spent = []
    for seat in range(2):
        number = owned[seat] - sum(name != "-" for name in store[seat].split())
        spent.append(" ".join(rest.pop() for _ in range(number)) or "-")
    return spent


BOTH_CHIPS = {"chips": "- - - -", "chosen": (2, 2)}
"""The chips of a round are taken, so that the last tile or plate ends it."""


def new(**options: str) -> Duel:
    return Duel("azul_duel", draws="told", **options)


def with_plates(starter: str = "1") -> Duel:
    """A first game with plates on display, before a tile is dealt."""
    at = new(start=starter, objectives="first_game")
    at.draw("back special, face 1, back wild, face 2, back special, face 5, back wild")
    return at


def set_up(starter: str = "1") -> Duel:
    """A first round with these plates on display, in which the second player is to choose."""
    at = with_plates(starter)
    at.draw("blue, blue, red, black, yellow")
    at.draw(", ".join(["blue, yellow, red, black"] * 4))
    return at


def acquiring() -> Duel:
    """The first turn of a first round."""
    at = set_up()
    at.play("plate 1 >s1 turn 0")
    at.draw("face 3, back special")
    at.play("plate 2 >s9 turn 1")
    at.draw("face 7, back wild")
    return at


def empty(lines: str = "- - - - - -", broken: str = "") -> str:
    """A board with these lines and no plates but those that the round wants."""
    return "\n".join(f"{line} | .. .. .." for line in lines.split()) + (f"\n{broken}" if broken else "")


NO_RED = """
    - | yk yb ot
    - | to ko yb
    - | .. .. ..
    - | .. .. ..
    - | .. .. ..
    - | .. .. ..
"""


def on_row(line: str, one: str, two: str, number: int = 2) -> str:
    """A board with one pattern line, and its dome row and the row above or below as they are drawn."""
    rows = ["- | .. .. .."] * 6
    first = (number - 1) // 2 * 2
    rows[first], rows[first + 1] = f"- | {one}", f"- | {two}"
    rows[number - 1] = rows[number - 1].replace("- |", f"{line} |", 1)
    return "\n".join(rows)


def choice_state() -> np.void:
    """A state in which line 6 of the first seat is to be completed or not; its row has a wild space."""
    at = tiling(on_row("YYYYY", "tr .. ..", "b? .. ..", 6), store=("Y Y", "-"))
    assert at.state["next_line"][0] == 5
    return at.state.copy()
