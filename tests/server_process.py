"""The real `mozaika serve` in a process of its own, which can be killed, stopped and started again."""

import os
import re
import signal
import ssl
import subprocess
import sys
import time
from pathlib import Path
from uuid import uuid4

import httpx

from nursery import Child, Nursery, nursery

PATIENT = 120
"""Seconds after which even a busy machine should have answered."""
LOCAL = {"timeout": PATIENT, "trust_env": False, "verify": ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)}
"""How tests ask a server of this machine: a client would load the certificates of the whole world first."""
UNHURRIED = ("--burst", "1000000", "--rate", "1000000", "--patience", "0", "--answer-seconds", "0")


def once() -> dict[str, str]:
    """What a request carries so that it happens once: a key of its own."""
    return {"Idempotency-Key": uuid4().hex}


class ServerProcess:
    """One store and the server over it; the address stays the same from start to start."""

    def __init__(
        self,
        folder: Path,
        *flags: str,
        program: tuple[str, ...] = (),
        environment: dict[str, str] | None = None,
        first: str = "",
        born: Nursery | None = None,
    ) -> None:
        """Another program, or the usual one in another environment, is started as such; else it is a fork
        of a nursery, after a module has prepared it.
        """
        self.folder, self.flags, self.port = folder, flags or UNHURRIED, "0"
        self.program, self.environment = program, environment
        self.first, self.born = first, born
        self.store = folder / "games.db"
        self.process: subprocess.Popen[bytes] | Child | None = None

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        output = self.folder / "output.txt"
        command = ("serve", "--no-open", "--port", self.port, "--store", str(self.store), *self.flags)
        if self.program or self.environment:
            program = self.program or (sys.executable, "-m", "mozaika")
            environment = {**(self.environment or os.environ), "PYTHONUNBUFFERED": "1"}
            with output.open("wb") as file:
                self.process = subprocess.Popen(
                    [*program, *command], stdout=file, stderr=subprocess.STDOUT, env=environment
                )
        else:
            output.unlink(missing_ok=True)
            output.touch()
            self.process = (self.born or nursery()).fork(output, *command, first=self.first)
        last = time.monotonic() + PATIENT
        while not self._answers(output):
            assert self.process.poll() is None, output.read_text("utf-8")
            assert time.monotonic() < last, output.read_text("utf-8")
            time.sleep(0.02)

    def _answers(self, output: Path) -> bool:
        if self.port == "0":
            if not (found := re.search(r"http://127\.0\.0\.1:(\d+)/", output.read_text("utf-8"))):
                return False
            self.port = found[1]
        try:
            return httpx.get(f"{self.address}/livez", **LOCAL).is_success
        except httpx.TransportError:
            return False

    def kill(self) -> None:
        """As a power cut would: without any warning."""
        self.process.kill()
        self.process.wait(PATIENT)

    def stop(self) -> int:
        """As an operator would. Returns the exit code."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(PATIENT)

    def __enter__(self) -> "ServerProcess":
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self.process is not None and self.process.poll() is None:
            self.kill()
