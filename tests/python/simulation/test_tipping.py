"""Friction acts on the surface of rods at their nodes, too: it tips and rolls them lengthwise."""

import numpy as np
import pytest

from strand import meshes
from strand.simulation import Network, Simulation, obstacles

GAP = 1e-5
GROUNDS = ("plane", "box", "mesh", "sheet")


def on_ground(ground: str, network: Network, friction: float, dt: float) -> Simulation:
    """A simulation of the network on level ground whose top is at z = 0."""
    held = []
    vertices, triangles = meshes.strip(length=0.6, width=0.2, size=0.1)
    vertices = np.asarray(vertices) - (0.1, 0.1, 0)
    if ground == "mesh":
        network.obstacle_mesh(vertices, triangles)
    if ground == "sheet":
        thickness = 2e-4
        sheet = {"young": 1e9, "thickness": thickness, "density": 1000}
        held = network.shell(vertices - (0, 0, thickness / 2), triangles, **sheet).nodes
    simulation = Simulation(network, dt=dt)
    options = {"friction": friction, "restitution": 0}
    if ground == "plane":
        simulation.add_floor(0, **options)
    elif ground == "box":
        box = obstacles.box((0, 0, -0.5), (2, 1, 0.5))
        simulation.add_obstacles([box], **options)
    else:
        simulation.add_contact(**options)
        simulation.fix_node(held)
    return simulation


def push(simulation: Simulation, nodes: list[int], velocity: tuple[float, float, float]) -> None:
    velocities = np.zeros_like(simulation.positions)
    velocities[nodes] = velocity
    simulation.set_velocities(velocities)


# A dowel of half length 8 mm and radius 10 mm, which slides lengthwise, tips over if mu r > 8 mm.
@pytest.mark.parametrize("ground", GROUNDS)
@pytest.mark.parametrize(("mu", "tips"), [(1.6, True), (0.4, False)])
def test_a_short_rod_that_slides_tips_over(ground: str, mu: float, tips: bool) -> None:
    network = Network()
    line = np.column_stack([np.linspace(-0.008, 0.008, 3), np.zeros(3), np.full(3, 0.01 + GAP)])
    rod = network.rod(line, young=1e9, radius=0.01, density=1000)
    simulation = on_ground(ground, network, mu, 1e-3)
    push(simulation, rod.nodes, (0.6, 0, 0))
    simulation.run(0.03)
    along = simulation.positions[rod.nodes[-1]] - simulation.positions[rod.nodes[0]]
    pitch = np.degrees(np.arctan2(along[2], along[0]))
    assert pitch < -25 if tips else abs(pitch) < 2


# A hoop that is pushed ends rolling on its outside, at the speed that its angular momentum about
# the ground leaves it.
@pytest.mark.parametrize("ground", GROUNDS)
def test_an_upright_hoop_rolls_on_its_outside(ground: str) -> None:
    large, small, edges = 0.05, 0.01, 32
    angle = (np.arange(edges) + 0.5) * 2 * np.pi / edges - np.pi / 2
    height = large * np.cos(np.pi / edges) + small + GAP
    ring = np.column_stack([large * np.cos(angle), 0 * angle, large * np.sin(angle) + height])
    network = Network()
    rod = network.rod(ring, young=1e9, radius=small, density=1000, closed=True)
    simulation = on_ground(ground, network, 0.5, 5e-4)
    push(simulation, rod.nodes, (1, 0, 0))
    simulation.run(0.1)  # it slides for 0.09 s
    place, velocity = simulation.positions[rod.nodes], simulation.velocities[rod.nodes]
    speed = velocity.mean(axis=0)
    arm = place - place.mean(axis=0)
    turning = np.cross(arm, velocity - speed).sum(axis=0) / (arm**2).sum()
    outside = large + small
    assert speed[0] / turning[1] == pytest.approx(outside, rel=0.02)
    gyration = large**2 + 0.75 * small**2
    assert speed[0] == pytest.approx(1 / (1 + gyration / outside**2), rel=0.03)


# Two free parts that rub keep their angular momentum, but for the half thickness of the sheet, on
# whose middle surface friction acts.
@pytest.mark.parametrize("velocity", [(1, 0, -1), (0, 1, -1)])
def test_a_rod_and_a_sheet_that_rub_keep_angular_momentum(velocity) -> None:
    radius, thickness, gap = 0.005, 2e-4, 3e-4
    network = Network()
    vertices, triangles = meshes.strip(length=0.2, width=0.2, size=0.05)
    sheet = {"young": 1e9, "thickness": thickness, "density": 2e4}
    network.shell(np.asarray(vertices) - (0.1, 0.1, 0), triangles, **sheet)
    line = np.column_stack([np.linspace(-0.028, 0.032, 7), np.full(7, 7e-4), np.zeros(7)])
    line[:, 2] = thickness / 2 + radius + gap
    rod = network.rod(line, young=1e9, radius=radius, density=3000)
    simulation = Simulation(network, dt=1e-4, gravity=(0, 0, 0))
    simulation.add_contact(friction=0.5, restitution=0)
    push(simulation, rod.nodes, velocity)
    mass = simulation.core.mass
    weight = mass[simulation.node_dofs(range(network.node_count), "x")][:, None]
    spins = simulation.spin_dofs(rod.edges)

    def momenta() -> tuple[np.ndarray, np.ndarray]:
        linear = weight * simulation.velocities
        along = np.diff(simulation.positions[rod.nodes], axis=0)
        along /= np.linalg.norm(along, axis=1)[:, None]
        turning = np.cross(simulation.positions, linear).sum(axis=0)
        turning += ((mass * simulation.core.velocity)[spins][:, None] * along).sum(axis=0)
        return linear[rod.nodes].sum(axis=0), turning

    before = momenta()
    simulation.run(0.01)
    after = momenta()
    impulse = np.linalg.norm((after[0] - before[0])[:2])
    assert impulse > 0.1 * np.linalg.norm(before[0])  # friction acted
    lever = np.linalg.norm(after[1] - before[1]) / impulse
    assert lever < thickness  # the radius is 25 times that
