"""The pictures of the README are taken from the real pages, with `make accept`."""

import base64
import struct
import zlib
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page

from browser.conftest import PHONE, WIDE
from browser.player import Player

DOCS = Path(__file__).parents[2] / "docs"
MOST_BYTES = 200_000
PIXELS = """async (data) => {
    const picture = await createImageBitmap(await (await fetch("data:image/png;base64," + data)).blob());
    const canvas = new OffscreenCanvas(picture.width, picture.height).getContext("2d");
    canvas.drawImage(picture, 0, 0);
    const bytes = canvas.getImageData(0, 0, picture.width, picture.height).data;
    const parts = [];
    for (let at = 0; at < bytes.length; at += 8192)
        parts.push(String.fromCharCode(...bytes.subarray(at, at + 8192)));
    return [picture.width, picture.height, btoa(parts.join(""))];
}"""


@pytest.mark.parametrize(
    ("name", "viewport", "scheme"),
    [("table-wide.png", WIDE, "light"), ("table-phone.png", PHONE, "dark")],
    ids=["wide", "phone"],
)
def test_the_pictures_of_the_readme_are_there(request, new_context, name: str, viewport, scheme: str):
    path = DOCS / name
    if request.config.getoption("--accept"):
        context = new_context(viewport=viewport, color_scheme=scheme)
        path.write_bytes(shrink(context.new_page(), picture_of_a_game(Player(context.new_page()))))
    assert path.stat().st_size < MOST_BYTES
    size = struct.unpack(">II", path.read_bytes()[16:24])
    assert size == (viewport["width"], viewport["height"])


def picture_of_a_game(ann: Player) -> bytes:
    """In its third round, with a walk half made."""
    ann.open_table("me", "bot", name="Ania")
    while "3" not in ann.view()["scene"]["title"]:
        assert ann.play_somehow(good)
    for _ in range(2):
        assert ann.play_somehow(good)
    assert ann.wait_for_turn()
    starts = Counter(walk["spots"][0] for walk in ann.view()["scene"]["walks"])
    ann.choose([starts.most_common(1)[0][0]])
    ann.page.mouse.move(1, 1)
    ann.page.evaluate("scrollTo(0, 0)")
    return ann.page.screenshot()


def good(walks: list[Any]) -> Any:
    """A move that brings points, or else tiles."""
    return max(
        walks,
        key=lambda walk: (walk.get("points", 0), "floor" not in walk["spots"], len(walk.get("ghost", ()))),
    )


def shrink(page: Page, png: bytes) -> bytes:
    """The same picture in 256 colours: those of the median cut."""
    width, height, data = page.evaluate(PIXELS, base64.b64encode(png).decode())
    pixels = np.frombuffer(base64.b64decode(data), np.uint8).reshape(-1, 4)[:, :3]
    colours, places, counts = np.unique(pixels, axis=0, return_inverse=True, return_counts=True)
    boxes = [np.arange(len(colours))]
    while len(boxes) < 256 and max(map(len, boxes)) > 1:
        spread = [np.ptp(colours[box].astype(int), axis=0).max() * counts[box].sum() ** 0.5 for box in boxes]
        box = boxes.pop(int(np.argmax(spread)))
        channel = int(np.argmax(np.ptp(colours[box].astype(int), axis=0)))
        box = box[np.argsort(colours[box, channel], kind="stable")]
        middle = int(np.searchsorted(np.cumsum(counts[box]), counts[box].sum() / 2))
        middle = min(max(middle, 1), len(box) - 1)
        boxes += [box[:middle], box[middle:]]
    palette = np.array(
        [np.average(colours[box], axis=0, weights=counts[box]).round() for box in boxes], np.uint8
    )
    index = np.empty(len(colours), np.uint8)
    for number, box in enumerate(boxes):
        index[box] = number
    rows = np.zeros((height, width + 1), np.uint8)
    rows[:, 1:] = index[places.ravel()].reshape(height, width)
    header = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        chunk(kind, body)
        for kind, body in (
            (b"IHDR", header),
            (b"PLTE", palette.tobytes()),
            (b"IDAT", zlib.compress(rows.tobytes(), 9)),
            (b"IEND", b""),
        )
    )


def chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
