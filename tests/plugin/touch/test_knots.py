"""A cable that touches itself: a knot pulled tight, and the plectoneme of a twisted cable.

Both are held only by contacts of light links. The knot uses `max_tension` to announce that its
links press on each other harder than the pull. At 2 ms both need a `loss_time`: the knot against
bursts as it closes, the plectoneme, with `discrete`, as it snaps into place.
"""

import mujoco
import numpy as np
import pytest
from support.touch import RUBBER, STICKY, each_recipe, push, scene, start, steps

import strand
from strand_studies.published import knot

pytestmark = pytest.mark.slow

RADIUS, PULL = 0.003, 20.0
LENGTH = 140 * RADIUS
LINKS = 56  #: 2.5 radii long; at each joint the tight loop turns by about a radian


def pulled(integrator: str, timestep: float, **options) -> tuple[mujoco.MjData, set[int]]:
    """An overhand knot pulled at both ends, and the set of knot determinants that occurred."""
    spec = scene(integrator, timestep, gravity="0 0 0", option=STICKY)
    nodes = knot.start(LINKS) * LENGTH / knot.LENGTH
    cable = strand.Cable(
        nodes,
        radius=RADIUS,
        rest="straight",
        loss_time=0.02,
        max_tension=5 * PULL,
        **RUBBER,
        **options,
    )
    strand.attach(spec, cable)
    model, data = start(spec)
    determinants = set()
    for step in steps(model, 2.0):
        force = np.array([0, 1 + (PULL - 1) * min(1.0, data.time / 1.6), 0])
        push(model, data, "cable_site_start", "cable_link0", -force)
        push(model, data, "cable_site_end", f"cable_link{LINKS - 1}", force)
        mujoco.mj_step(model, data)
        if step % 20 == 0:
            determinants.add(knot.determinant(strand.profile(model, data).nodes))
    return data, determinants


@each_recipe
def test_an_overhand_knot_holds(integrator: str, timestep: float) -> None:
    """It stays a trefoil (determinant 3) while the pull tightens it to a few radii."""
    data, determinants = pulled(integrator, timestep)
    assert determinants == {3}
    assert data.warning.number.sum() == 0
    assert -data.contact.dist.min() < 0.05 * RADIUS
    nodes = strand.profile(data.model, data).nodes
    assert knot.determinant(nodes) == 3
    assert np.ptp(knot.knotted(nodes), axis=0).max() < 13 * RADIUS


def test_without_contact_the_knot_opens() -> None:
    data, determinants = pulled("implicitfast", 0.002, self_contact=False)
    assert determinants == {1, 3}
    assert data.warning.number.sum() == 0


def plectoneme_moment(EI: float, tension: float, radius: float) -> float:
    """Moment (N m) at the ends of a cable when a further turn winds onto a plectoneme, without
    friction.

    Per length, two strands wound at an angle a to the plectoneme's axis bend by sin(a)^2 / r, bring
    the ends together and take up the turn sin(2 a) / 2 r. The moment is the minimum of the work per
    turn: N. Clauvelin, B. Audoly, S. Neukirch, Macromolecules 41 (2008) 4479, without the loop.
    """
    angle = np.linspace(0.01, 0.78, 10001)
    work = tension + EI / 2 * (np.sin(angle) ** 2 / radius) ** 2
    return float((work / (np.sin(2 * angle) / (2 * radius))).min())


@each_recipe
def test_a_plectoneme_has_the_moment_of_theory(integrator: str, timestep: float) -> None:
    radius, links, turns = 0.004, 68, 6
    length = 150 * radius
    EI = RUBBER["young"] * np.pi * radius**4 / 4
    tension = 0.02 * EI / radius**2  # then the strands lie at 19 degrees
    hand = f"""<body name="hand" pos="{length} 0 0">
      <joint type="slide" axis="1 0 0" damping="{0.3 * tension}"/>
      <joint name="turn" axis="1 0 0" armature="1e-3" damping=".1"/>
      <geom type="sphere" size=".001" mass=".02" contype="0" conaffinity="0"/></body>"""
    spec = scene(integrator, timestep, hand, "0 0 0")
    actuator = spec.add_actuator(name="turn", target="turn", trntype=mujoco.mjtTrn.mjTRN_JOINT)
    actuator.set_to_position(kp=50, kv=1)
    cable = strand.Cable(
        strand.straight(length, links),
        radius=radius,
        start="fixed",
        end="weld",
        end_to="hand",
        condim=1,
        loss_time=0.05,
        **RUBBER,
    )
    strand.attach(spec, cable)
    model, data = start(spec)
    middle = model.body(f"cable_link{links // 2}").id
    for _ in steps(model, 4.5):
        # Twisted while slack, with a push from the side, then pulled: a taut cable would not
        # buckle.
        slack = np.clip((data.time - 1.375) / 0.75, 0.05, 1)
        data.body("hand").xfrc_applied[0] = slack * tension
        touch = max(0.0, 1 - abs(data.time / 0.625 - 1))
        data.xfrc_applied[middle, 1] = 0.02 * tension * touch
        data.ctrl[0] = 2 * np.pi * turns * min(1.0, data.time / 1.25)
        mujoco.mj_step(model, data)
    assert data.warning.number.sum() == 0
    state = strand.readout(model, data)
    assert data.qpos[1] - abs(state.twist) > 3 * 2 * np.pi  # wound, not only twisted
    assert data.ncon >= 4 and -data.contact.dist.min() < 0.05 * radius
    expected = plectoneme_moment(EI, tension, radius)
    assert np.abs(state.end_couple[0]) == pytest.approx(expected, rel=0.03)
    assert data.actuator("turn").force[0] == pytest.approx(expected, rel=0.03)
