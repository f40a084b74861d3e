"""Contact with a coefficient of restitution."""

import math
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from strand import meshes
from strand.errors import StrandError
from strand.scene import file as scene_file
from strand.simulation import Network, Simulation, obstacles

LENGTH = 0.1  # m


def _rod(network: Network, height: float, radius: float, along: int = 0) -> None:
    ends = np.full((2, 3), (0.0, 0.0, height))
    ends[:, along] = (-LENGTH / 2, LENGTH / 2)
    network.rod(np.linspace(*ends, 9), young=1e10, radius=radius, density=1000.0, poisson=0.5)


def _speeds(
    sim: Simulation,
    steps: int,
    nodes: slice = slice(None),
    each: Callable[[Simulation], None] = lambda _: None,
) -> np.ndarray:
    """Upward velocity of the centre of mass of nodes (m/s) at each step, where `each` is called."""
    mass = sim.core.mass[sim.node_dofs(range(len(sim.positions)), "z")][nodes]
    speeds = []

    def note(s: Simulation) -> None:
        speeds.append(mass @ s.velocities[nodes, 2])
        each(s)

    sim.run(steps * sim.dt, each=note)
    return np.array(speeds) / mass.sum()


def _rebound(
    restitution: float, radius: float, height: float, dt: float, method: str = "bdf2"
) -> float:
    network = Network()
    _rod(network, radius + height, radius)
    sim = Simulation(network, dt=dt, method=method)
    sim.add_obstacles([obstacles.plane((0, 0, 0), (0, 0, 1))], restitution=restitution)
    speeds = _speeds(sim, round((1.2 * math.sqrt(2 * height / 9.81) + 0.01) / dt))
    return speeds.max() / -speeds.min()


@pytest.mark.parametrize("restitution", [0.3, 0.6, 0.9])
@pytest.mark.parametrize(("radius", "height"), [(0.002, 0.05), (0.01, 0.05), (0.01, 1.0)])
def test_a_falling_rod_rebounds_at_a_fraction_of_its_speed(
    restitution: float, radius: float, height: float
) -> None:
    assert _rebound(restitution, radius, height, 2e-5) == pytest.approx(restitution, abs=0.03)


@pytest.mark.parametrize("method", ["bdf2", "midpoint", "backward_euler"])
@pytest.mark.parametrize("restitution", [0.0, 0.5])
@pytest.mark.parametrize("dt", [1e-3, 1e-4])
def test_coarse_steps_add_no_speed(method: str, restitution: float, dt: float) -> None:
    """Impacts last a step or two: the rod never leaves faster than it came."""
    assert _rebound(restitution, 0.005, 0.2, dt, method) < 1


@pytest.mark.parametrize(("radius", "height"), [(0.002, 0.05), (0.01, 0.05), (0.01, 1.0)])
def test_without_restitution_only_bending_lifts_off(radius: float, height: float) -> None:
    """The rod's own vibration lifts it, with less than 1 % of its initial energy."""
    assert _rebound(0.0, radius, height, 2e-5) < 0.1


@pytest.mark.parametrize("restitution", [0.4, 0.8])
@pytest.mark.parametrize(("radius", "height"), [(0.002, 0.3), (0.01, 0.1)])
def test_a_warning_names_the_step_that_rebounds_need(
    restitution: float, radius: float, height: float
) -> None:
    with pytest.warns(UserWarning, match="is kept within a tenth") as said:
        _rebound(restitution, radius, height, 1e-3)
    (dt,) = {float(str(one.message).split("at most ")[1].split(" s")[0]) for one in said}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = _rebound(restitution, radius, height, dt)
        _rebound(0.0, radius, height, 1e-3)
        _rebound(1.0, radius, height, 1e-3)
    assert 0.88 * restitution < found < 1.02 * restitution


def test_resting_depth_does_not_depend_on_restitution() -> None:
    gaps = []
    for restitution in (0.0, 1.0):
        network = Network()
        _rod(network, 0.00495, 0.005)
        sim = Simulation(network)
        contact = sim.add_obstacles(
            [obstacles.plane((0, 0, 0), (0, 0, 1))], restitution=restitution, friction=0.4
        )
        sim.run(0.5)
        gaps.append(contact.gap)
        assert np.abs(sim.velocities).max() < 1e-4
    assert gaps[0] == pytest.approx(gaps[1], abs=1e-7)


def _thrown(
    restitution: float, height: float, speed: float, along: int, **options: Any
) -> Simulation:
    """A rod at rest, and one along the axis `along` that flies down onto it from `height` (m)."""
    network = Network()
    _rod(network, 0.0, 0.005)
    _rod(network, height, 0.005, along)
    sim = Simulation(network, gravity=(0, 0, 0), **options)
    sim.add_contact(restitution=restitution)
    velocities = np.zeros((18, 3))
    velocities[9:, 2] = -speed
    sim.set_velocities(velocities)
    return sim


def _crossing(restitution: float, dt: float, speed: float) -> tuple[Simulation, float, float]:
    """One rod flies onto another across it. Also returns the smallest gap (m), and the largest
    energy as a fraction of that at the start."""
    sim = _thrown(restitution, 0.02, speed, along=1, dt=dt)
    before, gaps, energies = sim.kinetic_energy, [], []

    def note(s: Simulation) -> None:
        gaps.append(s.contacts[0].gap)
        energies.append(s.kinetic_energy + s.potential_energy)

    sim.run(0.03 / speed + 10 * dt, each=note)
    return sim, min(gaps), max(energies) / before


