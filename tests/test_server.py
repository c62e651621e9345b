"""The server as a browser or a program meets it: pages, cookies, refusals, links, secrets."""

import asyncio
import json
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from random import Random
from types import SimpleNamespace

import httpx
import pytest
from litestar import Litestar
from litestar.testing import TestClient

from kinds import FIRST
from mozaika import Table
from mozaika.record import Record
from mozaika.server.app import BODY_LIMIT, build_app
from mozaika.server.door import Door, read_networks
from mozaika.server.guard import Limits
from mozaika.server.scenes import _write_ground
from mozaika.store.sqlite import SqliteStore
from server_process import LOCAL, PATIENT, UNHURRIED, ServerProcess, once

pytestmark = pytest.mark.filterwarnings(
    "ignore::litestar.exceptions.base_exceptions.LitestarDeprecationWarning"
)

ME, SCREEN, OPEN = {"kind": "me", "name": "Ania"}, {"kind": "screen", "name": "Adam"}, {"kind": "open"}
BOT = {"kind": "bot", "bot": "greedy"}
KEYS = count(1)
MALFORMED = 500


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with ServerProcess(tmp_path_factory.mktemp("server")) as server:
        yield server
        assert "Traceback" not in (server.folder / "output.txt").read_text("utf-8")


@pytest.fixture
def guests(server):
    """As many browsers as a test wants."""
    clients = []

    def arrive(**headers):
        client = httpx.Client(base_url=server.address, **LOCAL, headers=headers)
        clients.append(client)
        return client

    yield arrive
    for client in clients:
        client.close()


@pytest.fixture
def ania(guests):
    return guests()


def open_table(client, *seats, **more):
    """A new table: where it is, and the secret of its link."""
    answer = client.post("/api/games", json={"game": FIRST, "seats": seats, **more}, headers=once())
    assert answer.status_code == 201, answer.text
    return f"/api/games/{answer.json()['id']}", answer.json()["link"].split("#k=")[1]


def view_of(client, table, **query):
    answer = client.get(f"{table}/view", params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()


def moves_of(client, table, view):
    """The moves of a view, also those on walks that were cut off."""
    asked = {"seq": view["seq"], "seat": view["you"]["seat"]}
    walks = list(view["scene"]["walks"])
    while walks:
        walk = walks.pop(0)
        if "move" in walk:
            yield walk["move"]
        else:
            found = client.get(f"{table}/walks", params={**asked, "spots": ",".join(walk["spots"])})
            walks += found.json()["walks"]


def post(client, url, key=None, **wish):
    return client.post(url, json=wish, headers={"Idempotency-Key": key or f"key-{next(KEYS):08}"})


def play(client, table):
    """The move that brings the most points at once, so that the game comes to its end."""
    view = view_of(client, table)
    move = max(view["scene"]["walks"], key=lambda walk: walk.get("points", 0))["move"]
    wish = {"seq": view["seq"], "seat": view["you"]["seat"], "move": move}
    return post(client, f"{table}/moves", **wish)


def sit(client, table, seat, action="sit", **wish):
    return client.post(f"{table}/seats/{seat}", json={"action": action, **wish}, headers=once())


def is_problem(answer, status):
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"].startswith("application/problem+json")
    problem = answer.json()
    assert problem["status"] == status
    assert problem["title"]
    assert problem["detail"].endswith((".", "?")) or status in (400, 404, 405, 413), problem
    assert "Traceback" not in answer.text
    return True


def test_pages_answer_in_three_languages(ania):
    table, _ = open_table(ania, ME, BOT)
    pages = ["/", table.replace("/api/games", "/t"), f"/rules/{FIRST}", "/verify"]
    for page in pages:
        texts = set()
        for lang in ("en", "pl", "de"):
            answer = ania.get(page, params={"lang": lang})
            assert answer.status_code == 200, answer.text
            assert answer.headers["content-type"].startswith("text/html")
            assert f'lang="{lang}"' in answer.text
            texts.add(answer.text)
        assert len(texts) == 3


def test_pages_have_no_inline_script_and_ask_no_other_host(ania):
    table, _ = open_table(ania, ME, BOT)
    for page in ("/", table.replace("/api/games", "/t"), f"/rules/{FIRST}", "/verify"):
        text = ania.get(page).text
        assert not re.search(r"<script(?![^>]*\bsrc=)(?![^>]*application/json)[^>]*>", text), page
        assert not re.search(r"\son[a-z]+=\"", text), page
        for address in re.findall(r"(?:src|href)=\"([^\"]+)\"", text):
            if not address.startswith(("#", "data:", "https://github.com/")):
                assert address.startswith("/"), address
                if address.startswith(("/static", "/api/picture")):
                    assert ania.get(address).status_code == 200, address


def test_every_answer_carries_the_security_headers(ania):
    table, _ = open_table(ania, ME, BOT)
    answers = [ania.get(url) for url in ("/", "/livez", "/nowhere", f"{table}/view", "/static/api.js")]
    answers.append(ania.post("/api/games", content=b"{", headers=once()))
    answers.append(ania.post("/api/games", headers={"Origin": "https://evil.example"}))
    for answer in answers:
        policy = answer.headers["content-security-policy"]
        assert "default-src 'self'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "script-src 'self';" in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert "server" not in answer.headers


def test_the_secret_of_a_guest_is_in_a_strict_cookie(guests):
    ania = guests()
    cookie = ania.get("/").headers["set-cookie"]
    assert re.match(r"mozaika=[A-Za-z0-9_-]{22};", cookie)
    for part in ("HttpOnly", "SameSite=lax", "Path=/"):
        assert part in cookie
    assert "set-cookie" not in ania.get("/").headers, "it is given once"
    assert guests().get("/").headers["set-cookie"] != cookie
    ania.cookies.set("mozaika", "short")
    assert "set-cookie" in ania.get("/").headers


def test_over_https_the_cookie_is_bound_to_the_host(tmp_path):
    app = build_app(lambda: SqliteStore(tmp_path / "games.db"))
    with TestClient(app, base_url="https://table.example") as client:
        cookie = client.get("/api/games").headers["set-cookie"]
    assert cookie.startswith("__Host-mozaika=")
    assert "Secure" in cookie
    assert "Domain" not in cookie


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 201),
        ({"Sec-Fetch-Site": "same-origin"}, 201),
        ({"Sec-Fetch-Site": "none"}, 201),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "same-site"}, 403),
        ({"Origin": "{here}"}, 201),
        ({"Origin": "https://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "http://[::1"}, 403),
        ({"Origin": "{here}", "Sec-Fetch-Site": "cross-site"}, 403),
    ],
)
def test_only_our_own_pages_may_change_anything(guests, server, headers, status):
    sent = {name: value.format(here=server.address) for name, value in headers.items()}
    client = guests(**sent)
    answer = client.post("/api/games", json={"game": FIRST, "seats": [ME, BOT]}, headers=once())
    assert answer.status_code == status
    assert status == 201 or is_problem(answer, 403)
    assert client.get("/api/games").status_code == 200, "looking is free"


