"""Azul for two on the coloured wall: facts about each move, for nets that rate moves."""

from typing import Any

import numpy as np

from mozaika.features import Facts
from mozaika.kernel import kernel

NAMES = (
    *(
        "tiles",
        "too_many",
        "marker",
        "from_centre",
        "costs",
        "round",
        "to_centre",
        "same_color",
        "other_gains",
    ),
    *(f"line{row}" for row in range(1, 6)),
    *("fills", "missing", "points_now", "points_later", "line_fill", "column", "row", "color"),
)
COSTS = np.array([0, 1, 2, 4, 6, 8, 11, 14], np.float32)  # of so many tiles on the floor
TABLE, BOARD = 64, 84  # where boards begin in an observation; their size
GREY = 62  # in an observation: whether the wall is grey
LINE, COLORS, WALL, FLOOR = 5, 30, 55, 80  # in a board: colours of lines, of rows, spaces, the floor


@kernel
def worth(wall: Any, row: int, column: int) -> float:
    """The points of a tile on a wall of zeros and ones."""
    points = 0.0
    for down, right in ((0, 1), (1, 0)):
        run = 1
        for step in (1, -1):
            y, x = row + step * down, column + step * right
            while 0 <= y < 5 and 0 <= x < 5 and wall[y, x] > 0:
                run, y, x = run + 1, y + step * down, x + step * right
        points += run if run > 1 else 0
    return max(1.0, points)


@kernel
def end_round(board: Any, wall: Any) -> float:
    """The wall after this round; and what the round brings, if it ends now."""
    points = -float(COSTS[round(board[FLOOR] * 7)])
    wall[:] = board[WALL:FLOOR].reshape(5, 5)
    for row in range(5):
        for color in range(5):
            if board[row] == 1.0 and board[LINE + 5 * row + color] > 0:
                points += worth(wall, row, (row + color) % 5)
                wall[row, (row + color) % 5] = 1.0
    return points


@kernel
def room(board: Any, row: int, color: int) -> int:
    """How many tiles of a colour a line takes."""
    if board[row] == 0.0:
        return 0 if board[COLORS + 5 * row + color] > 0 else row + 1
    return round((1.0 - board[row]) * (row + 1)) if board[LINE + 5 * row + color] > 0 else 0


@kernel
def list_moves(seen: Any, moves: Any, facts: Any, ends: Any, sight: Any) -> int:
    """The moves of each game one after the other, facts about each, and how many points one is ahead."""
    n, walls = 0, np.zeros((2, 5, 5), np.float32)
    for game in range(len(seen)):
        if seen[game, GREY] > 0:
            ends[game + 1] = n
            continue
        table, mine, other = seen[game], seen[game, TABLE : TABLE + BOARD], seen[game, TABLE + BOARD :]
        sight[game] = end_round(mine, walls[0]) - end_round(other, walls[1])
        fallen = round(mine[FLOOR] * 7)
        for move in range(180):
            source, color, row = move // 30, move // 6 % 5, move % 6 - 1
            tiles, fits = round(table[move // 6] * 4), room(mine, row, color) if row >= 0 else 0
            if tiles == 0 or (row >= 0 and fits == 0):
                continue
            marker, over, fact = source == 0 and table[60] > 0, max(0, tiles - fits), facts[n]
            fact[:] = 0.0
            fact[0], fact[1], fact[2], fact[3] = tiles * 0.25, over * 0.25, marker, source == 0
            fact[4] = (COSTS[min(7, fallen + over + marker)] - COSTS[fallen]) * 0.2
            fact[5] = table[61] * 2  # the round
            for each in range(5):  # what goes to the centre, what is left of it, what the other could do
                fact[6] += table[5 * source + each] * (each != color)
                fact[7] += table[5 * each + color] * 0.5
                wanted = room(other, each, color)
                if 0 < wanted <= tiles:
                    gain = worth(walls[1], each, (each + color) % 5) - COSTS[min(7, tiles - wanted)]
                    fact[8] = max(fact[8], gain * 0.25)
            if row >= 0:
                column, whole = (row + color) % 5, tiles >= fits
                fact[9 + row], fact[14], fact[15] = 1.0, whole, max(0, fits - tiles) * 0.5
                fact[16 if whole else 17] = worth(walls[0], row, column) * 0.25
                fact[18] = mine[row]
                for each in range(5):  # for the bonus of a column, a row, a colour
                    fact[19] += walls[0, each, column] * 0.25
                    fact[20] += walls[0, row, each] * 0.25
                    fact[21] += mine[COLORS + 5 * each + color] * 0.25
            moves[n] = move
            n += 1
        ends[game + 1] = n
    return n


FACTS = Facts(names=NAMES, seats=(2,), most_moves=180, tell=list_moves)
