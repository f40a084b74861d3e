"""Forces between links and at the ends, checked with Newton's and Euler's laws link by link."""

import dataclasses
import re

import mujoco
import numpy as np
import pytest
from support import cables, differences, mjcf, newton, shapes, touch
from support.engine import DISCRETE, needs_pieces
from support.mjcf import Chain, Piece

import strand

G = 9.81
BIT = mujoco.mjtDisableBit
LINKS = 10
TIES = "".join(f'<connect body1="rod{k}" body2="rod{k + 1}" anchor="{{l}} 0 0"/>' for k in (3, 6))


@dataclasses.dataclass
class Scene:
    pieces: list[Piece]
    ties: str = ""
    world: str = ""
    plug: bool = False
    between: int = 0
    hung: int = 0
    closed: bool = False
    floats: bool = False
    keys: dict = dataclasses.field(default_factory=dict)

    def load(self) -> tuple[mujoco.MjModel, mujoco.MjData]:
        n = LINKS
        shape = shapes.ring(n) if self.closed else shapes.walk(n, seed=8)
        keys = {"EI": "0.9 0.4", "GJ": "0.5", "twist": "dynamic"}
        chain = Chain(shape, keys | self.keys, self.pieces)
        chain.between, chain.hung, chain.radius = self.between, self.hung, 0.03
        ties = f"<equality>{self.ties.format(l=1 / n, last=n - 1)}</equality>"
        option = {"gravity": f"0 0 -{G}", "tolerance": "1e-15", "iterations": "200"}
        text = mjcf.document(chain, option=option, extra=ties, density=1e5)
        text = text.replace('<body name="rod_hung', '<body gravcomp="0.3" name="rod_hung')
        if self.floats:
            text = re.sub(r'(<body [^>]*name="rod\d")', r'\1 gravcomp="0.6"', text)
        text = text.replace("<worldbody>", "<worldbody>" + self.world, 1)
        if self.plug:
            text = re.sub('(<body [^>]*name="rod9"[^>]*>)', rf"\1{PLUG}", text)
        model = mujoco.MjModel.from_xml_string(text)
        return model, mujoco.MjData(model)


def whole(root: int, base: str = "free") -> list[Piece]:
    return [Piece(0, LINKS, root, base)]


def pieces() -> list[Piece]:
    return [Piece(0, 4, 1), Piece(4, 7, 6), Piece(7, LINKS, 8)]


TIE = '<connect body1="rod0" body2="rod1" anchor="{l} 0 0"/>'
TIE_AT_END = '<connect body1="rod9" body2="rod8" anchor="0 0 0"/>'
WELD = '<weld body1="rod{last}" relpose="0.4 0.5 0.2 0.8 0.3 -0.5 0.1" torquescale="0.3"/>'
PLUG = (
    '<body pos="0.1 0 0"><joint type="ball"/><geom size="0.03" pos="0.01 0.02 0.03"/>'
    '<site name="socket" euler="0.2 0.3 0.1"/></body>'
)
SITES = '<site name="vice" euler="0.4 0 1"/><site name="socket" euler="2 1 1"/>'
PINS = '<connect body1="rod0" anchor="0 0 0"/><connect body1="rod9" anchor="0.1 0 0"/>'
RING = '<connect body1="rod0" body2="rod{last}" anchor="0 0 0"/>'
SCENES = {
    "free, root at the start": Scene(whole(0)),
    "free, root at the end": Scene(whole(9)),
    "free, root inside": Scene(whole(4)),
    "fixed at the start": Scene(whole(0, "fixed")),
    "held by a mocap body at the end": Scene(whole(9, "mocap")),
    "at a hand": Scene(whole(0, "hand")),
    "at a hand, end welded": Scene(whole(0, "hand"), WELD),
    "end welded, root inside": Scene(whole(5), WELD),
    "foreign bodies between": Scene(whole(4), between=2),
    "foreign bodies hung": Scene(whole(4), hung=3),
    "three trees": Scene(pieces(), TIES),
    "one link tied on at the start": Scene([Piece(0, 1, 0), Piece(1, LINKS, 4)], TIE),
    "one link tied on at the end": Scene([Piece(0, 9, 4), Piece(9, LINKS, 9)], TIE_AT_END),
    "three trees, end welded": Scene(pieces(), TIES + WELD),
    "pinned and clamped": Scene(
        whole(4), PINS, SITES, keys={"clamp_start": "vice", "clamp_end": "socket"}
    ),
    "a plug clamped to the end": Scene(whole(0, "fixed"), plug=True, keys={"clamp_end": "socket"}),
    "compensated weight": Scene(whole(0, "fixed"), floats=True),
    "compensated weight, three trees, end welded": Scene(pieces(), TIES + WELD, floats=True),
    "ring": Scene(whole(3), RING, closed=True, keys={"closed": "true"}),
}


