"""The command that starts the table in the browser."""

import asyncio
import os
import re
import signal
import sys
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from rich.markup import escape

from mozaika.cli.settings import SettingsFile, StorePlace, find_store, own_ratings, setting
from mozaika.cli.shell import command, console
from mozaika.doors.nets import NET
from mozaika.doors.players import EXEC, PYTHON

if TYPE_CHECKING:
    from mozaika.server.numbers import Numbers
    from mozaika.store import Store
    from mozaika.table.engaged import Engaged


@command()
def serve(
    host: Annotated[str, setting("HOST", "The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, setting("PORT", "The port; 0 takes any.", min=0, max=65535)] = 8000,
    store: StorePlace = None,
    open_browser: Annotated[
        bool, setting("OPEN", "Open a browser where there is a desktop.", "--open/--no-open")
    ] = True,
    trusted_proxies: Annotated[
        str,
        setting(
            "TRUSTED_PROXIES",
            "Proxies whose X-Forwarded-* counts: addresses and networks, with commas.",
            metavar="ADDRESSES",
        ),
    ] = "",
    burst: Annotated[int, setting("BURST", "Requests at once from one address.", min=1)] = 600,
    rate: Annotated[float, setting("RATE", "Requests a second from one address.", min=0.1)] = 30,
    webhooks: Annotated[
        bool, setting("WEBHOOKS", "Let players have an address called at their turn.", "--webhooks")
    ] = False,
    webhook_hosts: Annotated[
        str,
        setting(
            "WEBHOOK_HOSTS", "Hosts that are called though they are not public, with commas.", metavar="HOSTS"
        ),
    ] = "",
    origin: Annotated[
        str,
        setting(
            "ORIGIN",
            "How the table is reached from outside, such as https://mozaika.example; "
            "requests under another name are then refused.",
        ),
    ] = "",
    prefix: Annotated[
        str, setting("PREFIX", "Everything lies below this path, such as /mozaika.", metavar="PATH")
    ] = "",
    patience: Annotated[float, setting("PATIENCE", "Seconds a bot waits before it moves.", min=0)] = 0.2,
    answer_seconds: Annotated[
        float,
        setting(
            "ANSWER_SECONDS",
            "Seconds that browsers have to add to the draws among people; 0 asks nobody.",
            min=0,
        ),
    ] = 5.0,
    metrics: Annotated[
        bool, setting("METRICS", "Count and time, and tell this machine at /metrics.", "--metrics")
    ] = False,
    metrics_token: Annotated[
        str, setting("METRICS_TOKEN", "Tell others, too, who send it as “Authorization: Bearer …”.")
    ] = "",
    access_log: Annotated[
        str, setting("ACCESS_LOG", "Note each request as a line of JSON; - prints it.", metavar="FILE")
    ] = "",
    thinks: Annotated[
        bool,
        setting(
            "THINK",
            "Whether bots think in this process, too, or only in those of `mozaika think`.",
            "--think/--no-think",
        ),
    ] = True,
    bot: Annotated[
        list[str] | None,
        setting(
            "BOT",
            "A bot of your own among the opponents, with net:FILE, exec:COMMAND or python:MODULE:NAME; "
            "can be given several times.",
            "--bot",
            metavar="NAME[@GAME]=BOT",
        ),
    ] = None,
    ratings: Annotated[
        Path | None,
        setting("RATINGS", "Where `mozaika arena --rate` has written how strong they are.", metavar="FILE"),
    ] = None,
    settings: SettingsFile = None,
) -> None:
    """Start the table in the browser. Every setting can also be an environment variable or stand in a file.

    Examples: `mozaika serve` · `mozaika serve --host 0.0.0.0 --port 80 --store games.db` ·
    `mozaika serve --store postgresql://mozaika@db.example/mozaika`
    """
    from mozaika.doors.engage import read_engaged, read_own_ratings
    from mozaika.server.access import AccessLog
    from mozaika.server.app import build_app, listen
    from mozaika.server.app import serve as run
    from mozaika.server.door import read_networks
    from mozaika.server.outside import read_prefix
    from mozaika.store import StoreError
    from mozaika.store.place import is_postgres, show_place, store_at
    from mozaika.table.caller import Caller
    from mozaika.table.engaged import dismiss_all, engage
    from mozaika.table.mind import Mind

    read_networks(trusted_proxies)
    if origin and not re.fullmatch(r"https?://[^/\s?#]+/?", origin):
        raise ValueError(f"An origin is written https://mozaika.example, not “{origin}”.")
    prefix = read_prefix(prefix)
    log = AccessLog(access_log) if access_log else None
    engaged = read_engaged(whole_bots(bot or []), read_own_ratings(ratings or own_ratings()))
    place = find_store(store)
    if not thinks and not is_postgres(place):
        raise ValueError("Bots can think elsewhere only where PostgreSQL keeps the games.")
    try:
        games = store_at(place)
        asyncio.run(_try(games))
    except StoreError as error:
        raise ValueError(str(error)) from None
    try:
        sock = listen(host, port)
    except OSError as error:
        raise ValueError(
            f"Cannot listen on {host}:{port}: {(error.strerror or str(error)).lower()}."
        ) from None
    address = f"http://{f'[{host}]' if ':' in host else host}:{sock.getsockname()[1]}"
    console.print(f"Mozaika's table is at [bold]{address}{prefix}/[/] (Ctrl+C ends it)", highlight=False)
    console.print(
        f"The games are kept in {escape(show_place(place))}", style="dim", highlight=False, soft_wrap=True
    )
    allowed = [host.strip() for host in webhook_hosts.split(",") if host.strip()]
    caller = Caller((origin or address).rstrip("/") + prefix, allowed) if webhooks else None
    if open_browser and (
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY") or sys.platform in ("darwin", "win32")
    ):
        webbrowser.open(f"{address}{prefix}/")
    for each in engaged:
        engage(each)
    _tell_engaged(engaged)
    run(
        build_app(
            lambda: games,
            burst=burst,
            per_second=rate,
            origin=origin,
            patience=patience,
            caller=caller,
            answer_seconds=answer_seconds,
            numbers=_count(metrics_token) if metrics else None,
            access_log=log,
            prefix=prefix,
            thinks=thinks,
            mind=Mind(),
        ),
        sock,
        trusted_proxies=trusted_proxies,
    )
    dismiss_all()


_BEGINS = re.compile(rf"[^=]+=({NET}|{EXEC}|{PYTHON})")


def whole_bots(parts: list[str]) -> list[str]:
    """Bots as they were meant: a variable has been cut at every blank."""
    found: list[str] = []
    for part in parts:
        if found and not _BEGINS.match(part):
            found[-1] += f" {part}"
        else:
            found.append(part)
    return found


def _tell_engaged(engaged: "list[Engaged]") -> None:
    for name in dict.fromkeys(each.name for each in engaged):
        games = ", ".join(each.game.name for each in engaged if each.name == name)
        console.print(f"{escape(name)} plays {games}", style="dim", highlight=False, soft_wrap=True)


@command()
def think(
    store: StorePlace = None,
    threads: Annotated[
        int | None, setting("THREADS", "How many thoughts at once; all processors if not given.", min=1)
    ] = None,
    settings: SettingsFile = None,
) -> None:
    """Think for servers that keep their games in the same PostgreSQL: moves of bots, hints, evaluations.

    Any number of them may run, on any machine. Example: `mozaika think --store postgresql://mozaika@db.example/mozaika`
    """
    from mozaika.games import GAMES
    from mozaika.kernel import warmer
    from mozaika.store import StoreError
    from mozaika.store.place import is_postgres, show_place, store_at
    from mozaika.table.thinkers import threads_here
    from mozaika.table.worker import Worker

    place = find_store(store)
    if not is_postgres(place):
        raise ValueError("Bots think for others only where PostgreSQL keeps the games.")

    async def work() -> None:
        games = store_at(place)
        await games.open()
        assert games.queue is not None  # noqa: S101  it is PostgreSQL
        worker, ended = Worker(games.queue, threads or threads_here()), asyncio.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(number, ended.set)
        warmer.compile(*GAMES.values())
        worker.start()
        console.print(
            f"Thinking for the tables in {escape(show_place(place))} (Ctrl+C ends it)", soft_wrap=True
        )
        await ended.wait()
        warmer.stop()
        await worker.stop()
        await games.close()

    try:
        asyncio.run(work())
    except StoreError as error:
        raise ValueError(str(error)) from None


async def _try(games: "Store") -> None:
    """Who cannot keep games says so before anybody is let in."""
    await games.open()
    if games.is_shared:  # its connections belong to an event loop; the server opens it anew
        await games.close()


def _count(token: str) -> "Numbers":
    from mozaika.server.numbers import Numbers

    return Numbers(token)
