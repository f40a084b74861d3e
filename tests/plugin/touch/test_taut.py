"""Cables under tension: stable, held at their ends, with the frequency of a string."""

import mujoco
import numpy as np
import pytest
from support.engine import needs_pieces
from support.touch import STICKY, UPRIGHT, each_recipe, scene, start, steps

import strand

FREE, SLIDING = "<freejoint/>", '<joint type="slide" axis="0 0 1"/>'
WEIGHT = """<body name="weight" pos="0 0 1">{joint}
  <geom type="box" size=".05 .05 .05" pos="0 0 -.06" mass="{mass}"/></body>"""
#: how far (m) a weight of 10 kg may hang below the end of a cable of 1 mm, with steps of 2 ms
GIVE = {"discrete": 3e-4, "implicitfast": 3e-3}


def hung(
    integrator: str, timestep: float, radius: float, young: float, mass: float, joint: str = FREE
) -> tuple[mujoco.MjModel, mujoco.MjData]:
    """A weight on 1 m of cable."""
    spec = scene(integrator, timestep, WEIGHT.format(mass=mass, joint=joint))
    cable = strand.Cable(
        strand.straight(1.0, 40),
        young=young,
        poisson=0.3,
        radius=radius,
        density=1100,
        start="fixed",
        end="weld",
        end_to="weight",
        collide=False,
    )
    recipe = strand.attach(spec, cable, pos=(0, 0, 2), quat=UPRIGHT)
    assert recipe.max_tension >= mass * 9.81
    return start(spec)