def test_a_body_that_is_too_large_is_refused(ania):
    assert is_problem(ania.post("/api/games", content=b" " * (BODY_LIMIT + 1), headers=once()), 413)
    assert is_problem(ania.post("/api/verify", content=b"x" * ((1 << 20) + 1)), 413)
    assert is_problem(ania.post("/api/verify", content=b"x" * (1 << 19)), 422)


def test_who_asks_too_often_is_told_when_to_come_back(tmp_path):
    app = build_app(lambda: SqliteStore(tmp_path / "games.db"), burst=5, per_second=0.01)
    with TestClient(app) as client:
        answers = [client.get("/api/games") for _ in range(7)]
        assert [answer.status_code for answer in answers] == [200] * 5 + [429] * 2
        assert is_problem(answers[-1], 429)
        assert 1 <= int(answers[-1].headers["retry-after"]) <= 101
        assert "content-security-policy" in answers[-1].headers


def test_who_opens_too_many_tables_is_told_when_to_come_back(ania):
    for _ in range(40):
        answer = ania.post("/api/games", json={"game": FIRST, "seats": [ME, BOT]}, headers=once())
        if answer.status_code != 201:
            break
    assert is_problem(answer, 429)
    assert int(answer.headers["retry-after"]) >= 1


def test_problems_are_sentences(ania):
    table, _ = open_table(ania, ME, SCREEN)
    seq = view_of(ania, table)["seq"]
    assert is_problem(ania.get("/api/games/nowhere/view"), 404)
    assert is_problem(ania.get("/t/nowhere"), 404)
    assert is_problem(ania.get("/rules/nothing"), 404)
    assert is_problem(ania.get("/static/../app.py"), 404)
    assert is_problem(ania.get("/static/%2e%2e/%2e%2e/cli.py"), 404)
    assert is_problem(ania.delete("/api/games"), 405)
    assert is_problem(ania.get(f"{table}/view", params={"ply": 99_999}), 422)
    assert is_problem(ania.get(f"{table}/view", params={"ply": "x"}), 400)
    assert is_problem(ania.post("/api/games", content=b"{", headers=once()), 400)
    assert is_problem(ania.post("/api/games", json={"game": "go", "seats": [ME, BOT]}, headers=once()), 422)
    assert is_problem(ania.post("/api/games", json={"game": FIRST, "seats": [ME]}, headers=once()), 422)
    assert is_problem(
        ania.post("/api/games", json={"game": FIRST, "seats": [ME, {"kind": "bot"}]}, headers=once()), 422
    )
    assert is_problem(ania.post("/api/games", json={"game": FIRST, "colour": 1}, headers=once()), 400)
    assert is_problem(ania.post(f"{table}/moves", json={"seq": seq, "seat": 1, "move": "x"}), 400)
    refused = post(ania, f"{table}/moves", seq=seq, seat=1, move="x y z")
    assert is_problem(refused, 422)
    other = 3 - view_of(ania, table)["you"]["seat"]
    move = view_of(ania, table)["scene"]["walks"][0]["move"]
    refused = post(ania, f"{table}/moves", seq=seq, seat=other, move=move)
    assert is_problem(refused, 422)
    assert refused.json()["rule"] == "AZ-A1"
    stale = post(ania, f"{table}/moves", seq=seq - 1, seat=1, move="x y z")
    assert is_problem(stale, 409)
    assert stale.json()["seq"] == seq
    assert view_of(ania, table)["seq"] == seq, "nothing has happened"


