"""Scenes as they are sent: each is set once for all who see the same.

A scene follows from what a seat may know, from the names, the language and the shape, and from nothing else.
By these it is kept, so nobody can be shown what was set for somebody who knows more.
"""

import hashlib
from collections.abc import Sequence
from functools import cached_property, lru_cache

import msgspec

from mozaika.game import Game
from mozaika.scene import Scene, Shape, Sprite, Walk, write_ground
from mozaika.server.garbage import look_at_young
from mozaika.server.walks import Ways, along, fold
from mozaika.state import State, read_state

SCENE_ROOM = 16_500
"""Bytes for what changes of a scene; a view has 24,000 in all."""
WALKS_ROOM = 20_000
MOST_SCENES = 600


class Shown:
    """A scene, and what is sent of it."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene

    @cached_property
    def ways(self) -> Ways:
        """Its walks, cut off where the scene would be too large: the same whoever looks, and when."""
        scene = self.scene
        if not scene.walks:
            return Ways((), (), scene.later)
        rest = msgspec.json.encode((scene.sprites, scene.labels, scene.spots, scene.layers))
        return fold(scene.walks, 0, SCENE_ROOM - len(rest), scene.later)

    @cached_property
    def sprites(self) -> frozenset[Sprite]:
        """To look whether one is among them."""
        return frozenset(self.scene.sprites)

    @property
    def ground(self) -> tuple[str, str]:
        """The digest by which its address names the ground, and its text."""
        scene = self.scene
        return _write_ground(
            scene.width, scene.height, scene.style, scene.dark_style, scene.symbols, scene.ground
        )

    def walks_on(self, view: State, game: Game, seat: int, spots: tuple[str, ...], shape: Shape) -> Ways:
        """The walks that go on from some spots; of many again only how they go on."""
        walks: Sequence[Walk] = self.scene.walks
        if game.walks_from is not None:
            walks = game.walks_from(view, seat, spots, shape)
        return fold(along(walks, spots, self.scene.loose), len(spots), WALKS_ROOM)

    def way_of(self, view: State, game: Game, seat: int, move: int, shape: Shape) -> Ways:
        """The whole walk of a legal move."""
        walks: Sequence[Walk] = self.scene.walks
        if game.walks_from is not None and game.spots_of is not None:
            walks = game.walks_from(view, seat, game.spots_of(view, seat, move), shape)
        text = game.write_move(move)
        return fold([walk for walk in walks if walk.move == text], 0, WALKS_ROOM)


@lru_cache(maxsize=MOST_SCENES)
def show(game: Game, view: bytes, seat: int, names: tuple[str, ...], lang: str, shape: Shape) -> Shown:
    """What a seat may know of a moment, as a scene."""
    scene = game.scene(read_state(view, game.state), seat, names, game.words(lang), shape)
    look_at_young()
    return Shown(scene)


@lru_cache(maxsize=500)
def _write_ground(
    width: float, height: float, style: str, dark_style: str, symbols: str, ground: str
) -> tuple[str, str]:
    text = write_ground(Scene(width, height, "", style, dark_style, symbols, ground, (), (), (), ()))
    return hashlib.sha256(text.encode()).hexdigest()[:16], text


def forget_scenes() -> None:
    """For tests: the next ones are set from nothing."""
    show.cache_clear()
