"""Stresses and bend radii of a cable along its length compared with closed forms."""

import re

import mujoco
import numpy as np
import pytest
from support import cables
from support.engine import needs_discrete

import strand
from strand import StrandError

PI = np.pi
L, LINKS = 0.4, 8
YOUNG, SHEAR = 2e9, 7e8
R, HOLE, A, B = 0.004, 0.003, 0.016, 0.008  # m: radius, inner radius; width, height
J = PI / 2 * (R**4 - HOLE**4)
# Options, area (m^2), half-sizes (m) along y and z, torsion constant and modulus (m^4, m^3). The
# rectangle's of a ratio of 2 are Timoshenko & Goodier's k_1 and k_2 (art. 109), three digits.
SECTIONS = {
    "circle": ({"radius": R}, PI * R**2, (R, R), PI / 2 * R**4, PI / 2 * R**3),
    "tube": (
        {"radius": R, "inner_radius": HOLE},
        PI * (R**2 - HOLE**2),
        (R, R),
        J,
        J / R,
    ),
    "box": ({"width": A, "height": B}, A * B, (A / 2, B / 2), 0.229 * A * B**3, 0.246 * A * B**2),
    "ellipse": (
        {"width": A, "height": B},
        PI * A * B / 4,
        (A / 2, B / 2),
        PI / 16 * A**3 * B**3 / (A**2 + B**2),
        PI / 16 * A * B**2,
    ),
}
every_section = pytest.mark.parametrize("section", SECTIONS)


def cable(section: str = "circle", **fields) -> strand.Cable:
    # Hanging from its start, so that a load at its end pulls along it.
    hanging = {"nodes": strand.straight(L, LINKS)[:, [1, 2, 0]] * [1, 1, -1]}
    stiffness = {"young": YOUNG, "shear": SHEAR, "twist": "dynamic", "root": "end"}
    own = SECTIONS[section][0]
    held = {"section": section, "start": "fixed"}
    return strand.Cable(**(hanging | stiffness | own | held | fields))


def turned(described: strand.Cable, axis: list[float], angle: float):
    """The cable with every joint between links turned by the same angle."""
    model, data = cables.load(described)
    for k in range(1, LINKS):
        mujoco.mju_axisAngle2Quat(data.joint(f"cable_joint{k}").qpos, np.array(axis), angle)
    mujoco.mj_forward(model, data)
    return model, data


@every_section
def test_bending(section: str) -> None:
    """sigma = E c kappa of the outer fibre; about both axes it depends on the section's shape."""
    _, _, (y, z), _, _ = SECTIONS[section]
    curvature = 0.03 / (L / LINKS)
    for axis, expected in (([0, 1, 0], z), ([0, 0, 1], y)):
        found = strand.profile(*turned(cable(section), axis, 0.03))
        inner = slice(1, None)  # the joint at the clamp is straight
        assert found.bending_stress[inner] == pytest.approx(YOUNG * expected * curvature, rel=1e-9)
        assert found.bending_stress[0] == pytest.approx(0, abs=1e-3)
        assert found.torsion_stress == pytest.approx(np.zeros(LINKS), abs=1e-3)
        assert found.smallest_bend_radius == pytest.approx(1 / curvature, rel=1e-9)
    found = strand.profile(*turned(cable(section), [0, 0.6, 0.8], 0.03))
    parts = YOUNG * curvature * np.array([0.6 * z, 0.8 * y])
    together = parts.sum() if section == "box" else np.linalg.norm(parts)
    # Each adjacent link sees the axis rotated by an angle whose effect is of second order.
    assert found.bending_stress[inner] == pytest.approx(together, rel=1e-4)


