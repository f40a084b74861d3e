"""A cable's material is changed while it runs; the change is part of the state."""

import copy
import pickle
from collections.abc import Callable
from pathlib import Path

import mujoco
import numpy as np
import pytest
from support.engine import DISCRETE, needs_discrete

import strand
from strand import Cable, StrandError, adapter
from strand.readout.readout import look_up

LENGTH, LINKS, EI, GJ = 0.6, 24, 4e-3, 3e-3  # m, 1, N m^2, N m^2


def built(**options: object) -> tuple[mujoco.MjModel, mujoco.MjData]:
    given = dict(start="fixed", gravity=(0, 0, 0), radius=0.003, collide=False) | options
    cable = Cable(strand.straight(LENGTH, LINKS), **(dict(EI=EI, GJ=GJ) | given))
    model = mujoco.MjModel.from_xml_string(strand.generate(cable))
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    return model, data


def rod(model: mujoco.MjModel, data: mujoco.MjData):
    return look_up(model, data, 0, adapter.load().constants)


@pytest.mark.parametrize("pieces", ["none", pytest.param(6, marks=needs_discrete)])
@pytest.mark.parametrize("law", [{}, {"EI": [EI, 2 * EI]}, {"curvature": "tangent"}])
def test_a_free_cable_takes_the_curvature_that_is_added(pieces: object, law: dict) -> None:
    model, data = built(pieces=pieces, loss_time=0.1, **law)
    kappa = 3.0
    for k in range(1, 21):  # a jump would be a whip
        strand.set_material(model, data, curvature=[kappa * k / 20, 0])
        mujoco.mj_step(model, data, 40)
    mujoco.mj_step(model, data, round(6 / model.opt.timestep))
    one = strand.profile(model, data)
    tolerance = 2e-3 if "curvature" not in law else 5e-3
    np.testing.assert_allclose(one.curvature, kappa, rtol=tolerance)
    assert strand.energy(model, data) < 1e-6 * EI * kappa**2 * LENGTH
    radius = np.linalg.norm(one.nodes - [0, 0, -1 / kappa], axis=1)  # about y: it bends downwards
    np.testing.assert_allclose(radius * kappa, 1, atol=5e-3)


def test_added_twist_turns_into_torque_between_fixed_ends() -> None:
    model, data = built(end="mocap")
    rate = 2.5  # rad/m
    strand.set_material(model, data, rest_twist=rate)
    mujoco.mj_step(model, data, 5)
    one = strand.profile(model, data)
    np.testing.assert_allclose(one.torque, -GJ * rate, rtol=1e-3)


def test_factors_are_read_back_and_belong_to_one_data() -> None:
    model, data = built()
    other, copied = mujoco.MjData(model), copy.copy(data)
    mujoco.mj_forward(model, other)
    strand.set_material(model, data, EI=3.0, GJ=0.5)
    np.testing.assert_allclose(rod(model, data).EI, 3 * EI)
    np.testing.assert_allclose(rod(model, data).GJ, 0.5 * GJ)
    for unchanged in (other, copied):
        np.testing.assert_allclose(rod(model, unchanged).EI, EI)
    assert rod(model, copy.copy(data)).EI == rod(model, data).EI
    strand.set_material(model, data, EI=1.0, GJ=1.0)
    assert rod(model, data).EI == rod(model, other).EI


def test_rest_is_straight_unless_changed() -> None:
    model, data = built()
    assert rod(model, data).rest_straight
    strand.set_material(model, data, curvature=[0, 1e-3])
    assert not rod(model, data).rest_straight
    strand.set_material(model, data, rest_twist=1e-3, curvature=[0, 0])
    assert not rod(model, data).rest_straight


