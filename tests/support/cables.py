"""Cables made by the generator, loaded and run."""

import mujoco
import numpy as np
from scipy.spatial.transform import Rotation

import strand


def load(cable: strand.Cable, extra: str = "") -> tuple[mujoco.MjModel, mujoco.MjData]:
    """Loads the cable alone, or with `extra` elements added to its worldbody."""
    text = cable.to_mjcf().replace("<worldbody>", "<worldbody>" + extra, 1)
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    return model, data


def run(model: mujoco.MjModel, data: mujoco.MjData, seconds: float) -> None:
    mujoco.mj_step(model, data, round(seconds / model.opt.timestep))
    mujoco.mj_forward(model, data)


def settle(
    model: mujoco.MjModel, data: mujoco.MjData, seconds: float = 20.0, speed: float = 1e-6
) -> None:
    """Runs until nothing moves faster than `speed`; raises an error if it does not come to rest."""
    while data.time < seconds:
        mujoco.mj_step(model, data, 50)
        if np.abs(data.qvel).max() < speed:
            mujoco.mj_forward(model, data)
            return
    raise AssertionError(f"after {seconds} s still at {np.abs(data.qvel).max():.1e}")


def link_bodies(model: mujoco.MjModel, prefix: str = "cable_") -> list[int]:
    """Body ids of the links in order."""
    ids = []
    while (body := mujoco.mj_name2id(model, 1, f"{prefix}link{len(ids)}")) >= 0:
        ids.append(body)
    return ids


def instances(model: mujoco.MjModel) -> list[str]:
    """Names of the plugin instances."""
    return [mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_PLUGIN, k) for k in range(model.nplugin)]


def frames(model: mujoco.MjModel, data: mujoco.MjData, prefix: str = "cable_") -> np.ndarray:
    """Rotation matrices of the links, shape (n, 3, 3)."""
    return data.xmat[link_bodies(model, prefix)].reshape(-1, 3, 3)


def angle_between(a: np.ndarray, b: np.ndarray) -> float:
    """Angle (rad) of the turn from one rotation matrix to another."""
    return float(Rotation.from_matrix(a.T @ b).magnitude())


def max_turn(a: np.ndarray, b: np.ndarray) -> float:
    return max(angle_between(x, y) for x, y in zip(a, b, strict=True))


def axial_inertia(mass: float, radius: float) -> float:
    return mass * radius**2 / 2


def cylinder_inertia(mass: float, radius: float, length: float) -> np.ndarray:
    """Inertia (kg m^2) of a cylinder along x about its centre."""
    across = mass * (3 * radius**2 + length**2) / 12
    return np.diag([axial_inertia(mass, radius), across, across])


def total_inertia(
    model: mujoco.MjModel, data: mujoco.MjData
) -> tuple[float, np.ndarray, np.ndarray]:
    """Mass, centre and inertia about the centre of everything in the scene."""
    mass = model.body_mass.sum()
    center = (model.body_mass[:, None] * data.xipos).sum(axis=0) / mass
    inertia = np.zeros((3, 3))
    for b in range(1, model.nbody):
        R = data.ximat[b].reshape(3, 3)
        r = data.xipos[b] - center
        inertia += R @ np.diag(model.body_inertia[b]) @ R.T
        inertia += model.body_mass[b] * (r @ r * np.eye(3) - np.outer(r, r))
    return mass, center, inertia
