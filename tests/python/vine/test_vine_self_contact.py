"""Growing robots that touch themselves."""

import numpy as np
import pytest

from strand import vine
from strand.errors import StrandError
from strand.vine.drawing import touched

DIAMETER, LENGTH, SEGMENTS = 0.02, 0.3, 30
MATERIAL = vine.Material(EI=2e-3, bending_damping=2e-3, mass_per_length=0.05)


def robot(segments: int = SEGMENTS, **options) -> vine.Robot:
    chain = vine.uniform_chain(MATERIAL, length=LENGTH, segments=segments, diameter=DIAMETER)
    return vine.Robot(chain, **{"diameter": DIAMETER} | options)


def curl(made: vine.Robot, steps: int = 500) -> float:
    """Steers all but the first sixth to an unreachable circle of 33 mm. Returns the least gap."""
    joints, least = made.pairs, np.inf
    natural = np.zeros(joints)
    for step in range(steps):
        natural[joints // 6 :] = min(1, step / 300) * 9.0 / joints
        made.steer(natural)
        report = made.step(0.0)
        assert report.ok, made.describe(report)
        least = min(least, report.least_gap)
    return least


def least_distance(line: np.ndarray, beside: float) -> float:
    """Smallest distance (m) of points of a line that are more than `beside` apart along it."""
    arc = np.append(0, np.cumsum(np.linalg.norm(np.diff(line, axis=0), axis=1)))
    apart = np.linalg.norm(line[:, None] - line, axis=-1)
    return apart[np.abs(arc[:, None] - arc) > beside].min()


@pytest.mark.parametrize("friction", [0.0, 0.5])
def test_it_does_not_pass_through_itself(friction: float) -> None:
    made = robot(friction=friction)
    assert curl(made) > -1e-9
    assert least_distance(made.line, 2 * DIAMETER) > 0.99 * DIAMETER
    assert len(made.contacts) > 0
    through = robot(friction=friction, self_contact=False)
    curl(through)
    assert least_distance(through.line, 2 * DIAMETER) < 0.5 * DIAMETER


def test_at_rest_joints_balance_contact_forces() -> None:
    made = robot()
    curl(made, 3000)
    natural = np.zeros(made.pairs)
    natural[made.pairs // 6 :] = 9.0 / made.pairs
    headings = made.q[:, 2]
    bent = headings[::2] - np.append(0.0, headings[1:-1:2]) - natural
    stiffness = MATERIAL.EI / (LENGTH / SEGMENTS)
    wanted = np.zeros(made.pairs)
    assert len(made.contacts) > 0
    for point, segment, impulse, _, *normal in made.contacts:
        force = impulse / made.dt * np.array(normal)
        place = made.line[int(point) + 1] - DIAMETER / 2 * np.array(normal)
        for joint in range(made.pairs):
            x, y = place - made.line[joint]
            beyond = (joint <= point) - float(joint <= segment)
            wanted[joint] += beyond * (x * force[1] - y * force[0])
    # The first joint is half as long as the others (uniform_chain), and does not bend here.
    np.testing.assert_allclose(
        stiffness * bent[1:], wanted[1:], atol=1e-3 * np.abs(wanted).max(), rtol=0
    )


def test_contact_forces_do_not_depend_on_segments() -> None:
    forces, bending = [], []
    for segments in (30, 60, 120):
        made = robot(segments)
        curl(made, 1500)
        forces.append(made.contacts[:, 2].sum() / made.dt)
        bending.append(made.energy[1])
    assert np.ptp(forces) < 0.04 * np.mean(forces)
    coarse, fine = -np.diff(bending)
    assert 0 < fine < 0.5 * coarse


def test_a_tip_that_grows_into_its_own_side_turns_along_it() -> None:
    material = vine.Material(EI=2e-4, bending_damping=1e-4, mass_per_length=0.05, curvature=25.0)
    chain = vine.uniform_chain(material, length=0.05, segments=5, diameter=0.02, capacity=80)
    made = vine.Robot(chain, growth="tip", material=material, segment=0.01, diameter=0.02)
    least, touching = np.inf, 0
    for _ in range(800):
        report = made.step(0.05)
        assert report.ok, made.describe(report)
        least, touching = min(least, report.least_gap), touching + (report.contacts > 0)
    assert made.length == pytest.approx(0.45, abs=1e-6)
    assert touching > 200
    assert least > -1e-9
    assert least_distance(made.line, 0.04) > 0.99 * 0.02


def test_energy_is_not_gained() -> None:
    made = robot()
    curl(made, 320)
    energies = []
    for _ in range(200):
        assert made.step(0.0).ok
        energies.append(sum(made.energy))
    assert np.diff(energies).max() < 1e-6 * energies[0]


def test_contacts_name_its_segments_and_are_drawn_on_its_skin() -> None:
    made = robot(obstacles=[vine.circle((0.0, -1.0), 0.1)])
    curl(made)
    point, other = made.contacts[0, :2].astype(int)
    start, end = made.line[other - 1], made.line[other]  # object 0 is the circle
    assert point > other
    (place, *_) = touched(made.obstacles, made.line, made.contacts, DIAMETER / 2)
    along = (end - start) / np.linalg.norm(end - start)
    across = np.linalg.det([along, place - start])
    assert abs(across) == pytest.approx(DIAMETER / 2, rel=1e-3)


def test_the_published_step_passes_through_itself() -> None:
    assert curl(robot(mode="single_qp")) == np.inf
    with pytest.raises(StrandError, match="self_contact: got 'true', allowed: false in mode"):
        robot(mode="single_qp", self_contact=True)


def test_a_start_that_overlaps_is_named() -> None:
    loop = robot(self_contact=False)
    curl(loop)
    chain = vine.uniform_chain(MATERIAL, length=LENGTH, segments=SEGMENTS, diameter=DIAMETER)
    with pytest.raises(StrandError, match=r"contact point \d+ and the robot's own segment \d+"):
        vine.Robot(chain, diameter=DIAMETER, q=loop.q)
