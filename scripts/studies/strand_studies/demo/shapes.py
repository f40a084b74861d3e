"""Shapes for pictures: the buckled rod and the buckled ring of the validations."""

import mujoco
import numpy as np

import strand
from strand.draw.stage import set_stage
from strand_studies.validation import lhb, mbi

_RELAXATION = 0.1  # s: relaxation time of bending by joint damping


def helix(segments: int = 80) -> tuple[mujoco.MjModel, mujoco.MjData]:
    """The localized helical buckle, 27 turns in the rest twist, at rest except for slow creep."""
    cable = strand.Cable(
        nodes=strand.straight(lhb.LENGTH, segments),
        EI=lhb.EI,
        GJ=lhb.GJ,
        radius=0.035,
        root="middle",
        start="fixed",
        end="mocap",
        clamp="link",
        damping=_RELAXATION * lhb.EI * segments / lhb.LENGTH,
        gravity=(0, 0, 0),
        collide=False,
        integrator="discrete",
        timestep=0.005,
        keys={"rest_twist": -lhb.TWIST, "color": _stress_range(0.035)},
    )
    spec = mujoco.MjSpec.from_string(strand.generate(cable))
    set_stage(spec, floor=-0.4, collide=False)
    model = spec.compile()
    data = mujoco.MjData(model)
    middle = model.body(f"cable_link{segments // 2}").id
    begin, time = data.mocap_pos[0, 0], 6.0
    while data.time < 2 * time:
        done = min(1.0, data.time / time)
        data.mocap_pos[0, 0] = begin - lhb.SHORTENING * done
        data.xfrc_applied[middle, 1] = 0.5 if done < 1 else 0
        mujoco.mj_step(model, data, nstep=10)
    return model, data


def _stress_range(radius: float) -> tuple[float, float]:
    """Range of the von Mises stress (Pa): of twist only, and with bending at the peak."""
    torque = lhb.GJ * lhb.TWIST / lhb.LENGTH
    shear = np.sqrt(3) * 2 * torque / (np.pi * radius**3)
    return 0.97 * shear, 1.09 * shear


def michell_ring(
    gj_over_ei: float = 0.875, excess: float = 1.3, height: float = 0.55
) -> tuple[mujoco.MjModel, mujoco.MjData]:
    """Michell's ring, turned beyond its critical angle, when it is `height` (m) out of plane."""
    segments, radius = 80, 0.035
    cable = strand.Cable(
        nodes=strand.ring(mbi.RADIUS, segments, overlap=1),
        EI=mbi.EI,
        GJ=gj_over_ei * mbi.EI,
        radius=radius,
        start="fixed",
        end="fixed",
        clamp="link",
        gravity=(0, 0, 0),
        collide=False,
        damping=_RELAXATION * mbi.EI * segments / (2 * np.pi * mbi.RADIUS),
        integrator="discrete",
        timestep=0.01,
        keys={
            "rest": "straight",
            "rest_twist": excess * mbi.theory(gj_over_ei),
            "color": (2e4, 1.0e5),
        },
    )
    spec = mujoco.MjSpec.from_string(strand.generate(cable))
    set_stage(spec, floor=-0.7, collide=False)
    model = spec.compile()
    data = mujoco.MjData(model)
    middle = model.body(f"cable_link{segments // 2}").id
    while np.abs(data.xpos[1:, 2]).max() < height and data.time < 60:
        data.xfrc_applied[middle, 2] = 0.05 if data.time < 1 else 0
        mujoco.mj_step(model, data, nstep=5)
    return model, data
