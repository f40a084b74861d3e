"""Cables with branches: junctions carry moments, in any tree, exactly and to second order."""

import dataclasses

import mujoco
import mujoco.rollout
import numpy as np
import pytest
from support import cables, differences
from support.engine import LEAST_INERTIAL, needs_discrete
from support.touch import UPRIGHT

import strand
from strand import Branch, Cable, StrandError

pytestmark = needs_discrete

EI, GJ = 0.02, 0.015
A, B = 0.3, 0.25  # m: from the clamp to the junction, and along the branch
MATERIAL = {"EI": EI, "GJ": GJ, "radius": 0.004, "density": 1100.0}
PLAIN = {"collide": False, "gravity": (0, 0, 0)}
PIECES = ("none", 3)


def arm(length: float, links: int, **fields) -> Cable:
    return Cable(strand.straight(length, links), **(MATERIAL | {"collide": False} | fields))


def harness(pieces: str | int = "none", **fields) -> Cable:
    """A cable with a T, a Y at its end with an elastic arm, and a branch on a branch."""
    common = {"pieces": pieces, **fields}
    return arm(
        2 * A,
        12,
        start="fixed",
        branches=[
            Branch(arm(B, 5, **common), "tee", A, angle=np.pi / 2, azimuth=0.4),
            Branch(arm(B, 6, **common), "left", 2 * A, angle=0.7),
            Branch(
                arm(B, 6, **common), "right", 2 * A, angle=0.7, azimuth=2.0, junction=(0.3, 0.1)
            ),
            Branch(arm(B / 2, 4, **common), "twig", B / 2, on="left", angle=1.2, azimuth=-1.0),
        ],
        **common,
    )


RODS = ("cable_rod", "cable_tee_rod", "cable_left_rod", "cable_right_rod", "cable_twig_rod")


def site(model: mujoco.MjModel, name: str) -> int:
    return mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_SITE, name)


def displacement(described: Cable, direction: np.ndarray, force: float = 1e-4) -> float:
    """Of the branch's tip in the direction of a force there, per force (m/N), at rest."""
    model, data = cables.load(described)
    tip = site(model, "cable_b_site_end")
    start = data.site_xpos[tip].copy()
    while data.time < 60:
        data.qfrc_applied[:] = 0
        mujoco.mj_applyFT(
            model, data, force * direction, np.zeros(3), data.site_xpos[tip],
            model.site_bodyid[tip], data.qfrc_applied,
        )  # fmt: skip
        mujoco.mj_step(model, data)
        if data.time > 1 and np.abs(data.qvel).max() < 2e-9:
            return float((data.site_xpos[tip] - start) @ direction / force)
    raise AssertionError("not at rest")


def tee(
    links: int, at_end: bool, pieces: str | int, curvature: str = "angle", junction="rigid"
) -> Cable:
    """A branch of length B along y, at the distance A from the clamp."""
    common = {"pieces": pieces, "curvature": curvature, "damping_ratio": 1.0, **PLAIN}
    cable = arm(A if at_end else 2 * A, links if at_end else 2 * links, start="fixed", **common)
    branch = Branch(arm(B, links, **common), "b", A, angle=np.pi / 2, junction=junction)
    return dataclasses.replace(cable, branches=[branch])


#: Direction of the force at the tip: its displacement per force in beam theory.
BEAM = {
    "across": (np.array([0, 0, 1.0]), (B**3 + A**3) / (3 * EI) + B**2 * A / GJ),
    "along": (np.array([1.0, 0, 0]), B**3 / (3 * EI) + B**2 * A / EI),
}


@pytest.mark.parametrize("pieces", PIECES)
@pytest.mark.parametrize("at_end", (False, True), ids=("tee", "elbow"))
@pytest.mark.parametrize("case", BEAM)
def test_a_rigid_junction_is_a_corner_of_beams(case: str, at_end: bool, pieces) -> None:
    """Bending and torsion pass through it, with errors of second order in the links' length."""
    direction, exact = BEAM[case]
    errors = [displacement(tee(n, at_end, pieces), direction) / exact - 1 for n in (4, 8)]
    assert 0 < errors[0] < 0.015
    assert 3.7 < errors[0] / errors[1] < 4.5


