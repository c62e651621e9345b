"""What one viewer gets to see of a table, built up from nothing for that viewer."""

import hashlib
from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import Literal
from weakref import WeakKeyDictionary

import msgspec

from mozaika.game import Game
from mozaika.scene import Label, Layer, Scene, Shape, Spot, Sprite, Walk, write_ground
from mozaika.server.fairness import Fair, tell_fairness
from mozaika.server.walks import Way, Ways, along, fold
from mozaika.sketch import plain, plain_name
from mozaika.state import CHANCE, WATCHER, State, seats_in
from mozaika.table.levels import name_bot
from mozaika.table.shared import LogLine, SharedTable
from mozaika.table.takeback import last_move, may_answer
from mozaika.words import Words


class SceneView(msgspec.Struct):
    """A scene without what never changes; `ground` is the address of that."""

    width: float
    height: float
    title: str
    ground: str
    sprites: tuple[Sprite, ...]
    labels: tuple[Label, ...]
    spots: tuple[Spot, ...]
    walks: tuple[Way, ...]
    ghosts: tuple[Sprite, ...]
    """The sprites that the ghosts of the walks are made of."""
    later: tuple[str, ...]
    """The spots that are only on what was cut off from the walks."""
    notice: str
    loose: tuple[int, int]
    layers: tuple[Layer, ...]
    held: str
    pause: int


class SeatView(msgspec.Struct):
    name: str
    kind: Literal["person", "bot", "open"]
    bot: str
    bot_label: str
    mine: bool
    online: bool
    removable: bool
    """Whether the table's owner can ask whoever sits there to leave."""
    to_move: bool
    score: int
    rank: int


class You(msgspec.Struct):
    seats: list[int]
    seat: int
    admitted: bool
    owner: bool
    turn: bool
    curtain: bool


class Undo(msgspec.Struct):
    possible: bool
    free: bool
    asked_by: int
    may_answer: bool


class Source(msgspec.Struct):
    """Where points came from, and how many each seat has of them."""

    name: str
    points: list[int]


class Result(msgspec.Struct):
    sources: list[Source]
    scores: list[int]
    ranks: list[int]
    verdict: str
    """What is said instead of who has won; empty if that says it all."""
    hindsight: bool
    """Whether it can be said what would have been possible."""


class Last(msgspec.Struct):
    """What the last move brought to the table."""

    seat: int
    sprites: list[Sprite]


class View(msgspec.Struct):
    """Everything a viewer knows of one moment; the same for a first look, a reconnect and news."""

    id: str
    game: str
    game_name: str
    seq: int
    ply: int
    plies: int
    now: bool
    over: bool
    options: dict[str, str]
    url: str
    commitment: str
    seed: str | None
    fair: Fair
    """How the draws are settled."""
    scene: SceneView
    seats: list[SeatView]
    you: You
    last: Last | None
    log_stands: int
    """Up to which ply what this viewer was told before still stands."""
    log_from: int
    """From which ply on `log` tells everything; lines between are left out when they are too many."""
    log: list[LogLine]
    undo: Undo
    result: Result | None
    rematch: str | None
    hints: bool
    """Whether hints and the evaluation are allowed at this table."""
    hooks: bool
    """Whether an address can be called when it is somebody's turn."""
    closed: str
    """That the operator has closed this table; empty while it is open."""


class Viewer(msgspec.Struct, frozen=True):
    """Who looks, and how."""

    guest: str
    admitted: bool
    lang: str
    shape: Shape
    hooks: bool = False
    root: str = ""
    """What stands before every address of the server."""


@lru_cache(maxsize=500)
def _write_ground(scene_parts: tuple[float, float, str, str, str, str]) -> tuple[str, str]:
    """A ground, and the digest by which its address names it."""
    width, height, style, dark_style, symbols, ground = scene_parts
    text = write_ground(Scene(width, height, "", style, dark_style, symbols, ground, (), (), (), ()))
    return hashlib.sha256(text.encode()).hexdigest()[:16], text


