"""Reads energy, twist and the elastic couples at the ends of cables."""

import contextlib
import itertools
import operator
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, TypeVar

import mujoco
import numpy as np

from strand import adapter
from strand.errors import StrandError

T = TypeVar("T")


class Readout(NamedTuple):
    """Energy, twist and end couples of a cable; the plugin's sensor has the same ten numbers in
    this order.

    The couples are elastic: those of the outermost joint at an end on the end link or, if the end
    is clamped at its node, on the clamp. They are Profile.moment[0] and -Profile.moment[-1]. They
    differ from the moments of supports, Profile.start_moment and Profile.end_moment: at a free end
    the latter are 0, while the couple on a link with weight is not.
    """

    energy: float  #: J, bending + twisting
    bend_energy: float  #: J
    twist_energy: float  #: J
    twist: float  #: rad, sum over the joints, including full turns
    start_couple: np.ndarray  #: N m, (3,), world axes
    end_couple: np.ndarray  #: N m, (3,), world axes


def instances(model: mujoco.MjModel) -> list[str]:
    """Names of the plugin instances in the model, in order of their index."""
    kind = mujoco.mjtObj.mjOBJ_PLUGIN
    return [mujoco.mj_id2name(model, kind, index) or "" for index in range(model.nplugin)]


def check_pair(model: mujoco.MjModel, data: mujoco.MjData) -> None:
    """Raises StrandError unless these are a model and its data."""
    for field, given, kind in (("model", model, mujoco.MjModel), ("data", data, mujoco.MjData)):
        if not isinstance(given, kind):
            got = type(given).__name__
            raise StrandError(f"{field}: got {got}, allowed: a mujoco.{kind.__name__}")
    sizes = [(each.nq, each.nv, each.nbody, each.nplugin) for each in (model, data.model)]
    if sizes[0] != sizes[1]:
        raise StrandError("data: got data of another model, allowed: MjData(model)")


def look_up(
    model: mujoco.MjModel, data: mujoco.MjData, cable: str | int, read: Callable[..., T]
) -> T:
    """The result of `read`, a reader of the adapter, for the cable with this name or index."""
    check_pair(model, data)
    names = instances(model)
    index: Any = names.index(cable) if isinstance(cable, str) and cable in names else cable
    try:
        return read(model._address, data._address, operator.index(index))
    except (IndexError, TypeError):
        raise StrandError(
            f"cable: got {cable!r}, allowed: name or index of an instance of strand.cable "
            f"(plugin instances here: {', '.join(names) or 'none'})"
        ) from None


def read_index(model_address: int, data_address: int, instance: int) -> int:
    """The index itself, for look_up. Raises IndexError if it is not that of a cable."""
    adapter.load().read(model_address, data_address, instance)
    return instance


def cable_index(model: mujoco.MjModel, data: mujoco.MjData, cable: str | int) -> int:
    """Index of the plugin instance of the cable with this name or index."""
    return look_up(model, data, cable, read_index)


def readout(model: mujoco.MjModel, data: mujoco.MjData, cable: str | int = 0) -> Readout:
    """Reads energy, twist and end couples of a cable, at the positions in `data`.

    cable: name or index of its plugin instance (default 0).

    Kinematics must be current (mj_forward or mj_kinematics). `data` is not changed. Raises
    StrandError if the model has no such cable.
    """
    values = look_up(model, data, cable, adapter.load().read)
    couples = np.array(values[4:7]), np.array(values[7:10])
    return Readout(values[0], values[1], values[2], values[3], *couples)


def energy(model: mujoco.MjModel, data: mujoco.MjData, cable: str | int | None = None) -> float:
    """Elastic energy (J) of one cable, or of all cables in the model.

    cable: name or index of its plugin instance; None (default): all cables.

    Do not add it to `data.energy`, which counts bending already: see mechanical_energy.

    Kinematics must be current (mj_forward or mj_kinematics). Raises StrandError if there is no such
    cable, or no cable at all.
    """
    if cable is not None:
        return readout(model, data, cable).energy
    check_pair(model, data)
    energies = [values[0] for values in read_all(model, data, adapter.load().read)]
    if not energies:
        raise StrandError("model: got one without a cable of strand.cable, allowed: one or more")
    return sum(energies)


def mechanical_energy(model: mujoco.MjModel, data: mujoco.MjData) -> float:
    """Kinetic, gravitational and elastic energy (J) of the whole model.

    This is MuJoCo's energy with the elastic energy of the cables in place of the springs at their
    joints. Those springs only stabilise time steps: the plugin's forces cancel their torques.

    `data` must be current (mj_forward) and is not changed. Raises StrandError if there is no cable.
    """
    elastic = energy(model, data)
    before = data.energy.copy()
    mujoco.mj_energyPos(model, data)
    mujoco.mj_energyVel(model, data)
    everything = float(data.energy.sum())
    data.energy[:] = before
    return everything - _stabilizing_energy(model, data) + elastic


def _stabilizing_energy(model: mujoco.MjModel, data: mujoco.MjData) -> float:
    """Energy (J) that MuJoCo counts for the springs at joints which the plugin cancels."""
    if model.opt.disableflags & mujoco.mjtDisableBit.mjDSBL_SPRING:
        return 0.0
    rods = read_all(model, data, adapter.load().constants)
    turn, total = np.zeros(3), 0.0
    for joint in itertools.chain.from_iterable(rod.cancelled for rod in rods):
        at = model.jnt_qposadr[joint]
        if model.jnt_type[joint] == mujoco.mjtJoint.mjJNT_BALL:
            mujoco.mju_subQuat(turn, data.qpos[at : at + 4], model.qpos_spring[at : at + 4])
            squared = float(turn @ turn)
        else:
            squared = float(data.qpos[at] - model.qpos_spring[at]) ** 2
        total += 0.5 * float(model.jnt_stiffness[joint]) * squared
    return total


def read_all(model: mujoco.MjModel, data: mujoco.MjData, read: Callable[..., T]) -> Iterator[T]:
    """The results of `read`, a reader of the adapter, for all cables in the model, in order."""
    for index in range(model.nplugin):
        # An instance may belong to another plugin.
        with contextlib.suppress(IndexError):
            yield read(model._address, data._address, index)
