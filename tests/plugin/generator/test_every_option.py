"""Every option of strand.Cable has the documented effect in the model: one case for each field."""

import dataclasses
from collections.abc import Callable

import mujoco
import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from support import cables
from support.engine import HAS_QUADRATIC_DAMPING

import strand
from strand.mujoco_versions import BEST_INTEGRATOR, HAS_DISCRETE

NODES = strand.arc(0.6, 1.0, 6)
STRAIGHT = strand.straight(0.6, 6)
CASES: dict[str, Callable[[], None]] = {}


def case(*options: str) -> Callable:
    """Marks a function as the case for these options."""

    def mark(check: Callable[[], None]) -> Callable[[], None]:
        CASES.update(dict.fromkeys(options, check))
        return check

    return mark


@pytest.mark.parametrize("option", [field.name for field in dataclasses.fields(strand.Cable)])
def test_option(option: str) -> None:
    assert option in CASES, f"strand.Cable.{option} has no test"
    CASES[option]()


def load(nodes: np.ndarray = NODES, **fields) -> tuple[mujoco.MjModel, mujoco.MjData]:
    stiffness = {} if "young" in fields else {"EI": 0.02, "GJ": 0.01}
    return cables.load(strand.Cable(nodes, **(stiffness | fields)))


def energy(nodes: np.ndarray = NODES, **fields) -> float:
    return strand.energy(*load(nodes, **({"rest": "straight"} | fields)))


BENT = 0.5 * 0.02 / 0.1 * 5 * (1 / 6) ** 2  # J: the five joints of NODES, straight at rest


@case("nodes")
def nodes() -> None:
    model, data = load()
    assert data.xpos[cables.link_bodies(model)] == pytest.approx(NODES[:-1], abs=1e-14)


@case("EI")
def bending_stiffness() -> None:
    assert energy() == pytest.approx(BENT, rel=1e-12)
    assert energy(EI=(7.0, 0.04)) == pytest.approx(2 * BENT, rel=1e-12)  # bent about z
    assert energy(EI=(0.04, 7.0), normal=(0, 0, 1)) == pytest.approx(2 * BENT, rel=1e-12)


@case("fed")
def length_that_is_fed() -> None:
    model, data = load(STRAIGHT, start="feed", fed=0.4)
    assert data.qpos[model.joint("cable_feed").qposadr[0]] == 0.4
    assert data.xpos[cables.link_bodies(model)] == pytest.approx(
        STRAIGHT[:-1] - [0.2, 0, 0], abs=1e-14
    )


@case("GJ", "rest_twist")
def twisting_stiffness_and_natural_twist() -> None:
    model, data = load(STRAIGHT, GJ=0.03, rest_twist=2.0)
    assert strand.energy(model, data) == pytest.approx(0.5 * 0.03 / 0.5 * 4, rel=1e-12)
    model, data = load(STRAIGHT, GJ=0.03, rest_twist=2.0, start="fixed", end="fixed")
    assert strand.energy(model, data) == pytest.approx(0.5 * 0.03 / 0.6 * 4, rel=1e-12)


@case("young", "shear", "poisson", "radius")
def moduli() -> None:
    r, E = 0.004, 1e8
    EI = E * np.pi * r**4 / 4
    for torsion, GJ in (({"shear": 3e7}, 0.6 * EI), ({"poisson": 0.25}, EI / 1.25)):
        fields = {"young": E, "radius": r, "rest_twist": 1.0} | torsion
        expected = BENT * EI / 0.02 + 0.5 * GJ / 0.5
        assert energy(**fields) == pytest.approx(expected, rel=1e-12)


@case("yield_stress", "hardening")
def plasticity() -> None:
    fields = {"young": 1e8, "poisson": 0.25, "radius": 0.004, "yield_stress": 1e4}
    model, data = load(**fields, rest="straight")
    moment = np.linalg.norm(strand.profile(model, data).moment[2])
    full = 1e4 * 4 / 3 * 0.004**3  # N m, of a circle: curvature is far beyond first yield
    assert moment == pytest.approx(full, rel=2e-3)
    model, data = load(**fields, rest="straight", hardening=0.5)
    EI = 1e8 * np.pi * 0.004**4 / 4
    tangent = 0.5 / 1.5 * EI / 0.6  # 1 / 0.6 m: the curvature
    assert np.linalg.norm(strand.profile(model, data).moment[2]) == pytest.approx(
        tangent + full / 1.5, rel=2e-3
    )


@case("bend_elements", "twist_elements")
def friction_of_strands() -> None:
    model, data = load(bend_elements=[0.75, 0.1], rest="straight")
    moment = np.linalg.norm(strand.profile(model, data).moment[2])
    assert moment == pytest.approx(0.02 * (0.25 / 0.6 + 0.75 * 0.1), rel=1e-9)
    model, data = load(STRAIGHT, rest_twist=0.6, twist_elements=[1, 0.3])
    assert strand.profile(model, data).torque[2] == pytest.approx(-0.01 * 0.3, rel=1e-9)