@pytest.mark.parametrize("name", SCENES)
@pytest.mark.parametrize("passive", (True, False), ids=("rod", "chain"))
def test_newtons_law_link_by_link(name: str, passive: bool) -> None:
    """The momentum of every link changes according to the forces and moments on it, in violent
    motion.

    This also holds with passive forces off, so that the cable is a plain chain.
    """
    model, data = SCENES[name].load()
    rng = np.random.default_rng(5)
    differences.disturb(model, data, seed=4, size=0.2)
    data.qvel[:] = rng.normal(size=model.nv)
    data.xfrc_applied[1:] = rng.normal(size=(model.nbody - 1, 6))
    links = [model.body(f"rod{k}").id for k in range(LINKS)]
    # All forces on an end link count as those of its holder, because they cannot be separated.
    data.xfrc_applied[[links[0], links[-1]]] = 0
    if not passive:
        model.opt.disableflags |= int(BIT.mjDSBL_SPRING | BIT.mjDSBL_DAMPER)
    mujoco.mj_forward(model, data)
    found = strand.profile(model, data)
    if not passive:
        found = dataclasses.replace(found, moment=0 * found.moment)
    left = newton.residuals(model, data, links, found)
    size = np.abs(found.force).max()
    assert size > 1
    assert left == pytest.approx(np.zeros_like(left), abs=1e-5 * size)


def test_a_floor_holds_an_end() -> None:
    # Without friction, which would creep for minutes.
    fields = {"start": "fixed", "damping": 1e-3, "condim": 1}
    described = strand.Cable(strand.straight(0.6, 12), 0.02, 0.01, **fields)
    model, data = cables.load(described, '<geom type="plane" size="2 2 1" pos="0 0 -0.1"/>')
    cables.settle(model, data)
    found = strand.profile(model, data)
    assert [model.body(b).name for b in model.geom_bodyid[data.contact.geom2]] == ["cable_link11"]
    push = np.empty(6)
    mujoco.mj_contactForce(model, data, 0, push)
    assert found.end_force[2] == pytest.approx(push[0], rel=1e-6)
    weight = G * model.body_mass.sum()
    assert 0.1 * weight < push[0] < 0.5 * weight
    assert found.start_force + found.end_force == pytest.approx([0, 0, weight], abs=1e-4 * weight)


@needs_pieces
@pytest.mark.parametrize("pieces", [2, 3])
@pytest.mark.parametrize("links", [4, 5, 6, 7])
@pytest.mark.parametrize("ends", [("fixed", "mocap"), ("mocap", "free"), ("free", "mocap")])
def test_supports_carry_the_weight_of_a_few_links_in_pieces(
    ends: tuple[str, str], links: int, pieces: int
) -> None:
    fields = {"start": ends[0], "end": ends[1], "pieces": pieces, "loss_time": 0.5}
    model, data = cables.load(strand.Cable(strand.straight(0.3, links), 0.02, 0.01, **fields))
    cables.settle(model, data)
    found = strand.profile(model, data)
    weight = G * model.body_mass.sum()
    assert found.start_force + found.end_force == pytest.approx([0, 0, weight], abs=1e-4 * weight)


