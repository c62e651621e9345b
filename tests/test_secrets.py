"""P4: nobody is shown, told or sent what they may not know, at any moment of a shared game.

Two games are played that differ only in which of two plates, looked at by one player and put back, is which.
Whatever the other player or a watcher gets must be the same, letter by letter, until the plates come up.
"""

import asyncio
import dataclasses
import time
from collections.abc import Iterator
from itertools import islice, pairwise
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from litestar.testing import TestClient

from mozaika import Budget, epochs
from mozaika.game import Game
from mozaika.games import GAMES
from mozaika.games.azul_duel.pieces import KIND
from mozaika.server.app import build_app
from mozaika.server.views import Viewer, build_view, tell_log, write_letters
from mozaika.state import CHANCE, WATCHER
from mozaika.store import Event, Header
from mozaika.store.sqlite import SqliteStore
from mozaika.table import Table
from mozaika.table.commands import digest
from mozaika.table.events import DRAW, MOVE, SIT, Occupant
from mozaika.table.refusals import NotAllowed, NotNow
from mozaika.table.seating import SeatChange, next_occupant
from mozaika.table.secrets import record_for
from mozaika.table.shared import SharedTable

pytestmark = pytest.mark.filterwarnings(
    "ignore::litestar.exceptions.base_exceptions.LitestarDeprecationWarning"
)

NAME = "azul_duel"
OPTIONS = {"objectives": "first_game", "start": "1"}
FOLLOW = 40
"""So many entries after the plates were put back."""

Entries = list[tuple[int, str]]


def game_with_secrets(seed: int) -> Entries:
    """A game in which a player draws four plates and puts three of them back; then both go on."""
    table, random = Table(NAME, 2, seed=seed, **OPTIONS), Random(seed)
    while "draw" not in (moves := table.legal_moves()):
        table.play(random.choice(moves))
    for move in ("draw", "draw", "draw", "draw", "stop"):
        table.play(move)
    table.play(random.choice(table.legal_moves()))
    while table.legal_moves()[0].startswith("return"):
        table.play(random.choice(table.legal_moves()))
    until = table.ply + FOLLOW
    while table.ply < until:
        seat = random.choice(table.movers)
        table.play(random.choice([move for move in table.legal_moves(seat) if move != "draw"]), seat)
    return [(seat, table.game.write_move(move)) for seat, move in table.entries]


def put_back(entries: Entries) -> list[str]:
    """The plates that were put back one by one."""
    return [text.split()[1] for seat, text in entries if seat != CHANCE and text.startswith("return")]


def exchange(entries: Entries, one: str, other: str) -> Entries:
    """The same game with two plates exchanged while only one player knows them."""
    exchanged = ((one, other), (other, one))
    swap = {f"{verb} {a}": f"{verb} {b}" for a, b in exchanged for verb in ("face", "return")}
    return [(seat, swap.get(text, text)) for seat, text in entries]


def shared_table(entries: Entries, ann: str = "ann", ben: str = "ben") -> SharedTable:
    return SharedTable(*header_and_events(entries, ann, ben), None)  # type: ignore[arg-type]


def header_and_events(entries: Entries, ann: str, ben: str) -> tuple[Header, list[Event]]:
    game = GAMES[NAME]
    options = game.write_options(game.read_options(OPTIONS))
    header = Header(
        id="secrets",
        game=NAME,
        version=game.version,
        options=options,
        seats=2,
        owner="",
        link="",
        position="",
        created=0.0,
        hints=True,
    )
    seats = [Occupant("person", "Ann", ann), Occupant("person", "Ben", ben)]
    texts = [(seat, SIT, msgspec.json.encode(who).decode()) for seat, who in enumerate(seats)]
    texts += [(seat, DRAW if seat == CHANCE else MOVE, text) for seat, text in entries]
    events = [Event(seq, seat, kind, text) for seq, (seat, kind, text) in enumerate(texts, 1)]
    return header, events


def everything_sent(shared: SharedTable, guest: str, until: int) -> Iterator[bytes]:
    """What a guest was sent at every moment, in both shapes."""
    for shape in ("wide", "tall"):
        viewer = Viewer(guest, bool(guest), "en", shape)
        for ply in range(until):
            moment = msgspec.structs.replace(build_view(shared, viewer, ply), log=[])
            yield msgspec.json.encode(moment)
            yield write_letters(shared, viewer, ply).encode()
        yield msgspec.json.encode(tell_log(shared, viewer, 0, until))


@pytest.fixture(scope="module")
def twins() -> tuple[Entries, Entries]:
    """The first game in which two plates of one kind were put back, and the same with these exchanged."""
    for seed in range(200):
        entries = game_with_secrets(seed)
        for one, other in pairwise(put_back(entries)):
            if KIND[int(one)] == KIND[int(other)]:
                return entries, exchange(entries, one, other)
    raise AssertionError("no such game among 200")


def compare(twins: tuple[Entries, Entries], guest: str) -> bool:
    first, second = (shared_table(entries) for entries in twins)
    until = first.table.ply
    return list(everything_sent(first, guest, until)) == list(everything_sent(second, guest, until))