def test_a_game_against_a_bot(ania):
    table, _ = open_table(ania, ME, BOT, options={"start": "1"})
    assert play(ania, table).status_code == 200
    for _ in range(1000):
        if (view := view_of(ania, table))["you"]["turn"] or view["over"]:
            break
    assert view["seats"][1]["bot"] == "greedy"
    assert view["plies"] > 2
    assert any(line["seat"] == 2 for line in view["log"])
    mine = ania.get("/api/games/mine").json()
    assert [game["url"] for game in mine] == [view["url"]]
    assert mine[0]["over"] is False


def test_a_guest_with_the_link_sits_down_and_others_watch(guests):
    ania, bartek, celina = guests(), guests(), guests()
    table, link = open_table(ania, ME, OPEN)
    before = view_of(bartek, table)
    assert before["you"] == {
        "seats": [], "seat": before["you"]["seat"], "admitted": False, "owner": False, "turn": False,
        "curtain": False,
    }  # fmt: skip
    assert is_problem(sit(bartek, table, 2, name="Bartek"), 403)
    assert is_problem(bartek.post(f"{table}/enter", json={"token": "wrong"}, headers=once()), 403)
    assert is_problem(bartek.post(f"{table}/link", headers=once()), 403)
    assert is_problem(sit(bartek, table, 2, name="Bartek"), 403)
    assert bartek.post(f"{table}/enter", json={"token": link}, headers=once()).status_code == 204
    assert view_of(bartek, table)["you"]["admitted"]
    assert view_of(bartek, table)["you"]["seats"] == []
    assert is_problem(sit(bartek, table, 1, name="Bartek"), 403), "Ania sits there"
    assert is_problem(sit(bartek, table, 3, name="Bartek"), 404)
    assert is_problem(sit(bartek, table, 2, name="a/b"), 422)
    assert sit(bartek, table, 2, name="  Bartek   B ").status_code == 200
    assert view_of(ania, table)["seats"][1]["called"] == "Bartek B"
    assert is_problem(sit(celina, table, 2, name="Celina"), 403)
    players = {1: ania, 2: bartek}
    for _ in range(4):
        seat = next(n for n, s in enumerate(view_of(celina, table)["seats"], 1) if s["to_move"])
        view = view_of(celina, table)
        move = view_of(players[seat], table)["scene"]["walks"][0]["move"]
        for stranger in (celina, players[3 - seat]):
            assert is_problem(post(stranger, f"{table}/moves", seq=view["seq"], seat=seat, move=move), 403)
        assert post(players[seat], f"{table}/moves", seq=view["seq"], seat=seat, move=move).status_code == 200
    assert view_of(celina, table)["scene"]["walks"] == []
    new_link = bartek.post(f"{table}/link", headers=once()).json()["link"].split("#k=")[1]
    assert celina.post(f"{table}/enter", json={"token": new_link}, headers=once()).status_code == 204


def test_a_seat_is_left_handed_to_a_bot_and_taken_back(guests):
    ania, bartek = guests(), guests()
    table, link = open_table(ania, ME, OPEN, options={"start": "2"})
    bartek.post(f"{table}/enter", json={"token": link}, headers=once())
    assert sit(bartek, table, 2, name="Bartek").status_code == 200
    assert is_problem(sit(ania, table, 2, "bot", bot="random"), 403)
    assert is_problem(sit(ania, table, 2, "leave"), 403)
    assert is_problem(sit(bartek, table, 2, "bot", bot="oracle"), 422)
    assert sit(bartek, table, 2, "bot", bot="random").status_code == 200
    for _ in range(1000):
        if (view := view_of(ania, table))["you"]["turn"]:
            break
    assert view["you"]["turn"], "the bot has moved"
    refused = post(bartek, f"{table}/moves", seq=view["seq"], seat=2, move=view["scene"]["walks"][0]["move"])
    assert is_problem(refused, 403), "while a bot plays, nobody else does"
    assert is_problem(sit(ania, table, 2, "back"), 403)
    assert sit(bartek, table, 2, "back").status_code == 200
    assert view_of(bartek, table)["seats"][1]["called"] == "Bartek"
    assert sit(bartek, table, 2, "leave").status_code == 200
    assert view_of(ania, table)["seats"][1]["kind"] == "open"
    assert sit(ania, table, 2, "bot").status_code == 200
    assert view_of(ania, table)["seats"][1]["kind"] == "bot"
    assert sit(ania, table, 2, name="Adam").status_code == 200, "the owner may send a bot away"


def test_of_many_who_sit_down_at_once_one_gets_the_seat(guests):
    table, link = open_table(guests(), ME, OPEN)
    friends = [guests() for _ in range(6)]
    for friend in friends:
        friend.post(f"{table}/enter", json={"token": link}, headers=once())
    with ThreadPoolExecutor(6) as pool:
        answers = list(pool.map(lambda friend: sit(friend, table, 2, name="me").status_code, friends))
    assert sorted(answers) == [200] + [403] * 5
    assert [view_of(friend, table)["you"]["seats"] == [2] for friend in friends] == [
        status == 200 for status in answers
    ]


