"""A horizontal rod clamped at one end: the model of `elastica` and `cantilever`."""

import mujoco
import numpy as np

from strand.cable.cable import Cable
from strand.cable.shapes import straight
from strand_studies import relax
from strand_studies.validation import convergence

LENGTH, EI, GJ = 1.0, 1.0, 0.8  # m, N m^2
RADIUS, TIMESTEP, RELAXATION = 0.01, 0.01, 0.5  # m, s, s
AT_REST = 1e-7  # rad/s: slow enough that residual creep is far below the discretisation error


class ClampedRod:
    """A rod of n links and length L, clamped at the first node."""

    def __init__(self, segments: int, curvature: str, density: float, gravity: float) -> None:
        cable = Cable(
            pieces="none",
            nodes=straight(LENGTH, segments),
            EI=EI,
            GJ=GJ,
            radius=RADIUS,
            density=density,
            start="fixed",
            gravity=(0, 0, -gravity),
            collide=False,
            damping=relax.joint_damping(EI, LENGTH / segments, RELAXATION),
            integrator="discrete",
            timestep=TIMESTEP,
            curvature=curvature,
        )
        self.model = mujoco.MjModel.from_xml_string(cable.to_mjcf())
        self.data = mujoco.MjData(self.model)
        mujoco.mj_forward(self.model, self.data)
        self.site = self.model.site("cable_site_end").id
        self.last = self.model.body(f"cable_link{segments - 1}").id

    def hang(self, tip_load: float = 0.0) -> tuple[float, float]:
        """Deflection (w / L, u / L) of the tip at rest under a downward tip load (N)."""
        force = np.array([0.0, 0.0, -tip_load])

        def drive() -> None:
            lever = self.data.site_xpos[self.site] - self.data.xipos[self.last]
            self.data.xfrc_applied[self.last] = [*force, *np.cross(lever, force)]

        relax.settle(self.model, self.data, drive, steps=2, at_rest=AT_REST)
        tip = self.data.site_xpos[self.site]
        return float(-tip[2] / LENGTH), float(1 - tip[0] / LENGTH)


def compare(found: tuple[float, float], theory: tuple[float, float], segments: int) -> dict:
    """The entries of a case that compare the tip's (w / L, u / L) with theory."""
    error = max(abs(a / b - 1) for a, b in zip(found, theory, strict=True))
    return {
        "w": found[0],
        "u": found[1],
        "w_theory": theory[0],
        "u_theory": theory[1],
        **convergence.judge(error, segments),
    }