@case("material")
def real_cables() -> None:
    one = strand.Cable(NODES, material="usb_c")
    entry = strand.materials.get("usb_c")
    model = mujoco.MjModel.from_xml_string(strand.generate(one))
    assert model.body_mass.sum() == pytest.approx(0.6 * entry.mass_per_length, rel=1e-3)


@case("stretches")
def stretches() -> None:
    soft = strand.Stretch(begin=0.0, end=0.3, EI=0.01)
    assert energy(stretches=[soft]) < 0.8 * BENT  # test_cable_stiffness.py has the numbers


@case("branches")
def branches() -> None:
    twig = strand.Cable(strand.straight(0.1, 4), EI=0.02, GJ=0.01)
    _, data = load(STRAIGHT, branches=[strand.Branch(twig, "b", 0.3, angle=np.pi / 2)])
    tip = data.site("cable_b_site_end").xpos
    assert tip == pytest.approx([0.3, 0.1, 0], abs=1e-12)  # test_branches.py has the rest


@case("density")
def density() -> None:
    assert load(density=2000.0)[0].body_mass.sum() == pytest.approx(
        2000 * np.pi * 0.005**2 * 0.6, rel=1e-14
    )


@case("section", "inner_radius", "width", "height")
def section() -> None:
    areas = {
        np.pi * (0.005**2 - 0.003**2): {"section": "tube", "inner_radius": 0.003},
        0.01 * 0.002: {"section": "box", "width": 0.01, "height": 0.002},
        np.pi / 4 * 0.01 * 0.002: {"section": "ellipse", "width": 0.01, "height": 0.002},
    }
    for area, fields in areas.items():
        assert load(**fields)[0].body_mass.sum() == pytest.approx(600 * area, rel=1e-14)


@case("prefix")
def prefix() -> None:
    model, data = load(prefix="my ")
    assert model.body("my link5").id > 0
    assert strand.readout(model, data, "my rod").energy < 1e-24


@case("normal")
def normal() -> None:
    axes = cables.frames(*load(normal=(5, 0, 2)))[0][:, 1]
    along = (NODES[1] - NODES[0]) / 0.1
    expected = np.array([5, 0, 2]) - along * along[0] * 5
    assert axes == pytest.approx(expected / np.linalg.norm(expected), abs=1e-14)
    default = cables.frames(*load(STRAIGHT[:, [1, 0, 2]]))[0]  # along y: its y axis is z
    assert default[:, 1] == pytest.approx([0, 0, 1], abs=1e-14)


@case("pos", "quat")
def start_pose() -> None:
    turn = Rotation.from_rotvec([0.4, -1.0, 0.7])
    quat = 3.0 * turn.as_quat(scalar_first=True)  # of any length
    model, data = load(pos=(1, 2, 3), quat=quat, end="mocap")
    placed = np.array([1, 2, 3]) + turn.apply(NODES)
    assert data.xpos[cables.link_bodies(model)] == pytest.approx(placed[:-1], abs=1e-13)
    assert data.body("cable_end").xpos == pytest.approx(placed[-1], abs=1e-13)
    still = cables.frames(*load(end="mocap"))
    assert cables.frames(model, data) == pytest.approx(turn.as_matrix() @ still, abs=1e-13)


@case("closed")
def closed() -> None:
    model, data = load(strand.ring(0.1, 7), closed=True, rest="straight")
    assert model.neq == 1
    assert data.efc_pos == pytest.approx(0, abs=1e-14)
    length = 2 * np.pi * 0.1 / 8
    expected = 8 * 0.5 * 0.02 / length * (2 * np.pi / 8) ** 2  # eight joints, one at the seam
    assert strand.energy(model, data) == pytest.approx(expected, rel=1e-9)


@case("rest")
def rest() -> None:
    assert energy(rest="drawn") < 1e-24
    assert energy(rest="straight") == pytest.approx(BENT, rel=1e-12)


@case("twist")
def twist() -> None:
    """With quasistatic twist, spinning a middle link about its axis strains nothing."""
    for fields, strained in (
        ({}, True),
        ({"EI": (0.02, 0.03)}, True),
        ({"twist": "dynamic"}, True),
        ({"twist": "quasistatic"}, False),
    ):
        model, data = load(STRAIGHT, root="end", **fields)
        for joint, angle in (("cable_joint2", 0.3), ("cable_joint3", -0.3)):
            quaternion = data.joint(joint).qpos
            mujoco.mju_axisAngle2Quat(quaternion, [1, 0, 0], angle)
        mujoco.mj_forward(model, data)
        expected = 2 * 0.5 * 0.01 / 0.1 * 0.09 if strained else 0
        assert strand.energy(model, data) == pytest.approx(expected, rel=1e-9, abs=1e-20)


