"""What people read, in their language: gettext catalogues beside the code that speaks."""

import gettext
import io
from functools import lru_cache
from pathlib import Path
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

LANGUAGES = ("en", "pl", "de")
"""English is the language of the sources, so it has no catalogue."""

HOUSE = Path(__file__).parent / "words"


class Words:
    """The sentences of one language, looked up first with the game and then with the house."""

    def __init__(self, lang: str = "en", game_words: Path | None = None) -> None:
        if lang not in LANGUAGES:
            raise ValueError(f"Mozaika speaks {', '.join(LANGUAGES)}, not {lang!r}.")
        self.lang = lang
        self._catalogues = [_catalogue(folder, lang) for folder in (game_words, HOUSE) if folder is not None]

    def say(self, text: str, /, **values: Any) -> str:
        """Translate a sentence and fill in its blanks."""
        return self.translate(text).format(**values)

    def translate(self, text: str) -> str:
        """Translate a sentence and leave its blanks."""
        for catalogue in self._catalogues:
            if (said := catalogue.gettext(text)) != text:
                return said
        return text

    def count(self, one: str, many: str, n: int, /, **values: Any) -> str:
        """Translate a sentence whose form depends on a number; the blank {n} is that number."""
        source = one if n == 1 else many
        for catalogue in self._catalogues:
            if (said := catalogue.ngettext(one, many, n)) != source:
                return said.format(n=n, **values)
        return source.format(n=n, **values)


@lru_cache
def _catalogue(folder: Path, lang: str) -> gettext.NullTranslations:
    path = folder / f"{lang}.po"
    if lang == "en" or not path.exists():
        return gettext.NullTranslations()
    compiled = io.BytesIO()
    with path.open("rb") as source:
        write_mo(compiled, read_po(source, locale=lang))
    compiled.seek(0)
    return gettext.GNUTranslations(compiled)


def later(text: str) -> str:
    """Mark a sentence that is kept now and translated when it is said."""
    return text
