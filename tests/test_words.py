"""Sentences in the player's language."""

import re
import sys

import pytest

from mozaika.games import GAMES
from mozaika.options import BadOption
from mozaika.words import HOUSE, LANGUAGES, Term, Words, compile_catalogue


def test_an_unknown_sentence_is_said_as_it_stands():
    assert Words("pl").say("{name} dances.", name="Ania") == "Ania dances."
    assert Words("de").count("{n} dance", "{n} dances", 1) == "1 dance"
    assert Words("de").count("{n} dance", "{n} dances", 3) == "3 dances"


def test_a_term_that_was_looked_up_does_not_stand_for_the_text():
    """What is said goes into JSON, which knows no terms."""
    assert type(Words("pl").translate(Term("a term that nobody knows"))) is str
    assert type(Words("pl").translate("a term that nobody knows")) is str


def test_an_unknown_language_is_refused():
    with pytest.raises(ValueError, match="speaks en, pl, de, not 'xx'"):
        Words("xx")


def test_polish_counts_in_three_forms():
    words = GAMES["azul"].words("pl")
    counted = [words.count("{n} blue tile", "{n} blue tiles", n) for n in (1, 2, 5, 12, 22)]
    assert counted == [
        "1 niebieską płytkę",
        "2 niebieskie płytki",
        "5 niebieskich płytek",
        "12 niebieskich płytek",
        "22 niebieskie płytki",
    ]


def test_tenths_stand_behind_a_comma_where_the_language_has_one():
    said = [
        Words(lang).decimal(number, digits)
        for lang in ("en", "de")
        for number, digits in ((-8.46, 1), (0.004, 2))
    ]
    assert said == ["−8.5", "0.00", "−8,5", "0,00"]
    assert Words("pl").decimal(-0.04) == "0,0"
    assert Words("pl").decimal(61.5, 0) == "62"


def test_the_game_speaks_before_the_house():
    assert GAMES["azul"].words("de").say("blue") == "Blau"
    assert GAMES["azul"].words("de").say("Result") == "Ergebnis"
    assert [GAMES["azul"].words(lang).lang for lang in LANGUAGES] == list(LANGUAGES)


def test_a_compiled_catalogue_needs_no_babel_and_a_source_without_it_is_said_in_english(
    tmp_path, monkeypatch, caplog
):
    (tmp_path / "de.mo").write_bytes(compile_catalogue(HOUSE / "de.po"))
    (tmp_path / "pl.po").write_bytes((HOUSE / "pl.po").read_bytes())
    monkeypatch.setattr("mozaika.words.HOUSE", None)
    monkeypatch.setitem(sys.modules, "babel.messages.mofile", None)
    assert Words("de", tmp_path).say("Result") == "Ergebnis"
    assert not caplog.messages
    assert Words("pl", tmp_path).say("Result") == "Result"
    assert "pl.po is not compiled" in caplog.text


SIGNS = {"pl": r" %|\u00a0%", "de": r"[^\u00a0]%| …"}
"""What no text has: Polish sets % right behind its number, German after a blank that does not break."""


@pytest.mark.parametrize(("lang", "said"), [("en", "'wal'"), ("pl", "„wal”"), ("de", "„wal“")])
def test_what_was_typed_stands_in_the_quotes_of_the_language(lang: str, said: str):
    with pytest.raises(BadOption) as refused:
        GAMES["azul"].read_options({"wal": "grey"})
    assert f" {said}" in refused.value.said(Words(lang))
    assert "'wal'" in str(refused.value)


@pytest.mark.parametrize("lang", list(SIGNS))
def test_percent_signs_and_dots_follow_the_language(lang):
    folders = [HOUSE, *(game.folder / "words" for game in GAMES.values())]
    said = "\n".join((folder / f"{lang}.po").read_text("utf-8") for folder in folders)
    texts = re.findall(r'^msgstr(?:\[\d\])? "(.+)"$', said, re.MULTILINE)
    assert [text for text in texts if re.search(SIGNS[lang], text)] == []
