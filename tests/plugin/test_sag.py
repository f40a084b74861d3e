"""A heavy cable sags like the elastica, clamped at a node or by its first link."""

import numpy as np
import pytest
from scipy.integrate import solve_bvp
from support import cables

import strand
from strand.mujoco_versions import BEST_INTEGRATOR


def heavy_elastica(load: float) -> tuple[float, float]:
    """Tip (x, z) / L of a clamped rod of length 1 under its weight w, with load = w L^3 / EI."""

    def slopes(s, y):
        return np.vstack([y[1], load * (1 - s) * np.cos(y[0]), np.cos(y[0]), np.sin(y[0])])

    def ends(a, b):
        return np.array([a[0], b[1], a[2], a[3]])

    s = np.linspace(0, 1, 200)
    guess = np.vstack([-0.8 * s, -0.8 * (1 - s), s, -0.5 * s])
    solution = solve_bvp(slopes, ends, s, guess, tol=1e-9, max_nodes=20000)
    assert solution.success
    return solution.y[2, -1], solution.y[3, -1]


def sag_error(links: int, measure: str, clamp: str, spread: float = 0.0) -> float:
    """Distance of the tip from theory, for a clamp at the node or in the middle of a held link.

    spread: links are longer and shorter by up to this fraction.
    """
    L, r, density, EI = 1.0, 0.003, 1100.0, 0.06
    lengths = 1 + spread * np.random.default_rng(links).uniform(-1, 1, links)
    nodes = np.zeros((links + 1, 3))
    nodes[1:, 0] = L * np.cumsum(lengths) / lengths.sum()
    described = strand.Cable(nodes, EI, EI / 1.5, radius=r, density=density)
    described.start, described.integrator, described.timestep = "fixed", BEST_INTEGRATOR, 0.02
    described.damping, described.keys = 0.3 * EI * links, {"curvature": measure}
    described.clamp = clamp
    model, data = cables.load(described)
    cables.run(model, data, 6.0)
    held = L / links / 2 if clamp == "link" else 0.0
    free = L - held
    load = density * np.pi * r**2 * 9.81 * free**3 / EI
    x, z = heavy_elastica(load)
    tip = data.site("cable_site_end").xpos
    return float(np.hypot(tip[0] - held - free * x, tip[2] - free * z))


@pytest.mark.parametrize("clamp", ("node", "link"))
@pytest.mark.parametrize("measure", ("angle", "tangent"))
def test_sag_converges_to_the_heavy_elastica(measure: str, clamp: str) -> None:
    errors = [sag_error(links, measure, clamp) for links in (10, 20, 40)]
    assert errors[2] < 4e-4
    assert errors[1] < 0.4 * errors[0]
    assert errors[2] < 0.4 * errors[1]


def test_nearly_equal_links_are_as_accurate_as_equal_ones() -> None:
    even, uneven = (sag_error(20, "smooth", "node", spread) for spread in (0.0, 0.004))
    assert uneven < 1.1 * even
    assert uneven < 0.6 * sag_error(20, "angle", "node", 0.004)


@pytest.mark.parametrize("spread, chosen", ((0.0, "smooth"), (0.004, "smooth"), (0.1, "angle")))
def test_curvature_is_smooth_where_links_are_equal(spread: float, chosen: str) -> None:
    nodes = np.zeros((31, 3))
    nodes[:, 0] = np.arange(31) + spread * np.random.default_rng(0).uniform(-1, 1, 31)
    assert strand.Cable(nodes, EI=1, GJ=1, radius=0.1).recipe().curvature == chosen
