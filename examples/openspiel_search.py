"""OpenSpiel's own searches play our bots: MCTS where all is open, else information-set MCTS.

Try it: python examples/openspiel_search.py azul greedy --games 4 --simulations 200
        python examples/openspiel_search.py azul_duel random --games 2 --simulations 50
"""

import argparse
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.algorithms import ismcts, mcts

import mozaika
import mozaika.doors.openspiel  # it registers the games
from mozaika.kernel import new_random


def new_search(game: Any, simulations: int, random: Any) -> Any:
    """The search that fits what a game hides."""
    evaluator = mcts.RandomRolloutEvaluator(1, random)
    if game.get_type().information == pyspiel.GameType.Information.PERFECT_INFORMATION:
        return mcts.MCTSBot(game, 1.4, simulations, evaluator, random_state=random)
    return ismcts.ISMCTSBot(
        game=game, uct_c=1.4, max_simulations=simulations, evaluator=evaluator, random_state=random
    )


def ask_ours(state: Any, bot: str, seat: int, seed: int) -> list[int]:
    """The choices of a whole move of one of our bots, which sees what its seat may know."""
    ours, stages = state.table.game, state.table.game.stages
    thought = ours.bots[bot](ours, ours.hide(state.at.state, seat), seat, new_random(seed), None)
    return list(stages.split_move(thought.move))


def play(game: Any, search: Any, bot: str, seat: int, random: Any) -> list[float]:
    """One game, the search on a seat; returns what each seat has of it."""
    state = game.new_initial_state()
    while not state.is_terminal():
        player = state.current_player()
        if state.is_chance_node():
            outcomes, weights = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(int(random.choice(outcomes, p=weights)))
        elif player == seat:
            state.apply_action(search.step(state))
        else:
            for choice in ask_ours(state, bot, player, int(random.randint(2**31))):
                if choice in state.legal_actions():  # a choice that was the only one is made already
                    state.apply_action(choice)
                if state.current_player() != player:
                    break
    return [float(each) for each in state.returns()]


def main() -> None:
    """Play some games, and say who won."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("game", choices=list(mozaika.GAMES))
    parser.add_argument("bot", help="one of our bots")
    parser.add_argument("--games", type=int, default=4)
    parser.add_argument("--simulations", type=int, default=200)
    given = parser.parse_args()
    game = pyspiel.load_game(f"mozaika_{given.game}", {"players": 2})
    random, won = np.random.RandomState(1), 0.0
    for number in range(given.games):
        seat = number % 2
        search = new_search(game, given.simulations, random)
        returns = play(game, search, given.bot, seat, random)
        won += (returns[seat] + 1) / 2
        print(
            f"game {number + 1}: {type(search).__name__} on seat {seat + 1} has {returns[seat]:+.0f}",
            flush=True,
        )
    print(f"{won:g} of {given.games} games won against {given.bot}")


if __name__ == "__main__":
    main()
