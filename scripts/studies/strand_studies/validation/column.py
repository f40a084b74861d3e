"""A straight rod along x between two supports: the model of `euler`, `greenhill`, `vibration`."""

import mujoco
import numpy as np

from strand.cable.cable import Cable
from strand.cable.generation import attach
from strand.cable.shapes import straight
from strand.mujoco_versions import discrete
from strand_studies.validation.linearized import Linearized, Loads, is_spin

LENGTH, EI, GJ = 1.0, 1.0, 0.8  # m, N m^2
RADIUS = 1e-3  # m: slender, so that rotary inertia is far below the errors of the chain
MASS = 1.0  # kg/m
DENSITY = MASS / (np.pi * RADIUS**2)
X, NOTHING = np.array([1.0, 0.0, 0.0]), np.zeros(3)

START, END = "cable_site_start", "cable_site_end"  # sites at the first and last node
SLIDER = "slider"  # site on the sliding support


def column(segments: int, curvature: str, start: str, end: str, **options) -> mujoco.MjModel:
    """A rod held at x = 0. A "pin" or "weld" end is attached to a support that slides along x.

    `options` are further arguments of strand.Cable.
    """
    spec = mujoco.MjSpec()
    spec.option.gravity = [0, 0, 0]
    spec.option.integrator = discrete("validate")
    if end in ("pin", "weld"):
        slider = spec.worldbody.add_body(name="support", pos=[LENGTH, 0, 0])
        slider.add_joint(type=mujoco.mjtJoint.mjJNT_SLIDE, axis=X)
        slider.add_geom(size=[RADIUS, 0, 0], contype=0, conaffinity=0)
        slider.add_site(name=SLIDER)
        options["end_to"] = SLIDER
    cable = Cable(
        pieces="none",
        nodes=straight(LENGTH, segments),
        EI=EI,
        GJ=GJ,
        radius=RADIUS,
        density=DENSITY,
        start=start,
        end=end,
        collide=False,
        curvature=curvature,
        **options,
    )
    attach(spec, cable)
    return spec.compile()


def bending(model: mujoco.MjModel, loads: Loads | None = None) -> Linearized:
    """The bending of the straight rod, linearised, under dead loads."""
    return Linearized(model, loads, ~is_spin(model))


def twisting(model: mujoco.MjModel) -> Linearized:
    """The twisting of the straight rod, linearised."""
    return Linearized(model, None, is_spin(model))