@every_section
def test_torsion_and_a_hanging_weight(section: str) -> None:
    """tau = T / W for the torque G J theta / l, F / A for the weight below, von Mises for both."""
    _, area, _, constant, modulus = SECTIONS[section]
    model, data = turned(cable(section, density=900), [1, 0, 0], 0.02)
    load = 25.0
    data.xfrc_applied[model.body(f"cable_link{LINKS - 1}").id, 2] = -load
    found = strand.profile(model, data)
    torque = SHEAR * constant * 0.02 / (L / LINKS)
    digits = 4e-3 if section == "box" else 1e-9  # of the table
    assert np.abs(found.torque[1:]) == pytest.approx(torque, rel=digits)
    assert found.torsion_stress[1:] == pytest.approx(torque / modulus, rel=digits)
    assert found.bending_stress == pytest.approx(np.zeros(LINKS), abs=1e-3)
    below = L - found.joint_arclength
    assert found.axial_stress == pytest.approx(load / area + 900 * 9.81 * below, rel=1e-6)
    shear = found.torsion_stress
    assert found.von_mises_stress == pytest.approx(np.hypot(found.axial_stress, 3**0.5 * shear))
    assert found.smallest_bend_radius > 1e6


def test_a_straight_cable_has_no_bend_radius() -> None:
    model, data = cables.load(strand.Cable(strand.straight(L, LINKS), 1, 1))
    assert strand.profile(model, data).smallest_bend_radius == np.inf


@needs_discrete
def test_a_cantilever_with_a_load_at_its_tip() -> None:
    """M (L - s) c / I along the cable, and F / A for a load that compresses it."""
    described = cable(nodes=strand.straight(L, LINKS), gravity=(0, 0, 0), loss_time=0.1)
    model, data = cables.load(described)
    across, push = 0.002, 0.005  # N: small, because the load follows the bending
    last = model.body(f"cable_link{LINKS - 1}").id
    data.xfrc_applied[last, :3] = -push, 0, -across
    data.xfrc_applied[last, 4] = across * L / LINKS / 2  # moves the load to the tip
    cables.settle(model, data, seconds=30, speed=1e-8)
    found = strand.profile(model, data)
    second_moment = PI * R**4 / 4
    bending = across * (L - found.joint_arclength) * R / second_moment
    assert found.bending_stress == pytest.approx(bending, rel=2e-3)
    axial = np.full(LINKS, -push / (PI * R**2))
    assert found.axial_stress == pytest.approx(axial, rel=1e-3)
    assert found.von_mises_stress == pytest.approx(bending - axial, rel=2e-3)


def test_where_forces_are_unknown_stresses_of_moments_are_known() -> None:
    model, data = turned(cable(), [0, 1, 0], 0.03)
    model.opt.density = 1.2
    found = strand.profile(model, data)
    assert np.isfinite(found.bending_stress).all()
    assert np.isfinite(found.torsion_stress).all()
    assert np.isnan(found.axial_stress).all()
    assert np.isnan(found.von_mises_stress).all()


def test_a_cable_without_sections() -> None:
    described = strand.Cable(strand.arc(L, 1.0, LINKS), 0.1, 0.1, rest="straight")
    bare = re.sub(r"<geom[^>]*/>", "", described.to_mjcf(), count=2)
    model = mujoco.MjModel.from_xml_string(bare)
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    found = strand.profile(model, data)
    assert found.smallest_bend_radius == pytest.approx(L / 1.0, rel=0.02)
    for name in ("bending_stress", "torsion_stress", "axial_stress", "von_mises_stress"):
        with pytest.raises(StrandError, match=r"radius: got 'nothing, and link 'cable_link\d'"):
            getattr(found, name)


def test_the_weaker_of_two_links_gives_the_stress() -> None:
    radii = [0.004, 0.004, 0.003, 0.003, 0.003, 0.003, 0.003, 0.003]
    found = strand.profile(*turned(cable(radius=radii, young=None, shear=None, EI=0.5, GJ=0.5),
                                   [0, 1, 0], 0.03))  # fmt: skip
    moment = 0.5 * 0.03 / (L / LINKS)
    outer = 4 * moment / PI / np.array([0.004, *[0.003] * 6]) ** 3
    assert found.bending_stress[1:] == pytest.approx(outer, rel=1e-9)


def test_a_number_of_sections_that_fits_no_link() -> None:
    described = cable(keys={"section": "circle .004 tube .004 .003"})
    with pytest.raises(StrandError, match=r"section: got .2 sections., allowed: 1, .*: 8"):
        described.to_mjcf()
