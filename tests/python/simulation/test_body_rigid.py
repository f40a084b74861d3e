"""Rods attached rigidly to bodies, and couples on bodies, compared with beam theory."""

import numpy as np
import pytest
from support.checkpoints import assert_continues_bitwise

from strand.errors import StrandError
from strand.simulation import Network, Simulation, bodies

STILL = (0.0, 0.0, 0.0)
EI, GJ, LENGTH = 0.02, 0.015, 0.5


def held_rod(count=20, body_mass=0.3, gravity=STILL, **options):
    """A rod along x, clamped at its start, with a box attached rigidly at its end."""
    network = Network()
    rod = network.rod(
        np.linspace((0, 0, 0), (LENGTH, 0, 0), count + 1),
        EI=EI,
        GJ=GJ,
        EA=1e5,
        mass_per_length=1e-3,
        radius=4e-3,
    )
    box = network.body(
        bodies.box((0.04, 0.06, 0.05)), mass=body_mass, position=(LENGTH + 0.02, 0, 0)
    )
    network.attach_to_body(rod, -1, box, joint="rigid")
    network.clamp(rod, "start")
    return Simulation(network, gravity=gravity, **options), rod, box


def turned_by(rotation):
    """The rotation vector of a rotation matrix (rad)."""
    axis = np.array(
        [
            rotation[2, 1] - rotation[1, 2],
            rotation[0, 2] - rotation[2, 0],
            rotation[1, 0] - rotation[0, 1],
        ]
    )
    sine = np.linalg.norm(axis) / 2
    return axis / (2 * sine) * np.arctan2(sine, (np.trace(rotation) - 1) / 2)


@pytest.mark.parametrize("axes", ["world", "body"])
@pytest.mark.parametrize(("along", "stiffness"), [(0, GJ), (1, EI), (2, EI)])
def test_a_couple_bends_or_twists_the_rod(axes, along, stiffness):
    """Pure bending: M L / EI; pure torsion: M L / GJ."""
    sim, rod, box = held_rod()
    couple = 0.03 * np.eye(3)[along]
    sim.solve(steps=4, ramp=lambda load: sim.load_body_torque(box, load * couple, axes))
    expected = couple * LENGTH / stiffness
    assert turned_by(sim.pose(box)[1]) == pytest.approx(expected, abs=1e-5 * expected.max())
    # The axis of the couple is the rod's own axis or one that bending does not change.
    assert sim.clamp_moments[rod.nodes[0]] == pytest.approx(-couple, abs=1e-6)


def test_a_rod_on_a_fixed_body_is_a_cantilever():
    """Like a rod that is clamped."""
    tips = []
    for on_body in (False, True):
        network = Network()
        rod = network.rod(
            np.linspace((0, 0, 0), (LENGTH, 0, 0), 21),
            EI=EI,
            GJ=GJ,
            EA=1e5,
            radius=4e-3,
            mass_per_length=0.1,
        )
        if on_body:
            body = network.body(bodies.sphere(0.05), mass=1.0, position=(-0.05, 0, 0))
            network.attach_to_body(rod, 0, body, joint="rigid")
        else:
            network.clamp(rod, "start")
        sim = Simulation(network)
        if on_body:
            sim.fix_body(body)
        else:
            sim.fix_node(rod.nodes[0])
        sim.solve(steps=2, ramp=lambda load, sim=sim: sim.set_gravity((0, 0, -9.81 * load)))
        tips.append(sim.positions[rod.nodes[-1]])
    assert tips[0][2] < -0.1
    assert tips[1] == pytest.approx(tips[0], abs=1e-5)


