"""Texts that are made to be hard to refuse are refused at once, by every game."""

from collections.abc import Callable
from contextlib import suppress
from time import process_time

import pytest

from kinds import KINDS
from mozaika.checks.kinds import some_state, walk
from mozaika.game import Game
from mozaika.games import GAMES

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
MOVE, POSITION = 400, 8_000
"""How many letters a text has."""
ENDINGS = ("a", "a ", "B", "B ", "b,", "1", "1 ", "12,", " ", "-", ">", "/", "?", "é", "a1", "1=", "; ")
"""What is repeated up to that length."""


def some_moves(game: Game) -> list[str]:
    """Of the moves of some games the longest with each first word and number of words."""
    forms: dict[tuple[str, int], str] = {}
    for kind in KINDS:
        for _, _, move in walk(kind, 1) if kind.game is game else ():
            text = game.write_move(move) if move >= 0 else "-"
            form = text.split()[0].rstrip("0123456789"), len(text.split())
            forms[form] = max(forms.get(form, ""), text, key=len)
    return list(forms.values())


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
    for start in prefixes(some_moves(game)):
        for text in nasty(start, MOVE):
            assert cost(game.parse_move, text) < 0.05, text


@every_game
@pytest.mark.long
def test_a_position_is_refused_within_250_milliseconds(game: Game):
    """In each field what comes behind it is replaced; and the other fields stay as they are."""
    kind = next(kind for kind in KINDS if kind.game is game)
    fields = game.write_position(some_state(kind, 1)).split("; ")
    for number, field in enumerate(fields):
        rest = "; ".join(fields[:number] + fields[number + 1 :])
        for start in {field.split()[0], field.rpartition(" ")[0], field}:
            for text in nasty(f"{rest}; {start} ", POSITION):
                assert cost(game.parse_position, text) < 0.25, text