@pytest.mark.parametrize("curvature", ("smooth4", "smooth"))
@pytest.mark.parametrize("at_end", (False, True), ids=("tee", "elbow"))
@pytest.mark.parametrize("case", BEAM)
def test_a_rigid_junction_with_smooth_curvature(case: str, at_end: bool, curvature: str) -> None:
    """A tenth of the errors of `angle`, though the moment in a tee's trunk ends at the branch."""
    direction, exact = BEAM[case]
    errors = [displacement(tee(n, at_end, "none", curvature), direction) / exact for n in (4, 8)]
    assert errors == [pytest.approx(1, abs=3e-3), pytest.approx(1, abs=4e-4)]


@pytest.mark.parametrize("curvature", ("angle", "smooth4", "smooth"))
def test_an_elastic_junction_is_a_spring_in_series(curvature: str) -> None:
    for direction, rigid in BEAM.values():
        value = displacement(tee(16, False, "none", curvature, (0.4, 0.2)), direction)
        assert value == pytest.approx(rigid + B**2 / 0.4, rel=1.5e-3)


def test_a_ball_junction_carries_no_moment() -> None:
    model, data = cables.load(tee(6, False, "none", junction=0))
    joint = model.body_jntadr[model.body("cable_b_link0").id]
    assert model.jnt_type[joint] == mujoco.mjtJoint.mjJNT_BALL
    address = model.jnt_qposadr[joint]
    data.qpos[address : address + 4] = np.array([1, 0.3, 0.2, 0.1]) / np.linalg.norm(
        [1, 0.3, 0.2, 0.1]
    )
    assert np.abs(differences.torque(model, data)).max() < 1e-12


@pytest.mark.parametrize("pieces", PIECES)
@pytest.mark.parametrize("twist", ("dynamic", "quasistatic"))
@pytest.mark.parametrize("rest", ("drawn", "straight"))
def test_the_torque_is_minus_the_gradient(rest: str, twist: str, pieces) -> None:
    described = harness(
        pieces, twist=twist, rest=rest, rest_twist=0.6, stabilize=False, whip_damping=0.0
    )
    model, data = cables.load(described)
    differences.disturb(model, data, seed=5, size=0.15)
    expected = differences.force(model, data)
    assert differences.relative_error(differences.torque(model, data), expected) < 1e-6


@pytest.mark.parametrize("shape", ("arc", "ring"))
@pytest.mark.parametrize("twist", ("dynamic", "quasistatic"))
def test_the_torque_on_curved_cables_is_minus_the_gradient(twist: str, shape: str) -> None:
    plain = {"twist": twist, "stabilize": False, "whip_damping": 0.0, "section": "box",
             "width": 0.01, "height": 0.004, "EI": (0.03, 0.01)}  # fmt: skip
    nodes = strand.ring(0.15, 12) if shape == "ring" else strand.arc(0.8, 2.0, 12)
    cable = Cable(nodes, closed=shape == "ring", pieces=4, collide=False, **(MATERIAL | plain))
    cable.branches = [
        Branch(arm(B, 5, **plain), "a", 0.2, angle=1.5, azimuth=1.0),
        Branch(arm(B, 5, **plain), "b", 0.2, angle=1.5, azimuth=-2.0),
        Branch(arm(B, 5, **plain), "c", 0.6, angle=0.8, junction=0.5),
    ]
    model, data = cables.load(cable)
    assert np.abs(data.qfrc_passive).max() < 1e-12
    differences.disturb(model, data, seed=7, size=0.1)
    expected = differences.force(model, data)
    assert differences.relative_error(differences.torque(model, data), expected) < 1e-6


