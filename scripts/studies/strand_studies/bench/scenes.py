"""The chains of the benchmarks, each with and without the plugin."""

from typing import NamedTuple
from xml.etree import ElementTree

import mujoco
import numpy as np

import strand

LENGTH = 9.29  #: m
EI, GJ = 1.345, 0.789  #: N m^2
RADIUS = 0.02  #: m
TWIST = 54 * np.pi  #: rad
SLACK = 0.3  #: m, by which the ends are moved together


class Scene(NamedTuple):
    """A model with the plugin, the same without it, and a state reached with the plugin."""

    with_plugin: mujoco.MjModel
    without: mujoco.MjModel
    data: mujoco.MjData


def without_plugin(mjcf: str) -> str:
    """The same model with all plugin elements removed."""
    root = ElementTree.fromstring(mjcf)
    for parent in list(root.iter()):
        for child in [child for child in parent if child.tag in ("plugin", "extension")]:
            parent.remove(child)
    return ElementTree.tostring(root, encoding="unicode")


def _scene(cable: strand.Cable) -> Scene:
    mjcf = cable.to_mjcf()
    model = mujoco.MjModel.from_xml_string(mjcf)
    plain = mujoco.MjModel.from_xml_string(without_plugin(mjcf))
    return Scene(model, plain, mujoco.MjData(model))


def _sound(scene: Scene) -> Scene:
    if scene.data.warning.number.any():
        raise strand.StrandError(f"simulation: diverged at {scene.data.time:.4f} s")
    return scene


def buckled(segments: int, root: str = "end") -> Scene:
    """A developing localized helical buckle: both ends clamped, 27 turns, far end moving in."""
    cable = strand.Cable(
        nodes=strand.straight(LENGTH, segments),
        EI=EI,
        GJ=GJ,
        radius=RADIUS,
        start="fixed",
        end="mocap",
        clamp="link",
        root=root,
        damping=1.0,
        gravity=(0, 0, 0),
        timestep=0.0015,
        collide=False,
        keys={"rest_twist": TWIST},
    )
    scene = _scene(cable)
    model, data = scene.with_plugin, scene.data
    data.qvel[:] = 0.01 * np.random.default_rng(segments).standard_normal(model.nv)
    steps = 200
    for _ in range(steps):
        data.mocap_pos[-1, 0] -= SLACK / steps
        mujoco.mj_step(model, data)
    return _sound(scene)


def cantilever(segments: int, root: str = "end") -> Scene:
    """A cable clamped at one end that falls under gravity; Euler's integrator."""
    cable = strand.Cable(
        nodes=strand.straight(1.0, segments),
        EI=0.06,
        GJ=0.04,
        radius=0.003,
        density=1100,
        start="fixed",
        clamp="link",
        root=root,
        integrator="Euler",
        timestep=0.001,
        collide=False,
    )
    scene = _scene(cable)
    mujoco.mj_step(scene.with_plugin, scene.data, nstep=100)
    return _sound(scene)


def hanging(segments: int, root: str = "auto") -> Scene:
    """A cable with the defaults of descriptions, cut into trees if it is long, which swings from
    one end in air."""
    cable = strand.Cable(
        nodes=strand.straight(1.0, segments),
        EI=0.06,
        GJ=0.04,
        radius=0.003,
        density=1100,
        start="fixed",
        root=root,
        timestep=0.002,
        collide=False,
    )
    scene = _scene(cable)
    mujoco.mj_step(scene.with_plugin, scene.data, nstep=100)
    return _sound(scene)


def bent(segments: int, root: str = "end") -> Scene:
    """A chain of any length in a random shape, for its passive forces only, not for stepping.

    It is built body by body, since MJCF text cannot be nested a thousand levels deep. The model
    without the plugin has the same bodies and joints, but side by side: the tree does not affect
    passive forces of joints, and MuJoCo takes half a minute to compile a chain of a thousand links.
    """
    spec = mujoco.MjSpec.from_string(_INSTANCE)
    _add_chain(spec, segments, segments // 2 if root == "middle" else 0)
    loose = mujoco.MjSpec()
    for k in range(segments):
        _add_link(loose.worldbody, 0, LENGTH / segments, jointed=k > 0)
    model = spec.compile()
    scene = Scene(model, loose.compile(), mujoco.MjData(model))
    turns = 0.1 * np.random.default_rng(segments).standard_normal(model.nv)
    mujoco.mj_integratePos(model, scene.data.qpos, turns, 1)
    return scene


_INSTANCE = f"""<mujoco><extension><plugin plugin="strand.cable"><instance name="rod">
<config key="EI" value="{EI}"/><config key="GJ" value="{GJ}"/>
</instance></plugin></extension></mujoco>"""


def _add_chain(spec: mujoco.MjSpec, segments: int, root: int) -> None:
    """Adds links 0 .. segments - 1; the link `root` is fixed to the world."""
    length = LENGTH / segments
    bodies = {root: _add_link(spec.worldbody, 0, length, jointed=False)}
    for k in range(root + 1, segments):
        bodies[k] = _add_link(bodies[k - 1], length, length)
    for k in range(root - 1, -1, -1):
        bodies[k] = _add_link(bodies[k + 1], -length, length)
    for body in bodies.values():
        body.plugin.plugin_name = "strand.cable"
        body.plugin.name = "rod"
        body.plugin.active = True


def _add_link(
    parent: mujoco.MjsBody, place: float, length: float, jointed: bool = True
) -> mujoco.MjsBody:
    """A link with its origin at x = place (m) of the parent; its joint is where the two meet."""
    body = parent.add_body(pos=(place, 0, 0))
    if jointed:
        body.add_joint(type=mujoco.mjtJoint.mjJNT_BALL, pos=(0 if place >= 0 else length, 0, 0))
    body.add_geom(
        type=mujoco.mjtGeom.mjGEOM_CAPSULE,
        fromto=(0, 0, 0, length, 0, 0),
        size=(RADIUS, 0, 0),
        contype=0,
        conaffinity=0,
    )
    return body
