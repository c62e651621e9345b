"""What the picture asks for fits beside its title, also where it is narrow."""

import pytest

from mozaika.games.azul_duel import GAME
from mozaika.games.azul_duel.labels import DEMANDS
from mozaika.scene import measure
from mozaika.words import LANGUAGES

ROOM = 16.5
"""So many times the size of its letters."""


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_is_to_be_done_is_said_shortly(lang):
    words = GAME.words(lang)
    asked = [words.say(text) for text in DEMANDS.values()]
    asked += [words.say("take tiles, a plate or a chip")]
    asked += [
        words.say(text, row=6) for text in ("place the tile of line {row}", "line {row}: use chips, or not")
    ]
    assert [text for text in asked if measure(text) > ROOM] == []
