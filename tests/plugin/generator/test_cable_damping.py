"""Damping in motion: the first bending mode decays with the requested ratio."""

import mujoco
import numpy as np
import pytest
from support import cables
from support.engine import needs_discrete

import strand
from strand.mujoco_versions import BEST_INTEGRATOR

L, EI, LINKS = 1.0, 0.05, 20
LINE_DENSITY = 1000 * np.pi * 0.005**2  # kg/m
# Ends and beta L (Blevins, Formulas for Natural Frequency and Mode Shape, table 8-1). A cable that
# does not stretch cannot vibrate with both ends fixed in position.
MODES = {
    "cantilever": ({"start": "fixed"}, 1.875104),
    "cantilever at the end": ({"end": "fixed"}, 1.875104),
    "cantilever, held link": ({"start": "fixed", "clamp": "link"}, 1.875104),
    "held by a mocap body": ({"start": "mocap"}, 1.875104),
    "pinned": ({"start": "ball"}, 3.926602),
    "free": ({}, 4.730041),
}


def decay(fields: dict, beta: float) -> tuple[float, float]:
    """Frequency (rad/s) and damping ratio, from the peaks of the elastic energy."""
    omega = beta**2 / L**2 * np.sqrt(EI / LINE_DENSITY)
    plain = {"stabilize": False, "timestep": 0.01 / omega, "integrator": BEST_INTEGRATOR}
    options = plain | {"gravity": (0, 0, 0), "collide": False} | fields
    described = strand.Cable(strand.straight(L, LINKS), EI, EI, **options)
    model, data = cables.load(described)
    # Pushed for half a period, roughly along the mode; then higher modes decay first.
    s = (np.arange(LINKS) + 0.5) / LINKS
    pinned = np.sin(beta * s) + np.sin(beta) / np.sinh(beta) * np.sinh(beta * s)
    shape = {1.875104: s**2, 3.926602: pinned, 4.730041: (2 * s - 1) ** 2 - 0.33}
    force = np.zeros((LINKS, 3))
    force[:, 2] = 0.02 * shape[beta]
    data.xfrc_applied[cables.link_bodies(model), :3] = force
    mujoco.mj_step(model, data, 300)
    data.xfrc_applied[:] = 0
    mujoco.mj_step(model, data, 600)
    energies = []
    for _ in range(2500):
        mujoco.mj_step(model, data)
        energies.append(strand.energy(model, data))
    e = np.array(energies)
    peaks = np.flatnonzero((e[1:-1] > e[:-2]) & (e[1:-1] >= e[2:])) + 1
    times = peaks * described.timestep
    rate = -np.polyfit(times, np.log(e[peaks]), 1)[0] / 2
    found = np.pi * (len(peaks) - 1) / (times[-1] - times[0])
    return found, rate / found


# For any integrator but `discrete` a weld has a time constant of twenty steps.
@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=needs_discrete) if "mocap" in name else name for name in MODES],
)
def test_first_mode_has_the_damping_ratio(name: str) -> None:
    fields, beta = MODES[name]
    fields = fields | {"damping_ratio": 0.03}
    omega = beta**2 / L**2 * np.sqrt(EI / LINE_DENSITY)
    found, ratio = decay(fields, beta)
    # A held link shortens the cantilever by half of it: (1 - 1 / 40)^-2.
    short = (1 - 0.5 / LINKS) ** -2 if "clamp" in fields else 1
    # A chain of links is slower than the rod by a fraction of order (beta / n)^2.
    assert found == pytest.approx(omega * short, rel=0.005 + 0.5 * (beta / LINKS) ** 2)
    assert ratio == pytest.approx(0.03 * short, rel=0.05)


@pytest.mark.parametrize(
    "integrator", [pytest.param("discrete", marks=needs_discrete), "implicitfast"]
)
def test_what_the_step_damps_is_part_of_the_damping_ratio(integrator: str) -> None:
    """Backward Euler damps a mode by h omega / 2, of which the ratio here is twice as much."""
    omega = 1.875104**2 / L**2 * np.sqrt(EI / LINE_DENSITY)
    step = 0.03 / omega
    stable = {"stabilize": True, "integrator": integrator, "timestep": step, "whip_damping": 0.0}
    fields = {"start": "fixed", "damping_ratio": 0.03} | stable
    found, ratio = decay(fields, 1.875104)
    assert found == pytest.approx(omega, rel=0.01)
    assert ratio == pytest.approx(0.03, rel=0.07)


@pytest.mark.parametrize(("asked", "said"), [(0.03, False), (0.01, True)])
def test_the_recipe_says_if_the_step_damps_more(asked: float, said: bool) -> None:
    omega = 1.875104**2 / L**2 * np.sqrt(EI / LINE_DENSITY)
    options = {"start": "fixed", "timestep": 0.03 / omega, "damping_ratio": asked}
    recipe = str(strand.Cable(strand.straight(L, LINKS), EI, EI, **options).recipe())
    words = (
        "the step alone damps the first bending mode by the ratio 0.015, more than damping_ratio"
    )
    assert (words in recipe) == said


def test_loss_time_and_ratio_are_one_damping() -> None:
    omega = 1.875104**2 / L**2 * np.sqrt(EI / LINE_DENSITY)
    _, ratio = decay({"start": "fixed", "loss_time": 2 * 0.05 / omega}, 1.875104)
    assert ratio == pytest.approx(0.05, rel=0.05)


ENDS = {
    ("free", "free"): 4.730041,
    ("fixed", "mocap"): 4.730041,
    ("fixed", "free"): 1.875104,
    ("ball", "fixed"): 3.926602,
    ("free", "ball"): 3.926602,
    ("ball", "ball"): np.pi,
}


@pytest.mark.parametrize(("start", "end"), ENDS)
def test_damping_of_the_joints_by_ends(start: str, end: str) -> None:
    omega = ENDS[start, end] ** 2 / L**2 * np.sqrt(EI / LINE_DENSITY)
    described = strand.Cable(strand.straight(L, LINKS), EI, EI, start=start, end=end)
    described.damping_ratio, described.stabilize = 0.1, False
    model, _ = cables.load(described)
    expected = 2 * 0.1 / omega * EI * LINKS / L
    joint = "cable_joint3" if model.joint("cable_joint3").type[0] == 1 else "cable_joint5"
    assert model.joint(joint).damping[0] == pytest.approx(expected, rel=1e-6)


def test_ring_in_its_plane() -> None:
    """Love: omega^2 = n^2 (n^2 - 1)^2 / (n^2 + 1) EI / m R^4, n = 2."""
    described = strand.Cable(strand.ring(0.3, 20), EI, EI, closed=True, damping_ratio=0.1)
    described.stabilize, described.whip_damping = False, 0.0
    model, _ = cables.load(described)
    omega = np.sqrt(36 / 5 * EI / LINE_DENSITY) / 0.3**2
    expected = 0.2 / omega * EI / (2 * np.pi * 0.3 / 20)
    assert model.joint("cable_joint3").damping[0] == pytest.approx(expected, rel=1e-9)
