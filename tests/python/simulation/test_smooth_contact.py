"""Rods in contact as curves through their nodes slide freely along each other."""

import numpy as np
import pytest
from scipy.spatial import cKDTree
from scipy.spatial.transform import Rotation

from strand import StrandError, ring
from strand.scene import file as scene_file
from strand.simulation import Network, Rod, Simulation

RADIUS = 0.01  # m
SOFT = {"radius": RADIUS, "young": 1e7, "density": 1000.0}


def hooked(edges: int, smooth: bool | None = None) -> tuple[np.ndarray, object]:
    """Tip (m) of a cantilever that is pulled down by a rod with clamped ends, and their contact."""
    network = Network()
    along = np.linspace(0, 1, edges + 1)[:, None]
    lower = network.rod(along * (1, 0, 0), **SOFT)
    upper = network.rod((0.62, -0.43, 2 * RADIUS + 0.004) + along * (0, 1, 0), **SOFT)
    for rod, end in ((lower, "start"), (upper, "start"), (upper, "end")):
        network.clamp(rod, end)
    simulation = Simulation(network, gravity=(0, 0, 0))
    contact = simulation.add_contact(stiffness=2e4, tolerance=1e-3, smooth=smooth)
    simulation.move_node([upper.nodes[0], upper.nodes[-1]], lambda t: (0, 0, -0.12 * min(t, 1)))
    simulation.run(1.0)
    simulation.solve()
    return simulation.positions[lower.nodes[-1]], contact


def test_a_crossing_without_friction_converges_to_second_order() -> None:
    reference, _ = hooked(240)
    edges = np.array([10, 20, 40, 80])
    errors = []
    for n in edges:
        tip, contact = hooked(n)
        assert contact.contacts == 1  # wherever it is on the edges, also at nodes
        errors.append(np.linalg.norm(tip - reference))
    slope = np.polyfit(np.log(edges), np.log(errors), 1)[0]
    assert -2.3 < slope < -1.8
    assert errors[-1] < 5e-5  # m; straight edges stop at a nearby node, 1e-3 and more away


def fall(friction: float, smooth: bool | None, text: str = "", young: float = 1e7) -> int:
    """Number of contacts of two rods that cross where each has a node."""
    like = f'young = {young}\nradius = 0.01\ndensity = 1000.0\nshape = {{ type = "straight", '
    scene = scene_file.from_toml(
        "[simulation]\ndt = 1e-6\ngravity = [0, 0, 0]\nduration = 1.0\n"
        f'[[rod]]\nname = "a"\n{like}length = 1.0, segments = 10 }}\n'
        f'[[rod]]\nname = "b"\n{like}length = 1.0, segments = 10 }}\n'
        "pos = [0.5, -0.5, 0.0205]\nquat = [0.7071067811865476, 0, 0, 0.7071067811865476]\n" + text
    ).simulation
    if not text:
        scene.add_contact(friction=friction, smooth=smooth)
    scene.step()
    return scene.contacts[0].contacts


def test_curves_are_the_default_without_friction() -> None:
    assert fall(0.0, None) == fall(0.0, True) == fall(0.3, True) == 1
    assert fall(0.3, None) == fall(0.0, False) == 4
    assert fall(0, None, "[contact]\n") == fall(0, None, "[contact]\nsmooth = true\n") == 1
    assert fall(0, None, "[contact]\nsmooth = false\n") == 4
    assert fall(0, None, "[contact]\nfriction = 0.3\n") == 4


def test_straight_edges_are_the_default_of_threads() -> None:
    """A link bends under its weight: (EI / weight per length)^(1/3) is .063 m, its length .1 m."""
    assert fall(0.0, None, young=1e5) == fall(0.0, None, "[contact]\n", young=1e5) == 4
    assert fall(0.0, True, young=1e5) == 1


def test_a_value_that_is_no_choice_is_rejected() -> None:
    with pytest.raises(StrandError, match=r"^smooth: got 'yes', allowed: true or false"):
        fall(0.0, "yes")
    with pytest.raises(StrandError, match=r"^contact\.smooth: got 2, allowed: true or false"):
        fall(0, None, "[contact]\nsmooth = 2\n")


def momentum(simulation: Simulation) -> np.ndarray:
    """Linear momentum (kg m/s)."""
    nodes = simulation.node_dofs(range(simulation.network.node_count), "x")
    return simulation.core.mass[nodes] @ simulation.velocities


def between(simulation: Simulation, *rods: Rod) -> float:
    """Least distance (m) of two rods' edges, by points along them."""
    points = []
    for rod in rods:
        start, end = simulation.positions[simulation.network.edge_nodes[rod.edges].T]
        points.append(
            np.concatenate([start + part * (end - start) for part in np.linspace(0, 1, 20)])
        )
    return cKDTree(points[0]).query(points[1])[0].min()


def energy(simulation: Simulation) -> float:
    """Total energy (J)."""
    return simulation.kinetic_energy + simulation.potential_energy


