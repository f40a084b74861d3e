"""Friction on slopes, between fingers and on drums, with the recipe's cone and impratio."""

import mujoco
import numpy as np
import pytest
from support.touch import FLOOR, RUBBER, STICKY, each_recipe, scene, start, steps

import strand

pytestmark = pytest.mark.slow


@each_recipe
@pytest.mark.parametrize("radius", (0.001, 0.006))
def test_a_cable_slides_down_a_slope_from_mu_on(
    integrator: str, timestep: float, radius: float
) -> None:
    mu, seconds = 0.5, 1.0
    for ratio, slides in ((0.98, False), (1.02, True)):
        angle = np.arctan(mu * ratio)
        gravity = f"{9.81 * np.sin(angle)} 0 {-9.81 * np.cos(angle)}"
        spec = scene(integrator, timestep, FLOOR, gravity, STICKY)
        cable = strand.Cable(strand.straight(0.5, 20), friction=mu, radius=radius, **RUBBER)
        strand.attach(spec, cable, pos=(0, 0, radius))
        model, data = start(spec)
        mujoco.mj_step(model, data, len(steps(model, seconds)))
        way = data.site("cable_node10").xpos[0] - 0.25
        expected = 0.5 * 9.81 * (np.sin(angle) - mu * np.cos(angle)) * seconds**2
        # Before the first contact it falls, and slides, for a step.
        assert way == pytest.approx(expected if slides else 0, abs=4e-3)
        speed = np.linalg.norm(data.qvel[:3])
        assert speed > 0.05 if slides else speed < 1e-3


@each_recipe
def test_a_cable_stays_on_a_steep_slope(integrator: str, timestep: float) -> None:
    """It reaches 1 m/s, and accelerates as a body with its friction does."""
    mu, angle, radius = 0.5, 0.6, 0.004
    gravity = f"{9.81 * np.sin(angle)} 0 {-9.81 * np.cos(angle)}"
    spec = scene(integrator, timestep, FLOOR, gravity, STICKY)
    cable = strand.Cable(strand.straight(0.5, 20), friction=mu, radius=radius, **RUBBER)
    strand.attach(spec, cable, pos=(0, 0, radius))
    model, data = start(spec)
    speeds, highest = [], 0.0
    for _ in steps(model, 0.6):
        mujoco.mj_step(model, data)
        mujoco.mj_subtreeVel(model, data)
        speeds.append(data.subtree_linvel[0, 0])
        highest = max(highest, data.xipos[1:, 2].max())
    first = len(speeds) // 3
    acceleration = (speeds[-1] - speeds[first]) / (timestep * (len(speeds) - 1 - first))
    expected = 9.81 * (np.sin(angle) - mu * np.cos(angle))
    assert acceleration == pytest.approx(expected, rel=0.01)
    assert highest < 1.01 * radius


@each_recipe
@pytest.mark.parametrize("condim", [3, 6])
def test_a_cable_without_friction_slides_freely(
    integrator: str, timestep: float, condim: int
) -> None:
    """With MuJoCo's default cone, which is pyramidal."""
    angle, seconds = 0.2, 0.5
    gravity = f"{9.81 * np.sin(angle)} 0 {-9.81 * np.cos(angle)}"
    spec = scene(integrator, timestep, FLOOR, gravity)
    contact = {"friction": 0, "condim": condim}
    cable = strand.Cable(strand.straight(0.5, 20), radius=0.004, **contact, **RUBBER)
    strand.attach(spec, cable, pos=(0, 0, 0.02), quat=(0.99, 0, -0.1, 0.03))
    model, data = start(spec)
    mujoco.mj_step(model, data, len(steps(model, seconds)))
    mujoco.mj_forward(model, data)
    mujoco.mj_subtreeVel(model, data)
    speed = 9.81 * np.sin(angle) * seconds
    assert data.subtree_linvel[0, 0] == pytest.approx(speed, rel=1e-3)
    assert not data.warning.number.any()


FINGERS = """
  <body name="palm" pos="0 0 {height}"><joint name="lift" type="slide" axis="0 0 1" damping="20"/>
    <geom type="box" size=".025 .06 .015" pos="0 0 .08" mass=".5"/>
    <body pos="0 {apart} 0"><joint name="left" type="slide" axis="0 -1 0" damping="5"/>
      <geom type="box" size=".012 .008 .05" mass=".1"/></body>
    <body pos="0 -{apart} 0"><joint name="right" type="slide" axis="0 1 0" damping="5"/>
      <geom type="box" size=".012 .008 .05" mass=".1"/></body>
  </body>"""


