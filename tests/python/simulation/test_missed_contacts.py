"""Steps that lead past the middle of something do not pass through it, however long they are."""

import numpy as np
import pytest

from strand import straight
from strand.simulation import Network, Simulation, bodies, obstacles

SPEED, RADIUS, SIZE = 3.0, 0.01, 0.03  #: m/s; m, of what moves and of what it meets
RUBBER = {"young": 1e8, "density": 1000.0}
ALONG = np.array([[1.0, 0, 0], [0, 1, 0], [0, 0, 1]])
ACROSS = ALONG[:, [2, 1, 0]]  #: turns x into z
BOX = (0.02, 2 * SIZE, 2 * SIZE)

OBSTACLES = {
    "sphere": obstacles.sphere((0, 0, 0), SIZE),
    "capsule": obstacles.capsule((0, 0, -0.1), (0, 0, 0.1), SIZE),
    "cylinder": obstacles.cylinder((0, 0, -0.1), (0, 0, 0.1), SIZE),
    "box": obstacles.box((0, 0, 0), (0.01, SIZE, SIZE)),
}
BODIES = {
    "ball": bodies.sphere(SIZE),
    "capsule body": bodies.capsule(SIZE, 0.2),
    "cylinder body": bodies.cylinder(SIZE, 0.2),
    "box body": bodies.box(BOX),
}
TARGETS = [*OBSTACLES, *BODIES, "rod"]


def shot(mover: str, target: str, offset: float, step: float) -> Simulation:
    """A scene in which something flies along x at what stands in the origin, `offset` (m) beside
    its middle, by `step` (m) in each time step."""
    network, start = Network(), np.array([-0.2, offset, 0.003])
    if target in BODIES:
        network.body(BODIES[target], mass=1.0)
    if target == "rod":
        network.rod(straight(0.2, 7) @ ACROSS - [0, 0, 0.1], radius=SIZE, **RUBBER)
    if mover == "ball":
        moving = network.body(bodies.sphere(RADIUS), mass=0.1, position=start)
    else:
        turn = ACROSS if mover == "rod across" else ALONG
        nodes = (straight(0.1, 5) - [0.05, 0, 0]) @ turn + start
        moving = network.rod(nodes, radius=RADIUS, **RUBBER)
    sim = Simulation(network, dt=step / SPEED, gravity=(0, 0, 0))
    if target in OBSTACLES:
        sim.add_obstacles([OBSTACLES[target]])
    else:
        sim.add_contact()
    if mover == "ball":
        sim.set_body_velocity(moving, (SPEED, 0, 0))
    else:
        velocities = np.zeros_like(sim.positions)
        velocities[moving.nodes, 0] = SPEED
        sim.set_velocities(velocities)
    return sim


def fly(sim: Simulation) -> int:
    """Steps until what moves is past the origin; returns how many steps were halved."""
    return sum(sim.step().rejections for _ in range(int(np.ceil(0.5 / SPEED / sim.dt))))


def momentum(sim: Simulation) -> np.ndarray:
    mass = np.array(sim.core.mass)[np.array(sim.core.node_dofs)]
    return mass @ sim.velocities


@pytest.mark.parametrize("steps", [1.0, 3.0, 10.0])
@pytest.mark.parametrize("offset", [0.02, 0.4, 0.8])
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("mover", ["ball", "rod across", "rod along"])
def test_what_overlaps_on_the_way_collides(
    mover: str, target: str, offset: float, steps: float
) -> None:
    """Offsets and steps are multiples of the reach, the sum of the radii."""
    reach = SIZE + RADIUS
    sim = shot(mover, target, offset * reach, steps * reach)
    before, energy = momentum(sim), sim.kinetic_energy
    fly(sim)
    assert np.abs(sim.velocities[-1] - [SPEED, 0, 0]).max() > 0.02 * SPEED
    assert sim.kinetic_energy <= energy * (1 + 1e-9)
    if target not in OBSTACLES:
        np.testing.assert_allclose(momentum(sim), before, atol=1e-8 * before[0])


@pytest.mark.parametrize("steps", [1.0, 10.0])
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("mover", ["ball", "rod across"])
def test_what_passes_by_does_not_collide(mover: str, target: str, steps: float) -> None:
    reach = SIZE + RADIUS
    sim = shot(mover, target, 1.05 * reach, steps * reach)
    energy = sim.kinetic_energy
    assert fly(sim) == 0
    assert sim.kinetic_energy == pytest.approx(energy, rel=1e-12)


@pytest.mark.parametrize("dt", [1e-3, 5e-3, 1e-2, 2.5e-2])
def test_a_rod_that_falls_on_another_one_off_centre_rolls_off(dt: float) -> None:
    network = Network()
    below = network.rod(straight(0.2, 8), radius=0.002, young=1e8, density=1200)
    above = network.rod(
        straight(0.2, 8) + np.array([0, 0.001, 0.2]), radius=0.002, young=1e8, density=1200
    )
    sim = Simulation(network, dt=dt)
    sim.fix_edge(below.edges)
    sim.add_contact(friction=0.3)
    fastest = 0.0
    while sim.time < 0.25:
        sim.step()
        fastest = max(fastest, sim.velocities[above.nodes, 1].max())
    assert fastest > 0.4


def test_a_driven_obstacle_hits_what_it_passes() -> None:
    """Off the middle, and turning: its surface covers four times its size in one step."""
    network = Network()
    network.body(bodies.sphere(RADIUS), mass=0.1, position=(0.0, 0.02, 0.0))
    sim = Simulation(network, dt=0.05, gravity=(0, 0, 0))
    moving = obstacles.sphere((-0.2, 0, 0), SIZE)
    moving.move(lambda t: ((SPEED * t, 0, 0), (0, 0, t)))
    sim.add_obstacles([moving])
    for _ in range(3):
        sim.step()
    assert sim.velocities[:, 0].mean() > 0.4 * SPEED
    assert sim.velocities[:, 1].mean() > 0.2 * SPEED
