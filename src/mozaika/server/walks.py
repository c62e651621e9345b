"""Walks as they are sent: each sprite of their ghosts once, and cut off where there are too many of them."""

from collections.abc import Iterable, Sequence

import msgspec

from mozaika.scene import Hold, Sprite, Walk


class Way(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A walk, or the beginning of several: `more` says that it goes on, over spots that can be asked for."""

    spots: tuple[str, ...]
    move: str = ""
    ghost: tuple[int, ...] = ()
    """Which of the `ghosts` show what it would do; of several walks, what they have in common."""
    points: int = 0
    hold: Hold | None = None
    more: bool = False


class Ways(msgspec.Struct, frozen=True, gc=False):
    """Walks with the sprites of their ghosts, and the spots that are only on what was cut off."""

    walks: tuple[Way, ...]
    ghosts: tuple[Sprite, ...]
    later: tuple[str, ...]


def along(walks: Iterable[Walk], path: Sequence[str], loose: tuple[int, int]) -> list[Walk]:
    """The walks that begin with a path, in which the loose places may stand in any order."""
    first, last = loose
    fixed = [(place, name) for place, name in enumerate(path) if not first <= place < last]
    free = set(path[first:last])
    return [
        walk
        for walk in walks
        if len(walk.spots) >= len(path)
        and all(walk.spots[place] == name for place, name in fixed)
        and free <= set(walk.spots[first:last])
    ]


def fold(walks: Sequence[Walk], made: int, room: int, later: Sequence[str] = ()) -> Ways:
    """Walks that go on from so many spots, cut off after the next one if they need more bytes than this."""
    ways = _number(walks, later)
    if any(walk.hold for walk in walks) or len(msgspec.json.encode(ways)) <= room:
        return ways
    return _number(*cut(walks, made + 1, later))


def cut(walks: Sequence[Walk], length: int, later: Sequence[str] = ()) -> tuple[list[Walk], list[str]]:
    """What walks look like after so many spots, and which spots come later. One that goes on alone stays."""
    beginnings: dict[tuple[str, ...], list[Walk]] = {}
    found: list[Walk] = []
    for walk in walks:
        if len(walk.spots) <= length:
            found.append(walk)
        else:
            beginnings.setdefault(walk.spots[:length], []).append(walk)
    for spots, going_on in beginnings.items():
        found += going_on if len(going_on) == 1 else [Walk("", spots, _common(going_on), more=True)]
    rest = {spot for many in beginnings.values() if len(many) > 1 for walk in many for spot in walk.spots}
    told = {spot for walk in found for spot in walk.spots}
    return found, [*later, *sorted(rest - told - set(later))]


def _common(walks: list[Walk]) -> tuple[Sprite, ...]:
    """The sprites that all walks would bring."""
    others = [set(walk.ghost) for walk in walks[1:]]
    return tuple(sprite for sprite in walks[0].ghost if all(sprite in other for other in others))


def _number(walks: Iterable[Walk], later: Sequence[str]) -> Ways:
    numbers: dict[Sprite, int] = {}
    known: dict[tuple[Sprite, ...], tuple[int, ...]] = {}
    """Many walks do the same."""
    ways = []
    for walk in walks:
        sprites = walk.ghost
        ghost = known.get(sprites)
        if ghost is None:
            ghost = known[sprites] = tuple([numbers.setdefault(each, len(numbers)) for each in sprites])
        ways.append(Way(walk.spots, walk.move, ghost, walk.points, walk.hold, walk.more))
    return Ways(tuple(ways), tuple(numbers), tuple(later))
