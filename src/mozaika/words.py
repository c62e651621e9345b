"""What people read, in their language: gettext catalogues beside the code that speaks."""

import gettext
import io
import logging
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, Self

LANGUAGES = ("en", "pl", "de")
POINTS = {"en": ".", "pl": ",", "de": ","}
"""What stands before the tenths."""
"""English is the language of the sources: its catalogues hold only what is said to whoever reads it."""

YOU = "you"
"""The context of a catalogue in which sentences about somebody are said to that person."""

HOUSE = Path(__file__).parent / "words"
MOST_KEPT = 5_000
"""Sentences that were looked up in the catalogues."""

log = logging.getLogger("mozaika")


class Words:
    """The sentences of one language, looked up first with the game and then with the house."""

    def __init__(self, lang: str = "en", game_words: Path | None = None, *, to_you: bool = False) -> None:
        """With `to_you` what is said of somebody comes with the same said to them, see `Said`."""
        if lang not in LANGUAGES:
            raise ValueError(f"Mozaika speaks {', '.join(LANGUAGES)}, not {lang!r}.")
        self.lang = lang
        self.to_you = to_you
        folders = (folder for folder in (game_words, HOUSE) if folder is not None)
        found = (_catalogue(folder, lang) for folder in folders)
        self._catalogues = tuple(catalogue for catalogue in found if catalogue is not None)

    def say(self, text: str, /, **values: Any) -> str:
        """Translate a sentence and fill in its blanks."""
        said = self.translate(text)
        if self.to_you:
            return _say_both(said, _translate(self._catalogues, True, str(text)), values)
        return said.format(**values)

    def translate(self, text: str) -> str:
        """Translate a sentence and leave its blanks."""
        return _translate(self._catalogues, False, str(text))  # a Term is no other sentence

    def count(self, one: str, many: str, n: int, /, **values: Any) -> str:
        """Translate a sentence whose form depends on a number; the blank {n} is that number."""
        said = _translate_form(self._catalogues, False, one, many, n)
        if self.to_you:
            personal = _translate_form(self._catalogues, True, one, many, n)
            return _say_both(said, personal, {"n": minus(n), **values})
        return said.format(n=minus(n), **values)

    def decimal(self, number: float, digits: int = 1) -> str:
        """A number with so many digits after the point that the language has, and with a minus sign."""
        text = f"{number:.{digits}f}"
        if float(text) == 0:
            text = text.lstrip("-")
        return text.replace("-", "−").replace(".", POINTS[self.lang])


class Said(str):
    """What is said of somebody; `to_you` is the same, said to them."""

    __slots__ = ("to_you",)

    to_you: str

    def __new__(cls, text: str, to_you: str) -> Self:
        said = super().__new__(cls, text)
        said.to_you = to_you
        return said


def _say_both(said: str, personal: str, values: dict[str, Any]) -> str:
    text = said.format(**values)
    return text if personal == said else Said(text, personal.format(**values))


Catalogues = tuple[gettext.NullTranslations, ...]


@lru_cache(maxsize=MOST_KEPT)
def _translate(catalogues: Catalogues, to_you: bool, text: str) -> str:
    for catalogue in catalogues if text else ():  # nothing would be a catalogue's head
        if to_you and (said := catalogue.pgettext(YOU, text)) != text:
            return said
        if (said := catalogue.gettext(text)) != text:
            return said
    return text


@lru_cache(maxsize=MOST_KEPT)
def _translate_form(catalogues: Catalogues, to_you: bool, one: str, many: str, n: int) -> str:
    source = one if n == 1 else many
    for catalogue in catalogues:
        if to_you and (said := catalogue.npgettext(YOU, one, many, n)) != source:
            return said
        if (said := catalogue.ngettext(one, many, n)) != source:
            return said
    return source


def minus(n: int) -> str:
    """A number with a minus sign, not a hyphen."""
    return str(n).replace("-", "−")


class Term(str):
    """A word that fills a blank of a sentence and is translated with it."""

    __slots__ = ()


QUOTES = {"pl": "„{}”", "de": "„{}“"}


class Typed(str):
    """What somebody has typed, as Python shows it; in other languages than English it has their quotes."""

    __slots__ = ()

    def in_quotes(self, lang: str) -> str:
        return QUOTES[lang].format(self[1:-1]) if lang in QUOTES and self[:1] in ("'", '"') else self


class Translatable(Exception):
    """An error that can be said in any language; its own message is English."""

    def __init__(self, sentence: str, /, **values: Any) -> None:
        super().__init__(sentence.format(**values) if values else sentence)
        self.sentence, self.values = sentence, values

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(type(self), self.sentence, **self.values), ()

    def said(self, words: Words) -> str:
        """The sentence in the language of these words."""
        if not self.values:
            return words.translate(self.sentence)
        return words.say(self.sentence, **{name: _fill(value, words) for name, value in self.values.items()})


def _fill(value: Any, words: Words) -> Any:
    """What stands in a blank of a sentence in a language."""
    if isinstance(value, Typed):
        return value.in_quotes(words.lang)
    return words.translate(value) if isinstance(value, Term) else value


def say_error(error: Exception, words: Words) -> str:
    """What an error says in a language; what exists in English only is introduced in it."""
    if isinstance(error, Translatable):
        return error.said(words)
    if type(error) is ValueError and words.lang != "en":
        return words.say("This is not right: {reason}", reason=error)
    return str(error)


@lru_cache
def _catalogue(folder: Path, lang: str) -> gettext.NullTranslations | None:
    """What an installed wheel has compiled; in a checkout the source, compiled now; None where is neither."""
    built, source = folder / f"{lang}.mo", folder / f"{lang}.po"
    try:
        if built.exists():
            return gettext.GNUTranslations(io.BytesIO(built.read_bytes()))
        if source.exists():
            return gettext.GNUTranslations(io.BytesIO(compile_catalogue(source)))
    except ModuleNotFoundError:
        log.warning("%s is not compiled (pybabel compile), and there is no babel to read it.", source)
    return None


def compile_catalogue(source: Path) -> bytes:
    """What is in a .mo file, of a .po file."""
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    compiled = io.BytesIO()
    with source.open("rb") as file:
        write_mo(compiled, read_po(file, locale=source.stem))
    return compiled.getvalue()


def later(text: str) -> str:
    """Mark a sentence that is kept now and translated when it is said."""
    return text


def read_rules(folder: Path | None, words: Words, game: str) -> str:
    """The rulebook in the folder of a game; where there is none, that is said."""
    if folder is not None:
        for name in (f"rules.{words.lang}.md", "rules.en.md"):
            if (book := folder / "words" / name).exists():
                return book.read_text("utf-8")
    missing = words.say("Nobody has written down the rules of {game} here yet.", game=game)
    return f"# {game}\n\n{missing}\n"
