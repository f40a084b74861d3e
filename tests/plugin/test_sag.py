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


def sag_error(links: int, measure: str, clamp: str) -> float:
    """Distance of the tip from theory, for a clamp at the node or in the middle of a held link."""
    L, r, density, EI = 1.0, 0.003, 1100.0, 0.06
    described = strand.Cable(strand.straight(L, links), EI, EI / 1.5, radius=r, density=density)
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
