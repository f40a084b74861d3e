"""Cables that are tied to the middle of a body: their first links lie inside it."""

import mujoco
import numpy as np
import pytest
from support.touch import RUBBER, UPRIGHT, each_recipe, scene, start, steps

import strand

RADIUS, LINKS, LENGTH = 0.003, 20, 0.4
HOLDERS = {
    "box": 'type="box" size=".03 .02 .03"',
    "sphere": 'type="sphere" size=".05"',
    "capsule": 'type="capsule" fromto="-.06 0 0 .06 0 0" size=".02"',
    "cylinder": 'type="cylinder" size=".045 .03"',
    "ellipsoid": 'type="ellipsoid" size=".05 .03 .02"',
    "mesh": 'type="mesh" mesh="octahedron"',
}
OCTAHEDRON = np.vstack([np.diag([0.06, 0.05, 0.04]), -np.diag([0.06, 0.05, 0.04])])  #: m


def rope(nodes: np.ndarray, **options) -> strand.Cable:
    return strand.Cable(nodes, prefix="rope_", **({"radius": RADIUS} | RUBBER | options))


def dumbbell(shape: str, integrator: str, timestep: float) -> mujoco.MjSpec:
    """Two bodies without gravity, one of them turned, tied to each other from middle to middle."""
    bodies = "".join(
        f"""<body name="{name}" pos="{x} 0 0" quat="{quat}"><freejoint/>
            <geom name="{name}" {{geom}} mass=".3"/></body>"""
        for name, x, quat in (("left", -0.2, "1 0 0 0"), ("right", 0.2, ".7 .1 .3 .6"))
    )
    world = bodies.format(geom='size=".01"' if shape == "mesh" else HOLDERS[shape])
    spec = scene(integrator, timestep, world, gravity="0 0 0")
    if shape == "mesh":
        spec.add_mesh(name="octahedron", uservert=OCTAHEDRON.ravel().tolist())
        for name in ("left", "right"):
            geom = spec.geom(name)
            geom.type, geom.meshname = mujoco.mjtGeom.mjGEOM_MESH, "octahedron"
    nodes = strand.straight(LENGTH, LINKS) - np.array([0.2, 0, 0])
    held = {"start": "pin", "start_to": "left", "end": "pin", "end_to": "right"}
    strand.attach(spec, rope(nodes, max_tension=200.0, **held))
    return spec


def excluded(spec: mujoco.MjSpec, body: str) -> list[int]:
    """The links that do not collide with a body."""
    names = [pair.bodyname2 for pair in spec.excludes if pair.bodyname1 == body]
    return sorted(int(name.removeprefix("rope_link")) for name in names)


@each_recipe
@pytest.mark.parametrize("shape", HOLDERS)
def test_bodies_tied_middle_to_middle_fly_apart(
    shape: str, integrator: str, timestep: float
) -> None:
    """Nothing is thrown out, links outside the bodies keep their contact with them, and momentum is
    conserved but for the error of time steps. (Warnings fail the test.)"""
    spec = dumbbell(shape, integrator, timestep)
    model, data = start(spec)
    assert data.ncon == 0
    for body, links in (("left", range(LINKS)), ("right", range(LINKS - 1, -1, -1))):
        apart = [
            mujoco.mj_geomDistance(
                model, data, model.geom(f"rope_geom{k}").id, model.geom(body).id, 1.0, None
            )
            for k in links
        ]
        touching = sum(distance < 0 for distance in apart)
        assert touching <= len(excluded(spec, body)) <= touching + 1
    for body, velocity in (("left", (-0.5, 0.3, 0.0)), ("right", (0.5, -0.2, 0.1))):
        dof = model.body(body).dofadr[0]
        data.qvel[dof : dof + 3] = velocity
    mujoco.mj_step(model, data, len(steps(model, 1.0)))
    mujoco.mj_forward(model, data)
    mujoco.mj_subtreeVel(model, data)
    momentum = model.body_subtreemass[0] * data.subtree_linvel[0]
    assert momentum == pytest.approx([0.0, 0.03, 0.03], abs=5e-5)


def test_a_cable_along_the_plate_that_holds_it_lies_on_it() -> None:
    """It is outside the plate, and keeps its contacts."""
    plate = """<body name="plate" pos="0 0 .1"><geom type="box" size=".3 .1 .01"/></body>"""
    spec = scene("implicitfast", 0.001, plate)
    nodes = strand.straight(LENGTH, LINKS) + np.array([-0.2, 0, 0.11 + RADIUS])
    strand.attach(spec, rope(nodes, start="weld", start_to="plate"))
    assert excluded(spec, "plate") == [0]
    model, data = start(spec)
    mujoco.mj_step(model, data, len(steps(model, 1.0)))
    height = data.xpos[model.body(f"rope_link{LINKS - 1}").id, 2]
    assert height == pytest.approx(0.11 + RADIUS, abs=0.05 * RADIUS)


