"""Whether an equilibrium is stable, however fine the mesh, and what neutral motions change."""

import warnings
from collections.abc import Sequence

import numpy as np
import pytest

from strand.simulation import Network, Simulation, bodies

YOUNG = 2e11  #: Pa


def column(
    edges: int,
    length: float,
    bending: float,
    load: float,
    aside: float = 0.0,
    direction: Sequence[float] = (0, 0, 1),
    **section: object,
) -> Simulation:
    """A rod that is clamped at its start and pushed at its tip.

    bending: its smallest bending stiffness (N m^2).
    load: as a fraction of Euler's; aside: load across the rod, as a fraction of `load`.
    """
    along = np.array(direction) / np.linalg.norm(direction)
    network = Network()
    points = np.linspace(0, length, edges + 1)[:, None] * along
    rod = network.rod(points, young=YOUNG, density=7800, **section)
    network.clamp(rod, "start")
    simulation = Simulation(network, gravity=(0, 0, 0))
    push = load * np.pi**2 * bending / (4 * length**2)
    across = np.cross((0, 1, 0), along)
    simulation.load_node(rod.nodes[-1], push * (aside * across / np.linalg.norm(across) - along))
    return simulation


def wire(edges: int, load: float, **options: object) -> Simulation:
    radius = 5e-4
    return column(edges, 1.0, YOUNG * np.pi * radius**4 / 4, load, radius=radius, **options)


def strip(edges: int, load: float) -> Simulation:
    width, thickness = 0.02, 5e-4
    thin, thick = width * thickness**3 / 12, thickness * width**3 / 12
    return column(
        edges,
        0.5,
        YOUNG * thin,
        load,
        radius=thickness / 2,
        area=width * thickness,
        second_moments=(thin, thick),
        torsion_constant=width * thickness**3 / 3,
    )


def is_stable(simulation: Simulation) -> bool:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        stable = simulation.solve().stable
    assert stable == (not caught)
    return stable


@pytest.mark.parametrize("edges", [40, 300, 600, 1000])
def test_a_wire_above_its_buckling_load_is_not_stable(edges: int) -> None:
    assert not is_stable(wire(edges, 2))
    assert is_stable(wire(edges, 0.8))


# Its coordinates are rounded, so that it may buckle.
@pytest.mark.parametrize("edges", [40, 300, 600])
def test_an_inclined_wire_buckles_or_is_not_stable(edges: int) -> None:
    inclined = {"direction": (0.6, 0, 0.8)}
    simulation = wire(edges, 2, **inclined)
    stable = is_stable(simulation)
    aside = np.linalg.norm(np.cross((0.6, 0, 0.8), simulation.positions[-1]))
    assert aside == pytest.approx(0.797 if stable else 0, abs=2e-3)
    assert is_stable(wire(edges, 0.8, **inclined))


@pytest.mark.parametrize("edges", [40, 300, 600])
def test_a_small_load_aside_makes_a_wire_buckle(edges: int) -> None:
    simulation = wire(edges, 2, aside=1e-6)
    assert is_stable(simulation)
    # The elastica at twice Euler's load.
    assert simulation.positions[-1, 0] == pytest.approx(0.797, abs=2e-3)


@pytest.mark.parametrize("edges", [20, 40, 80])
def test_a_strip_above_its_buckling_load_is_not_stable(edges: int) -> None:
    assert not is_stable(strip(edges, 1.3))
    assert is_stable(strip(edges, 0.8))


def test_a_column_above_its_own_greatest_height_is_not_stable() -> None:
    radius, young, edges = 1e-3, 1e9, 400
    greenhill = 7.8373 * young * np.pi * radius**4 / 4 / 9.81  # kg/m, at a height of 1 m
    for load in (0.9, 1.5):
        network = Network()
        points = np.linspace(0, 1, edges + 1)[:, None] * np.array([0, 0, 1])
        rod = network.rod(points, young=young, radius=radius, mass_per_length=load * greenhill)
        network.clamp(rod, "start")
        assert is_stable(Simulation(network)) == (load < 1)


# Only its spin about the vertical is free, at the sign of round-off.
@pytest.mark.parametrize(
    ("size", "mass"), [((0.02, 0.02, 0.2), 0.1), ((0.2, 0.2, 0.002), 0.5), ((0.3, 0.3, 0.001), 1.0)]
)
@pytest.mark.parametrize("at", [(0, 0, 0), (3, -2, 5)])
def test_a_box_that_hangs_from_a_point_is_stable(
    size: Sequence[float], mass: float, at: Sequence[float]
) -> None:
    network = Network()
    box = network.body(bodies.box(size), mass=mass, position=np.array(at) - (0, 0, size[2] / 2))
    point = network.body_point(box, at)
    simulation = Simulation(network)
    simulation.fix_node(point)
    assert is_stable(simulation)