@pytest.mark.parametrize(
    ("numbers", "words"),
    [
        ({"EI": 0.0}, "EI: got 0.0, allowed"),
        ({"EI": -1.0}, "EI"),
        ({"GJ": np.inf}, "GJ"),
        ({"GJ": np.nan}, "GJ"),
        ({"rest_twist": np.nan}, "rest_twist"),
        ({"curvature": [np.inf, 0]}, "curvature"),
        ({"curvature": 3.0}, "curvature"),
        ({"cable": "other"}, "cable"),
    ],
)
def test_invalid_numbers_change_nothing(numbers: dict, words: str) -> None:
    model, data = built()
    strand.set_material(model, data, EI=2.0)
    with pytest.raises(StrandError, match=words):
        strand.set_material(model, data, **numbers)
    assert strand.material(model, data) == (2.0, 1.0, 0.0, (0.0, 0.0), 1.0)
    mujoco.mj_step(model, data, 10)
    assert np.isfinite(data.qpos).all()


@needs_discrete  # without it, the armature depends on EI
@pytest.mark.parametrize("pieces", ["none", 6])
def test_a_factor_is_as_another_stiffness_in_the_model(pieces: object) -> None:
    """Bitwise, also the joint stiffness that stabilises."""
    options = dict(radius=0.003, start="fixed", damping=1e-5, timestep=1e-3, pieces=pieces)
    # Otherwise the stiffness decides when cuts open, and how much damping a tension needs.
    options |= {"max_tension": 1e3, "whip_damping": 0}
    nodes, ends = strand.straight(LENGTH, LINKS), []
    for EI_factor, GJ_factor in ((1, 1), (2, 0.5)):
        cable = Cable(nodes, EI=EI_factor * EI, GJ=GJ_factor * GJ, **options)
        model = mujoco.MjModel.from_xml_string(strand.generate(cable))
        data = mujoco.MjData(model)
        if EI_factor == 1:
            strand.set_material(model, data, EI=2, GJ=0.5)
        mujoco.mj_step(model, data, 300)
        ends.append((data.qpos.copy(), model.jnt_stiffness.copy()))
    for changed, built_so in zip(*ends, strict=True):
        np.testing.assert_array_equal(changed, built_so)


@pytest.mark.parametrize("integrator", ["implicitfast", "Euler", DISCRETE])
def test_what_stabilises_rises_with_the_stiffness_and_never_falls(integrator: str) -> None:
    cable = Cable(
        strand.straight(LENGTH, LINKS),
        EI=EI,
        GJ=GJ,
        radius=0.003,
        start="fixed",
        integrator=integrator,
        timestep=2e-3,
    )
    model = mujoco.MjModel.from_xml_string(strand.generate(cable))
    data = mujoco.MjData(model)
    stiffness, armature = model.jnt_stiffness.copy(), model.dof_armature.copy()
    raised = 30 * armature if integrator != "discrete" else armature
    for factor in (30.0, 1.0):
        strand.set_material(model, data, EI=factor)
        np.testing.assert_allclose(model.jnt_stiffness, 30 * stiffness, rtol=1e-12)
        np.testing.assert_allclose(model.dof_armature, raised, rtol=1e-12)
        mujoco.mj_step(model, data, 500)
        assert not data.warning.number.any()


def from_file(model: mujoco.MjModel, folder: Path) -> mujoco.MjModel:
    mujoco.mj_saveModel(model, str(folder / "cable.mjb"), None)
    return mujoco.MjModel.from_binary_path(str(folder / "cable.mjb"))


COPIES = {
    "copy": lambda model, folder: copy.copy(model),
    "deepcopy": lambda model, folder: copy.deepcopy(model),
    "pickle": lambda model, folder: pickle.loads(pickle.dumps(model)),
    "file": from_file,
}


