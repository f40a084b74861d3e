"""The composites `rope` and `loop` compared with the XML that MuJoCo 2.3.7 saved."""

import mujoco
import numpy as np
import pytest
from support.engine import needs_flex

import strand
from strand import StrandError
from strand.legacy import convert

ROPE = """<mujoco>
  <compiler autolimits="true"/>
  <default>
    <joint armature=".3"/><geom solref=".05 1" margin=".01"/><equality solref=".07 1"/>
    <default class="own"><geom friction=".3"/><joint damping="9"/></default>
  </default>
  <worldbody>
    <body name="B2" pos="0 0 1" childclass="own">
      <freejoint/>
      <geom name="before" size=".1"/>
      <composite type="rope" count="5 1 1" spacing=".04" offset="0 0 2">
        <!-- kept -->
        <joint kind="main" damping=".005" stiffness="3" range="-60 60" axis="1 1 0"/>
        <joint kind="twist" damping=".1" solreffix=".04 1"/>
        <joint kind="stretch" stiffness="7" range="-.01 .01" frictionloss=".1"/>
        <geom type="capsule" size=".01 .015" rgba="1 0 0 1"/>
        <skin inflate=".1"/> <pin coord="1"/>
      </composite>
      <geom name="after" size=".02"/>
    </body>
  </worldbody>
  <tendon><fixed name="bend"><joint joint="J0_3" coef="1"/></fixed></tendon>
</mujoco>"""
LOOP = """<mujoco>
  <worldbody>
    <body name="xB0" pos="0 0 1">
      <freejoint/>
      <composite prefix="x" type="loop" count="6 1 1" spacing=".04" solrefsmooth=".03 1">
        <joint kind="main" damping=".005"/>
        <geom type="ellipsoid" size=".01 .015 .02"/>
      </composite>
    </body>
  </worldbody>
</mujoco>"""


def load(text: str) -> mujoco.MjModel:
    return strand.load_model(text)


def names(model: mujoco.MjModel, kind: mujoco.mjtObj, count: int) -> list[str]:
    return [mujoco.mj_id2name(model, kind, i) or "" for i in range(count)]


def poses(model: mujoco.MjModel) -> mujoco.MjData:
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    return data


def test_a_rope_has_the_same_elements_in_the_same_order() -> None:
    model = load(ROPE)
    kinds = mujoco.mjtObj
    assert names(model, kinds.mjOBJ_BODY, model.nbody)[1:] == ["B2", "B3", "B4", "B1", "B0"]
    joints = [f"{kind}{k}" for k in (3, 4, 1, 0) for kind in ("J0_", "J1_", "JT", "JS")]
    assert names(model, kinds.mjOBJ_JOINT, model.njnt)[1:] == joints
    geoms = ["before", "G2", "after", "G3", "G4", "G1", "G0"]
    assert names(model, kinds.mjOBJ_GEOM, model.ngeom) == geoms
    assert (model.nq, model.nv, model.neq, model.nexclude) == (7 + 16, 6 + 16, 8, 0)
    assert model.tendon("bend").id == 0


def test_a_ropes_places_and_properties() -> None:
    model = load(ROPE)
    data = poses(model)
    for k in range(5):
        assert data.body(f"B{k}").xpos == pytest.approx([(k - 2) * 0.04, 0, 1], abs=1e-15)
        geom = model.geom(f"G{k}")
        assert geom.size[:2] == pytest.approx([0.01, 0.015])
        axis = data.geom(f"G{k}").xmat.reshape(3, 3)[:, 2]
        assert np.abs(axis) == pytest.approx([1, 0, 0], abs=1e-12)
        assert geom.solref == pytest.approx([0.02, 1])  # neither the defaults' nor the class's
        assert (geom.margin[0], geom.friction[0], geom.group[0]) == (0, 1, 0)
    # Joints are halfway to the previous element, on the root's side; hinges about y, z and x.
    for k, side in ((3, -1), (4, -1), (1, 1), (0, 1)):
        for name, axis in (("J0_", [0, 1, 0]), ("J1_", [0, 0, 1])):
            joint = model.joint(f"{name}{k}")
            assert joint.pos == pytest.approx([side * 0.02, 0, 0])
            assert joint.axis == pytest.approx(axis)
            assert joint.range == pytest.approx(np.radians([-60, 60]))
            address = joint.dofadr[0]
            assert model.jnt_stiffness[joint.id] == 3
            assert (model.dof_damping[address], model.dof_armature[address]) == (0.005, 0)
        twist, stretch = model.joint(f"JT{k}"), model.joint(f"JS{k}")
        assert (twist.type[0], stretch.type[0]) == (3, 2)
        assert model.dof_damping[twist.dofadr[0]] == 0.1
        assert stretch.range == pytest.approx([-0.01, 0.01])
    assert model.eq_solref == pytest.approx(np.tile([0.02, 1], (8, 1)))
    assert (model.eq_type == mujoco.mjtEq.mjEQ_JOINT).all()


