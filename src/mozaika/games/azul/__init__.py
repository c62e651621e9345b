"""Azul, for 2 to 4 players, with the coloured and the grey wall."""

from pathlib import Path

from mozaika.game import Game
from mozaika.games.azul import (
    advice,
    bot,
    features,
    notation,
    picture,
    pieces,
    refusals,
    rules,
    sketch,
    stages,
    tell,
    walks,
)
from mozaika.judgement import Judgement
from mozaika.search.simple import greedy, random_mover

GAME = Game(
    id="azul",
    name="Azul",
    version=1,
    sentence=tell.SENTENCE,
    seats=pieces.SEATS,
    options=pieces.AzulOptions,
    labels=tell.LABELS,
    letters=dict(zip(pieces.LETTERS, tell.COLOR_NAMES, strict=False)),
    scoring=("AZ-P1", "AZ-P2", "AZ-W3", "AZ-E2"),
    variants=({"wall": "coloured"}, {"wall": "grey"}),
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
    why_not=refusals.why_not,
    refusals=tell.REFUSALS,
    write_move=notation.write_move,
    parse_move=notation.parse_move,
    write_position=notation.write_position,
    parse_position=notation.parse_position,
    tell=tell.tell,
    suggest=advice.suggest,
    tally=tell.tally,
    sketch=sketch.sketch,
    scene=picture.scene,
    move_along=walks.move_along,
    boxes=picture.boxes,
    stages=stages.STAGES,
    features=features.FEATURES,
    judgement=Judgement(
        appraise=bot.appraise,
        rate=bot.rate,
        promise=bot.promise,
        net=bot.NET,
    ),
    bots={"random": random_mover, "greedy": greedy, **bot.LEVELS},
    folder=Path(__file__).parent,
)
