"""Changes a cable's stiffness, natural shape and damping while it runs, without a new model."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeAlias

import mujoco
import numpy as np

from strand import adapter
from strand.errors import StrandError, checked
from strand.io.options import Kind, finite, non_negative, positive, read, vector
from strand.readout.joints import scale_damping, stabilize
from strand.readout.readout import cable_index

Factor: TypeAlias = float | Sequence[float] | np.ndarray


class Material(NamedTuple):
    """How a cable's material differs from that of its model."""

    #: factors of the model's bending and torsional stiffness; one per joint if they differ
    EI: float | tuple[float, ...]
    GJ: float | tuple[float, ...]
    rest_twist: float  #: rad/m: natural twist rate that is added to the model's
    curvature: tuple[float, float]  #: 1/m: natural curvature added, about the links' y and z axes
    strength: float  #: factor of the model's strains at which it yields or its strands slip


def material(model: mujoco.MjModel, data: mujoco.MjData, cable: str | int = 0) -> Material:
    """The change of a cable's material in this state.

    cable: name or index of its plugin instance (default 0). Raises StrandError if the model has no
    such cable.
    """
    return _material(model, data, cable_index(model, data, cable))


def _material(model: mujoco.MjModel, data: mujoco.MjData, index: int) -> Material:
    now = adapter.load().material(model._address, data._address, index)
    EI, GJ = (of[0] if min(of) == max(of) else tuple(of) for of in (now.EI, now.GJ))
    y, z = now.curvature
    return Material(EI, GJ, now.rest_twist, (y, z), now.strength)


def set_material(
    model: mujoco.MjModel,
    data: mujoco.MjData,
    cable: str | int = 0,
    *,
    EI: Factor | None = None,
    GJ: Factor | None = None,
    rest_twist: float | None = None,
    curvature: Sequence[float] | None = None,
    strength: float | None = None,
) -> None:
    """Changes a cable's material in `data` from the next step on. What is not given stays.

    The change is part of data.plugin_state: mj_copyData, mj_getState, mj_setState and rollouts
    carry it, mj_resetData puts the model's own material back. A cable that sleeps wakes. What
    stabilises the cable at large time steps belongs to the model: the joint stiffness, which the
    plugin cancels, and with other integrators than `discrete` the armature of these joints. Both
    are raised, in model.jnt_stiffness and model.dof_armature, if the cable becomes stiffer, and
    never lowered, since other states of the model may need them. Copies and files of the model know
    its own values, which it keeps in parameters of limits that these joints do not have. If a state
    comes to another model by mj_setState or MjSpec.recompile, call set_material(model, data, cable)
    after it: without changes it raises what that state needs, as strand.load_state does.

    cable: name or index of its plugin instance (default 0).
    EI, GJ: factors of the model's bending and torsional stiffness, > 0: one, or one per joint, in
        the order of strand.profile(model, data).joint_arclength.
    rest_twist: natural twist rate that is added to the model's (rad/m).
    curvature: natural curvature that is added (1/m), about the links' y and z axes. A change by
        some rad over the cable at once is a whip: change it in steps.
    strength: factor of the strains at which the model's material yields or its strands slip, > 0.

    Raises StrandError, and changes nothing, if a number is invalid or the model has no such cable.
    """
    given = _given(EI, GJ, rest_twist, curvature, strength)
    index = cable_index(model, data, cable)
    new = _material(model, data, index)._replace(**given)
    factors = {name: np.atleast_1d(getattr(new, name)).tolist() for name in ("EI", "GJ")}
    numbers = new._asdict() | factors
    checked(adapter.load().change, model._address, data._address, index, **numbers)
    stabilize(model, data, index)


def _given(
    EI: Factor | None,
    GJ: Factor | None,
    rest_twist: float | None,
    curvature: Sequence[float] | None,
    strength: float | None,
) -> dict[str, Any]:
    """The arguments that are not None, checked."""
    factor = positive("factor of the model's own")
    kinds: dict[str, tuple[Any, Kind[Any]]] = {
        "EI": (EI, Kind(f"{factor.allowed}, or one per joint", _each(factor))),
        "GJ": (GJ, Kind(f"{factor.allowed}, or one per joint", _each(factor))),
        "rest_twist": (rest_twist, finite("rad/m")),
        "curvature": (curvature, vector(2, "1/m")),
        "strength": (strength, factor),
    }
    return {
        name: read(name, value, kind) for name, (value, kind) in kinds.items() if value is not None
    }


def _each(kind: Kind[float]) -> Callable[[Any], float | list[float]]:
    """Reads one number, or a list of them."""

    def numbers(value: Any) -> float | list[float]:
        if np.ndim(value) == 0:
            return kind.read(value)
        if np.ndim(value) != 1 or not len(value):
            raise ValueError
        return [kind.read(each) for each in value]

    return numbers


def set_damping(
    model: mujoco.MjModel, data: mujoco.MjData, factor: float, cable: str | int = 0
) -> None:
    """Changes the damping of a cable's joints, in proportion to loss_time (Kelvin-Voigt).

    It is MuJoCo's joint damping, which is solved implicitly and belongs to the model: it holds for
    all states of `model`, a copy of the model carries it, and mj_resetData leaves it. Quadratic
    damping (whip_damping) stays.

    factor: of the damping that the joints had before the first call, >= 0. Copies and files of the
        model know that damping, too.
    cable: name or index of its plugin instance (default 0).

    Raises StrandError, and changes nothing, if the factor is invalid, if there is no such cable, or
    if it is fed, since a strand.Feeder sets the damping of its joints.
    """
    factor = read("factor", factor, non_negative("factor of the model's own"))
    rod = adapter.load().constants(model._address, data._address, cable_index(model, data, cable))
    if rod.feed_joint >= 0:
        raise StrandError(
            f"cable: got {cable!r} with start = feed, allowed: cables that are not fed, since a "
            "strand.Feeder sets the damping of these; describe the cable with it"
        )
    of_links = np.isin(model.jnt_bodyid, [*rod.body, *rod.far_body])
    balls = of_links & (model.jnt_type == mujoco.mjtJoint.mjJNT_BALL)
    scale_damping(model, np.flatnonzero(balls), factor)
