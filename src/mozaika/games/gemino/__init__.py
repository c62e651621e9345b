"""GEMINO, for 2 to 4 players: two boards, one colour."""

from pathlib import Path

from mozaika.game import Game
from mozaika.games.gemino import bot, notation, picture, pieces, rules, sketch, stages, tell, walks
from mozaika.judgement import Judgement
from mozaika.search.simple import greedy, random_mover

GAME = Game(
    id="gemino",
    name="GEMINO",
    version=1,
    sentence=tell.SENTENCE,
    seats=pieces.SEATS,
    options=pieces.GeminoOptions,
    labels=tell.LABELS,
    hints=tell.HINTS,
    unsaid=("leave",),
    variants=(
        {"board1": "A", "board2": "A"},
        {"board1": "random", "board2": "own", "own": "RVBGYO/VBGYOR/BGYORV/GYORVB/YORVBG/ORVBGY"},
        {"board1": "A", "board2": "A", "leave": "four"},
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
    tally=tell.tally,
    sketch=sketch.sketch,
    scene=picture.scene,
    move_along=walks.move_along,
    walks_from=walks.walks_from,
    spots_of=walks.spots_of,
    stages=stages.STAGES,
    allows=rules.allows,
    judgement=Judgement(
        appraise=bot.appraise,
        rate=bot.rate,
        candidates=bot.candidates,
        promise=bot.promise,
        net=bot.NET,
    ),
    bots={"random": random_mover, "greedy": greedy, **bot.LEVELS},
    folder=Path(__file__).parent,
)
