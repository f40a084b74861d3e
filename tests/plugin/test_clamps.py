"""Clamps: sites that fix the direction of the rod's first or last node, in hand-written MJCF."""

import dataclasses

import mujoco
import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from support import differences, mjcf, shapes
from support.mjcf import Chain, Piece

import strand

MODES = ("quasistatic", "dynamic")
MEASURES = ("angle", "tangent", "smooth4", "smooth")
STIFF = {"EI": "0.7", "GJ": "0.5"}
OFF = Rotation.from_rotvec([0.3, -0.2, 0.25]).as_matrix()  # sites deviate from the rest shape


def clamped(chain: Chain, on: dict[str, str], turn: np.ndarray = OFF) -> mujoco.MjModel:
    """The chain with clamps on the bodies given for "start" and "end", in a scene with a block."""
    ends = {"start": chain.shape.frames[0], "end": chain.shape.frames[-1]}
    plain = dataclasses.replace(chain, keys=STIFF)
    data = mujoco.MjData(_scene(plain).compile())
    mujoco.mj_kinematics(data.model, data)
    keys = {f"clamp_{side}": f"hold_{side}" for side in on}
    spec = _scene(dataclasses.replace(chain, keys=chain.keys | keys))
    for side, body in on.items():
        frame = data.body(body).xmat.reshape(3, 3).T @ ends[side] @ turn
        site = spec.body(body).add_site(name=f"hold_{side}")
        site.quat = Rotation.from_matrix(frame).as_quat(scalar_first=True)
    return spec.compile()


def _scene(chain: Chain) -> mujoco.MjSpec:
    spec = mujoco.MjSpec.from_string(mjcf.document(chain))
    block = spec.worldbody.add_body(name="block", pos=[0, 0, 1], quat=[0.5, 0.5, 0.5, 0.5])
    block.add_freejoint()
    block.add_geom(type=mujoco.mjtGeom.mjGEOM_SPHERE, size=[0.1, 0, 0])
    if chain.parts()[0].base == "hand":
        spec.body(f"rod{chain.parts()[0].root}").add_joint(type=mujoco.mjtJoint.mjJNT_BALL)
    return spec


def on_the_world(n: int):
    return Chain(shapes.walk(n, seed=n), STIFF, [Piece(0, n, 0, "ball")]), {"start": "world"}


def far_end_on_the_world(n: int):
    return Chain(shapes.straight(n), STIFF), {"end": "world"}


def on_a_hand(n: int):
    return Chain(shapes.walk(n, seed=n + 1), STIFF, [Piece(0, n, 0, "hand")]), {
        "start": "rod_hand0_1"
    }


def on_the_hand_before_last(n: int):
    keys = {"EI": "0.9 0.4", "GJ": "0.5"}
    chain = Chain(shapes.walk(n, seed=n + 2), keys, [Piece(0, n, 0, "hand")])
    return chain, {"start": "rod_hand0_0", "end": "world"}


def both_ends_on_one_hand(n: int):
    keys = STIFF | {"rest": "straight", "rest_twist": "1.3"}
    chain = Chain(shapes.walk(n, seed=n + 3, unequal=True), keys, [Piece(0, n, 0, "hand")])
    return chain, {"start": "rod_hand0_1", "end": "rod_hand0_1"}


