"""Programs of other people at a table: a token, turns, moves; nobody learns what they may not know."""

import html
import json
import re
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path
from random import Random

import pytest

from kinds import FIRST
from mozaika.checks.kinds import kinds_of, some_state
from mozaika.doors.client import Client, Refused, TableSeat
from mozaika.games import GAMES
from mozaika.state import CHANCE, seats_in
from mozaika.table.turns import tell_turn
from server_process import ServerProcess

EXAMPLE = Path(__file__).parent.parent / "examples" / "http_bot.py"


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with ServerProcess(tmp_path_factory.mktemp("turns")) as server:
        yield server
        assert "Traceback" not in (server.folder / "output.txt").read_text("utf-8")


def test_a_program_plays_a_whole_game_against_a_bot(server):
    seat, random = Client(server.address).open(FIRST, "greedy", name="Ada"), Random(1)
    seen = []

    def choose(turn):
        seen.append(turn)
        assert GAMES[FIRST].write_position(GAMES[FIRST].parse_position(turn.position)) == turn.position
        return random.choice(turn.legal)

    places = seat.run(choose)
    assert sorted(set(places)) in ([1], [1, 2])
    assert len(seat.points) == 2
    assert [turn.seq for turn in seen] == sorted({turn.seq for turn in seen})


def test_a_program_plays_on_when_something_else_has_happened_meanwhile(server):
    """As in games in which several move at once: the bot has moved while the program thought (409)."""
    seat, random, late = Client(server.address).open(FIRST, "greedy"), Random(2), []

    def choose(turn):
        if len(late) < 3:
            late.append(turn.seq)
            seat.play(turn, turn.legal[0])
        return random.choice(turn.legal)

    assert len(seat.run(choose)) == 2
    assert len(late) == 3
    with pytest.raises(Refused) as refused:
        Client(server.address).open(FIRST, "greedy").run(lambda _: "nonsense")
    assert refused.value.status != 409


def test_a_stream_that_ends_before_the_game_is_opened_anew(monkeypatch):
    turn = {"seq": 1, "seat": 1, "position": "…", "legal": ["a"]}
    parts = [[("turn", turn)], [], [("beat", {}), ("over", {"seq": 2, "points": [3], "places": [1]})]]
    client = Client("http://nowhere")
    monkeypatch.setattr(client, "listen", lambda _: iter(parts.pop(0)))
    monkeypatch.setattr(client, "send", lambda path, body: None)
    assert TableSeat(client, "ID").run(lambda turn: turn.legal[0]) == [1]
    assert not parts


def test_two_programs_meet_by_a_link(server):
    ada, ben = Client(server.address), Client(server.address)
    seats = [{"kind": "me", "name": "Ada"}, {"kind": "open"}]
    made = ada.send("/api/games", {"game": FIRST, "seats": seats, "options": {"start": "2"}})
    table = ben.join(made["link"], 2, "Ben")
    turn = next(table.turns())
    assert turn.seat == 2
    with pytest.raises(Refused, match=r"."):
        ada.send(f"{table.path}/moves", {"seq": turn.seq, "seat": 2, "move": turn.legal[0]})
    table.play(turn, turn.legal[0])
    with pytest.raises(Refused, match=r"."):
        table.play(turn, turn.legal[0])
    again = Client(server.address, ben.token)
    with pytest.raises(Refused, match=r"."):
        again.send(f"{table.path}/moves", {"seq": turn.seq, "seat": 1, "move": turn.legal[0]})


def test_the_page_of_the_api_says_all_that_a_program_needs(server):
    """Its examples are played as they stand there, and every field of a body says what it means."""
    with urllib.request.urlopen(f"{server.address}/api") as answer:
        page = html.unescape(answer.read().decode())
    told = " ".join(re.sub(r"<[^>]+>", " ", page).split())
    for word in ("Authorization: Bearer TOKEN", "cookie, mozaika", "k=, which is no part of it", "409"):
        assert word in told
    bodies = [json.loads(body) for body in re.findall(r"^(\{.*\})</code>", page, re.MULTILINE)]
    opened, *_, moved = bodies
    assert {"token", "action", "name"} <= set(re.findall(r'"(\w+)": ', page))
    client = Client(server.address)
    table = TableSeat(client, client.send("/api/games", opened)["id"])
    turn = next(table.turns())
    for field in ("seq", "seat", "position", "legal"):
        assert f'"{field}": ' in page
    client.send(f"{table.path}/moves", {**moved, "seq": turn.seq, "seat": turn.seat, "move": turn.legal[0]})
    with urllib.request.urlopen(f"{server.address}/api/schema/openapi.json") as answer:
        document = json.load(answer)
    schemas = document["components"]["schemas"]
    sent = {name for name, schema in schemas.items() if name.endswith("Wish")}
    for name in sent | {"NewGame", "SeatChange", "Token", "Created", "Done", "Link"}:
        for field, about in schemas[name]["properties"].items():
            assert about.get("description"), f"{name}.{field}"
            assert about["description"] in html.unescape(page)


@pytest.mark.parametrize("token", ["short", "x" * 41, "twenty letters and a blank", "é" * 24])
def test_what_is_no_token_is_refused_and_makes_nobody_somebody_new(server, token):
    def ask(path, **headers):
        request = urllib.request.Request(server.address + path, headers=headers)
        request.add_header("Authorization", f"Bearer {token}".encode().decode("latin-1"))
        return urllib.request.urlopen(request)

    with pytest.raises(urllib.error.HTTPError) as refused:
        ask("/api/games/mine")
    with refused.value as answer:
        assert answer.code == 400
        assert "20 to 40 letters" in json.load(answer)["detail"]
    with pytest.raises(Refused, match="20 to 40 letters"):
        Client(server.address, "short").open(FIRST, "greedy")
    with ask("/") as page:
        assert page.status == 200
    with ask("/api/games/mine", Cookie=f"mozaika={'c' * 24}") as answer:
        assert answer.headers["set-cookie"] is None


def test_the_example_plays_a_whole_game(server):
    done = subprocess.run(
        [sys.executable, str(EXAMPLE), server.address], capture_output=True, text=True, timeout=120
    )
    assert done.stdout.startswith("points: "), done.stderr
    assert len(EXAMPLE.read_text("utf-8").splitlines()) <= 40


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_a_turn_tells_what_the_seat_knows_and_may_do(game):
    for seed in range(3):
        state = some_state(kinds_of(game)[0], seed)
        for seat in seats_in(game.movers(state)):
            if seat == CHANCE:
                continue
            view = game.hide(state, seat)
            turn = tell_turn(game, view, seat, 7)
            assert turn == tell_turn(game, view, seat, 7)
            assert turn.legal == [game.write_move(move) for move in game.legal_moves(state, seat)]
            told = game.parse_position(turn.position)
            assert game.hide(told, seat).tobytes() == view.tobytes()
