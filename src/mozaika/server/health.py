"""For operators: is the process alive, is it ready, what is it doing."""

from litestar import MediaType, Response, Router, get

from mozaika.store import StoreError
from mozaika.table.hall import Hall


@get("/livez", media_type=MediaType.TEXT)
async def livez() -> str:
    return "alive\n"


@get("/readyz", media_type=MediaType.TEXT)
async def readyz(hall: Hall) -> Response[str]:
    try:
        await hall.store.check()
    except StoreError as error:
        return Response(f"not ready: {error}\n", status_code=503, media_type=MediaType.TEXT)
    return Response("ready\n", media_type=MediaType.TEXT)


@get("/metrics", media_type=MediaType.TEXT)
async def metrics(hall: Hall) -> str:
    """Numbers in Prometheus' text form, without ids of games or people."""
    numbers = {
        "mozaika_tables": ("gauge", "Tables in memory.", len(hall.tables)),
        "mozaika_streams": (
            "gauge",
            "Open event streams.",
            sum(len(t.watchers) for t in hall.tables.values()),
        ),
        "mozaika_bots_thinking": ("gauge", "Bots that are thinking.", hall.bots.thinking),
        "mozaika_moves_total": ("counter", "Moves accepted.", hall.moves),
        "mozaika_tables_founded_total": ("counter", "Tables opened.", hall.created),
    }
    lines = []
    for name, (kind, text, number) in numbers.items():
        lines += [f"# HELP {name} {text}", f"# TYPE {name} {kind}", f"{name} {number}"]
    return "\n".join(lines) + "\n"


health = Router("/", route_handlers=[livez, readyz, metrics], include_in_schema=False)