@each_recipe
@pytest.mark.parametrize(("radius", "grip"), [(0.001, 2.0), (0.001, 15.0), (0.006, 4.0)])
def test_two_fingers_hold_a_cable(
    integrator: str, timestep: float, radius: float, grip: float
) -> None:
    fingers = FINGERS.format(height=0.05 + radius, apart=0.013 + radius)
    spec = scene(integrator, timestep, FLOOR + fingers, option=STICKY)
    for name in ("left", "right", "lift"):
        actuator = spec.add_actuator(name=name, target=name, trntype=mujoco.mjtTrn.mjTRN_JOINT)
        if name == "lift":
            actuator.set_to_position(kp=3000, dampratio=1)
    cable = strand.Cable(strand.straight(0.6, 40), radius=radius, **RUBBER)
    strand.attach(spec, cable, pos=(-0.3 + 0.3 / 40, 0, radius))
    model, data = start(spec)
    places = {}
    for step in steps(model, 5.0):
        closing, lifting = np.clip([(data.time - 0.2) / 0.5, data.time - 1.0], 0, 1)
        data.actuator("left").ctrl = data.actuator("right").ctrl = grip * closing
        data.actuator("lift").ctrl = 0.2 * lifting
        mujoco.mj_step(model, data)
        places[step] = data.site("cable_node20").xpos - data.body("palm").xpos
    last = max(places)
    per_second = round(1 / timestep)
    creep = np.linalg.norm(places[last] - places[last - 2 * per_second]) / 2
    assert creep < 1e-4
    assert np.linalg.norm(places[last] - places[per_second - 1]) < 5e-4
    for side in ("left", "right"):  # as wide as the cable allows
        assert data.joint(side).qpos[0] == pytest.approx(0.005, abs=0.15 * radius)
    assert data.warning.number.sum() == 0


def over_a_drum(
    turn: float, links: int, radius: float, cable_radius: float, tail: int = 6, lead: int = 6
) -> np.ndarray:
    """Nodes (n + 1, 3): `tail` straight links, `links` around a drum along y, `lead` straight
    links.

    More than half a turn is a helix, which the straight parts continue.
    """
    away = radius + cable_radius
    angles = np.linspace(0, turn, links + 1)
    pitch = 2.5 * cable_radius * turn / (2 * np.pi) if turn > np.pi else 0
    arc = away / np.cos(turn / links / 2) * np.stack([np.sin(angles), np.cos(angles)])
    arc = np.stack([arc[0], pitch * angles / turn, arc[1]], axis=1)
    slope = pitch / (turn * away)
    first, last = [-1, -slope, 0], [np.cos(turn), slope, -np.sin(turn)]
    link = turn * away / links
    before = arc[0] + link * np.outer(np.arange(tail, 0, -1), first)
    return np.concatenate([before, arc, arc[-1] + link * np.outer(np.arange(1, lead + 1), last)])


def on_rails(name: str, nodes: np.ndarray, mass: float = 0.01) -> str:
    """A body at the first node that slides along the end of the cable. (A round cable whose end is
    free to turn would roll along the drum.)"""
    place, axis = (" ".join(map(str, v)) for v in (nodes[0], nodes[0] - nodes[1]))
    return f"""<body name="{name}" pos="{place}"><joint name="{name}" type="slide" axis="{axis}"/>
      <geom size=".005" mass="{mass}" contype="0" conaffinity="0"/></body>"""


@each_recipe
@pytest.mark.parametrize(
    ("turn", "mu", "holds"),
    [(np.pi, 0.2, 0.97), (np.pi, 0.5, 0.97), (2 * np.pi, 0.2, 0.97), (2 * np.pi, 0.5, 0.94)],
)
def test_a_drum_follows_the_capstan_equation(
    integrator: str, timestep: float, turn: float, mu: float, holds: float
) -> None:
    """T2 / T1 = exp(mu turn R / (R + r)): friction acts on the surface, tension at the axis.

    Straight links hold a little less: at mu turn = pi 2.5 % with links of 9 degrees (statically),
    1.2 % with half of that.
    """
    drum = '<geom type="cylinder" size=".1 .2" quat="1 1 0 0"/>'
    nodes = over_a_drum(turn, round(20 * turn / np.pi), 0.1, 0.003)
    ends = on_rails("tail", nodes) + on_rails("lead", nodes[::-1])
    spec = scene(integrator, timestep, drum + ends, "0 0 0", STICKY)
    tail, expected = 2.0, np.exp(mu * turn * 0.1 / 0.103)
    held = {"start": "weld", "start_to": "tail", "end": "weld", "end_to": "lead"}
    options = {"rest": "straight", "max_tension": 1.1 * tail * expected} | held | RUBBER
    strand.attach(spec, strand.Cable(nodes, radius=0.003, friction=mu, **options))
    model, data = start(spec)
    data.joint("tail").qfrc_applied = tail

    def pull(ratio: float) -> float:
        """Steps once with the lead pulled harder than the tail by `ratio`. Returns the position of
        the tail (m)."""
        data.joint("lead").qfrc_applied = tail * ratio
        mujoco.mj_step(model, data)
        return -data.joint("tail").qpos[0]

    for _ in steps(model, 1.5):
        begin = pull(1 + (holds * expected - 1) * min(1.0, data.time))
    assert abs(begin) < 1e-3
    for _ in steps(model, 0.5):
        kept = pull(holds * expected)
    assert (kept - begin) / 0.5 < 1e-3
    for _ in steps(model, 1.0):
        if pull((holds + (1.03 - holds) * (data.time - 2.0)) * expected) > kept + 5e-3:
            break
    assert data.time < 2.0 + 1.0 - 2 * timestep  # it slides before the pull is 3 % too high
    assert data.warning.number.sum() == 0


