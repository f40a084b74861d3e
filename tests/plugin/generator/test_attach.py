"""strand.attach: cables in existing scenes, held by their bodies and sites."""

import mujoco
import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from support import cables, differences
from support.engine import HAS_FIRM_CONSTRAINTS, needs_discrete, needs_firm_constraints

import strand
from strand import StrandError

NODES = strand.arc(0.5, 1.2, 10)

# Nested frames, Euler angles in any order, degrees or radians, a moving hand and a tool.
SCENE = """
<mujoco>
  <compiler angle="{angle}" eulerseq="{order}" autolimits="true"/>
  <option timestep="0.0007" integrator="implicitfast" gravity="0 1 -3"/>
  <worldbody>
    <geom type="plane" size="3 3 .1" pos="0 0 -5"/>
    <site name="hook" pos="1 2 1" quat="0.6 0 0.8 0"/>
    <frame pos=".1 .2 .3" euler="{a}">
      <frame pos="0 .1 0" axisangle="1 1 0 {b}">
        <body name="base" pos="1 0 .5" euler="{c}">
          <joint name="lift" type="slide" axis="0 0 1" damping="100"/>
          <geom size=".02" mass="5" contype="0" conaffinity="0"/>
          <frame euler="{b} 0 {b}">
            <body name="hand" pos="0 .1 .1" xyaxes="0 1 0 0 0 1">
              <joint name="wrist" type="hinge" axis="1 0 0" damping="1"/>
              <geom type="box" size=".02 .02 .02"/>
              <site name="grip" pos=".02 0 .01" zaxis="1 0 1"/>
            </body>
          </frame>
        </body>
      </frame>
    </frame>
  </worldbody>
</mujoco>
"""


def make_scene(angle: str = "degree", order: str = "xyz") -> mujoco.MjSpec:
    """The scene with other compiler settings."""
    unit = 1 if angle == "degree" else np.pi / 180
    turns = {
        "a": f"{30 * unit} {-20 * unit} {70 * unit}",
        "b": f"{40 * unit}",
        "c": f"{10 * unit} {-50 * unit} {25 * unit}",
    }
    return mujoco.MjSpec.from_string(SCENE.format(angle=angle, order=order, **turns))


def make_cable(**fields) -> strand.Cable:
    return strand.Cable(NODES, **({"EI": 0.02, "GJ": 0.01, "damping": 1e-3} | fields))


def compiled(spec: mujoco.MjSpec) -> tuple[mujoco.MjModel, mujoco.MjData]:
    model = spec.compile()
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    return model, data


POS, QUAT = np.array([0.3, -0.1, 0.2]), np.array([0.9, 0.1, -0.3, 0.2])
HOLDS = ({}, {"start": "fixed"}, {"end": "ball"}, {"start": "mocap"}, {"clamp": "link"})


@pytest.mark.parametrize("fields", HOLDS)
@pytest.mark.parametrize("angle", ("degree", "radian"))
@pytest.mark.parametrize("order", ("xyz", "ZYX", "yXz"))
def test_attached_in_the_frame_of_a_body(angle: str, order: str, fields: dict) -> None:
    spec = make_scene(angle, order)
    place = {"pos": (0.1, 0.0, 0.3), "quat": (0.8, 0.6, 0, 0)}
    strand.attach(spec, make_cable(**place, **fields), "hand", POS, QUAT)
    model, data = compiled(spec)
    inner = Rotation.from_quat([0.8, 0.6, 0, 0], scalar_first=True)
    outer = Rotation.from_quat(QUAT, scalar_first=True)
    drawn = POS + outer.apply(np.array(place["pos"]) + inner.apply(NODES))
    hand = data.body("hand")
    expected = hand.xpos + drawn @ hand.xmat.reshape(3, 3).T
    sites = [data.site(f"cable_node{k}").xpos for k in range(11)]
    assert np.abs(np.array(sites) - expected).max() < 1e-13
    assert strand.energy(model, data) < 1e-20
    assert np.abs(data.efc_pos).max(initial=0) < 1e-13


def test_the_scene_keeps_its_settings_and_the_recipe_reports_it() -> None:
    spec = make_scene()
    text = str(strand.attach(spec, make_cable(timestep=0.5, integrator="Euler", gravity=(9, 9, 9))))
    model, _ = compiled(spec)
    assert model.opt.timestep == 0.0007
    assert model.opt.integrator == mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    assert (model.opt.gravity == [0, 1, -3]).all()
    assert "integrator implicitfast, step 0.7 ms" in text
    assert "recommended" not in text
    joint = model.joint("cable_joint3")
    assert joint.damping[0] == 1e-3
    # The numerical inertia is that for the scene's integrator and step.
    backward_euler = 2 * 0.0007 * (1e-3 + 0.0007 * 0.02 / 0.05)
    assert backward_euler < joint.armature[0] < 1.5 * backward_euler  # and that of the tension


