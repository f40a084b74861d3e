"""A cable between a wall and a moving gripper falls over a pipe and is dragged across a box."""

from collections.abc import Callable

import mujoco
import numpy as np

import strand
from strand.draw.stage import set_stage
from strand_studies.beam import second_moment

LENGTH, SEGMENTS, RADIUS = 2.0, 76, 0.012  # m, 1, m
YOUNG, POISSON, DENSITY = 3e6, 0.45, 1150.0  # Pa, 1, kg/m^3: a rubber cable
TIMESTEP = 0.002  # s
HEIGHT = 1.0  # m, initial height of the end at the wall
PIPE = {"x": 0.62, "z": 0.55, "radius": 0.09}  # m, its axis is y
BOX = {"x": 1.02, "z": 0.07, "half": (0.13, 0.17, 0.07)}  # m
DURATION = 6.0  # s
STRESS = (0.0, 0.35e6)  # Pa, blue to red

#: Path of the gripper: time (s) and position (m).
_WAY = np.array(
    [
        [0.0, 2.00, 0.00, 1.00],
        [0.5, 2.00, 0.00, 1.00],
        [2.3, 1.55, 0.00, 0.62],
        [3.8, 1.42, -0.20, 0.30],
        [5.0, 1.50, 0.00, 0.32],
        [9.0, 1.50, 0.00, 0.32],
    ]
)


def build() -> mujoco.MjModel:
    """The compiled scene."""
    return make_spec().compile()


def make_spec(integrator: str = "implicitfast") -> mujoco.MjSpec:
    """The scene as an MjSpec, to which more can be added. The cable is coloured by its stress."""
    cable = strand.Cable(
        nodes=strand.straight(LENGTH, SEGMENTS) + np.array([0, 0, HEIGHT]),
        EI=YOUNG * second_moment(RADIUS),
        GJ=YOUNG / (1 + POISSON) * second_moment(RADIUS),
        radius=RADIUS,
        density=DENSITY,
        start="fixed",
        end="mocap",
        damping=2e-4,
        integrator=integrator,
        timestep=TIMESTEP,
        friction=0.5,
        keys={"color": STRESS},
    )
    spec = mujoco.MjSpec.from_string(strand.generate(cable))
    set_stage(spec)
    _add_wall(spec)
    _add_obstacles(spec)
    _add_gripper(spec.body("cable_end"))
    return spec


def _add_wall(spec: mujoco.MjSpec) -> None:
    box = mujoco.mjtGeom.mjGEOM_BOX
    _geom(spec.worldbody, box, (0.03, 0.32, 0.62), (-0.03, 0, 0.62), (0.74, 0.78, 0.84, 1))
    cylinder = mujoco.mjtGeom.mjGEOM_CYLINDER
    size, turned = (0.03, 0.012, 0), (np.sqrt(0.5), 0, np.sqrt(0.5), 0)
    socket = _geom(spec.worldbody, cylinder, size, (0.008, 0, HEIGHT), (0.16, 0.18, 0.21, 1))
    socket.quat = turned


def _add_obstacles(spec: mujoco.MjSpec) -> None:
    steel, wood = (0.72, 0.74, 0.77, 1), (0.80, 0.58, 0.36, 1)
    cylinder, box = mujoco.mjtGeom.mjGEOM_CYLINDER, mujoco.mjtGeom.mjGEOM_BOX
    centre = (PIPE["x"], 0, PIPE["z"])
    pipe = _geom(spec.worldbody, cylinder, (PIPE["radius"], 0.30, 0), centre, steel, collide=True)
    pipe.name = "pipe"
    pipe.quat = (np.sqrt(0.5), np.sqrt(0.5), 0, 0)
    for side in (-1, 1):
        foot = (PIPE["x"], side * 0.27, PIPE["z"] / 2)
        _geom(spec.worldbody, box, (0.02, 0.02, PIPE["z"] / 2), foot, (0.30, 0.33, 0.37, 1))
    crate = _geom(spec.worldbody, box, BOX["half"], (BOX["x"], 0, BOX["z"]), wood, collide=True)
    crate.name = "box"


def _add_gripper(body: mujoco.MjsBody) -> None:
    """Adds two fingers and a palm around the last link, without collisions."""
    box, dark, orange = mujoco.mjtGeom.mjGEOM_BOX, (0.17, 0.19, 0.22, 1), (0.93, 0.46, 0.13, 1)
    middle = -LENGTH / SEGMENTS / 2  # the body is at the cable's end
    for side in (-1, 1):
        finger = (middle, side * (RADIUS + 0.008), 0.028)
        _geom(body, box, (0.016, 0.007, 0.045), finger, dark)
    _geom(body, box, (0.030, 0.055, 0.018), (middle, 0, 0.090), orange)
    cylinder = mujoco.mjtGeom.mjGEOM_CYLINDER
    _geom(body, cylinder, (0.026, 0.08, 0), (middle, 0, 0.185), (0.86, 0.88, 0.90, 1))
    _geom(body, cylinder, (0.032, 0.012, 0), (middle, 0, 0.118), dark)


def _geom(body, kind, size, place, rgba, collide: bool = False) -> mujoco.MjsGeom:
    """Adds a geom. Its contact with the cable is as stiff as the time step allows."""
    return body.add_geom(
        type=kind,
        size=size,
        pos=place,
        rgba=rgba,
        friction=[0.5, 0.005, 0.0001],
        solref=[2 * TIMESTEP, 1],
        priority=1,
        contype=int(collide),
        conaffinity=int(collide),
    )


def drive(data: mujoco.MjData) -> None:
    """Moves the gripper to its position at data.time."""
    time = np.clip(data.time, _WAY[0, 0], _WAY[-1, 0])
    leg = int(np.clip(np.searchsorted(_WAY[:, 0], time) - 1, 0, len(_WAY) - 2))
    begin, end = _WAY[leg], _WAY[leg + 1]
    s = (time - begin[0]) / (end[0] - begin[0])
    smooth = s * s * s * (10 - 15 * s + 6 * s * s)
    place = begin[1:] + smooth * (end[1:] - begin[1:])
    data.mocap_pos[0] = place


def play(model: mujoco.MjModel, watch: Callable[[mujoco.MjData], None]) -> mujoco.MjData:
    """Runs the scene for DURATION s and calls `watch` with its data 25 times per second."""
    data = mujoco.MjData(model)
    steps = round(0.04 / model.opt.timestep)
    mujoco.mj_forward(model, data)
    watch(data)
    while data.time < DURATION:
        for _ in range(steps):
            drive(data)
            mujoco.mj_step(model, data)
        watch(data)
    return data


def depth_in_pipe(model: mujoco.MjModel, data: mujoco.MjData) -> float:
    """Largest depth (m) of the cable's surface in the pipe; negative without contact."""
    nodes = data.xpos[[model.body(f"cable_link{k}").id for k in range(SEGMENTS)]]
    distance = np.hypot(nodes[:, 0] - PIPE["x"], nodes[:, 2] - PIPE["z"])
    return float(PIPE["radius"] + RADIUS - distance.min())
