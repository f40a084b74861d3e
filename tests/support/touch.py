"""Ordinary scenes in which an object touches or pulls a cable, with default settings."""

import mujoco
import numpy as np
import pytest

from strand.mujoco_versions import HAS_DISCRETE

RUBBER = {"young": 5e6, "poisson": 0.4, "density": 1100.0}
UPRIGHT = (np.sqrt(0.5), 0, np.sqrt(0.5), 0)  #: turns x downwards
INTEGRATORS = ("discrete", "implicitfast") if HAS_DISCRETE else ("implicitfast",)

#: Every scene runs with these.
each_recipe = pytest.mark.parametrize(
    ("integrator", "timestep"),
    [(integrator, timestep) for integrator in INTEGRATORS for timestep in (0.001, 0.002)],
)


def scene(
    integrator: str, timestep: float, world: str = "", gravity: str = "0 0 -9.81", option: str = ""
) -> mujoco.MjSpec:
    return mujoco.MjSpec.from_string(
        f"""<mujoco>
          <option integrator="{integrator}" timestep="{timestep}" gravity="{gravity}" {option}/>
          <worldbody>{world}</worldbody>
        </mujoco>"""
    )


FLOOR = '<geom name="floor" type="plane" size="5 5 .1"/>'
STICKY = 'cone="elliptic" impratio="20"'  #: what the recipe advises if friction must hold


def start(spec: mujoco.MjSpec) -> tuple[mujoco.MjModel, mujoco.MjData]:
    model = spec.compile()
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    return model, data


def steps(model: mujoco.MjModel, seconds: float) -> range:
    return range(round(seconds / model.opt.timestep))


def lowest(model: mujoco.MjModel, data: mujoco.MjData) -> float:
    """Height (m) of the lowest point of all capsules."""
    capsules = model.geom_type == mujoco.mjtGeom.mjGEOM_CAPSULE
    mujoco.mj_kinematics(model, data)
    reach = np.abs(data.geom_xmat[capsules, 8]) * model.geom_size[capsules, 1]
    return float((data.geom_xpos[capsules, 2] - reach - model.geom_size[capsules, 0]).min())


def deepest(model: mujoco.MjModel, data: mujoco.MjData) -> float:
    """The depth (m) of the deepest contact; the `dist` of speculative contacts is no depth."""
    pairs = np.reshape(data.contact.geom[data.contact.dist < 0], (-1, 2))
    depths = [-mujoco.mj_geomDistance(model, data, a, b, 0, None) for a, b in pairs]
    return max(depths, default=0.0)


def push(
    model: mujoco.MjModel, data: mujoco.MjData, site: str, body: str, force: np.ndarray
) -> None:
    """Applies a force (N) on a body at a site of it, and nothing else."""
    mujoco.mj_kinematics(model, data)  # the lever arm of the previous step would feed the swing
    lever = data.site(site).xpos - data.body(body).xipos
    data.body(body).xfrc_applied[:] = [*force, *np.cross(lever, force)]
