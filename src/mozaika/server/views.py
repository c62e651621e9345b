"""What one viewer gets to see of a table, built up from nothing for that viewer."""

from bisect import bisect_right
from collections.abc import Sequence
from typing import Literal

import msgspec

from mozaika.defaults import hides_nothing
from mozaika.reviewing.calibration import calibration_of
from mozaika.reviewing.judge import can_review
from mozaika.scene import Glimpse, Label, Layer, Shape, Spot, Sprite
from mozaika.server.fairness import Fair, tell_fairness
from mozaika.server.scenes import Shown, show
from mozaika.server.walks import Way, Ways
from mozaika.sketch import plain, plain_name
from mozaika.state import CHANCE, WATCHER, read_state
from mozaika.table.deals import can_challenge
from mozaika.table.events import Occupant
from mozaika.table.lessons import LessonView, show_lesson
from mozaika.table.levels import name_bot
from mozaika.table.refusals import NotThere
from mozaika.table.shared import SharedTable
from mozaika.table.sights import Sight
from mozaika.table.takeback import last_move, may_answer
from mozaika.table.telling import NOBODY, LogLine, Reader
from mozaika.words import Words, later


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
    """What the viewer calls whoever sits there: “You”, or what others do."""
    called: str
    """What others call them."""
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
    alone: bool
    """Whether nobody is ever asked: among bots and on one screen."""


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
    review: bool
    """Whether somebody can say what each decision was worth."""
    challenge: bool
    """Whether the viewer can let others play the same draws against the same bots."""


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
    mover: int
    """The seat that has moved last, counted from 1; 0 before anybody has."""
    last: Last | None
    glimpse: Glimpse | None
    """What is to be seen of the last move before the rest."""
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
    lesson: LessonView | None
    """What is taught here, and where the learner is; None where people just play."""
    practice: bool
    """Whether the game counts nowhere."""
    deal: str
    """The address of the deal that is played here, or that this game has become; empty if there is none."""


class Viewer(msgspec.Struct, frozen=True):
    """Who looks, and how."""

    guest: str
    admitted: bool
    lang: str
    shape: Shape
    hooks: bool = False
    root: str = ""
    """What stands before every address of the server."""


def find_ground(shared: SharedTable, viewer: Viewer, digest: str, ply: int | None) -> str | None:
    """The ground of this name at a table, now or at a ply; None if the table has another.

    Nothing is kept that could be forgotten: the address of a ground says all that its scene is set from.
    """
    at = shared.table.ply if ply is None else ply
    name, text = _Eyes(shared, viewer).show(at).ground
    return text if name == digest else None


def _ground_address(eyes: "_Eyes", ply: int, shown: Shown) -> str:
    """The same for every moment with the same ground, so that it is fetched once."""
    shared, viewer = eyes.shared, eyes.viewer
    name, past = shown.ground[0], ""
    if ply != shared.table.ply:
        now = eyes.show(shared.table.ply).ground[0]
        past = "" if name == now else f"&ply={ply}"
    at = f"{viewer.root}/api/games/{shared.header.id}"
    return f"{at}/ground/{name}.svg?shape={viewer.shape}&words={viewer.lang}{past}"


