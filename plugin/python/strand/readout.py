"""Reads energy, twist and end moments of cables in a simulation."""

import contextlib
import operator
from collections.abc import Callable, Iterator
from typing import NamedTuple, TypeVar

import mujoco
import numpy as np

from strand import adapter
from strand.errors import StrandError

T = TypeVar("T")


class Readout(NamedTuple):
    """What a cable tells; the plugin's sensor gives the same ten numbers in this order."""

    energy: float  #: J, bending + twisting
    bend_energy: float  #: J
    twist_energy: float  #: J
    twist: float  #: rad, sum of the joints' twists, turns included
    start_moment: np.ndarray  #: N m, world: what the rod puts on its first link
    end_moment: np.ndarray  #: N m, world: what the rod puts on its last link


def instances(model: mujoco.MjModel) -> list[str]:
    """Names of the plugin instances in the model, in order of their index."""
    kind = mujoco.mjtObj.mjOBJ_PLUGIN
    return [mujoco.mj_id2name(model, kind, index) or "" for index in range(model.nplugin)]


def look_up(
    model: mujoco.MjModel, data: mujoco.MjData, cable: str | int, read: Callable[..., T]
) -> T:
    """What `read`, a reader of the adapter, gives for the cable of that name or index."""
    names = instances(model)
    index = names.index(cable) if isinstance(cable, str) and cable in names else cable
    try:
        return read(model._address, data._address, operator.index(index))
    except (IndexError, TypeError):
        raise StrandError(
            f"cable: got {cable!r}, allowed: name or index of an instance of strand.cable "
            f"(plugin instances here: {', '.join(names) or 'none'})"
        ) from None


def readout(model: mujoco.MjModel, data: mujoco.MjData, cable: str | int = 0) -> Readout:
    """Reads one cable, given by its instance's name or index, at the positions in `data`.

    Kinematics must be current (mj_forward or mj_kinematics). Changes nothing in `data`.
    """
    values = look_up(model, data, cable, adapter.load().read)
    return Readout(*values[:4], np.array(values[4:7]), np.array(values[7:10]))


def energy(model: mujoco.MjModel, data: mujoco.MjData, cable: str | int | None = None) -> float:
    """Elastic energy (J) of one cable, or of all cables in the model."""
    if cable is not None:
        return readout(model, data, cable).energy
    return sum(values[0] for values in read_all(model, data, adapter.load().read))


def read_all(model: mujoco.MjModel, data: mujoco.MjData, read: Callable[..., T]) -> Iterator[T]:
    """What `read`, a reader of the adapter, gives for every cable in the model, in order."""
    for index in range(model.nplugin):
        # A plugin instance may be another plugin's.
        with contextlib.suppress(IndexError):
            yield read(model._address, data._address, index)
