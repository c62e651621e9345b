"""The course of a game as a picture: expected points above, the chance to win below; and as a table."""

from collections.abc import Sequence
from xml.sax.saxutils import escape, quoteattr

from mozaika.reviewing.review import Review, Value
from mozaika.scene import shorten
from mozaika.words import Words

WIDTH, LEFT, RIGHT = 360, 36, 8
TOP, PANEL, GAP = 18, 110, 34
FINE = 8
"""Less than so many points apart, an axis has decimals."""
LINE, NAMES_IN_A_ROW, ROOM_OF_A_NAME = 16, 2, 12.0
STYLE = (
    "text{font:11px system-ui,sans-serif;fill:currentColor}"
    ".grid{stroke:currentColor;stroke-opacity:.2}.draw{fill:currentColor;fill-opacity:.08}"
    ".seat{fill:none;stroke-width:2;stroke-linejoin:round}"
    ".seat1{stroke:#1f6fb2}.seat2{stroke:#c2571a}.seat3{stroke:#3b8a3e}.seat4{stroke:#8e4fae}"
    ".seat2{stroke-dasharray:6 2}.seat3{stroke-dasharray:2 2}.seat4{stroke-dasharray:8 2 2 2}"
    ".mark{stroke:none}.mark.seat1{fill:#1f6fb2}.mark.seat2{fill:#c2571a}.mark.seat3{fill:#3b8a3e}"
    ".mark.seat4{fill:#8e4fae}"
)


def draw_graph(review: Review, words: Words, style: str = STYLE) -> str:
    """One SVG that fits a phone. Every moment of the curve is a group with its ply, to be pointed at."""
    panels = [(words.say("expected points"), [value.points for value in review.curve])]
    if review.unit == "share":
        shares = [tuple(100 * each for each in value.shares) for value in review.curve]
        panels.append((words.say("chance to win"), shares))
    lines = -(-len(review.names) // NAMES_IN_A_ROW)
    bottom = TOP + len(panels) * (PANEL + GAP)
    height = bottom + lines * LINE
    title = words.say("The course of the game")
    last = max((value.ply for value in review.curve), default=1) or 1
    parts = [
        '<svg class="mz-review" xmlns="http://www.w3.org/2000/svg" role="img" '
        f'viewBox="0 0 {WIDTH} {height}" data-left="{LEFT}" data-right="{WIDTH - RIGHT}" data-last="{last}" '
        f"aria-label={quoteattr(title)}><title>{escape(title)}</title>"
    ]
    if style:  # a page may have it elsewhere
        parts.append(f"<style>{style}</style>")
    for number, (label, rows) in enumerate(panels):
        y = TOP + number * (PANEL + GAP)
        bounds = (0.0, 100.0) if number else _bounds(rows)
        parts += _draw_panel(review, label, rows, bounds, y, last, words)
    end = bottom - GAP
    parts.append(f'<line class="now" x1="{LEFT}" x2="{LEFT}" y1="{TOP}" y2="{end}" visibility="hidden"/>')
    parts += _write_names(review.names, bottom)
    parts.append("</svg>")
    return "".join(parts)


def _write_names(names: Sequence[str], bottom: float) -> list[str]:
    """Whose each line is."""
    parts = []
    for seat, name in enumerate(names):
        row, column = divmod(seat, NAMES_IN_A_ROW)
        x, y = LEFT + column * (WIDTH - LEFT) / NAMES_IN_A_ROW, bottom + row * LINE
        points = f"{x:g},{y - 14:g} {x + 22:g},{y - 14:g}"
        parts.append(f'<polyline class="seat seat{seat + 1}" points="{points}"/>')
        parts.append(f'<text x="{x + 27:g}" y="{y - 10:g}">{escape(shorten(name, ROOM_OF_A_NAME))}</text>')
    return parts


def _bounds(rows: Sequence[Sequence[float]]) -> tuple[float, float]:
    every = [each for row in rows for each in row] or [0.0, 1.0]
    return min(every), max(every)


def _draw_panel(
    review: Review,
    label: str,
    rows: Sequence[Sequence[float]],
    bounds: tuple[float, float],
    y: float,
    last: int,
    words: Words,
) -> list[str]:
    low, high = bounds
    span = high - low or 1.0

    def across(ply: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * ply / last

    def up(value: float) -> float:
        return y + PANEL - PANEL * (value - low) / span

    parts = [f'<text x="{LEFT}" y="{y - 5:g}">{escape(label)}</text>']
    for level in (low, (low + high) / 2, high):
        text = words.decimal(level, 1 if span < FINE and round(level, 1) % 1 else 0)
        parts.append(
            f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{up(level):.1f}" y2="{up(level):.1f}"/>'
        )
        parts.append(f'<text x="{LEFT - 4}" y="{up(level) + 4:.1f}" text-anchor="end">{text}</text>')
    for draw in review.draws:
        x, width = across(draw.ply), max(1.5, across(draw.until) - across(draw.ply))
        parts.append(f'<rect class="draw" x="{x:.1f}" y="{y}" width="{width:.1f}" height="{PANEL}"/>')
    plies = [value.ply for value in review.curve]
    for seat in range(len(review.names)):
        course = [(across(ply), up(row[seat])) for ply, row in zip(plies, rows, strict=True)]
        points = " ".join(f"{x:.1f},{height:.1f}" for x, height in course)
        parts.append(f'<polyline class="seat seat{seat + 1}" points="{points}"/>')
        marked = {each.ply for each in review.decisions if each.seat == seat + 1 and each.mark}
        parts += [
            f'<circle class="mark seat{seat + 1}" cx="{x:.1f}" cy="{height:.1f}" r="3.5" data-ply="{ply}"/>'
            for ply, (x, height) in zip(plies, course, strict=True)
            if ply in marked
        ]
    return parts


def list_values(review: Review) -> list[Value]:
    """The same for who reads: the first moment, the last, and where something was marked or drawn."""
    wanted = {each.ply for each in review.decisions if each.mark} | {each.until for each in review.draws}
    ends = {review.curve[0].ply, review.curve[-1].ply} if review.curve else set()
    return [value for value in review.curve if value.ply in wanted | ends]