def build_view(shared: SharedTable, viewer: Viewer, ply: int | None = None, seen: int = 0) -> View:
    """What a viewer sees now or saw at a ply; of the log, what came after the seq already seen."""
    table, game = shared.table, shared.table.game
    plies = table.ply
    at = plies if ply is None else ply
    now = at == plies
    sight, eyes = shared.sights.at(at), _Eyes(shared, viewer)
    mine, words, movers = eyes.mine, eyes.words, sight.movers
    acting = _acting(shared, mine)
    seat = _seat_shown(shared, viewer.guest, at)
    shown = eyes.show(at, seat)
    log_stands, log_from, log = _news(shared, viewer, seen) if now else (plies, plies, [])
    over = not (movers if now else table.movers)
    glimpse = _glimpse(shared, at, seat, viewer)
    ended = glimpse.stays if glimpse is not None and not movers else ()
    return View(
        id=shared.header.id,
        game=game.id,
        game_name=game.title(viewer.lang),
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
        scene=_scene_view(eyes, at, shown, ended, now=now and (seat in acting or not mine)),
        seats=_seats(eyes, sight),
        you=You(
            seats=[s + 1 for s in mine],
            seat=seat + 1,
            admitted=viewer.admitted,
            owner=viewer.guest == shared.header.owner,
            turn=now and any(s in movers for s in acting),
            curtain=now and _needs_curtain(sight, acting),
        ),
        mover=_mover(shared, at),
        last=_last(eyes, seat, shown) if now else None,
        glimpse=glimpse,
        log_stands=log_stands,
        log_from=log_from,
        log=log,
        undo=_undo(shared, viewer.guest),
        result=_result(eyes, sight) if over and now and shared.course is None else None,
        rematch=viewer.root + shared.rematch if shared.rematch else None,
        hints=shared.gives_hints,
        hooks=viewer.hooks,
        closed=shared.tell_closed(words),
        lesson=show_lesson(shared, viewer.lang),
        practice=shared.header.practice,
        deal=f"{viewer.root}/deal/{shared.deal}" if shared.deal else "",
    )


def tell_log(shared: SharedTable, viewer: Viewer, since: int, until: int) -> list[LogLine]:
    """What a viewer saw happen from one ply up to another."""
    reader, came = _log_reader(shared, viewer)
    plies = range(since, min(until, shared.table.ply))
    told = (shared.telling.at(viewer.lang, reader if ply >= came else NOBODY, ply) for ply in plies)
    return [line for each in told for line in each.lines]


class Earned(msgspec.Struct):
    """What made the points of a sentence: where it lies in the scene, and how they come together."""

    text: str
    rule: str
    how: str
    boxes: list[list[float]]
    moment: int | None = None
    """The ply whose board shows it, if something else lies there by now."""


def explain_points(shared: SharedTable, viewer: Viewer, ply: int, line: int) -> Earned:
    """What made the points of a line that a viewer was told of a ply; NotThere if there is none."""
    table, game = shared.table, shared.table.game
    reader, came = _log_reader(shared, viewer)
    eyes = reader.eyes if ply >= came else WATCHER
    told = shared.telling.sentences(viewer.lang, eyes, ply) if ply < table.ply else []
    if not line < len(told):
        raise NotThere(later("There is no such line in the log."))
    said, seat = told[line], _seat_shown(shared, viewer.guest, table.ply)
    boxes: Sequence[tuple[float, ...]] = ()
    if game.boxes is not None and said.places:
        view = game.hide(table.state_at(ply + 1), seat)
        boxes = game.boxes(view, seat, said.seat, said.places, viewer.shape)
    found, looking = [list(box) for box in boxes], _Eyes(shared, viewer)
    then, now = looking.show(ply + 1, seat), looking.show(table.ply, seat)
    gone = then.ground != now.ground or _lie_in(boxes, then) != _lie_in(boxes, now)
    return Earned(said.text, said.rule, said.how, found, ply + 1 if boxes and gone else None)


def _lie_in(boxes: Sequence[tuple[float, ...]], shown: Shown) -> set[Sprite]:
    """What lies in boxes of a scene, or what they are a part of."""

    def is_in(x: float, y: float, box: tuple[float, ...]) -> bool:
        return box[0] <= x <= box[0] + box[2] and box[1] <= y <= box[1] + box[3]

    return {
        sprite
        for sprite in shown.scene.sprites
        for box in boxes
        if is_in(sprite.x + sprite.size / 2, sprite.y + sprite.size / 2, box)
        or is_in(box[0] + box[2] / 2, box[1] + box[3] / 2, (sprite.x, sprite.y, sprite.size, sprite.size))
    }


def _log_reader(shared: SharedTable, viewer: Viewer) -> tuple[Reader, int]:
    """Who reads what happened, and since which ply; before that like all who watch."""
    mine = shared.seats_of(viewer.guest)
    if len(mine) != 1:
        return NOBODY, 0
    eyes = WATCHER if hides_nothing(shared.table.game) else mine[0]
    return Reader(eyes, mine[0]), shared.since[mine[0]]


