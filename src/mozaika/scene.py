"""A scene: what a viewer sees, as data. Games set it; this page writes it as SVG.

A scene has a *ground* that never changes during a game, *sprites* (which symbol lies where), *labels*
(texts that change), *spots* (named places one can point at) and *walks*: every legal move as a walk
over spots, with a ghost of what it would do, or the beginnings of these walks.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable
from functools import lru_cache
from itertools import accumulate
from typing import Any, Literal, TypeVar
from unicodedata import east_asian_width
from xml.sax.saxutils import escape, quoteattr

import msgspec

from mozaika.words import Translatable, later

Shape = Literal["wide", "tall"]
"""The two layouts of a table: for a screen, and for a phone held upright."""

Theme = Literal["auto", "light", "dark"]

F = TypeVar("F", bound=Callable[..., Any])

# nothing here can refer back to itself, so the garbage collector need not look at it: gc=False


class Sprite(msgspec.Struct, frozen=True, array_like=True, cache_hash=True, gc=False):
    """A symbol at a place, sent without names: they would be two thirds of a scene. `turn`: quarter turns."""

    symbol: str
    x: float
    y: float
    size: float
    turn: int = 0


class Label(msgspec.Struct, frozen=True, gc=False):
    """A text that changes during the game; `style` is a CSS class."""

    text: str
    x: float
    y: float
    style: str


class Spot(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A named place one can point at; `label` says it to a screen reader.

    Spots may lie upon each other: pointing there means the one with which the walk goes on.
    """

    name: str
    x: float
    y: float
    width: float
    height: float
    label: str
    shows: tuple[Sprite, ...] = ()
    """What lies there only while the spot can be chosen; the spot comes and goes with it."""
    means: str = ""
    """Another spot that this one stands for, as long as that one can be chosen."""


class Hold(msgspec.Struct, frozen=True, gc=False):
    """How a piece is held before a move, and how to hold it otherwise: shifted, turned or flipped."""

    text: str
    """What the move would do, in words."""
    sprites: tuple[Sprite, ...]
    """The piece in the hand, where it sets out from."""
    near: dict[str, str]
    """The moves that one comes to by `left`, `right`, `turn` and `flip`, as far as there are any."""


class Walk(msgspec.Struct, frozen=True, gc=False):
    """A legal move as the spots one points at, one after the other, and its ghost.

    Where there are too many, a walk stands for all that begin with its spots: no move, but `more` to come.
    """

    move: str
    spots: tuple[str, ...]
    ghost: tuple[Sprite, ...] = ()
    points: int = 0
    """What the ghost brings, as far as the board shows it now."""
    hold: Hold | None = None
    more: bool = False


class Layer(msgspec.Struct, frozen=True, gc=False):
    """Something more that a viewer may switch on: sprites above the others, and the same in words."""

    name: str
    label: str
    sprites: tuple[Sprite, ...]
    text: str


class Glimpse(msgspec.Struct, frozen=True, gc=False):
    """What a move brings to the table and takes away again, to be seen in between."""

    sprites: tuple[Sprite, ...]
    """Everything that lies there for a moment."""
    marks: tuple[Sprite, ...]
    """What lights up upon it."""
    stays: tuple[Sprite, ...] = ()
    """What lies there when the game has ended with it, instead of what the scene says."""


class Scene(msgspec.Struct, frozen=True, gc=False):
    """All a viewer sees of one moment."""

    width: float
    height: float
    title: str
    style: str
    dark_style: str
    symbols: str
    ground: str
    sprites: tuple[Sprite, ...]
    labels: tuple[Label, ...]
    spots: tuple[Spot, ...]
    walks: tuple[Walk, ...]
    notice: str = ""
    """Something everybody should know now, such as that this is the last round."""
    loose: tuple[int, int] = (0, 0)
    """The spots of a walk from the first of these places up to the second may be pointed at in any order."""
    later: tuple[str, ...] = ()
    """The spots that come only after those of walks that have more to come."""
    layers: tuple[Layer, ...] = ()
    held: str = ""
    """The move that is held in the hand at first, if its walk has a hold."""
    areas: tuple[tuple[str, tuple[float, float, float, float]], ...] = ()
    """Parts of the picture that can be cut out, by name: left, top, width, height."""
    pause: int = 0
    """Milliseconds for which this moment wants to be looked at before the next is shown."""


def part(function: F) -> F:
    """A part of a scene that is kept by what it is made of: the next scene with the same part takes it over.

    It may look at nothing but its arguments, which are numbers, texts, tuples and the like: never at a state.
    So whatever it shows is in the key by which it is found again.
    """
    kept = lru_cache(maxsize=MOST_PARTS)(function)
    _parts.append(kept)
    return kept  # type: ignore[return-value]


