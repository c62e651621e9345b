"""How a check speaks, and what is said where a game itself breaks."""

import re
import traceback
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

from mozaika.game import Game
from mozaika.moves import IllegalMove
from mozaika.rulebook import rule_ids
from mozaika.table import Table

HOUSE = Path(__file__).parent.parent


class Fault(AssertionError):
    """A property does not hold; the message is a sentence."""


def hold(condition: object, sentence: str | Callable[[], str]) -> None:
    """A Fault with a sentence where a property does not hold; what takes time to say is made only then."""
    if not condition:
        raise Fault(sentence if isinstance(sentence, str) else sentence())


def hold_rule(game: Game, rule: str, where: str) -> None:
    """A rule that is cited stands in the rulebook; none is cited where there is none."""
    known = _rules_of(game.rulebook())
    hold(rule in (known or ("",)), f"{where} cites the rule {rule!r}, which the rulebook does not have.")


@lru_cache
def _rules_of(book: str) -> frozenset[str]:
    return frozenset(rule_ids(book))


def explain(error: Exception) -> str:
    """What is wrong with a game, by an error that came out of it: one line, with the place in its files."""
    if isinstance(error, Fault):
        return str(error)
    if type(error).__module__.startswith("numba."):
        found = re.search(r'File "([^"]+)", line (\d+)', str(error))  # then it says what led there
        return f"Numba cannot compile it{f'; see {_place(*found.groups())}' if found else ''}."
    calls = traceback.extract_tb(error.__traceback__)
    own = [call for call in calls if HOUSE not in Path(call.filename).parents] or calls
    said = f": {str(error).splitlines()[0]}" if str(error) else ""
    call = own[-1]
    return f"`{call.name}` ends with {type(error).__name__}{said} ({_place(call.filename, call.lineno)})"


def _place(file: str, line: object) -> str:
    return f"{'/'.join(Path(file).parts[-2:])}, line {line}"


def refused(table: Table, move: str, seat: int | None = None) -> str:
    """The id of the rule by which a table refuses a move; it stays as it was."""
    before = table.position()
    try:
        played = table.play(move, seat)
    except IllegalMove as refusal:
        hold(table.position() == before, f"“{move}” is refused and has changed the table.")
        return refusal.rule
    raise Fault(f"“{played}” is not refused.")
