"""MaskablePPO of sb3-contrib on one seat against a bot; the mask comes from `action_masks()`.

Needs torch and sb3-contrib: pip install sb3-contrib
Try it: python examples/maskable_ppo.py azul greedy --steps 20000
"""

import argparse

from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy

from mozaika.doors.gymnasium import TableEnv


def main() -> None:
    """Learn a little, and say what a game brings now."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("opponent", nargs="?", default="random")
    parser.add_argument("--steps", type=int, default=20_000)
    parser.add_argument("--roll", type=int, default=512, help="steps between two updates")
    parser.add_argument("--games", type=int, default=20, help="how many are played in the end")
    given = parser.parse_args()
    env = TableEnv(given.game, opponents=given.opponent)
    learner = MaskablePPO("MultiInputPolicy", env, n_steps=given.roll, batch_size=128, seed=1, verbose=0)
    learner.learn(given.steps)
    mean, spread = evaluate_policy(learner, env, n_eval_episodes=given.games, warn=False)
    print(f"after {given.steps} steps: {mean:+.2f} a game (±{spread:.2f}) against {given.opponent}")


if __name__ == "__main__":
    main()