@pytest.mark.parametrize("copied", COPIES.values(), ids=COPIES)
def test_copies_of_a_model_know_its_own_values(
    copied: Callable[[mujoco.MjModel, Path], mujoco.MjModel], tmp_path: Path
) -> None:
    """Factors do not multiply from copy to copy."""
    model, data = built(integrator="implicitfast", loss_time=0.1)
    fields = ("jnt_stiffness", "dof_armature", "dof_damping")
    own = [getattr(model, name).copy() for name in fields]
    for factor, damping in ((3.0, 0.0), (7.0, 2.0), (7.0, 0.3)):
        strand.set_material(model, data, EI=factor)
        strand.set_damping(model, data, damping)
        model = copied(model, tmp_path)
        data = mujoco.MjData(model)
        strand.set_material(model, data, EI=factor)
        strand.set_damping(model, data, damping)
        wanted = [factor * own[0], factor * own[1], damping * own[2]]
        for name, values in zip(fields, wanted, strict=True):
            np.testing.assert_array_equal(getattr(model, name), values)


def test_joints_with_limits_keep_these() -> None:
    model, data = built(loss_time=0.1)
    model.jnt_limited[3], model.jnt_range[3] = 1, [0, 2]
    limit = [getattr(model, f"jnt_{name}").copy() for name in ("margin", "solref", "solimp")]
    own = model.jnt_stiffness.copy(), model.dof_damping.copy()
    for factor in (2.0, 5.0, 5.0):
        strand.set_material(model, data, EI=factor)
        strand.set_damping(model, data, factor)
    np.testing.assert_array_equal(model.jnt_stiffness, 5 * own[0])
    np.testing.assert_array_equal(model.dof_damping, 5 * own[1])
    for name, values in zip(("margin", "solref", "solimp"), limit, strict=True):
        np.testing.assert_array_equal(getattr(model, f"jnt_{name}")[3], values[3])


@pytest.mark.parametrize("integrator", ["implicitfast", DISCRETE])
def test_a_state_in_another_model_is_stabilised_by_a_call_without_changes(integrator: str) -> None:
    model, data = built(integrator=integrator)
    strand.set_material(model, data, EI=5.0, GJ=5.0)
    mujoco.mj_step(model, data, 50)
    kind = mujoco.mjtState.mjSTATE_INTEGRATION
    state = np.empty(mujoco.mj_stateSize(model, kind))
    mujoco.mj_getState(model, data, state, kind)
    other, into = built(integrator=integrator)
    mujoco.mj_setState(other, into, state, kind)
    strand.set_material(other, into)
    for pair in ((model, data), (other, into)):
        mujoco.mj_step(*pair, 200)
    np.testing.assert_array_equal(into.qpos, data.qpos)


def test_an_invalid_state_is_not_used_and_is_said(engine_warnings: list[str]) -> None:
    model, data = built()
    strand.set_material(model, data, EI=2.0)
    data.plugin_state[-4 - 2 * LINKS] = -3.0
    mujoco.mj_step(model, data, 5)
    assert rod(model, data).EI[0] == pytest.approx(2 * EI)
    (warning,) = engine_warnings
    assert "cable_rod" in warning and "got '-3" in warning
    engine_warnings.clear()
    mujoco.mj_resetData(model, data)
    assert rod(model, data).EI[0] == pytest.approx(EI)


def moving(model: mujoco.MjModel) -> mujoco.MjData:
    """Released bent, with a change of the material."""
    data = mujoco.MjData(model)
    data.qvel[:] = np.random.default_rng(3).normal(size=model.nv)
    strand.set_material(model, data, EI=3.0, GJ=0.3, rest_twist=2.0, curvature=[0.5, -0.2])
    mujoco.mj_step(model, data, 50)
    return data