def test_two_tabs_send_the_same_move(ania):
    """P3."""
    table, _ = open_table(ania, ME, SCREEN)
    for turn in range(4):
        view = view_of(ania, table)
        wish = {"seq": view["seq"], "seat": view["you"]["seat"], "move": view["scene"]["walks"][0]["move"]}
        with ThreadPoolExecutor(4) as pool:
            sent = [pool.submit(post, ania, f"{table}/moves", f"same-key-{turn}", **wish) for _ in range(4)]
            answers = [each.result() for each in sent]
        assert {answer.status_code for answer in answers} == {200}
        assert len({answer.text for answer in answers}) == 1
        assert view_of(ania, table)["plies"] == view["plies"] + 1


def test_two_tabs_send_different_moves(ania):
    """P2, over HTTP."""
    table, _ = open_table(ania, ME, SCREEN)
    for _ in range(10):
        view = view_of(ania, table)
        walks, seat = view["scene"]["walks"], view["you"]["seat"]
        with ThreadPoolExecutor(4) as pool:
            sent = [
                pool.submit(
                    post,
                    ania,
                    f"{table}/moves",
                    seq=view["seq"],
                    seat=seat,
                    move=walks[n % len(walks)]["move"],
                )
                for n in range(4)
            ]
            assert sorted(each.result().status_code for each in sent) == [200, 409, 409, 409]


def test_a_key_of_one_guest_means_nothing_for_another(guests):
    ania, bartek = guests(), guests()
    table, link = open_table(ania, ME, OPEN, options={"start": "1"})
    bartek.post(f"{table}/enter", json={"token": link}, headers=once())
    sit(bartek, table, 2, name="Bartek")
    for client in (ania, bartek):
        view = view_of(client, table)
        wish = {"seq": view["seq"], "seat": view["you"]["seat"], "move": view["scene"]["walks"][0]["move"]}
        answer = post(client, f"{table}/moves", "the-same-key", **wish)
        assert answer.json()["seq"] == view["seq"] + 1


def test_undo_on_one_screen_and_by_consent(guests):
    ania, bartek = guests(), guests()
    table, _ = open_table(ania, ME, SCREEN)
    start = view_of(ania, table)
    assert not start["undo"]["possible"]
    assert is_problem(post(ania, f"{table}/undo", seq=start["seq"]), 403)
    play(ania, table)
    answer = post(ania, f"{table}/undo", seq=start["seq"] + 1)
    assert answer.json() == {"seq": start["seq"] + 2, "asked": False}
    assert view_of(ania, table)["scene"] == start["scene"]
    table, link = open_table(ania, ME, OPEN, options={"start": "1"})
    bartek.post(f"{table}/enter", json={"token": link}, headers=once())
    sit(bartek, table, 2, name="Bartek")
    before = view_of(ania, table)["scene"]["sprites"]
    play(ania, table)
    seq = view_of(ania, table)["seq"]
    assert post(ania, f"{table}/undo", seq=seq).json() == {"seq": seq + 1, "asked": True}
    assert view_of(bartek, table)["undo"] == {
        "possible": False, "free": False, "asked_by": 1, "may_answer": True, "alone": False,
    }  # fmt: skip
    assert is_problem(post(ania, f"{table}/undo/answer", seq=seq + 1, agree=True), 403)
    agreed = [post(bartek, f"{table}/undo/answer", "yes-i-agree", seq=seq + 1, agree=True) for _ in range(2)]
    assert [answer.json() for answer in agreed] == [{"seq": seq + 3, "asked": False}] * 2
    assert view_of(ania, table)["scene"]["sprites"] == before


def test_what_one_player_has_seen_leaves_the_server_for_nobody_else(guests):
    """A looked-at plate is in no record, refusal or new table of the other, while the game runs."""
    ania, bartek = guests(), guests()
    table, link = open_table(ania, ME, OPEN, game="azul_duel", options={"start": "2"})
    assert bartek.post(f"{table}/enter", json={"token": link}, headers=once()).is_success
    assert sit(bartek, table, 2, name="Bartek").is_success
    for client, begins in (
        (ania, "plate"),
        (bartek, "plate"),
        (bartek, "draw"),
        (bartek, "draw"),
        (bartek, "stop"),
    ):
        view = view_of(client, table)
        move = next(move for move in moves_of(client, table, view) if move.startswith(begins))
        wish = {"seq": view["seq"], "seat": view["you"]["seat"], "move": move}
        assert post(client, f"{table}/moves", **wish).is_success
    assert bartek.get(f"{table}/record").is_success
    hands = {move.split()[1] for move in moves_of(bartek, table, view_of(bartek, table))}
    assert len(hands) == 2
    for client in (ania, guests()):
        assert is_problem(client.get(f"{table}/record"), 409)
        reasons = {
            client.post(f"{table}/why", json={"seat": 2, "move": f"plate {plate} >s9 turn 0"}).text
            for plate in range(1, 19)
        }
        assert len(reasons) == 1, "a refusal tells the plates apart"
        assert not any(f"plate {plate} (" in str(view_of(client, table)["log"][-3:]) for plate in hands)
    on = ania.post("/api/games", json={"from": table.rsplit("/", 1)[1]}, headers=once())
    assert on.status_code == 201
    assert view_of(ania, f"/api/games/{on.json()['id']}")["scene"]["sprites"]


