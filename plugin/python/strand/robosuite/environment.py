"""Adds cables to environments of robosuite, whose own model classes drop MuJoCo's plugins."""

import functools
import os
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import mujoco

from strand.cable.cable import Cable
from strand.errors import StrandError, checked
from strand.io import options
from strand.robosuite.scene_text import Placed, cables_in, instance_name, with_cables
from strand.robosuite.versions import INSTALL

Draw = Callable[[], Iterable[Placed] | Placed]
#: What tells an environment of robosuite 1.5 from other objects.
_USED = ("_xml_processors", "hard_reset", "model", "set_xml_processor", "sim")


class Simulation(NamedTuple):
    """MuJoCo's model and data."""

    model: mujoco.MjModel
    data: mujoco.MjData


def add_cable(
    env: Any,
    cable: Cable | str | os.PathLike,
    body: str = "world",
    pos: Sequence[float] = (0.0, 0.0, 0.0),
    quat: Sequence[float] = (1.0, 0.0, 0.0, 0.0),
) -> None:
    """Adds a cable to an environment, from its next reset on.

    env: an environment of robosuite, or a wrapper around one.
    cable, body, pos, quat: as for `strand.attach` (m; w x y z). Each cable needs a different
        prefix.

    The rest is as for `add_cables`.
    """
    placed = Placed(cable, body, pos, quat)
    add_cables(env, lambda: [placed])


def add_cables(env: Any, draw: Draw) -> None:
    """Adds cables to an environment, which may be different ones after each hard reset.

    env: an environment of robosuite, or a wrapper around one.
    draw: returns a cable and its place, or a list of them. It is called once now, to check that the
        model compiles, and at each hard reset; `env.rng` are robosuite's own random numbers.

    Call `env.reset()` then. Cables are added to the XML that robosuite has made, which stays as it
    is but for the solver's tolerance. Geoms of the cables in group 0, which robosuite hides, are
    moved to its visible group 1. If robosuite loads the XML of a saved model, the cables in it
    stay.

    Raises StrandError and leaves `env` unchanged if an argument is invalid, or if `env` resets
    without making its model anew.
    """
    inner = getattr(env, "unwrapped", env)
    if not all(hasattr(inner, name) for name in _USED):
        raise StrandError(
            f"env: got {type(env).__name__}, allowed: an environment of robosuite ({INSTALL})"
        )
    if not inner.hard_reset:
        raise StrandError(
            "env.hard_reset: got False, allowed: True until the reset after this call, which adds"
            " the cables to the model"
        )
    options.read("draw", draw, options.FUNCTION)
    text = inner.model.get_xml()
    for processor in inner._xml_processors:
        text = processor(text)
    checked(mujoco.MjModel.from_xml_string, with_cables(text, _drawn(draw)))
    inner.set_xml_processor(functools.partial(_at_reset, draw))


def simulation(env: Any) -> Simulation:
    """MuJoCo's model and data of an environment, for `strand.profile`, `strand.readout`, ...

    A hard reset replaces both. Raises StrandError if `env` is not an environment of robosuite.
    """
    sim = getattr(getattr(env, "unwrapped", env), "sim", None)
    model, data = (
        getattr(getattr(sim, part, None), f"_{part}", None) for part in ("model", "data")
    )
    if not isinstance(model, mujoco.MjModel) or not isinstance(data, mujoco.MjData):
        raise StrandError(
            f"env: got {type(env).__name__}, allowed: an environment of robosuite ({INSTALL})"
        )
    return Simulation(model, data)


def _drawn(draw: Draw) -> list[Placed]:
    """The cables that `draw` returns. Raises StrandError if it returns something else."""
    returned: Any = draw()
    if isinstance(returned, Placed) or not isinstance(returned, Iterable):
        returned = [returned]
    placed = list(returned)
    for one in placed:
        if not isinstance(one, Placed):
            raise StrandError(
                f"draw: got a function that returns a {type(one).__name__}, allowed: one that "
                "returns a strand.robosuite.Placed or a list of them"
            )
    return placed


def _at_reset(draw: Draw, text: str) -> str:
    """The processor of robosuite: the text of the scene with the cables that it lacks."""
    there = cables_in(text)
    missing = [placed for placed in _drawn(draw) if instance_name(placed) not in there]
    return with_cables(text, missing) if missing else text
