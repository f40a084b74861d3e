"""Puts a model with cables on the device: without its plugins, and soft enough for float32."""

import copy
from typing import Any

import mujoco
import numpy as np

from strand.errors import StrandError
from strand.io import options
from strand.mujoco_versions import SPECULATIVE
from strand.warp import packages

#: Largest impedance (solimp) and torquescale of welds that MuJoCo Warp's Newton solver takes.
IMPEDANCE, TORQUE_SCALE = 0.99, 1.0
_IMPEDANCE = options.within("> 0 and < 1", lambda value: 0 < value < 1)
_TORQUE_SCALE = 10  #: in a weld's data
_PARALLEL_TORQUE_SCALE = 1e4  #: of adapter/softness.h
_LEAST_IMPEDANCE = 1e-4  #: MuJoCo's lower limit


def put_model(model: mujoco.MjModel, *, soften: bool = True) -> Any:
    """A mujoco_warp.Model of a model with cables, still without Strand's forces (see `attach`).

    Bodies, joints and all other indices are those of `model`. Sensors of plugins become sensors of
    the type user, which read 0 until `attach` fills those of cables.

    soften: True (default) puts `softened(model)` there.

    Raises StrandError if MuJoCo Warp does not support the model, or is not installed.
    """
    check_model(model)
    m = put_bare(_bare(softened(model) if soften else model))
    m.geom_plugin_index.fill_(-1)
    return m


def put_bare(model: mujoco.MjModel) -> Any:
    """A mujoco_warp.Model of a model without plugins. Raises StrandError if it is refused."""
    try:
        return packages.load().mujoco_warp.put_model(model)
    except (NotImplementedError, ValueError) as error:  # both mean: not supported
        raise StrandError(
            f"model: got one that MuJoCo Warp refuses ({error}), allowed: what it supports"
        ) from None


def softened(model: mujoco.MjModel, impedance: float = IMPEDANCE) -> mujoco.MjModel:
    """A copy whose contacts and equalities are soft enough for solvers in float32.

    impedance: largest impedance (solimp), between 0 and 1. The torquescale of welds is at most 1.
        Cuts that give way consist of a weld with a torquescale of 10^4, which only keeps the
        halves of a link parallel, and a connect. The weld holds alone there.

    The models of cables have 0.9999 and 100: with these the Newton solver of MuJoCo Warp has a
    matrix of condition 1e10, which float32 cannot factorise, and returns NaN. With 0.99 it still
    may for a long cable in one tree that welds hold at both ends; 0.9 suffices there. Raises
    StrandError if the impedance is out of range.
    """
    check_model(model)
    impedance = options.read("impedance", impedance, _IMPEDANCE)
    soft = copy.copy(model)
    for solimp in (soft.geom_solimp, soft.pair_solimp, soft.eq_solimp):
        np.minimum(solimp[:, :2], impedance, out=solimp[:, :2])
    welds = soft.eq_type == mujoco.mjtEq.mjEQ_WELD
    scales = soft.eq_data[:, _TORQUE_SCALE]
    parallel = welds & (scales >= _PARALLEL_TORQUE_SCALE)
    _harden(soft, parallel, impedance)
    joined = np.stack([soft.eq_objtype, soft.eq_obj1id, soft.eq_obj2id], axis=1)
    beside = (joined[:, None] == joined[parallel]).all(axis=2).any(axis=1)
    soft.eq_solimp[beside & ~welds, :2] = _LEAST_IMPEDANCE
    soft.eq_data[welds, _TORQUE_SCALE] = np.minimum(scales[welds], TORQUE_SCALE)
    return soft


def _harden(model: mujoco.MjModel, equalities: np.ndarray, impedance: float) -> None:
    """Sets the impedance. MuJoCo divides what `solref` gives by it, which stays the same."""
    change = impedance / model.eq_solimp[equalities, 1]
    direct = model.eq_solref[equalities, 0] < 0
    model.eq_solref[equalities, 0] *= np.where(direct, change**2, 1 / change)
    model.eq_solref[equalities, 1] *= np.where(direct, change, 1)
    model.eq_solimp[equalities, :2] = impedance


def check_model(model: Any) -> None:
    """Raises StrandError unless this is a mujoco.MjModel."""
    if not isinstance(model, mujoco.MjModel):
        raise StrandError(f"model: got {type(model).__name__}, allowed: a mujoco.MjModel")


def _bare(model: mujoco.MjModel) -> mujoco.MjModel:
    """A copy whose bodies and sensors belong to no plugin, without MuJoCo Warp's missing flags."""
    if (model.geom_plugin >= 0).any() or model.nflex:
        got = "flexes" if model.nflex else "geoms of plugins"
        raise StrandError(f"model: got cables of strand.cable and {got}, allowed: only one of them")
    if model.ngeom < model.nplugin:
        raise StrandError(
            f"model: got {model.ngeom} geoms and {model.nplugin} cables, allowed: a geom or more "
            "per cable"
        )
    bare = copy.copy(model)
    bare.opt.enableflags &= ~SPECULATIVE
    bare.body_plugin[:] = -1
    bare.sensor_type[model.sensor_plugin >= 0] = mujoco.mjtSensor.mjSENS_USER
    bare.sensor_plugin[:] = -1
    # MuJoCo Warp counts all instances, but lists only those that geoms refer to: with one geom for
    # each, and without attributes, the list is as long as it expects. No geom keeps its reference.
    bare.plugin_attr[:] = 0
    bare.geom_plugin[: model.nplugin] = np.arange(model.nplugin)
    return bare
