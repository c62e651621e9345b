"""Moves are by far the most of what changes a table; they need not go through all layers of the framework.

The handler is the same, and so are the answers. What is no move at all goes on to the framework, which says
what is wrong with it.
"""

import re
from typing import Any

import msgspec
from litestar import Request
from litestar.enums import ScopeType
from litestar.types import ASGIApp, HTTPReceiveMessage, Receive, Scope, Send

from mozaika.server.api.fields import KEY_LENGTHS, KEY_NAME, LONGEST_TABLE
from mozaika.server.api.play import MoveWish, make_move
from mozaika.server.guests import Guest, recall_guest
from mozaika.server.pages import answer_error

ROUTE = "/api/games/{table}/moves"
"""As numbers call it."""
_PATH = re.compile(rf"/api/games/([^/]{{1,{LONGEST_TABLE}}})/moves")
_wishes = msgspec.json.Decoder(MoveWish)
_KEY = KEY_NAME.lower().encode()
LONGEST_WISH = 2_000


class Moves:
    """Stands before the framework, behind the guard."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if (
            scope["type"] != ScopeType.HTTP
            or scope["method"] != "POST"
            or not (at := _PATH.fullmatch(scope["path"]))
        ):
            await self.app(scope, receive, send)
            return
        first: Any = await receive()
        if first["type"] == "http.disconnect":
            return
        body = first.get("body", b"")
        plain = not first.get("more_body") and len(body) <= LONGEST_WISH
        state = scope["litestar_app"].state
        asked = _read(scope, state.root, body) if plain else None
        if asked is None:
            await self.app(scope, _again(first, receive), send)
            return
        scope["path_template"] = ROUTE
        try:
            done = await make_move(at[1], *asked, state.hall, state.limits)
        except Exception as error:  # noqa: BLE001  each has its sentence
            request: Request[Any, Any, Any] = Request(scope)
            answer = answer_error(request, error).to_asgi_response(app=None, request=request)
            await answer(scope, receive, send)
            return
        told = msgspec.json.encode(done)
        headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(told))]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": told, "more_body": False})


def _read(scope: Scope, root: str, body: bytes) -> tuple[MoveWish, str, Guest] | None:
    """What a known guest wants, and under which key; None where the framework has to say what is missing."""
    headers = list(scope["headers"])
    named = dict(headers)
    key, kind = named.get(_KEY, b"").decode("latin-1"), named.get(b"content-type", b"")
    guest = recall_guest(scope, named, root) if len(named) == len(headers) else None
    if len(key) not in KEY_LENGTHS or guest is None or not kind.startswith(b"application/json"):
        return None
    try:
        return _wishes.decode(body), key, guest
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None


def _again(first: HTTPReceiveMessage, receive: Receive) -> Receive:
    """What has come already comes once more, then the rest."""
    waiting = [first]

    async def receive_again() -> Any:
        return waiting.pop() if waiting else await receive()

    return receive_again
