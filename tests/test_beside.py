"""What would hold up everybody is done by a process beside the server."""

import os
import signal

import pytest
import resvg_py
from litestar.testing import TestClient

from kinds import FIRST
from mozaika.record import Record, RecordError
from mozaika.server.app import build_app
from mozaika.store.sqlite import SqliteStore
from mozaika.table import beside as beside_module
from mozaika.table.beside import beside
from mozaika.table.pool import Overworked
from server_process import once

pytestmark = pytest.mark.filterwarnings(
    "ignore::litestar.exceptions.base_exceptions.LitestarDeprecationWarning"
)


def test_another_process_answers_and_says_what_is_wrong():
    assert beside(os.getpid) == beside(os.getpid) != os.getpid()
    with pytest.raises(RecordError, match="Wiersz 1"):
        beside(Record.read, "Game: chess", "pl")
    assert beside(print, "what is printed there is no answer") is None


def test_who_computes_for_ever_is_ended_and_the_next_one_served(monkeypatch):
    before = beside(os.getpid)
    monkeypatch.setattr(beside_module, "SECONDS", 1)
    with pytest.raises(Overworked, match="took too long"):
        beside(exec, "while True: pass")
    assert beside(os.getpid) != before


def test_one_that_was_killed_is_replaced():
    pid = beside(os.getpid)
    processes = [each._process for each in beside_module._helpers if each._process]
    process = next(each for each in processes if each.pid == pid)
    os.kill(pid, signal.SIGKILL)
    process.wait(60)
    assert beside(os.getpid) != pid


def not_here(*_, **__):
    raise AssertionError("This holds up everybody.")


def test_records_are_read_and_pictures_rendered_there(tmp_path, monkeypatch):
    monkeypatch.setattr(Record, "read", not_here)
    monkeypatch.setattr(resvg_py, "svg_to_bytes", not_here)
    with TestClient(build_app(lambda: SqliteStore(tmp_path / "games.db"))) as client:
        for path in ("/api/verify", "/api/records"):
            answer = client.post(path, content="Mozaika record 1\n", headers=once())
            assert answer.status_code == 422, answer.text
        seats = [{"kind": "me"}, {"kind": "screen"}]
        table = client.post("/api/games", json={"game": FIRST, "seats": seats}, headers=once()).json()["id"]
        picture = client.get(f"/api/games/{table}/picture.png")
        assert picture.content.startswith(b"\x89PNG")
