"""Who asks: a guest is whoever has a secret in a cookie. There are no accounts."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from ipaddress import IPv6Address, ip_address
from typing import Any

from litestar import Request
from litestar.connection import ASGIConnection
from litestar.datastructures import Cookie

from mozaika.table.commands import digest, new_secret
from mozaika.words import LANGUAGES

_SECRET = re.compile(r"[A-Za-z0-9_-]{20,40}")
MOST_KEPT, LONGEST_KEPT = 5_000, 500
"""So many guests are recalled, by so many bytes: strangers choose what they show."""
_WEIGHT = re.compile(r"[01](\.[0-9]{0,3})?")


@dataclass(frozen=True)
class Guest:
    """The secret and its digest, the language, the cookies that the answer has to set, and from where."""

    id: str
    lang: str
    cookies: list[Cookie]
    address: str
    secret: str = field(repr=False)
    root: str = ""
    """What stands before every address of the server."""


def cookie_name(secure: bool, root: str = "") -> str:
    """Browsers accept the strict names over https only, and the strictest only for a whole host."""
    if not secure:
        return "mozaika"
    return "__Secure-mozaika" if root else "__Host-mozaika"


def read_guest(request: "Request[Any, Any, Any]") -> Guest:
    """The guest of a request; a new one gets a secret."""
    return _read_guest(request, request.app.state.root)


def recall_guest(scope: Mapping[str, Any], named: Mapping[bytes, bytes], root: str) -> Guest | None:
    """A guest who is known already, by the headers of a plain request; None where an answer has to set a
    cookie, where the address says more, and where more is shown than is worth keeping.
    """
    shown = named.get(b"cookie", b""), named.get(b"authorization", b""), named.get(b"accept-language", b"")
    if scope["query_string"] or sum(map(len, shown)) > LONGEST_KEPT:
        return None
    return _recall(*shown, scope["scheme"], scope["client"][0] if scope["client"] else "", root)


@lru_cache(maxsize=MOST_KEPT)
def _recall(cookie: bytes, token: bytes, accepted: bytes, scheme: str, host: str, root: str) -> Guest | None:
    headers = [(b"cookie", cookie), (b"authorization", token), (b"accept-language", accepted)]
    scope: Any = {
        "type": "http",
        "headers": headers,
        "query_string": b"",
        "scheme": scheme,
        "client": (host, 0) if host else None,
    }
    guest = _read_guest(Request(scope), root)
    return None if guest.cookies else guest


def _read_guest(request: "Request[Any, Any, Any]", root: str) -> Guest:
    secure = request.scope["scheme"] == "https"
    name = cookie_name(secure, root)
    secret, token = request.cookies.get(name, ""), _read_token(request)
    if _SECRET.fullmatch(token):
        secret = token
    cookies = []
    if not _SECRET.fullmatch(secret):
        secret = new_secret()
        cookies.append(
            Cookie(
                key=name,
                value=secret,
                path=root or "/",
                max_age=400 * 86_400,
                httponly=True,
                samesite="lax",
                secure=secure,
            )
        )
    chosen = _read_choice(request)
    if chosen in LANGUAGES:
        cookies.append(
            Cookie(
                key="lang",
                value=chosen,
                path=root or "/",
                max_age=400 * 86_400,
                samesite="lax",
                secure=secure,
            )
        )
    return Guest(digest(secret), read_language(request), cookies, read_address(request.scope), secret, root)


def _read_token(request: "Request[Any, Any, Any]") -> str:
    """What a program says instead of a cookie."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


def is_mistaken(request: "Request[Any, Any, Any]") -> bool:
    """Whether a program shows as its token what is none, and would be somebody new with each request."""
    token = _read_token(request)
    name = cookie_name(request.scope["scheme"] == "https", request.app.state.root)
    return bool(token) and not any(map(_SECRET.fullmatch, (token, request.cookies.get(name, ""))))


def read_address(scope: Mapping[str, Any]) -> str:
    """What limits are counted for: the address that a request comes from."""
    client = scope.get("client")
    return name_network(client[0]) if client else "nobody"


@lru_cache(maxsize=5_000)
def name_network(address: str) -> str:
    """An address; of IPv6 the /64, because whoever has one of its addresses has them all."""
    try:
        found = ip_address(address)
    except ValueError:
        return address[:64]
    if not isinstance(found, IPv6Address):
        return str(found)
    if found.ipv4_mapped:
        return str(found.ipv4_mapped)
    return f"{IPv6Address(int(found) >> 64 << 64)}/64"


def read_language(request: "ASGIConnection[Any, Any, Any, Any]") -> str:
    """The language in which to answer: the one chosen now or before, or what the browser asks for."""
    for known in (_read_choice(request), request.cookies.get("lang", "")):
        if known in LANGUAGES:
            return known
    wanted = _accepted(request.headers.get("accept-language", "")[:200])
    return next((lang for lang in wanted if lang in LANGUAGES), "en")


def _read_choice(request: "ASGIConnection[Any, Any, Any, Any]") -> str:
    """The language that the address names."""
    if not request.scope["query_string"]:
        return ""
    chosen: str = request.query_params.get("lang", "")
    return chosen


@lru_cache(maxsize=200)
def _accepted(header: str) -> list[str]:
    """The languages of an Accept-Language, the most wanted first: `de;q=0.5, pl` wants Polish."""
    found = []
    for part in header.split(","):
        name, _, weight = part.replace(" ", "").lower().partition(";q=")
        if not weight or _WEIGHT.fullmatch(weight):
            found.append((float(weight or 1), name.partition("-")[0]))
    return [name for weight, name in sorted(found, key=lambda each: -each[0]) if weight > 0]
