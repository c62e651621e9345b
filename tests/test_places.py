"""What layouts are made of: places, boxes, ledgers, and texts side by side."""

import re
from pathlib import Path
from typing import Any

import pytest

from mozaika.game import Game
from mozaika.games import GAMES
from mozaika.places import Box, Ledger, Place, draw_text, draw_use, surround
from mozaika.record import Record
from mozaika.scene import Label, Sprite, measure, shorten, write_svg
from mozaika.sketch import pad, set_beside
from mozaika.state import CHANCE, seats_in
from mozaika.words import LANGUAGES


def test_a_place_holds_a_sprite_and_has_a_smaller_one_in_its_middle():
    assert Place(1, 2, 10).hold("tile", 3) == Sprite("tile", 1, 2, 10, 3)
    assert Place(1, 2, 10).inset(0.2) == Place(3, 4, 6)


def test_a_box_surrounds_its_places_with_a_little_air():
    assert surround((Place(10, 20, 5), Place(30, 20, 5))) == Box(9, 19, 27, 7)


@pytest.mark.parametrize("upright", [True, False])
def test_a_ledger_counts_two_heaps_and_adds_them_up(upright: bool):
    labels = Ledger(Box(0, 0, 78, 78), upright, 10).write("mz-xy", [1, 2, 3, 4, 5], [0, 0, 0, 0, 9])
    assert [label.text for label in labels] == ["1", "2", "3", "4", "5", "15", "0", "0", "0", "0", "9", "9"]
    assert {label.style for label in labels} == {"mz-xy-count-10", "mz-xy-total-10"}
    across, down = (len({getattr(label, axis) for label in labels}) for axis in ("x", "y"))
    assert (across, down) == ((2, 6) if upright else (6, 2))


@pytest.mark.parametrize(
    ("name", "room", "shown"),
    [
        ("Expert", 9, "Expert"),
        ("Maximilian", 5, "Maximi…"),
        ("Expert 2", 4.2, "Exp… 2"),
        ("Ann 1234567", 4, "Ann 1…"),
    ],
)
def test_a_name_that_is_cut_keeps_the_number_that_tells_it_from_others(name, room, shown):
    assert shorten(name, room) == shown
    assert measure(shown) <= max(room, measure("Expert"))


def test_words_on_the_ground_are_escaped():
    assert draw_text("mz-xy", 1, 2.5, "a < b") == '<text class="mz-xy" x="1" y="2.5">a &lt; b</text>'


def test_a_symbol_has_a_class_only_if_it_is_given_one():
    assert draw_use("tile", Place(1, 2, 3)) == '<use href="#tile" x="1" y="2" width="3" height="3"/>'
    assert draw_use("tile", Place(1, 2, 3), "faint").startswith('<use class="faint" href="#tile"')


def test_mark_up_takes_no_room_in_a_sketch():
    assert pad("[red]R[/]", 3) == "[red]R[/]  "
    assert set_beside([["[red]R[/]", "a"], ["b", ""]], 2) == ["[red]R[/] b", "a"]


WIDER = 1.1
"""A font of the reader's may be so much wider than what a scene reckons with."""


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.id)
def test_what_heads_a_tall_picture_fits_side_by_side(game):
    path = min((Path(game.folder) / "tests" / "records").glob("*.txt"))
    heads: dict[str, tuple[Any, ...]] = {}
    for state in Record.read(path.read_text("utf-8")).states():
        seat = next((seat for seat in seats_in(game.movers(state)) if seat != CHANCE), 0)
        view, names = game.hide(state, seat), ("Ann",) * int(state["seats"])
        said = " ".join(label.text for label in head_of(game, view, seat, names, "en"))
        heads.setdefault(re.sub(r"\d+", "", said), (view, seat, names))
    svg = write_svg(game.scene(view, seat, names, game.words(), "tall"))
    sizes = dict(re.findall(r"\.([\w-]+)\{font-size:(\d+)px", svg))
    for lang in LANGUAGES:
        for head in heads.values():
            title, phase = head_of(game, *head, lang)
            wide = [WIDER * measure(label.text) * int(sizes[label.style]) for label in (title, phase)]
            assert title.x + wide[0] + 4 < phase.x - wide[1], (lang, title.text, phase.text)


def head_of(game: Game, view: Any, seat: int, names: tuple[str, ...], lang: str) -> list[Label]:
    """The title of a tall picture at its left, and the phase at its right."""
    labels = game.scene(view, seat, names, game.words(lang), "tall").labels
    found = [label for label in labels if re.search("-(title|phase)-tall$", label.style)]
    return sorted(found, key=lambda label: label.x)