@case("curvature")
def curvature() -> None:
    ratio = (2 * np.tan(1 / 12) / (1 / 6)) ** 2
    assert energy(curvature="tangent") == pytest.approx(BENT * ratio, rel=1e-12)


@case("damping", "loss_time", "damping_ratio")
def damping() -> None:
    """test_cable_damping.py tests motion."""
    spans = {}
    for name in ("damping", "loss_time", "damping_ratio"):
        model, _ = load(start="fixed", stabilize=False, **{name: 0.1})
        spans[name] = [model.joint(f"cable_joint{k}").damping[0] for k in (0, 1, 5)]
    assert spans["damping"] == [0.1] * 3
    D = 0.1 * 0.02 / 0.1  # the first joint spans half a link
    assert spans["loss_time"] == pytest.approx([2 * D, D, D], rel=1e-12)
    omega = 1.875104**2 / 0.6**2 * np.sqrt(0.02 / (1000 * np.pi * 0.005**2))
    assert spans["damping_ratio"] == pytest.approx(
        [4 * D / omega, 2 * D / omega, 2 * D / omega], rel=1e-6
    )


@case("root")
def root() -> None:
    def depths(**fields) -> int:
        model, _ = load(**fields)
        links = cables.link_bodies(model)
        return links.index(min(links))

    assert [depths(root=root) for root in ("end", "middle", "auto")] == [0, 3, 3]
    held = ({"start": "fixed"}, {"end": "fixed"}, {"start": "ball"}, {"start": "mocap"})
    assert [depths(**fields) for fields in held] == [0, 5, 0, 3]
    assert depths(root="end", end="fixed") == 5
    assert depths(start="fixed", end="mocap") == 3


@case("pieces")
def pieces() -> None:
    """test_pieces.py tests the physics."""
    if not HAS_DISCRETE:
        return
    assert [load(pieces=value)[0].neq for value in (2, 3, "none", "auto")] == [2, 1, 0, 0]


@case("start", "end", "clamp")
def ends() -> None:
    """test_cable_ends.py tests what is held and what turns."""
    joints = {
        ("fixed", "node"): (3 * 6, 0),
        ("fixed", "link"): (3 * 5, 0),
        ("ball", "node"): (3 * 6, 0),
        ("mocap", "node"): (6 + 3 * 5 + 3, 1),  # a clamp body on its own ball joint
        ("mocap", "link"): (6 + 3 * 5, 1),
    }
    for (end, clamp), expected in joints.items():
        for side in ("start", "end"):
            model, _ = load(clamp=clamp, **{side: end})
            assert (model.nv, model.neq) == expected, (side, end, clamp)


@case("start_to", "end_to")
def held_by_the_world() -> None:
    """test_attach.py tests bodies and sites."""
    for end in ("weld", "pin"):
        model, _ = load(start=end, start_to="world", end=end, end_to="world")
        assert model.neq == 2
        assert {model.body(model.site_bodyid[i]).name for i in model.eq_obj1id} == {"world"}


@case("collide", "self_contact", "friction", "condim", "contype", "conaffinity", "margin")
def contact() -> None:
    """test_cable_contact.py tests what touches what."""
    model, _ = load(friction=(0.3, 0.2, 0.1), condim=6, contype=4, conaffinity=8, margin=0.002)
    assert (model.geom_friction == [0.3, 0.2, 0.1]).all()
    assert set(model.geom_condim) == {6}
    assert set(load(friction=0, condim=6)[0].geom_condim) == {1}
    assert (set(model.geom_contype), set(model.geom_conaffinity)) == ({4}, {8})
    assert set(model.geom_margin) == {0.002}
    masks = {(False, True): (0, 0), (False, False): (0, 0), (True, False): (1, 1)}
    for (collide, own), expected in masks.items():
        model, _ = load(collide=collide, self_contact=own)
        assert (model.geom_contype[0], model.geom_conaffinity[0]) == expected
    assert (load(friction=0.9)[0].geom_friction[:, 0] == 0.9).all()
    assert load(self_contact=False)[0].nexclude == 6 * 5 / 2
    for friction, condim, unused in (
        (0.6, 3, False),
        ((0.6, 0, 0), 3, False),
        ((0.6, 0.01), 3, True),
        ((0.6, 0.01), 4, False),
        ((0.6, 0.01, 0.001), 4, True),
        ((0.6, 0.01, 0.001), 6, False),
        ((0, 0.01), 4, True),
    ):
        made = strand.Cable(NODES, EI=0.02, GJ=0.01, friction=friction, condim=condim).recipe()
        assert ("spinning friction takes condim 4 or 6" in str(made)) == unused