def forget_parts() -> None:
    """For tests: the next scenes are made from nothing."""
    for kept in _parts:
        kept.cache_clear()


MOST_PARTS = 2_000
_parts: list[Any] = []


def write_svg(
    scene: Scene, theme: Theme = "auto", part: str = "", lit: Iterable[tuple[float, ...]] = ()
) -> str:
    """A scene as one complete SVG text, which needs nothing from outside; or only some areas of it.

    Round the boxes that are `lit` lies a frame.
    """
    labels = (
        f'<text class="{label.style}" x="{label.x:g}" y="{label.y:g}">{escape(label.text)}</text>'
        for label in scene.labels
    )
    head = f' role="img" aria-label={quoteattr(scene.title)}><title>{escape(scene.title)}</title>'
    frame = _write_frame(scene, theme, head, cut(scene, part))
    return "".join((frame, *_sprites(scene.sprites), *labels, *_frames(lit), "</svg>\n"))


def _frames(lit: Iterable[tuple[float, ...]]) -> Iterable[str]:
    """Dark within light, to be seen on anything."""
    for x, y, width, height in lit:
        size = f'x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="{min(width, height) / 6:g}"'
        for stroke, thick in (("#fff", 6), ("#23663f", 3)):
            yield f'<rect {size} fill="none" stroke="{stroke}" stroke-width="{thick}"/>'


def split_part(part: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What is shown of a picture, as in `dome-1: space-1-2`: areas, and places of seat 1 to be lit."""
    areas, _, places = part.partition(":")
    return tuple(areas.split()), tuple(places.split())


def cut(scene: Scene, part: str = "") -> tuple[float, float, float, float]:
    """The box round areas, named one after the other, with a little air; without names the whole scene."""
    named, areas = split_part(part)[0], dict(scene.areas)
    if not named:
        return 0, 0, scene.width, scene.height
    if missing := [name for name in named if name not in areas]:
        raise NoSuchArea(NO_AREA, name=missing[0])
    boxes = [areas[name] for name in named]
    left, top = min(box[0] for box in boxes) - AIR, min(box[1] for box in boxes) - AIR
    right, bottom = max(box[0] + box[2] for box in boxes) + AIR, max(box[1] + box[3] for box in boxes) + AIR
    left, top = max(0, left), max(0, top)
    return left, top, min(scene.width, right) - left, min(scene.height, bottom) - top


AIR = 8
NO_AREA = later("No part of this picture is called {name}.")


class NoSuchArea(Translatable, ValueError):
    """A part that a picture does not have."""


def write_ground(scene: Scene) -> str:
    """What does not change during a game, with the symbols that sprites refer to."""
    return f"{_write_frame(scene, 'auto', '>', cut(scene))}</svg>\n"


def _write_frame(scene: Scene, theme: Theme, head: str, box: tuple[float, float, float, float]) -> str:
    left, top, width, height = box
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{left:g} {top:g} {width:g} {height:g}"'
        f' width="{width:g}" height="{height:g}"{head}'
        f"<style>{_style(scene, theme)}</style><defs>{scene.symbols}</defs>{scene.ground}"
    )


def _style(scene: Scene, theme: Theme) -> str:
    if theme == "light":
        return scene.style
    if theme == "dark":
        return scene.style + scene.dark_style
    return f"{scene.style}@media(prefers-color-scheme:dark){{{scene.dark_style}}}"


def _sprites(sprites: Iterable[Sprite]) -> Iterable[str]:
    for symbol, x, y, size, turn in map(msgspec.structs.astuple, sprites):
        turned = f' transform="rotate({turn * 90} {x + size / 2:g} {y + size / 2:g})"' if turn else ""
        yield f'<use href="#{symbol}" x="{x:g}" y="{y:g}" width="{size:g}" height="{size:g}"{turned}/>'


def measure(text: str) -> float:
    """About how wide a text is, as a multiple of the size of its letters."""
    return sum(map(_letter_width, text))


@lru_cache(maxsize=256)
def shorten(text: str, room: float) -> str:
    """The part of a text that fits into so many times the size of its letters; a number behind a name, which
    tells it from others, stays.
    """
    ends = list(accumulate(map(_letter_width, text)))
    if not ends or ends[-1] <= room:
        return text
    start, _, number = text.rpartition(" ")
    tail = f" {number}" if start and number.isdecimal() and len(number) < 3 else ""
    return text[: bisect_right(ends, room - 1 - measure(tail))].rstrip() + "…" + tail


def _letter_width(letter: str) -> float:
    """About as wide as a letter of a serif is to its size; a scene is set without knowing the font."""
    if east_asian_width(letter) in "WF" or letter in "mwMW":
        return 1
    return 0.75 if letter.isupper() else 0.5
