"""Rayleigh damping of rods and shells: decay rates of modes, and motions without damping."""

from collections.abc import Callable

import numpy as np
import pytest
from support.momentum import angular_momentum

from strand import StrandError, arc, meshes
from strand.scene import file as scene_file
from strand.simulation import Network, Simulation

YOUNG, RADIUS, DENSITY, LENGTH, THICKNESS = 1e7, 5e-3, 1000.0, 0.5, 4e-3
RATIO = 0.05  # requested damping ratio
K, SIGMA = 1.8751041, 0.7340955  # of the first mode of a cantilever
Readout = Callable[[Simulation], float]


def line(edges: int) -> np.ndarray:
    return np.linspace(0, LENGTH, edges + 1)[:, None] * [1.0, 0, 0]


def bending_frequency(radius_of_gyration: float) -> float:
    """Angular frequency (rad/s) of a cantilever's first bending mode."""
    return (K / LENGTH) ** 2 * radius_of_gyration * np.sqrt(YOUNG / DENSITY)


def stretching_frequency(modulus: float) -> float:
    return np.pi / 2 / LENGTH * np.sqrt(modulus / DENSITY)


def steps(omega: float) -> dict:
    return {"dt": 2 * np.pi / omega / 400, "gravity": (0, 0, 0)}


SHAPE = {  # the first mode, over x / L
    "bend": lambda x: np.cosh(K * x) - np.cos(K * x) - SIGMA * (np.sinh(K * x) - np.sin(K * x)),
    "stretch": lambda x: np.sin(np.pi / 2 * x),
    "twist": lambda x: np.sin(np.pi / 2 * x),
}


def swing(simulation: Simulation, kind: str, speed: float) -> None:
    """Sets velocities in the shape of the first mode."""
    velocities = np.zeros((simulation.network.node_count, 3))
    axis = 2 if kind == "bend" else 0
    velocities[:, axis] = speed * SHAPE[kind](simulation.positions[:, 0] / LENGTH)
    simulation.set_velocities(velocities)


def rod_of(kind: str, edges: int = 20, **damping: float) -> tuple[Simulation, Readout, float]:
    """A clamped rod vibrating in its first mode, a readout of its end, its angular frequency."""
    network = Network()
    rod = network.rod(line(edges), young=YOUNG, radius=RADIUS, density=DENSITY, **damping)
    network.clamp(rod, "start")
    bend = kind == "bend"
    omega = bending_frequency(RADIUS / 2) if bend else stretching_frequency(YOUNG)
    if kind == "twist":
        omega = stretching_frequency(YOUNG / 3)
        simulation = Simulation(network, **steps(omega))
        simulation.fix_node(range(edges + 1))
        velocity = np.zeros(simulation.core.size)
        middles = (np.arange(edges) + 0.5) / edges
        velocity[simulation.spin_dofs(range(edges))] = SHAPE["twist"](middles)
        simulation.core.set_velocity(velocity)
        return simulation, lambda s: s.angles[-1], omega
    simulation = Simulation(network, **steps(omega))
    swing(simulation, kind, 1e-3)
    return simulation, end_of(simulation, kind), omega


def end_of(simulation: Simulation, kind: str) -> Readout:
    start, axis = simulation.positions, 2 if kind == "bend" else 0
    last = int(np.argmax(start[:, 0]))
    return lambda s: s.positions[last, axis] - start[last, axis]


def shell_of(
    kind: str, bending: str, membrane: str, **damping: float
) -> tuple[Simulation, Readout, float]:
    """The same for a strip."""
    vertices, triangles = meshes.strip(LENGTH, 0.1, 0.05)
    network = Network()
    sheet = network.shell(
        vertices,
        triangles,
        young=YOUNG,
        poisson=0.0,
        thickness=THICKNESS,
        density=DENSITY,
        bending=bending,
        membrane=membrane,
        **damping,
    )
    held = np.flatnonzero(vertices[:, 0] < 1e-9)
    network.clamp_shell(sheet, [e for e in sheet.rim if np.isin(sheet.edge_nodes[e], held).all()])
    bend = kind == "bend"
    omega = bending_frequency(THICKNESS / 12**0.5) if bend else stretching_frequency(YOUNG)
    simulation = Simulation(network, **steps(omega))
    swing(simulation, kind, 1e-4)
    return simulation, end_of(simulation, kind), omega


