"""Cables from the generator: names, masses, ends, collisions, and text that loads again."""

import itertools

import mujoco
import numpy as np
import pytest
from support import cables
from support.engine import DISCRETE, LEAST_INERTIAL, needs_discrete, needs_firm_constraints

import strand

SHAPES = {
    "straight": strand.straight(1.3, 21),
    "arc": strand.arc(0.8, 2.5, 20),
    "ring": strand.ring(0.3, 17),
}
ROOTS = ("end", "middle")


def cable(nodes: np.ndarray | None = None, **fields) -> strand.Cable:
    nodes = strand.arc(0.5, 1.5, 12) if nodes is None else nodes
    return strand.Cable(nodes, **({"EI": 0.01, "GJ": 0.008, "damping": 0.01} | fields))


every_shape = pytest.mark.parametrize("shape", SHAPES)
every_root = pytest.mark.parametrize("root", ROOTS)


@every_root
@every_shape
def test_text_loads_again_to_the_last_digit(shape: str, root: str) -> None:
    text = cable(SHAPES[shape], root=root, closed=shape == "ring").to_mjcf()
    model = mujoco.MjModel.from_xml_string(text)
    again = mujoco.MjSpec.from_string(text).compile()
    for field in ("qpos0", "body_mass", "body_inertia", "body_pos", "geom_size", "dof_damping"):
        assert np.array_equal(getattr(model, field), getattr(again, field))
    assert np.array_equal(model.eq_data, again.eq_data)


@every_root
@every_shape
def test_nodes_are_at_their_given_positions(shape: str, root: str) -> None:
    nodes = SHAPES[shape]
    model, data = cables.load(cable(nodes, root=root, closed=shape == "ring", prefix="a/"))
    bodies = cables.link_bodies(model, "a/")
    assert len(bodies) == len(nodes) - 1
    assert np.abs(data.xpos[bodies] - nodes[:-1]).max() < 1e-14
    edges = np.diff(nodes, axis=0)
    lengths = np.linalg.norm(edges, axis=1, keepdims=True)
    assert np.abs(cables.frames(model, data, "a/")[:, :, 0] - edges / lengths).max() < 1e-14
    assert np.abs(data.site("a/site_start").xpos - nodes[0]).max() < 1e-14
    assert np.abs(data.site("a/site_end").xpos - nodes[-1]).max() < 1e-14
    assert np.abs(data.qfrc_passive).max() < 1e-12
    assert strand.readout(model, data, "a/rod").energy < 1e-24


@every_root
@every_shape
def test_mass_and_inertia_are_those_of_the_cylinders(shape: str, root: str) -> None:
    nodes, r, density = SHAPES[shape], 0.007, 1234.5
    described = cable(nodes, root=root, radius=r, density=density, closed=shape == "ring")
    mass, center, inertia = cables.total_inertia(*cables.load(described))
    lengths = np.linalg.norm(np.diff(nodes, axis=0), axis=1)
    expected = density * np.pi * r**2 * lengths.sum()
    assert mass == pytest.approx(expected, rel=1e-14, abs=0)
    middles = (nodes[:-1] + nodes[1:]) / 2
    # A closed cable is tied by a body at its end, whose inertia is the least that MuJoCo takes:
    # 1e-8 of a link's mass, with older versions 1e-6.
    tie = 1e6 * LEAST_INERTIAL
    off = tie / len(lengths) if shape == "ring" else 1e-14
    assert center == pytest.approx(lengths @ middles / lengths.sum(), abs=off)
    reference = np.zeros((3, 3))
    for k, length in enumerate(lengths):
        t, m = (nodes[k + 1] - nodes[k]) / length, density * np.pi * r**2 * length
        axial, across = np.diag(cables.cylinder_inertia(m, r, length))[:2]
        arm = middles[k] - center
        reference += across * np.eye(3) + (axial - across) * np.outer(t, t)
        reference += m * (arm @ arm * np.eye(3) - np.outer(arm, arm))
    off = tie if shape == "ring" else 1e-13
    assert inertia == pytest.approx(reference, rel=off, abs=0.1 * off * np.abs(reference).max())


