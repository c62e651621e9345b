"""Texts that are made to be hard to refuse are refused at once, by every game."""

from collections.abc import Callable
from contextlib import suppress
from itertools import islice
from time import process_time

import pytest

from kinds import KINDS, Kind, some_state
from mozaika.game import Game, seats_in
from mozaika.games import GAMES

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
MOVE, POSITION = 400, 8_000
"""How many letters a text has."""
ENDINGS = ("a", "a ", "B", "B ", "b,", "1", "1 ", "12,", " ", "-", ">", "/", "?", "é", "a1", "1=", "; ")
"""What is repeated up to that length."""


def first_moves(kind: Kind) -> dict[tuple[str, int], str]:
    """Of the first moves of a game the longest with each first word and number of words."""
    state, forms = kind.start(), dict[tuple[str, int], str]()
    for _ in range(60):
        movers = seats_in(kind.game.movers(state))
        if not movers:
            break
        moves = kind.game.legal_moves(state, movers[0])
        for move in islice(moves, 0, None, max(1, len(moves) // 8)):
            text = kind.game.write_move(move)
            form = text.split()[0].rstrip("0123456789"), len(text.split())
            forms[form] = max(forms.get(form, ""), text, key=len)
        kind.game.apply(state, movers[0], moves[len(moves) // 2])
    return forms


def prefixes(texts: list[str]) -> list[str]:
    """Where a text may begin to go wrong: before, behind and inside each word of a good one."""
    cuts = {""}
    for text in texts:
        cuts |= {text[:end] for end in range(len(text) + 1) if not text[end : end + 1].isalpha()}
    return sorted(cuts)


def nasty(start: str, length: int) -> list[str]:
    return [(start + ending * length)[: length - 1] + last for ending in ENDINGS for last in (ending[0], "!")]


def cost(read: Callable[[str], object], text: str) -> float:
    """The seconds of CPU in which a text is refused; the better of two, if it takes long at first."""
    best = 1e9
    for _ in range(2):
        begun = process_time()
        with suppress(ValueError):
            read(text)
        best = min(best, process_time() - begun)
        if best < 0.01:
            break
    return best


@every_game
def test_a_move_is_refused_within_50_milliseconds(game: Game):
    forms: dict[tuple[str, int], str] = {}
    for kind in KINDS:
        if kind.game is game:
            forms |= first_moves(kind)
    for start in prefixes(list(forms.values())):
        for text in nasty(start, MOVE):
            assert cost(game.parse_move, text) < 0.05, text


@every_game
def test_a_position_is_refused_within_250_milliseconds(game: Game):
    """In each field what comes behind it is replaced; and the other fields stay as they are."""
    kind = next(kind for kind in KINDS if kind.game is game)
    fields = game.write_position(some_state(kind, 1)).split("; ")
    for number, field in enumerate(fields):
        rest = "; ".join(fields[:number] + fields[number + 1 :])
        for start in {field.split()[0], field.rpartition(" ")[0], field}:
            for text in nasty(f"{rest}; {start} ", POSITION):
                assert cost(game.parse_position, text) < 0.25, text
