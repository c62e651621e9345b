"""The listening socket. Whoever comes is counted at once, and let in one at a time."""

import asyncio
import errno
import os
import socket
from collections.abc import Callable, Coroutine
from contextlib import suppress
from functools import partial
from typing import Any

from mozaika.server.door import Door
from mozaika.server.effort import LONGEST_COURTESY, SECONDS_OF_COURTESY, Begins, Efforts
from mozaika.server.guests import name_network

BACKLOG = 2_048
KNOCKS_AT_ONCE = 32
"""Of those who knock in one moment so many are looked at before everybody else has a turn."""
SECONDS_BETWEEN_CONNECTIONS = 0.001
"""Of a crowd one is let in after each while, those first whose address has had least. Who has had little and
comes alone is no crowd.
"""
SECONDS_WITHOUT_DESCRIPTORS = 1.0
NO_DESCRIPTORS = {errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM}

MakeConnection = Callable[[Door, str], asyncio.Protocol]


class Entrance:
    """Sends away who may not come in before anything is made of the connection. Of a crowd nobody stands in
    the system's queue, where whoever plays would stand behind them.
    """

    def __init__(self, sock: socket.socket, door: Door, efforts: Efforts, make: MakeConnection) -> None:
        self._sock, self._door, self._efforts, self._make = sock, door, efforts, make
        self._begins = Begins(efforts, 1, SECONDS_BETWEEN_CONNECTIONS)
        self._tasks: set[asyncio.Task[None]] = set()
        self._again: asyncio.TimerHandle | None = None
        self._looked_at = 0.0

    def open(self) -> None:
        _make_room(self._sock, self._door.most)
        self._sock.setblocking(False)
        self._sock.listen(BACKLOG)
        self._look_out()

    def shut(self) -> None:
        """Nobody comes in any more, nor who has waited."""
        with suppress(NotImplementedError):
            asyncio.get_running_loop().remove_reader(self._sock)
        self._sock.close()
        if self._again is not None:
            self._again.cancel()
        for task in self._tasks:
            task.cancel()

    def _look_out(self) -> None:
        self._again = None
        loop = asyncio.get_running_loop()
        try:
            loop.add_reader(self._sock, self._answer_knocks)
        except NotImplementedError:  # on Windows
            self._begin(self._accept_one_by_one())

    def _look_away(self, seconds: float) -> None:
        loop = asyncio.get_running_loop()
        loop.remove_reader(self._sock)
        self._again = loop.call_later(seconds, self._look_out)

    def _answer_knocks(self) -> None:
        loop = asyncio.get_running_loop()
        if (
            self._begins.waits()
            and self._efforts.awaited
            and loop.time() - self._looked_at < LONGEST_COURTESY
        ):
            self._look_away(SECONDS_OF_COURTESY)
            return
        self._looked_at = loop.time()
        for _ in range(KNOCKS_AT_ONCE):
            try:
                connection, (host, *_) = self._sock.accept()
            except OSError as error:
                if error.errno in NO_DESCRIPTORS:  # the socket would go on calling
                    self._look_away(SECONDS_WITHOUT_DESCRIPTORS)
                return
            self._admit(connection, host)

    async def _accept_one_by_one(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            connection, (host, *_) = await loop.sock_accept(self._sock)
            self._admit(connection, host)

    def _admit(self, connection: socket.socket, host: str) -> None:
        if self._door.enter(host):
            self._begin(self._let_in(connection, host))
        else:
            connection.close()

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _let_in(self, connection: socket.socket, host: str) -> None:
        name = name_network(host)
        stands_in_line = self._begins.waits(name) or self._efforts.has_had_much(name)
        try:
            if stands_in_line and not self._door.is_trusted(host):
                await self._begins.wait(name)
            connection.setblocking(False)
        except BaseException:
            self._door.leave(host)
            connection.close()
            raise
        loop = asyncio.get_running_loop()
        await loop.connect_accepted_socket(partial(self._make, self._door, host), connection)


def _make_room(sock: socket.socket, descriptors: int) -> None:
    """Let the system lengthen its table of descriptors now: Linux doubles it when it is full, and everybody
    waits 10 to 20 ms for that.
    """
    with suppress(ImportError, OSError, ValueError):  # there is none on Windows, or the limit is lower
        import fcntl

        os.close(fcntl.fcntl(sock, fcntl.F_DUPFD_CLOEXEC, descriptors))