@pytest.mark.parametrize("links", (2, 10, 40, 150))
def test_a_straight_cable_is_one_cylinder_at_any_resolution(links: int) -> None:
    L, r, density = 1.3, 0.01, 1100.0
    described = cable(strand.straight(L, links), radius=r, density=density)
    mass, center, inertia = cables.total_inertia(*cables.load(described))
    expected = density * np.pi * r**2 * L
    assert mass == pytest.approx(expected, rel=1e-14, abs=0)
    assert center == pytest.approx([L / 2, 0, 0], abs=1e-14)
    cylinder = cables.cylinder_inertia(expected, r, L)
    assert inertia == pytest.approx(cylinder, rel=1e-12, abs=1e-14)


def test_names_and_prefix() -> None:
    prefix = "rope 1 <&>"
    model, _ = cables.load(cable(strand.straight(1, 4), prefix=prefix, start="mocap"))

    def names(kind: str, count: int) -> set[str]:
        return {getattr(model, kind)(i).name for i in range(count)}

    links, joints = {f"{prefix}link{k}" for k in range(4)}, {f"{prefix}joint{k}" for k in range(4)}
    nodes = {f"{prefix}node{k}" for k in range(5)}
    clamp = prefix + "clamp_start"
    assert names("body", model.nbody) == {"world", prefix + "start", clamp} | links
    assert names("joint", model.njnt) == {prefix + "joint_clamp_start"} | joints
    sites = {prefix + name for name in ("site_start", "site_end", "hold_start", "clamp_start")}
    assert names("site", model.nsite) == sites | nodes
    assert mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_PLUGIN, prefix + "rod") == 0


def test_several_cables_in_one_scene() -> None:
    scene = mujoco.MjSpec.from_string(cable(prefix="one_").to_mjcf())
    other = mujoco.MjSpec.from_string(cable(prefix="two_", pieces="none").to_mjcf())
    scene.attach(other, prefix="b_", frame=scene.worldbody.add_frame(pos=[0, 0, 1]))
    model = scene.compile()
    data = mujoco.MjData(model)
    data.joint("b_two_joint3").qpos[:] = [np.cos(0.2), 0, 0, np.sin(0.2)]
    mujoco.mj_forward(model, data)
    assert strand.energy(model, data, "one_rod") < 1e-24
    assert strand.energy(model, data, "b_two_rod") > 1e-3
    assert strand.energy(model, data) == pytest.approx(strand.energy(model, data, "b_two_rod"))


ENDS = ("free", "fixed", "mocap", "weld")


def held_cable(start: str, end: str, root: str, integrator: str, damping: float):
    """Runs a cable whose end links are held under gravity. Returns how far the end nodes and link 6
    moved, and how far the end links turned."""
    held_to = {f"{n}_to": "world" for n, v in (("start", start), ("end", end)) if v == "weld"}
    options = {"integrator": integrator, "clamp": "link", "damping": damping} | held_to
    described = cable(start=start, end=end, root=root, gravity=(0, 3.0, -9.81), **options)
    model, data = cables.load(described)
    nodes = [model.site(f"cable_{name}").id for name in ("site_start", "site_end", "node6")]
    x, R = data.site_xpos[nodes].copy(), cables.frames(model, data)[[0, -1]]
    cables.run(model, data, 3.0)
    assert np.isfinite(data.qpos).all()
    moved = np.linalg.norm(data.site_xpos[nodes] - x, axis=1)
    now = cables.frames(model, data)[[0, -1]]
    return moved, [cables.angle_between(a, b) for a, b in zip(R, now, strict=True)]


