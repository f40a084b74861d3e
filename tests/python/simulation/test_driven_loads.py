"""Loads that are functions of time keep the order of the method in the time step."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from strand.scene import file as scene_file
from strand.simulation import Network, Rod, Simulation

STIFFNESS, MASS, SECONDS = 200.0, 0.01, 0.08  # N/m, kg, s
FAR = (1.0, 0, 0)  # m
SECOND_ORDER = "midpoint", "verlet", "bdf2"


def force(time: float) -> float:
    """N."""
    return 0.02 * np.sin(20 * time) ** 2


def length(time: float) -> float:
    """Natural length (m) of a tendon."""
    return 0.9 - 0.002 * np.sin(20 * time) ** 2


def exact(pull: Callable[[float, float], float]) -> float:
    """Displacement (m) at the end of a mass on a spring, pulled by `pull(time, displacement)`."""

    def rate(time: float, state: np.ndarray) -> list[float]:
        return [state[1], (pull(time, state[0]) - STIFFNESS * state[0]) / MASS]

    return solve_ivp(rate, (0, SECONDS), [0, 0], rtol=1e-11, atol=1e-15).y[0, -1]


def mass_on_a_spring(method: str, dt: float) -> tuple[Simulation, Rod]:
    """A rod of one edge along x, whose end has the mass."""
    network = Network()
    rod = network.rod(
        [[0, 0, 0], [0.1, 0, 0]],
        EA=STIFFNESS * 0.1,
        EI=1e-5,
        GJ=1e-5,
        radius=5e-3,
        mass_per_length=2 * MASS / 0.1,
    )
    simulation = Simulation(network, dt=dt, method=method, gravity=(0, 0, 0))
    simulation.fix_node(rod.nodes[0])
    simulation.fix_node(rod.nodes[1], "yz")
    return simulation, rod


def by_tension(simulation: Simulation, rod: Rod) -> None:
    simulation.add_tendon([rod.nodes[1], FAR], tension=force)


def by_length(simulation: Simulation, rod: Rod) -> None:
    simulation.add_tendon([rod.nodes[1], FAR], length=length, stiffness=5.0)


def by_load(simulation: Simulation, rod: Rod) -> None:
    simulation.drive(lambda t: simulation.load_node(rod.nodes[1], (force(t), 0, 0)))


def by_natural_length(simulation: Simulation, rod: Rod) -> None:
    """A natural length that pulls with the same force, to second order in the strain."""
    edge = rod.edges[0]
    simulation.drive(lambda t: simulation.set_rest_length([edge], 0.1 + force(t) / STIFFNESS))


CASES = [(by_tension, m) for m in SECOND_ORDER] + [(by_load, m) for m in SECOND_ORDER]
CASES += [(by_length, m) for m in SECOND_ORDER if m != "verlet"]  # which refuses it


@pytest.mark.parametrize(("pulled", "method"), CASES)
def test_second_order(pulled: Callable[[Simulation, Rod], None], method: str) -> None:
    def stretched(time: float, moved: float) -> float:
        return max(0.0, 5 * (0.9 - moved - length(time)) / length(time))

    wanted = exact(stretched if pulled is by_length else lambda time, _: force(time))
    errors = []
    for dt in (1e-3, 5e-4, 2.5e-4):
        simulation, rod = mass_on_a_spring(method, dt)
        pulled(simulation, rod)
        simulation.run(SECONDS)
        errors.append(simulation.positions[rod.nodes[1], 0] - 0.1 - wanted)
    orders = np.log2(np.abs(np.array(errors[:-1]) / errors[1:]))
    assert orders == pytest.approx([2, 2], abs=0.05)
    assert abs(errors[-1] / wanted) < 3e-4


@pytest.mark.parametrize("method", SECOND_ORDER)
def test_natural_lengths_agree_between_steps(method: str) -> None:
    ends = []
    for dt in (1e-3, 5e-4, 2.5e-4):
        simulation, rod = mass_on_a_spring(method, dt)
        by_natural_length(simulation, rod)
        simulation.run(SECONDS)
        ends.append(simulation.positions[rod.nodes[1], 0])
    assert (ends[0] - ends[1]) / (ends[1] - ends[2]) == pytest.approx(4, rel=0.1)


def test_functions_get_the_time_of_the_forces() -> None:
    times: dict[str, list[float]] = {}
    for method in (*SECOND_ORDER, "backward_euler", "symplectic_euler"):
        simulation, _ = mass_on_a_spring(method, 1e-3)
        simulation.drive(times.setdefault(method, []).append)
        simulation.run(2e-3)
    for method, got in times.items():
        share = 0.5 if method in ("midpoint", "verlet") else 1.0
        assert got == pytest.approx([share * 1e-3, (1 + share) * 1e-3]), method


def test_tables_are_of_second_order_too(tmp_path: Path) -> None:
    times = np.linspace(0, 0.1, 2001)
    table = np.column_stack([times, force(times), 0 * times, 0 * times])
    np.savetxt(tmp_path / "pull.csv", table)
    ends = []
    for dt in (1e-3, 5e-4, 2.5e-4):
        text = f"""
[simulation]
dt = {dt}
duration = {SECONDS}
method = "midpoint"
gravity = [0, 0, 0]
[[rod]]
name = "a"
shape = {{ type = "straight", length = 0.1, segments = 2 }}
EA = 20.0
EI = 1e-5
GJ = 1e-5
radius = 5e-3
mass_per_length = 0.2
[[fix]]
rod = "a"
nodes = 0
[[fix]]
rod = "a"
nodes = [1, 2]
axes = "yz"
[[load]]
rod = "a"
nodes = [2]
file = "pull.csv"
"""
        simulation = scene_file.from_toml(text, tmp_path).simulation
        simulation.run(SECONDS)
        ends.append(simulation.positions[2, 0])
    assert (ends[0] - ends[1]) / (ends[1] - ends[2]) == pytest.approx(4, rel=0.1)