def test_the_end_reveals_the_seed_and_the_record_verifies(guests):
    """P4 for the seed, P10."""
    ania, watcher = guests(), guests()
    secret = "a-seed-that-nobody-knows"
    table, _ = open_table(ania, ME, SCREEN, seed=secret)
    commitment = view_of(ania, table)["commitment"]
    assert len(commitment) == 64
    texts = []
    while not (view := view_of(ania, table))["over"]:
        assert view["seed"] is None
        texts.append(json.dumps(view))
        if view["seq"] % 10 == 0:
            for client in (ania, watcher):
                texts += [
                    client.get(table + what).text for what in ("/record", "/picture.svg", "/view?ply=0")
                ]
                texts += [first_event(client, table), client.get(view["url"]).text]
                texts.append(client.post(f"{table}/why", json={"move": "x"}).text)
                texts.append(client.get("/api/games/mine").text)
        texts.append(play(ania, table).text)
    assert len(texts) > 60
    assert not any(secret in text for text in texts)
    assert view["seed"] == secret
    assert view["result"]["scores"]
    record = watcher.get(f"{table}/record")
    assert record.headers["content-type"].startswith("text/plain")
    assert f"Seed: {secret}" in record.text
    assert f"Commitment: {commitment}" in record.text
    assert Record.read(record.text).verify() == []
    verified = watcher.post("/api/verify", content=record.text.encode()).json()
    assert (verified["ok"], verified["faults"], verified["moves"]) == (True, [], view["plies"])
    forged = watcher.post("/api/verify", content=record.text.replace(secret, "another").encode()).json()
    assert not forged["ok"]
    assert forged["faults"]
    assert is_problem(watcher.post("/api/verify", content=b"nonsense"), 422)
    assert is_problem(watcher.post("/api/verify", content=b"\xff\xfe"), 422)


def first_event(client, table):
    with client.stream("GET", f"{table}/events") as stream:
        assert stream.headers["content-type"].startswith("text/event-stream")
        for line in stream.iter_lines():
            if line.startswith("data: "):
                return line
    return ""


def test_a_rematch_moves_the_seats_on_and_there_is_one(guests):
    ania, bartek, celina = guests(), guests(), guests()
    table, link = open_table(ania, ME, OPEN)
    bartek.post(f"{table}/enter", json={"token": link}, headers=once())
    sit(bartek, table, 2, name="Bartek")
    assert is_problem(ania.post(f"{table}/rematch", headers=once()), 409)
    players = {1: ania, 2: bartek}
    while not (view := view_of(celina, table))["over"]:
        seat = next(n for n, each in enumerate(view["seats"], 1) if each["to_move"])
        assert play(players[seat], table).status_code == 200
    assert is_problem(celina.post(f"{table}/rematch", headers=once()), 403)
    with ThreadPoolExecutor(2) as pool:
        answers = list(
            pool.map(lambda client: client.post(f"{table}/rematch", headers=once()), (ania, bartek))
        )
    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.json()["id"] for answer in answers}) == 1
    again = f"/api/games/{answers[0].json()['id']}"
    assert view_of(celina, table)["rematch"] == answers[0].json()["url"]
    assert [seat["name"] for seat in view_of(ania, again)["seats"]] == ["Bartek", "You"]
    assert view_of(bartek, again)["you"]["seats"] == [1]


def test_playing_on_from_a_moment(guests):
    ania, watcher = guests(), guests()
    table, _ = open_table(ania, ME, SCREEN)
    for _ in range(4):
        play(ania, table)
    plies = view_of(ania, table)["plies"]
    then = view_of(ania, table, ply=plies - 2)
    assert not then["now"]
    assert then["scene"]["walks"] == []
    wish = {"from": table.rsplit("/", 1)[1], "ply": plies - 2}
    new = ania.post("/api/games", json=wish, headers=once()).json()["id"]
    resumed = view_of(ania, f"/api/games/{new}")
    assert resumed["scene"]["sprites"] == then["scene"]["sprites"]
    assert resumed["plies"] == 0
    assert play(ania, f"/api/games/{new}").status_code == 200
    assert view_of(ania, table)["plies"] == plies, "the first game is as it was"
    other = watcher.post("/api/games", json=wish, headers=once()).json()["id"]
    assert view_of(watcher, f"/api/games/{other}")["you"]["seats"] == [1]
    assert is_problem(ania.post("/api/games", json={"from": "nowhere"}, headers=once()), 404)
    assert is_problem(ania.post("/api/games", json={**wish, "ply": plies + 1}, headers=once()), 422)
    record = ania.get(f"/api/games/{new}/record").text
    assert Record.read(record).position


