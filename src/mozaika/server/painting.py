"""Pictures as PNG, for those who show no SVG: link previews, chats, photo albums.

The renderer knows no selectors that look into a class, such as `[class*="name"]`; so they are written out for
the classes that a picture really has.
"""

import re
import sys
from functools import cache, lru_cache
from math import ceil, gcd
from pathlib import Path

from mozaika.game import Game
from mozaika.scene import Scene, Shape, Theme, write_svg
from mozaika.state import WATCHER, read_state
from mozaika.table.beside import beside

MOST_KEPT = 64
"""About 150 kB each."""
WIDTHS: dict[Shape, int] = {"wide": 1200, "tall": 720}
CARD = 1200, 630
"""What previews of links show in full; of a picture that is higher they cut off the top and the bottom."""
PAGE = "#F6F0E3"
FONTS = (
    ("DejaVu Serif", "DejaVu Sans", "DejaVuSerif"),
    ("Liberation Serif", "Liberation Sans", "LiberationSerif"),
)
"""Families that Linux may have, and how their files begin; others have those that the renderer expects."""
FONT_FOLDERS = ("/usr/share/fonts", "/usr/local/share/fonts", "~/.local/share/fonts", "~/.fonts")

_HEAD = re.compile(r'viewBox="[^"]*" width="[^"]*" height="[^"]*"([^>]*>)')
_STYLE = re.compile(r"<style>([^<]*)</style>")
_RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
_BY_CLASS = re.compile(r'^(\w*)((?:\[class[*^$]?="[^"]*"\])+)(.*)$')
_TEST = re.compile(r'\[class([*^$]?)="([^"]*)"\]')


@lru_cache(maxsize=MOST_KEPT)
def paint_view(
    game: Game, view: bytes, names: tuple[str, ...], lang: str, shape: Shape, theme: Theme, *, card: bool
) -> bytes:
    """What a watcher may know of a moment, as a PNG: kept by just that, so nobody's secrets are in it."""
    scene = game.scene(read_state(view, game.state), WATCHER, names, game.words(lang), shape)
    return paint_card(scene) if card else paint(scene, theme, WIDTHS[shape])


def paint(scene: Scene, theme: Theme, width: int) -> bytes:
    """A scene as a PNG of this width."""
    return _paint(write_svg(scene, theme), width, round(width * scene.height / scene.width))


def paint_card(scene: Scene) -> bytes:
    """A scene as the picture of a link: all of it, with air where a card is wider or higher."""
    across, down = (side / gcd(*CARD) for side in CARD)
    times = ceil(max(scene.width / across, scene.height / down))
    width, height = across * times, down * times
    left, top = (scene.width - width) / 2, (scene.height - height) / 2
    air = f'<rect x="{left:g}" y="{top:g}" width="{width:g}" height="{height:g}" fill="{PAGE}"/>'
    head = f'viewBox="{left:g} {top:g} {width:g} {height:g}" width="{width:g}" height="{height:g}"'
    return _paint(_HEAD.sub(rf"{head}\1{air}", write_svg(scene, "light"), count=1), *CARD)


def _paint(svg: str, width: int, height: int) -> bytes:
    return beside(_render, spell_out(svg), width, height, *find_fonts())


def _render(svg: str, width: int, height: int, serif: str | None, sans: str | None) -> bytes:
    """Half a second in which no other thread of the process runs."""
    import resvg_py  # only who wants a PNG needs it, and it is not small

    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=svg, width=width, height=height, serif_family=serif, sans_serif_family=sans
        )
    )


def spell_out(svg: str) -> str:
    """The same picture with a style sheet of plain classes."""
    classes = sorted(set(re.findall(r'class="([^"]*)"', svg)))
    return _STYLE.sub(lambda style: f"<style>{_plain_rules(style[1], classes)}</style>", svg)


def _plain_rules(style: str, classes: list[str]) -> str:
    rules = []
    for selectors, body in _RULE.findall(style):
        plain = [each for selector in selectors.split(",") for each in _plain(selector.strip(), classes)]
        if plain and not body.startswith("pointer-events"):
            rules.append(f"{','.join(plain)}{{{body}}}")
    return "".join(rules)


def _plain(selector: str, classes: list[str]) -> list[str]:
    if not (found := _BY_CLASS.match(selector)):
        return [selector]
    tag, tests, rest = found.groups()
    fitting = [each for each in classes if all(_fits(each, *test) for test in _TEST.findall(tests))]
    return [f"{tag}.{'.'.join(each.split())}{rest}" for each in fitting]


def _fits(value: str, how: str, part: str) -> bool:
    if how == "*":
        return part in value
    if how == "^":
        return value.startswith(part)
    return value.endswith(part) if how == "$" else value == part


@cache
def find_fonts() -> tuple[str | None, str | None]:
    """A serif and a sans serif of this machine, where the renderer does not find them by itself."""
    if sys.platform != "linux":
        return None, None
    files = {path.name for folder in FONT_FOLDERS for path in Path(folder).expanduser().rglob("*.tt[fc]")}
    for serif, sans, file in FONTS:
        if any(name.startswith(file) for name in files):
            return serif, sans
    return None, None