@pytest.mark.parametrize("pieces", PIECES)
def test_forces_and_moments_balance_at_every_junction(pieces) -> None:
    model, data = cables.load(harness(pieces, loss_time=0.3))
    cables.settle(model, data, seconds=60)
    rods = {name: strand.profile(model, data, name) for name in RODS}
    weight = model.body_mass.sum() * 9.81
    assert rods["cable_rod"].start_force == pytest.approx([0, 0, weight], abs=1e-4 * weight)
    trunk = rods["cable_rod"]
    scale = np.abs(trunk.start_moment).max()
    # Before and after the node of the branch: the force jumps by the branch's weight.
    node = 6
    assert trunk.joint_node.tolist().count(node) == 2
    link = model.body_mass[cables.link_bodies(model)[node - 1]] * 9.81
    jump = trunk.force[node] - trunk.force[node - 1] - [0, 0, link]
    branch = rods["cable_tee_rod"].start_force
    assert jump == pytest.approx(branch, abs=1e-4 * weight)
    before, after = np.flatnonzero(trunk.joint_node == node)
    jump = trunk.moment[after] - trunk.moment[before]
    assert jump == pytest.approx(rods["cable_tee_rod"].start_moment, abs=2e-3 * scale)
    # At the end both branches, and on one of them the twig.
    total = -rods["cable_left_rod"].start_force - rods["cable_right_rod"].start_force
    assert trunk.end_force == pytest.approx(total, abs=1e-4 * weight)
    moment = -rods["cable_left_rod"].start_moment - rods["cable_right_rod"].start_moment
    assert trunk.end_moment == pytest.approx(moment, abs=2e-3 * scale)


def test_shapes_do_not_depend_on_trees_roots_and_directions() -> None:
    shapes = []
    for pieces, root in (("none", "end"), (2, "auto"), ("none", "middle")):
        described = dataclasses.replace(harness(pieces, loss_time=0.3), root=root)
        model, data = cables.load(described)
        cables.settle(model, data, seconds=60)
        shapes.append([strand.profile(model, data, rod).nodes for rod in RODS])
    for other in shapes[1:]:
        for one, two in zip(shapes[0], other, strict=True):
            assert np.abs(one - two).max() < 1e-5


def test_nothing_acts_on_a_network_in_free_flight() -> None:
    free = dataclasses.replace(harness("none", gravity=(0, 0, 0)), start="free")
    model, data = cables.load(free)
    assert np.abs(data.qfrc_passive).max() < 1e-12
    rng = np.random.default_rng(4)
    data.qvel[:] = rng.normal(size=model.nv) * 0.5
    mujoco.mj_forward(model, data)
    mujoco.mj_subtreeVel(model, data)
    speed = data.subtree_linvel[0].copy()
    for _ in range(500):
        mujoco.mj_step(model, data)
    mujoco.mj_subtreeVel(model, data)
    assert data.subtree_linvel[0] == pytest.approx(speed, abs=2e-3 * np.linalg.norm(speed))
    assert not data.warning.number.any()


def test_names_and_masses() -> None:
    model, data = cables.load(harness(3))
    assert cables.instances(model) == list(RODS)
    for name, links in (("", 12), ("tee_", 5), ("left_", 6), ("right_", 6), ("twig_", 4)):
        assert len(cables.link_bodies(model, f"cable_{name}")) == links
    for name in ("cable_junction6", "cable_clamp_end", "cable_left_junction3"):
        assert model.body(name).mass[0] < 1e5 * LEAST_INERTIAL  # of 2.8 g
    volume = np.pi * 0.004**2 * (2 * A + 3.5 * B)
    assert model.body_mass.sum() == pytest.approx(1100 * volume, rel=1e-9)
    node = data.site_xpos[site(model, "cable_left_node3")]
    assert node == pytest.approx([2 * A + B / 2 * np.cos(0.7), B / 2 * np.sin(0.7), 0], abs=1e-12)
    assert "branch twig at node 3 of left" in harness().recipe().text


def test_without_an_angle_a_branch_is_drawn_as_the_cable_is() -> None:
    corner = np.array([[0, 0, 0], [0, 0.1, 0], [0, 0.1, 0.1]])
    cable = dataclasses.replace(
        arm(0.4, 8), pos=(1, 2, 3), quat=(1, 0, 0, 1),
        branches=[Branch(Cable(corner + 5, collide=False, **MATERIAL), "b", 0.2)],
    )  # fmt: skip
    model, data = cables.load(cable)
    ends = [data.site_xpos[site(model, f"cable_b_node{k}")] for k in range(3)]
    assert np.array(ends) == pytest.approx(
        np.array([[1, 2.2, 3], [0.9, 2.2, 3], [0.9, 2.2, 3.1]]), abs=1e-12
    )