@needs_discrete
def test_the_recipe_uses_the_scenes_integrator() -> None:
    spec = make_scene()
    spec.option.timestep, spec.option.integrator = 0.01, mujoco.mjtIntegrator.mjINT_DISCRETE
    text = str(strand.attach(spec, make_cable(prefix="b_")))
    assert "integrator discrete, step 10 ms" in text
    assert "steps up to 2 ms are recommended" in text
    assert spec.compile().joint("b_joint3").stiffness[0] == pytest.approx(0.02 / 0.05, rel=1e-2)


def test_the_recipe_says_what_fluids_lack() -> None:
    spec = make_scene()
    assert "buoyancy" not in str(strand.attach(spec, make_cable(prefix="air_")))
    spec.option.density = 1000
    assert "no buoyancy (gravcomp" in str(strand.attach(spec, make_cable(prefix="water_")))


def test_several_cables_and_the_text_loads_again() -> None:
    spec = make_scene()
    for index, fields in enumerate(({}, {"start": "fixed"}, {"end": "mocap", "skin": True})):
        cable = make_cable(prefix=f"c{index}/", **fields)
        strand.attach(spec, cable, "hand", (0, 0, 0.1 + 0.1 * index))
    model, data = compiled(spec)
    again, other = compiled(mujoco.MjSpec.from_string(spec.to_xml()))
    assert again.nq == model.nq
    assert model.nplugin == 3
    assert other.xpos == pytest.approx(data.xpos, abs=1e-5)
    for index in range(3):
        address = differences.link_joint(model, f"c{index}/link8")
        mujoco.mju_axisAngle2Quat(data.qpos[address : address + 4], [0, 1, 0], 0.1 * (index + 1))
    mujoco.mj_forward(model, data)
    energies = [strand.energy(model, data, f"c{index}/rod") for index in range(3)]
    assert np.diff(energies).min() > 0
    assert strand.energy(model, data) == pytest.approx(sum(energies), rel=1e-12)


@pytest.mark.parametrize("clamp", ("node", "link"))
def test_held_by_a_moving_hand(clamp: str) -> None:
    """The hand's body carries the first link; its wrist feels the cable's weight."""
    spec = make_scene()
    strand.attach(spec, make_cable(start="fixed", clamp=clamp, collide=False), "hand")
    model, data = compiled(spec)
    links = cables.link_bodies(model)
    assert model.body_parentid[links[0]] == model.body("hand").id
    assert model.neq == 0
    held = "cable_hold_start" if clamp == "node" else "cable_node0"
    frame = data.body("hand").xmat.reshape(3, 3).T
    before = frame @ (data.site(held).xpos - data.body("hand").xpos)
    cables.run(model, data, 0.4)
    frame = data.body("hand").xmat.reshape(3, 3).T
    assert np.linalg.norm(data.qpos[:2]) > 0.03  # it has moved
    assert frame @ (data.site("cable_node0").xpos - data.body("hand").xpos) == pytest.approx(
        before, abs=1e-12
    )


@pytest.mark.parametrize("clamp", ("node", "link"))
@pytest.mark.parametrize("end", ("weld", pytest.param("pin", marks=needs_firm_constraints)))
@pytest.mark.parametrize("to", ("hand", "grip", "hook"))
def test_held_to_a_body_and_to_a_site(to: str, end: str, clamp: str) -> None:
    spec = make_scene()
    spec.option.gravity, spec.option.timestep = [0, 0, -9.81], 0.001
    cable = make_cable(start=end, start_to=to, clamp=clamp, collide=False)
    place = {
        "hand": ("hand", (0.0, 0.1, 0.0)),
        "grip": ("hand", (0.02, 0.0, 0.02)),  # the rest shape ends near the site
        "hook": ("world", (1.0, 2.0, 1.01), (0.6, 0, 0.8, 0)),
    }[to]
    strand.attach(spec, cable, *place)
    model, data = compiled(spec)
    held = to if to != "hand" else "cable_hold_start"
    assert model.neq == 1
    kinds = {"weld": mujoco.mjtEq.mjEQ_WELD, "pin": mujoco.mjtEq.mjEQ_CONNECT}
    assert model.eq_type[0] == kinds[end]
    if to == "hand":  # held in the rest shape
        assert np.abs(data.efc_pos).max() < 1e-13
    model.dof_damping[model.joint("wrist").dofadr[0]] = 10
    cables.run(model, data, 4.0)
    assert data.site("cable_node0").xpos == pytest.approx(data.site(held).xpos, abs=2e-3)
    along = data.site_xmat[model.site(held).id].reshape(3, 3)[:, 0]
    tangent = cables.frames(model, data)[0][:, 0]
    if end == "weld" and clamp == "link":
        assert along @ tangent > np.cos(0.1)
    elif end == "weld":  # the first link leaves the clamp's direction by half a joint's angle
        assert along @ tangent > np.cos(0.6)
        assert np.linalg.norm(strand.readout(model, data).start_couple) > 1e-3
    else:
        assert abs(tangent[2]) > 0.8 or to != "hook"


