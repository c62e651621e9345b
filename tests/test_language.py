"""In which language the server answers: that of whoever reads, also where nothing is found."""

import re

import pytest
from litestar.testing import TestClient

from kinds import FIRST
from mozaika.games import GAMES
from mozaika.rulebook import pictures
from mozaika.scene import split_part
from mozaika.server.app import build_app
from mozaika.store.sqlite import SqliteStore
from mozaika.words import LANGUAGES
from server_process import once

pytestmark = pytest.mark.filterwarnings(
    "ignore::litestar.exceptions.base_exceptions.LitestarDeprecationWarning"
)
PAGE = {"Accept": "text/html"}
ME, SCREEN = {"kind": "me"}, {"kind": "screen"}


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    path = tmp_path_factory.mktemp("language") / "games.db"
    with TestClient(
        build_app(lambda: SqliteStore(path), burst=1000), raise_server_exceptions=False
    ) as client:
        yield client


@pytest.mark.parametrize(
    ("accepted", "lang"),
    [
        ("pl", "pl"),
        ("de;q=0.5, pl", "pl"),
        ("de;q=0.5,pl;q=0.7,en;q=0.6", "pl"),
        ("fr, de-AT;q=0.9, en;q=0.8", "de"),
        ("pl;q=0, de", "de"),
        ("pl;q=0", "en"),
        ("PL-pl ; q=0.9 , *;q=0.1", "pl"),
        ("den, plt", "en"),
        ("de;q=high, pl;q=0.1", "pl"),
        ("de;q=nan, pl;q=-1", "en"),
        ("", "en"),
        (",;q=,", "en"),
    ],
)
def test_the_language_is_the_one_the_browser_wants_most(client, accepted, lang):
    client.cookies.clear()
    assert f'lang="{lang}"' in client.get("/verify", headers={"Accept-Language": accepted}).text


MISSING = ["/nowhere", "/t/nobody", f"/t/{'x' * 40}", "/rules/go", f"/rules/{'x' * 50}", "/static/x.js"]


@pytest.mark.parametrize("path", [*MISSING, "/api/nothing", "/api/games/nobody/view", "/api/picture/go.svg"])
def test_what_is_not_found_is_said_in_the_readers_language(client, path):
    client.cookies.clear()
    said = set()
    for lang in LANGUAGES:
        answer = client.get(path, headers={**PAGE, "Accept-Language": lang})
        assert answer.status_code == 404, answer.text
        if not path.startswith("/api/"):
            assert f'lang="{lang}"' in answer.text
            said.add(re.search("<h1>(.+)</h1>", answer.text)[1])
        else:
            said.add(answer.json()["detail"])
    assert len(said) == len(LANGUAGES)


@pytest.mark.parametrize(("method", "path"), [("DELETE", "/"), ("PUT", "/api/games"), ("POST", "/verify")])
def test_a_method_that_an_address_does_not_know_is_refused_in_the_readers_language(client, method, path):
    client.cookies.clear()
    answers = [client.request(method, path, headers={"Accept-Language": lang}) for lang in LANGUAGES]
    assert {answer.status_code for answer in answers} == {405}
    assert len({answer.json()["detail"] for answer in answers}) == len(LANGUAGES)


def test_a_guard_answers_in_the_language_that_was_chosen(client):
    refused = {"Origin": "https://evil.example", "Accept-Language": "de"}
    client.cookies.clear()
    german = client.post("/api/games", headers=refused).json()["detail"]
    client.get("/", params={"lang": "pl"})
    polish = client.post("/api/games", headers=refused).json()["detail"]
    client.cookies.clear()
    assert german != polish


def test_a_running_game_is_verified_in_the_readers_language(client):
    client.cookies.clear()
    table = client.post("/api/games", json=wish(ME, SCREEN), headers=once()).json()["id"]
    record = client.get(f"/api/games/{table}/record").text
    faults = [
        client.post("/api/verify", content=record, headers={"Accept-Language": lang}).json()["faults"]
        for lang in LANGUAGES
    ]
    assert faults[0] == ["The record does not show the seed; it is revealed when the game is over."]
    assert len(set(map(str, faults))) == len(LANGUAGES)
    forged = record.replace("Draws: hmac-sha256/1", "Draws: told").splitlines()
    forged = "\n".join(line for line in forged if not line.startswith("Commitment"))
    told = client.post("/api/verify", content=forged, headers={"Accept-Language": "pl"}).json()["faults"]
    assert told != ["The draws were typed in, so there is nothing to verify."]


def wish(*seats, game=FIRST, **more):
    return {"game": game, "seats": seats, **more}