def _ground_of(scene: Scene) -> tuple[str, str]:
    return _write_ground(
        (scene.width, scene.height, scene.style, scene.dark_style, scene.symbols, scene.ground)
    )


def find_ground(shared: SharedTable, viewer: Viewer, digest: str, ply: int | None) -> str | None:
    """The ground of this name at a table, now or at a ply; None if the table has another.

    Nothing is kept that could be forgotten: the address of a ground says all that its scene is set from.
    """
    at = shared.table.ply if ply is None else ply
    seat = _seat_shown(shared, viewer.guest, at)
    name, text = _ground_of(_scene(shared, at, seat, viewer, shared.table.game.words(viewer.lang)))
    return text if name == digest else None


def _ground_address(shared: SharedTable, ply: int, scene: Scene, viewer: Viewer, words: Words) -> str:
    """The same for every moment with the same ground, so that it is fetched once."""
    seat = _seat_shown(shared, viewer.guest, shared.table.ply)
    now, _ = _ground_of(_scene(shared, shared.table.ply, seat, viewer, words))
    name, _ = _ground_of(scene)
    past = "" if name == now else f"&ply={ply}"
    at = f"{viewer.root}/api/games/{shared.header.id}"
    return f"{at}/ground/{name}.svg?shape={viewer.shape}&words={viewer.lang}{past}"


def build_view(shared: SharedTable, viewer: Viewer, ply: int | None = None, seen: int = 0) -> View:
    """What a viewer sees now or saw at a ply; of the log, what came after the seq already seen."""
    table, game = shared.table, shared.table.game
    plies = table.ply
    at = plies if ply is None else ply
    now = at == plies
    state = table.state_at(at)
    mine = shared.seats_of(viewer.guest)
    movers = seats_in(game.movers(state))
    acting = _acting(shared, mine)
    seat = _seat_shown(shared, viewer.guest, at)
    words = game.words(viewer.lang)
    log_stands, log_from, log = _news(shared, viewer, seen) if now else (plies, plies, [])
    over = not seats_in(game.movers(table.state))
    return View(
        id=shared.header.id,
        game=game.id,
        game_name=game.name,
        seq=shared.seq,
        ply=at,
        plies=plies,
        now=now,
        over=over,
        options=dict(shared.header.options),
        url=f"{viewer.root}/t/{shared.header.id}",
        commitment=shared.commitment,
        seed=shared.shown_seed,
        fair=tell_fairness(shared, viewer.guest, words),
        scene=_scene_view(shared, at, seat, viewer, words, now=now and (seat in acting or not mine)),
        seats=_seats(shared, state, mine, movers, words),
        you=You(
            seats=[s + 1 for s in mine],
            seat=seat + 1,
            admitted=viewer.admitted,
            owner=viewer.guest == shared.header.owner,
            turn=now and any(s in movers for s in acting),
            curtain=now and _needs_curtain(game, state, acting, movers),
        ),
        last=_last(shared, seat, viewer, words) if now else None,
        log_stands=log_stands,
        log_from=log_from,
        log=log,
        undo=_undo(shared, viewer.guest),
        result=_result(game, table.state, words) if over and now else None,
        rematch=viewer.root + shared.rematch if shared.rematch else None,
        hints=shared.gives_hints,
        hooks=viewer.hooks,
        closed=shared.tell_closed(words),
    )


def tell_log(shared: SharedTable, viewer: Viewer, since: int, until: int) -> list[LogLine]:
    """What a viewer saw happen from one ply up to another."""
    mine = shared.seats_of(viewer.guest)
    seat = mine[0] if len(mine) == 1 else WATCHER
    plies = range(since, min(until, shared.table.ply))
    eyes = [seat if seat in shared.eyes_of(viewer.guest, ply) else WATCHER for ply in plies]
    return [line for ply, eye in zip(plies, eyes, strict=True) for line in shared.told(viewer.lang, eye, ply)]


