"""For operators: is the process alive, is it ready, what is it doing."""

from typing import Any

from litestar import MediaType, Request, Response, Router, get
from litestar.datastructures import State

from mozaika.server.problems import NO_PAGE, Problem
from mozaika.store import StoreError
from mozaika.table.hall import Hall
from mozaika.words import later


@get("/livez", media_type=MediaType.TEXT)
async def livez() -> str:
    return "alive\n"


@get("/readyz", media_type=MediaType.TEXT)
async def readyz(hall: Hall, app_state: State) -> Response[str]:
    if app_state.get("leaving"):
        return Response("not ready: it is being stopped\n", status_code=503, media_type=MediaType.TEXT)
    try:
        await hall.store.check()
    except StoreError as error:
        return Response(f"not ready: {error}\n", status_code=503, media_type=MediaType.TEXT)
    return Response("ready\n", media_type=MediaType.TEXT)


@get("/metrics", media_type=MediaType.TEXT)
async def metrics(request: "Request[Any, Any, Any]", app_state: State) -> Response[bytes]:
    """Numbers for the operator, where they are switched on."""
    if app_state.numbers is None:
        raise Problem(404, NO_PAGE)
    if not app_state.numbers.may_be_read_by(request):
        raise Problem(403, later("These numbers are for whoever runs this server."))
    return Response(app_state.numbers.write(), media_type=app_state.numbers.form)


health = Router("/", route_handlers=[livez, readyz, metrics], include_in_schema=False)
