"""The command that starts the table in the browser."""

import os
import sys
import webbrowser
from typing import Annotated

import typer
from rich.markup import escape

from mozaika.cli.settings import SettingsFile, StoreFile, find_store
from mozaika.cli.shell import command, console


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
    proxied: Annotated[
        bool,
        typer.Option("--proxied", envvar="MOZAIKA_PROXIED", help="Trust X-Forwarded-* of a proxy in front."),
    ] = False,
    burst: Annotated[
        int, typer.Option(envvar="MOZAIKA_BURST", min=1, help="Requests at once from one address.")
    ] = 200,
    rate: Annotated[
        float, typer.Option(envvar="MOZAIKA_RATE", min=0.1, help="Requests a second from one address.")
    ] = 40,
    webhooks: Annotated[
        bool,
        typer.Option(
            "--webhooks", envvar="MOZAIKA_WEBHOOKS", help="Let players have an address called at their turn."
        ),
    ] = False,
    origin: Annotated[
        str,
        typer.Option(envvar="MOZAIKA_ORIGIN", help="How the table is reached from outside, for such calls."),
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
    settings: SettingsFile = None,
) -> None:
    """Start the table in the browser. Every setting can also be an environment variable or stand in a file.

    Examples: `mozaika serve` · `mozaika serve --host 0.0.0.0 --port 80 --store games.db`
    """
    from mozaika.server.app import build_app, listen
    from mozaika.server.app import serve as run
    from mozaika.store import StoreError
    from mozaika.store.sqlite import SqliteStore
    from mozaika.table.caller import Caller

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
    address = f"http://{f'[{host}]' if ':' in host else host}:{sock.getsockname()[1]}/"
    console.print(f"Mozaika's table is at [bold]{address}[/] (Ctrl+C ends it)", highlight=False)
    console.print(f"The games are kept in {escape(str(path))}", style="dim", highlight=False, soft_wrap=True)
    caller = Caller((origin or address).rstrip("/")) if webhooks else None
    if open_browser and (
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY") or sys.platform in ("darwin", "win32")
    ):
        webbrowser.open(address)
    run(
        build_app(
            lambda: games,
            burst=burst,
            per_second=rate,
            patience=patience,
            caller=caller,
            answer_seconds=answer_seconds,
        ),
        sock,
        proxied=proxied,
    )