@pytest.mark.parametrize("pieces", ["none", pytest.param(6, marks=needs_discrete)])
def test_copies_and_set_states_carry_the_change(pieces: object) -> None:
    model, _ = built(pieces=pieces)
    data = moving(model)
    copied, state_set = copy.copy(data), mujoco.MjData(model)
    kind = mujoco.mjtState.mjSTATE_INTEGRATION
    state = np.empty(mujoco.mj_stateSize(model, kind))
    mujoco.mj_getState(model, data, state, kind)
    mujoco.mj_setState(model, state_set, state, kind)
    assert strand.material(model, state_set) == strand.material(model, data)
    for each in (data, copied, state_set):
        mujoco.mj_step(model, each, 200)
    for other in (copied, state_set):
        np.testing.assert_array_equal(other.qpos, data.qpos)
        np.testing.assert_array_equal(other.plugin_state, data.plugin_state)
    mujoco.mj_resetData(model, data)
    assert strand.material(model, data) == (1.0, 1.0, 0.0, (0.0, 0.0), 1.0)
    np.testing.assert_allclose(rod(model, data).EI, EI)


def test_rollouts_have_materials_of_their_own() -> None:
    """Worlds that differ in EI alone."""
    rollout = pytest.importorskip("mujoco.rollout")
    model, _ = built(gravity=(0, 0, -9.81), loss_time=0.02)
    strand.set_material(model, mujoco.MjData(model), EI=4.0)  # raises the stabiliser
    kind = mujoco.mjtState.mjSTATE_FULLPHYSICS
    factors, steps, starts, wanted = (0.5, 1.0, 4.0), 100, [], []
    for factor in factors:
        data = mujoco.MjData(model)
        strand.set_material(model, data, EI=factor)
        start = np.empty(mujoco.mj_stateSize(model, kind))
        mujoco.mj_getState(model, data, start, kind)
        starts.append(start)
        mujoco.mj_step(model, data, steps)
        wanted.append(data.qpos.copy())
    states, _ = rollout.rollout(model, mujoco.MjData(model), np.array(starts), nstep=steps)
    for world, qpos in zip(states[:, -1], wanted, strict=True):
        np.testing.assert_array_equal(world[1 : 1 + model.nq], qpos)
    assert np.abs(wanted[0] - wanted[2]).max() > 0.01


@needs_discrete
@pytest.mark.parametrize("young", [5e6, 1e9])
@pytest.mark.parametrize("factor", [0.1, 10.0, 100.0])
def test_stiffness_may_change_in_flight(young: float, factor: float) -> None:
    """At 10 ms with 100 links, cut into pieces."""
    cable = Cable(strand.straight(1, 100), radius=0.004, young=young, poisson=0.4, start="fixed",
                  timestep=0.01)  # fmt: skip
    model = mujoco.MjModel.from_xml_string(strand.generate(cable, stage=True))
    data = mujoco.MjData(model)
    mujoco.mj_step(model, data, 50)
    strand.set_material(model, data, EI=factor, GJ=factor)
    mujoco.mj_step(model, data, 400)
    assert not data.warning.number.any() and data.time == pytest.approx(4.5)


@pytest.mark.parametrize("curvature", ["angle", "smooth"])
def test_stiffness_of_every_joint(curvature: str) -> None:
    """A couple bends each joint by its own stiffness, also with the terms of its neighbours."""
    model, data = built(loss_time=0.3, curvature=curvature, pieces="none")
    joints = len(strand.profile(model, data).joint_arclength)
    factors = 1 + 0.5 * np.sin(np.linspace(0, 4, joints))
    strand.set_material(model, data, EI=factors, GJ=2.0)
    now = strand.material(model, data)
    np.testing.assert_array_equal(now.EI, factors)
    assert now.GJ == 2.0
    end, moment = model.body(f"cable_link{LINKS - 1}").id, EI * 1.5
    for k in range(round(8 / model.opt.timestep)):
        along = data.xmat[end].reshape(3, 3)
        data.xfrc_applied[end, 3:] = along @ [0, moment * min(1, k * model.opt.timestep), 0]
        mujoco.mj_step(model, data)
    one = strand.profile(model, data)
    np.testing.assert_allclose(
        one.curvature, moment / (EI * factors), rtol=5e-3 if curvature == "angle" else 1e-2
    )
    other = copy.copy(data)
    mujoco.mj_step(model, other, 5)
    mujoco.mj_step(model, data, 5)
    np.testing.assert_array_equal(other.qpos, data.qpos)


