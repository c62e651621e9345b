"""The application: its routes, what it needs to start, and how it stops."""

import asyncio
import contextlib
import signal
import socket
import sys
from collections.abc import AsyncIterator, Callable
from typing import TYPE_CHECKING, Any

import uvicorn
from litestar import Litestar, Request
from litestar.config.compression import CompressionConfig
from litestar.datastructures import State as AppState
from litestar.di import Provide
from litestar.openapi import OpenAPIConfig, spec
from litestar.plugins.jinja import JinjaTemplateEngine
from litestar.template import TemplateConfig

from mozaika.games import GAMES
from mozaika.kernel import warmer
from mozaika.server.access import AccessLog, Observer
from mozaika.server.api import api
from mozaika.server.door import Connection, Door, most_connections, read_networks
from mozaika.server.entrance import Entrance
from mozaika.server.garbage import look_now_and_then, small_portions
from mozaika.server.guard import BURST, PER_SECOND, Guard, Limits
from mozaika.server.guests import Guest, is_mistaken, read_guest
from mozaika.server.health import health
from mozaika.server.moves import Moves
from mozaika.server.outside import Outside
from mozaika.server.pages import answer_error, pages
from mozaika.server.problems import NO_TOKEN, Problem
from mozaika.server.rendering import TEMPLATES
from mozaika.server.schema import ArraysInDocument, DescribedJson
from mozaika.server.sharing import share_limits
from mozaika.store import Store
from mozaika.table.hall import Hall

if TYPE_CHECKING:  # what it needs is loaded only where numbers are wanted
    from mozaika.server.numbers import Numbers

BODY_LIMIT = 16 << 10
SECONDS_TO_STOP = 4
SECONDS_TO_LEAVE = 3.0
"""Proxies ask every two seconds whether a server is ready."""
SECONDS_OF_A_THREAD = 0.001
UNSENT_MILLISECONDS = 20_000
"""A client that does not take what it is sent for so long is cut off."""


def build_app(
    open_store: Callable[[], Store],
    *,
    burst: int = BURST,
    per_second: float = PER_SECOND,
    origin: str = "",
    numbers: "Numbers | None" = None,
    access_log: AccessLog | None = None,
    prefix: str = "",
    **hall: Any,
) -> Litestar:
    """The application over a store, which is opened when it starts; with numbers or a log of what it does."""
    limits = Limits(burst, per_second)

    @contextlib.asynccontextmanager
    async def lifespan(app: Litestar) -> AsyncIterator[None]:
        store = open_store()
        await store.open()
        app.state.hall = Hall(numbers.measure(store) if numbers else store, **hall)
        app.state.closing = asyncio.Event()
        warmer.compile(*GAMES.values())
        beside = [asyncio.create_task(app.state.hall.keep_up()), asyncio.create_task(app.state.hall.resume())]
        if store.is_shared:
            beside.append(asyncio.create_task(share_limits(limits, store)))
        if numbers:
            numbers.watch(app.state.hall)
            beside.append(asyncio.create_task(numbers.watch_loop()))
        beside.append(asyncio.create_task(look_now_and_then()))
        try:
            with small_portions():
                yield
        finally:
            for task in beside:
                task.cancel()
            app.state.closing.set()
            warmer.stop()
            await app.state.hall.close()
            await store.close()
            if numbers:
                numbers.close()
            if access_log:
                access_log.close()

    app = Litestar(
        route_handlers=[api, pages, health],
        dependencies={
            "guest": Provide(_guest, sync_to_thread=False),
            "hall": Provide(_hall, sync_to_thread=False),
            "app_state": Provide(_app_state, sync_to_thread=False),
            "limits": Provide(lambda: limits, sync_to_thread=False),
        },
        lifespan=[lifespan],
        exception_handlers={Exception: answer_error},
        request_max_body_size=BODY_LIMIT,
        compression_config=CompressionConfig(
            backend="gzip",
            minimum_size=1_000,
            gzip_compress_level=4,
            exclude=["/(events|moves)$", "^/static/", "^/api$"],
        ),
        template_config=TemplateConfig(directory=TEMPLATES, engine=JinjaTemplateEngine),
        plugins=[ArraysInDocument()],
        openapi_config=OpenAPIConfig(
            title="Mozaika",
            version="1",
            path="/api/schema",
            render_plugins=[DescribedJson()],
            servers=[spec.Server(url=prefix or "/")],
        ),
    )
    # not as a middleware: those stand only before routes, and not before what is not found
    app.asgi_handler = Guard(Moves(app.asgi_handler), limits, origin)
    if prefix or origin:
        app.asgi_handler = Outside(app.asgi_handler, prefix, origin)
    app.state.limits = limits
    app.state.root = prefix
    app.state.origin = origin.rstrip("/")
    app.state.numbers = numbers
    if numbers and access_log:
        access_log.on_drop = numbers.note_dropped
    if numbers or access_log:
        app.asgi_handler = Observer(app.asgi_handler, numbers, access_log)
    return app