def winding(rng: np.random.Generator, nodes: int) -> np.ndarray:
    turns = np.cumsum(rng.normal(size=(nodes, 3)) * 0.3, axis=0)
    turns[:, 0] += 1
    turns[:, 2] *= 0.2
    return np.cumsum(0.04 * turns / np.linalg.norm(turns, axis=1)[:, None], axis=0)


@pytest.mark.parametrize("friction", [0.0, 0.4])
@pytest.mark.parametrize("seed", range(6))
def test_colliding_rods_conserve_momentum_and_gain_no_energy(seed: int, friction: float) -> None:
    """Two winding rods, or a rod and a ring, fly against each other."""
    rng = np.random.default_rng(seed)
    network = Network()
    lower, upper = winding(rng, 12), winding(rng, 12)
    if seed % 2:
        angle = np.linspace(0, 2 * np.pi, 20, endpoint=False)
        upper = 0.12 * np.stack([np.cos(angle), np.sin(angle), 0.1 * np.sin(2 * angle)], axis=1)
    upper += lower.mean(axis=0) - upper.mean(axis=0)
    upper[:, 2] += 0.03 + lower[:, 2].max() - upper[:, 2].min()
    one = network.rod(lower, **SOFT)
    other = network.rod(upper, closed=bool(seed % 2), **SOFT)
    simulation = Simulation(network, gravity=(0, 0, 0), dt=1e-3)
    contact = simulation.add_contact(friction=friction, smooth=True)
    velocity = np.zeros_like(simulation.positions)
    velocity[other.nodes] = (0.1, 0.05, -1.5)
    simulation.set_velocities(velocity)
    first = momentum(simulation)
    highest = start = energy(simulation)
    pressed, nearest = 0.0, np.inf
    for _ in range(300):
        simulation.step()
        pressed = max(pressed, contact.normal_force)
        highest = max(highest, energy(simulation))
        nearest = min(nearest, between(simulation, one, other))
    assert pressed > 0
    assert nearest > 1.5 * RADIUS  # each curve leaves its edges by up to .25 radii
    lost = np.abs(momentum(simulation) - first).max()
    assert lost < 1e-8 * np.abs(first).max()
    assert highest < start * (1 + 1e-6)


def weight(simulation: Simulation, rod: Rod) -> float:
    """Of a rod (N)."""
    dofs = simulation.node_dofs(rod.nodes, "z")
    return 9.81 * simulation.core.mass[dofs].sum()


@pytest.mark.parametrize("links", [(8, 8), (16, 16), (40, 40), (10, 40)])
@pytest.mark.parametrize("phase", [0.3, 0.5])
def test_a_ring_lies_on_another(links: tuple[int, int], phase: float) -> None:
    """However long the links are beside their radius of curvature and the rods' thickness."""
    rod = {"radius": 5e-3, "young": 1e8, "density": 1000.0, "mass_damping": 5.0, "closed": True}
    network = Network()
    lower = network.rod(ring(0.145, links[0])[:-1] + np.array([0, 0, 0.01]), **rod)
    turn = Rotation.from_euler("z", 2 * np.pi * phase / links[1])
    turned = turn.apply(ring(0.145, links[1])[:-1])
    upper = network.rod(turned + np.array([0, 0, 0.03]), **rod)
    simulation = Simulation(network)
    simulation.add_floor()
    contact = simulation.add_contact()
    simulation.run(0.6)
    height = simulation.positions[:, 2]
    assert height[lower.nodes] == pytest.approx(5e-3, rel=0.02)
    assert height[upper.nodes] - 5e-3 == pytest.approx(1e-2, rel=0.02)
    assert contact.normal_force == pytest.approx(weight(simulation, upper), rel=0.05)


@pytest.mark.parametrize("place", [0.0, 0.25, 0.5])
def test_a_small_ring_hangs_on_a_large_one(place: float) -> None:
    """A fine ring, threaded on a ring of few links, anywhere along a link."""
    network = Network()
    rod = {"young": 1e8, "density": 1000.0, "mass_damping": 20.0, "closed": True}
    large = network.rod(ring(0.145, 10)[:-1], radius=5e-3, **rod)
    node, other = ring(0.145, 10)[:2]
    small = ring(0.02, 30)[:-1, [0, 2, 1]]  # upright
    across = (node + other) / np.linalg.norm(node + other)
    small = np.outer(small[:, 0], across) + small * (0, 0, 1)
    small = network.rod(small + node + place * (other - node) - (0, 0, 0.01), radius=3e-3, **rod)
    simulation = Simulation(network, dt=5e-4)
    simulation.fix_node(large.nodes)
    contact = simulation.add_contact()
    for _ in range(200):
        simulation.run(5e-3)
        assert between(simulation, large, small) > 0.002
    assert contact.normal_force == pytest.approx(weight(simulation, small), rel=0.05)
