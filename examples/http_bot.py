"""A bot that plays a whole game over HTTP, with nothing but the standard library.

Try it: mozaika serve --no-open, then: python examples/http_bot.py http://127.0.0.1:8000
"""

import json
import random
import secrets
import sys
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

SERVER, TOKEN = sys.argv[1].rstrip("/"), secrets.token_urlsafe(24)


def ask(path: str, body: object = None) -> Any:
    """A GET, or with a body a POST that is done once."""
    request = Request(SERVER + path, json.dumps(body).encode() if body else None)  # noqa: S310
    request.add_header("Authorization", f"Bearer {TOKEN}")
    request.add_header("Content-Type", "application/json")
    request.add_header("Idempotency-Key", secrets.token_hex(16))
    try:
        return urlopen(request)  # noqa: S310
    except HTTPError as error:
        if error.code == 409:  # something else has happened: if it is still our turn, it comes again
            return error
        raise


seats = [{"kind": "me", "name": "A program"}, {"kind": "bot", "bot": "greedy"}]
table = f"/api/games/{json.load(ask('/api/games', {'game': 'azul', 'seats': seats}))['id']}"
for line in ask(f"{table}/turns"):
    word, _, rest = line.decode().partition(": ")
    told = json.loads(rest) if word == "data" else {}
    if "legal" in told:
        move = random.choice([each for each in told["legal"] if "floor" not in each] or told["legal"])
        ask(f"{table}/moves", {"seq": told["seq"], "seat": told["seat"], "move": move}).close()
    elif "points" in told:
        print("points:", *told["points"])
