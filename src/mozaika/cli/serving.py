"""The command that starts the table in the browser."""

import os
import re
import sys
import webbrowser
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape

from mozaika.cli.settings import SettingsFile, StoreFile, find_store
from mozaika.cli.shell import command, console

if TYPE_CHECKING:
    from mozaika.server.numbers import Numbers


@command()
def serve(
    host: Annotated[str, typer.Option(envvar="MOZAIKA_HOST", help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(envvar="MOZAIKA_PORT", min=0, max=65535, help="The port; 0 takes any.")
    ] = 8000,
    store: StoreFile = None,
    open_browser: Annotated[
        bool,
        typer.Option(
            "--open/--no-open", envvar="MOZAIKA_OPEN", help="Open a browser where there is a desktop."
        ),
    ] = True,
    trusted_proxies: Annotated[
        str,
        typer.Option(
            envvar="MOZAIKA_TRUSTED_PROXIES",
            metavar="ADDRESSES",
            help="Proxies whose X-Forwarded-* counts: addresses and networks, with commas.",
        ),
    ] = "",
    burst: Annotated[
        int, typer.Option(envvar="MOZAIKA_BURST", min=1, help="Requests at once from one address.")
    ] = 600,
    rate: Annotated[
        float, typer.Option(envvar="MOZAIKA_RATE", min=0.1, help="Requests a second from one address.")
    ] = 30,
    webhooks: Annotated[
        bool,
        typer.Option(
            "--webhooks", envvar="MOZAIKA_WEBHOOKS", help="Let players have an address called at their turn."
        ),
    ] = False,
    webhook_hosts: Annotated[
        str,
        typer.Option(
            envvar="MOZAIKA_WEBHOOK_HOSTS",
            metavar="HOSTS",
            help="Hosts that are called though they are not public, with commas.",
        ),
    ] = "",
    origin: Annotated[
        str,
        typer.Option(
            envvar="MOZAIKA_ORIGIN",
            help="How the table is reached from outside, such as https://mozaika.example; "
            "requests under another name are then refused.",
        ),
    ] = "",
    prefix: Annotated[
        str,
        typer.Option(
            envvar="MOZAIKA_PREFIX", metavar="PATH", help="Everything lies below this path, such as /mozaika."
        ),
    ] = "",
    patience: Annotated[
        float, typer.Option(envvar="MOZAIKA_PATIENCE", min=0, help="Seconds a bot waits before it moves.")
    ] = 0.5,
    answer_seconds: Annotated[
        float,
        typer.Option(
            envvar="MOZAIKA_ANSWER_SECONDS",
            min=0,
            help="Seconds that browsers have to add to the draws among people; 0 asks nobody.",
        ),
    ] = 5.0,
    metrics: Annotated[
        bool,
        typer.Option(
            "--metrics", envvar="MOZAIKA_METRICS", help="Count and time, and tell this machine at /metrics."
        ),
    ] = False,
    metrics_token: Annotated[
        str,
        typer.Option(
            envvar="MOZAIKA_METRICS_TOKEN", help="Tell others, too, who send it as “Authorization: Bearer …”."
        ),
    ] = "",
    access_log: Annotated[
        str,
        typer.Option(
            envvar="MOZAIKA_ACCESS_LOG",
            metavar="FILE",
            help="Note each request as a line of JSON; - prints it.",
        ),
    ] = "",
    settings: SettingsFile = None,
) -> None:
    """Start the table in the browser. Every setting can also be an environment variable or stand in a file.

    Examples: `mozaika serve` · `mozaika serve --host 0.0.0.0 --port 80 --store games.db`
    """
    from mozaika.server.access import AccessLog
    from mozaika.server.app import build_app, listen
    from mozaika.server.app import serve as run
    from mozaika.server.door import read_networks
    from mozaika.server.outside import read_prefix
    from mozaika.store import StoreError
    from mozaika.store.sqlite import SqliteStore
    from mozaika.table.caller import Caller

    read_networks(trusted_proxies)
    if origin and not re.fullmatch(r"https?://[^/\s?#]+/?", origin):
        raise ValueError(f"An origin is written https://mozaika.example, not “{origin}”.")
    prefix = read_prefix(prefix)
    log = AccessLog(access_log) if access_log else None
    path = find_store(store)
    try:
        games = SqliteStore(path)
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
    console.print(f"The games are kept in {escape(str(path))}", style="dim", highlight=False, soft_wrap=True)
    allowed = [host.strip() for host in webhook_hosts.split(",") if host.strip()]
    caller = Caller((origin or address).rstrip("/") + prefix, allowed) if webhooks else None
    if open_browser and (
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY") or sys.platform in ("darwin", "win32")
    ):
        webbrowser.open(f"{address}{prefix}/")
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
        ),
        sock,
        trusted_proxies=trusted_proxies,
    )


def _count(token: str) -> "Numbers":
    from mozaika.server.numbers import Numbers

    return Numbers(token)
