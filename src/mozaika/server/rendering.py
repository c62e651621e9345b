"""How a page is written: its template, and what every page knows."""

from importlib.metadata import version
from pathlib import Path
from typing import Any

import msgspec
from litestar.response import Template

import mozaika.web
from mozaika.server.facts import facts_of
from mozaika.server.guests import Guest
from mozaika.web import UI
from mozaika.words import LANGUAGES, Words

TEMPLATES = Path(mozaika.web.__file__).parent / "templates"


def render(name: str, guest: Guest, *, status: int = 200, **values: Any) -> Template:
    """A page for a guest."""
    context = context_of(guest.lang, guest.root, status=status, **values)
    return Template(name, context=context, cookies=guest.cookies, status_code=status, media_type="text/html")


def context_of(lang: str, root: str, **values: Any) -> dict[str, Any]:
    """What a template is given."""
    words = values.pop("words", None) or Words(lang)
    return {
        "words": words,
        "lang": lang,
        "root": root,
        "languages": LANGUAGES,
        "text": {key: words.translate(sentence) for key, sentence in UI.items()},
        "games": msgspec.to_builtins(facts_of(lang, root)),
        "version": version("mozaika"),
        **values,
    }
