"""How fast a batch of ours steps, beside pgx on the same core in the same run (pip install pgx; on the CPU).

Both play uniformly random legal actions in 1,024 games at once, with observation, mask, draws and new games
for those that have ended; they take turns, and what counts is CPU time. XLA is kept to one thread.

Try it: python examples/compare_pgx.py --game azul --env connect_four
"""

import argparse
import os
from collections.abc import Callable
from time import process_time
from typing import Any

ONE_THREAD = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"


def step_pgx(name: str, n: int) -> Callable[[], None]:
    """A step of all games of an environment of pgx."""
    import jax
    import jax.numpy as jnp
    import pgx
    from pgx.experimental import auto_reset

    env = pgx.make(name)
    step = auto_reset(env.step, env.init)

    def move(state: Any, key: Any) -> Any:
        key, chosen, drawn = jax.random.split(key, 3)
        logits = jnp.log(state.legal_action_mask.astype(jnp.float32))
        actions = jax.random.categorical(chosen, logits, axis=-1)
        state = jax.vmap(step)(state, actions, jax.random.split(drawn, n))
        return state, key

    compiled = jax.jit(move)
    held = [jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(1), n)), jax.random.PRNGKey(2)]

    def once() -> None:
        held[:] = compiled(*held)
        jax.block_until_ready(held[0].observation)

    return once


def step_ours(name: str, n: int) -> Callable[[], None]:
    """A step of all games of ours."""
    import mozaika

    games = mozaika.batch(name, 2, n, seed=1)
    return lambda: games.step(games.sample())


def main() -> None:
    """Take turns, and print steps a second of CPU time."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--game", default="azul")
    parser.add_argument("--env", default="connect_four")
    parser.add_argument("--n", type=int, default=1024)
    parser.add_argument("--rounds", type=int, default=10)
    given = parser.parse_args()
    os.environ.setdefault("XLA_FLAGS", ONE_THREAD)
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    runners = {f"mozaika {given.game}": step_ours(given.game, given.n)}
    try:
        runners[f"pgx {given.env}"] = step_pgx(given.env, given.n)
    except ImportError:
        print("pgx is not here (pip install pgx): only ours is measured.")
    best = dict.fromkeys(runners, 0.0)
    for _ in range(given.rounds + 1):  # the first round compiles
        for name, once in runners.items():
            once()
            begun = process_time()
            for _ in range(50):
                once()
            best[name] = max(best[name], 50 * given.n / (process_time() - begun))
    for name, speed in best.items():
        print(f"{name}: {speed / 1e6:.2f} million steps a second of CPU time")
    if len(best) == 2:
        ours, theirs = best.values()
        print(f"ratio {ours / theirs:.2f}")


if __name__ == "__main__":
    main()
