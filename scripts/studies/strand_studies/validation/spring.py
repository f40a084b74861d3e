"""Stiffness of one turn of a helical spring.

The wire's start is clamped. Its end is rigidly attached to a body on the axis, which is pulled
along the axis. So every cross-section carries only the force on the axis, whether the coil tilts
or not, and the end turns freely. Theory, thin wire (Love, Treatise on Elasticity, 271):

    k = 1 / [l R^2 (cos^2 a / GJ + sin^2 a / EI)],

l the wire's length, R the radius, a the pitch angle. The stiffness is that of the rest shape,
linearised by finite differences of MuJoCo's forces (linearized.py).

Flat springs are the hardest case: all of their stiffness is torsion of a wire that is bent at rest,
for which the rod corrects its joints (model/energy/rod.cc).
"""

import mujoco
import numpy as np

from strand.cable.cable import Cable
from strand.cable.generation import attach
from strand.cable.shapes import helix
from strand.draw.report import Report
from strand_studies import relax
from strand_studies.validation import convergence
from strand_studies.validation.linearized import Linearized

RADIUS, EI = 1.0, 1.0  # m, N m^2
WIRE_RADIUS = 0.01  # m: does not affect statics
PITCH_ANGLES = (10.0, 25.0, 45.0)  # degrees
RATIOS = (0.8, 1.25)  # GJ / EI
Z = np.array([0.0, 0.0, 1.0])


def pitch(angle: float) -> float:
    """Rise (m) of one turn at a pitch angle (rad)."""
    return 2 * np.pi * RADIUS * np.tan(angle)


def theory(angle: float, GJ: float) -> float:
    """Stiffness (N/m) of one turn at a pitch angle (rad)."""
    length = np.hypot(2 * np.pi * RADIUS, pitch(angle))
    return 1 / (length * RADIUS**2 * (np.cos(angle) ** 2 / GJ + np.sin(angle) ** 2 / EI))


def stiffness(angle: float, GJ: float, segments: int, curvature: str) -> float:
    """Stiffness (N/m) of the chain's turn at a pitch angle (rad)."""
    spec = mujoco.MjSpec()
    spec.option.gravity = [0, 0, 0]
    arm = spec.worldbody.add_body(name="arm", pos=[0, 0, pitch(angle)])
    arm.add_freejoint()
    arm.add_geom(size=[WIRE_RADIUS, 0, 0], contype=0, conaffinity=0)
    arm.add_site(name="axis")
    cable = Cable(
        nodes=helix(RADIUS, pitch(angle), 1, segments),
        EI=EI,
        GJ=GJ,
        radius=WIRE_RADIUS,
        start="fixed",
        end="weld",
        end_to="arm",
        collide=False,
        curvature=curvature,
    )
    attach(spec, cable)
    return 1 / Linearized(spec.compile()).compliance("axis", Z)


def run(
    segments: list[int] | None = None,
    curvature: str = "angle",
    progress: relax.Progress = None,
) -> Report:
    """Measures the stiffness for each ratio GJ/EI, pitch angle and number of links."""

    def measure(spring: tuple[float, float], n: int) -> list[dict]:
        ratio, degrees = spring
        angle = np.radians(degrees)
        found = stiffness(angle, ratio * EI, n, curvature)
        case = {"gj_over_ei": ratio, "pitch_angle": degrees}
        case |= {"segments": n, "curvature": curvature}
        return [case | convergence.compare(found, theory(angle, ratio * EI), n)]

    values = {
        f"GJ/EI = {ratio:g}, pitch angle {degrees:g} degrees": (ratio, degrees)
        for ratio in RATIOS
        for degrees in PITCH_ANGLES
    }
    results = convergence.sweep(values, segments, measure, progress)
    note = "pitch_angle in degrees; found and theory: N/m, R = 1 m, EI = 1 N m²"
    keys = ("gj_over_ei", "pitch_angle", "curvature")
    return convergence.report("spring", "Helical spring, one turn", results, keys, _draw, note)


def _draw(figure, results: list[dict]) -> None:
    left, right = figure.subplots(1, 2)
    finest = max(case["segments"] for case in results)
    line = np.linspace(5, 60, 100)
    for ratio in RATIOS:
        values = [theory(np.radians(degrees), ratio * EI) for degrees in line]
        left.plot(line, values, color="black", lw=1, label="theory" if ratio == RATIOS[0] else None)
        best = [c for c in results if c["segments"] == finest and c["gj_over_ei"] == ratio]
        places, found = zip(*[(case["pitch_angle"], case["found"]) for case in best], strict=True)
        left.plot(places, found, "o", label=f"GJ/EI = {ratio:g}, n = {finest}")
    left.set(xlabel="pitch angle (°)", ylabel="stiffness (N/m)", title="Helical spring, one turn")
    left.legend(fontsize="small")
    convergence.draw(right, results, "gj_over_ei", "pitch_angle", unit="GJ/EI, angle: ")
