"""Moves are by far the most of what changes a table; they need not go through all layers of the framework.

The handler is the same. Whatever is not a plain move that is accepted goes on to the framework, which does it
once more and says what is wrong with it: what has the same key is done once.
"""

import re
from typing import Any

import msgspec
from litestar import Request
from litestar.enums import ScopeType
from litestar.types import ASGIApp, HTTPReceiveMessage, HTTPScope, Receive, Scope, Send

from mozaika.server.api.fields import KEY_LENGTHS, KEY_NAME, LONGEST_TABLE, Done
from mozaika.server.api.play import MoveWish, play_move
from mozaika.server.guests import read_guest

ROUTE = "/api/games/{table}/moves"
"""As numbers call it."""
_PATH = re.compile(rf"/api/games/([^/]{{1,{LONGEST_TABLE}}})/moves")
_wishes = msgspec.json.Decoder(MoveWish)
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
        done = None
        if not first.get("more_body") and len(first.get("body", b"")) <= LONGEST_WISH:
            done = await _play(scope, at[1], first["body"])
        if done is None:
            await self.app(scope, _again(first, receive), send)
            return
        scope["path_template"] = ROUTE
        body = msgspec.json.encode(done)
        headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": body, "more_body": False})


async def _play(scope: HTTPScope, table: str, body: bytes) -> Done | None:
    """The answer to a move of a known guest; None for everything else."""
    request: Request[Any, Any, Any] = Request(scope)
    key, kind = request.headers.get(KEY_NAME, ""), request.headers.get("content-type", "")
    guest = read_guest(request)
    if len(key) not in KEY_LENGTHS or guest.cookies or not kind.startswith("application/json"):
        return None
    try:
        wish = _wishes.decode(body)
        answer = await play_move.fn(table, wish, key, guest, request.app.state.hall)
    except Exception:  # noqa: BLE001  whatever it is will come again, and be explained
        return None
    done: Done = answer.content
    return done


def _again(first: HTTPReceiveMessage, receive: Receive) -> Receive:
    """What has come already comes once more, then the rest."""
    waiting = [first]

    async def receive_again() -> Any:
        return waiting.pop() if waiting else await receive()

    return receive_again
