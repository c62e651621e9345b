"""The pages: home, a table, the rules, verifying a record."""

import gzip
import html
from collections.abc import Mapping
from functools import cached_property, lru_cache, partial
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urlencode

import msgspec
from litestar import Litestar, Request, Response, Router, get
from litestar.exceptions import ValidationException
from litestar.params import Parameter
from litestar.plugins.jinja import JinjaTemplateEngine
from litestar.response import Template

import mozaika.web
from mozaika.game import Game
from mozaika.games import find_game
from mozaika.rulebook import contents, pick_rules, write_html
from mozaika.scene import cut
from mozaika.server.api.fields import TableId, find_table, shelf_game
from mozaika.server.facts import facts_of
from mozaika.server.guests import Guest, cookie_name, read_guest
from mozaika.server.practice import daily_page, deal_page, practice_page, puzzles_page
from mozaika.server.previews import preview_home, preview_page, preview_review, preview_table
from mozaika.server.problems import NO_PAGE, Problem, answer_problem, explain
from mozaika.server.rendering import TEMPLATES, context_of, render
from mozaika.server.schema import describe_fields, name_content, name_kind
from mozaika.state import WATCHER
from mozaika.table.attempts import NotPlayed
from mozaika.table.hall import Hall
from mozaika.table.outdated import Outdated
from mozaika.words import Words, later

LESSONS = later(
    "A first game, step by step: the table says what to do and why. It takes about three minutes, and "
    "you can leave it and go on later."
)
PROOFS = later(
    "Every game shows fingerprints before its draws, and what is behind them at the end. Give the "
    "record of a finished game: this browser checks fingerprints, contributions and draws by itself; "
    "then the server plays every move and every draw again."
)
STATIC = Path(mozaika.web.__file__).parent / "static"


@get("/", include_in_schema=False)
async def home(request: "Request[Any, Any, Any]", guest: Guest) -> Template:
    return render("home.html", guest, share=preview_home(request, guest))


@get("/t/{table:str}", include_in_schema=False)
async def table_page(request: "Request[Any, Any, Any]", table: TableId, guest: Guest, hall: Hall) -> Template:
    shared = await find_table(hall, table, guest)
    game = shared.table.game
    facts = next(each for each in facts_of(guest.lang, guest.root) if each.id == game.id)
    return render(
        "table.html",
        guest,
        words=game.words(guest.lang),
        table_id=table,
        game=msgspec.to_builtins(facts),
        share=preview_table(request, guest, shared),
    )


@get("/t/{table:str}/review", include_in_schema=False)
async def review_page(
    request: "Request[Any, Any, Any]", table: TableId, guest: Guest, hall: Hall
) -> Template:
    shared = await find_table(hall, table, guest)
    game = shared.table.game
    facts = next(each for each in facts_of(guest.lang, guest.root) if each.id == game.id)
    return render(
        "review.html",
        guest,
        words=game.words(guest.lang),
        table_id=table,
        game=msgspec.to_builtins(facts),
        share=preview_review(request, guest, shared),
    )


@get("/rules/{name:str}", include_in_schema=False)
async def rules_page(
    request: "Request[Any, Any, Any]",
    name: Annotated[str, Parameter(max_length=40)],
    guest: Guest,
    hall: Hall,
) -> Template:
    game = shelf_game(name)
    facts = next(each for each in facts_of(guest.lang, guest.root) if each.id == game.id)
    book = await hall.readers.ask(guest.address, _read_rulebook, game, guest.lang, guest.root)
    return render(
        "rules.html",
        guest,
        words=game.words(guest.lang),
        game=msgspec.to_builtins(facts),
        rulebook_html=book,
        contents=contents(game.rulebook(guest.lang)),
        share=preview_page(request, guest, f"/rules/{game.id}", "Rules", game.sentence, game),
    )


@get("/learn/{name:str}", include_in_schema=False)
async def learn_page(
    request: "Request[Any, Any, Any]", name: Annotated[str, Parameter(max_length=40)], guest: Guest
) -> Template:
    game = shelf_game(name)
    facts = next(each for each in facts_of(guest.lang, guest.root) if each.id == game.id)
    return render(
        "learn.html",
        guest,
        words=game.words(guest.lang),
        game=msgspec.to_builtins(facts),
        share=preview_page(request, guest, f"/learn/{game.id}", "Learn it here", LESSONS, game),
    )


@get("/scoring/{name:str}", include_in_schema=False, media_type="text/html")
async def scoring_card(
    name: Annotated[str, Parameter(max_length=40)], guest: Guest, hall: Hall
) -> Response[str]:
    """How points are made: a part of a page, to be shown beside the table."""
    card = await hall.readers.ask(guest.address, _read_scoring, shelf_game(name), guest.lang, guest.root)
    return Response(card, media_type="text/html", cookies=guest.cookies)


def _read_scoring(game: Game, lang: str, root: str) -> str:
    return write_html(pick_rules(game.rulebook(lang), game.scoring), partial(_figure, root))


def _read_rulebook(game: Game, lang: str, root: str) -> str:
    return write_html(game.rulebook(lang), partial(_figure, root))


