"""Pictures as PNG, for those who show no SVG: link previews, chats, photo albums.

The renderer knows no selectors that look into a class, such as `[class*="name"]`; so they are written out for
the classes that a picture really has.
"""

import re
import sys
from functools import cache, lru_cache
from pathlib import Path

from mozaika.game import Game
from mozaika.scene import Scene, Shape, Theme, write_svg
from mozaika.state import WATCHER, read_state
from mozaika.table.beside import beside

MOST_KEPT = 64
"""About 150 kB each."""
WIDTHS: dict[Shape, int] = {"wide": 1200, "tall": 720}
FONTS = (
    ("DejaVu Serif", "DejaVu Sans", "DejaVuSerif"),
    ("Liberation Serif", "Liberation Sans", "LiberationSerif"),
)
"""Families that Linux may have, and how their files begin; others have those that the renderer expects."""
FONT_FOLDERS = ("/usr/share/fonts", "/usr/local/share/fonts", "~/.local/share/fonts", "~/.fonts")

_STYLE = re.compile(r"<style>([^<]*)</style>")
_RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
_BY_CLASS = re.compile(r'^(\w*)((?:\[class[*^$]?="[^"]*"\])+)(.*)$')
_TEST = re.compile(r'\[class([*^$]?)="([^"]*)"\]')


@lru_cache(maxsize=MOST_KEPT)
def paint_view(
    game: Game, view: bytes, names: tuple[str, ...], lang: str, shape: Shape, theme: Theme
) -> bytes:
    """What a watcher may know of a moment, as a PNG: kept by just that, so nobody's secrets are in it."""
    scene = game.scene(read_state(view, game.state), WATCHER, names, game.words(lang), shape)
    return paint(scene, theme, WIDTHS[shape])


def paint(scene: Scene, theme: Theme, width: int) -> bytes:
    """A scene as a PNG of this width."""
    text = spell_out(write_svg(scene, theme))
    return beside(_render, text, width, height_of(scene, width), *find_fonts())


def _render(svg: str, width: int, height: int, serif: str | None, sans: str | None) -> bytes:
    """Half a second in which no other thread of the process runs."""
    import resvg_py  # only who wants a PNG needs it, and it is not small

    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=svg, width=width, height=height, serif_family=serif, sans_serif_family=sans
        )
    )


def height_of(scene: Scene, width: int) -> int:
    return round(width * scene.height / scene.width)


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
