"""The material of a rod: given by moduli, or by stiffnesses."""

import numpy as np
import pytest

from strand import StrandError
from strand.scene import file as scene_file
from strand.simulation import Network, Simulation

LINE = np.linspace((0, 0, 0), (1, 0, 0), 11)
RADIUS, YOUNG, DENSITY = 0.01, 3e6, 900.0
AREA, MOMENT = np.pi * RADIUS**2, np.pi * RADIUS**4 / 4


def row(**material) -> np.ndarray:
    """EA, EI, EI, GJ, mass and spin inertia per length."""
    network = Network()
    network.rod(LINE, radius=RADIUS, **material)
    return network.material()[0]


@pytest.mark.parametrize(
    "material",
    [
        {"young": YOUNG, "shear": YOUNG / 2.6, "density": DENSITY},
        {"young": YOUNG, "shear": YOUNG / 2.6, "poisson": 0.3, "density": DENSITY},
        {"EI": YOUNG * MOMENT, "GJ": YOUNG / 2.6 * 2 * MOMENT, "density": DENSITY},
        {"EI": (YOUNG * MOMENT,) * 2, "shear": YOUNG / 2.6, "mass_per_length": DENSITY * AREA},
        {"young": YOUNG, "GJ": YOUNG / 2.6 * 2 * MOMENT, "mass_per_length": DENSITY * AREA},
        {"EI": YOUNG * MOMENT, "GJ": YOUNG / 2.6 * 2 * MOMENT, "EA": YOUNG * AREA, "density": 900},
    ],
)
def test_equivalent_materials(material: dict) -> None:
    same = row(young=YOUNG, poisson=0.3, density=DENSITY)
    np.testing.assert_allclose(row(**material), same, rtol=1e-12)


def test_each_stiffness_replaces_that_of_young() -> None:
    plain = row(young=YOUNG, density=DENSITY)
    np.testing.assert_allclose(row(young=YOUNG, density=DENSITY, EA=7)[0], 7)
    changed = row(young=YOUNG, density=DENSITY, EI=(1, 2), GJ=3)
    np.testing.assert_allclose(changed[1:4], (1, 2, 3))
    np.testing.assert_allclose(changed[[0, 4, 5]], plain[[0, 4, 5]])


@pytest.mark.parametrize(
    ("material", "words"),
    [
        ({"density": 1}, "young: got nothing, allowed: a number > 0"),
        ({"EI": 1, "density": 1}, "GJ: got nothing, allowed: a number > 0"),
        ({"young": 1}, "density: got nothing, allowed: a number >= 0"),
        (
            {"young": 1, "density": 1, "mass_per_length": 1},
            "density: got it together with mass_per_length",
        ),
        (
            {"young": 1, "density": 1, "EI": 1, "second_moments": (1, 1)},
            "EI: got it together with second",
        ),
        (
            {"EI": 1, "GJ": 1, "density": 1, "torsion_constant": 1},
            "GJ: got it together with torsion",
        ),
        ({"young": 3, "shear": 2, "poisson": 0.5, "density": 1}, "shear: got 2, allowed: 1 with"),
        ({"EI": 0, "GJ": 1, "density": 1}, "EI: got 0"),
        ({"EI": (1, -1), "GJ": 1, "density": 1}, "EI: got -1"),
        ({"EI": (1, 1, 1), "GJ": 1, "density": 1}, "EI: got"),
        ({"EI": 1, "GJ": -1, "density": 1}, "GJ: got -1"),
        ({"EI": 1, "GJ": 1, "EA": 0, "density": 1}, "EA: got 0"),
        ({"young": 1, "mass_per_length": -1}, "mass_per_length: got -1"),
    ],
)
def test_too_little_too_much_and_out_of_range(material: dict, words: str) -> None:
    with pytest.raises(StrandError, match=words):
        row(**material)


def test_a_cantilever_of_given_stiffness() -> None:
    network = Network()
    rod = network.rod(np.linspace((0, 0, 0), (1, 0, 0), 41), radius=5e-3, EI=2.0, GJ=1.0, density=1)
    network.clamp(rod, "start")
    simulation = Simulation(network, gravity=(0, 0, 0))
    simulation.load_node(-1, (0, 0, 1e-3))
    simulation.solve()
    assert simulation.positions[-1, 2] == pytest.approx(1e-3 / (3 * 2.0), rel=1e-3)


def test_materials_in_files() -> None:
    text = (
        "[[rod]]\nname = 'a'\nradius = 0.01\nEI = [0.02, 0.03]\nGJ = 0.01\nmass_per_length = 0.2\n"
        'shape = { type = "straight", length = 1.0, segments = 10 }\n'
    )
    made = scene_file.from_toml(text).simulation.network.material()[0]
    np.testing.assert_allclose(made[:5], (4 * 0.03 / 1e-4, 0.02, 0.03, 0.01, 0.2))
    with pytest.raises(StrandError, match=r"rod.*young: got nothing, allowed"):
        scene_file.from_toml(text.replace("EI = [0.02, 0.03]\n", ""))