FILE = """
prefix = "loom_"
[shape]
type = "straight"
length = 0.6
segments = 12
[section]
radius = 0.004
[material]
EI = 0.02
GJ = 0.015
density = 1100
[[branch]]
name = "twig"
on = "left"
at = 0.1
angle = 1.2
azimuth = -1.0
shape = { type = "straight", length = 0.1, segments = 4 }
[[branch]]
name = "left"
at = 0.3
angle = 0.7
junction = [0.3, 0.1]
section = { radius = 0.003 }
ends = { end = "mocap" }
[branch.shape]
type = "straight"
length = 0.2
segments = 8
[[branch]]
at = 0.6
angle = 0.5
shape = { type = "straight", length = 0.1, segments = 4 }
material = { young = 1e7, poisson = 0.4, density = 900 }
[contact]
collide = false
"""


def test_files_describe_branches(tmp_path) -> None:
    path = tmp_path / "loom.cable.toml"
    path.write_text(FILE)
    read = strand.load_cable(path)
    twig, left, last = read.branches
    assert (twig.name, twig.on, left.junction, last.name) == ("twig", "left", [0.3, 0.1], "branch2")
    assert (twig.cable.radius, left.cable.radius, last.cable.radius) == (0.003, 0.003, 0.004)
    assert last.cable.young == 1e7 and last.cable.EI is None
    assert left.cable.end == "mocap" and twig.cable.end == "free"
    assert not twig.cable.collide
    model = mujoco.MjModel.from_xml_string(read.to_mjcf())
    assert model.nmocap == 1
    again = Cable.from_description(read.description())
    assert again.to_mjcf() == read.to_mjcf()


BAD_FILES = (
    ("at = 0.1\n", "", "branch.at: got 'nothing'"),
    ("at = 0.1", "at = -0.1", "branch twig: at: got '-0.1', allowed: 0 to 0.2 m"),
    ("at = 0.3", "at = 0.7", "branch left: at: got '0.7', allowed: 0 to 0.6 m"),
    ("at = 0.3", "at = nan", "branch.at: got 'nan'"),
    ('on = "left"', 'on = "right"', "branch twig: on: got 'right'.*name of another branch"),
    ('on = "left"', 'on = "twig"', "branch twig: on: got 'twig'.*loop"),
    ("at = 0.3", 'on = "twig"\nat = 0.05', "branch .*: on: .*loop"),
    ('name = "left"', 'name = "twig"', "branch.name: got 'twig'.*different"),
    ("junction = [0.3, 0.1]", "junction = -1", "branch left: junction: got '-1.*>= 0|> 0"),
    ("junction = [0.3, 0.1]", "junction = [0.3, 0]", "branch left: junction: got '0.3 0'"),
    ("junction = [0.3, 0.1]", 'junction = "soft"', "branch.junction: got 'soft'.*rigid"),
    ("angle = 0.7", "angle = 0", "branch left: angle: got '0'.*away"),
    ("angle = 0.7", "angle = 3.1415", "branch left: angle: got '3.1415'.*away"),
    ("angle = 0.7", "", "branch left: angle: got 'nothing'.*away"),
    ("angle = 0.7", "angel = 0.7", "branch.angel: .*angle"),
    ('end = "mocap"', 'start = "fixed"', "branch left: start: got 'a held start'"),
    ("at = 0.1\n", "at = 0\n", "branch twig: at: got '0'.*start of a branch"),
    ("section = { radius = 0.003 }", "section = { radius = -1 }", "branch twig: radius: got '-1'"),
    ("section = { radius = 0.003 }", "section = { raduis = 1 }", "branch twig: section.raduis"),
    ("section = { radius = 0.003 }", "simulation = { timestep = 1 }", "branch.simulation"),
    ('shape = { type = "straight", length = 0.1, segments = 4 }\nmaterial', "material",
     "branch.shape: got 'nothing'"),
    ('type = "straight"\nlength = 0.2', 'type = "ring"\nradius = 0.2', "branch left: closed"),
)  # fmt: skip