@pytest.mark.parametrize("joint", ["rigid", "ball"])
@pytest.mark.parametrize("radius", [5e-4, 3e-3])
@pytest.mark.parametrize(("size", "mass"), [(0.01, 1e-3), (0.002, 1e-5), (0.05, 0.02)])
def test_light_bodies_do_not_give_way_to_stiff_rods(joint, radius, size, mass):
    """A wire of steel with a box in its middle lengthens and bends like the wire without it."""
    links, wire = 20, {"young": 2e11, "density": 7800.0, "radius": radius}
    EA, EI = 2e11 * np.pi * radius**2, 2e11 * np.pi * radius**4 / 4

    def tip(with_box, force):
        network, nodes = Network(), np.linspace((0, 0, 0), (1, 0, 0), links + 1)
        if with_box:
            first = network.rod(nodes[: links // 2 + 1], **wire)
            last = network.rod(nodes[links // 2 :] + np.array([size, 0, 0]), **wire)
            box = network.body(bodies.box((size,) * 3), mass=mass, position=(0.5 + size / 2, 0, 0))
            network.attach_to_body(first, -1, box, joint=joint)
            network.attach_to_body(last, 0, box, joint=joint)
        else:
            first = last = network.rod(nodes, **wire)
        network.clamp(first, "start")
        sim = Simulation(network, gravity=STILL)
        start = sim.positions[last.nodes[-1]].copy()
        sim.load_node(last.nodes[-1], force)
        sim.solve()
        return sim.positions[last.nodes[-1]] - start

    assert tip(True, (1e-5 * EA, 0, 0))[0] == pytest.approx(1e-5, rel=3e-4)
    if joint == "rigid":
        force = 1e-3 * EI
        # The box holds its part of the length straight, and has a lever.
        arms = [((1 + size) ** 3 - (0.5 + size) ** 3) / 3, 0.5**3 / 3]
        alone = tip(False, (0, 0, force))[2] - force / EI / 3
        assert tip(True, (0, 0, force))[2] == pytest.approx(
            force / EI * sum(arms) + alone, rel=1e-4
        )


def test_a_rigid_pendulum_swings_as_one_body():
    """Rod and ball together have the period of a compound pendulum."""
    network = Network()
    rod = network.rod(
        np.linspace((0, 0, 0), (0, 0, -0.5), 6),
        EI=200.0,
        GJ=200.0,
        EA=1e6,
        radius=2e-3,
        mass_per_length=1e-4,
    )
    ball = network.body(bodies.sphere(0.1), mass=1.0, position=(0, 0, -0.6))
    network.attach_to_body(rod, -1, ball, joint="rigid")
    sim = Simulation(network, dt=2e-3)
    sim.fix_node(rod.nodes[0])
    sim.fix_spin(rod.edges[0])
    sim.set_velocities(np.cross((0, -0.05, 0), sim.positions))
    crossings, before = [], 0.0
    while len(crossings) < 3 and sim.time < 5:
        sim.step()
        x = sim.pose(ball)[0][0]
        if before * x < 0:
            crossings.append(sim.time - sim.dt * x / (x - before))
        before = x
    arm = 0.6
    frequency = np.sqrt(9.81 * arm / (arm**2 + 0.4 * 0.1**2))
    assert np.pi / (crossings[2] - crossings[1]) == pytest.approx(frequency, rel=2e-3)


def test_two_bodies_on_a_rod_conserve_momentum():
    network = Network()
    rod = network.rod(
        np.linspace((0, 0, 0), (0.4, 0, 0), 9),
        EI=0.5,
        GJ=0.4,
        EA=1e5,
        radius=4e-3,
        mass_per_length=1e-3,
    )
    ends = [
        network.body(bodies.box((0.05, 0.1, 0.08)), mass=0.5, position=(x, 0, 0))
        for x in (-0.025, 0.425)
    ]
    network.attach_to_body(rod, 0, ends[0], joint="rigid")
    network.attach_to_body(rod, -1, ends[1], joint="rigid")
    sim = Simulation(network, dt=2e-4, gravity=STILL, tolerance=1e-9)
    sim.set_body_velocity(ends[0], (0, 0.1, 0), (2.0, 1.0, 3.0))
    mass = sim.core.mass[sim.node_dofs(range(len(sim.positions)), "x")][:, None]

    def momenta():
        p = mass * sim.velocities
        return p.sum(axis=0), np.cross(sim.positions, p).sum(axis=0)

    (line, turn), energy = momenta(), sim.kinetic_energy
    sim.run(0.2)
    line_now, turn_now = momenta()
    assert line_now == pytest.approx(line, abs=1e-8 * np.linalg.norm(line))
    # Except for the rod's own spin, with 1e-5 of the bodies' inertia.
    assert turn_now == pytest.approx(turn, abs=1e-4 * np.linalg.norm(turn))
    assert sim.body_velocity(ends[1])[1][0] > 0.1  # the twist has arrived there
    # Time stepping damps the fast motion of the rod itself.
    assert 0.995 * energy < sim.kinetic_energy + sim.potential_energy < energy


def test_a_driven_body_turns_the_rod():
    """Half a turn of the body about its axis twists a rod whose far end is fixed."""
    network = Network()
    rod = network.rod(
        np.linspace((0, 0, 0), (0.4, 0, 0), 9),
        EI=0.5,
        GJ=0.4,
        EA=1e5,
        radius=4e-3,
        mass_per_length=1e-2,
    )
    hand = network.body(bodies.sphere(0.05), mass=0.5, position=(-0.05, 0, 0))
    network.attach_to_body(rod, 0, hand, joint="rigid")
    network.clamp(rod, "end")
    sim = Simulation(network, dt=5e-3, gravity=STILL, method="backward_euler")
    sim.move_body(hand, lambda t: ((0, 0, 0), (min(t, 1) * np.pi, 0, 0)))
    sim.run(1.5)
    assert sim.twist.sum() == pytest.approx(-np.pi, rel=1e-3)


def test_a_free_body_spins_up_by_a_torque():
    network = Network()
    box = network.body(bodies.box((0.1, 0.2, 0.3)), mass=2.0)
    sim = Simulation(network, dt=2e-3, gravity=STILL)
    sim.load_body_torque(box, (0, 0, 0.05))
    sim.run(1.0)
    _, spin = sim.body_velocity(box)
    assert spin == pytest.approx([0, 0, 0.05 / (2.0 * box.shape.gyration[2])], rel=1e-3, abs=1e-9)


def test_a_run_continues_bitwise_from_its_checkpoint(tmp_path):
    def swung():
        sim, _, box = held_rod(gravity=(0, 0, -9.81), dt=2e-3)
        sim.load_body_torque(box, (0.01, 0, 0), "body")
        return sim

    assert_continues_bitwise(swung, tmp_path)


def test_a_clamped_rod_continues_bitwise_from_its_checkpoint(tmp_path):
    """The clamp's node is locked before the state is loaded, so that the previous step counts."""

    def sagging():
        network = Network()
        rod = network.rod(
            np.linspace((0, 0, 0), (LENGTH, 0, 0), 11),
            EI=EI,
            GJ=GJ,
            EA=1e5,
            radius=4e-3,
            mass_per_length=0.1,
        )
        network.clamp(rod, "start")
        return Simulation(network, dt=2e-3)

    assert_continues_bitwise(sagging, tmp_path)


def test_bad_attachments_are_rejected():
    network = Network()
    rod = network.rod(np.linspace((0, 0, 0), (1, 0, 0), 4), young=1e7, radius=0.01, density=1000)
    box = network.body(bodies.box((0.1, 0.1, 0.1)), mass=1.0)
    with pytest.raises(StrandError, match=r"node: got 1, allowed: 0 or -1"):
        network.attach_to_body(rod, 1, box, joint="rigid")
    with pytest.raises(StrandError, match="joint: got 'welded'"):
        network.attach_to_body(rod, 0, box, joint="welded")
    sim = Simulation(network)
    with pytest.raises(StrandError, match="axes"):
        sim.load_body_torque(box, STILL, "mine")
    with pytest.raises(StrandError, match="torque"):
        sim.load_body_torque(box, (1, 2))