def test_the_table_can_be_read_in_letters_now_and_at_a_ply(ania):
    table, _ = open_table(ania, ME, SCREEN)
    before = ania.get(f"{table}/letters")
    assert before.headers["content-type"].startswith("text/plain")
    assert max(map(len, before.text.splitlines())) < 80
    ply = view_of(ania, table)["plies"]
    play(ania, table)
    after = ania.get(f"{table}/letters").text
    assert after != before.text
    assert ania.get(f"{table}/letters", params={"ply": ply}).text == before.text
    polish = ania.get(f"{table}/letters", params={"lang": "pl"}).text
    assert polish.endswith("B niebieski, Y żółty, R czerwony, K czarny, W biały\n")
    assert is_problem(ania.get(f"{table}/letters", params={"ply": 999}), 422)


def test_walks_go_on_where_they_were_cut_off(ania, guests):
    """Only for who sits there, and only at the moment that was looked at."""
    table, _ = open_table(ania, ME, SCREEN, game="gemino", options={"start": "1"})
    view = view_of(ania, table)
    opening = view["scene"]["walks"][0]
    assert opening["more"]
    assert "move" not in opening
    asked = {"seq": view["seq"], "seat": view["you"]["seat"], "spots": opening["spots"][0]}
    found = ania.get(f"{table}/walks", params=asked).json()["walks"]
    assert len(found) == 6
    assert all(opening["spots"][0] in walk["spots"] for walk in found)
    assert ania.get(f"{table}/walks", params={**asked, "spots": "nowhere"}).json()["walks"] == []
    assert is_problem(guests().get(f"{table}/walks", params=asked), 403)
    assert ania.get(f"{table}/walks", params={**asked, "seat": 2}).json()["walks"] == [], "not its turn"
    post(ania, f"{table}/moves", seq=view["seq"], seat=1, move=found[0]["move"])
    assert is_problem(ania.get(f"{table}/walks", params=asked), 409)


def test_a_long_log_is_told_in_parts(ania):
    table, _ = open_table(ania, ME, SCREEN)
    while (view := view_of(ania, table))["log_from"] == 0:
        walk = next(each for each in view["scene"]["walks"] if "move" in each)
        wish = {"seq": view["seq"], "seat": view["you"]["seat"], "move": walk["move"]}
        assert post(ania, f"{table}/moves", **wish).status_code == 200
    earlier = ania.get(f"{table}/log", params={"until": view["log_from"]}).json()
    assert earlier
    assert max(line["ply"] for line in earlier) < view["log_from"] <= min(line["ply"] for line in view["log"])
    assert ania.get(f"{table}/log").json() == earlier + view["log"]
    assert view_of(ania, table, ply=3)["log"] == [], "a moment of the past is no news"
    assert view["log_stands"] == 0, "who comes for the first time was told nothing"


def test_why_a_move_is_not_possible(ania):
    table, _ = open_table(ania, ME, SCREEN)
    view = view_of(ania, table)
    move, spots = view["scene"]["walks"][0]["move"], view["scene"]["walks"][0]["spots"]
    seat = view["you"]["seat"]
    for legal in ({"move": move}, {"spots": spots}):
        assert ania.post(f"{table}/why", json={"seat": seat, **legal}).json()["detail"] is None
    reason = ania.post(f"{table}/why", json={"seat": 3 - seat, "move": move}).json()
    assert reason["rule"] == "AZ-A1"
    polish = ania.post(f"{table}/why?lang=pl", json={"seat": 3 - seat, "move": move}).json()
    assert polish["detail"] != reason["detail"]
    for wish in ({}, {"move": "nonsense"}, {"spots": ["nowhere"]}, {"seat": 15, "move": move}):
        answer = ania.post(f"{table}/why", json=wish)
        assert answer.status_code == 200, answer.text
        assert answer.json()["detail"]


def test_pictures_and_the_ground(ania):
    table, _ = open_table(ania, ME, SCREEN)
    for url in (
        f"{table}/picture.svg",
        f"{table}/picture.svg?ply=1&shape=tall&theme=dark",
        f"/api/picture/{FIRST}.svg",
    ):
        answer = ania.get(url)
        assert answer.status_code == 200
        assert answer.headers["content-type"].startswith("image/svg+xml")
        assert answer.text.startswith("<svg ")
    assert is_problem(ania.get("/api/picture/go.svg"), 404)
    address = view_of(ania, table)["scene"]["ground"]
    ground = ania.get(address)
    assert "immutable" in ground.headers["cache-control"]
    assert ground.text.startswith("<svg ")
    play(ania, table)
    assert view_of(ania, table)["scene"]["ground"] == address, "it does not change with the game"
    assert view_of(ania, table, shape="tall")["scene"]["ground"] != address
    assert is_problem(ania.get(f"{table}/ground/nothing.svg"), 404)
    assert ania.get(f"{table}/view").headers["cache-control"] == "private, no-store"


