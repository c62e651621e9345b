"""TorchRL over our PettingZoo door: its wrapper hands on masks, so that a policy chooses among open actions.

Needs torch and torchrl: pip install torchrl
Try it: python examples/torchrl_rollout.py azul --seats 2 --steps 200
"""

import argparse

import torch
from tensordict import TensorDictBase
from torchrl.envs.libs.pettingzoo import PettingZooWrapper

from mozaika.doors.pettingzoo import aec


def main() -> TensorDictBase:
    """Play some steps at random among open actions, and say what came of it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--steps", type=int, default=200)
    given = parser.parse_args()
    env = PettingZooWrapper(
        aec(given.game, given.seats), use_mask=True, group_map=None, categorical_actions=True
    )
    torch.manual_seed(1)
    env.set_seed(1)
    played = env.rollout(given.steps, break_when_any_done=False)
    print("groups:", ", ".join(env.group_map))
    print(f"{played.batch_size[0]} steps, {int(played['next', 'done'].sum())} games ended")
    return played


if __name__ == "__main__":
    main()