def _news(shared: SharedTable, viewer: Viewer, seen: int) -> tuple[int, int, list[LogLine]]:
    """What happened after a seq, or of much the last part: after which ply, from which ply, and the lines."""
    first, ply, room = log_begins(shared, seen), shared.table.ply, LOG_ROOM
    reader, came = _log_reader(shared, viewer)
    told = shared.telling.newest(viewer.lang, reader, range(max(first, came), ply), room)
    if came > first and len(told) == ply - came:  # and before, what all saw
        left = room - sum(each.size for each in told)
        told += shared.telling.newest(viewer.lang, NOBODY, range(first, came), left)
    return first, ply - len(told), [line for each in reversed(told) for line in each.lines]


def log_begins(shared: SharedTable, seen: int) -> int:
    """The ply from which on a viewer who has seen a seq knows nothing yet."""
    return bisect_right(shared.entry_seqs, seen)


LOG_ROOM = 3_000


def write_letters(shared: SharedTable, viewer: Viewer, ply: int | None = None) -> str:
    """The table in letters, for those who do not see the picture."""
    game, eyes = shared.table.game, _Eyes(shared, viewer)
    at, words = shared.table.ply if ply is None else ply, eyes.words
    view = game.hide(shared.table.state_at(at), _seat_shown(shared, viewer.guest, at))
    told = plain(game.sketch(view, tuple(map(plain_name, eyes.names)), words))
    meant = ", ".join(f"{letter} {words.say(name)}" for letter, name in game.letters.items())
    return f"{told}\n{meant}\n" if meant else told


def _acting(shared: SharedTable, mine: list[int]) -> list[int]:
    """The seats that no bot plays for; none at a table that is closed."""
    return [] if shared.closed is not None else [seat for seat in mine if shared.seats[seat].kind == "person"]


def _seat_shown(shared: SharedTable, guest: str, ply: int) -> int:
    """The seat through whose eyes a guest looks: of several on one screen the one that is to move."""
    mine = shared.eyes_of(guest, ply)
    if len(mine) < 2:
        return mine[0] if mine else WATCHER
    movers = shared.sights.at(ply).movers
    mine = _acting(shared, mine) or mine
    return next((seat for seat in mine if seat in movers), mine[0] if mine else WATCHER)


def _scene_view(eyes: "_Eyes", ply: int, shown: Shown, ended: tuple[Sprite, ...], *, now: bool) -> SceneView:
    scene, ways = shown.scene, shown.ways if now else NO_WAYS
    return SceneView(
        width=scene.width,
        height=scene.height,
        title=scene.title,
        ground=_ground_address(eyes, ply, shown),
        sprites=ended or scene.sprites,
        labels=scene.labels,
        spots=scene.spots if now else (),
        walks=ways.walks,
        ghosts=ways.ghosts,
        later=ways.later,
        notice=scene.notice,
        loose=scene.loose,
        layers=scene.layers,
        held=scene.held,
        pause=scene.pause,
    )


def find_walks(shared: SharedTable, seat: int, spots: tuple[str, ...], viewer: Viewer) -> Ways:
    """The walks of a seat that go on from some spots; of many again only how they go on."""
    game, shown = shared.table.game, _Eyes(shared, viewer).show(shared.table.ply, seat)
    return shown.walks_on(game.hide(shared.table.state, seat), game, seat, spots, viewer.shape)


def find_way(shared: SharedTable, seat: int, move: int, viewer: Viewer) -> Ways:
    """The whole walk of a legal move of a seat."""
    game, shown = shared.table.game, _Eyes(shared, viewer).show(shared.table.ply, seat)
    return shown.way_of(game.hide(shared.table.state, seat), game, seat, move, viewer.shape)


