"""A server below a path: every address that it gives away begins with it, and works."""

import json
import re
from html import unescape
from pathlib import Path

import pytest
from litestar.testing import TestClient

import mozaika.web
from kinds import FIRST
from mozaika.server.app import build_app
from mozaika.server.outside import read_prefix
from mozaika.store.sqlite import SqliteStore
from server_process import once

pytestmark = pytest.mark.filterwarnings(
    "ignore::litestar.exceptions.base_exceptions.LitestarDeprecationWarning"
)
STATIC = Path(mozaika.web.__file__).parent / "static"
WISH = {"game": FIRST, "seats": [{"kind": "me"}, {"kind": "screen"}]}
ADDRESS = re.compile(r'"(/[^"]*)"')


@pytest.fixture(params=["/t"])
def prefix(request):
    """As some of our own addresses begin, which is the hardest."""
    return request.param


@pytest.fixture
def client(tmp_path, prefix):
    app = build_app(lambda: SqliteStore(tmp_path / "games.db"), prefix=prefix, burst=10_000)
    with TestClient(app) as client:
        yield client


def addresses(answer):
    """Whatever looks like an address in a page or in JSON; a path of a drawing does not."""
    if "html" in answer.headers["content-type"]:
        return {unescape(found) for found in re.findall(r'(?:href|src)="(?!#)([^"]+)"', answer.text)}
    return {found.partition("#")[0] for found in ADDRESS.findall(json.dumps(answer.json()))}


def test_all_that_pages_and_answers_lead_to_lies_below_the_prefix(client, prefix):
    made = client.post(f"{prefix}/api/games", json=WISH, headers=once()).json()
    at = f"{prefix}/api/games/{made['id']}"
    waiting, seen = [f"{prefix}/", made["url"], f"{at}/view", f"{prefix}/api", f"{prefix}/nowhere"], set()
    waiting += [f"{prefix}/api/games", f"{prefix}/api/games/mine"]
    while waiting:
        address = waiting.pop()
        seen.add(address)
        answer = client.get(address, headers={"Accept": "text/html"} if "/api/" not in address else {})
        assert answer.status_code == (404 if address.endswith("/nowhere") else 200), address
        if "html" in answer.headers["content-type"] or re.search(r"/(view|games|mine)$", address):
            found = addresses(answer)
            assert all(each.startswith(f"{prefix}/") for each in found), found
            waiting += [each for each in found if each not in seen and each not in waiting]
    for part in (
        "/static/table.js",
        "/ground/",
        "/rules/",
        "/verify",
        "/api/picture/",
        "/api/position.svg",
        "?lang=pl",
    ):
        assert any(part in each for each in seen), part
    assert made["link"].startswith(f"{prefix}/t/")
    link = client.post(f"{at}/link", headers=once()).json()["link"]
    assert link.startswith(f"{prefix}/t/")


@pytest.mark.parametrize("prefix", ["/mozaika", "/t", "/games/of.tiles"], indirect=True)
def test_elsewhere_there_is_nothing_but_the_probes(client, prefix):
    for path in ("/", "/api/games", f"{prefix}x/", "/static/api.js"):
        if not path.startswith(f"{prefix}/"):
            assert client.get(path).status_code == 404, path
    assert client.get("/livez").status_code == client.get(f"{prefix}/readyz").status_code == 200
    assert client.get(prefix).status_code == 200


def test_cookies_go_no_further_than_the_prefix(client, prefix, tmp_path):
    found = client.get(f"{prefix}/?lang=pl").headers.get_list("set-cookie")
    assert len(found) == 2
    assert all(f"Path={prefix};" in f"{each};" for each in found)
    client.base_url = "https://table.example"
    strict = client.get(f"{prefix}/").headers["set-cookie"]
    assert strict.startswith("__Secure-mozaika="), "the strictest name is for a whole host"
    assert "Secure" in strict


def test_a_rematch_leads_below_the_prefix(client, prefix):
    wish = {**WISH, "seats": [{"kind": "me"}, {"kind": "bot", "bot": "random"}]}
    made = client.post(f"{prefix}/api/games", json=wish, headers=once()).json()
    shared = client.app.state.hall.tables[made["id"]]
    shared.rematch = "/t/another"
    assert client.get(f"{prefix}/api/games/{made['id']}/view").json()["rematch"] == f"{prefix}/t/another"


def test_scripts_lead_nowhere_without_what_stands_before():
    """Whatever a script fetches goes through api.js; what it links to begins with the root."""
    for path in STATIC.glob("*.js"):
        found = re.findall(
            r"(?:href|src|EventSource|location)\S*[ (:=]+[\"`]/[a-z`\"].*", path.read_text("utf-8")
        )
        assert not found, f"{path.name}: {found}"
        fetched = re.findall(r"\bfetch\((?!root \+ url|href|scene\.ground|ply\))", path.read_text("utf-8"))
        assert not fetched, path.name


@pytest.mark.parametrize("origin", ["https://table.example", "http://table.example", ""])
def test_over_https_browsers_stay_with_it(tmp_path, origin):
    with TestClient(build_app(lambda: SqliteStore(tmp_path / "games.db"), origin=origin)) as client:
        for path in ("/", "/nowhere", "/livez"):
            told = client.get(path, headers={"Host": "table.example"}).headers.get(
                "strict-transport-security"
            )
            assert told == ("max-age=31536000" if origin.startswith("https") else None)


@pytest.mark.parametrize(
    ("text", "prefix"), [("", ""), ("/", ""), ("/mozaika/", "/mozaika"), ("/a/b", "/a/b")]
)
def test_a_prefix_is_a_path(text, prefix):
    assert read_prefix(text) == prefix


@pytest.mark.parametrize("text", ["mozaika", "/../up", "/a//b", "/a b", "https://here/a", "/a?b"])
def test_what_is_no_prefix_is_a_sentence(text, run, tmp_path):
    assert "such as /mozaika" in run("serve", "--prefix", text, "--store", tmp_path / "g.db", code=2)
