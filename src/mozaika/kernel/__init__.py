"""How rules and searches are compiled, cached and dispatched.

Rules and searches are plain functions marked with `@kernel`; CPython runs them as they are, and Numba
compiles them when a bot or a batch asks for it.
"""

from mozaika.kernel.cache import NotCompiled, cache_folder, clear_unused
from mozaika.kernel.compiler import (
    compiled,
    compiling,
    is_ready,
    never_waiting,
    swift,
    swift_game,
    swift_rule,
    swift_stages,
)
from mozaika.kernel.numbers import count_bits, list_bits, new_random, random_below, random_bits
from mozaika.kernel.verbs import (
    MOST_MOVES,
    MOST_SEATS,
    RULES,
    VERBS,
    apply,
    appraise,
    candidates,
    choices,
    join,
    kernel,
    legal,
    movers,
    not_inlined,
    observe,
    promise,
    ranks,
    rate,
    register,
    scores,
    weigh,
)
from mozaika.kernel.warming import Warmer, wait_for_rules, warm, warmer

__all__ = [
    "MOST_MOVES",
    "MOST_SEATS",
    "RULES",
    "VERBS",
    "NotCompiled",
    "Warmer",
    "apply",
    "appraise",
    "cache_folder",
    "candidates",
    "choices",
    "clear_unused",
    "compiled",
    "compiling",
    "count_bits",
    "is_ready",
    "join",
    "kernel",
    "legal",
    "list_bits",
    "movers",
    "never_waiting",
    "new_random",
    "not_inlined",
    "observe",
    "promise",
    "random_below",
    "random_bits",
    "ranks",
    "rate",
    "register",
    "scores",
    "swift",
    "swift_game",
    "swift_rule",
    "swift_stages",
    "wait_for_rules",
    "warm",
    "warmer",
    "weigh",
]
