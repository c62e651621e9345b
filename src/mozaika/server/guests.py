"""Who asks: a guest is whoever has a secret in a cookie. There are no accounts."""

import re
from dataclasses import dataclass, field
from typing import Any

from litestar import Request
from litestar.connection import ASGIConnection
from litestar.datastructures import Cookie

from mozaika.table.commands import digest, new_secret
from mozaika.words import LANGUAGES

_SECRET = re.compile(r"[A-Za-z0-9_-]{20,40}")
_WEIGHT = re.compile(r"[01](\.[0-9]{0,3})?")


@dataclass(frozen=True)
class Guest:
    """The secret and its digest, the language, and the cookies that the answer has to set."""

    id: str
    lang: str
    cookies: list[Cookie]
    secret: str = field(repr=False)


def cookie_name(secure: bool) -> str:
    """Browsers accept the strict name over https only."""
    return "__Host-mozaika" if secure else "mozaika"


def read_guest(request: "Request[Any, Any, Any]") -> Guest:
    """The guest of a request; a new one gets a secret."""
    secure = request.url.scheme == "https"
    name = cookie_name(secure)
    secret = request.cookies.get(name, "")
    cookies = []
    if not _SECRET.fullmatch(secret):
        secret = new_secret()
        cookies.append(
            Cookie(
                key=name,
                value=secret,
                path="/",
                max_age=400 * 86_400,
                httponly=True,
                samesite="lax",
                secure=secure,
            )
        )
    chosen = request.query_params.get("lang", "")
    if chosen in LANGUAGES:
        cookies.append(
            Cookie(key="lang", value=chosen, path="/", max_age=400 * 86_400, samesite="lax", secure=secure)
        )
    return Guest(digest(secret), read_language(request), cookies, secret)


def read_language(request: "ASGIConnection[Any, Any, Any, Any]") -> str:
    """The language in which to answer: the one chosen now or before, or what the browser asks for."""
    chosen, kept = request.query_params.get("lang", ""), request.cookies.get("lang", "")
    wanted = (chosen, kept, *_accepted(request.headers.get("accept-language", "")))
    return next((lang for lang in wanted if lang in LANGUAGES), "en")


def _accepted(header: str) -> list[str]:
    """The languages of an Accept-Language, the most wanted first: `de;q=0.5, pl` wants Polish."""
    found = []
    for part in header[:200].split(","):
        name, _, weight = part.replace(" ", "").lower().partition(";q=")
        if not weight or _WEIGHT.fullmatch(weight):
            found.append((float(weight or 1), name.partition("-")[0]))
    return [name for weight, name in sorted(found, key=lambda each: -each[0]) if weight > 0]