def both_ends_on_a_free_body(n: int):
    keys = {"EI": "0.9 0.4", "GJ": "0.5"}
    chain = Chain(shapes.walk(n, seed=n + 4), keys, [Piece(0, n, n // 2)])
    return chain, {"start": "block", "end": "block"}


def on_two_bodies_in_two_trees(n: int):
    pieces = [Piece(0, (n + 1) // 2, 0, "hand"), Piece((n + 1) // 2, n, n - 1, "free")]
    chain = Chain(shapes.walk(n, seed=n + 5), STIFF, pieces)
    return chain, {"start": "rod_hand0_1", "end": "block"}


CASES = (
    on_the_world,
    far_end_on_the_world,
    on_a_hand,
    on_the_hand_before_last,
    both_ends_on_one_hand,
    both_ends_on_a_free_body,
    on_two_bodies_in_two_trees,
)


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("n", (2, 3, 17))
@pytest.mark.parametrize("make", CASES)
def test_torque_is_minus_the_gradient(make, n: int, mode: str, measure: str) -> None:
    chain, on = make(n)
    chain.keys = chain.keys | {"twist": mode, "curvature": measure}
    model = clamped(chain, on)
    data = mujoco.MjData(model)
    differences.disturb(model, data, seed=n)
    torque = differences.torque(model, data)
    expected = differences.force(model, data)
    assert strand.energy(model, data) > 1e-3
    assert differences.relative_error(torque, expected) < 1e-6
    # The clamp's body feels the rod: its generalised forces include the moment.
    if "block" in on.values():
        address = model.body_dofadr[model.body("block").id]
        assert np.abs(torque[address + 3 : address + 6]).max() > 1e-3


@pytest.mark.parametrize("mode", MODES)
def test_a_clamp_at_rest_has_no_energy_and_counts_turns(mode: str) -> None:
    n, turns = 10, 3
    chain = Chain(shapes.straight(n), STIFF | {"twist": mode}, [Piece(0, n, 0, "ball")])
    model = clamped(chain, {"start": "world", "end": "block"}, turn=np.eye(3))
    assert model.npluginstate == 9 * (n + 2) + 4  # twists; motion; the change of the material
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    assert strand.energy(model, data) < 1e-24
    # The block's x axis is not the rod's: the block is turned about the site's axis.
    axis = model.site_quat[model.site("hold_end").id]
    address = differences.link_joint(model, "block")
    timestep, model.opt.timestep = model.opt.timestep, 1e-12
    for _ in range(8 * turns):
        step = np.zeros(4)
        turn = np.array([np.cos(np.pi / 8), np.sin(np.pi / 8), 0, 0])
        inverse = axis * [1, -1, -1, -1]
        mujoco.mju_mulQuat(step, axis, turn)
        mujoco.mju_mulQuat(step, step.copy(), inverse)
        mujoco.mju_mulQuat(data.qpos[address : address + 4], data.qpos[address : address + 4], step)
        data.qvel[:] = 0
        mujoco.mj_step(model, data)
    data.qvel[:] = 0
    model.opt.timestep = timestep
    mujoco.mj_forward(model, data)
    result = strand.readout(model, data)
    assert result.twist == pytest.approx(2 * np.pi * turns, abs=1e-6)
    if mode == "quasistatic":  # even from clamp to clamp: the whole length counts
        assert result.energy == pytest.approx(0.5 * 0.5 * (2 * np.pi * turns) ** 2, rel=1e-9)


@pytest.mark.parametrize(
    ("EI", "start", "end"),
    [
        ("1 2 3", 1, 3),
        ("1 1 2 2 3 3", 1, 3),
        ("9 1 2 3 8", 9, 8),
        ("9 9 1 1 2 2 3 3 8 8", 9, 8),
    ],
)
def test_lists_with_and_without_the_clamps(EI: str, start: float, end: float) -> None:
    """Lists for joints between links, or with the clamps; a clamp uses its neighbour's value."""
    n, L, angle = 4, 0.4, 0.3
    chain = Chain(shapes.straight(n, L), {"EI": EI, "GJ": "1"}, [Piece(0, n, 0, "ball")])
    model = clamped(chain, {"start": "world", "end": "block"}, turn=np.eye(3))
    data = mujoco.MjData(model)
    for body, own in (("rod0", 2 * start), ("rod1", 1), ("rod2", 2), ("rod3", 3)):
        mujoco.mj_resetData(model, data)
        address = differences.link_joint(model, body)
        mujoco.mju_axisAngle2Quat(data.qpos[address : address + 4], [0, 0, 1], angle)
        mujoco.mj_forward(model, data)
        # Every link after this one also turns relative to the clamp at the end.
        expected = 0.5 * (own + 2 * end) * angle**2 / (L / n)
        assert strand.energy(model, data) == pytest.approx(expected, rel=1e-12)


BAD = [
    ({"clamp_start": "nowhere"}, r"clamp_start: got 'nowhere', allowed: .*site .*x axis"),
    ({"clamp_end": "block"}, r"clamp_end: got 'block'"),  # a body, not a site
    ({"clamp_start": "rod2_site"}, r"clamp_start: got 'a site on link 'rod2''"),
    ({"clamp_start": "rod0_site", "closed": "true"}, r"closed: got .*clamp_start"),
]


@pytest.mark.parametrize(("keys", "words"), BAD)
def test_bad_clamps(keys: dict[str, str], words: str) -> None:
    spec = mujoco.MjSpec.from_string(mjcf.document(Chain(shapes.straight(5), STIFF | keys)))
    for k in range(5):
        spec.body(f"rod{k}").add_site(name=f"rod{k}_site")
    with pytest.raises(ValueError, match=words):
        spec.compile()


@pytest.mark.parametrize("count", (1, 3, 4, 6, 9, 12))
def test_counts_that_fit_neither(count: int) -> None:
    """Five links with both clamps have 4 joints between links, 6 in all; EI takes two per joint."""
    chain = Chain(shapes.straight(5), {"EI": "1", "GJ": mjcf.text(np.ones(count))})
    on = {"start": "world", "end": "world"}
    if count in (1, 4, 6):
        clamped(chain, on)
        return
    with pytest.raises(
        ValueError,
        match=r"GJ: got '\d+ values', allowed: .*4, or including those of clamps and junctions: 6",
    ):
        clamped(chain, on)
