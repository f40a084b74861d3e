"""Sections and stretches: mass, inertia and stiffness compared with closed forms."""

import mujoco
import numpy as np
import pytest
from support import cables

import strand

RHO, L = 1234.5, 1.3
PI = np.pi
A, B, R, HOLE = 0.03, 0.008, 0.02, 0.015  # m: width, height, radius, inner radius
# Options, area, integrals of z^2 and y^2 over the section.
SECTIONS = {
    "circle": ({"radius": R}, PI * R**2, PI * R**4 / 4, PI * R**4 / 4),
    "tube": (
        {"radius": R, "inner_radius": HOLE},
        PI * (R**2 - HOLE**2),
        PI * (R**4 - HOLE**4) / 4,
        PI * (R**4 - HOLE**4) / 4,
    ),
    "box": ({"width": A, "height": B}, A * B, A * B**3 / 12, B * A**3 / 12),
    "ellipse": (
        {"width": A, "height": B},
        PI * A * B / 4,
        PI * A * B**3 / 64,
        PI * B * A**3 / 64,
    ),
}
every_section = pytest.mark.parametrize("section", SECTIONS)
every_root = pytest.mark.parametrize("root", ("end", "middle"))


@every_root
@every_section
def test_a_straight_cable_is_one_solid(section: str, root: str) -> None:
    fields, area, zz, yy = SECTIONS[section]
    described = strand.Cable(strand.straight(L, 13), 1, 1, density=RHO, section=section, **fields)
    described.root = root
    mass, center, inertia = cables.total_inertia(*cables.load(described))
    assert mass == pytest.approx(RHO * area * L, rel=1e-14, abs=0)
    assert center == pytest.approx([L / 2, 0, 0], abs=1e-14)
    across = mass * L**2 / 12
    expected = np.diag([RHO * L * (yy + zz), RHO * L * zz + across, RHO * L * yy + across])
    assert inertia == pytest.approx(expected, rel=1e-12, abs=1e-14 * across)


@every_root
@every_section
def test_the_mass_of_a_curved_cable_is_that_of_its_length(section: str, root: str) -> None:
    fields, area, _, _ = SECTIONS[section]
    nodes = strand.helix(0.3, 0.2, 1.7, 30)
    described = strand.Cable(nodes, 1, 1, density=RHO, section=section, root=root, **fields)
    described.start, described.end = "fixed", "mocap"  # clamps have no mass of their own
    model, _ = cables.load(described)
    length = np.linalg.norm(np.diff(nodes, axis=0), axis=1).sum()
    assert model.body_mass.sum() == pytest.approx(RHO * area * length, rel=1e-13)


@every_section
def test_stiffness_is_modulus_times_second_moment(section: str) -> None:
    """Bent about y, then about z, at one joint: EI is E times the second moment."""
    fields, _, zz, yy = SECTIONS[section]
    nodes = strand.straight(0.4, 4)
    described = strand.Cable(nodes, young=2e9, shear=7e8, section=section, root="end", **fields)
    model, data = cables.load(described)
    for axis, second_moment in (([0, 1, 0], zz), ([0, 0, 1], yy)):
        mujoco.mju_axisAngle2Quat(data.joint("cable_joint2").qpos, axis, 0.2)
        mujoco.mj_forward(model, data)
        expected = 0.5 * 2e9 * second_moment / 0.1 * 0.04
        assert strand.energy(model, data) == pytest.approx(expected, rel=1e-12)


PIECES = [
    {"begin": 0.0, "end": 0.27, "EI": 0.05},
    strand.Stretch(begin=0.27, end=0.4, EI=(0.004, 0.02), GJ=0.03),
    {"begin": 0.81, "end": 1.0, "GJ": 0.002},
]
EI, GJ = 0.02, 0.01


def compliance(breaks: list[tuple[float, float, float]], begin: float, end: float) -> float:
    """Integral of 1 / stiffness, piece by piece (begin, end, stiffness)."""
    parts = [(max(a, begin), min(b, end), value) for a, b, value in breaks]
    return sum((b - a) / value for a, b, value in parts if b > a)


# The same pieces about y, about z and along x, written out.
ABOUT_Y = [(0, 0.27, 0.05), (0.27, 0.4, 0.004), (0.4, 1, EI)]
ABOUT_Z = [(0, 0.27, 0.05), (0.27, 1, EI)]
ALONG_X = [(0, 0.27, GJ), (0.27, 0.4, 0.03), (0.4, 0.81, GJ), (0.81, 1, 0.002)]


@pytest.mark.parametrize("links", (7, 10, 16))
def test_stretches_act_in_series(links: int) -> None:
    """Each joint has the compliance of the piecewise beam between the middles of its links."""
    described = strand.Cable(strand.straight(1.0, links), EI, GJ, stretches=PIECES, start="fixed")
    described.end, described.root, described.twist = "mocap", "end", "dynamic"
    described.curvature = "angle"  # every joint by itself
    model, data = cables.load(described)
    ends = [0, *((np.arange(links) + 0.5) / links), 1]
    joints = [*(f"cable_joint{k}" for k in range(links)), "cable_joint_clamp_end"]
    for k, joint in enumerate(joints):
        for axis, pieces in (([1, 0, 0], ALONG_X), ([0, 1, 0], ABOUT_Y), ([0, 0, 1], ABOUT_Z)):
            mujoco.mj_resetData(model, data)
            mujoco.mju_axisAngle2Quat(data.joint(joint).qpos, axis, 0.2)
            mujoco.mj_forward(model, data)
            expected = 0.5 * 0.04 / compliance(pieces, ends[k], ends[k + 1])
            assert strand.energy(model, data) == pytest.approx(expected, rel=1e-9)


def test_a_moment_turns_the_end_like_that_of_a_piecewise_beam() -> None:
    """Under an end couple the angles are M times the compliance, wherever the breaks are."""
    couple = 0.01
    turned = []
    for links in (7, 16):
        described = strand.Cable(strand.straight(1.0, links), EI, GJ, stretches=PIECES)
        described.start, described.gravity, described.loss_time = "fixed", (0, 0, 0), 0.5
        described.collide = False
        model, data = cables.load(described)
        last = model.body(f"cable_link{links - 1}").id
        data.xfrc_applied[last, 5] = couple
        cables.settle(model, data, seconds=60, speed=1e-6)
        angle = cables.angle_between(np.eye(3), cables.frames(model, data)[-1])
        expected = couple * compliance(ABOUT_Z, 0, 1 - 0.5 / links)
        assert angle == pytest.approx(expected, rel=1e-4)
        turned.append(angle)
    assert turned[0] != turned[1]


def test_stretches_with_moduli() -> None:
    fields = {"young": 1e7, "poisson": 0.4, "radius": 0.01}
    described = strand.Cable(strand.straight(1.0, 4), **fields, twist="dynamic", root="end")
    described.stretches = [{"begin": 0.5, "end": 1.0, "young": 3e7}]
    model, data = cables.load(described)
    second_moment = PI * 0.01**4 / 4
    for joint, young in (("cable_joint1", 1e7), ("cable_joint2", 1.5e7), ("cable_joint3", 3e7)):
        for axis, factor in (([0, 1, 0], 1.0), ([1, 0, 0], 1 / 1.4)):
            mujoco.mj_resetData(model, data)
            mujoco.mju_axisAngle2Quat(data.joint(joint).qpos, axis, 0.2)
            mujoco.mj_forward(model, data)
            expected = 0.5 * factor * young * second_moment / 0.25 * 0.04
            assert strand.energy(model, data) == pytest.approx(expected, rel=1e-12)