@pytest.mark.parametrize(("contacts", "inside"), [("", [0, 1, 2]), ('contype="0"', [0])])
def test_a_cable_that_starts_in_the_body_it_is_fixed_to(contacts: str, inside: list[int]) -> None:
    """Its links are the body's children. Geoms that do not collide do not count."""
    ball = f"""<body name="ball"><freejoint/>
        <geom size=".05" {contacts} conaffinity="{0 if contacts else 1}"/></body>"""
    spec = scene("implicitfast", 0.001, ball, gravity="0 0 0")
    strand.attach(spec, rope(strand.straight(LENGTH, LINKS), start="fixed"), body="ball")
    assert excluded(spec, "ball") == inside
    _, data = start(spec)
    assert data.ncon == 0


WRIST = """<body name="wrist" pos="0 0 .9"><joint axis="0 0 1" damping="1"/>
  <geom type="cylinder" size=".03 .02" mass=".5"/>
  <site name="flange" pos="0 0 -.02" quat="1 0 1 0"/></body>"""
GRIPPER = """<mujoco><worldbody>
  <body name="base"><geom type="cylinder" size=".04 .03" pos=".03 0 0" quat="1 0 1 0" mass=".3"/>
    <body name="mount" pos=".06 0 0"><geom type="box" size=".02 .03 .03" mass=".1"/>
      <body name="finger" pos=".05 .03 0"><joint type="slide" axis="0 1 0" damping="5"/>
        <geom type="box" size=".02 .005 .01" mass=".05"/></body></body></body>
  </worldbody></mujoco>"""


@pytest.mark.parametrize(("kind", "holder"), [("weld", "flange"), ("pin", "g_base"), ("fixed", "")])
def test_a_cable_that_starts_in_a_tool_of_the_body_it_is_tied_to(kind: str, holder: str) -> None:
    """Bodies without joints between them are one: none pushes links out. A finger, which moves,
    keeps its contact."""
    spec = scene("implicitfast", 0.001, WRIST)
    spec.attach(mujoco.MjSpec.from_string(GRIPPER), prefix="g_", site=spec.site("flange"))
    cable = rope(strand.straight(LENGTH, LINKS), start=kind, start_to=holder)
    place = {"pos": (0, 0, 0.88)} if holder else {"body": "wrist", "pos": (0, 0, -0.02)}
    strand.attach(spec, cable, quat=UPRIGHT, **place)
    for body in ("wrist", "g_base", "g_mount"):
        assert excluded(spec, body) == [0, 1, 2, 3, 4]
    assert excluded(spec, "g_finger") == []
    model, data = start(spec)
    mujoco.mj_step(model, data, len(steps(model, 0.5)))
    assert data.ncon == 0
    assert data.site("rope_node20").xpos == pytest.approx([0, 0, 0.88 - LENGTH], abs=1e-4)


@pytest.mark.parametrize(("kind", "holder"), [("weld", "middle"), ("fixed", "")])
def test_bodies_without_a_name_that_hold_a_cable_get_one(kind: str, holder: str) -> None:
    """Exclusions of contact name bodies. Other bodies stay without a name."""
    name = "" if holder else 'name="hand"'
    hand = f"""<body {name} pos="0 0 .5"><freejoint/><geom size=".02"/>
        <site name="middle" quat="1 0 1 0"/><body pos="0 0 -.05"><geom size=".04"/></body></body>
      <body pos="1 0 0"><geom size=".01"/></body><body name="rope_holder0" pos="2 0 0"/>"""
    spec = scene("implicitfast", 0.001, hand, gravity="0 0 0")
    cable = rope(strand.straight(LENGTH, LINKS), start=kind, start_to=holder)
    place = {"pos": (0, 0, 0.5)} if holder else {"body": "hand"}
    strand.attach(spec, cable, quat=UPRIGHT, **place)
    names = ["rope_holder1", "rope_holder2"] if holder else ["hand", "rope_holder1"]
    for body in names:
        assert excluded(spec, body) == [0, 1, 2, 3, 4]
    assert [body.name for body in spec.bodies].count("") == 1
    _, data = start(spec)
    assert data.ncon == 0
