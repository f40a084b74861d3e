"""A cable that hangs between two points: sag, shape and horizontal force against the catenary.

The cable, of length L and span S < L, starts as an arc and is simulated in MuJoCo until it is at
rest. Its bending stiffness is 1e-8 q L^3 (q: weight per length), which changes both figures by
less than 1e-6. Theory (uniform, perfectly flexible): z = a cosh(x / a), 2 a sinh(S / 2a) = L,
sag = a (cosh(S / 2a) - 1), horizontal force H = q a.
"""

import mujoco
import numpy as np
from scipy.optimize import brentq

from strand.cable.cable import Cable
from strand.cable.generation import attach
from strand.cable.shapes import arc
from strand.draw.report import Report
from strand.mujoco_versions import discrete
from strand.readout.profile import profile
from strand_studies import relax
from strand_studies.validation import convergence

LENGTH, SPAN = 1.0, 0.7  # m
MASS, GRAVITY = 1.0, 9.81  # kg/m, m/s^2
RADIUS = 0.005  # m
WEIGHT = MASS * GRAVITY  # N/m
EI = 1e-8 * WEIGHT * LENGTH**3  # N m^2
DAMPING, TIMESTEP = 0.01, 0.002  # N m s/rad, s: near the critical damping of the slowest swing
AT_REST = 1e-6  # rad/s, m/s: forces are accurate to 1e-6 even for the least damped mode
MEASURES = ("sag", "horizontal force")


def parameter() -> float:
    """a of the catenary (m)."""
    return brentq(lambda a: 2 * a * np.sinh(SPAN / (2 * a)) - LENGTH, 0.1 * SPAN, 10 * SPAN)


def theory() -> dict[str, float]:
    """Sag (m) and horizontal force (N)."""
    a = parameter()
    return {"sag": a * (np.cosh(SPAN / (2 * a)) - 1), "horizontal force": WEIGHT * a}


def initial_nodes(segments: int) -> np.ndarray:
    """Nodes (n + 1, 3) of an arc in the xz plane with about the sag of the catenary."""
    angle = 2 * brentq(lambda half: np.sin(half) / half - SPAN / LENGTH, 0.1, np.pi)
    flat = arc(LENGTH, angle, segments)
    half = angle / 2
    x = flat[:, 0] * np.cos(half) + flat[:, 1] * np.sin(half)
    return np.stack([x, 0 * x, flat[:, 1] * np.cos(half) - flat[:, 0] * np.sin(half)], axis=1)


def hang(segments: int, curvature: str) -> tuple[dict[str, float], np.ndarray]:
    """Sag (m), horizontal force (N), and the nodes (n + 1, 3) of the cable at rest."""
    spec = mujoco.MjSpec()
    spec.option.gravity = [0, 0, -GRAVITY]
    spec.option.integrator = discrete("validate")
    spec.option.timestep = TIMESTEP
    spec.worldbody.add_site(name="post", pos=[SPAN, 0, 0])
    cable = Cable(
        pieces="none",
        nodes=initial_nodes(segments),
        EI=EI,
        GJ=EI,
        radius=RADIUS,
        density=MASS / (np.pi * RADIUS**2),
        rest="straight",
        start="ball",
        end="pin",
        end_to="post",
        collide=False,
        damping=DAMPING,
        curvature=curvature,
    )
    attach(spec, cable)
    model = spec.compile()
    data = mujoco.MjData(model)
    relax.settle(model, data, at_rest=AT_REST)
    nodes = np.array([data.site(f"cable_node{k}").xpos for k in range(segments + 1)])
    # Residual sway adds to the force at one end what it takes from the other, so the mean of both
    # is taken.
    of_cable = profile(model, data)
    pulls = np.abs([of_cable.start_force[0], of_cable.end_force[0]])
    return {"sag": float(-nodes[:, 2].min()), "horizontal force": float(pulls.mean())}, nodes


def run(
    segments: list[int] | None = None,
    curvature: str = "angle",
    progress: relax.Progress = None,
) -> Report:
    """Simulates a hanging cable with each number of links."""
    expected, shapes = theory(), {}

    def measure(_: None, n: int) -> list[dict]:
        found, shapes[n] = hang(n, curvature)
        return [
            {"measure": name, "segments": n, "curvature": curvature}
            | convergence.compare(found[name], expected[name], n)
            for name in MEASURES
        ]

    results = convergence.sweep({"": None}, segments, measure, progress)
    return convergence.report(
        "catenary",
        "Catenary",
        results,
        ("measure", "curvature"),
        lambda figure, cases: _draw(figure, cases, shapes),
        "found and theory: m, N",
    )


def _draw(figure, results: list[dict], shapes: dict[int, np.ndarray]) -> None:
    left, right = figure.subplots(1, 2)
    a = parameter()
    x = np.linspace(0, SPAN, 200)
    curve = a * (np.cosh((x - SPAN / 2) / a) - np.cosh(SPAN / (2 * a)))
    left.plot(x, curve, color="black", lw=1, label="catenary")
    for n, mark in zip(sorted({min(shapes), max(shapes)}), ("s", "."), strict=False):
        left.plot(shapes[n][:, 0], shapes[n][:, 2], mark, label=f"n = {n}")
    left.set(xlabel="x (m)", ylabel="z (m)", title="Catenary")
    left.legend()
    convergence.draw(right, results, "measure")
