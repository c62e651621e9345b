"""Commands for whoever runs a server: keep the games safe, look after the tables."""

import asyncio
import re
import time
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

import typer
from rich.markup import escape
from rich.progress import Progress, TaskID
from rich.table import Table as Grid

from mozaika.cli.settings import SettingsFile, StorePlace, find_store
from mozaika.cli.shell import AsJson, command, console, notices, one_of, print_json
from mozaika.state import WATCHER

T = TypeVar("T")
Doing = Literal["list", "show", "close", "strike"]
UNITS = {"h": 3_600, "d": 86_400, "w": 7 * 86_400}

Age = Annotated[str, typer.Option("--older-than", metavar="AGE", help="Such as 90d, 12w or 72h.")]


@command()
def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Where to; a new file.")],
    force: Annotated[bool, typer.Option("--force", help="Replace the file if there is one.")] = False,
    store: StorePlace = None,
    settings: SettingsFile = None,
) -> None:
    """Write all games into one file, also while the server runs: what it has acknowledged by now is in it.

    Example: `mozaika backup games-monday.db`
    """
    from mozaika.store.backup import back_up
    from mozaika.store.place import file_at

    games = _refusing(lambda: back_up(file_at(find_store(store)), file, force=force))
    _say(f"{_games(games)} in {file}.")


def _games(number: int) -> str:
    return "1 game is" if number == 1 else f"{number} games are"


@command()
def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A file that `mozaika backup` has written.")],
    store: StorePlace = None,
    settings: SettingsFile = None,
) -> None:
    """Put the games of a backup back, while no server runs; those that were there are kept beside them.

    Example: `mozaika restore games-monday.db`
    """
    from mozaika.store.backup import check_backup
    from mozaika.store.backup import restore as put_back
    from mozaika.store.place import file_at

    path = _refusing(lambda: file_at(find_store(store)))
    before = _refusing(lambda: put_back(file, path))
    _say(f"{_games(check_backup(path))} in {path}.")
    if before is not None:
        _say(f"What was there before is in {before}.")


@command()
def prune(
    older_than: Age,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would go.")] = False,
    store: StorePlace = None,
    settings: SettingsFile = None,
    as_json: AsJson = False,
) -> None:
    """Remove unfinished games that nobody has played or looked at for long; also while the server runs.

    Example: `mozaika prune --older-than 90d --dry-run`
    """
    from mozaika.store import Kept, Store
    from mozaika.table.upkeep import LEAST_AGE, find_abandoned

    age = _read_age(older_than)
    if age < LEAST_AGE:
        raise ValueError("--older-than is at least 2d: who looks at a table is noted once a day.")
    before = time.time() - age

    async def clear(games: Store) -> list[Kept]:
        old = [kept async for kept in find_abandoned(games, before)]
        return old if dry_run else [kept for kept in old if await games.remove(kept.id, before)]

    gone = _beside(store, clear)
    if as_json:
        print_json({"removed": not dry_run, "tables": [_facts(kept) for kept in gone]})
        return
    _print_tables(gone)
    _say(f"{len(gone)} unfinished games {'would go' if dry_run else 'are gone'}.")


@command()
def tables(
    doing: Annotated[
        str, typer.Argument(metavar="[DOING]", help="One of list, show, close, strike.")
    ] = "list",
    table: Annotated[
        str, typer.Argument(metavar="[TABLE]", help="The id of a table, for all but list.")
    ] = "",
    reason: Annotated[str, typer.Option(help="Why it is closed; people at the table read it.")] = "",
    older_than: Age = "",
    store: StorePlace = None,
    settings: SettingsFile = None,
    as_json: AsJson = False,
) -> None:
    """List the tables of a server, show one as a watcher sees it, close one, or strike its result off
    the list of a deal; also while the server runs.

    Examples: `mozaika tables` · `mozaika tables show ID` · `mozaika tables close ID --reason "Spam."`
    """
    from mozaika.table.upkeep import close_table, strike_result

    one_of("What to do", doing, Doing)
    if (doing == "list") == bool(table):
        raise ValueError("Say which table, by its id." if not table else "To list the tables takes no id.")
    if doing == "close":
        _say(_beside(store, lambda games: close_table(games, table, reason)))
    elif doing == "strike":
        _say(_beside(store, lambda games: strike_result(games, table)))
    elif doing == "show":
        _show_table(store, table, as_json)
    else:
        _list_tables(store, older_than, as_json)