@each_recipe
@pytest.mark.parametrize(("ratio", "slides"), [(0.95, False), (1.05, True)])
def test_a_soft_rope_hangs_over_a_bar(
    integrator: str, timestep: float, ratio: float, slides: bool
) -> None:
    """Without damping its links rattle, which reduces the friction force by a fifth.

    dT/dphi = mu (T + w R (sin phi)) + w R cos phi, with w the weight per length and R the distance
    to the axis.
    """
    mu, bar, radius, tail, around = 0.3, 0.05, 0.001, 15, 16
    axis = bar + radius
    mu_axis = mu * bar / axis
    grip, link = np.exp(mu_axis * np.pi), np.pi * axis / around
    most = grip * tail * link + axis * 2 * mu_axis / (1 + mu_axis**2) * (grip + 1)
    lead = (np.floor if ratio < 1 else np.ceil)(ratio * most / link).astype(int)
    nodes = over_a_drum(np.pi, around, bar, radius, tail, lead)
    drum = f'<geom type="cylinder" size="{bar} .1" quat="1 1 0 0"/>'
    spec = scene(integrator, timestep, drum, "-9.81 0 0", STICKY)
    rope = strand.Cable(
        nodes, radius=radius, friction=mu, rest="straight", young=3e5, shear=1e5, density=1000
    )
    strand.attach(spec, rope)
    model, data = start(spec)
    mujoco.mj_step(model, data, len(steps(model, 0.5)))
    way = data.site("cable_site_start").xpos[0] + tail * link
    assert (way > 0.01) if slides else abs(way) < 1e-3
    assert data.warning.number.sum() == 0


@each_recipe
@pytest.mark.parametrize("radius", (0.003, 0.006))
@pytest.mark.parametrize(("speed", "within"), [(0.03, 0.05), (0.1, 0.1)])
def test_a_rope_slides_over_a_bar(
    integrator: str, timestep: float, radius: float, speed: float, within: float
) -> None:
    """A rope that lifts half a kilogram over a bar pulls exp(mu pi R / (R + r)) times as hard.

    Its links cannot all touch the bar at once. Where contacts stiffen too soon, they hop, and it
    slides at two thirds of that exponent.
    """
    mu, bar, tail, seconds = 0.4, 0.06, 5.0, 1.0
    nodes = over_a_drum(np.pi, 20, bar, radius, tail=int(speed * seconds / 0.01) + 3)
    ends = on_rails("tail", nodes, mass=0.5) + on_rails("lead", nodes[::-1], mass=1)
    drum = f'<geom type="cylinder" size="{bar} .1" quat="1 1 0 0"/>'
    spec = scene(integrator, timestep, drum + ends, "0 0 0", STICKY)
    held = {"start": "weld", "start_to": "tail", "end": "weld", "end_to": "lead"}
    rope = {"young": 1e6, "poisson": 0.45, "density": 1200, "max_tension": 40, "rest": "straight"}
    strand.attach(spec, strand.Cable(nodes, radius=radius, friction=mu, **held, **rope))
    winch = spec.add_actuator(target="lead", trntype=mujoco.mjtTrn.mjTRN_JOINT)
    winch.set_to_velocity(kv=1e4)
    model, data = start(spec)
    forces = []
    for _ in steps(model, 0.2 + seconds):
        data.joint("tail").qfrc_applied = tail * min(1, data.time / 0.1)
        data.ctrl[0] = speed * np.clip((data.time - 0.1) / 0.1, 0, 1)
        mujoco.mj_step(model, data)
        if data.time > 0.5:
            forces.append(data.actuator_force[0])
    assert data.warning.number.sum() == 0
    exponent = np.log(np.mean(forces) / tail) / (mu * np.pi * bar / (bar + radius))
    assert exponent == pytest.approx(1, abs=within)
