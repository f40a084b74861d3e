"""Natural frequencies of a clamped-free rod: bending, and torsion with `dynamic` twist.

Three modes of each kind follow from MuJoCo's mass matrix and finite differences of its forces
(linearized.py). The first bending mode is also timed in a simulation with the default recipe
(numerical stiffness, integrator `discrete`, 1 ms), to check that neither the numerical stiffness
nor the time step changes the frequency.
Theory (Blevins, Formulas for Natural Frequency and Mode Shape, tables 8-1 and 8-16):

    bending  omega = (beta L)^2 sqrt(EI / (m L^4)),  beta L = 1.87510, 4.69409, 7.85476,
    torsion  omega = (2 k - 1) (pi / 2 L) sqrt(GJ / J_rho),

m the mass and J_rho = m r^2 / 2 the polar moment of inertia per length.
"""

import mujoco
import numpy as np

from strand.draw.report import Report
from strand.errors import StrandError
from strand_studies import relax
from strand_studies.validation import column, convergence
from strand_studies.validation.column import EI, GJ, LENGTH, MASS, RADIUS

BETA_L = (1.8751041, 4.6940911, 7.8547574)
TIMESTEP, PERIODS = 1e-3, 2.2  # s, 1
AMPLITUDE = 1e-3  # rad: the largest rotation of a joint; the motion stays linear
MODES = {"bending": 3, "torsion": 3, "bending in time": 1}


def theory(kind: str, mode: int) -> float:
    """Natural frequency (rad/s) of mode 1, 2, 3."""
    if kind == "torsion":
        polar_inertia = MASS * RADIUS**2 / 2
        return (2 * mode - 1) * np.pi / (2 * LENGTH) * np.sqrt(GJ / polar_inertia)
    return BETA_L[mode - 1] ** 2 * np.sqrt(EI / (MASS * LENGTH**4))


def frequencies(kind: str, segments: int, curvature: str) -> np.ndarray:
    """Frequencies (rad/s) of the lowest modes of a kind."""
    twist = "dynamic" if kind == "torsion" else "quasistatic"
    model = column.column(segments, curvature, "fixed", "free", twist=twist)
    if kind == "torsion":
        return column.twisting(model).modes()[0][:3]
    found, shapes = column.bending(model).modes()
    if kind == "bending":
        return found[:6:2]  # every mode occurs twice, once in each plane
    return np.array([_timed(model, shapes[:, 0])])


def _timed(model: mujoco.MjModel, shape: np.ndarray) -> float:
    """Frequency (rad/s) of the tip's zero crossings after the rod is released from a mode shape."""
    model.opt.timestep = TIMESTEP
    data = mujoco.MjData(model)
    mujoco.mj_integratePos(model, data.qpos, AMPLITUDE * shape / np.abs(shape).max(), 1.0)
    mujoco.mj_forward(model, data)
    tip = data.site(column.END)
    plane = tip.xpos * [0, 1, 1]
    times, places = [], []
    while data.time < PERIODS * 2 * np.pi / theory("bending", 1):
        relax.step(model, data, 1)
        mujoco.mj_kinematics(model, data)  # mj_step leaves positions one step behind the time
        times.append(data.time)
        places.append(tip.xpos @ plane)
    times, places = np.array(times), np.array(places)
    before = np.flatnonzero(places[1:] * places[:-1] < 0)
    crossings = times[before] - places[before] * TIMESTEP / np.diff(places)[before]
    return np.pi * (len(crossings) - 1) / (crossings[-1] - crossings[0])


def run(
    segments: list[int] | None = None,
    curvature: str = "angle",
    progress: relax.Progress = None,
) -> Report:
    """Measures the frequencies for each number of links."""
    if segments and min(segments) < 3:
        raise StrandError(f"segments: got {min(segments)}, allowed: 3 or more")

    def measure(kind: str, n: int) -> list[dict]:
        found = frequencies(kind, n, curvature)
        return [
            {"kind": kind, "mode": mode, "segments": n, "curvature": curvature}
            | convergence.compare(found[mode - 1], theory(kind, mode), n)
            for mode in range(1, MODES[kind] + 1)
        ]

    results = convergence.sweep({kind: kind for kind in MODES}, segments, measure, progress)
    keys, note = ("kind", "mode", "curvature"), "found and theory: rad/s"
    return convergence.report("vibration", "Natural frequencies", results, keys, _draw, note)


def _draw(figure, results: list[dict]) -> None:
    axes = figure.subplots(1, 2)
    groups = {"Bending": ("bending", "bending in time"), "Torsion": ("torsion",)}
    for place, (title, kinds) in zip(axes, groups.items(), strict=True):
        chosen = [case for case in results if case["kind"] in kinds]
        convergence.draw(place, chosen, "kind", "mode")
        place.set(title=f"{title} of a clamped-free rod")
