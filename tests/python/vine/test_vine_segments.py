"""Obstacles that touch robots between their pins."""

from itertools import pairwise

import numpy as np
import pytest

from strand import vine
from strand.vine import published
from strand.vine.drawing import touched

LENGTH, DIAMETER = 0.3, 0.01
MATERIAL = vine.Material(EI=2e-3, bending_damping=5e-3, mass_per_length=0.05)


def on_post(
    segments: int = 15, radius: float = 0.004, x: float = 0.21, y: float = -0.012, **options
) -> vine.Robot:
    """A robot along +x, which falls on a post below it."""
    chain = vine.uniform_chain(MATERIAL, LENGTH, segments, diameter=DIAMETER)
    given = {"diameter": DIAMETER, "gravity": (0.0, -3.0)} | options
    return vine.Robot(chain, [vine.circle((x, y), radius)], **given)


def distance(line: np.ndarray, point: np.ndarray) -> float:
    """The smallest distance (m) of a point from a polygon, from its segments one by one."""
    least = np.inf
    for start, end in pairwise(line):
        along = end - start
        share = np.clip((point - start) @ along / (along @ along), 0, 1)
        least = min(least, float(np.linalg.norm(point - start - share * along)))
    return least


@pytest.mark.parametrize("segments", [6, 15, 30])
@pytest.mark.parametrize("radius", [0.0005, 0.003, 0.004])
def test_a_thin_post_stops_a_falling_robot(radius: float, segments: int) -> None:
    robot = on_post(segments, radius)
    for _ in range(300):
        report = robot.step(0.0)
        assert report.ok, robot.describe(report)
        gap = distance(robot.line, np.array([0.21, -0.012])) - radius - DIAMETER / 2
        assert gap > -2e-9
        assert report.least_gap == pytest.approx(gap, abs=1e-8)
    assert robot.check().least_gap == pytest.approx(gap, abs=1e-8)
    assert len(robot.contacts) > 0


def at_rest(robot: vine.Robot) -> vine.Robot:
    for _ in range(4000):
        assert robot.step(0.0).ok
    assert np.abs(robot.v).max() < 1e-7
    return robot


def test_at_rest_joints_balance_weight_and_post() -> None:
    segments = 15
    robot = at_rest(on_post(segments, x=0.2137))
    ((place, _, impulse, friction, *normal),) = robot.contacts
    assert place != int(place)
    assert friction == 0
    start, share = int(place + 1), (place + 1) % 1
    axis = (1 - share) * robot.line[start] + share * robot.line[start + 1]
    forces = [(axis, impulse / robot.dt * np.array(normal))]
    mass = MATERIAL.mass_per_length * LENGTH / segments / 2
    forces += [(centre, mass * np.array([0.0, -3.0])) for centre in robot.q[:, :2]]
    owners = np.append(start, np.repeat(np.arange(segments), 2))
    headings = robot.q[:, 2]
    bent = headings[::2] - np.append(0.0, headings[1:-1:2])
    stiffness = np.full(segments, MATERIAL.EI / (LENGTH / segments))
    stiffness[0] *= 2  # the clamp's joint (uniform_chain)
    wanted = np.zeros(segments)
    for joint in range(segments):
        for owner, (at, force) in zip(owners, forces, strict=True):
            if owner >= joint:
                x, y = at - robot.line[joint]
                wanted[joint] += x * force[1] - y * force[0]
    np.testing.assert_allclose(stiffness * bent, wanted, atol=1e-5 * np.abs(wanted).max(), rtol=0)


def test_the_force_of_the_post_does_not_depend_on_segments() -> None:
    forces = [at_rest(on_post(n)).contacts[:, 2].sum() / 0.01 for n in (10, 20, 40)]
    coarse, fine = np.abs(np.diff(forces))
    assert fine < 0.5 * coarse
    assert np.ptp(forces) < 0.02 * forces[-1]


def test_a_corner_carries_a_robot_that_hangs_over_it() -> None:
    corner = np.array([0.153, -DIAMETER / 2 - 1e-4])
    for segments in (10, 15, 40):
        chain = vine.uniform_chain(MATERIAL, LENGTH, segments, diameter=DIAMETER)
        box = vine.box((-0.1, corner[1] - 0.3), (0.253, 0.3))
        robot = vine.Robot(chain, [box], diameter=DIAMETER, gravity=(0.0, -2.0))
        for _ in range(400):
            assert robot.step(0.0).ok
            assert distance(robot.line, corner) > DIAMETER / 2 - 2e-9