def test_an_end_moves_from_its_rest_position_to_the_site(engine_warnings: list[str]) -> None:
    """The site is the target of the end: the constraint pulls the end there along the site's x."""
    spec = make_scene()
    strand.attach(spec, make_cable(end="weld", end_to="hook", damping=0.01), "world", (0.6, 1.8, 1))
    spec.option.gravity = [0, 0, 0]
    model, data = compiled(spec)
    assert np.linalg.norm(data.efc_pos) > 0.02
    cables.run(model, data, 6.0)
    assert len(engine_warnings) == HAS_FIRM_CONSTRAINTS
    assert all("'cable_hold_end' starts open by 66.8 mm" in text for text in engine_warnings)
    engine_warnings.clear()
    assert data.site("cable_site_end").xpos == pytest.approx([1, 2, 1], abs=1e-4)
    x = data.site_xmat[model.site("hook").id].reshape(3, 3)[:, 0]
    # In the rest shape the middle of the last link is at half a joint's angle from the end.
    angle = np.arccos(cables.frames(model, data)[-1][:, 0] @ x)
    assert angle == pytest.approx(1.2 / 10 / 2, abs=0.005)


def test_hanging_from_a_moving_body() -> None:
    scene = mujoco.MjSpec()
    arm = scene.worldbody.add_body(name="arm", pos=[0, 0, 0])
    arm.add_joint(type=mujoco.mjtJoint.mjJNT_SLIDE, axis=[0, 0, 1], damping=1)
    arm.add_geom(type=mujoco.mjtGeom.mjGEOM_SPHERE, size=[0.02, 0, 0], contype=0, conaffinity=0)
    scene.option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    strand.attach(scene, make_cable(start="weld", start_to="arm", clamp="link"))
    model = scene.compile()
    data = mujoco.MjData(model)
    cables.run(model, data, 0.5)
    arm_z = data.body("arm").xpos[2]
    assert arm_z < -0.1
    assert data.body("cable_link0").xpos[2] == pytest.approx(arm_z, abs=1e-3)


ERRORS = [
    ({"prefix": ""}, {}, "prefix: got '', allowed: .*not empty"),
    ({}, {"body": "nobody"}, "body: got 'nobody', allowed: .*body of the scene"),
    ({}, {"body": ""}, "body: got ''"),
    ({}, {"body": 3}, "body: got 3"),
    ({}, {"pos": (1, 2)}, "pos: got"),
    ({}, {"quat": (0, 0, 0, 0)}, "quat: got .*not all zero"),
    ({"prefix": "old_"}, {}, "prefix: got 'old_', allowed: .*new to the scene.*'old_link0'"),
    ({"start": "weld", "start_to": "nobody"}, {}, "start_to: got 'nobody'"),
    ({"end": "pin", "end_to": "wrist"}, {}, "end_to: got 'wrist'"),
    ({"EI": -1}, {}, "EI: got"),
    ({"closed": True}, {}, "closed: got"),
    ({"stretches": [{"begin": 0, "end": 9, "EI": 1}]}, {}, "stretches: got"),
]


@pytest.mark.parametrize(("fields", "place", "words"), ERRORS)
def test_an_error_leaves_the_scene_unchanged(fields: dict, place: dict, words: str) -> None:
    spec = make_scene()
    strand.attach(spec, make_cable(prefix="old_"))
    spec.compile()
    before = spec.to_xml()
    with pytest.raises(StrandError, match=words):
        strand.attach(spec, make_cable(**fields), **place)
    spec.compile()
    assert spec.to_xml() == before


@pytest.mark.parametrize(
    "fields",
    [{"keys": {"bend": 1}}, {"keys": {"holds": "x"}}, {"color": (2.0, 1.0)}, {"prefix": "a\0b"}],
)
def test_a_bad_key_leaves_the_scene_unchanged(fields: dict) -> None:
    scene = make_scene()
    scene.compile()
    before = scene.to_xml()
    with pytest.raises(StrandError):
        strand.attach(scene, make_cable(**fields))
    scene.compile()
    assert scene.to_xml() == before


def test_names_that_the_scene_has_are_not_reused() -> None:
    scene = make_scene()
    scene.worldbody.add_body(name="cable_start")
    with pytest.raises(StrandError, match="prefix: got 'cable_', allowed: one that is new"):
        strand.attach(scene, make_cable(prefix="cable_", start="mocap"))


def test_links_without_contact_are_not_discarded() -> None:
    scene = make_scene()
    scene.compiler.discardvisual = True
    with pytest.raises(StrandError, match=r"collide: got 'false in a scene .* discardvisual'"):
        strand.attach(scene, make_cable(collide=False))
    strand.attach(scene, make_cable())
    assert scene.compile().ngeom > 10


def test_a_mass_of_the_whole_scene_is_refused() -> None:
    scene = make_scene()
    scene.compiler.settotalmass = 14
    with pytest.raises(StrandError, match=r"settotalmass: got '14 kg in .*', allowed: none .* too"):
        strand.attach(scene, make_cable())
    scene.compiler.settotalmass = -1
    assert scene.to_xml() == make_scene().to_xml()


def test_only_an_mjspec_is_a_scene() -> None:
    with pytest.raises(StrandError, match=r"spec: got str, allowed: a mujoco.MjSpec"):
        strand.attach("<mujoco/>", make_cable())