@pytest.mark.parametrize("start", ["fixed", "mocap"])
def test_a_support_carries_what_gravity_compensation_leaves(start: str) -> None:
    line = np.linspace([0, 0, 0], [0, 0, -0.5], LINKS + 1)
    spec = touch.scene("implicitfast", 1e-3)
    strand.attach(spec, strand.Cable(line, 0.02, 0.01, start=start, damping=1e-3))
    for body in spec.bodies:
        body.gravcomp = 0.7 if "link" in body.name else 0
    model, data = touch.start(spec)
    cables.run(model, data, 0.5)
    found = strand.profile(model, data)
    wanted = 0.3 * G * model.body_mass.sum()
    assert found.start_force == pytest.approx([0, 0, wanted], abs=1e-3 * wanted)
    assert found.end_force == pytest.approx([0, 0, 0], abs=1e-3 * wanted)


def test_a_ring_has_no_ends() -> None:
    model, data = SCENES["ring"].load()
    found = strand.profile(model, data)
    assert found.closed
    assert len(found.twist) == LINKS
    assert found.joint_arclength[-1] == pytest.approx(1.0)
    for value in (found.start_force, found.start_moment, found.end_force, found.end_moment):
        assert np.isnan(value).all()
    assert np.isfinite(found.tension).all()
    assert np.array_equal(found.force[0], found.force[-1])


MOTOR = '<actuator><general site="cable_site_end" gear="1 0 0 0 0 0"/></actuator></mujoco>'
TENDON = (
    '<tendon><spatial stiffness="9"><site site="cable_site_end"/><site site="peg"/></spatial>'
    "</tendon></mujoco>"
)


@pytest.mark.parametrize("hidden", ("density", "viscosity", "motor", "tendon"))
def test_forces_that_mujoco_does_not_report_are_not_guessed(hidden: str) -> None:
    described = strand.Cable(strand.straight(1, 5), 0.02, 0.01, start="fixed")
    text = described.to_mjcf()
    if hidden == "motor":
        text = text.replace("</mujoco>", MOTOR)
    if hidden == "tendon":
        text = text.replace("<worldbody>", '<worldbody><site name="peg"/>', 1)
        text = text.replace("</mujoco>", TENDON)
    model = mujoco.MjModel.from_xml_string(text)
    if hidden in ("density", "viscosity"):
        setattr(model.opt, hidden, 1.2)
    found = strand.profile(model, mujoco.MjData(model))
    assert np.isnan(found.tension).all()
    assert np.isnan(found.start_force).all() and np.isnan(found.end_moment).all()
    assert np.isfinite(found.moment).all()


@pytest.mark.parametrize("integrator", [DISCRETE, "implicitfast", "Euler"])
@pytest.mark.parametrize("side", ("start", "end"))
def test_a_hand_that_lifts_bears_the_weight(integrator: str, side: str) -> None:
    # MuJoCo sees the hand stop after each step: held against the state there, the cable would push.
    line = np.linspace([0, 0, 0], [0, 0, -0.6], LINKS + 1)
    described = strand.Cable(
        line if side == "start" else line[::-1], 0.02, 0.01, damping=1e-3, **{side: "mocap"}
    )
    spec = touch.scene(integrator, 1e-3)
    strand.attach(spec, described)
    model, data = touch.start(spec)
    weight, along = G * model.body_mass.sum(), np.linspace(0, 1, LINKS + 1)
    for _ in range(round(3 / model.opt.timestep)):
        data.mocap_pos[0, 2] += 0.1 * model.opt.timestep * min(1, data.time)
        mujoco.mj_step(model, data)
    found = strand.profile(model, data)
    below = 1 - along if side == "start" else along
    assert found.tension == pytest.approx(weight * below, abs=1e-3 * weight)
    held = found.start_force if side == "start" else found.end_force
    assert held == pytest.approx([0, 0, weight], abs=1e-3 * weight)
    # A state that has been changed is read as it is: the hand that jumps pulls.
    data.qpos[:] = model.qpos0
    jumped = strand.profile(model, data)
    assert np.linalg.norm(jumped.force, axis=1).max() > 10 * weight
