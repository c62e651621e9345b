"""The measure of attacks: who has which processor, and how sure a ratio is."""

import os
import socket
import struct
import threading

import pytest

from mozaika.lab.attacks import Player
from mozaika.lab.bench_attacks import _interval, _on, _share_processors


def processors():
    return os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else set()


def test_the_server_and_everybody_else_have_processors_of_their_own():
    server, others = _share_processors()
    assert server | others == processors()
    assert not server & others
    assert bool(server) == (len(processors()) > 1)


def test_what_is_started_meanwhile_runs_there_and_then_all_is_as_before():
    before = processors()
    server, _ = _share_processors()
    with _on(server):
        assert processors() == (server or before)
    assert processors() == before


def test_the_interval_is_wide_where_the_slowest_moves_decide_and_narrow_where_they_are_many():
    few = [0.004] * 99 + [0.1]
    low, high = _interval(few, few)
    assert low < 1 < high
    many = [0.004] * 900 + [0.02] * 100
    assert _interval(many, [2 * each for each in many]) == pytest.approx((2, 2))


def test_a_player_who_is_sent_away_without_a_word_comes_again(monkeypatch):
    """The door closes connections of whoever knocks all the time."""
    monkeypatch.setattr("time.sleep", lambda _: None)
    with socket.create_server(("127.0.0.1", 0)) as door:

        def refuse_and_answer():
            refused, _ = door.accept()
            refused.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            refused.close()
            for answer in (b"429 Too Many Requests\r\nContent-Length: 0", b"200 OK\r\nContent-Length: 2"):
                line, _ = door.accept()
                with line:
                    line.recv(4_096)
                    line.sendall(b"HTTP/1.1 " + answer + b"\r\n\r\n" + b"{}" * (b"200" in answer))

        server = threading.Thread(target=refuse_and_answer, daemon=True)
        server.start()
        assert Player(door.getsockname()[1], "127.0.1.1").ask("GET", "/") == {}
        server.join(60)