@command("store")
def copy_store(
    doing: Annotated[str, typer.Argument(metavar="copy", help="What to do.")],
    source: Annotated[
        str, typer.Argument(metavar="FROM", help="A file, or postgresql://USER@HOST/DATABASE.")
    ],
    target: Annotated[str, typer.Argument(metavar="TO", help="A new one, or one of an earlier attempt.")],
) -> None:
    """Bring all games from one store into another, while no server runs, and compare them event by event.

    Example: `mozaika store copy games.db postgresql://mozaika@db.example/mozaika`
    """
    from mozaika.store.copying import copy_games
    from mozaika.store.place import is_postgres, show_place, store_at

    one_of("What to do", doing, Literal["copy"])
    if not is_postgres(source) and not Path(source).exists():
        raise ValueError(f"There are no games in {source}.")

    async def run() -> tuple[int, int]:
        async with AsyncExitStack() as opened:
            games, copies = store_at(source, alone=True), store_at(target, alone=True)
            for each in (games, copies):
                opened.push_async_callback(each.close)
                await each.open()
            with Progress(console=notices, transient=True) as progress:
                bar = progress.add_task("Copying", total=None)
                told = partial(_advance_to, progress, bar)
                return await copy_games(games, copies, told)

    games, events = _refusing(lambda: asyncio.run(run()))
    _say(f"{games} games with {events} events are in {show_place(target)}, each compared with its original.")


def _advance_to(progress: Progress, bar: TaskID, done: int, of: int) -> None:
    progress.update(bar, completed=done, total=of)


def _list_tables(store: str | None, older_than: str, as_json: bool) -> None:
    before = time.time() - _read_age(older_than) if older_than else time.time() + 1
    found = [kept for kept in _beside(store, lambda games: games.list_games()) if kept.used < before]
    if as_json:
        print_json([_facts(kept) for kept in found])
    else:
        _print_tables(found)


def _show_table(store: str | None, name: str, as_json: bool) -> None:
    from mozaika.sketch import plain
    from mozaika.table.upkeep import load_table

    shared = _beside(store, lambda games: load_table(games, name))
    words, table = shared.table.game.words(), shared.table
    names = shared.names(words)
    state = "closed" if shared.closed is not None else "over" if table.is_over else "running"
    facts: dict[str, Any] = {
        "id": name,
        "game": table.game.id,
        "options": dict(shared.header.options),
        "seats": [{"name": who, "kind": seat.kind} for who, seat in zip(names, shared.seats, strict=True)],
        "state": state,
        "reason": shared.closed or "",
        "moves": table.ply,
        "opened": _moment(shared.header.created),
    }
    if as_json:
        print_json(facts)
        return
    for key, value in facts.items():
        shown = ", ".join(f"{seat['name']} ({seat['kind']})" for seat in value) if key == "seats" else value
        _say(f"{key}: {shown}")
    print(plain(table.game.sketch(table.game.hide(table.state, WATCHER), names, words)))


def _print_tables(found: list[Any]) -> None:
    grid = Grid("table", "game", "seats", "events", "opened", "last used", box=None)
    for kept in found:
        seats, events = str(kept.seats), str(kept.events)
        grid.add_row(kept.id, kept.game, seats, events, _moment(kept.created), _moment(kept.used))
    if found:
        console.print(grid)


def _facts(kept: Any) -> dict[str, Any]:
    return {
        "id": kept.id,
        "game": kept.game,
        "seats": kept.seats,
        "events": kept.events,
        "opened": _moment(kept.created),
        "used": _moment(kept.used),
    }


def _moment(at: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(at))


def _read_age(text: str) -> float:
    found = re.fullmatch(r"([0-9]{1,5})([hdw])", text)
    if found is None:
        raise ValueError(f"An age is a number with h, d or w, such as 90d, not {text!r}.")
    return int(found[1]) * UNITS[found[2]]


def _beside(store: str | None, ask: Callable[[Any], Awaitable[T]]) -> T:
    """Ask the games of a store for something, whether a server has them open or not."""
    from mozaika.store.place import store_at
    from mozaika.table.outdated import Damaged, Outdated
    from mozaika.table.refusals import NotThere

    async def run() -> T:
        games = store_at(find_store(store), beside=True)
        try:
            await games.open()
            return await ask(games)
        except Damaged as error:
            raise ValueError(f"The log of the table {error.name} makes no sense: {error.__cause__}") from None
        except (Outdated, NotThere) as error:
            raise ValueError(str(error)) from None
        finally:
            await games.close()

    return _refusing(lambda: asyncio.run(run()))


def _refusing(do: Callable[[], T]) -> T:
    """What cannot be done with a store is a sentence for the operator."""
    from mozaika.store import StoreError

    try:
        return do()
    except StoreError as error:
        raise ValueError(str(error)) from None


def _say(sentence: str) -> None:
    console.print(escape(sentence), highlight=False, soft_wrap=True)