def test_a_tip_grows_past_a_post() -> None:
    centre, radius = np.array([0.2, 0.01]), 0.03
    chain = vine.uniform_chain(MATERIAL, 0.1, 5, diameter=DIAMETER, capacity=40)
    robot = vine.Robot(
        chain,
        [vine.circle(centre, radius)],
        diameter=DIAMETER,
        friction=0.3,
        growth="tip",
        material=MATERIAL,
        segment=0.02,
    )
    for _ in range(500):
        report = robot.step(0.04)
        assert report.ok, robot.describe(report)
        assert distance(robot.line, centre) > radius + DIAMETER / 2 - 2e-9
    assert robot.length == pytest.approx(0.3, abs=1e-8)


def test_contacts_are_drawn_on_the_post() -> None:
    robot = on_post()
    robot.run(300)
    places = touched(robot.obstacles, robot.line, robot.contacts, DIAMETER / 2)
    for place in places:
        assert np.linalg.norm(place - [0.21, -0.012]) == pytest.approx(0.004, abs=1e-9)


def test_the_published_step_touches_points_only() -> None:
    compat = published.COMPAT | {"implicit_bending": True}  # explicit bending needs shorter steps
    for options in ({"mode": "single_qp"}, {"segment_contact": False}, compat):
        robot = on_post(**options)
        robot.run(300)
        assert distance(robot.line, np.array([0.21, -0.012])) > 0.009  # it is below the post
        assert robot.tip[1] < -0.05
        assert robot.check().least_gap > 0


def grown(chain: vine.Chain, **options) -> float:
    """The tip's deflection (m) under a small weight, after growth from 0.2 m to 0.4 m."""
    robot = vine.Robot(chain, diameter=DIAMETER, gravity=(0.0, -0.02), **options)
    assert all(report.ok for report in robot.run(400, growth=0.05).reports)
    robot.run(4000)
    assert robot.length == pytest.approx(0.4, abs=1e-8)
    return robot.tip[1]


def test_a_robot_of_a_material_keeps_it_when_it_telescopes() -> None:
    long = vine.uniform_chain(MATERIAL, 0.4, 20, diameter=DIAMETER)
    born = vine.Robot(long, diameter=DIAMETER, gravity=(0.0, -0.02))
    born.run(4000)
    short = vine.uniform_chain(MATERIAL, 0.2, 20, diameter=DIAMETER)
    weight = 0.02 * MATERIAL.mass_per_length
    assert born.tip[1] == pytest.approx(-weight * 0.4**4 / 8 / MATERIAL.EI, rel=5e-3)
    assert grown(short) == pytest.approx(born.tip[1], rel=1e-5)
    # The bodies of the paper keep their masses and their joints' stiffnesses.
    body = MATERIAL.mass_per_length * 0.2 / 40
    per_joint = np.array([2.0] + [1.0] * 19) / 0.01  # 1/m; the clamp's joint is half as long
    stiffness, damping = MATERIAL.EI * per_joint, MATERIAL.bending_damping * per_joint
    given = vine.chain(20, 0.0025, body, 1e-9, stiffness, damping)
    assert grown(given) == pytest.approx(born.tip[1] / 4, rel=0.01)


def test_natural_curvature_is_kept_and_pairs_retract() -> None:
    curved = vine.Material(EI=2e-3, bending_damping=1e-4, mass_per_length=0.05, curvature=4.0)
    robot = vine.Robot(vine.uniform_chain(curved, 0.2, 20, diameter=DIAMETER), diameter=DIAMETER)
    robot.run(200, growth=0.1)
    robot.run(4000)
    turned = robot.q[-1, 2] + 4.0 * 0.4 / 20 / 2  # the tip's half segment has no joint
    assert turned == pytest.approx(4.0 * 0.4, rel=1e-6)
    state = robot.q, robot.v
    robot.run(100, growth=-0.1)
    assert robot.length == pytest.approx(0.3, abs=1e-8)
    robot.set_state(*state)
    assert robot.check().joint_error < 1e-9
    assert robot.step(0.0).ok and robot.length == pytest.approx(0.4, abs=1e-8)
    report = robot.run(1000, growth=-0.1).reports[-1]
    assert not report.ok and robot.describe(report) == "nothing left to retract"