POSITION = f"Mozaika record 1\nGame: {FIRST} 1\nSeats: 2\nPosition: {FIRST}; round 99\nDraws: told\n"
REFUSED = {
    "a game that the shelf does not have": ("/api/games", wish(ME, SCREEN, game="go"), 422),
    "a bot that the game does not have": ("/api/games", wish(ME, {"kind": "bot", "bot": "nobody"}), 422),
    "too many who want to play": ("/api/games", wish(*[ME] * 9), 422),
    "an option that the game does not have": ("/api/games", wish(ME, SCREEN, options={"moon": "1"}), 422),
    "a value that an option does not have": ("/api/games", wish(ME, SCREEN, options={"start": "x"}), 422),
    "a seed among several people": ("/api/games", wish(ME, {"kind": "open"}, seed="mine"), 422),
    "a seat that is not there": ("/api/games/TABLE/seats/9", {"action": "sit"}, 404),
    "a text that is no record": ("/api/verify", "nonsense", 422),
    "a record of another game": ("/api/verify", "Mozaika record 1\nGame: go 1\n", 422),
    "a hint out of turn": ("/api/games/TABLE/hint", {"seq": 0, "seat": 1}, 409),
    "something else than the address expects": ("/api/games", {"game": 5, "seats": "all"}, 400),
    "a request that breaks off": ("/api/games", '{"game":', 400),
    "a position that cannot be": ("/api/verify", POSITION, 422),
    "a rematch of a game that goes on": ("/api/games/TABLE/rematch", None, 409),
}


@pytest.mark.parametrize(("address", "sent", "status"), REFUSED.values(), ids=list(REFUSED))
def test_what_is_refused_is_said_in_the_readers_language(client, address, sent, status):
    client.cookies.clear()
    table = client.post("/api/games", json=wish(ME, SCREEN), headers=once()).json()["id"]
    body = {"content": sent} if isinstance(sent, str) else {"json": sent}
    answers = [
        client.post(address.replace("TABLE", table), **body, headers={**once(), "Accept-Language": lang})
        for lang in LANGUAGES
    ]
    assert {answer.status_code for answer in answers} == {status}, answers[0].text
    assert len({answer.json()["detail"] for answer in answers}) == len(LANGUAGES), answers[1].text


@pytest.mark.parametrize(
    "options", [wish(game="go"), wish(options={"moon": "1"}), wish(options={"start": "x"})]
)
def test_options_that_do_not_fit_are_explained_in_the_readers_language(client, options):
    client.cookies.clear()
    asked = {**options, "seats": 2}
    answers = [
        client.post("/api/options", json=asked, headers={"Accept-Language": lang}) for lang in LANGUAGES
    ]
    assert len({answer.json()["detail"] for answer in answers}) == len(LANGUAGES)


def test_a_position_of_an_unknown_game_is_refused_in_the_readers_language(client):
    asked = [
        client.get("/api/position.svg", params={"position": "go 2"}, headers={"Accept-Language": lang})
        for lang in LANGUAGES
    ]
    assert len({answer.json()["detail"] for answer in asked}) == len(LANGUAGES)


def test_a_request_that_cannot_be_read_says_to_programs_what_is_wrong_with_it(client):
    answer = client.post("/api/games", json={"game": 5, "seats": "all"}, headers=once()).json()
    assert "Expected" in str(answer["errors"])
    assert "Expected" not in answer["detail"]


def test_bots_are_called_what_the_reader_calls_them(client):
    """Whoever has seated them, and under whatever number; names of people stay."""
    client.cookies.clear()
    bot, people = {"kind": "bot", "bot": "beginner"}, {"kind": "me", "name": "Beg"}
    for opened in LANGUAGES:
        made = client.post(
            "/api/games", json=wish(people, bot, bot), headers={**once(), "Accept-Language": opened}
        ).json()
        for lang, level in zip(LANGUAGES, ("Beginner", "Początkujący", "Anfänger"), strict=True):
            view = client.get(f"/api/games/{made['id']}/view", headers={"Accept-Language": lang}).json()
            assert [seat["called"] for seat in view["seats"]] == ["Beg", level, f"{level} 2"]


def test_who_sits_in_a_picture_of_the_rules_is_called_by_the_readers_language(client):
    _, position, _ = pictures(GAMES[FIRST].rulebook())[0]
    for lang, seat in zip(LANGUAGES, ("Seat 1", "Miejsce 1", "Platz 1"), strict=True):
        drawn = client.get(
            "/api/position.svg", params={"position": position}, headers={"Accept-Language": lang}
        )
        assert f">{seat}<" in drawn.text


def test_what_a_picture_of_the_rules_is_about_is_framed_and_what_is_not_there_is_refused(client):
    for game in GAMES.values():
        shown = [each for each in pictures(game.rulebook()) if split_part(each[2])[1]]
        for _, position, part in shown[:2]:
            drawn = client.get("/api/position.svg", params={"position": position, "part": part})
            assert drawn.text.count('stroke="#23663f"') == len(split_part(part)[1])
            asked = {"position": position, "part": f"{split_part(part)[0][0]}: moat 99"}
            refused = client.get("/api/position.svg", params=asked, headers={"Accept-Language": "en"})
            assert refused.status_code == 422
            assert refused.json()["detail"] == "No part of this picture is called moat 99."
