"""Points: what made those of a line of the log."""

from typing import Annotated

from litestar import Response, get
from litestar.params import Parameter

from mozaika.server.api.fields import ShapeName, TableId, find_table
from mozaika.server.guests import Guest
from mozaika.server.views import Earned, Viewer, explain_points
from mozaika.table.hall import Hall


@get("/api/games/{table:str}/points", summary="What made the points of a line of the log")
async def see_points(
    table: TableId,
    guest: Guest,
    hall: Hall,
    ply: Annotated[int, Parameter(ge=0, le=100_000, description="The ply of the line.")],
    line: Annotated[int, Parameter(ge=0, le=999, description="Which line of this ply, counted from 0.")],
    shape: ShapeName = "wide",
) -> Response[Earned]:
    shared = await find_table(hall, table, guest)
    viewer = Viewer(guest.id, False, guest.lang, shape)
    return Response(explain_points(shared, viewer, ply, line), cookies=guest.cookies)


HANDLERS = (see_points,)