def decay(simulation: Simulation, readout: Readout, omega: float) -> tuple[float, float]:
    """Damping ratio from the third extreme to the sixth, and the frequency (rad/s) there."""
    values: list[float] = []
    simulation.run(3.9 * 2 * np.pi / omega, lambda s: values.append(float(readout(s))))
    v = np.array(values)
    extremes = np.flatnonzero(np.diff(v[:-1]) * np.diff(v[1:]) <= 0) + 1
    first, last = extremes[2], extremes[5]
    decrement = np.log(abs(v[first] / v[last])) / 3  # per half period
    return decrement / np.hypot(np.pi, decrement), 3 * np.pi / simulation.dt / (last - first)


@pytest.mark.parametrize("kind", ["bend", "stretch", "twist"])
def test_a_mode_of_a_rod_decays_at_the_rayleigh_rate(kind: str) -> None:
    omega = rod_of(kind)[2]
    for damping in ({"mass_damping": 2 * RATIO * omega}, {"material_damping": 2 * RATIO / omega}):
        ratio, measured = decay(*rod_of(kind, **damping))
        assert measured == pytest.approx(omega, rel=0.01)
        assert ratio == pytest.approx(RATIO, rel=0.02)


@pytest.mark.parametrize("bending", ["mid_edge", "hinge"])
@pytest.mark.parametrize("membrane", ["continuum", "springs"])
@pytest.mark.parametrize("kind", ["bend", "stretch"])
def test_a_mode_of_a_shell_decays_at_the_rayleigh_rate(
    kind: str, bending: str, membrane: str
) -> None:
    omega = shell_of(kind, bending, membrane)[2]
    alpha, beta = 2 * RATIO * omega, 2 * RATIO / omega
    ratio, omega = decay(*shell_of(kind, bending, membrane, mass_damping=alpha))
    assert ratio * 2 * omega == pytest.approx(alpha, rel=0.03)
    ratio, omega = decay(*shell_of(kind, bending, membrane, material_damping=beta))
    assert ratio * 2 / omega == pytest.approx(beta, rel=0.03)


def thrown(**given) -> Simulation:
    """A free rod, curved at rest, that tumbles and spins, initially without deformation."""
    angle = np.linspace(0, 2.5, 13)
    points = 0.1 * np.column_stack([np.cos(angle), np.sin(angle), 0.3 * angle])
    network = Network()
    network.rod(points - points.mean(axis=0), young=1e6, radius=3e-3, density=DENSITY, **given)
    simulation = Simulation(network, dt=2e-4, gravity=(0, 0, 0))
    turning = np.cross([3.0, 8.0, 20.0], simulation.positions)
    simulation.set_velocities(turning + np.array([0.2, 0, 0]))
    return simulation


def test_material_damping_conserves_momentum() -> None:
    drift = []
    for damping in (0.0, 2e-3):
        simulation = thrown(material_damping=damping)
        before = angular_momentum(simulation)
        linear = simulation.core.mass[simulation.node_dofs(range(13), "x")] @ simulation.velocities
        simulation.run(0.3)
        after = simulation.core.mass[simulation.node_dofs(range(13), "x")] @ simulation.velocities
        np.testing.assert_allclose(after, linear, atol=1e-8 * np.linalg.norm(linear))
        drift.append(np.linalg.norm(angular_momentum(simulation) - before) / np.linalg.norm(before))
    assert drift[1] < 2 * drift[0]  # the drift due to time stepping


def test_rigid_rotation_of_a_ring_is_not_damped() -> None:
    angle = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    network = Network()
    points = 0.1 * np.column_stack([np.cos(angle), np.sin(angle), 0 * angle])
    network.rod(points, young=1e8, radius=3e-3, density=DENSITY, closed=True, material_damping=0.01)
    simulation = Simulation(network, dt=1e-3, gravity=(0, 0, 0))
    simulation.set_velocities(np.cross([0, 0, 5.0], points))
    before = simulation.kinetic_energy
    simulation.run(1.0)
    assert simulation.kinetic_energy == pytest.approx(before, rel=1e-3)