def test_the_player_who_looked_knows_the_difference(twins):
    assert not compare(twins, "ann")


@pytest.mark.parametrize("guest", ["ben", ""], ids=["the other player", "a watcher"])
def test_nobody_else_does(twins, guest):
    assert compare(twins, guest)


def let_sit(live: SharedTable, seat: int, guest: str) -> None:
    sitting = msgspec.json.encode(Occupant("person", guest, guest) if guest else Occupant("open")).decode()
    live.adopt(Event(live.seq + 1, seat, SIT, sitting))


def wants_to_sit(live: SharedTable, seat: int, guest: str) -> Occupant:
    words = live.table.game.words("en")
    return next_occupant(live, live.seats[seat], seat + 1, SeatChange("sit"), guest, words)


def test_who_plays_does_not_get_the_seat_of_who_has_left_and_what_was_seen_there(twins):
    live = shared_table(twins[0])
    let_sit(live, 0, "")
    with pytest.raises(NotAllowed, match="secrets on this seat"):
        wants_to_sit(live, 0, "ben")
    let_sit(live, 1, "")
    with pytest.raises(NotAllowed, match="secrets on this seat"):
        wants_to_sit(live, 0, "ben")  # who has left has not forgotten
    assert wants_to_sit(live, 0, "ann").guest == "ann"
    assert wants_to_sit(live, 0, "celina").guest == "celina"


def test_nobody_plays_against_somebody_who_has_seen_their_secrets_on_one_screen(twins):
    """Who had played both seats left one and invited a friend, who did not know which plates come up."""
    live = shared_table(twins[0], "ann", "ann")
    let_sit(live, 0, "")
    with pytest.raises(NotAllowed, match="what others have seen"):
        wants_to_sit(live, 0, "ben")
    let_sit(live, 1, "")
    assert wants_to_sit(live, 0, "ben").guest == "ben", "ann is gone"
    let_sit(live, 0, "ben")
    with pytest.raises(NotAllowed, match="what others have seen"):
        wants_to_sit(live, 1, "ann")
    other = shared_table(twins[0], "ann", "ann")
    let_sit(other, 1, "")
    assert wants_to_sit(other, 1, "ben").guest == "ben", "what ann has seen on her own seat is hers"
    assert wants_to_sit(other, 1, "ann").guest == "ann"


def test_nobody_is_invited_to_a_position_whose_secrets_somebody_knows(twins):
    """Whoever played on from a moment of a game that they know in full had such a position."""
    header, _ = header_and_events([], "ann", "ann")
    known = shared_table(twins[0]).table
    position = known.game.write_position(known.state)
    assert known.game.hide(known.state, WATCHER).tobytes() != known.state.tobytes()
    events = header_and_events([], "ann", "ann")[1]
    live = SharedTable(msgspec.structs.replace(header, position=position, owner="ann"), events, None)  # type: ignore[arg-type]
    let_sit(live, 1, "")
    with pytest.raises(NotAllowed, match="position whose secrets"):
        wants_to_sit(live, 1, "ben")
    assert wants_to_sit(live, 1, "ann").guest == "ann"
    let_sit(live, 0, "")
    let_sit(live, 1, "ben")
    with pytest.raises(NotAllowed, match="position whose secrets"):
        wants_to_sit(live, 0, "celina")


def test_who_sits_on_every_seat_reads_no_record_with_what_another_has_seen(twins):
    """As in games that were kept before such seats were refused."""
    live = shared_table(twins[0])
    let_sit(live, 0, "ben")
    assert live.seats_of("ben") == [0, 1]
    with pytest.raises(NotNow, match="has secrets"):
        record_for(live, "ben")


def test_who_takes_a_seat_over_sees_nothing_that_was_seen_there_before(twins):
    sent = []
    for entries in twins:
        live, viewer = shared_table(entries), Viewer("celina", True, "en", "wide")
        let_sit(live, 0, "celina")
        plies = range(live.table.ply - 1, 0, -4)
        scenes = [msgspec.json.encode(build_view(live, viewer, ply).scene) for ply in plies]
        letters = [write_letters(live, viewer, ply) for ply in plies]
        sent.append((scenes, letters, tell_log(live, viewer, 0, live.table.ply)))
    assert sent[0] == sent[1]


def test_where_nothing_is_secret_seats_change_hands_freely():
    name = next(iter(GAMES))
    header = msgspec.structs.replace(
        shared_table([]).header, game=name, version=GAMES[name].version, options={}
    )
    live = SharedTable(header, [], None)  # type: ignore[arg-type]
    for guest in ("ann", ""):
        let_sit(live, 0, guest)
    let_sit(live, 1, "ben")
    assert wants_to_sit(live, 0, "ben").guest == "ben"


def tell_all(game: Game) -> dict[str, Any]:
    return {"tell": lambda state, seat, move, viewer, words: game.tell(state, seat, move, CHANCE, words)}


def show_all(game: Game) -> dict[str, Any]:
    return {"hide": lambda state, seat: state.copy()}


