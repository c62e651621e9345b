"""What a viewer sees lie where on the table, and what the viewer may do with it now."""

from collections.abc import Iterator

from mozaika.games.azul_duel.factories import top_tile
from mozaika.games.azul_duel.layout import Layout, Seating
from mozaika.games.azul_duel.pieces import (
    ACQUIRE,
    CHOICE,
    HAND,
    KIND,
    LETTERS,
    LINES,
    ON_LARGE,
    SETUP,
    SMALL,
    SPECIAL_BACK,
    TILING,
    UNDER,
)
from mozaika.games.azul_duel.rules import movers, ranks
from mozaika.places import Place, point_at
from mozaika.state import State

Group = tuple[tuple[Place, ...], int]
"""Tiles of one colour on a sun side or the large moon side: their places, the colour."""


def rest_places(view: State, layout: Layout) -> tuple[Place, ...]:
    return layout.factories[int(view["stacking"]) - 1].sun


def sun_groups(view: State, layout: Layout) -> list[list[Group]]:
    """The tiles on each sun side, the larger groups first: their boxes may reach under a single tile."""
    groups = []
    places = [*(factory.sun for factory in layout.factories), layout.large_sun]
    for row, counts in zip(places, view["sun"].tolist(), strict=True):
        found = [(n, color) for color, n in enumerate(counts) if n]
        if row is not layout.large_sun:
            found.sort(key=lambda group: -group[0])
        groups.append(_deal_out(row, found))
    return groups


def _deal_out(places: tuple[Place, ...], found: list[tuple[int, int]]) -> list[Group]:
    groups, first = [], 0
    for n, color in found:
        groups.append((places[first : first + n], color))
        first += n
    return groups


def moon_groups(view: State, layout: Layout) -> list[Group]:
    counts = view["large_moon"].tolist()
    return _deal_out(layout.large_moon, [(n, color) for color, n in enumerate(counts) if n])


def stored(view: State, seat: int, seating: Seating) -> Iterator[tuple[int, Place, int]]:
    """The chips that can be spent: which of its type, where, and the type."""
    places = iter(seating.store)
    for chip, n in enumerate(view["store"][seat].tolist()):
        for index in range(n):
            yield index, next(places), chip


def list_aims(view: State) -> list[int]:
    return [side for side in range(8) if view["objectives"] >> side & 1]


def may_stay(view: State, seat: int) -> bool:
    row = int(view["next_line"][seat])
    return bool(view["phase"] == TILING and row < LINES and view["line_count"][seat, row] <= row)


def placeable(view: State, seat: int) -> list[int]:
    """The plates that a seat may place now."""
    if not is_mover(view, seat):
        return []
    if view["phase"] == CHOICE:
        return held_plates(view, HAND)
    if view["phase"] == SETUP or (view["phase"] == ACQUIRE and view["tokens"][seat] > 0):
        return [plate for plate in view["shown"].tolist() if plate]
    return []


def is_mover(view: State, seat: int) -> bool:
    return seat >= 0 and bool(movers(view) >> seat & 1)


def offered(view: State) -> list[tuple[int, bool]]:
    """AD-T3: how many tiles of each colour the moon sides give; AD-T4: whether the marker comes with them."""
    counts = view["large_moon"].tolist()
    waits = bool(view["marker"] == ON_LARGE)
    marked = [waits and n > 0 for n in counts]
    for factory in range(SMALL):
        if top := top_tile(view, factory):
            counts[top - 1] += 1
    return list(zip(counts, marked, strict=True))


def held_plates(view: State, pile: int) -> list[int]:
    plates: list[int] = view["plate"][pile, : view["piles"][pile]].tolist()
    return plates


def top_back(view: State) -> int:
    """The plate on top of the stack, as everybody sees it: its back; 0 if there is none."""
    if view["top"]:
        return int(view["top"])
    under = held_plates(view, UNDER)
    return SPECIAL_BACK + int(KIND[under[0]]) if under else 0


def rest_letters(view: State) -> str:
    """The tiles that wait to be stacked, by their letters."""
    counts = view["sun"][int(view["stacking"]) - 1].tolist()
    return "".join(letter * n for letter, n in zip(LETTERS, counts, strict=True))


pointed_at = point_at(movers, ranks)
