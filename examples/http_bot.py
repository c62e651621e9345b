"""A bot that plays a whole game over HTTP, with nothing but the standard library.

Try it: mozaika serve --no-open, then: python examples/http_bot.py http://127.0.0.1:8000
"""

import json
import random
import secrets
import sys
import urllib.request
from typing import Any

SERVER, TOKEN = sys.argv[1].rstrip("/"), secrets.token_urlsafe(24)


def ask(path: str, body: Any = None) -> Any:
    """A GET, or with a body a POST that is done once."""
    request = urllib.request.Request(SERVER + path, body and json.dumps(body).encode())  # noqa: S310
    request.add_header("Authorization", f"Bearer {TOKEN}")
    request.add_header("Content-Type", "application/json")
    request.add_header("Idempotency-Key", secrets.token_hex(16))
    return urllib.request.urlopen(request)  # noqa: S310


seats = [{"kind": "me", "name": "A program"}, {"kind": "bot", "bot": "greedy"}]
with ask("/api/games", {"game": "azul", "seats": seats}) as answer:
    table = f"/api/games/{json.load(answer)['id']}"

kind = ""
with ask(f"{table}/turns") as stream:
    for line in stream:
        word, _, rest = line.decode().strip().partition(": ")
        if word == "event":
            kind = rest
        elif word == "data" and kind == "turn":
            turn = json.loads(rest)
            move = random.choice([each for each in turn["legal"] if "floor" not in each] or turn["legal"])
            ask(f"{table}/moves", {"seq": turn["seq"], "seat": turn["seat"], "move": move}).close()
        elif word == "data" and kind == "over":
            print("points:", *json.loads(rest)["points"])