@needs_discrete
# At rest a weld yields by the load times the square of its time constant, which is two steps. A
# single link that carries the whole moment of a cantilever turns by half a degree.
@every_root
@pytest.mark.parametrize(("start", "end"), list(itertools.product(ENDS, ENDS)))
def test_held_links_stay_and_free_ends_move(start: str, end: str, root: str) -> None:
    moved, turned = held_cable(start, end, root, "discrete", damping=0.01)
    for side, condition in ((0, start), (1, end)):
        if condition == "free":
            assert turned[side] > 1e-2 or moved[side] > 1e-2
        else:
            assert moved[side] < 1e-6
            assert turned[side] < (1e-2 if "free" in (start, end) else 5e-3)
    assert moved[2] > 1e-3


# With these integrators the time constant of welds is twenty steps, because shorter ones diverge
# under tension. They yield a hundred times as far as with `discrete`, under weight and swinging.
@every_root
@pytest.mark.parametrize("integrator", ("Euler", "implicitfast"))
@pytest.mark.parametrize(
    ("start", "end"),
    [
        pytest.param("fixed", "free", marks=needs_firm_constraints),
        ("mocap", "fixed"),
        pytest.param("free", "mocap", marks=needs_firm_constraints),
    ],
)
def test_held_links_stay_with_other_integrators(
    start: str, end: str, root: str, integrator: str
) -> None:
    moved, turned = held_cable(start, end, root, integrator, damping=1e-3)
    for side, condition in ((0, start), (1, end)):
        if condition != "free":
            assert moved[side] < 5e-4
            assert turned[side] < (0.1 if "free" in (start, end) else 0.05)


@needs_discrete
@every_root
@pytest.mark.parametrize("clamp", ("node", "link"))
def test_mocap_ends_drive_the_cable(clamp: str, root: str) -> None:
    described = cable(start="mocap", end="mocap", root=root, gravity=(0, 0, 0), clamp=clamp)
    described.integrator = "discrete"
    model, data = cables.load(described)
    steps = {"start": np.array([0, 0, 0.02]), "end": np.array([-0.01, 0, 0])}
    drawn = {side: data.site(f"cable_site_{side}").xpos.copy() for side in steps}
    for side, step in steps.items():
        assert data.body(f"cable_{side}").xpos == pytest.approx(drawn[side], abs=1e-15)
        data.mocap_pos[model.body_mocapid[model.body(f"cable_{side}").id]] += step
    cables.run(model, data, 2.0)
    for side, step in steps.items():
        reached = data.site(f"cable_site_{side}").xpos
        assert reached == pytest.approx(drawn[side] + step, abs=2e-6)


@needs_discrete
@every_root
def test_closed_ring(root: str) -> None:
    nodes = strand.ring(0.3, 24)
    keys = {"rest": "straight"}
    described = cable(nodes, closed=True, root=root, keys=keys, gravity=(0, 0, 0))
    model, data = cables.load(described)
    assert model.neq == 1
    center = nodes[:-1].mean(axis=0)
    for link, push in ((0, 0.02), (6, -0.02), (12, 0.02), (18, -0.02)):
        data.xfrc_applied[model.body(f"cable_link{link}").id, :3] = [0, 0, push]
    cables.run(model, data, 0.5)
    data.xfrc_applied[:] = 0
    cables.settle(model, data, speed=1e-2, seconds=60)
    tip = data.site("cable_site_end").xpos
    assert np.linalg.norm(tip - data.site("cable_site_start").xpos) < 1e-6
    links = data.xpos[cables.link_bodies(model)]
    radii = np.linalg.norm(links - links.mean(axis=0), axis=1)
    assert radii == pytest.approx(np.linalg.norm(nodes[0] - center), rel=1e-3)
    # A straight rod bent to a ring: E = EI / 2 R^2 times its length.
    assert strand.energy(model, data) == pytest.approx(0.01 * np.pi / 0.3, rel=1e-3)