@each_recipe
@pytest.mark.parametrize("mass", (1.0, 10.0, 50.0))
@pytest.mark.parametrize(
    ("radius", "young"), [(0.0005, 2e11), (0.001, 1e8), (0.002, 2e9), (0.004, 2e11)]
)
def test_a_weight_hangs_and_swings(
    integrator: str,
    timestep: float,
    radius: float,
    young: float,
    mass: float,
    engine_warnings: list[str],
) -> None:
    model, data = hung(integrator, timestep, radius, young, mass)
    middle = model.body("cable_link20").id
    gaps = []
    for _ in steps(model, 1.0):
        data.xfrc_applied[middle, 0] = 0.02 * mass * 9.81 if data.time < 0.2 else 0
        mujoco.mj_step(model, data)
        gaps.append(np.linalg.norm(data.site("cable_node40").xpos - data.body("weight").xpos))
    assert data.warning.number.sum() == 0 and not engine_warnings
    # Links are rigid; the hold yields with the square root of the load, inversely to the radius.
    give = GIVE[integrator] * timestep / 0.002 * 0.001 / radius * np.sqrt(mass / 10)
    assert np.mean(gaps[len(gaps) // 2 :]) < give
    assert np.abs(data.qvel).max() < 100


@each_recipe
def test_the_frequency_of_a_string(integrator: str, timestep: float) -> None:
    """If the step resolves it: f = sqrt(T / m) / 2 L, between a fixed end and a heavy slider."""
    radius, mass, young = 0.004, 8.0, 1e7
    model, data = hung(integrator, timestep, radius, young, mass, SLIDING)
    middle = model.body("cable_link20").id
    line = 1100 * np.pi * radius**2
    tension = mass * 9.81 + line * 9.81 / 2
    bending = young * np.pi * radius**4 / 4 / tension  # clamped ends add 2 sqrt(EI / T) / L
    expected = np.sqrt(tension / line) / 2 * (1 + 2 * np.sqrt(bending))
    places = []
    for _ in steps(model, 1.0):
        data.xfrc_applied[middle, 0] = 0.05 if data.time < 0.02 else 0
        mujoco.mj_step(model, data)
        places.append(data.xpos[middle, 0])
    swing = np.array(places[round(0.05 / timestep) :])
    swing -= swing.mean()
    up = np.flatnonzero((swing[:-1] < 0) & (swing[1:] >= 0))
    crossings = up + swing[up] / (swing[up] - swing[up + 1])
    frequency = (len(crossings) - 1) / (crossings[-1] - crossings[0]) / timestep
    assert frequency == pytest.approx(expected, rel=0.01)


@each_recipe
def test_two_arms_that_pull_too_hard(integrator: str, timestep: float) -> None:
    """Two carts are driven apart by 500 N each."""
    carts = "".join(
        f"""<body name="{name}" pos="{x} 0 1"><joint name="{name}" type="slide" axis="1 0 0"/>
          <geom type="box" size=".05 .05 .05" pos="{shift} 0 0" mass="51"/></body>"""
        for name, x, shift in (("left", 0, -0.06), ("right", 1, 0.06))
    )
    spec = scene(integrator, timestep, carts)
    for name in ("left", "right"):
        spec.add_actuator(name=name, target=name, trntype=mujoco.mjtTrn.mjTRN_JOINT)
    cable = strand.Cable(
        strand.straight(1.0, 40),
        young=2e9,
        poisson=0.3,
        radius=0.002,
        start="weld",
        start_to="left",
        end="weld",
        end_to="right",
    )
    strand.attach(spec, cable, pos=(0, 0, 1))
    model, data = start(spec)
    for _ in steps(model, 2.0):
        data.ctrl[:] = np.array([-500, 500]) * min(1.0, data.time)
        mujoco.mj_step(model, data)
    assert data.warning.number.sum() == 0
    apart = data.body("right").xpos[0] - data.body("left").xpos[0]
    assert apart == pytest.approx(1.0, abs=0.01)
    assert np.abs(data.qvel).max() < 5


@needs_pieces
@each_recipe
@pytest.mark.parametrize("links", [12, 20, 40, 80])
@pytest.mark.parametrize("pull, said", [(0.00005, False), (0.001, False), (0.02, True)])
def test_ends_that_are_moved_apart_too_far(
    integrator: str,
    timestep: float,
    links: int,
    pull: float,
    said: bool,
    engine_warnings: list[str],
) -> None:
    """Links do not stretch: cuts give way, before the cable shakes itself apart."""
    cable = strand.Cable(
        strand.straight(1.0, links),
        young=1e8,
        poisson=0.45,
        radius=0.004,
        density=1200,
        start="mocap",
        end="mocap",
    )
    spec = scene(integrator, timestep)
    recipe = strand.attach(spec, cable, pos=(0, 0, 1))
    model, data = start(spec)
    hold = model.equality("cable_hold_end").id
    for _ in steps(model, 2.0):
        data.mocap_pos[-1, 0] = 1 + pull * min(1.0, 2 * data.time)
        mujoco.mj_step(model, data)
        if data.time > 1:
            assert np.abs(data.qvel).max() < 5
    assert [text for text in engine_warnings if "is pulled with" in text] == engine_warnings
    assert len(engine_warnings) == said
    engine_warnings.clear()
    held = data.efc_force[: data.ne][data.efc_id[: data.ne] == hold][:3]
    assert np.linalg.norm(held) < 1.5 * recipe.give_way


@needs_pieces
@each_recipe
def test_a_tight_belt_runs(integrator: str, timestep: float) -> None:
    """A ring of straight links is longer around two pulleys than a circle: its cuts give way."""
    radius, distance, links = 0.06, 0.3, 42
    pulley = """<body name="{name}" pos="{x} 0 0">
      <joint name="{name}" axis="0 1 0" damping="{damping}"/>
      <geom type="cylinder" size="{radius} .03" euler="90 0 0" mass=".5"/></body>"""
    world = "".join(
        pulley.format(name=name, x=x, damping=damping, radius=radius)
        for name, x, damping in (("driver", -distance / 2, 0), ("driven", distance / 2, 0.01))
    )
    spec = scene(integrator, timestep, world, gravity="0 0 0", option=STICKY)
    spec.add_actuator(name="motor", target="driver", trntype=mujoco.mjtTrn.mjTRN_JOINT)
    nodes = belt(radius + 0.0038, distance, links)
    strand.attach(spec, strand.Cable(nodes, radius=0.003, young=1e7, poisson=0.4, closed=True))
    model, data = start(spec)
    speeds = []
    for _ in steps(model, 3.0):
        data.ctrl[0] = 0.5 * (3 * min(1.0, data.time) - data.joint("driver").qvel[0])
        mujoco.mj_step(model, data)
        speeds.append(np.sqrt(np.mean(data.qvel**2)))
    assert data.warning.number.sum() == 0
    assert data.joint("driven").qvel[0] == pytest.approx(data.joint("driver").qvel[0], rel=0.1)
    assert np.mean(speeds[len(speeds) // 2 :]) < 5  # it shakes while it settles, and seldom later


def belt(radius: float, distance: float, links: int) -> np.ndarray:
    """Nodes (m, (links + 1, 3)) on two half circles in the plane xz and the lines between them."""
    length = 2 * (np.pi * radius + distance)
    nodes = []
    for s in np.arange(links + 1) * length / links:
        half, s = divmod(s % length, length / 2)
        if s < distance:
            place = [s - distance / 2, radius]
        else:
            angle = (s - distance) / radius
            place = [distance / 2 + radius * np.sin(angle), radius * np.cos(angle)]
        x, z = place if half == 0 else [-place[0], -place[1]]
        nodes.append([x, 0, z])
    return np.array(nodes)


def test_max_tension_is_an_option() -> None:
    spec = scene("implicitfast", 0.002)
    cable = strand.Cable(strand.straight(1.0, 40), EI=1e-2, GJ=1e-2, max_tension=123.0)
    recipe = strand.attach(spec, cable)
    assert recipe.max_tension == 123
    assert "stable up to 123 N of tension (max_tension)" in str(recipe)


@each_recipe
@pytest.mark.parametrize("end", ["pin", "weld"])
@pytest.mark.parametrize("links", [20, 48])
def test_a_weight_swings_from_the_horizontal(
    integrator: str, timestep: float, links: int, end: str, engine_warnings: list[str]
) -> None:
    """At the bottom three times its weight pulls at the cable."""
    spec = scene(
        integrator,
        timestep,
        '<body name="weight" pos="1.03 0 1"><freejoint/><site name="eye" pos="-.03 0 0"/>'
        '<geom size=".03" mass=".5" contype="0" conaffinity="0"/></body>',
    )
    cable = strand.Cable(
        strand.straight(1.0, links),
        young=1e8,
        poisson=0.4,
        radius=0.002,
        density=1200,
        start="ball",
        end=end,
        end_to="eye",
    )
    strand.attach(spec, cable, pos=(0, 0, 1))
    model, data = start(spec)
    weight = model.body("weight").id
    fastest = 0.0
    for _ in steps(model, 0.8):
        mujoco.mj_step(model, data)
        fastest = max(fastest, float(np.linalg.norm(data.body(weight).cvel[3:])))
        assert np.linalg.norm(data.site("eye").xpos - [0, 0, 1]) < 1.002
    assert fastest == pytest.approx(np.sqrt(2 * 9.81 * 1.03), rel=0.03)
    assert data.warning.number.sum() == 0 and not engine_warnings


@each_recipe
@pytest.mark.parametrize("start_end", ["ball", "pin"])
def test_a_long_tether_swings_in_its_plane(
    integrator: str, timestep: float, start_end: str
) -> None:
    """100 m between two hooks: it may turn about itself, and must not begin to by itself."""
    along = np.linspace(0, 1, 101)
    nodes = np.c_[60 * along, 0 * along, 20 * along - 38 * np.sin(np.pi * along)]
    spec = scene(integrator, timestep)
    spec.worldbody.add_site(name="start", pos=nodes[0])
    spec.worldbody.add_site(name="end", pos=nodes[-1])
    ends = {"start": start_end, "end": "pin", "end_to": "end"}
    ends |= {"start_to": "start"} if start_end == "pin" else {}
    material = {"radius": 0.004, "young": 1e9, "poisson": 0.4, "density": 1200}
    strand.attach(spec, strand.Cable(nodes, rest="straight", collide=False, **material, **ends))
    model, data = start(spec)
    data.qvel[:] = 1e-9 * np.random.default_rng(0).normal(size=model.nv)
    for _ in steps(model, 3):
        mujoco.mj_step(model, data)
    assert np.abs(data.xpos[:, 1]).max() < 1e-7