class _Eyes:
    """Somebody who looks at a table: their seats, their words, and what they call everybody."""

    def __init__(self, shared: SharedTable, viewer: Viewer) -> None:
        self.shared, self.viewer = shared, viewer
        self.words = shared.table.game.words(viewer.lang)
        self.mine = shared.seats_of(viewer.guest)
        self.called = shared.names(self.words)
        """What everybody is called by others."""
        self.names = self.called
        """The same, but themselves “You”, if they alone sit at their screen."""
        if len(self.mine) == 1:
            you = self.mine[0]
            self.names = (*self.called[:you], self.words.say("You"), *self.called[you + 1 :])

    def show(self, ply: int, seat: int | None = None) -> Shown:
        """A moment as a seat sees it; as their own sees it, if none is named."""
        seat = _seat_shown(self.shared, self.viewer.guest, ply) if seat is None else seat
        view, viewer = self.shared.sights.at(ply).seen_by(seat), self.viewer
        return show(self.shared.table.game, view, seat, self.names, viewer.lang, viewer.shape)


NO_WAYS = Ways((), (), ())


def _seats(eyes: _Eyes, sight: Sight) -> list[SeatView]:
    shared, here = eyes.shared, eyes.shared.who_is_here()
    return [
        SeatView(
            name=eyes.names[seat],
            called=eyes.called[seat],
            kind=occupant.kind,
            bot=occupant.bot,
            bot_label=_label_of(occupant, eyes.words),
            mine=seat in eyes.mine,
            online=here[seat],
            removable=occupant.guest not in ("", shared.header.owner),
            to_move=seat in sight.movers,
            score=sight.scores[seat],
            rank=sight.ranks[seat],
        )
        for seat, occupant in enumerate(shared.seats)
    ]


def _label_of(occupant: Occupant, words: Words) -> str:
    """What kind of bot plays there; and for whom it stepped in."""
    label = name_bot(occupant.bot, words) if occupant.bot else ""
    if not occupant.instead:
        return label
    return words.say("{bot}, because {other} could not go on", bot=label, other=occupant.instead)


def _needs_curtain(sight: Sight, mine: list[int]) -> bool:
    """Whether the people on one screen must look away from each other's secrets."""
    if len(mine) < 2 or not any(seat in sight.movers for seat in mine):
        return False
    return len({sight.seen_by(seat) for seat in mine}) > 1


def _last(eyes: _Eyes, seat: int, now: Shown) -> Last | None:
    """Nothing if something was drawn after it."""
    entries = eyes.shared.table.entries
    if not entries or entries[-1].seat == CHANCE:
        return None
    known = eyes.show(len(entries) - 1, seat).sprites
    return Last(entries[-1].seat + 1, [sprite for sprite in now.scene.sprites if sprite not in known])


def _mover(shared: SharedTable, ply: int) -> int:
    entries = shared.table.entries
    return next((entries[at].seat + 1 for at in range(ply - 1, -1, -1) if entries[at].seat != CHANCE), 0)


def _glimpse(shared: SharedTable, ply: int, seat: int, viewer: Viewer) -> Glimpse | None:
    """Of the entry before a ply, as the seat saw it."""
    table = shared.table
    if table.game.glimpse is None or not ply or table.entries[ply - 1].seat == CHANCE:
        return None
    before, (mover, move) = shared.sights.at(ply - 1).seen_by(seat), table.entries[ply - 1]
    return table.game.glimpse(read_state(before, table.game.state), mover, move, viewer.shape)


def _undo(shared: SharedTable, guest: str) -> Undo:
    last, asked = None if shared.closed is not None else last_move(shared, guest), shared.asked
    free = last is not None and last.free
    possible = free or (last is not None and bool(shared.other_guests(guest)))
    asker = 0 if asked is None else asked + 1
    return Undo(
        possible, free, asker, may_answer(shared, guest), alone=not shared.is_among_people and not shared.deal
    )


def _result(eyes: _Eyes, sight: Sight) -> Result:
    game, state, words = eyes.shared.table.game, eyes.shared.table.state, eyes.words
    return Result(
        sources=[Source(*each) for each in game.tally(state, words)],
        scores=sight.scores,
        ranks=sight.ranks,
        verdict=game.verdict(state, words),
        hindsight=game.hindsight is not None,
        review=can_review(game, calibration_of(game, int(state["seats"]))),
        challenge=can_challenge(eyes.shared, eyes.viewer.guest),
    )
