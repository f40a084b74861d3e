"""Rods that are connected at a node turn like parts of a stiff hub."""

from collections.abc import Sequence

import numpy as np
import pytest

from strand.simulation import Network, Rod, Simulation, bodies

YOUNG, POISSON, LENGTH, LOAD = 1e7, 0.3, 1.0, 1e-4
RADIUS = 0.005
ROUND = {"young": YOUNG, "poisson": POISSON, "density": 1000.0, "radius": RADIUS}
HUB = {"mass": 1e-4, "shape": bodies.sphere(1e-3)}


def arm(angle: float, length: float, edges: int = 1) -> np.ndarray:
    """Nodes (m) of a straight rod in the plane x, y, from the middle of the long one."""
    along = np.array([np.cos(angle), np.sin(angle), 0.0])
    return np.array([LENGTH / 2, 0, 0]) + np.outer(np.linspace(0, length, edges + 1), along)


def long_rod(links: int) -> np.ndarray:
    return np.outer(np.linspace(0, LENGTH, links + 1), [1.0, 0, 0])


def connected(links: int, stubs: Sequence[float], radius: float = RADIUS) -> tuple[Network, Rod]:
    """A straight rod with a stub of one edge for each angle (degrees) at its middle."""
    network = Network()
    rod = network.rod(long_rod(links), **ROUND)
    for angle in np.radians(stubs):
        stub = network.rod(arm(angle, LENGTH / links), **ROUND | {"radius": radius})
        network.connect(rod, links // 2, stub, 0)
    return network, rod


def tip(network: Network, rod: Rod, force: Sequence[float] = (0, 0, 0), **options: str):
    """Displacement (m) of the end of a rod that is clamped at its start, pulled by a force (N)."""
    network.clamp(rod, "start")
    simulation = Simulation(network, gravity=(0, 0, 0), **options)
    node = rod.nodes[-1]
    before = simulation.positions[node].copy()
    simulation.load_node(node, force)
    simulation.solve()
    return simulation.positions[node] - before


@pytest.mark.parametrize("links", [4, 20])
@pytest.mark.parametrize("stubs", [(90,), (45,), (135,), (90, -90), (30, -150), (60, 90, -70)])
@pytest.mark.parametrize("radius", [RADIUS, 0.002, 0.009])
def test_stubs_do_not_stiffen_a_rod_in_their_plane(links, stubs, radius) -> None:
    force = (0, LOAD, 0)
    alone = tip(*connected(links, ()), force)
    assert tip(*connected(links, stubs, radius), force) == pytest.approx(alone, rel=1e-9, abs=1e-12)


def test_pairs_do() -> None:
    """Joints of full stiffness side by side: 3/2 of the stiffness there."""
    force, links = (0, LOAD, 0), 20
    alone = tip(*connected(links, ()), force)[1]
    pairs = tip(*connected(links, (90,)), force, junctions="pairs")[1]
    share = 3 / LENGTH**3 * (LENGTH / 2) ** 2 * LENGTH / links  # of the deflection by this joint
    assert pairs / alone == pytest.approx(1 - share / 3, rel=1e-3)


@pytest.mark.parametrize("stubs", [(90,), (45,), (90, -90)])
def test_out_of_the_plane_the_error_is_of_first_order_and_small(stubs) -> None:
    force = (0, 0, LOAD)
    errors = {}
    for links in (10, 20):
        alone = tip(*connected(links, ()), force)[2]
        errors[links] = tip(*connected(links, stubs), force)[2] / alone - 1
        pairs = tip(*connected(links, stubs), force, junctions="pairs")[2] / alone - 1
        assert 0.5 * pairs < errors[links] < 0
    assert errors[20] == pytest.approx(errors[10] / 2, rel=0.02)


@pytest.mark.parametrize("radii", [(0.005, 0.005), (0.005, 0.003), (0.003, 0.007)])
@pytest.mark.parametrize("angles", [(90, 0), (50, -50), (120, -20)])
def test_a_frame_bends_like_one_joined_by_a_body(radii, angles) -> None:
    """Y of three rods of different thickness: each bends half an edge against the body."""
    links = 8

    def made(by_body: bool) -> tuple[Network, Rod, Rod]:
        network = Network()
        stem = network.rod(long_rod(links)[: links // 2 + 1], **ROUND)
        first, second = (
            network.rod(arm(np.radians(a), 0.4, 5), **ROUND | {"radius": r})
            for a, r in zip(angles, radii, strict=True)
        )
        if by_body:
            body = network.body(**HUB, position=(LENGTH / 2, 0, 0))
            network.attach_to_body(stem, -1, body, "rigid")
            network.attach_to_body(first, 0, body, "rigid")
            network.attach_to_body(second, 0, body, "rigid")
        else:
            network.connect(stem, -1, first, 0)
            network.connect(stem, -1, second, 0)
        network.clamp(stem, "start")
        return network, first, second

    moved = []
    for by_body in (False, True):
        network, first, second = made(by_body)
        simulation = Simulation(network, gravity=(0, 0, 0))
        ends = [first.nodes[-1], second.nodes[-1]]
        before = simulation.positions[ends]
        simulation.load_node(ends[0], (0, LOAD, 0))
        simulation.load_node(ends[1], (-LOAD, 2 * LOAD, 0))
        simulation.solve()
        moved.append(simulation.positions[ends] - before)
    assert moved[0] == pytest.approx(moved[1], rel=1e-4, abs=1e-6)


def test_ball_joints_leave_a_rod_alone() -> None:
    network, rod = connected(10, ())
    stub = network.rod(arm(1.0, 0.1), **ROUND)
    network.connect(rod, 5, stub, 0, EI=0.0, GJ=0.0)
    simulation = Simulation(network, gravity=(0, 0, 0))
    found = [simulation.core.joint_stiffness(joint).EI for joint in rod.joints]
    assert found == [found[0]] * len(rod.joints)


def test_a_joint_that_gets_a_stiffness_leaves_the_hub() -> None:
    """The other two are then springs in series, of the full stiffness."""
    network, rod = connected(10, (90,))
    joints = [rod.joints[4], *range(network.core.joints - 2, network.core.joints)]
    whole = Simulation(connected(10, (90,))[0], gravity=(0, 0, 0))
    alone = YOUNG * np.pi * RADIUS**4 / 4
    stiffness = [whole.core.joint_stiffness(joint).EI[0] / alone for joint in joints]
    assert stiffness == pytest.approx([2 / 3] * 3)
    network.set_joint_stiffness(joints[1], alone, alone)
    changed = Simulation(network, gravity=(0, 0, 0))
    stiffness = [changed.core.joint_stiffness(joint).EI[0] / alone for joint in joints]
    assert stiffness == pytest.approx([1] * 3)


def test_other_ways_of_joining_are_refused() -> None:
    network, _ = connected(4, (90,))
    with pytest.raises(Exception, match="junctions: got 'star', allowed: hub, pairs"):
        Simulation(network, junctions="star")
