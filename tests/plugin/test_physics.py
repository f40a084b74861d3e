"""A cable in a scene: it unwinds, carries twist and exerts no net wrench on its carrier."""

import re

import mujoco
import numpy as np
import pytest
from support import cables, differences, mjcf, shapes
from support.engine import BEST, DISCRETE, needs_discrete
from support.mjcf import Chain, Piece

import strand

MODES = ("quasistatic", "dynamic")
every_mode = pytest.mark.parametrize("mode", MODES)


def turn_hand(model: mujoco.MjModel, data: mujoco.MjData, turns: float, steps: int = 16) -> None:
    """Turns the mocap body about its x axis while every link stays in place."""
    timestep, model.opt.timestep = model.opt.timestep, 1e-12
    address = differences.link_joint(model, "cable_link0")
    for _ in range(steps * abs(turns)):
        angle = 2 * np.pi * np.sign(turns) / steps
        differences.spin(data.mocap_quat[0], angle)
        differences.spin(data.qpos[address : address + 4], -angle)
        data.qvel[:] = 0
        mujoco.mj_step(model, data)
    data.qvel[:] = 0
    model.opt.timestep = timestep
    mujoco.mj_forward(model, data)


@pytest.mark.parametrize("turns", (1, -3))
@every_mode
def test_a_cantilever_twisted_at_its_root_unwinds(mode: str, turns: int) -> None:
    L, links, EI, GJ = 0.5, 10, 0.1, 0.008
    described = strand.Cable(strand.straight(L, links), EI, GJ, start="fixed", damping=1e-3)
    described.keys = {"twist": mode}
    scene = mujoco.MjSpec()
    scene.option.integrator, scene.option.gravity = BEST, [0] * 3
    scene.worldbody.add_body(name="hand", mocap=True)
    strand.attach(scene, described, "hand")
    model = scene.compile()
    data = mujoco.MjData(model)
    turn_hand(model, data, turns)
    wound = strand.readout(model, data)
    assert wound.twist == pytest.approx(-2 * np.pi * turns, rel=1e-9)
    assert wound.energy > 0.1
    cables.settle(model, data, seconds=60, speed=1e-8)
    rest = strand.readout(model, data)
    assert abs(rest.twist) < 1e-6
    assert rest.energy < 1e-12
    assert np.abs(rest.end_couple).max() < 1e-8
    assert data.site("cable_site_end").xpos == pytest.approx([L, 0, 0], abs=1e-6)


