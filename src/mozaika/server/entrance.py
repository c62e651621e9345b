"""The listening socket. Whoever comes is counted at once, and let in one at a time."""

import asyncio
import errno
import os
import socket
from collections.abc import Callable
from contextlib import suppress
from functools import partial

from mozaika.server.door import Door
from mozaika.server.effort import Begins, Efforts
from mozaika.server.guests import name_network

BACKLOG = 2_048
KNOCKS_AT_ONCE = 32
"""Of those who knock in one moment so many are looked at before everybody else has a turn."""
SECONDS_BETWEEN_CONNECTIONS = 0.001
"""Of a crowd one is let in after each while, those first whose address has had least."""
SECONDS_WITHOUT_DESCRIPTORS = 1.0
NO_DESCRIPTORS = {errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM}

MakeConnection = Callable[[Door, str], asyncio.Protocol]


class Entrance:
    """Sends away who may not come in before anything is made of the connection. Of a crowd nobody stands in
    the system's queue, where whoever plays would stand behind them.
    """

    def __init__(self, sock: socket.socket, door: Door, efforts: Efforts, make: MakeConnection) -> None:
        self._sock, self._door, self._make = sock, door, make
        self._begins = Begins(efforts, 1, SECONDS_BETWEEN_CONNECTIONS)
        self._coming: set[asyncio.Task[None]] = set()
        self._again: asyncio.TimerHandle | None = None

    def open(self) -> None:
        _make_room(self._sock, self._door.most)
        self._sock.setblocking(False)
        self._sock.listen(BACKLOG)
        self._look_out()

    def shut(self) -> None:
        """Nobody comes in any more, nor who has waited."""
        asyncio.get_running_loop().remove_reader(self._sock)
        self._sock.close()
        if self._again is not None:
            self._again.cancel()
        for task in self._coming:
            task.cancel()

    def _look_out(self) -> None:
        self._again = None
        asyncio.get_running_loop().add_reader(self._sock, self._answer_knocks)

    def _answer_knocks(self) -> None:
        loop = asyncio.get_running_loop()
        for _ in range(KNOCKS_AT_ONCE):
            try:
                connection, (host, *_) = self._sock.accept()
            except OSError as error:
                if error.errno in NO_DESCRIPTORS:  # the socket would go on calling
                    loop.remove_reader(self._sock)
                    self._again = loop.call_later(SECONDS_WITHOUT_DESCRIPTORS, self._look_out)
                return
            if self._door.enter(host):
                task = loop.create_task(self._let_in(connection, host))
                self._coming.add(task)
                task.add_done_callback(self._coming.discard)
            else:
                connection.close()

    async def _let_in(self, connection: socket.socket, host: str) -> None:
        try:
            if not self._door.is_trusted(host):
                await self._begins.wait(name_network(host))
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
