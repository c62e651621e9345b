"""The measure of the server: it goes on when the server hangs up, and says what went wrong."""

import asyncio
import socket
import threading
from contextlib import nullcontext

import pytest

from mozaika.lab import bench_server
from mozaika.lab.bench_server import _Guest, _Table

ANSWER = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"


@pytest.fixture
def impatient():
    """A server that hangs up after every answer without having said so, as after seconds of silence."""
    listening = socket.create_server(("127.0.0.1", 0))

    def serve():
        while True:
            try:
                client, _ = listening.accept()
            except OSError:
                return
            with client:
                if client.recv(65536):
                    client.sendall(ANSWER)

    thread = threading.Thread(target=serve)
    thread.start()
    yield listening.getsockname()[1]
    listening.shutdown(socket.SHUT_RDWR)
    listening.close()
    thread.join()


def test_a_guest_asks_again_when_the_server_has_hung_up(impatient):
    async def ask():
        guest = _Guest(impatient)
        answers = [await guest.ask("GET", "/livez") for _ in range(3)]
        guest.close()
        return answers

    assert asyncio.run(ask()) == [{}, {}, {}]


def test_a_table_that_fails_is_no_figure(monkeypatch):
    async def fail(*_):
        raise ValueError("The server answered 500.")

    async def succeed(*_):
        pass

    monkeypatch.setattr(_Table, "open", succeed)
    monkeypatch.setattr(_Table, "play", fail)
    monkeypatch.setattr(bench_server, "_server", lambda *_: nullcontext((0, 0)))
    with pytest.raises(ValueError, match="The server answered 500"):
        bench_server.measure_server("azul", 2, 0.1)