def test_a_loop_is_closed() -> None:
    model = load(LOOP)
    data = poses(model)
    assert model.nv == 6 + 10
    turn = np.pi / 3
    # The midpoints of the sides of a polygon with sides of .04, the first along x.
    reach = 0.02 / np.tan(turn / 2)
    for k in range(6):
        body = data.body(f"xB{k}")
        place = [reach * np.sin(k * turn), reach * (1 - np.cos(k * turn)), 1]
        assert body.xpos == pytest.approx(place, abs=1e-12)
        assert body.xmat[[0, 3]] == pytest.approx([np.cos(k * turn), np.sin(k * turn)], abs=1e-12)
    assert model.eq_type.tolist() == [mujoco.mjtEq.mjEQ_CONNECT]
    assert model.eq_data[0, :3] == pytest.approx([-0.02, 0, 0])
    assert model.eq_solref[0] == pytest.approx([0.03, 1])
    assert model.eq_solimp[0] == pytest.approx([0.99, 0.99, 0.001, 0.5, 2])
    assert np.abs(data.efc_pos[:3]).max() < 1e-12
    assert model.nexclude == 1


def test_changes_and_ineffective_attributes_are_reported() -> None:
    conversion = convert("rope.xml", text=ROPE.encode())
    report = conversion.report()
    assert "rope.xml:11: rope: 5 bodies from B2, joints main, twist, stretch" in report
    idle = ("offset of <composite>", "axis of <joint>", "solreffix of <joint>")
    for what in (*idle, "<skin> of rope", "<pin> of rope"):
        assert f"not carried over: rope.xml:11: {what}, which had no effect" in report
    assert b"<!-- kept -->" in conversion.text
    assert b"composite" not in conversion.text


@pytest.mark.parametrize(
    ("kind", "volume"),
    [
        ("", 4 / 3 * 0.02**3),
        ('type="capsule"', 4 / 3 * 0.02**3 + 2 * 0.02**2 * 0.03),
        ('type="ellipsoid"', 4 / 3 * 0.02 * 0.03 * 0.04),
    ],
)
@pytest.mark.parametrize("default", ("", '<default><geom mass="5"/></default>'))
def test_masses_are_those_of_the_geoms(kind: str, volume: float, default: str) -> None:
    text = f"""<mujoco>{default}<worldbody><body name="B0"><freejoint/>
      <composite type="rope" count="3" spacing=".1"><geom {kind} size=".02 .03 .04" density="700"/>
      </composite></body></worldbody></mujoco>"""
    assert load(text).body_mass[1:] == pytest.approx(np.full(3, 700 * np.pi * volume))


def test_a_rope_beside_a_cable() -> None:
    cable = """<composite type="cable" prefix="c" curve="s" count="6" size="1" initial="none">
      <plugin plugin="mujoco.elasticity.cable"><config key="bend" value="4e6"/>
      <config key="twist" value="1e6"/></plugin><geom type="capsule" size=".01"/></composite>"""
    both = LOOP.replace("<worldbody>", f"<worldbody>{cable}")
    model = load(both)
    assert model.nplugin == 1
    assert model.body("xB5").id > model.body("cB_last").id


@needs_flex
def test_a_rope_is_the_same_beside_a_flex() -> None:
    cable = """<composite type="cable" prefix="c" curve="s" count="6" size="1" initial="none">
      <geom type="capsule" size=".01"/></composite>"""
    both = LOOP.replace("<worldbody>", f"<worldbody>{cable}")
    model = strand.load_model(both, backend="flex")
    assert model.nflex == 1
    assert model.body("xB5").id > 0 and model.njnt > 11
    assert convert("loop.xml", text=LOOP.encode(), backend="flex").text == (
        convert("loop.xml", text=LOOP.encode()).text
    )


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"B2"', '"C2"', r"name of the body around the rope: got 'C2', allowed: B0 to B4"),
        ('"B2"', '"B5"', r"name of the body around the rope: got 'B5', allowed: B0 to B4"),
        ('"5 1 1"', '"5 2 1"', r"count: got '5 2 1', allowed: N 1 1: number of elements"),
        ('"5 1 1"', '"1"', r"count: got '1', allowed: at least 2 elements"),
        ('"capsule"', '"box"', r"type: got 'box', allowed: sphere, capsule, ellipsoid"),
        ('"twist"', '"tendon"', r"kind: got 'tendon', allowed: main, twist, stretch"),
        ('spacing=".04"', 'spacing="x"', r"spacing: got 'x', allowed: one number"),
        ('spacing=".04"', 'gap="1"', r"attribute of <composite>: got gap, allowed: prefix, type"),
        ("<skin ", "<plugin ", r"element in rope: got <plugin>, allowed: joint, geom, tendon"),
        ('type="rope"', 'type="cloth"', r"composite type: got 'cloth', allowed: cable, rope, loop"),
    ],
)
def test_unsupported_ropes_are_rejected(old: str, new: str, message: str) -> None:
    with pytest.raises(StrandError, match=rf"^rope.xml:\d+: {message}"):
        convert("rope.xml", text=ROPE.replace(old, new).encode())