def held_chains(n: int, twist: str) -> list[Chain]:
    keys = {"EI": "0.9 0.4", "GJ": "0.5", "twist": twist, "rest_twist": "2.0"}
    held_at = {"start": 0, "inside": n // 2, "end": n - 1}
    shape = shapes.walk(n, seed=8)
    return [Chain(shape, keys, [Piece(0, n, root, "hand")]) for root in held_at.values()]


PLUGIN = '<extension>.*</extension>|<plugin plugin="strand.cable" instance="rod" />'
SPRING = 'stiffness="3" damping="0.2" springref="0.1" '


@pytest.mark.parametrize("held", (0, 1, 2))
@every_mode
def test_no_wrench_on_the_hand(mode: str, held: int) -> None:
    """Forces on a robot's own joints are bitwise those without the plugin."""
    n = 17
    text = mjcf.document(held_chains(n, mode)[held])
    for kind in ("slide", "hinge"):
        text = text.replace(f'<joint type="{kind}"', f'<joint {SPRING}type="{kind}"')
    model = mujoco.MjModel.from_xml_string(text)
    plain = mujoco.MjModel.from_xml_string(re.sub(PLUGIN, "", text))
    data, other = mujoco.MjData(model), mujoco.MjData(plain)
    # Twist a link that is not the one in the hand.
    differences.wind(model, data, f"rod{n - 1 if held < 2 else 0}", 2)
    differences.disturb(model, data, seed=4, size=0.3)
    data.qvel[:] = 0.1
    other.qpos[:], other.qvel[:] = data.qpos, data.qvel
    mujoco.mj_forward(model, data)
    mujoco.mj_forward(plain, other)
    hand = slice(0, 6)
    assert model.dof_jntid[5] == 5
    assert np.array_equal(data.qfrc_passive[hand], other.qfrc_passive[hand])
    assert np.abs(other.qfrc_passive[hand]).min() > 0
    assert np.abs(data.qfrc_passive[6:] - other.qfrc_passive[6:]).max() > 1


@every_mode
def test_no_wrench_on_a_floating_cable(mode: str) -> None:
    chain = Chain(shapes.walk(9, seed=3), {"EI": "0.9 0.4", "GJ": "0.5", "twist": mode})
    model = mjcf.compiled(chain)
    data = mujoco.MjData(model)
    differences.disturb(model, data, seed=4, size=0.5)
    torque = differences.torque(model, data)
    assert np.array_equal(torque[:6], np.zeros(6))
    assert np.abs(torque[6:]).max() > 0.1


def six_turns(mode: str, root: str, timestep: float = 0.004) -> tuple[float, strand.Readout]:
    """The moment in theory, and the readout after six turns of one end in six seconds.

    Below buckling (Greenhill: |M| < 2 pi EI / L) the moment is GJ times the twist per length.
    """
    L, links, EI, GJ = 1.0, 10, 0.2, 0.02
    described = strand.Cable(strand.straight(L, links), EI, GJ, start="fixed", end="mocap")
    described.gravity, described.keys, described.root = (0, 0, 0), {"twist": mode}, root
    described.integrator, described.damping, described.timestep = "discrete", 0.02, timestep
    model, data = cables.load(described)
    turns, per_turn = 6, round(1 / timestep)
    for step in range(turns * per_turn + 2 * per_turn):
        if step < turns * per_turn:
            differences.spin(data.mocap_quat[0], 2 * np.pi / per_turn)
        mujoco.mj_step(model, data)
    mujoco.mj_forward(model, data)
    return GJ * 2 * np.pi * turns / L, strand.readout(model, data)


@needs_discrete
@pytest.mark.parametrize("root", ("end", "middle"))
@every_mode
def test_six_turns_through_a_driven_end(mode: str, root: str) -> None:
    moment, result = six_turns(mode, root)
    assert result.twist == pytest.approx(2 * np.pi * 6, rel=1e-3)
    assert -result.end_couple[0] == pytest.approx(moment, rel=0.01)
    assert result.start_couple == pytest.approx(-result.end_couple, rel=0.01, abs=0.01 * moment)
    assert np.abs(result.end_couple[1:]).max() < 0.01 * moment
    assert result.bend_energy < 1e-6 * result.twist_energy


def test_holds_keep_twist_in_one_half() -> None:
    n, middle = 13, 6
    keys = {"EI": "0.7", "GJ": "0.5", "holds": f"rod{middle}"}
    model = mjcf.compiled(Chain(shapes.straight(n), keys))
    data = mujoco.MjData(model)
    differences.wind(model, data, f"rod{n - 1}", 2)
    twists = data.plugin_state[: n - 1]
    assert twists[:middle] == pytest.approx(0, abs=1e-12)
    assert twists[middle:] == pytest.approx(4 * np.pi / (n - 1 - middle), rel=1e-9)
    result = strand.readout(model, data)
    l_joints = (n - 1 - middle) / n
    assert result.start_couple == pytest.approx(0, abs=1e-12)
    assert -result.end_couple[0] == pytest.approx(0.5 * 4 * np.pi / l_joints, rel=1e-9)
    torque = differences.torque(model, data)
    carried = np.array([torque[model.body(f"rod{k}").dofadr[0]] for k in range(1, n)])
    assert carried[: middle - 1] == pytest.approx(0, abs=1e-12)
    assert np.abs(carried[middle:]).min() > 1


def test_without_holds_the_whole_rod_twists() -> None:
    n = 13
    model = mjcf.compiled(Chain(shapes.straight(n), {"EI": "0.7", "GJ": "0.5"}))
    data = mujoco.MjData(model)
    differences.wind(model, data, f"rod{n - 1}", 2)
    assert data.plugin_state[: n - 1] == pytest.approx(4 * np.pi / (n - 1), rel=1e-9)


@pytest.mark.parametrize("joint", ("ball", "hinges"))
@pytest.mark.parametrize("base", ("free", "hand"))
@every_mode
def test_joint_stiffness_is_cancelled(mode: str, base: str, joint: str) -> None:
    n = 12
    shape = shapes.walk(n, seed=6)
    keys = {"EI": "0.9 0.4", "GJ": "0.5", "twist": mode}
    pieces = [Piece(0, n, n // 2, base)]
    plain = mjcf.compiled(Chain(shape, keys, pieces, joint=joint))
    stabilized = mjcf.compiled(
        Chain(shape, keys | {"stabilizer": "joint_stiffness"}, pieces, joint=joint, stiffness=20.0)
    )
    kept = mjcf.compiled(Chain(shape, keys, pieces, joint=joint, stiffness=20.0))
    for seed in range(4):
        torques = []
        for model in (plain, stabilized, kept):
            data = mujoco.MjData(model)
            differences.disturb(model, data, seed, size=0.5)
            torques.append(differences.torque(model, data))
            springs = model.opt.disableflags
            model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_SPRING
            torques.append(differences.torque(model, data))
            model.opt.disableflags = springs
        reference, scale = torques[0], np.abs(torques[4]).max()
        for index in (1, 2, 3, 5):
            assert np.abs(torques[index] - reference).max() < 1e-14 * scale
        # A user's own springs are never cancelled.
        assert np.abs(torques[4] - reference).max() > 1


@needs_discrete
def test_joint_stiffness_is_cancelled_beside_a_tendon() -> None:
    torques = []
    for integrator in ("implicitfast", "discrete"):
        cable = strand.Cable(
            strand.straight(1.0, 12), EI=0.5, GJ=0.4, start="fixed", integrator=integrator
        )
        spec = mujoco.MjSpec.from_string(cable.to_mjcf())
        tendon = spec.add_tendon(stiffness=[30.0, 0, 0], springlength=[0.2, 0.2])
        tendon.wrap_site("cable_site_start")
        tendon.wrap_site("cable_site_end")
        model = spec.compile()
        data = mujoco.MjData(model)
        differences.disturb(model, data, seed=3, size=0.5)
        torques.append(differences.torque(model, data))
    assert np.abs(torques[0]).max() > 1
    assert torques[1] == pytest.approx(torques[0], rel=1e-12, abs=1e-12)


INTEGRATORS = ("Euler", "implicitfast", DISCRETE)


def stiff_cable(integrator: str, timestep: float, relaxation: float) -> strand.Cable:
    """E = 1 GPa, r = 3 mm, L = 1 m, 50 links, clamped and released from the horizontal."""
    E, r, links = 1e9, 0.003, 50
    EI = E * np.pi * r**4 / 4
    described = strand.Cable(strand.straight(1.0, links), EI, EI / 1.5, radius=r, density=1100)
    described.start, described.integrator, described.timestep = "fixed", integrator, timestep
    described.damping = relaxation * EI * links
    return described


def hanging_shape(integrator: str, timestep: float) -> np.ndarray:
    model, data = cables.load(stiff_cable(integrator, timestep, relaxation=0.3))
    cables.run(model, data, 4.0)
    assert np.abs(data.qvel).max() < 1e-3
    return np.vstack([data.xpos[cables.link_bodies(model)], data.site("cable_site_end").xpos])


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_large_steps_come_to_the_same_rest(integrator: str) -> None:
    coarse, fine = hanging_shape(integrator, 0.01), hanging_shape(integrator, 0.001)
    assert np.abs(coarse - fine).max() < 1e-4
    assert fine[-1, 2] < -0.3


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_large_steps_are_stable_without_damping(integrator: str) -> None:
    model, data = cables.load(stiff_cable(integrator, 0.01, relaxation=0.0))
    tip = []
    for _ in range(300):
        mujoco.mj_step(model, data)
        tip.append(data.site("cable_site_end").xpos.copy())
    heights = np.array(tip)[:, 2]
    assert heights.min() < -0.4
    assert heights.max() < 0.05
    assert strand.energy(model, data) < model.body_mass.sum() * 9.81 * 1.0
    assert np.abs(data.qvel).max() < 100


@every_mode
def test_energy_of_an_arc_bent_out_of_a_straight_rod(mode: str) -> None:
    """E = EI angle^2 / 2 L over the length between the middles of the end links."""
    links, L, angle, EI = 40, 1.0, 1.5, 0.3
    described = strand.Cable(strand.arc(L, angle, links), EI, EI)
    described.keys = {"rest": "straight", "twist": mode, "curvature": "angle"}
    model, data = cables.load(described)
    expected = EI * angle**2 / (2 * L) * (links - 1) / links
    assert strand.energy(model, data) == pytest.approx(expected, rel=1e-12)
    result = strand.readout(model, data)
    assert np.linalg.norm(result.end_couple) == pytest.approx(EI * angle / L, rel=1e-9)
    assert result.start_couple == pytest.approx(-result.end_couple, rel=1e-9)


SWINGING = {
    "stiff": {"nodes": strand.arc(0.3, 1.0, 10), "young": 1e9},
    "soft": {"nodes": strand.arc(0.3, 1.0, 10), "young": 1e6},
    "short": {"nodes": strand.arc(0.02, 1.5, 4), "young": 1e9},
    "two links": {"nodes": strand.arc(0.1, 1.0, 2), "young": 1e9},
    "long": {"nodes": strand.arc(1.0, 1.0, 40), "young": 1e8},
    "thin": {"nodes": strand.arc(3.0, 1.0, 40), "young": 1e10, "radius": 0.001},
}


@needs_discrete
def hung(ends: str, **fields) -> tuple[strand.Cable, mujoco.MjModel]:
    """A cable on ball joints, or tied by `pin` to sites of the world, at one or both ends."""
    kind, *other = ends.split()
    fields |= {"start": kind, "end": other[0] if other else "free"}
    nodes, scene = fields["nodes"], mujoco.MjSpec()
    for side, node in (("start", nodes[0]), ("end", nodes[-1])):
        scene.worldbody.add_site(name=f"hook_{side}", pos=node)
        if fields[side] == "pin":
            fields[f"{side}_to"] = f"hook_{side}"
    fields = {"radius": 0.004, "density": 1000.0, "poisson": 0.4, "collide": False} | fields
    described = strand.Cable(**fields)
    strand.attach(scene, described)
    return described, scene.compile()


@pytest.mark.parametrize("ends", ("ball", "pin", "pin pin"))
@pytest.mark.parametrize("name", SWINGING)
def test_a_cable_that_swings_gains_no_energy(name: str, ends: str) -> None:
    """It also spins about itself, fast, since it is not straight."""
    described, model = hung(ends, **SWINGING[name])
    data = mujoco.MjData(model)
    model.opt.enableflags |= int(mujoco.mjtEnableBit.mjENBL_ENERGY)

    def energy() -> float:
        mujoco.mj_forward(model, data)
        return float(data.energy.sum()) + strand.energy(model, data)

    start, mass = energy(), model.body_mass.sum()
    scale = mass * 9.81 * np.linalg.norm(described.nodes[-1]) / 2
    while data.time < 10:
        mujoco.mj_step(model, data, 100)
        assert energy() < start + 0.05 * scale
    assert not data.warning.number.any()


def test_a_straight_cable_swings_for_seconds() -> None:
    """In a plane, the damping of the ball joint takes 2 % of the energy in a second."""
    described = strand.Cable(
        strand.straight(0.5, 16), radius=0.004, density=1000.0, young=1e9, poisson=0.4,
        start="ball", collide=False,
    )  # fmt: skip
    model, data = cables.load(described)
    lowest, highest = 0.0, -1.0
    while data.time < 1.4:
        mujoco.mj_step(model, data)
        tip = data.body("cable_link15").xpos[2]
        lowest = min(lowest, tip)
        if data.time > 0.7:
            highest = max(highest, tip)
    assert lowest < -0.45
    assert highest > -0.05


def mean_fall(described: strand.Cable, density: float) -> float:
    """Mean acceleration (m/s^2) of a free fall of .1 s in a fluid of this density (kg/m^3)."""
    model = mujoco.MjModel.from_xml_string(strand.generate(described))
    model.opt.density, model.opt.gravity[:] = density, [0, 0, -9.81]
    data = mujoco.MjData(model)
    mujoco.mj_step(model, data, round(0.1 / model.opt.timestep))
    mujoco.mj_forward(model, data)
    mujoco.mj_subtreeVel(model, data)
    return data.subtree_linvel[0, 2] / data.time


@pytest.mark.parametrize("radius", (0.0015, 0.005))
def test_bodies_of_points_have_no_drag_of_their_own(radius: float) -> None:
    """Those that close a ring or bear a branch: MuJoCo's drag is that of a box with the body's mass
    and inertia, however small these are."""
    common = dict(radius=radius, density=1100.0, young=1e7, poisson=0.4)
    line = strand.straight(1.2, 48)
    ring = strand.Cable(strand.ring(1.2 / (2 * np.pi), 48), closed=True, **common)
    arm = strand.Branch(strand.Cable(strand.straight(0.3, 12), **common), "arm", at=0.6, angle=1.0)
    for described in (ring, strand.Cable(line, branches=[arm], **common)):
        alone = -9.81 - mean_fall(strand.Cable(line, **common), 1.2)
        assert -9.81 - mean_fall(described, 1.2) == pytest.approx(alone, rel=0.1)
        assert mean_fall(described, 0.0) == pytest.approx(-9.81, rel=1e-9)
