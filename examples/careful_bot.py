"""A whole bot for Mozaika: it plays any move, but none that sends tiles to the floor if it can help it.

Try it: mozaika arena azul --bots "exec:python examples/careful_bot.py,random" --games 20
"""

import random
import sys


def choose(request: dict[str, list[str]]) -> str:
    """The position and all else is in the request; this bot looks at the moves only."""
    moves = request["legal"]
    good = [move for move in moves if "floor" not in move]
    return random.Random(request["random"][0]).choice(good or moves)


request: dict[str, list[str]] = {}
for line in sys.stdin:
    word, _, rest = line.strip().partition(" ")
    if word == "mozaika":
        print("mozaika 1 careful", flush=True)
    elif word == "go":
        print("play", choose(request), flush=True)
        request = {}
    elif word == "quit":
        break
    else:
        request.setdefault(word, []).append(rest)
