"""MaskablePPO of sb3-contrib on one seat against a bot; the mask comes from `action_masks()`.

Needs torch and sb3-contrib: pip install sb3-contrib
Try it: python examples/maskable_ppo.py azul greedy --steps 20000
"""

import argparse

from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy

from mozaika.doors.gymnasium import TableEnv


def new_learner(game: str, opponent: str, roll: int) -> MaskablePPO:
    """One that has learnt nothing yet; the same each time."""
    env = TableEnv(game, opponents=opponent)
    return MaskablePPO("MultiInputPolicy", env, n_steps=roll, batch_size=128, seed=1, verbose=0)


def main() -> MaskablePPO:
    """Learn a little, and say what a game brings now."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("opponent", nargs="?", default="random")
    parser.add_argument("--steps", type=int, default=20_000)
    parser.add_argument("--roll", type=int, default=512, help="steps between two updates")
    parser.add_argument("--games", type=int, default=20, help="how many are played in the end")
    given = parser.parse_args()
    learner = new_learner(given.game, given.opponent, given.roll)
    learner.learn(given.steps)
    mean, spread = evaluate_policy(learner, learner.get_env(), n_eval_episodes=given.games, warn=False)
    print(f"after {learner.num_timesteps} steps: {mean:+.2f} a game (±{spread:.2f}) against {given.opponent}")
    return learner


if __name__ == "__main__":
    main()
