"""What a viewer sees of the table, read once as plain values: by them the parts of a picture are kept."""

from typing import NamedTuple

import numpy as np

from mozaika.games.azul_duel.layout import Layout
from mozaika.games.azul_duel.pieces import (
    ACQUIRE,
    BROKEN,
    CHOICE,
    HAND,
    KIND,
    LETTERS,
    LINES,
    MARKER_PENALTY,
    ON_LARGE,
    PENALTIES,
    SETUP,
    SPECIAL_BACK,
    STATE,
    TILING,
    UNDER,
)
from mozaika.games.azul_duel.rules import movers, ranks
from mozaika.places import Place, point_at
from mozaika.scene import part
from mozaika.state import State

Counts = tuple[int, ...]
Group = tuple[tuple[Place, ...], int]
"""Tiles of one colour on a sun side or the large moon side: their places, the colour."""

pointed_at = point_at(movers, ranks)


class Dome(NamedTuple):
    """The dome of a player: the plates on its slots and how they are turned, the tiles on its spaces."""

    plates: Counts
    turns: Counts
    tiles: Counts

    def build(self) -> State:
        """A state in which the first seat has this dome: what rules about a dome look at."""
        state: State = np.zeros(1, STATE)[0]
        state["slot_plate"][0], state["slot_turn"][0], state["tile"][0] = self
        return state


class Owned(NamedTuple):
    """What a player has."""

    score: int
    dome: Dome
    colors: Counts
    """Of the lines."""
    counts: Counts
    broken: Counts
    marked: bool
    """Whether the start marker lies there."""
    store: Counts
    spent: int
    tokens: int
    chosen: int
    next_line: int

    @property
    def penalty(self) -> int:
        """AD-P4"""
        return int(PENALTIES[min(BROKEN, sum(self.broken))]) + MARKER_PENALTY * self.marked

    @property
    def may_stay(self) -> bool:
        """While tiles are laid: whether the next line can be left as it is."""
        return self.next_line < LINES and self.counts[self.next_line] <= self.next_line


class Seen(NamedTuple):
    """All that lies on the table."""

    phase: int
    round: int
    movers: int
    stacking: int
    waits: bool
    """Whether the start marker still lies on the large factory."""
    aims: Counts
    sun: tuple[Counts, ...]
    moon: tuple[Counts, ...]
    large_moon: Counts
    chips: Counts
    shown: Counts
    hand: Counts
    under: Counts
    back: int
    """The plate on top of the stack, as everybody sees it: its back; 0 if there is none."""
    height: int
    """How many plates lie face down."""
    bag: Counts
    tower: Counts
    boards: tuple[Owned, ...]

    def is_mover(self, seat: int) -> bool:
        return seat >= 0 and bool(self.movers >> seat & 1)

    def may_stay(self, seat: int) -> bool:
        return self.phase == TILING and self.boards[seat].may_stay

    def placeable(self, seat: int) -> Counts:
        """The plates that a seat may place now."""
        if not self.is_mover(seat):
            return ()
        if self.phase == CHOICE:
            return self.hand
        if self.phase == SETUP or (self.phase == ACQUIRE and self.boards[seat].tokens > 0):
            return tuple(plate for plate in self.shown if plate)
        return ()

    @property
    def rest(self) -> str:
        """The tiles that wait to be stacked, by their letters."""
        return "".join(letter * n for letter, n in zip(LETTERS, self.sun[self.stacking - 1], strict=True))

    @property
    def tiles(self) -> int:
        """How many tiles can still be taken, with those on moon sides."""
        return sum(map(sum, self.sun)) + sum(self.large_moon) + sum(tile > 0 for s in self.moon for tile in s)

    @property
    def offered(self) -> tuple[tuple[int, bool], ...]:
        return _offered(self.large_moon, self.moon, self.waits)