@case("priority", "contact_solref", "contact_solimp")
def softness() -> None:
    """tests/plugin/touch has the effect of the defaults."""
    own = {"priority": 3, "contact_solref": (-100, -10), "contact_solimp": (0.5, 0.6, 0.001)}
    model, _ = load(**own)
    assert set(model.geom_priority) == {3}
    assert (model.geom_solref == [-100, -10]).all()
    assert (model.geom_solimp == [0.5, 0.6, 0.001, 0.5, 2]).all()
    model, _ = load(timestep=0.001)
    assert set(model.geom_priority) == {1}
    assert model.geom_solref[0, 0] == pytest.approx(0.001 / 2.75 if HAS_DISCRETE else 0.002)


@case("whip_damping", "max_tension")
def numerical_damping_and_inertia() -> None:
    """test_cable_damping.py and test_taut.py test motion."""
    damped, bare = load(STRAIGHT)[0], load(STRAIGHT, whip_damping=0)[0]
    if HAS_QUADRATIC_DAMPING:
        share = 1 if HAS_DISCRETE else 0.5
        assert damped.dof_dampingpoly[6:, 0] == pytest.approx(
            share * damped.body_mass[1:].sum() / 6 * 0.6 * 0.1
        )
        assert not bare.dof_dampingpoly.any()
        twice = load(STRAIGHT, whip_damping=2)[0]
        assert twice.dof_dampingpoly == pytest.approx(2 * damped.dof_dampingpoly)
    else:
        assert damped.dof_damping.max() > bare.dof_damping.max()
    slack, taut = (
        load(STRAIGHT, whip_damping=0, max_tension=force, timestep=0.002)[0] for force in (50, 500)
    )
    added = taut.dof_armature[6:] - slack.dof_armature[6:]
    assert HAS_DISCRETE is False or not slack.dof_armature.any()
    line = 1000 * np.pi * 0.005**2  # kg/m
    # With Euler the slack cable has armature, too: for twice the tension that it bears by itself.
    more = 500**2 - (0 if HAS_DISCRETE else 100**2)
    assert added == pytest.approx(0.002**4 * more / (32 * line * 0.1), rel=1e-9)


@case("rgba", "group", "color", "skin")
def look() -> None:
    """test_cable_look.py tests the shape of the skin."""
    model, _ = load(rgba=(0.25, 0.5, 1, 0.75), group=2)
    assert (model.geom_rgba == [0.25, 0.5, 1, 0.75]).all()
    assert set(model.geom_group) == {2}
    assert (model.nskin, set(load()[0].geom_group)) == (0, {0})
    model, _ = load(skin=True, rgba=(0.25, 0.5, 1, 0.75))
    assert (model.nskin, set(model.geom_group)) == (1, {3})
    assert model.skin_rgba[0] == pytest.approx([0.25, 0.5, 1, 0.75])
    colored, data = load(color=(0.0, 1e5))
    scene = mujoco.MjvScene(colored, 100)
    category = mujoco.mjtCatBit.mjCAT_ALL
    option, camera = mujoco.MjvOption(), mujoco.MjvCamera()
    mujoco.mjv_updateScene(colored, data, option, None, camera, category, scene)
    assert scene.ngeom == 6 + 6  # links, overlays; sites are hidden


@case("integrator", "timestep", "stabilize", "gravity")
def simulation() -> None:
    """test_cable_simulation.py tests the recipes."""
    integrators = mujoco.mjtIntegrator
    others = {name: name.upper() for name in ("Euler", "implicit", "implicitfast")}
    names = {"auto": BEST_INTEGRATOR.upper()} | others
    for name, expected in names.items():
        model, _ = load(integrator=name, timestep=0.00123, gravity=(1, 2, 3))
        assert model.opt.integrator == getattr(integrators, f"mjINT_{expected}")
        assert model.opt.timestep == 0.00123
        assert (model.opt.gravity == [1, 2, 3]).all()
    helped, bare = (load(STRAIGHT, whip_damping=0, stabilize=on)[0] for on in (True, False))
    assert helped.jnt_stiffness.max() == pytest.approx(0.02 / 0.1, rel=1e-12)
    assert HAS_DISCRETE or helped.dof_armature.max() > bare.dof_armature.max()
    assert bare.jnt_stiffness.max() == 0


@case("keys")
def keys() -> None:
    """They take precedence over the fields."""
    assert energy(keys={"EI": 0.06}) == pytest.approx(3 * BENT, rel=1e-12)
    assert energy(keys={"rest": "model"}) < 1e-24
    model, data = load(STRAIGHT, keys={"holds": "cable_link3", "rest_twist": 1})
    assert strand.energy(model, data) == pytest.approx(0.5 * 0.01 / 0.5, rel=1e-12)
