"""What a server tells its operator: numbers, and a line for each request."""

import json
import logging
import re
import threading
import time
from pathlib import Path
from types import SimpleNamespace

import pytest
from litestar.testing import TestClient

from kinds import FIRST
from mozaika.server import access
from mozaika.server.access import AccessLog, shorten
from mozaika.server.app import build_app
from mozaika.server.numbers import Numbers
from mozaika.store.sqlite import SqliteStore
from server_process import once
from test_store import Watched

pytestmark = pytest.mark.filterwarnings(
    "ignore::litestar.exceptions.base_exceptions.LitestarDeprecationWarning"
)
OPERATING = Path(__file__).parent.parent / "docs" / "operating.md"
WISH = {"game": FIRST, "seats": [{"kind": "me"}, {"kind": "screen"}]}
TOKEN = {"Authorization": "Bearer open sesame"}


@pytest.fixture
def store(tmp_path):
    return SqliteStore(tmp_path / "games.db")


@pytest.fixture
def client(store, tmp_path):
    log = AccessLog(str(tmp_path / "access.jsonl"))
    with TestClient(build_app(lambda: store, numbers=Numbers("open sesame"), access_log=log)) as client:
        yield client


def numbers(client):
    text = client.get("/metrics", headers=TOKEN).text
    return {
        line.rpartition(" ")[0]: float(line.rpartition(" ")[2])
        for line in text.splitlines()
        if not line.startswith("#")
    }


def lines(client, tmp_path):
    """What the access log has when the server has ended."""
    client.__exit__(None, None, None)
    return [json.loads(line) for line in (tmp_path / "access.jsonl").read_text("utf-8").splitlines()]


def play(client):
    table = client.post("/api/games", json=WISH, headers=once()).json()["id"]
    view = client.get(f"/api/games/{table}/view").json()
    wish = {"seq": view["seq"], "seat": view["you"]["seat"], "move": view["scene"]["walks"][0]["move"]}
    assert client.post(f"/api/games/{table}/moves", json=wish, headers=once()).status_code == 200
    return table


def test_numbers_tell_of_requests_moves_and_the_store(client):
    table = play(client)
    found = numbers(client)
    route = 'method="POST",route="/api/games/{table}/moves"'
    assert found[f'mozaika_answers_total{{{route},status="200"}}'] == 1
    assert found[f"mozaika_request_seconds_count{{{route}}}"] == 1
    assert found['mozaika_store_seconds_count{operation="append"}'] == 1
    assert (
        found["mozaika_moves_total"] == found["mozaika_tables_founded_total"] == found["mozaika_tables"] == 1
    )
    assert found["process_resident_memory_bytes"] > 0
    assert not any(table in name for name in found), "no label names a table"
    assert not any("_created" in name for name in found)


def test_what_is_not_found_has_one_route(client):
    for path in ("/nowhere", "/nowhere/else", "/wp-login.php"):
        client.get(path)
    client.request("BREW", "/")
    found = numbers(client)
    assert (
        sum(value for name, value in found.items() if "mozaika_answers" in name and 'route="none"' in name)
        == 4
    )
    assert any('method="other"' in name for name in found)
    assert not any("nowhere" in name or "BREW" in name for name in found)


def test_what_goes_wrong_is_counted(client, store):
    assert not any("store_failures" in name for name in numbers(client))
    Watched(store).failing = True
    client.post("/api/games", json=WISH, headers=once())
    logging.getLogger("mozaika").error("a bot failed")
    found = numbers(client)
    assert found['mozaika_store_failures_total{operation="create"}'] == 1
    assert found['mozaika_noted_total{level="error"}'] >= 1
    assert any(name.startswith("mozaika_answers") and 'status="503"' in name for name in found)


def test_numbers_are_for_the_operator(client):
    assert client.get("/metrics").status_code == 403, "no machine of ours, and no token"
    assert client.get("/metrics", headers={"Authorization": "Bearer open sesam"}).status_code == 403
    assert client.get("/metrics", headers=TOKEN).status_code == 200


