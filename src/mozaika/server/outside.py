"""How the server is reached from outside: below a path, and over https only."""

import re

from litestar.datastructures import MutableScopeHeaders
from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from mozaika.server.guard import PROBES

NOWHERE = "/nowhere"
A_YEAR = "max-age=31536000"


def read_prefix(text: str) -> str:
    """A path such as `/mozaika`, as it stands before every address; ValueError if it is none."""
    prefix = text.rstrip("/")
    if not re.fullmatch(r"(/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)*", prefix):
        raise ValueError(f"A prefix is a path such as /mozaika, not {text!r}.")
    return prefix


class Outside:
    """Stands before the application, which knows its own addresses only."""

    def __init__(self, app: ASGIApp, prefix: str = "", origin: str = "") -> None:
        """With the path below which everything is, and how the server is called from outside."""
        self.app, self.prefix = app, prefix
        self.secure = origin.startswith("https://")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == ScopeType.HTTP:
            scope["path"] = self._inside(scope["path"])
            send = _with_https(send) if self.secure else send
        await self.app(scope, receive, send)

    def _inside(self, path: str) -> str:
        if path == self.prefix or path.startswith(f"{self.prefix}/"):
            return path[len(self.prefix) :] or "/"
        # probes know of no prefix; where nothing is, the application says so
        return path if path in PROBES else NOWHERE


def _with_https(send: Send) -> Send:
    """Browsers that have come over https once do not try without it."""

    async def send_on(message: Message) -> None:
        if message["type"] == "http.response.start":
            MutableScopeHeaders.from_message(message).setdefault("Strict-Transport-Security", A_YEAR)
        await send(message)

    return send_on