def show_watchers_all(game: Game) -> dict[str, Any]:
    return {"hide": lambda state, seat: state.copy() if seat == WATCHER else game.hide(state, seat)}


def show_order(game: Game) -> dict[str, Any]:
    def hide(state: Any, seat: int) -> Any:
        view = game.hide(state, seat)
        view["plate"] = state["plate"]
        return view

    return {"hide": hide}


@pytest.mark.parametrize(
    ("leak", "guest"),
    [
        (tell_all, "ben"),
        (show_watchers_all, ""),
        *(
            pytest.param(*each, marks=pytest.mark.long)
            for each in ((tell_all, ""), (show_all, "ben"), (show_order, "ben"))
        ),
    ],
)
def test_a_planted_leak_is_found(twins, leak, guest, monkeypatch):
    game = GAMES[NAME]
    monkeypatch.setitem(GAMES, NAME, dataclasses.replace(game, **leak(game)))
    assert not compare(twins, guest)


ADDRESSES = (
    *(
        "view",
        "view?shape=tall",
        "letters",
        "picture.svg",
        "picture.png",
        "log",
        "record",
        "review",
        "hindsight",
    ),
    *("turns", "solution", "rematch"),
)


def ask_everything(client: TestClient, table: SharedTable, seat: int) -> Iterator[Any]:
    """What a guest is answered at every door of a table, wherever it leads: also refusals are words."""
    about, last = f"/api/games/{table.header.id}", table.table.ply
    while not (view := client.get(f"{about}/view").json())["fair"]["epochs"]:
        time.sleep(0.05)  # the table begins a new one by itself, a second after it was found
    seq, ways = view["seq"], view["scene"]["walks"]
    for address in ADDRESSES:
        if address != "turns":  # a stream; `tell_turn` makes what it sends
            while (answer := client.get(f"{about}/{address}")).status_code == 503:
                time.sleep(0.2)  # a busy machine has not painted the picture in time
            yield address, answer.content
    for ply in range(last % 19, last + 2, 19):
        for address in ("view", "letters", "picture.svg"):
            yield address, ply, client.get(f"{about}/{address}", params={"ply": ply}).content
        for line in range(2):
            yield "points", ply, client.get(f"{about}/points", params={"ply": ply, "line": line}).content
        evaluated = client.post(f"{about}/evaluate", json={"seq": seq, "ply": ply})
        yield "evaluate", ply, evaluated.content
    for walk in ways[:9]:
        asked = {"seq": seq, "seat": seat, "spots": ",".join(walk["spots"][:1])}
        yield "walks", client.get(f"{about}/walks", params=asked).content
    texts = {text for _, text in entries_of(table)} | {
        "return 1",
        "return 2",
        "face 3",
        "draw",
        "stop",
        "nonsense",
    }
    for at, text in enumerate(sorted(texts)):
        yield "why", text, client.post(f"{about}/why", json={"seat": seat, "move": text}).content
        wish = {"seq": seq, "seat": 3 - seat, "move": text}
        moved = client.post(f"{about}/moves", json=wish, headers={"Idempotency-Key": f"key of {at:06}"})
        yield "move", text, moved.content
    yield "mine", client.get("/api/games/mine").content
    yield "page", client.get(f"/t/{table.header.id}").content
    yield (
        "on",
        client.post(
            "/api/games", json={"from": table.header.id}, headers={"Idempotency-Key": "key of on"}
        ).status_code,
    )


async def keep(path: Path, header: Header, events: list[Event]) -> None:
    store = SqliteStore(path)
    await store.open()
    await store.create(header, events)
    await store.close()


def entries_of(table: SharedTable) -> Entries:
    return [(seat, table.table.game.write_move(move)) for seat, move in table.table.entries]


@pytest.mark.parametrize("seat", [1, 2], ids=["who looked", "the other player"])
def test_no_door_of_the_server_tells_the_other_player(twins, seat, tmp_path, monkeypatch):
    """The same through HTTP, with every address that is about a table; refusals are answers, too.

    Two servers answer about 200 requests each: 2 s.
    """
    monkeypatch.setattr(epochs, "new_number", lambda: "0" * 64)
    secrets = ["secret-of-ann-and-nobody", "secret-of-ben-and-nobody"]
    answers = []
    for number, entries in enumerate(twins):
        guests = [digest(each) for each in secrets]
        path, table = tmp_path / f"{number}.db", shared_table(entries, *guests)
        asyncio.run(keep(path, *header_and_events(entries, *guests)))
        app = build_app(
            lambda path=path: SqliteStore(path),
            patience=3_600,
            answer_seconds=3_600,
            budget=Budget(30, 60_000),
            burst=1_000_000,  # a limit would be met by one server and not by the other
            per_second=1_000_000,
        )
        with TestClient(app) as client:
            client.headers["Authorization"] = f"Bearer {secrets[seat - 1]}"
            few = 3 if seat == 1 else None  # that is enough to see the difference
            answers.append(list(islice(ask_everything(client, table, seat), few)))
    differing = [one[:-1] for one, other in zip(*answers, strict=True) if one != other]
    assert bool(differing) == (seat == 1), differing