def _news(shared: SharedTable, viewer: Viewer, seen: int) -> tuple[int, int, list[LogLine]]:
    """What happened after a seq, or of much the last part: after which ply, from which ply, and the lines."""
    first, ply, room = sum(1 for seq in shared.entry_seqs if seq <= seen), shared.table.ply, LOG_ROOM
    told: list[list[LogLine]] = []
    while ply > first:
        lines = tell_log(shared, viewer, ply - 1, ply)
        room -= len(msgspec.json.encode(lines))
        if room < 0:
            break
        told.append(lines)
        ply -= 1
    return first, ply, [line for lines in reversed(told) for line in lines]


LOG_ROOM = 3_000


def write_letters(shared: SharedTable, viewer: Viewer, ply: int | None = None) -> str:
    """The table in letters, for those who do not see the picture."""
    game, words = shared.table.game, shared.table.game.words(viewer.lang)
    at = shared.table.ply if ply is None else ply
    view = game.hide(shared.table.state_at(at), _seat_shown(shared, viewer.guest, at))
    return plain(game.sketch(view, tuple(map(plain_name, names_of(shared, words))), words))


def _acting(shared: SharedTable, mine: list[int]) -> list[int]:
    """The seats that no bot plays for; none at a table that is closed."""
    return [] if shared.closed is not None else [seat for seat in mine if shared.seats[seat].kind == "person"]


def _seat_shown(shared: SharedTable, guest: str, ply: int) -> int:
    """The seat through whose eyes a guest looks: of several on one screen the one that is to move."""
    mine, movers = shared.eyes_of(guest, ply), seats_in(shared.table.game.movers(shared.table.state_at(ply)))
    mine = _acting(shared, mine) or mine
    return next((seat for seat in mine if seat in movers), mine[0] if mine else WATCHER)


def _scene_view(
    shared: SharedTable, ply: int, seat: int, viewer: Viewer, words: Words, *, now: bool
) -> SceneView:
    shown = _show(shared, ply, seat, viewer, words)
    scene = shown.scene
    return SceneView(
        width=scene.width,
        height=scene.height,
        title=scene.title,
        ground=_ground_address(shared, ply, scene, viewer, words),
        sprites=scene.sprites,
        labels=scene.labels,
        spots=scene.spots if now else (),
        **msgspec.structs.asdict(shown.ways if now else NO_WAYS),
        notice=scene.notice,
        loose=scene.loose,
        layers=scene.layers,
        held=scene.held,
        pause=scene.pause,
    )


def find_walks(shared: SharedTable, seat: int, spots: tuple[str, ...], viewer: Viewer) -> Ways:
    """The walks of a seat that go on from some spots; of many again only how they go on."""
    game, words = shared.table.game, shared.table.game.words(viewer.lang)
    scene = _scene(shared, shared.table.ply, seat, viewer, words)
    walks: Sequence[Walk] = scene.walks
    if game.walks_from is not None:
        walks = game.walks_from(game.hide(shared.table.state, seat), seat, spots, viewer.shape)
    return fold(along(walks, spots, scene.loose), len(spots), WALKS_ROOM)


def find_way(shared: SharedTable, seat: int, move: int, viewer: Viewer) -> Ways:
    """The whole walk of a legal move of a seat."""
    game = shared.table.game
    scene = _scene(shared, shared.table.ply, seat, viewer, game.words(viewer.lang))
    walks: Sequence[Walk] = scene.walks
    if game.walks_from is not None and game.spots_of is not None:
        view = game.hide(shared.table.state, seat)
        walks = game.walks_from(view, seat, game.spots_of(view, seat, move), viewer.shape)
    text = game.write_move(move)
    return fold([walk for walk in walks if walk.move == text], 0, WALKS_ROOM)


