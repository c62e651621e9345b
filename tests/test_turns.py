"""Programs of other people at a table: a token, turns, moves; nobody learns what they may not know."""

import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from kinds import FIRST
from mozaika.checks.kinds import kinds_of, some_state
from mozaika.doors.client import Client, Refused
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


def test_the_example_plays_a_whole_game(server):
    done = subprocess.run(
        [sys.executable, str(EXAMPLE), server.address], capture_output=True, text=True, timeout=120
    )
    assert done.stdout.startswith("points: "), done.stderr
    assert len(EXAMPLE.read_text("utf-8").splitlines()) <= 45


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
