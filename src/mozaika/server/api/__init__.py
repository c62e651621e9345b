"""The API: moves by POST, news by server-sent events. The pages and bots of other people use the same.

Each handler only translates: a request in, one call of the table, an answer out.
"""

from litestar import Router

from mozaika.server.api import (
    advice,
    deals,
    draws,
    pictures,
    play,
    points,
    records,
    reviews,
    seats,
    stream,
    tables,
    turns,
)

api = Router(
    "/",
    route_handlers=[
        *tables.HANDLERS,
        *play.HANDLERS,
        *points.HANDLERS,
        *seats.HANDLERS,
        *advice.HANDLERS,
        *deals.HANDLERS,
        *draws.HANDLERS,
        *pictures.HANDLERS,
        *records.HANDLERS,
        *reviews.HANDLERS,
        *stream.HANDLERS,
        *turns.HANDLERS,
    ],
    tags=["table"],
)
