"""A move takes a shorter way than other requests; what comes of it is the same."""

import json

import pytest
from litestar.testing import TestClient

from kinds import FIRST
from mozaika.server import moves
from mozaika.server.app import build_app
from mozaika.store.sqlite import SqliteStore

pytestmark = pytest.mark.filterwarnings(
    "ignore::litestar.exceptions.base_exceptions.LitestarDeprecationWarning"
)
WISH = {"game": FIRST, "seats": [{"kind": "me"}, {"kind": "screen"}], "options": {"start": "1"}}
JSON = {"Content-Type": "application/json"}


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    folder = tmp_path_factory.mktemp("moves")
    with TestClient(build_app(lambda: SqliteStore(folder / "games.db"), burst=10_000)) as client:
        client.get("/api/games/mine")
        yield client


@pytest.fixture(scope="module")
def table(client):
    made = client.post("/api/games", json=WISH, headers={"Idempotency-Key": "opening it"}).json()
    return f"/api/games/{made['id']}"


def requests(client, table):
    """Moves as they come: good ones, twice, and everything that can be wrong with one."""
    view = client.get(f"{table}/view").json()
    first, second = view["scene"]["walks"][0]["move"], view["scene"]["walks"][1]["move"]
    good = {"seq": view["seq"], "seat": 1, "move": first}
    at, key = f"{table}/moves", {"Idempotency-Key": "the first move", **JSON}
    another = {"Idempotency-Key": "another move", **JSON}
    for wish, headers in (
        (good, key),
        (good, key),
        ({**good, "move": second}, key),
        (good, another),
        ({**good, "seq": 999}, another),
        ({**good, "seat": 2}, another),
        ({**good, "seat": 3}, another),
        ({**good, "seat": 16}, another),
        ({**good, "seat": True}, another),
        ({**good, "move": "nonsense"}, another),
        ({**good, "move": "x" * 201}, another),
        ({**good, "more": 1}, another),
        ({"seq": 1}, another),
        ([], another),
        (good, JSON),
        (good, {**JSON, "Idempotency-Key": "short"}),
        (good, {**JSON, "Idempotency-Key": "x" * 65}),
        ({**good, "move": "nonsense"}, {**another, "Accept-Language": "pl"}),
        ({**good, "move": "nonsense"}, {**another, "Cookie": ""}),
        (good, {**another, "Origin": "https://elsewhere.example"}),
        (good, {**another, "Content-Type": "application/x-www-form-urlencoded"}),
        (good, {"Idempotency-Key": "another move"}),
    ):
        yield at, json.dumps(wish).encode(), headers
    for body in (b"", b"{", b"\xff", b"[" * 5_000, b" " * 3_000 + json.dumps(good).encode(), b"x" * 20_000):
        yield at, body, another
    for path in ("/api/games/nothere/moves", f"/api/games/{'x' * 25}/moves", f"{at}/", "/api/games//moves"):
        yield path, json.dumps(good).encode(), another


def test_a_move_is_answered_as_the_framework_answers_it(client, table, monkeypatch):
    read, taken = moves._read, []

    def watch(*request):
        found = read(*request)
        taken.append(found is not None)
        return found

    def send(path, body, headers):
        given = {name: value for name, value in headers.items() if name != "Cookie"}
        kept = dict(client.cookies)
        if "Cookie" in headers:
            client.cookies.clear()
        answer = client.post(path, content=body, headers=given)
        client.cookies.clear()
        client.cookies.update(kept)
        told = {name: value for name, value in answer.headers.items() if name not in ("set-cookie", "date")}
        return answer.status_code, sorted(told.items()), answer.content

    statuses = set()
    for request in list(requests(client, table)):
        monkeypatch.setattr(moves, "_read", watch)
        answer = send(*request)
        monkeypatch.setattr(moves, "_read", lambda *_: None)
        assert send(*request) == answer, request
        statuses.add(answer[0])
    assert statuses == {200, 400, 403, 404, 409, 413, 422}
    assert sum(taken) > 8
    assert len(taken) > sum(taken) + 8


@pytest.mark.anyio
async def test_who_hangs_up_before_the_move_has_come_is_let_go():
    async def nobody(*_):
        raise AssertionError("nobody is there to be answered")

    async def hung_up():
        return {"type": "http.disconnect"}

    scope = {"type": "http", "method": "POST", "path": "/api/games/some/moves", "headers": []}
    await moves.Moves(nobody)(scope, hung_up, nobody)
