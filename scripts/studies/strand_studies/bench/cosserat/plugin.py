"""MuJoCo with the plugin strand.cable as a solver of cosseratbench."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import mujoco
import numpy as np
from cosseratbench.scenario import (
    Cylinder,
    End,
    EndCondition,
    Obstacle,
    Rod,
    Scenario,
    neighbour_elements,
)
from cosseratbench.solver import Diverged
from cosseratbench.trajectory import Trajectory

import strand
from strand.mujoco_versions import discrete
from strand_studies.bench.cosserat import conversion

CURVATURE = "smooth"  #: measure of curvature, which costs a chain nothing
TRIAL_STEP = 1e-6  #: s, with which a scene is made to learn the recommended time step
IMPRATIO = 20  #: ratio of the stiffness of friction to that of contact, with which it hardly creeps
#: Impedance of contacts at the surface and at depth, and that depth, as a part of the radius. Links
#: under tension hop on a drum if the impedance rises within a few micrometres.
IMPEDANCE, SOFT_DEPTH = (0.9, 0.9999), 0.01
#: What the warnings say with which MuJoCo resets a simulation.
_WARNINGS = (
    mujoco.mjtWarning.mjWARN_BADQPOS,
    mujoco.mjtWarning.mjWARN_BADQVEL,
    mujoco.mjtWarning.mjWARN_BADQACC,
)
_HELD = {EndCondition.FREE: "free", EndCondition.PINNED: "ball", EndCondition.CLAMPED: "fixed"}


@dataclass
class _Scene:
    """The scene of a scenario."""

    spec: mujoco.MjSpec
    recipes: list[Any]  #: what Strand chose for each rod
    clamps: list[tuple[str, conversion.Drive]]  #: mocap bodies that are driven


class StrandMuJoCo:
    """Chains of links, which bend and twist but do not stretch, in MuJoCo.

    curvature: measure of curvature of strand.Cable.
    """

    name = "strand-mujoco"
    backend_version = f"{strand.__version__} (MuJoCo {mujoco.__version__})"
    capabilities = conversion.CONTACT

    def __init__(self, time_step_scale: float = 1.0, curvature: str = CURVATURE) -> None:
        self._scale = conversion.time_step_scale(time_step_scale)
        self._curvature = curvature

    def settings(self, scenario: Scenario, *, n_elements: int, n_frames: int) -> dict[str, Any]:
        """The numerical choices for a run: time step (s), damping (1/s), contact, curvature."""
        if n_elements < conversion.LEAST_ELEMENTS:
            return {}  # run() says why
        dt, _ = self._steps(scenario, n_elements, n_frames)
        recipes = _scene(scenario, n_elements, dt, self._curvature).recipes
        return {
            "integrator": "discrete",
            "curvature": self._curvature,
            "time_step": dt,
            "damping_rate": conversion.damping_rate(scenario),
            "whip_damping": _whip_damping(scenario),
            "steps_without_speed": conversion.start_steps(scenario),
            "friction_cone": "elliptic",
            "impratio": IMPRATIO,
            "contact_solref": list(recipes[0].contact_solref),
            "contact_solimp": list(recipes[0].contact_solimp),
            "links_per_tree": [recipe.pieces for recipe in recipes],
        }

    def run(self, scenario: Scenario, *, n_elements: int, n_frames: int) -> Trajectory:
        """Simulates a scenario. Raises NotImplementedError for what a chain cannot model, and
        Diverged if MuJoCo warns."""
        conversion.check_elements(n_elements)
        dt, count = self._steps(scenario, n_elements, n_frames)
        scene = _scene(scenario, n_elements, dt, self._curvature)
        running = _Run(scenario, n_elements, scene)
        recording = conversion.Recording(scenario, n_frames)
        running.record(recording)
        for frame in range(1, n_frames):
            running.steps(count)
            if any(running.data.warning[kind].number for kind in _WARNINGS):
                raise Diverged("MuJoCo reset the simulation", time=float(frame * count * dt))
            running.record(recording)
        return recording.trajectory()

    def _steps(self, scenario: Scenario, n_elements: int, n_frames: int) -> tuple[float, int]:
        trial = _scene(scenario, n_elements, TRIAL_STEP, self._curvature)
        longest = min(recipe.recommended_timestep for recipe in trial.recipes)
        return conversion.time_steps(scenario, n_frames, self._scale * longest)


class _Run:
    """The simulation of a scene."""

    def __init__(self, scenario: Scenario, n_elements: int, scene: _Scene) -> None:
        self._model = model = scene.spec.compile()
        self.data = data = mujoco.MjData(model)
        data.ctrl[:] = 1.0  # loads are motors, whose gear is the force
        mujoco.mj_forward(model, data)
        self._kept = math.exp(-conversion.damping_rate(scenario) * model.opt.timestep)
        overlaps = bool((data.contact.dist < 0).any())
        self._slow_steps = conversion.start_steps(scenario) if overlaps else 0
        rods = range(len(scenario.rods))
        self._nodes = [
            [model.site(f"{_prefix(rod)}node{k}").id for k in range(n_elements + 1)] for rod in rods
        ]
        self._links = [
            [model.body(f"{_prefix(rod)}link{k}").id for k in range(n_elements)] for rod in rods
        ]
        # The directors at the start, in the frames of the links, which carry them.
        self._local = [
            np.einsum("nji,nj->ni", self._frames(rod), scenario.rods[rod].directors(n_elements))
            for rod in rods
        ]
        bodies = [(model.body(name).mocapid[0], drive) for name, drive in scene.clamps]
        self._clamps = [
            (body, drive, data.mocap_pos[body].copy(), data.mocap_quat[body].copy())
            for body, drive in bodies
        ]

    def steps(self, count: int) -> None:
        """Takes time steps. Damping by mass takes the same share of every velocity."""
        model, data = self._model, self.data
        if not self._clamps and self._kept == 1:
            mujoco.mj_step(model, data, count)
            return
        for _ in range(count):
            self._move_clamps(data.time + model.opt.timestep)
            mujoco.mj_step(model, data)
            data.qvel *= 0.0 if self._slow_steps > 0 else self._kept
            self._slow_steps -= 1

    def record(self, recording: conversion.Recording) -> None:
        mujoco.mj_kinematics(self._model, self.data)
        recording.add(
            [self.data.site_xpos[nodes] for nodes in self._nodes],
            [
                np.einsum("nij,nj->ni", self._frames(rod), local)
                for rod, local in enumerate(self._local)
            ],
        )

    def _frames(self, rod: int) -> np.ndarray:
        """Rotation matrices of the links of a rod."""
        return self.data.xmat[self._links[rod]].reshape(-1, 3, 3)

    def _move_clamps(self, time: float) -> None:
        turn = np.zeros(4)
        for body, drive, place, attitude in self._clamps:
            displacement, rotation = drive(time)
            angle = float(np.linalg.norm(rotation))
            axis = rotation / angle if angle > 0 else np.array([1.0, 0.0, 0.0])
            mujoco.mju_axisAngle2Quat(turn, axis, angle)
            self.data.mocap_pos[body] = place + displacement
            mujoco.mju_mulQuat(self.data.mocap_quat[body], turn, attitude)


def _prefix(rod: int) -> str:
    return f"rod{rod}_"


def _scene(scenario: Scenario, n_elements: int, dt: float, curvature: str) -> _Scene:
    """The scene: rods, obstacles, loads and driven clamps."""
    scene = _Scene(mujoco.MjSpec(), [], [])
    option = scene.spec.option
    option.timestep, option.gravity = dt, scenario.gravity
    option.integrator = discrete("strand-mujoco")
    option.cone, option.impratio = mujoco.mjtCone.mjCONE_ELLIPTIC, IMPRATIO
    scene.spec.worldbody.add_site(name="world")
    for index, rod in enumerate(scenario.rods):
        ends = [_holder(scene, index, rod, end, n_elements) for end in End]
        cable = _cable(scenario, index, n_elements, ends, curvature)
        scene.recipes.append(strand.attach(scene.spec, cable))
        _exclude_neighbours(scene.spec, index, rod, n_elements)
        for load in rod.loads:
            node = 0 if load.at is End.START else n_elements
            _add_load(scene.spec, f"{_prefix(index)}node{node}", load.force)
    for obstacle in scenario.obstacles:
        _add_obstacle(scene, obstacle, _condim(scenario))
    return scene


def _cable(
    scenario: Scenario,
    index: int,
    n_elements: int,
    ends: Sequence[tuple[str, str]],
    curvature: str,
) -> strand.Cable:
    """The chain of a rod. Its links have their initial lengths, which never change, and the masses
    of the elements.

    ends: kind of each end, and the body that it is welded to.
    """
    rod = scenario.rods[index]
    nodes = rod.nodes(n_elements)
    lengths = np.linalg.norm(np.diff(nodes, axis=0), axis=1)
    (start, start_to), (end, end_to) = ends
    loads = sum(float(np.linalg.norm(load.force)) for load in rod.loads)
    weight = conversion.mass(rod) * float(np.linalg.norm(scenario.gravity))
    return strand.Cable(
        nodes,
        prefix=_prefix(index),
        EI=conversion.bending_stiffness(rod),
        GJ=conversion.twisting_stiffness(rod),
        radius=rod.radius,
        density=rod.material.density * rod.length / n_elements / lengths,
        normal=rod.directors(n_elements)[0],
        rest="straight",
        curvature=curvature,
        start=start,
        start_to=start_to,
        end=end,
        end_to=end_to,
        max_tension=weight + loads if loads else None,
        whip_damping=_whip_damping(scenario),
        self_contact=scenario.self_contact,
        friction=rod.friction,
        condim=_condim(scenario),
        contact_solimp=(*IMPEDANCE, SOFT_DEPTH * rod.radius),
        priority=0,  # of the friction of two geoms, the larger one counts
    )


def _whip_damping(scenario: Scenario) -> float:
    """Factor of the damping of joints against whipping, which no scenario of motion may have."""
    return 1.0 if scenario.quasi_static else 0.0


def _condim(scenario: Scenario) -> int:
    """Dimension of contacts: 1 in a scenario without friction."""
    things = (*scenario.rods, *scenario.obstacles)
    return 3 if any(thing.friction for thing in things) else 1


def _holder(scene: _Scene, index: int, rod: Rod, end: End, n_elements: int) -> tuple[str, str]:
    """How an end is held: the kind of strand.Cable, and the body that it is welded to."""
    motion = rod.motion(end)
    if motion is None:
        return _HELD[rod.condition(end)], ""
    if motion.slides_along is None:
        scene.clamps.append((f"{_prefix(index)}{end.value}", conversion.drive(motion)))
        return "mocap", ""
    # A carriage slides on a rail, which is the mocap body.
    name = f"{_prefix(index)}{end.value}_rail"
    point = rod.nodes(n_elements)[0 if end is End.START else -1]
    rail = scene.spec.worldbody.add_body(name=name, mocap=True, pos=point)
    carriage = rail.add_body(
        name=f"{name}_carriage",
        mass=conversion.mass(rod) / n_elements,
        inertia=np.full(3, conversion.mass(rod) / n_elements * rod.radius**2),
        explicitinertial=True,
    )
    carriage.add_joint(type=mujoco.mjtJoint.mjJNT_SLIDE, axis=motion.axis)
    scene.clamps.append((name, conversion.drive(motion)))
    return "weld", carriage.name


def _add_load(spec: mujoco.MjSpec, node: str, force: Sequence[float]) -> None:
    """A constant force (N) on a node, along the axes of the world."""
    motor = spec.add_actuator(target=node, refsite="world", gear=[*force, 0.0, 0.0, 0.0])
    motor.trntype = mujoco.mjtTrn.mjTRN_SITE
    motor.set_to_motor()


def _exclude_neighbours(spec: mujoco.MjSpec, index: int, rod: Rod, n_elements: int) -> None:
    """Excludes contact of links that are too near along a rod to touch."""
    known = {frozenset((pair.bodyname1, pair.bodyname2)) for pair in spec.excludes}
    names = [f"{_prefix(index)}link{k}" for k in range(n_elements)]
    for apart in range(2, neighbour_elements(rod.radius, rod.length / n_elements)):
        for pair in zip(names, names[apart:], strict=False):
            if frozenset(pair) not in known:
                spec.add_exclude(bodyname1=pair[0], bodyname2=pair[1])


def _add_obstacle(scene: _Scene, obstacle: Obstacle, condim: int) -> None:
    """A geom of the world, as soft as the rods, and free of the plugin's priority."""
    soft = scene.recipes[0]
    geom = scene.spec.worldbody.add_geom(
        friction=[obstacle.friction, 0.005, 0.0001],
        condim=condim,
        solref=soft.contact_solref,
        solimp=soft.contact_solimp,
    )
    if isinstance(obstacle, Cylinder):
        half = obstacle.unit_axis * obstacle.length / 2
        centre = np.asarray(obstacle.center)
        geom.type = mujoco.mjtGeom.mjGEOM_CYLINDER
        geom.fromto = [*(centre - half), *(centre + half)]
        geom.size = [obstacle.radius, 0.0, 0.0]
        return
    geom.type = mujoco.mjtGeom.mjGEOM_PLANE
    geom.pos = obstacle.point
    geom.size = [0.0, 0.0, 1.0]
    mujoco.mju_quatZ2Vec(quat := np.zeros(4), obstacle.unit_normal)
    geom.quat = quat