@pytest.mark.parametrize("restitution", [0.0, 0.2, 0.4])
@pytest.mark.parametrize("dt", [5e-4, 1e-3, 2.5e-3])
@pytest.mark.parametrize("speed", [1.0, 4.0])
def test_impacts_shorter_than_a_step_get_no_deeper_by_restitution(
    restitution: float, dt: float, speed: float
) -> None:
    """The rods come closer by up to a diameter per step."""
    _, elastic, _ = _crossing(1.0, dt, speed)
    sim, gap, energy = _crossing(restitution, dt, speed)
    assert gap > 1.6 * elastic
    assert energy < 1.001
    assert sim.positions[9:, 2].mean() > sim.positions[:9, 2].mean() + 0.009


@pytest.mark.parametrize("dt", [1e-3, 2.5e-3, 5e-3])
@pytest.mark.parametrize("radius", [0.002, 0.01])
def test_a_fall_ends_on_the_floor_without_restitution(dt: float, radius: float) -> None:
    height = 0.5
    network = Network()
    _rod(network, radius + height, radius)
    sim = Simulation(network, dt=dt)
    floor = sim.add_floor(restitution=0.0)
    gaps = []
    speeds = _speeds(sim, math.ceil(0.5 / dt), each=lambda _: gaps.append(floor.gap))
    assert speeds.max() < 0.25 * math.sqrt(2 * 9.81 * height)
    assert min(gaps) > -0.1 * radius


@pytest.mark.parametrize("restitution", [0.2, 0.7])
def test_rods_rebound_from_each_other(restitution: float) -> None:
    """Two crossed rods, one of them at rest: momentum is conserved and energy is lost."""
    sim = _thrown(restitution, 0.012, 0.5, along=1, dt=1e-5)
    mass = sim.core.mass[sim.node_dofs(range(18), "z")]
    sim.run(0.015)
    assert mass @ sim.velocities[:, 2] == pytest.approx(mass[9:].sum() * -0.5, rel=1e-6)
    # The rods also bend, so that the law holds for their middles only; here just the loss is
    # checked.
    assert sim.kinetic_energy < 0.5 * mass[9:].sum() * 0.25
    assert sim.energy_made < 1e-4 * sim.core.energy_supplied


@pytest.mark.parametrize("restitution", [0.3, 0.6])
def test_parallel_rods_rebound_from_each_other(restitution: float) -> None:
    sim = _thrown(restitution, 0.012, 0.5, along=0, dt=1e-5, plane="xz")
    mass = sim.core.mass[sim.node_dofs(range(9), "z")]
    sim.run(0.02)
    lower, upper = (mass @ sim.velocities[k : k + 9, 2] / mass.sum() for k in (0, 9))
    assert upper - lower == pytest.approx(restitution * 0.5, abs=0.03 * 0.5)
    assert upper + lower == pytest.approx(-0.5, rel=1e-6)


@pytest.mark.parametrize("restitution", [0.5, 0.8])
def test_shells_rebound(restitution: float) -> None:
    vertices, triangles = meshes.strip(0.05, 0.05, 0.025, "equilateral")
    above = vertices + np.array((0, 0, 0.021))
    network = Network()
    network.shell(above, triangles, young=1e10, thickness=2e-3, density=1000.0)
    sim = Simulation(network, dt=2e-5)
    sim.add_obstacles([obstacles.plane((0, 0, 0), (0, 0, 1))], restitution=restitution)
    speeds = _speeds(sim, round(0.09 / 2e-5))
    assert speeds.max() / -speeds.min() == pytest.approx(restitution, abs=0.03)


def test_losses_are_recorded_as_dissipation() -> None:
    network = Network()
    _rod(network, 0.105, 0.005)
    sim = Simulation(network, dt=2e-5)
    sim.add_obstacles([obstacles.plane((0, 0, 0), (0, 0, 1))], restitution=0.4)
    before = sim.core.mass[sim.node_dofs(range(9), "z")].sum() * 9.81 * 0.1
    sim.run(0.16)
    assert abs(sim.energy_made) < 0.02 * before


def test_scenes_have_it() -> None:
    text = """\
[[rod]]
name = "rod"
young = 1e10
radius = 0.005
density = 1000.0
shape = { type = "straight", length = 0.1, segments = 8 }
pos = [0, 0, 0.055]
[simulation]
dt = 5e-5
[floor]
restitution = 0.3
"""
    sim = scene_file.from_toml(text).simulation
    speeds = _speeds(sim, 2600)
    assert speeds.max() / -speeds.min() == pytest.approx(0.3, abs=0.03)


@pytest.mark.parametrize("restitution", [-0.1, 1.1, math.nan, "hard"])
def test_bad_restitution_is_rejected(restitution) -> None:
    network = Network()
    _rod(network, 0.1, 0.005)
    sim = Simulation(network)
    with pytest.raises(StrandError, match=r"restitution: got .*, allowed: a number, 0 to 1"):
        sim.add_floor(restitution=restitution)
    with pytest.raises(StrandError, match=r"restitution: got .*, allowed: a number, 0 to 1"):
        sim.add_contact(restitution=restitution)