@pytest.mark.parametrize(("old", "new", "message"), BAD_FILES)
def test_bad_files_are_refused(old: str, new: str, message: str, tmp_path) -> None:
    path = tmp_path / "bad.cable.toml"
    assert old in FILE
    path.write_text(FILE.replace(old, new, 1))
    with pytest.raises(StrandError, match=message):
        strand.load_cable(path)


@pytest.mark.parametrize(
    ("fields", "at", "message"),
    (
        ({"start": "ball"}, 0.0, "branch b: at: got '0'.*free or clamped"),
        ({"end": "fixed", "clamp": "link"}, 0.6, "branch b: at: got '0.6'.*clamp = link"),
        ({"nodes": strand.ring(0.2, 12), "closed": True}, 0.0, "branch b: at: .*ring"),
        ({}, np.inf, "branch.* at: got 'inf'"),
    ),
)
def test_places_without_a_junction_are_refused(fields: dict, at: float, message: str) -> None:
    with pytest.raises(StrandError, match=message):
        dataclasses.replace(
            arm(0.6, 12), branches=[Branch(arm(B, 4), "b", at, angle=1.0)], **fields
        )


def test_pose_and_branches_of_a_branch_are_refused() -> None:
    for fields in ({"pos": (1, 0, 0)}, {"branches": [Branch(arm(B, 4), "c", 0.1, angle=1)]}):
        bent = dataclasses.replace(arm(B, 4), **fields)
        with pytest.raises(StrandError, match=r"branch b: (pos|branches): got"):
            dataclasses.replace(arm(0.6, 12), branches=[Branch(bent, "b", 0.3, angle=1.0)])
    with pytest.raises(StrandError, match=r"branches: got .*cable='b'"):
        dataclasses.replace(arm(0.6, 12), branches=[Branch("b", "b", 0.3)])


@pytest.mark.parametrize("end", ("fixed", "mocap", "weld"))
@pytest.mark.parametrize("pieces", PIECES)
def test_branches_start_at_held_ends(end: str, pieces) -> None:
    """Three cables from one clamp, that hangs from a body of a scene."""
    spec = scene()
    target = {"start_to": "gripper"} if end == "weld" else {}
    branches = [
        Branch(arm(B, 5, pieces=pieces), name, 0.0, angle=2.0, azimuth=azimuth)
        for name, azimuth in (("b", 0.0), ("c", np.pi))
    ]
    cable = dataclasses.replace(
        arm(A, 6, pieces=pieces, loss_time=0.2), start=end, branches=branches, **target
    )
    strand.attach(spec, cable, body="gripper" if end == "fixed" else "world", pos=(0, 0, 0))
    model = spec.compile()
    data = mujoco.MjData(model)
    mujoco.mj_step(model, data, 10)
    reloaded = mujoco.MjModel.from_xml_string(spec.to_xml())
    assert (reloaded.nbody, reloaded.nv, reloaded.neq) == (model.nbody, model.nv, model.neq)
    mujoco.mj_resetData(model, data)
    for _ in range(4000):
        mujoco.mj_step(model, data)
    assert not data.warning.number.any()
    starts = [data.site_xpos[site(model, f"cable_{name}node0")] for name in ("", "b_", "c_")]
    assert np.ptp(starts, axis=0).max() < 1e-4


def scene() -> mujoco.MjSpec:
    return mujoco.MjSpec.from_string("""
    <mujoco>
      <option integrator="discrete" timestep=".002"/>
      <worldbody>
        <body name="gripper"><geom name="palm" size=".02" pos="-.02 0 0"/></body>
        <geom name="floor" type="plane" size="1 1 .1" pos="0 0 -2"/>
      </worldbody>
    </mujoco>""")


