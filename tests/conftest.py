"""What all tests share: generated texts that can be accepted, an empty store, and the command line."""

import logging
import os
from collections.abc import AsyncIterator, Callable, Iterator
from itertools import pairwise
from logging.handlers import QueueHandler
from pathlib import Path

import pytest

from guest import install
from mozaika.game import Game
from mozaika.store.sqlite import SqliteStore

NO_POSTGRES = "There is no PostgreSQL here:"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--game", metavar="ID", help="only the tests of one game: its own, and its share of the others"
    )
    parser.addoption("--accept", action="store_true", help="write generated texts anew instead of comparing")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if wanted := config.getoption("--game"):
        about = [item for item in items if _is_about(item, wanted)]
        config.hook.pytest_deselected(items=[item for item in items if item not in about])
        items[:] = about


def _is_about(item: pytest.Item, game: str) -> bool:
    """Whether a test lies in the folder of a game, or has the game, its id or a kind of it as a parameter."""
    if (game, "tests") in pairwise(item.path.parts):
        return True
    values = item.callspec.params.values() if hasattr(item, "callspec") else ()
    games = (getattr(value, "game", value) for value in values)  # a kind, a game, or its id
    return any(getattr(each, "id", each) == game for each in games if isinstance(each, str | Game))


@pytest.fixture(autouse=True)
def root_logger() -> Iterator[None]:
    """An app that is built sets the root logger up for a server: the next test finds it as it was."""
    root = logging.getLogger()
    level = root.level
    yield
    root.setLevel(level)
    for handler in [each for each in root.handlers if isinstance(each, QueueHandler)]:
        root.removeHandler(handler)


@pytest.fixture
def anyio_backend() -> str:
    """The event loop of tests that are coroutines."""
    return "asyncio"


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[SqliteStore]:
    """An empty store."""
    store = SqliteStore(tmp_path / "games.db")
    yield store
    await store.close()


@pytest.fixture(scope="session")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The address of a PostgreSQL, one for the whole run. Where there is none, that is said at the end."""
    from postgres_server import NotHere, shared_server

    try:
        return shared_server(_shared_folder(tmp_path_factory))
    except NotHere as error:
        pytest.skip(f"{NO_POSTGRES} {error}")


@pytest.fixture
def database(postgres: str) -> Iterator[str]:
    """The address of an empty database."""
    from postgres_server import drop_database, new_database

    url = new_database(postgres)
    yield url
    drop_database(url)


def _shared_folder(paths: pytest.TempPathFactory) -> Path:
    """A folder that is the same in all processes of a run."""
    base = paths.getbasetemp()
    return base.parent if "PYTEST_XDIST_WORKER" in os.environ else base


def pytest_sessionfinish(session: pytest.Session) -> None:
    if "PYTEST_XDIST_WORKER" not in os.environ:
        paths: pytest.TempPathFactory = session.config._tmp_path_factory  # type: ignore[attr-defined]
        if (_shared_folder(paths) / "postgres.json").exists():
            from postgres_server import end_shared_server

            end_shared_server(_shared_folder(paths))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say plainly what could not run."""
    reasons = [report.longrepr[2] for report in terminalreporter.stats.get("skipped", ())]
    without = [reason for reason in reasons if NO_POSTGRES in reason]
    if without:
        terminalreporter.write_line(f"{len(without)} tests with PostgreSQL did not run. {without[0]}")


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a small game that another package brings."""
    return install(tmp_path_factory.mktemp("installed"))


@pytest.fixture
def expect(request: pytest.FixtureRequest) -> Callable[[Path, str], None]:
    """Compares a generated text with its file, or writes the file with --accept."""

    def compare(path: Path, text: str) -> None:
        if request.config.getoption("--accept"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
        assert path.exists(), f"{path.name} is missing; `make accept` writes it"
        assert path.read_text("utf-8") == text, f"{path.name} has changed; `make accept` writes it anew"

    return compare


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """Runs the command line: what it prints, or what it complains about where it is to fail."""
    from mozaika.cli import main

    def call(*arguments: object, code: int = 0) -> str:
        monkeypatch.setattr("sys.argv", ["mozaika", *map(str, arguments)])
        with pytest.raises(SystemExit) as left:
            main()
        captured = capsys.readouterr()
        assert left.value.code == code, captured.err
        return captured.err if code else captured.out

    return call
