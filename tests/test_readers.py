"""What people send is read beside the event loop, a few texts at a time, and not for ever."""

import asyncio
import threading

import pytest
from litestar.testing import TestClient

from kinds import FIRST
from mozaika.game import Game
from mozaika.games import GAMES
from mozaika.record import Record
from mozaika.server.api import records
from mozaika.server.app import build_app
from mozaika.store.sqlite import SqliteStore
from mozaika.table import Table
from mozaika.table.readers import Overworked, Readers

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.filterwarnings("ignore::litestar.exceptions.base_exceptions.LitestarDeprecationWarning"),
]
PATIENT = 60


@pytest.fixture
def endless():
    """Something that is read until the test is over."""
    over, begun = threading.Event(), threading.Event()

    def read(*_: object, **__: object) -> None:
        begun.set()
        assert over.wait(PATIENT)
        raise ValueError("It is over.")

    read.begun, read.over = begun, over.set
    yield read
    over.set()


async def test_readers_answer_and_let_errors_through():
    readers = Readers()
    assert await readers.ask("here", int, "12", base=3) == 5
    with pytest.raises(ValueError, match="invalid literal"):
        await readers.ask("here", int, "x")
    await asyncio.sleep(0.01)
    assert readers.pool.running == 0
    readers.close()


async def test_nobody_waits_for_ever_and_the_place_stays_taken_until_the_work_has_ended(endless):
    readers = Readers(at_once=1, most_waiting=1, seconds=0.05)
    with pytest.raises(Overworked, match="took too long"):
        await readers.ask("here", endless)
    with pytest.raises(Overworked, match="took too long"):
        await readers.ask("here", int, "2")
    assert (readers.pool.running, readers.pool.waiting) == (1, 0), (
        "who only waited is gone, what is being read is not"
    )
    readers.close()


async def test_who_comes_while_the_queue_is_full_is_told_so(endless):
    readers = Readers(at_once=1, most_waiting=1, seconds=PATIENT)
    tasks = [asyncio.create_task(readers.ask("here", endless)) for _ in range(2)]
    await asyncio.sleep(0)
    with pytest.raises(Overworked, match="try again in a moment"):
        await readers.ask("here", int, "2")
    for task in tasks:
        task.cancel()
    readers.close()


@pytest.fixture
def client(tmp_path):
    path = tmp_path / "games.db"
    app = build_app(lambda: SqliteStore(path), readers=Readers(at_once=1, most_waiting=0, seconds=PATIENT))
    with TestClient(app, raise_server_exceptions=False) as client:
        yield client


def verify(client):
    return client.post("/api/verify", content="Mozaika record 1\n", headers={"Accept-Language": "pl"})


READ = [
    (Record, "read", verify),
    (
        Table,
        "from_position",
        lambda client: client.get("/api/position.svg", params={"position": f"{FIRST} 2"}),
    ),
    (Game, "read_options", lambda client: client.post("/api/options", json={"game": FIRST, "seats": 2})),
    (Game, "rulebook", lambda client: client.get(f"/rules/{FIRST}")),
]


@pytest.fixture
def here(monkeypatch):
    """What is done beside this process otherwise is done here, where a test can hold it."""
    monkeypatch.setattr(records, "beside", lambda read, *arguments: read(*arguments))


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    ("owner", "name", "send"), READ, ids=lambda value: value if isinstance(value, str) else ""
)
def test_the_server_answers_others_while_it_reads(client, endless, monkeypatch, owner, name, send):
    monkeypatch.setattr(owner, name, endless)
    reading = threading.Thread(target=send, args=(client,))
    reading.start()
    assert endless.begun.wait(PATIENT)
    assert client.get("/livez").text == "alive\n"
    refused = verify(client)
    assert refused.status_code == 503
    assert refused.json()["detail"] == "Wiele osób wysłało coś do odczytania; spróbuj ponownie za chwilę."
    assert int(refused.headers["retry-after"]) > 0
    endless.over()
    reading.join(PATIENT)


def test_every_game_can_be_asked_for_its_picture_beside_the_loop(client):
    for game in GAMES:
        assert client.get(f"/api/picture/{game}.svg").status_code == 200


def test_our_own_pictures_wait_for_no_reader(client, endless, monkeypatch):
    monkeypatch.setattr(Game, "rulebook", endless)
    reading = threading.Thread(target=lambda: client.get(f"/rules/{FIRST}"))
    reading.start()
    assert endless.begun.wait(PATIENT)
    assert verify(client).status_code == 503
    assert client.get(f"/api/picture/{FIRST}.svg").status_code == 200
    endless.over()
    reading.join(PATIENT)