def test_grounds_in_use_are_found_however_many_there_are(tmp_path):
    with TestClient(build_app(lambda: SqliteStore(tmp_path / "games.db"), burst=10_000)) as client:
        table, _ = open_table(client, ME, SCREEN, game="gemino", options={"board1": "random"})
        views = [
            view_of(client, table, shape=shape, lang=lang)
            for shape in ("wide", "tall")
            for lang in ("pl", "de")
        ]
        views.append(view_of(client, table, ply=0))
        for index in range(600):
            _write_ground(index, 1.0, "", "", "", "")
        addresses = [view["scene"]["ground"] for view in views]
        assert len(set(addresses)) == len(addresses)
        for address in [*addresses, view_of(client, table)["scene"]["ground"]]:
            ground = client.get(address)
            assert ground.status_code == 200, address
            assert "immutable" in ground.headers["cache-control"]


def test_each_viewer_has_a_language(guests):
    ania = guests(**{"Accept-Language": "de-AT,de;q=0.9"})
    table, _ = open_table(ania, ME, SCREEN)
    play(ania, table)
    german = view_of(ania, table)["log"]
    assert view_of(ania, table, lang="pl")["log"] != german
    assert view_of(ania, table)["log"] == view_of(ania, table, lang="pl")["log"], "it was chosen and is kept"
    english = view_of(guests(), table)["log"]
    assert english != german
    assert [line["ply"] for line in english] == [line["ply"] for line in german]


def test_operators_see_how_it_is(ania):
    assert ania.get("/livez").text == "alive\n"
    assert ania.get("/readyz").text == "ready\n"
    assert is_problem(ania.get("/metrics"), 404), "numbers are told where somebody has asked for them"


def test_a_store_that_fails_is_not_ready_and_says_so(tmp_path):
    from test_store import Watched

    store = SqliteStore(tmp_path / "games.db")
    with TestClient(build_app(lambda: store)) as client:
        watched = Watched(store)
        watched.failing = True
        assert client.get("/readyz").status_code == 503
        assert client.get("/livez").status_code == 200
        assert is_problem(
            client.post("/api/games", json={"game": FIRST, "seats": [ME, BOT]}, headers=once()), 503
        )
        watched.failing = False
        assert client.get("/readyz").status_code == 200


def test_who_is_being_stopped_says_so(tmp_path):
    with TestClient(build_app(lambda: SqliteStore(tmp_path / "games.db"))) as client:
        client.app.state.leaving = True
        assert client.get("/readyz").text == "not ready: it is being stopped\n"
        assert client.get("/readyz").status_code == 503
        assert client.get("/livez").status_code == 200


@pytest.mark.parametrize(("shared", "behind"), [(True, True), (True, False), (False, True)])
def test_a_server_leaves_slowly_where_a_proxy_has_others(monkeypatch, shared, behind):
    """It serves on while it is not ready; streams are told when the proxy sends nobody there any more."""
    from mozaika.server import app as module

    seen = []

    async def end(*_):
        seen.append(app.state.closing.is_set())

    async def stop():
        app.state.closing = asyncio.Event()
        app.state.hall = SimpleNamespace(store=SimpleNamespace(is_shared=shared), tables={})
        config = module.uvicorn.Config(app)
        config.load()
        door = Door(1, 1, read_networks("10.0.0.0/8" if behind else ""))
        server = module.Server(config, module.listen("127.0.0.1", 0), door, Limits())
        stopping = asyncio.create_task(server.shutdown())
        await asyncio.sleep(0.01)
        seen.append(app.state.closing.is_set())
        await stopping

    app = Litestar([])
    monkeypatch.setattr(module, "SECONDS_TO_LEAVE", 0.1)
    monkeypatch.setattr(module.uvicorn.Server, "shutdown", end)
    asyncio.run(stop())
    slowly = shared and behind
    assert seen == ([False, True] if slowly else [True, True])
    assert app.state.get("leaving", False) == slowly


def test_presence_is_shown(guests):
    ania, watcher = guests(), guests()
    table, _ = open_table(ania, ME, BOT)
    assert [seat["online"] for seat in view_of(watcher, table)["seats"]] == [False, True]
    with ania.stream("GET", f"{table}/events") as stream:
        lines = stream.iter_lines()
        assert next(lines) == "event: view"
        assert view_of(watcher, table)["seats"][0]["online"]


def test_a_second_server_over_the_same_store_is_refused(server):
    command = [
        sys.executable,
        "-m",
        "mozaika",
        "serve",
        "--no-open",
        "--port",
        "0",
        "--store",
        str(server.store),
    ]
    run = subprocess.run(command, capture_output=True, text=True, timeout=PATIENT)
    assert run.returncode == 2
    assert "Another Mozaika is running" in run.stderr
    assert "Traceback" not in run.stderr


def test_a_port_in_use_is_a_sentence(server, tmp_path):
    command = [sys.executable, "-m", "mozaika", "serve", "--no-open", "--port", server.port, *UNHURRIED]
    run = subprocess.run(
        [*command, "--store", str(tmp_path / "g.db")], capture_output=True, text=True, timeout=PATIENT
    )
    assert run.returncode == 2
    assert "Cannot listen" in run.stderr
    assert "Traceback" not in run.stderr