@every_root
@pytest.mark.parametrize(("radius", "reach"), [(0.005, 1), (0.03, 2), (0.06, 3)])
def test_overlapping_neighbours_are_excluded(radius: float, reach: int, root: str) -> None:
    """Links 0.05 m long: capsules overlap up to link i + reach; only these are excluded."""
    nodes = strand.straight(1.0, 20)
    model, data = cables.load(cable(nodes, radius=radius, root=root))
    assert data.ncon == 0
    left_out = {tuple(sorted(divmod(s, 1 << 16))) for s in model.exclude_signature}
    number = {body: k for k, body in enumerate(cables.link_bodies(model))}
    distances = {abs(number[a] - number[b]) for a, b in left_out}
    assert distances == set(range(1, reach + 1))


@every_root
def test_a_closed_ring_excludes_neighbours_across_the_joint(root: str) -> None:
    nodes = strand.ring(0.3, 30)
    model, data = cables.load(cable(nodes, closed=True, radius=0.05, root=root))
    assert data.ncon == 0
    assert model.nexclude > 30


def eight(rise: float) -> np.ndarray:
    """Nodes of a coil that crosses itself at a distance of `rise` sqrt(2) m."""
    s = np.linspace(0, 2 * np.pi, 40)
    return np.stack([0.2 * np.cos(s), 0.2 * np.sin(2 * s), rise * np.cos(s / 2)], axis=1)


def test_far_links_do_touch() -> None:
    """A coil that has fallen onto a floor touches itself where it crosses."""
    floor = '<geom type="plane" size="1 1 .1" pos="0 0 -.03"/>'
    model, data = cables.load(cable(eight(0.012), radius=0.005), floor)
    assert model.nexclude == 38  # only neighbours
    pairs = set()
    for _ in range(40):
        cables.run(model, data, 0.02)
        on_links = [c for c in data.contact[: data.ncon] if model.geom_bodyid[c.geom].min() > 0]
        pairs |= {tuple(sorted(model.geom_bodyid[c.geom])) for c in on_links}
    number = {body: k for k, body in enumerate(cables.link_bodies(model))}
    assert pairs
    assert min(abs(number[b] - number[a]) for a, b in pairs) > 5
    quiet, data = cables.load(cable(eight(0.012), radius=0.005, collide=False), floor)
    cables.run(quiet, data, 0.5)
    assert data.ncon == 0
    assert quiet.nexclude == 0


def test_links_that_overlap_at_rest_are_excluded() -> None:
    model, data = cables.load(cable(eight(0.004), radius=0.005))
    number = {body: k for k, body in enumerate(cables.link_bodies(model))}
    left_out = [sorted(divmod(s, 1 << 16)) for s in model.exclude_signature]
    assert max(abs(number[b] - number[a]) for a, b in left_out) > 15
    assert data.ncon == 0


@pytest.mark.parametrize("root", ROOTS)
@pytest.mark.parametrize("integrator", ("implicitfast", DISCRETE))
def test_a_falling_rope_lands_on_the_floor(integrator: str, root: str) -> None:
    nodes = strand.straight(0.5, 20)
    nodes[:, 2] = np.linspace(0.05, 0.1, 21)
    described = cable(nodes, radius=0.006, density=1100, damping=1e-3, EI=1e-3, GJ=1e-3)
    described.integrator, described.root = integrator, root
    model, data = cables.load(described, '<geom type="plane" size="2 2 0.1"/>')
    for _ in range(20):
        cables.run(model, data, 0.1)
        assert data.geom_xpos[1:, 2].min() > -0.006
    assert data.geom_xpos[1:, 2] == pytest.approx(0.006, abs=1e-3)
    assert data.ncon > 10
    weight = model.body_mass.sum() * 9.81
    mujoco.mj_forward(model, data)
    # Contact forces carry the rope: the free root joint has no net vertical acceleration.
    assert abs(data.qfrc_constraint[2] - weight) < 0.05 * weight
