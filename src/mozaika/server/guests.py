"""Who asks: a guest is whoever has a secret in a cookie. There are no accounts."""

import re
from dataclasses import dataclass
from typing import Any

from litestar import Request
from litestar.datastructures import Cookie

from mozaika.table.live import digest, new_secret
from mozaika.words import LANGUAGES

_SECRET = re.compile(r"[A-Za-z0-9_-]{20,40}")


@dataclass(frozen=True)
class Guest:
    """A digest of the secret, the language, and the cookies that the answer has to set."""

    id: str
    lang: str
    cookies: list[Cookie]


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
        lang = chosen
    else:
        lang = guess_language(request.cookies.get("lang", ""), request.headers.get("accept-language", ""))
    return Guest(digest(secret), lang, cookies)


def guess_language(kept: str, accepted: str) -> str:
    if kept in LANGUAGES:
        return kept
    for part in accepted.split(","):
        if (lang := part.strip()[:2].lower()) in LANGUAGES:
            return lang
    return "en"