def garbage(random, depth=0):
    """Something that a client could send by mistake or by malice."""
    kinds = [
        lambda: random.choice([None, True, False, 0, -1, 1, 2, 1 << 40, 1 << 70, -(1 << 70), 1e308, 0.5]),
        lambda: random.choice(
            ["", "x", "\0", "☃" * 50, "F1 blue >1", FIRST, "me", "bot", "\u202e", "'; --", "x" * 300]
        ),
        lambda: [garbage(random, depth + 1) for _ in range(random.randrange(4))],
        lambda: {random.choice(FIELDS): garbage(random, depth + 1) for _ in range(random.randrange(6))},
    ]
    return random.choice(kinds[: 2 if depth > 3 else 4])()


FIELDS = ["game", "options", "seats", "seed", "from", "ply", "kind", "name", "bot", "seq", "move", "seat",
          "agree", "token", "action", "spots", "start", "wall", "", "☃"]  # fmt: skip


def test_garbage_never_crashes_it(guests, server):
    """P8: here a few hundred; MALFORMED may be any number."""
    random = Random(8)
    ania = guests()
    table, _ = open_table(ania, ME, BOT)
    known = ania.cookies["mozaika"]
    paths = ["/api/games", *(f"{table}/{what}" for what in
             ("moves", "undo", "undo/answer", "enter", "link", "seats/1", "seats/2", "seats/0", "seats/x",
              "rematch", "why", "view", "record", "picture.svg")),
             "/api/verify", "/api/games/x/ground/x", "/api/picture/☃", "/t/%00", "/static/x", "/rules/☃", "/",
             "/%ff/%00"]  # fmt: skip
    statuses = set()
    for number in range(MALFORMED):
        if number % 100 == 0:
            client = guests()
            client.cookies.set("mozaika", known)
        body = random.choice([
            lambda: random.randbytes(random.randrange(200)),
            lambda: json.dumps(garbage(random)).encode(),
            lambda: json.dumps({name: garbage(random, 3) for name in random.sample(FIELDS, 4)}).encode(),
            lambda: b'{"seq": 1, "move": "\\ud800", "seat": 1}',
            lambda: b"[" * 5000,
        ])()  # fmt: skip
        headers = {
            "Idempotency-Key": random.choice([b"", b"x", b"a-good-key", b"y" * 64, b"z" * 65, b"\xff" * 10]),
            "Content-Type": random.choice(["application/json", "text/plain", "x", "multipart/form-data",
                                           "application/x-msgpack", "application/x-www-form-urlencoded"]),
            "Accept-Language": random.choice(["", "xx", ",,,", ";q=", "\xe9"]).encode("latin-1"),
            "Last-Event-ID": random.choice(["", "x", "-1", "9" * 400]),
        }  # fmt: skip
        query = {
            random.choice(["lang", "ply", "shape", "theme", "☃"]): random.choice(
                ["", "x", "-1", "1", "9" * 30]
            )
        }
        method = random.choice(
            ["POST", "POST", "POST", "GET", "PUT", "PATCH", "HEAD", "DELETE", "OPTIONS", "FROB"]
        )
        answer = client.request(method, random.choice(paths), content=body, headers=headers, params=query)
        assert answer.status_code < 500, (method, answer.url, headers, body, answer.text)
        if answer.status_code >= 400 and method != "HEAD":
            is_problem(answer, answer.status_code)
        statuses.add(answer.status_code)
    assert {200, 400, 404, 405, 422} <= statuses
    assert ania.get("/readyz").status_code == 200
    assert Record.read(ania.get(f"{table}/record").text)


def test_among_strangers_nobody_chooses_the_seed(server):
    wish = {"game": FIRST, "seed": "mine", "seats": [{"kind": "me"}, {"kind": "open"}]}
    with httpx.Client(base_url=server.address, **LOCAL) as client:
        assert client.post("/api/games", json=wish, headers=once()).status_code == 422
        wish["seats"][1] = {"kind": "screen"}
        assert client.post("/api/games", json=wish, headers=once()).status_code == 201


def test_a_record_that_is_sent_becomes_a_table_with_a_review_at_which_nobody_can_sit(ania):
    table = Table(FIRST, 2, seed="told", names=("Ania", "Bo"))
    for _ in range(3):
        table.play(table.legal_moves(table.movers[0])[0], table.movers[0])
    text = table.record(reveal=True).write()
    first, again = (ania.post("/api/records", content=text) for _ in range(2))
    assert first.status_code == again.status_code == 201, first.text
    kept = first.json()
    assert kept == again.json()
    assert ania.get(kept["review"]).status_code == 200
    view = view_of(ania, f"/api/games/{kept['id']}")
    assert [seat["name"] for seat in view["seats"]] == ["Ania", "Bo"]
    assert view["plies"] == table.ply
    assert view["you"]["seats"] == []
    assert sit(ania, f"/api/games/{kept['id']}", 1, name="Zoe").status_code == 403
    assert kept["id"] in [game["id"] for game in ania.get("/api/games/mine").json() if game["over"]]
    for nonsense, status in ((b"nonsense", 422), (b"\xff\xfe", 422), (b"x" * (1 << 21), 413)):
        assert ania.post("/api/records", content=nonsense).status_code == status
