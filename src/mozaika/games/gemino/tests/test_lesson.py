"""What the lesson says holds on every screen."""

import re

import pytest

from mozaika.games.gemino import GAME
from mozaika.words import LANGUAGES

SIDES = re.compile(r"\b(left|right|lew|praw|link|recht)[a-ząęół]* (board|plansz|Tafel)")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_boards_lie_side_by_side_on_wide_screens_only(lang):
    for step in GAME.lessons(lang)[0].steps:
        for said in (step.text, step.then, *(answer for _, answer in step.others)):
            assert not SIDES.search(said), f"{step.id}: {said}"