def test_an_error_in_a_branch_leaves_the_scene_unchanged() -> None:
    spec = scene()
    before = spec.to_xml()
    wrong = arm(B, 4)
    wrong.keys = {"EI": "-1"}
    cable = dataclasses.replace(arm(0.6, 12), branches=[Branch(wrong, "b", 0.3, angle=1.0)])
    with pytest.raises(StrandError):
        strand.attach(spec, cable)
    taken = dataclasses.replace(arm(0.6, 12), branches=[Branch(arm(B, 4), "b", 0.3, angle=1.0)])
    spec2 = scene()
    spec2.worldbody.add_body(name="cable_b_link0")
    with pytest.raises(StrandError, match="branch b: prefix"):
        strand.attach(spec2, taken)
    assert spec.to_xml() == before
    assert len(spec2.plugins) == 0 and len(spec2.bodies) == 3


@pytest.mark.parametrize("body", ("world", "gripper"))
def test_held_ends_are_held_by_what_carries_the_cable(body: str) -> None:
    """Also those of branches, which start at a body without mass."""
    spec = scene()
    branch = Branch(arm(B, 5, end="fixed", loss_time=0.2), "b", A, angle=1.0)
    cable = dataclasses.replace(arm(2 * A, 12, start="ball", loss_time=0.2), branches=[branch])
    strand.attach(spec, cable, body=body)
    model = spec.compile()
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    end = data.site_xpos[site(model, "cable_b_site_end")].copy()
    while data.time < 10:
        mujoco.mj_step(model, data)
    assert np.linalg.norm(data.site_xpos[site(model, "cable_b_site_end")] - end) < 1e-4
    held = [strand.profile(model, data, rod) for rod in ("cable_rod", "cable_b_rod")]
    lift = held[0].start_force + held[1].end_force
    weight = model.body_mass[2:].sum() * 9.81
    assert lift == pytest.approx([0, 0, weight], abs=2e-3 * weight)


def test_links_at_a_junction_do_not_push_each_other_away() -> None:
    described = harness(3)
    for one in (described, *(branch.cable for branch in described.branches)):
        one.collide = True
    model, data = cables.load(described)
    assert data.ncon == 0
    apart = dataclasses.replace(described, self_contact=False)
    names = mujoco.MjModel.from_xml_string(apart.to_mjcf())
    assert names.nexclude > model.nexclude


def test_a_branch_carries_what_lies_on_it() -> None:
    """Two fingers of a fork hold a box."""
    stiff = {"EI": 40.0, "GJ": 40.0, "radius": 0.01, "density": 2000.0}
    fork = Cable(strand.straight(0.3, 10), start="fixed", **stiff)
    fork.branches = [
        Branch(
            Cable(np.array([[0, 0, 0], [0.02, 0.03 * s, 0], [0.2, 0.06 * s, 0]]), **stiff),
            name,
            0.3,
        )
        for name, s in (("left", 1.0), ("right", -1.0))
    ]
    box = (
        '<body pos=".42 0 .0301"><freejoint/><geom type="box" size=".05 .1 .02" mass=".2"/></body>'
    )
    model, data = cables.load(fork, box)
    mujoco.mj_step(model, data, 2000)
    assert not data.warning.number.any()
    bottom = data.xpos[model.nbody - 1] if model.body(1).name.startswith("cable") else data.xpos[1]
    assert 0.02 < bottom[2] < 0.0305
    reaction = strand.profile(model, data).start_force
    assert reaction[2] == pytest.approx(model.body_mass.sum() * 9.81, rel=2e-3)


LINK = 0.02  # m
WEIGHTS = {"w2": 2.0, "w3": 3.0}  # kg


def thin(links: int, **fields) -> Cable:
    return arm(links * LINK, links, **({"radius": 0.002, "EI": 2e-4, "GJ": 2e-4} | fields))


def to(weight: str, side: str = "end") -> dict:
    return {side: "weld", f"{side}_to": weight}


def limb(name: str, at: float, angle: float, on: str = "", **ends: str) -> Branch:
    return Branch(thin(14, **ends), name, at, angle=angle, on=on)


