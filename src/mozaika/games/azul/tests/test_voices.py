"""What is told of somebody, and the same said to them, out of one telling."""

import msgspec

from mozaika.games.azul import GAME
from mozaika.sentence import Sentence


def test_what_is_said_of_somebody_can_come_with_what_is_said_to_them():
    for lang, of, to in (("en", "takes the start", "You take the start"), ("de", "nimmt", "Du nimmst")):
        said = GAME.words(lang, to_you=True).say("takes the start marker.")
        assert said == GAME.words(lang).say("takes the start marker.")
        assert said.startswith(of)
        assert said.to_you.startswith(to)
    points = GAME.words(to_you=True).count("{n} point for complete rows.", "{n} points for complete rows.", 4)
    assert (points, points.to_you) == ("4 points for complete rows.", "You get 4 points for complete rows.")
    assert not hasattr(GAME.words(to_you=True).say("factory offer"), "to_you"), "it is about nobody"


def test_a_sentence_keeps_both_voices_as_plain_texts():
    said = Sentence(GAME.words(to_you=True).say("takes the start marker."), "AZ-A3", 1)
    assert (type(said.text), said.to_you) == (str, "You take the start marker.")
    assert msgspec.json.decode(msgspec.json.encode(said))["to_you"] == said.to_you
    assert Sentence("takes the start marker.", "AZ-A3", 1).to_you == ""
