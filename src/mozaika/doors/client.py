"""A bot of one's own at a server's table, over HTTP; docs/bots.md says what goes over the wire."""

import json
import secrets
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

MEANWHILE = 409
"""The status of what comes too late: something else has happened at the table."""


class Refused(Exception):
    """The server does not do it; its sentence says why."""

    def __init__(self, sentence: str, status: int) -> None:
        super().__init__(sentence)
        self.status = status


@dataclass(frozen=True)
class Turn:
    """A seat is to move: the position as it knows it, and every legal move."""

    seq: int
    seat: int
    position: str
    legal: list[str]


class Client:
    """A guest of a server: whoever has the token is the same guest."""

    def __init__(self, address: str, token: str = "") -> None:
        self.address, self.token = address.rstrip("/"), token or secrets.token_urlsafe(24)

    def open(self, game: str, *bots: str, name: str = "A program", **options: str) -> "TableSeat":
        """A new table: this program on the first seat, bots of the server on the others."""
        seats = [{"kind": "me", "name": name}, *({"kind": "bot", "bot": bot} for bot in bots)]
        made = self.send("/api/games", {"game": game, "seats": seats, "options": options})
        return TableSeat(self, made["id"])

    def join(self, link: str, seat: int, name: str = "A program") -> "TableSeat":
        """A free seat, counted from 1, at the table of a link."""
        place, _, secret = link.partition("#k=")
        table = TableSeat(self, place.rstrip("/").rpartition("/")[2])
        self.send(f"{table.path}/enter", {"token": secret})
        self.send(f"{table.path}/seats/{seat}", {"action": "sit", "name": name})
        return table

    def send(self, path: str, body: Any) -> Any:
        """A change: done once, also if it is sent twice."""
        headers = {"Content-Type": "application/json", "Idempotency-Key": secrets.token_hex(16)}
        with self._ask(path, json.dumps(body).encode(), headers) as answer:
            text = answer.read()
            return json.loads(text) if text else None

    def listen(self, path: str) -> Iterator[tuple[str, Any]]:
        """The events of a stream, with their data."""
        kind = ""
        with self._ask(path, None, {}) as answer:
            for line in answer:
                word, _, rest = line.decode().strip().partition(": ")
                if word == "event":
                    kind = rest
                elif word == "data":
                    yield kind, json.loads(rest)

    def _ask(self, path: str, body: bytes | None, headers: dict[str, str]) -> Any:
        request = urllib.request.Request(self.address + path, body, headers)  # noqa: S310  the caller's own
        request.add_header("Authorization", f"Bearer {self.token}")
        try:
            return urllib.request.urlopen(request)  # noqa: S310
        except urllib.error.HTTPError as error:
            with error:
                told = json.loads(error.read() or b"{}")
            raise Refused(told.get("detail") or str(error), error.code) from None


class TableSeat:
    """What a program does at a table."""

    def __init__(self, client: Client, table: str) -> None:
        self.client, self.table, self.path = client, table, f"/api/games/{table}"
        self.points: list[int] = []
        self.places: list[int] = []
        """Of each seat, when the game is over."""

    def turns(self) -> Iterator[Turn]:
        """Each turn as it comes, until the game is over. A stream that ends before is opened anew."""
        while not self.places:
            for kind, data in self.client.listen(f"{self.path}/turns"):
                if kind == "turn":
                    yield Turn(**data)
                elif kind == "over":
                    self.points, self.places = data["points"], data["places"]

    def play(self, turn: Turn, move: str) -> None:
        """Answer a turn with one of its legal moves."""
        self.client.send(f"{self.path}/moves", {"seq": turn.seq, "seat": turn.seat, "move": move})

    def run(self, choose: Callable[[Turn], str]) -> list[int]:
        """Play to the end; returns the place of each seat. A turn that was answered too late comes again."""
        for turn in self.turns():
            try:
                self.play(turn, choose(turn))
            except Refused as refused:
                if refused.status != MEANWHILE:
                    raise
        return self.places