@pytest.mark.parametrize(
    ("factors", "words"),
    [
        ([1.0, 2.0], "factors of EI: got '2 numbers', allowed: 1, or one per joint: 24"),
        ([1.0] * 23 + [-1.0], "EI: got"),
        ([], "EI: got"),
        ([[1.0]], "EI: got"),
    ],
)
def test_bad_factors_of_joints(factors: list, words: str) -> None:
    model, data = built()
    with pytest.raises(StrandError, match=words):
        strand.set_material(model, data, EI=factors)
    assert strand.material(model, data).EI == 1.0


def decay_rate(model: mujoco.MjModel, data: mujoco.MjData) -> float:
    """Of the first mode (1/s), after a force at the tip is taken away."""
    mujoco.mj_resetData(model, data)
    data.xfrc_applied[model.body(f"cable_link{LINKS - 1}").id, 2] = 0.1
    mujoco.mj_step(model, data, round(2 / model.opt.timestep))
    data.xfrc_applied[:] = 0
    heights = []
    for _ in range(round(1 / model.opt.timestep)):
        mujoco.mj_step(model, data)
        heights.append(data.site(f"cable_node{LINKS}").xpos[2])
    peaks = [k for k in range(1, len(heights) - 1) if max(heights[k - 1 : k + 2]) == heights[k]]
    first, last = peaks[0], peaks[3]
    return np.log(heights[first] / heights[last]) / ((last - first) * model.opt.timestep)


@pytest.mark.parametrize("pieces", ["none", pytest.param(6, marks=needs_discrete)])
def test_damping_changes_in_proportion(pieces: object) -> None:
    """The first mode's decay is tau omega^2 / 2, of which a loss time of one step is that of the
    time steps and does not change."""
    stiff, tau, density, step = 0.4, 4e-3, 1000.0, 5e-4  # N m^2, s, kg/m^3, s
    model, data = built(
        pieces=pieces, loss_time=tau, EI=stiff, GJ=stiff, density=density, timestep=step
    )
    squared = 3.5160**2 * stiff / (density * np.pi * 0.003**2 * LENGTH**4)
    rates = []
    for factor in (1.0, 2.0, 0.0, 1.0):
        strand.set_damping(model, data, factor)
        rates.append(decay_rate(model, data))
    assert rates[3] == rates[0]
    assert rates[0] == pytest.approx(tau * squared / 2, rel=0.05)
    assert rates[1] - rates[0] == pytest.approx((tau - step) * squared / 2, rel=0.03)
    assert rates[0] - rates[2] == pytest.approx((tau - step) * squared / 2, rel=0.03)


def test_damping_of_one_cable_and_bad_factors() -> None:
    spec = mujoco.MjSpec()
    for prefix, y in (("a_", 0), ("b_", 0.2)):
        nodes = strand.straight(LENGTH, LINKS)
        cable = Cable(nodes, EI=EI, GJ=GJ, radius=0.003, damping=1e-5, prefix=prefix)
        strand.attach(spec, cable, pos=(0, y, 0.5))
    model = spec.compile()
    data = mujoco.MjData(model)
    before = model.dof_damping.copy()
    strand.set_damping(model, data, 3.0, cable="b_rod")
    changed = model.dof_damping != before
    bodies = {model.body(model.dof_bodyid[k]).name[:2] for k in np.flatnonzero(changed)}
    assert bodies == {"b_"}
    np.testing.assert_allclose(model.dof_damping[changed], 3 * before[changed])
    after = model.dof_damping.copy()
    for factor in (-1.0, np.nan, "much"):
        with pytest.raises(StrandError, match=r"factor: got .*, allowed: .*>= 0"):
            strand.set_damping(model, data, factor)
    np.testing.assert_array_equal(model.dof_damping, after)
    with pytest.raises(StrandError, match="c_rod"):
        strand.set_damping(model, data, 1.0, cable="c_rod")