def _guest(request: "Request[Any, Any, Any]", hall: Hall) -> Guest:
    """After the hall: what could be found side by side would get a group of tasks, which costs more."""
    if is_mistaken(request) and request.url.path.startswith("/api/"):
        raise Problem(400, NO_TOKEN)
    return read_guest(request)


def _hall(request: "Request[Any, Any, Any]") -> Hall:
    hall: Hall = request.app.state.hall
    return hall


def _app_state(request: "Request[Any, Any, Any]") -> AppState:
    return request.app.state


class Server(uvicorn.Server):
    """Tells the open streams to end before it waits for them.

    Behind a proxy that has other servers it first says that it is not ready and goes on for a while, so that
    nobody is sent here any more when the door is closed.
    """

    def __init__(self, config: uvicorn.Config, sock: socket.socket, door: Door, limits: Limits) -> None:
        super().__init__(config)
        self._entrance = Entrance(sock, door, limits.efforts, self._make_connection)
        self.waits_for_proxy = bool(door.trusted)

    def _make_connection(self, door: Door, host: str) -> Connection:
        state = self.lifespan.state
        return Connection(door, host, config=self.config, server_state=self.server_state, app_state=state)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._entrance.open()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        app = self.config.loaded_app
        while not isinstance(app, Litestar):
            app = app.app
        if closing := app.state.get("closing"):
            if self.waits_for_proxy and app.state.hall.store.is_shared:
                app.state.leaving = True
                await asyncio.sleep(SECONDS_TO_LEAVE)
            closing.set()
            for shared in app.state.hall.tables.values():
                shared.show()
        self._entrance.shut()
        await super().shutdown(sockets)


def listen(host: str, port: int) -> socket.socket:
    """A listening socket that frees clients who stopped reading."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # the protocol is named, so that Nagle is switched off
    sock = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if hasattr(socket, "TCP_USER_TIMEOUT"):
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNSENT_MILLISECONDS)
    sock.bind((host, port))
    return sock


def serve(app: Litestar, sock: socket.socket, *, trusted_proxies: str = "") -> None:
    """Run until SIGTERM or SIGINT. Trusted proxies, with commas, say for whom they ask."""
    # uvicorn raises the signal again when it has stopped; a planned stop is a success
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    # who reads or thinks in plain Python lets the event loop have its turn soon
    sys.setswitchinterval(SECONDS_OF_A_THREAD)
    limits: Limits = app.state.limits
    door = Door(
        limits.most_connections,
        most_connections(),
        read_networks(trusted_proxies),
        limits.knocks,
        limits.efforts,
    )
    config = uvicorn.Config(
        app,
        log_level="error",  # below that uvicorn has a line for every request that is none
        access_log=False,
        timeout_graceful_shutdown=SECONDS_TO_STOP,
        proxy_headers=bool(trusted_proxies),
        forwarded_allow_ips=trusted_proxies or None,
        server_header=False,
    )
    Server(config, sock, door, limits).run(sockets=[])