class _Shown:
    """A scene, and its walks as they are sent."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene

    @cached_property
    def ways(self) -> Ways:
        """Cut off where the scene would be too large: the same whoever looks, and when."""
        scene = self.scene
        rest = msgspec.json.encode((scene.sprites, scene.labels, scene.spots, scene.layers))
        return fold(scene.walks, 0, SCENE_ROOM - len(rest), scene.later)


def _show(shared: SharedTable, ply: int, seat: int, viewer: Viewer, words: Words) -> _Shown:
    """A moment as a seat sees it. The last moments are remembered: others look at them too."""
    game, names = shared.table.game, names_of(shared, words)
    key = (tuple(shared.entry_seqs[ply - 1 : ply]), names, seat, viewer.lang, viewer.shape)
    scenes = _scenes.setdefault(shared, {})
    if key not in scenes:
        if len(scenes) >= MOST_SCENES:
            scenes.clear()
        view = game.hide(shared.table.state_at(ply), seat)
        scenes[key] = _Shown(game.scene(view, seat, names, words, viewer.shape))
    return scenes[key]


def _scene(shared: SharedTable, ply: int, seat: int, viewer: Viewer, words: Words) -> Scene:
    return _show(shared, ply, seat, viewer, words).scene


SCENE_ROOM = 16_500
"""Bytes for what changes of a scene; a view has 24,000 in all."""
WALKS_ROOM = 20_000
NO_WAYS = Ways((), (), ())

_scenes: WeakKeyDictionary[SharedTable, dict[tuple[object, ...], _Shown]] = WeakKeyDictionary()
MOST_SCENES = 24


def names_of(shared: SharedTable, words: Words) -> tuple[str, ...]:
    return tuple(occupant.name or words.say("free seat") for occupant in shared.seats)


def _seats(
    shared: SharedTable, state: State, mine: list[int], movers: list[int], words: Words
) -> list[SeatView]:
    game = shared.table.game
    scores, ranks = game.points(state), game.places(state)
    return [
        SeatView(
            name=occupant.name or words.say("free seat"),
            kind=occupant.kind,
            bot=occupant.bot,
            bot_label=name_bot(occupant.bot, words) if occupant.bot else "",
            mine=seat in mine,
            online=occupant.kind == "bot" or shared.online.get(occupant.guest, 0) > 0,
            removable=occupant.guest not in ("", shared.header.owner),
            to_move=seat in movers,
            score=scores[seat],
            rank=ranks[seat],
        )
        for seat, occupant in enumerate(shared.seats)
    ]


def _needs_curtain(game: Game, state: State, mine: list[int], movers: list[int]) -> bool:
    """Whether the people on one screen must look away from each other's secrets."""
    if len(mine) < 2 or not any(seat in movers for seat in mine):
        return False
    first = game.hide(state, mine[0]).tobytes()
    return any(game.hide(state, seat).tobytes() != first for seat in mine[1:])


def _last(shared: SharedTable, seat: int, viewer: Viewer, words: Words) -> Last | None:
    """Nothing if something was drawn after it."""
    entries = shared.table.entries
    if not entries or entries[-1].seat == CHANCE:
        return None
    known = set(_scene(shared, len(entries) - 1, seat, viewer, words).sprites)
    now = _scene(shared, len(entries), seat, viewer, words).sprites
    sprites = [sprite for sprite in now if sprite not in known]
    return Last(entries[-1].seat + 1, sprites)


def _undo(shared: SharedTable, guest: str) -> Undo:
    last, asked = None if shared.closed is not None else last_move(shared, guest), shared.asked
    free = last is not None and last.free
    possible = free or (last is not None and bool(shared.other_guests(guest)))
    return Undo(possible, free, 0 if asked is None else asked + 1, may_answer(shared, guest))


def _result(game: Game, state: State, words: Words) -> Result:
    verdict = game.verdict(state, words)
    hindsight = game.hindsight is not None
    sources = [Source(*each) for each in game.tally(state, words)]
    return Result(sources, game.points(state), game.places(state), verdict, hindsight)