@pytest.mark.parametrize("method", ["bdf2", "backward_euler", "midpoint"])
@pytest.mark.parametrize("what", ["mass_damping", "material_damping", "viscosity"])
def test_losses_of_damping_and_of_time_stepping_are_separate(method: str, what: str) -> None:
    network = Network()
    omega = bending_frequency(RADIUS / 2)
    damping = {"mass_damping": omega / 10, "material_damping": 0.1 / omega}
    given = {what: damping[what]} if what in damping else {}
    rod = network.rod(line(10), young=YOUNG, radius=RADIUS, density=DENSITY, **given)
    network.clamp(rod, "start")
    viscosity = {} if given else {"viscosity": omega / 10 * DENSITY * np.pi * RADIUS**2}
    simulation = Simulation(network, method=method, **steps(omega) | viscosity)
    swing(simulation, "bend", 0.1)
    start = simulation.kinetic_energy
    simulation.run(4 * np.pi / omega)
    lost = start - simulation.potential_energy - simulation.kinetic_energy
    assert lost > 0.6 * start
    assert abs(simulation.energy_made) < (0.16 if method == "backward_euler" else 0.006) * lost


def test_each_rod_has_its_own_damping() -> None:
    network, parts = Network(), []
    for y, damping in enumerate((0.0, 3.0)):
        nodes = line(4) + np.array([0, y, 0])
        parts.append(network.rod(nodes, young=1e6, radius=5e-3, density=1000, mass_damping=damping))
    simulation = Simulation(network, dt=1e-3, gravity=(0, 0, 0))
    simulation.set_velocities(np.full((10, 3), [1.0, 0, 0]))
    simulation.run(0.5)
    speed = simulation.velocities[:, 0]
    np.testing.assert_allclose(speed[parts[0].nodes], 1.0, rtol=1e-9)
    np.testing.assert_allclose(speed[parts[1].nodes], np.exp(-1.5), rtol=1e-4)


def test_explicit_methods_accept_only_mass_damping() -> None:
    for method in ("symplectic_euler", "verlet"):
        network = Network()
        network.rod(line(4), young=1e6, radius=5e-3, density=1000, mass_damping=3.0)
        simulation = Simulation(network, dt=1e-5, method=method, gravity=(0, 0, 0))
        simulation.set_velocities(np.full((5, 3), [1.0, 0, 0]))
        simulation.run(0.1)
        np.testing.assert_allclose(simulation.velocities[:, 0], np.exp(-0.3), rtol=1e-4)
        network = Network()
        network.rod(line(4), young=1e6, radius=5e-3, density=1000, material_damping=1e-3)
        with pytest.raises(StrandError, match=f"method: got '{method}' with material_damping"):
            Simulation(network, method=method)


@pytest.mark.parametrize("name", ["mass_damping", "material_damping"])
def test_bad_damping_is_rejected(name: str) -> None:
    for bad in (-1.0, float("nan"), "much"):
        with pytest.raises(StrandError, match=f"{name}: got"):
            Network().rod(line(4), young=1e6, radius=5e-3, density=1000, **{name: bad})


def test_scenes_set_damping_per_rod() -> None:
    rods = [
        f"""
[[rod]]
name = "{name}"
young = 1e6
radius = 0.01
density = 1000.0
shape = {{ type = "straight", length = 1.0, segments = 2 }}
pos = [0, {y}, 0]
"""
        for y, name in enumerate("ab")
    ]
    head = "[simulation]\nduration = 0.2\n"
    text = head + rods[0] + "mass_damping = 3.0\nmaterial_damping = 0.001\n" + rods[1]
    rows = scene_file.from_toml(text).simulation.network.material()
    assert rows[:, 6:].tolist() == [[3.0, 0.001]] * 2 + [[0.0, 0.0]] * 2


@pytest.mark.parametrize("loss", (0.0, 0.3))
def test_an_arc_on_which_nothing_acts_stays_at_rest(loss: float) -> None:
    """All of its energy is that of rounding, and steps may change it at will."""
    network = Network()
    rod = network.rod(
        arc(0.6, 1.5, 16), young=YOUNG, radius=RADIUS, density=DENSITY, material_damping=loss
    )
    network.clamp(rod, "start")
    simulation = Simulation(network, gravity=(0, 0, 0))
    start = simulation.positions
    simulation.run(0.1)
    assert np.abs(simulation.positions - start).max() < 1e-14