def look(view: State) -> Seen:
    """What there is to see in a view."""
    piles, left, objectives = view["piles"].tolist(), view["left"].tolist(), int(view["objectives"])
    hand, under = (tuple(view["plate"][pile, : piles[pile]].tolist()) for pile in (HAND, UNDER))
    top = int(view["top"])
    return Seen(
        phase=int(view["phase"]),
        round=int(view["round"]),
        movers=int(movers(view)),
        stacking=int(view["stacking"]),
        waits=bool(view["marker"] == ON_LARGE),
        aims=tuple(side for side in range(8) if objectives >> side & 1),
        sun=tuple(map(tuple, view["sun"].tolist())),
        moon=tuple(map(tuple, view["moon"].tolist())),
        large_moon=tuple(view["large_moon"].tolist()),
        chips=tuple(view["chip"].tolist()),
        shown=tuple(view["shown"].tolist()),
        hand=hand,
        under=under,
        back=top or (SPECIAL_BACK + int(KIND[under[0]]) if under else 0),
        height=sum(left[:2]) + piles[UNDER],
        bag=tuple(view["bag"].tolist()),
        tower=tuple(view["tower"].tolist()),
        boards=_look_at_boards(view),
    )


def _look_at_boards(view: State) -> tuple[Owned, ...]:
    marker, tables = int(view["marker"]), ("line_color", "line_count", "broken", "store")
    domes = zip(
        *(map(tuple, view[name].tolist()) for name in ("slot_plate", "slot_turn", "tile")), strict=True
    )
    lists = zip(*(map(tuple, view[name].tolist()) for name in tables), strict=True)
    numbers = zip(*(view[name].tolist() for name in ("score", "tokens", "chosen", "next_line")), strict=True)
    spent = view["spent"].tolist()
    return tuple(
        Owned(
            score=score,
            dome=Dome(*dome),
            colors=colors,
            counts=counts,
            broken=broken,
            marked=marker == seat,
            store=store,
            spent=sum(spent[seat]),
            tokens=tokens,
            chosen=chosen,
            next_line=next_line,
        )
        for seat, (dome, (colors, counts, broken, store), (score, tokens, chosen, next_line)) in enumerate(
            zip(domes, lists, numbers, strict=True)
        )
    )


@part
def _offered(large_moon: Counts, moon: tuple[Counts, ...], waits: bool) -> tuple[tuple[int, bool], ...]:
    """AD-T3: how many tiles of each colour the moon sides give; AD-T4: whether the marker comes with them."""
    counts = list(large_moon)
    for stack in moon:
        if top := next((tile for tile in reversed(stack) if tile), 0):
            counts[top - 1] += 1
    return tuple((n, waits and there > 0) for n, there in zip(counts, large_moon, strict=True))


@part
def sun_groups(layout: Layout, source: int, counts: Counts) -> tuple[Group, ...]:
    """The tiles on a sun side, the larger groups first: their boxes may reach under a single tile."""
    found = [(n, color) for color, n in enumerate(counts) if n]
    if source == len(layout.factories):
        return _deal_out(layout.large_sun, found)
    return _deal_out(layout.factories[source].sun, sorted(found, key=lambda group: -group[0]))


@part
def moon_groups(layout: Layout, counts: Counts) -> tuple[Group, ...]:
    return _deal_out(layout.large_moon, [(n, color) for color, n in enumerate(counts) if n])


def _deal_out(places: tuple[Place, ...], found: list[tuple[int, int]]) -> tuple[Group, ...]:
    groups, first = [], 0
    for n, color in found:
        groups.append((places[first : first + n], color))
        first += n
    return tuple(groups)


@part
def stored(layout: Layout, board: int, store: Counts) -> tuple[tuple[int, Place, int], ...]:
    """The chips that can be spent: which of its type, where, and the type."""
    places = iter(layout.boards[board].seating.store)
    return tuple((index, next(places), chip) for chip, n in enumerate(store) for index in range(n))
