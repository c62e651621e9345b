"""The API: moves by POST, news by server-sent events. The pages and bots of other people use the same.

Each handler only translates: a request in, one call of the table, an answer out.
"""

from litestar import Router

from mozaika.server.api import advice, draws, pictures, play, records, seats, stream, tables

api = Router(
    "/",
    route_handlers=[
        *tables.HANDLERS,
        *play.HANDLERS,
        *seats.HANDLERS,
        *advice.HANDLERS,
        *draws.HANDLERS,
        *pictures.HANDLERS,
        *records.HANDLERS,
        *stream.HANDLERS,
    ],
    tags=["table"],
)