#: Ends and branches of a cable, and the masses (kg) that pull at its arms.
LOADED = {
    "both limbs": (
        {"start": "fixed"},
        [limb("a", 0.36, 0.5, **to("w2")), limb("b", 0.36, -0.5, **to("w3"))],
        {"": 5, "a_": 2, "b_": 3},
    ),
    "end and limb": (
        {"start": "fixed", **to("w2")},
        [limb("a", 0.2, 0.5, **to("w3"))],
        {"": 5, "a_": 3},
    ),
    "start and limb": (
        {"end": "fixed", **to("w2", "start")},
        [limb("a", 0.2, 0.5, **to("w3"))],
        {"": 5, "a_": 3},
    ),
    "twig": (
        {"start": "fixed"},
        [limb("a", 0.2, 0.5), limb("b", 0.2, 0.5, "a", **to("w3"))],
        {"": 3, "a_": 3, "b_": 3},
    ),
    "held by a limb": ({**to("w2")}, [limb("a", 0.2, 2.0, end="fixed")], {"": 2, "a_": 2}),
    "twice the same": (
        {"start": "fixed", **to("w2")},
        [limb("a", 0.2, 0.5, **to("w2")), limb("b", 0.2, -0.5)],
        {"": 2, "a_": 2, "b_": 0},
    ),
    "nothing holds it": ({}, [limb("a", 0.2, 0.5, **to("w2"))], {"": 0, "a_": 0}),
}


def loaded(case: str) -> tuple[mujoco.MjModel, float]:
    """The model, and the tension (N) for which the cable itself is made."""
    ends, branches, _ = LOADED[case]
    spec = scene()
    for k, (name, mass) in enumerate(WEIGHTS.items()):
        body = spec.worldbody.add_body(name=name, pos=(0, 0, -0.3 * k))
        body.add_freejoint()
        body.add_geom(size=(0.02, 0, 0), mass=mass, contype=0, conaffinity=0)
    cable = dataclasses.replace(thin(18, **ends), branches=branches)
    recipe = strand.attach(spec, cable, pos=(0, 0, 1), quat=UPRIGHT)
    return spec.compile(), recipe.max_tension


@pytest.mark.parametrize("case", LOADED)
def test_arms_are_made_for_what_hangs_from_those_they_carry(case: str) -> None:
    """Weights may swing with three times their weight. (N / l)^2 gives joints their armature."""
    model, tension = loaded(case)
    masses = LOADED[case][2]
    if masses[""]:
        assert tension == pytest.approx(3 * 9.81 * masses[""], rel=0.03)
    armature = {
        prefix: model.dof_armature[model.joint(f"cable_{prefix}joint3").dofadr[0]]
        for prefix in masses
    }
    heaviest = max(masses.values()) or 1
    unit = armature[max(masses, key=masses.get)] / heaviest**2
    for prefix, mass in masses.items():
        assert armature[prefix] == pytest.approx(mass**2 * unit, rel=0.1, abs=1e-2 * unit), prefix


def test_limbs_with_weights_hang_still(engine_warnings: list[str]) -> None:
    model, _ = loaded("both limbs")
    data = mujoco.MjData(model)
    mujoco.mj_step(model, data, 1000)
    assert not engine_warnings and not data.warning.number.any()


def test_copies_states_and_rollouts_are_bitwise() -> None:
    model, data = cables.load(harness(3))
    mujoco.mj_step(model, data, 50)
    kind = mujoco.mjtState.mjSTATE_FULLPHYSICS
    state = np.empty(mujoco.mj_stateSize(model, kind))
    mujoco.mj_getState(model, data, state, kind)
    ends = []
    for _ in range(2):
        other = mujoco.MjData(model)
        mujoco.mj_setState(model, other, state, kind)
        mujoco.mj_step(model, other, 50)
        ends.append(np.concatenate([other.qpos, other.qvel, other.plugin_state]))
    np.testing.assert_array_equal(*ends)
    start = np.empty_like(state)
    mujoco.mj_getState(model, other, start, kind)
    trajectory, _ = mujoco.rollout.rollout(model, mujoco.MjData(model), state[None], nstep=50)
    np.testing.assert_array_equal(trajectory[0, -1], start)