@get("/api", include_in_schema=False)
async def api_page(request: "Request[Any, Any, Any]", guest: Guest, hall: Hall) -> Response[bytes]:
    asked = (request.app, guest.lang, guest.root)
    page = _api_pages.get(asked)
    if page is None:
        page = await hall.readers.ask(guest.address, _render_api, *asked)
    return _answer_kept(request, page, "text/html", cookies=guest.cookies)


_api_pages: "dict[tuple[Litestar, str, str], Kept]" = {}


def _render_api(app: Litestar, lang: str, root: str) -> "Kept":
    """Long, and the same for everybody, so it is kept."""
    document = describe_fields(app.openapi_schema.to_schema())
    context = context_of(
        *(lang, root),
        status=200,
        paths=document["paths"],
        forms=document["components"]["schemas"],
        name_kind=name_kind,
        name_content=name_content,
        cookies=(cookie_name(secure=False, root=root), cookie_name(secure=True, root=root)),
    )
    page = JinjaTemplateEngine(directory=TEMPLATES).get_template("api.html").render(**context)
    kept = _api_pages[app, lang, root] = Kept(str(page).encode())
    return kept


def answer_error(request: "Request[Any, Any, Any]", error: Exception) -> Response[Any]:
    """A page for people, and problem+json for programs."""
    reads_pages = "text/html" in request.headers.get("accept", "")
    if not reads_pages or request.url.path.startswith("/api/"):
        return answer_problem(request, error)
    guest = read_guest(request)
    # whoever reads pages has asked for no field: what does not fit is the address
    shown = Problem(404, NO_PAGE) if isinstance(error, ValidationException) else error
    status, sentence, _ = explain(shown, Words(guest.lang))
    record = f"{guest.root}/api/games/{error.header.id}/record" if isinstance(error, Outdated) else ""
    deal = f"{guest.root}/deal/{error.deal}" if isinstance(error, NotPlayed) else ""
    return render("error.html", guest, status=status, detail=sentence, record=record, deal=deal)


@get("/verify", include_in_schema=False)
async def verify_page(request: "Request[Any, Any, Any]", guest: Guest) -> Template:
    return render(
        "verify.html", guest, share=preview_page(request, guest, "/verify", "Verify a game", PROOFS)
    )


@get("/static/{path:path}", include_in_schema=False)
async def static_file(request: "Request[Any, Any, Any]", path: Path) -> Response[bytes]:
    """A file of our own list only, so that no path leads outside."""
    found = _static_files().get(path.as_posix().lstrip("/"))
    if found is None:
        raise Problem(404, later("There is no such file."))
    changed = found.stat().st_mtime_ns
    tag = f'"{changed:x}"'
    headers = {"Cache-Control": "no-cache", "ETag": tag}
    if request.headers.get("if-none-match", "").removeprefix("W/") == tag:
        return Response(b"", status_code=304, headers=headers)
    return _answer_kept(request, _read_static(found, changed), KINDS[found.suffix], headers=headers)


class Kept:
    """What many ask for: its bytes, compressed once."""

    def __init__(self, plain: bytes) -> None:
        self.plain = plain

    @cached_property
    def zipped(self) -> bytes:
        return gzip.compress(self.plain, mtime=0)


def _answer_kept(
    request: "Request[Any, Any, Any]",
    kept: Kept,
    kind: str,
    headers: Mapping[str, str] | None = None,
    **more: Any,
) -> Response[bytes]:
    zips = "gzip" in request.headers.get("accept-encoding", "")
    said = {**(headers or {}), "Vary": "Accept-Encoding", **({"Content-Encoding": "gzip"} if zips else {})}
    return Response(kept.zipped if zips else kept.plain, media_type=kind, headers=said, **more)


@lru_cache
def _read_static(path: Path, _changed: int) -> Kept:
    return Kept(path.read_bytes())


KINDS = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}


@lru_cache
def _static_files() -> dict[str, Path]:
    return {path.relative_to(STATIC).as_posix(): path for path in STATIC.rglob("*") if path.suffix in KINDS}


def _figure(root: str, caption: str, position: str, part: str) -> str:
    """A position of the game, or what matters of it, drawn by the same code as the table."""
    source = f"{root}/api/position.svg?{urlencode({'position': position, 'part': part})}"
    caption, (width, height) = html.escape(caption), _size(position, part)
    return (
        f'<figure><img src="{html.escape(source)}" alt="" loading="lazy" width="{width}" height="{height}">'
        f"<figcaption>{caption}</figcaption></figure>"
    )


@lru_cache(maxsize=256)
def _size(position: str, part: str) -> tuple[int, int]:
    """How large a position is drawn, so that the page does not jump when it comes."""
    game = find_game(position.split(maxsplit=1)[0])
    view = game.hide(game.parse_position(position), WATCHER)
    scene = game.scene(view, WATCHER, ("",) * int(view["seats"]), game.words(), "wide")
    _, _, width, height = cut(scene, part)
    return round(width), round(height)


pages = Router(
    "/",
    route_handlers=[
        home,
        table_page,
        review_page,
        rules_page,
        learn_page,
        practice_page,
        puzzles_page,
        daily_page,
        deal_page,
        scoring_card,
        verify_page,
        api_page,
        static_file,
    ],
    include_in_schema=False,
)
