"""What must hold of every game, ours or another package's: `mozaika check-game ID`, or a test for each check.

A check looks at one kind of a game along random play from a seed, and raises a Fault with a sentence.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from mozaika.checks import looks, play, rules
from mozaika.checks.holding import Fault, explain, refused
from mozaika.checks.kinds import Kind, kinds_of
from mozaika.games import find_game

Check = Callable[[Kind, int], None]

CHECKS: tuple[Check, ...] = (*rules.CHECKS, *play.CHECKS, *looks.CHECKS)


class Checked(NamedTuple):
    """One property of a game, and what speaks against it: the kind, the seed, and a sentence."""

    name: str
    fault: str


def name_of(check: Check) -> str:
    """What a check is called: games_end is “games end”."""
    return check.__name__.replace("_", " ")


def check_game(game: str, seeds: Iterable[int] = range(8)) -> Iterator[Checked]:
    """Hold a game of the shelf to every property; of each the first fault, if there is one.

    Where games do not end, or cannot be drawn for, nothing else is looked at.
    """
    kinds, seeds = kinds_of(find_game(game)), list(seeds)
    for check in CHECKS:
        found = Checked(name_of(check), _first_fault(check, kinds, seeds))
        yield found
        if found.fault and check in rules.FIRST:
            return


def _first_fault(check: Check, kinds: list[Kind], seeds: list[int]) -> str:
    for kind in kinds:
        for seed in seeds:
            try:
                check(kind, seed)
            except Exception as error:  # noqa: BLE001  whatever a game raises is a fault of it
                return f"{kind!r}, seed {seed}: {explain(error)}"
    return ""


__all__ = ["CHECKS", "Check", "Checked", "Fault", "Kind", "check_game", "kinds_of", "name_of", "refused"]
