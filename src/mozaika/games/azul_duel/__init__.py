"""Azul Duel, for two players."""

from pathlib import Path

from mozaika.game import Game
from mozaika.games.azul_duel import (
    appraisal,
    bot,
    knowledge,
    notation,
    picture,
    pieces,
    positions,
    reading,
    refusals,
    rules,
    setup,
    sketch,
    stages,
    tell,
    walks,
)
from mozaika.judgement import Judgement
from mozaika.search.simple import greedy, random_mover

GAME = Game(
    id="azul_duel",
    name="Azul Duel",
    version=1,
    sentence=tell.SENTENCE,
    seats=pieces.SEATS,
    options=pieces.DuelOptions,
    labels=tell.LABELS,
    variants=({"objectives": "3"}, {"objectives": "4"}, {"objectives": "first_game"}),
    state=pieces.STATE,
    most_moves=pieces.MOST_MOVES,
    new=setup.new,
    options_of=setup.options_of,
    movers=rules.movers,
    legal=rules.legal,
    weigh=rules.weigh,
    apply=rules.apply,
    scores=rules.scores,
    ranks=rules.ranks,
    why_not=refusals.why_not,
    refusals=tell.REFUSALS,
    hide=knowledge.hide,
    guess=knowledge.guess,
    write_move=notation.write_move,
    parse_move=notation.parse_move,
    write_position=positions.write_position,
    parse_position=reading.parse_position,
    tell=tell.tell,
    tally=tell.tally,
    sketch=sketch.sketch,
    scene=picture.scene,
    move_along=walks.move_along,
    stages=stages.STAGES,
    judgement=Judgement(
        appraise=appraisal.appraise,
        rate=bot.rate,
        promise=bot.promise,
        net=appraisal.NET,
    ),
    bots={"random": random_mover, "greedy": greedy, **bot.LEVELS},
    folder=Path(__file__).parent,
)
