"""Every kind of game that has stages and features."""

from mozaika import GAMES

KINDS = [
    (game.id, seats, dict(variant))
    for game in GAMES.values()
    if game.stages and game.features
    for seats, variant in game.kinds()
]
NAMES = ["-".join([name, str(seats), *map(str, variant.values())])[:60] for name, seats, variant in KINDS]
SEVERAL = [kind for kind in KINDS if kind[1] > 1]
