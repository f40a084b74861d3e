"""Growing robots in Python: the wrapper; the mechanics are tested in C++."""

import inspect
import os
from pathlib import Path

import numpy as np
import pytest
from support.bad_arguments import BAD, expect_no_foreign_error

from strand import StrandError, vine
from strand.vine.drawing import touched

DATA = os.environ.get("STRAND_DATA")
MATERIAL = vine.Material(EI=2e-3, bending_damping=5e-3, mass_per_length=0.05)


def published(**options):
    chain = vine.chain(15, 0.1 / 15, 1e-3, 2e-4, stiffness=0.5, damping=3e-5)
    return vine.Robot(chain, [vine.circle((0.47, 0.025), 0.06)], **options)


@pytest.mark.skipif(not DATA, reason="STRAND_DATA is not set")
def test_published_step_follows_the_reference():
    robot = published(mode="single_qp", implicit_bending=False, corner_normal="published")
    path = Path(DATA) / "vine_reference" / "runtime30_state.csv.gz"
    reference = np.loadtxt(path, delimiter=",", skiprows=1)
    trajectory = robot.run(399, growth=0.04)
    q = np.array(trajectory.q)
    positions = reference[:, 2:92].reshape(400, 30, 3)
    assert np.abs(1e3 * q[:, :, :2] - positions[:, :, :2]).max() < 1e-6
    assert np.abs(q[:, :, 2] - positions[:, :, 2]).max() < 1e-8
    assert sum(len(rows) for rows in trajectory.contacts) == 344


def test_default_holds_gaps_and_joints():
    robot = published()
    trajectory = robot.run(200, growth=0.04)
    assert all(report.ok for report in trajectory.reports)
    assert robot.check().least_gap >= -1e-9
    assert robot.check().joint_error <= 1e-9
    assert robot.length == pytest.approx(0.4 + 0.04 * 2, abs=1e-9)
    assert trajectory.contacts[-1].shape == (1, 6)
    assert robot.energy[1] > 0
    # A copy of the state continues identically.
    copy = published(q=trajectory.q[100], v=trajectory.v[100])
    assert np.allclose(copy.run(100, growth=0.04).q[-1], robot.q, atol=1e-9)


def test_a_tip_grows_and_is_steered():
    chain = vine.uniform_chain(MATERIAL, 0.1, 5, diameter=0.01, capacity=30)
    robot = vine.Robot(chain, growth="tip", material=MATERIAL, segment=0.02, diameter=0.01)
    assert all(report.ok for report in robot.run(500, growth=0.04).reports)
    assert robot.length == pytest.approx(0.3, abs=1e-8)
    assert robot.pairs == 15
    assert robot.points.shape == (15, 2)
    robot.steer(np.full(15, 0.05))
    assert all(report.ok for report in robot.run(200).reports)
    assert robot.tip[1] > 0.05


def test_contacts_are_drawn_where_obstacles_are_touched():
    robot = published()
    robot.run(200, growth=0.04)
    contacts = robot.contacts
    assert len(contacts)
    places = touched(robot.obstacles, robot.line, contacts, robot.diameter / 2)
    count = np.arange(-1, robot.pairs)  # places of the base and the points
    for place, (at, obstacle) in zip(places, contacts[:, :2], strict=True):
        gap, _, _ = robot.obstacles[int(obstacle)].gap(place[None])
        assert gap == pytest.approx(0, abs=1e-12)
        axis = [np.interp(at, count, robot.line[:, k]) for k in (0, 1)]
        off = np.linalg.norm(place - axis)
        assert off == pytest.approx(robot.diameter / 2, abs=1e-8)


def test_a_robot_that_cannot_grow_reports_it():
    chain = vine.uniform_chain(MATERIAL, 0.1, 5, diameter=0.01, capacity=6)
    robot = vine.Robot(chain, growth="tip", material=MATERIAL, segment=0.02, diameter=0.01)
    report = robot.run(1000, growth=0.04).reports[-1]
    assert not report.ok and report.status == "full"
    assert robot.describe(report) == "no room for another segment: 6 are all"


def material(EI=1.0, bending_damping=1.0, mass_per_length=1.0, curvature=0.0) -> vine.Chain:
    made = vine.Material(EI, bending_damping, mass_per_length, curvature)
    return vine.uniform_chain(made, 0.1, 5)


def robot(**options) -> vine.Robot:
    chain = vine.uniform_chain(MATERIAL, 0.1, 5, diameter=0.01, capacity=30)
    tip = {"growth": "tip", "material": MATERIAL, "segment": 0.02, "diameter": 0.01}
    return vine.Robot(**{"chain": chain} | tip | options)


def moved(growth=0.01, natural_angle=(0.0,) * 5, q=None, v=None) -> None:
    made = robot()
    made.steer(natural_angle)
    made.set_state(made.q if q is None else q, made.v if v is None else v)
    made.run(1, growth)


CHAIN = {"half_length": 0.1, "mass": 1.0, "inertia": 1.0, "stiffness": 1.0, "damping": 1.0}
MADE = [
    (material, {}),
    (moved, {}),
    (robot, {}),
    (vine.uniform_chain, {"material": MATERIAL, "length": 0.1, "segments": 5}),
    (vine.chain, {"pairs": 3} | CHAIN),
    (vine.circle, {"centre": (0, 0), "radius": 1.0}),
    (vine.box, {"corner": (0, 0), "size": (1, 1)}),
    (vine.polygon, {"vertices": [[0, 0], [1, 0], [0, 1]]}),
]


@pytest.mark.parametrize(("make", "right"), MADE, ids=[make.__name__ for make, _ in MADE])
def test_every_argument(make, right):
    make(**right)
    for name in inspect.signature(vine.Robot if make is robot else make).parameters:
        for value in BAD:
            expect_no_foreign_error(lambda name=name, value=value: make(**right | {name: value}))


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: vine.circle((0, 0), -1), "radius: got '-1', allowed: finite numbers > 0"),
        (lambda: vine.circle((0, 0, 0), 1), "centre: got '(0, 0, 0)', allowed: 2 numbers"),
        (lambda: vine.polygon([[0, 0], [1, 0]]), "vertices: got '2', allowed: three or more"),
        (lambda: published(mode="two"), "mode: got 'two', allowed:"),
        (lambda: published(dt=-1), "dt: got '-1', allowed: finite numbers > 0"),
        (lambda: published().step([1.0]), "growth: got '1 numbers'"),
        (lambda: published(q=np.zeros((30, 2))), r"q: got shape (30, 2), allowed: (bodies, 3)"),
        (lambda: vine.chain(3, [1, 2], 1, 1, 1, 1), "half_length: got shape (2,)"),
        (lambda: vine.Material(EI=-1), "EI: got -1, allowed: a number >= 0 (N m^2)"),
        (lambda: vine.Material(EI=1, mass_per_length=0), "mass_per_length: got 0, allowed:"),
        (
            lambda: vine.uniform_chain(vine.Material(EI=1), 1.0, segments=10**11),
            "segments: got 100000000000, allowed: an integer, at least 1, at most 10000000",
        ),
    ],
)
def test_bad_input_is_named(make, words):
    with pytest.raises(StrandError) as error:
        make()
    assert words in str(error.value)
