"""FITS, for 1 to 4 players who place at the same time, with boards of their own if they like."""

from pathlib import Path

from mozaika.game import Game
from mozaika.games.fits import (
    advice,
    bot,
    features,
    notation,
    painting,
    picture,
    pieces,
    rules,
    sketch,
    stages,
    tell,
    walks,
)
from mozaika.search.simple import random_mover

MIXED = ".....9/....../..a.../....../.-3..../....0./....../a...../....../...b../....../b....-9"
ROWS_TOO = "rows/1....1/....../....../....../....../....../....../....../....../....../....../2....2"

GAME = Game(
    id="fits",
    name="FITS",
    version=1,
    sentence=tell.SENTENCE,
    seats=pieces.SEATS,
    options=pieces.FitsOptions,
    labels=tell.LABELS,
    hints=tell.HINTS,
    drawings=painting.DRAWINGS,
    orders=painting.ORDERS,
    scoring=("FI-S1", "FI-S2", "FI-S3", "FI-S4", "FI-S5"),
    variants=(
        {"boards": "1234"},
        {"boards": "431", "order": "random"},
        {"boards": "B2A", "own": f"{MIXED}//{ROWS_TOO}"},
    ),
    state=pieces.STATE,
    most_moves=pieces.MOST_MOVES,
    new=rules.new,
    options_of=rules.options_of,
    movers=rules.movers,
    legal=rules.legal,
    weigh=rules.weigh,
    apply=rules.apply,
    scores=rules.scores,
    ranks=rules.ranks,
    why_not=rules.why_not,
    refusals=tell.REFUSALS,
    write_move=notation.write_move,
    parse_move=notation.parse_move,
    write_position=notation.write_position,
    parse_position=notation.parse_position,
    tell=tell.tell,
    suggest=advice.suggest,
    tally=tell.tally,
    verdict=tell.verdict,
    sketch=sketch.sketch,
    scene=picture.scene,
    move_along=walks.move_along,
    boxes=picture.boxes,
    stages=stages.STAGES,
    features=features.FEATURES,
    bots={
        "random": random_mover,
        "greedy": bot.greedy,
        "beginner": bot.beginner,
        "casual": bot.greedy,
        "club": bot.club,
        "expert": bot.expert,
        "champion": bot.champion,
    },
    hindsight=bot.hindsight,
    folder=Path(__file__).parent,
)
