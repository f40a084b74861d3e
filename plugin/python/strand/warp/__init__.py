"""Cables in thousands of worlds at once, on MuJoCo Warp.

    import numpy as np
    import strand, strand.warp

    cable = strand.Cable(strand.straight(1.0, 20), EI=0.01, GJ=0.008, start="fixed")
    worlds = strand.warp.put(cable, nworld=512, EI=np.linspace(0.5, 2, 512))
    worlds.step(100)
    worlds.nodes()  # (512, 21, 3)

Engine plugins do not run in MuJoCo Warp. Here Strand's forces are kernels of Warp, which MuJoCo
Warp calls after its own passive forces (m.callback.passive): the same energies as in C++, computed
in float64 from MuJoCo Warp's float32 joint positions, with the twist of every joint kept in every
world. For models of one's own:

    m = strand.warp.put_model(model)  # mujoco_warp.put_model refuses bodies with plugins
    d = mujoco_warp.put_data(model, data, nworld=512)
    cables = strand.warp.attach(model, m, d, data)

MuJoCo Warp is fast with small kinematic trees: keep the default `pieces="auto"` of cables. It
computes in float32, in which contacts and welds cannot be as stiff as in C (see `softened`).

Importing this does not import Warp. Warp and MuJoCo Warp are needed on use:

    pip install "warp-lang>=1.15" absl-py "etils[epath]"
    pip install --no-deps "mujoco-warp>=4.0"  # with MuJoCo 3.11: "mujoco-warp>=3.11,<3.12"

(mujoco-warp alone brings the package mujoco, whose files overwrite those of mujoco-core.)
"""

from collections.abc import Sequence
from typing import Any

import mujoco
import numpy as np

from strand.errors import StrandError
from strand.warp.cables import Cables
from strand.warp.packages import INSTALL
from strand.warp.without_plugin import put_model, softened
from strand.warp.worlds import Worlds, put

__all__ = ["INSTALL", "Cables", "Worlds", "attach", "put", "put_model", "reset", "softened"]


def attach(model: mujoco.MjModel, m: Any, d: Any, data: mujoco.MjData | None = None) -> Cables:
    """Adds Strand's forces on all cables of `model`, in all worlds of `d`, from now on.

    model: the mujoco.MjModel with cables of strand.cable.
    m: its mujoco_warp.Model, from `put_model`. A callback that m.callback.passive has already is
        called first.
    d: a mujoco_warp.Data of this model; the forces belong to this one.
    data: the state from which the worlds start, for full turns of twist and changes of the material
        (default: those of the reference state, qpos0).

    The twists are kept with every evaluation of forces: once per step with the integrators
    discrete, implicitfast, implicit and Euler. Sensors of cables get their values after it
    (m.callback.sensor; one that is there already is called first). Raises StrandError for the
    integrator RK4, if a cable yields or slips, if the model has no cable, or if Warp or MuJoCo Warp
    are not installed.
    """
    return Cables(model, m, d, data)


def reset(cables: Cables | Worlds, mask: Sequence[bool] | np.ndarray | None = None) -> None:
    """Resets worlds: of `Worlds` state and twists, of `Cables` the twists alone.

    mask: one flag per world, True where to reset (default: all). Raises StrandError if the mask is
    not one flag per world, or `cables` is something else.
    """
    if not isinstance(cables, (Cables, Worlds)):
        got = type(cables).__name__
        raise StrandError(f"cables: got {got}, allowed: what strand.warp.attach or put returned")
    cables.reset(mask)
