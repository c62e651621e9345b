"""Errors as `application/problem+json`, each with a sentence for the person who meets it."""

import logging
from http import HTTPStatus
from typing import Any

import msgspec
from litestar import Request, Response
from litestar.exceptions import HTTPException, ValidationException

from mozaika.moves import IllegalMove, MoveError
from mozaika.server.guests import read_guest
from mozaika.store import StoreError
from mozaika.table.commands import REUSED, Reused
from mozaika.table.outdated import DAMAGED, OUTDATED, Damaged, Outdated
from mozaika.table.pool import Overworked
from mozaika.table.refusals import NotAllowed, NotNow, NotThere, Stale
from mozaika.words import Translatable, Words, later, say_error

NO_PAGE = later("There is nothing at this address.")
UNEXPECTED = later("The request is not what this address expects.")
NO_TOKEN = later("A token has 20 to 40 letters, digits, - or _.")
PLAIN = {
    404: NO_PAGE,
    405: later("This address does not take such a request."),
    413: later("The request is too large."),
}
"""What the framework says in English only."""

log = logging.getLogger("mozaika")


class Problem(Exception):
    """An answer that is no success."""

    def __init__(self, status: int, detail: str, headers: dict[str, str] | None = None) -> None:
        super().__init__(detail)
        self.status, self.headers = status, headers


def problem_bytes(status: int, detail: str, **more: Any) -> bytes:
    title = HTTPStatus(status).phrase
    return msgspec.json.encode(
        {"type": "about:blank", "title": title, "status": status, "detail": detail, **more}
    )


def answer_problem(request: "Request[Any, Any, Any]", error: Exception) -> Response[bytes]:
    """The answer for any error that a handler raised, in the language of whoever asked."""
    status, detail, more = explain(error, Words(read_guest(request).lang))
    headers = dict(error.headers or {}) if isinstance(error, HTTPException | Problem) else {}
    if status == HTTPStatus.SERVICE_UNAVAILABLE:
        headers.setdefault("Retry-After", "2")
    body = problem_bytes(status, detail, **more)
    return Response(body, status_code=status, media_type="application/problem+json", headers=headers)


def explain(error: Exception, words: Words) -> tuple[int, str, dict[str, Any]]:
    """The status of an error, its sentence, and what else a program may want to know."""
    status, detail, more = _explain(error)
    said = say_error(error, words) if type(error) is ValueError or isinstance(error, Translatable) else ""
    return status, said or words.translate(detail), more


def _explain(error: Exception) -> tuple[int, str, dict[str, Any]]:  # noqa: C901  one case for each kind of error
    match error:
        case Problem():
            return error.status, str(error), {}
        case IllegalMove():
            return 422, str(error), {"rule": error.rule}
        case MoveError():
            return 422, str(error), {}
        case Stale():
            return 409, str(error), {"seq": error.seq}
        case NotAllowed():
            return 403, str(error), {}
        case NotNow():
            return 409, str(error), {}
        case NotThere():
            return 404, str(error), {}
        case Outdated():
            return 409, OUTDATED, {}
        case Damaged():
            return 500, DAMAGED, {}
        case Reused():
            return 422, REUSED, {}
        case Overworked():
            return 503, str(error), {}
        case StoreError():
            return 503, later("The games cannot be kept at the moment; try again."), {}
        case ValidationException():
            return 400, UNEXPECTED, {"errors": _validation(error)}
        case HTTPException(status_code=400):
            return 400, UNEXPECTED, {"errors": [error.detail]}
        case HTTPException():
            return error.status_code, PLAIN.get(error.status_code, error.detail), {}
        case RecursionError():
            return 400, later("The request is nested too deeply."), {}
        case ValueError():
            return 422, str(error), {}
    log.error("a request failed", exc_info=error)
    return 500, later("Something went wrong here; it has been noted."), {}


def _validation(error: ValidationException) -> list[str]:
    """What the framework says in English only, for whoever writes programs."""
    found = [each for each in (error.extra or []) if isinstance(each, dict) and "key" in each]
    return [f"{each['key']}: {each['message']}" for each in found] or [error.detail]
