"""Equilibria far from where a network is drawn, which Newton's method alone does not find."""

import numpy as np
import pytest

from strand import straight
from strand.simulation import Network, Ring, Rod, Simulation, SolverError, bodies

LENGTH, SEGMENTS = 0.5, 25
SOFT = {"radius": 3e-3, "young": 5e6, "density": 1200.0}
WEIGHT = LENGTH * np.pi * 3e-3**2 * 1200 * 9.81  # N, of the rod
MOVED = 1e-9  # m, in .3 s from an equilibrium


def hung(mass: float, *, joint: str = "rigid", **options) -> tuple[Simulation, Rod]:
    """A horizontal clamped rod with a box at its end."""
    network = Network()
    rod = network.rod(straight(length=LENGTH, segments=SEGMENTS), **SOFT | options)
    network.clamp(rod, "start")
    place = (LENGTH + 0.005, 0.004, 0.002)
    box = network.body(bodies.box((0.03, 0.02, 0.03)), mass=mass, position=place)
    network.attach_to_body(rod, -1, box, joint=joint)
    return Simulation(network, dt=5e-3), rod


def assert_at_rest(simulation: Simulation) -> None:
    before = simulation.positions.copy()
    simulation.run(0.3)
    assert np.abs(simulation.positions - before).max() < MOVED


@pytest.mark.parametrize("joint", ["rigid", "ball"])
@pytest.mark.parametrize("mass", [0.01, 0.1, 0.5])
def test_a_box_bends_a_soft_rod_down(mass: float, joint: str) -> None:
    simulation, rod = hung(mass, joint=joint)
    assert simulation.solve().stable
    assert simulation.time == 0
    x, foot = simulation.positions, rod.nodes[0]
    assert x[rod.nodes[-1], 2] < -0.9 * LENGTH
    carried = simulation.reactions[foot]
    np.testing.assert_allclose(carried, [0, 0, WEIGHT + mass * 9.81], atol=1e-6 * mass * 9.81)
    edges = (x[rod.nodes[:-1]] + x[rod.nodes[1:]]) / 2
    place = simulation.network.bodies[0].pose(x)[0]
    of_rod = WEIGHT / SEGMENTS * (edges - x[foot])[:, :2].sum(axis=0)
    lever = of_rod + mass * 9.81 * (place - x[foot])[:2]
    wanted = [lever[1], -lever[0], 0]  # against r x (0, 0, -W)
    moment = simulation.clamp_moments[foot]
    np.testing.assert_allclose(moment, wanted, atol=1e-3 * np.abs(wanted).max())
    assert_at_rest(simulation)


@pytest.mark.parametrize("friction", [0.0, 0.5])
def test_an_assembly_comes_to_rest(friction: float) -> None:
    """A branched rod with boxes and a tendon, above a floor that one box touches."""
    network = Network()
    stem = network.rod(np.add(straight(length=LENGTH, segments=SEGMENTS), [0, 0, 0.3]), **SOFT)
    along = np.linspace(0, 0.3, 13)[:, None] * [0, 1, 0.5]
    branch = network.rod(np.array([0.2, 0, 0.3]) + along, **SOFT)
    network.clamp(stem, "start")
    network.connect(stem, 10, branch, 0)
    for rod, place in ((stem, (LENGTH, 0, 0.3)), (branch, (0.2, 0.3, 0.45))):
        box = network.body(bodies.box((0.04, 0.03, 0.03)), mass=0.1, position=place)
        network.attach_to_body(rod, -1, box, joint="rigid")
    simulation = Simulation(network, dt=5e-3)
    simulation.add_tendon(
        [Ring(stem.edges[20], (0, 0)), Ring(branch.edges[8], (0, 0))], tension=0.05
    )
    floor = simulation.add_floor(friction=friction)
    assert simulation.solve().stable
    assert floor.normal_force > 0.05
    limit = friction * floor.normal_force
    assert 0.01 * limit <= floor.friction_force <= (1 + 1e-9) * limit
    assert_at_rest(simulation)


@pytest.mark.parametrize("strength", [3e5, 1e6])
def test_plastic_strain_is_that_of_one_load_step(strength: float) -> None:
    """The motion to the equilibrium bends the rod more than the equilibrium does."""
    yields = {"yield_stress": strength, "hardening": 0.2}
    at_once, _ = hung(0.05, **yields)
    at_once.solve()
    ramped, _ = hung(0.05, **yields)
    ramped.solve(steps=300, ramp=lambda load: ramped.set_gravity((0, 0, -9.81 * load)))
    np.testing.assert_allclose(at_once.positions, ramped.positions, atol=1e-6)
    np.testing.assert_allclose(at_once.permanent_set, ramped.permanent_set, atol=1e-3)


def test_without_an_equilibrium_nothing_changes() -> None:
    network = Network()
    rod = network.rod(straight(length=LENGTH, segments=SEGMENTS), **SOFT)
    simulation = Simulation(network)
    simulation.set_velocities(np.full((SEGMENTS + 1, 3), 0.1))
    before = simulation.positions.copy()
    with pytest.raises(SolverError, match="statics at load 1"):
        simulation.solve()
    np.testing.assert_array_equal(simulation.positions, before)
    np.testing.assert_array_equal(simulation.velocities, np.full((SEGMENTS + 1, 3), 0.1))
    assert simulation.time == 0
    simulation.fix_node(rod.nodes[0])
    assert simulation.solve().stable  # a pendulum
    assert simulation.positions[rod.nodes[-1], 2] < -0.999 * LENGTH


@pytest.mark.parametrize("axes", ["world", "body"])
def test_a_couple_on_the_box_is_carried_by_the_clamp(axes: str) -> None:
    """A couple has no potential. The box is turned by more than a right angle."""
    simulation, rod = hung(0.1)
    box = simulation.network.bodies[0]
    couple = np.array([0.001, 0.004, -0.002])
    simulation.load_body_torque(box, couple, axes=axes)
    assert simulation.solve().stable
    x, foot = simulation.positions, rod.nodes[0]
    place, axes_of_box = box.pose(x)
    assert np.trace(axes_of_box) < 1
    edges = (x[rod.nodes[:-1]] + x[rod.nodes[1:]]) / 2
    of_rod = WEIGHT / SEGMENTS * (edges - x[foot])[:, :2].sum(axis=0)
    lever = of_rod + 0.1 * 9.81 * (place - x[foot])[:2]
    turned = couple if axes == "world" else axes_of_box @ couple
    wanted = np.array([lever[1], -lever[0], 0]) - turned
    moment = simulation.clamp_moments[foot]
    np.testing.assert_allclose(moment, wanted, atol=1e-3 * np.abs(wanted).max())
    assert_at_rest(simulation)


def test_nearby_is_newtons_method_alone() -> None:
    simulation, _ = hung(0.5)
    before = simulation.positions.copy()
    with pytest.raises(SolverError):
        simulation.solve(nearby=True)
    np.testing.assert_array_equal(simulation.positions, before)
    assert simulation.solve().stable
    found = simulation.positions.copy()
    assert simulation.solve(nearby=True).stable
    np.testing.assert_allclose(simulation.positions, found, atol=1e-9)