@pytest.mark.parametrize(
    ("host", "headers", "may"),
    [
        ("127.0.0.1", {}, True),
        ("::1", {}, True),
        ("::ffff:127.0.0.1", {}, True),
        ("127.0.0.1", {"x-forwarded-for": "203.0.113.9"}, False),
        ("127.0.0.1", {"forwarded": "for=203.0.113.9"}, False),
        ("203.0.113.9", {}, False),
        ("testclient", {}, False),
        ("127.0.0.1", {"authorization": "Bearer "}, True),
        ("203.0.113.9", {"authorization": "Bearer "}, False),
    ],
)
def test_this_machine_may_read_them_unless_a_proxy_asks(host, headers, may):
    request = SimpleNamespace(client=SimpleNamespace(host=host), headers=headers)
    assert Numbers().may_be_read_by(request) is may


def test_every_number_is_described(client):
    """Each has a row in the table of the operators' page, and each row a number."""
    play(client)
    families = [
        line.split()[2]
        for line in client.get("/metrics", headers=TOKEN).text.splitlines()
        if "# TYPE" in line
    ]
    described = re.findall(r"^\| `((?:mozaika|process)_\w+)` \|", OPERATING.read_text("utf-8"), re.MULTILINE)
    assert sorted(families) == sorted(described)


def test_each_request_is_a_line_without_secrets(client, tmp_path):
    table = play(client)
    link = client.post(f"/api/games/{table}/link", headers=once()).json()["link"].split("#k=")[1]
    client.post(f"/api/games/{table}/enter", json={"token": link}, headers=once())
    client.get("/?lang=pl&password=hunter2", headers={"Referer": "https://elsewhere.example/secret"})
    client.get("/" + "x" * 500)
    numbers(client)
    cookie = client.cookies["mozaika"]
    found = lines(client, tmp_path)
    text = json.dumps(found)
    for secret in (cookie, link, "hunter2", "sesame", "elsewhere", "lang=pl"):
        assert secret not in text
    assert table in text, "the ids of tables are public"
    moved = next(line for line in found if line["path"].endswith("/moves"))
    assert moved["method"] == "POST"
    assert moved["status"] == 200
    assert moved["bytes"] > 0
    assert moved["whole"]
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT[\d:.]+\+00:00", moved["at"])
    assert max(len(line["path"]) for line in found) == access.LONGEST_PATH


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("203.0.113.77", "203.0.113.0/24"),
        ("::ffff:203.0.113.77", "203.0.113.0/24"),
        ("2001:db8:1:2:3::4", "2001:db8:1::/48"),
        ("testclient", ""),
    ],
)
def test_of_an_address_only_its_network_is_noted(address, network):
    assert shorten((address, 1)) == network


def test_nobody_waits_for_a_disk_that_is_slow(tmp_path, monkeypatch):
    monkeypatch.setattr(access, "MOST_WAITING", 3)
    log, may_write = AccessLog(str(tmp_path / "access.jsonl")), threading.Event()
    dropped = []
    log.on_drop = lambda: dropped.append(1)
    emit = log._out.emit
    log._out.emit = lambda record: (may_write.wait(20), emit(record))
    for number in range(10):
        log.write(number=number)
    assert len(dropped) in (6, 7)
    may_write.set()
    log.close()
    assert len((tmp_path / "access.jsonl").read_text("utf-8").splitlines()) + len(dropped) == 10


def test_a_log_that_was_moved_away_is_begun_anew(tmp_path):
    log, file = AccessLog(str(tmp_path / "access.jsonl")), tmp_path / "access.jsonl"
    log.write(number=1)
    while not file.read_text("utf-8"):
        time.sleep(0.01)
    file.rename(tmp_path / "old.jsonl")
    log.write(number=2)
    log.close()
    assert json.loads(file.read_text("utf-8")) == {"number": 2}


def test_a_log_that_cannot_be_written_is_a_sentence(run, tmp_path):
    said = run(
        "serve", "--no-open", "--store", tmp_path / "g.db", "--access-log", tmp_path / "no" / "x", code=2
    )
    assert "cannot be written" in said
