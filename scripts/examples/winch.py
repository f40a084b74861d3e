"""A winch on a crane lowers a crate by 17 m, puts it down, lifts it again and winds up the rope.

The motor turns the drum, and a joint constraint couples the drum to the slide joint of the rope,
whose position is the length outside. strand.Feeder hands the links over at the mouth of the guide.
"""

import functools
import itertools
from types import SimpleNamespace
from typing import TypeAlias

import mujoco
import numpy as np
from _stage import Run, main, ramp, scene

import strand
from strand import materials

ROPE, LENGTH, LINKS = materials.get("uhmwpe_rope_6mm"), 20.0, 60  # m, 1
UP, DOWN, SLACK = 1.2, 17.0, 0.03  # m: outside at the start; to the floor; paid out beyond that
LOAD, SIZE, SLING = 20.0, (0.3, 0.25, 0.15), 0.3  # kg; m: half of the crate; its ring above it
RADIUS, DRUM = 0.16, 15.0  # m: of the drum at the axis of the rope, which is wound in one layer; kg
LINK = LENGTH / LINKS  # m: length of the guide, which holds the link at the mouth
MOUTH = DOWN + UP + SLING + 2 * SIZE[2]  # m: height
AXLE = MOUTH + LINK  # m: height; there the rope leaves the drum
WIDE = 2.1 * ROPE.radius  # m: of a turn on the drum
TURNS = int(LENGTH / (2 * np.pi * RADIUS)) + 1
EDGE = WIDE * (TURNS + 1) / 2  # m: half the width of the drum
MAST = -1.6  # m: its place
YELLOW, BLUE = ".95 .75 .2 1", ".15 .35 .65 1"
GRAVITY, STEP = 9.81, 0.002  # m/s^2, s
#: Begin, end (s), length that is fed (m): down to the floor, slack, taut, up.
MOVES = ((0.5, 5.5, DOWN), (5.5, 6.5, SLACK), (6.5, 10.5, -SLACK), (10.5, 15.5, -DOWN))
GUST = 2.0  # N: on the crate, until it is lowered
STIFFNESS, DAMPING = 2000.0, 60.0  # N m/rad, N m s/rad: of the motor's controller
SECONDS, CAMERA = 16.0, ((-0.3, -0.15, 18.6), 2.25, 145, -62)

Place: TypeAlias = tuple[float, float, float]


def bar(begin: Place, end: Place, radius: float, rgba: str = ".2 .22 .25 1") -> str:
    place = " ".join(f"{x:.4g}" for x in (*begin, *end))
    return f'<geom class="show" type="capsule" size="{radius}" fromto="{place}" rgba="{rgba}"/>'


def slings() -> str:
    """From the upper corners of the crate to its ring."""
    signs = itertools.product((-1, 1), repeat=2)
    return "".join(bar((a * SIZE[0], b * SIZE[1], -SLING), (0, 0, 0), 0.006) for a, b in signs)


def turns() -> str:
    """Rings on the drum, of which as many are drawn as the rope has turns there."""
    places = WIDE * (np.arange(TURNS) - (TURNS - 1) / 2)
    return "".join(
        f'<geom class="show" name="turn{k}" type="mesh" mesh="turn" pos="0 {y} 0" zaxis="0 1 0"'
        f' rgba="{BLUE}"/>'
        for k, y in enumerate(places)
    )


def crane() -> str:
    """A lattice from the floor, two beams that carry the drum, and the guide of the rope."""
    corners = [(MAST + a, b) for a, b in ((-0.3, -0.3), (0.3, -0.3), (0.3, 0.3), (-0.3, 0.3))]
    bars = [bar((*at, 0), (*at, AXLE), 0.03, YELLOW) for at in corners]
    for low, high in itertools.pairwise(np.linspace(0, AXLE, 16)):
        for one, other in itertools.pairwise([*corners, corners[0]]):
            bars += [bar((*one, high), (*other, high), 0.015, YELLOW)]
            bars += [bar((*one, low), (*other, high), 0.015, YELLOW)]
    left, right, hook = EDGE + 0.05, -EDGE - 0.05, AXLE - 0.05
    bars += [bar((MAST - 0.3, y, AXLE), (0.1, y, AXLE), 0.03, YELLOW) for y in (left, right)]
    guide = bar((0, 0, AXLE - 0.02), (0, 0, MOUTH + 0.02), 0.018)
    return "".join([*bars, guide, bar((0, left, hook), (0, right, hook), 0.012)])


SCENE = f"""
<mujoco>
  <visual><global fovy="60"/><map znear=".002"/></visual>
  <default>
    <default class="show"><geom contype="0" conaffinity="0" density="0"/></default>
  </default>
  <asset>
    <mesh name="turn" builtin="supertorus" params="48 {ROPE.radius / RADIUS} 1 1"
          scale="{RADIUS} {RADIUS} {RADIUS}"/>
  </asset>
  <worldbody>
    {crane()}
    <geom class="show" type="cylinder" size=".8 .004" pos="0 0 .004" rgba=".93 .46 .13 1"/>
    <geom class="show" type="cylinder" size=".6 .005" pos="0 0 .005" rgba=".93 .93 .93 1"/>
    <body name="drum" pos="{-RADIUS} 0 {AXLE}">
      <joint name="drum" axis="0 1 0"/>
      <geom class="show" type="cylinder" size="{RADIUS - ROPE.radius} {EDGE}" zaxis="0 1 0"
            mass="{DRUM}" rgba=".6 .63 .67 1"/>
      <geom class="show" type="cylinder" size="{RADIUS + 0.05} .006" zaxis="0 1 0"
            pos="0 {EDGE} 0" rgba=".2 .22 .25 1"/>
      <geom class="show" type="cylinder" size="{RADIUS + 0.05} .006" zaxis="0 1 0"
            pos="0 {-EDGE} 0" rgba=".2 .22 .25 1"/>
      {turns()}
      <geom class="show" type="box" size="{RADIUS} {EDGE + 0.008} .02" rgba=".93 .46 .13 1"/>
      <geom class="show" type="cylinder" size=".03 {EDGE + 0.08}" zaxis="0 1 0"
            rgba=".6 .63 .67 1"/>
    </body>
    <body name="load" pos="0 0 {MOUTH - UP}">
      <freejoint/>
      <geom type="box" size="{SIZE[0]} {SIZE[1]} {SIZE[2]}" pos="0 0 {-SLING - SIZE[2]}"
            mass="{LOAD}" rgba=".80 .58 .36 1"/>
      <site name="base" type="box" size="{SIZE[0] + 0.01} {SIZE[1] + 0.01} .01" rgba="0 0 0 0"
            pos="0 0 {-SLING - 2 * SIZE[2]}"/>
      {slings()}
    </body>
  </worldbody>
  <equality>
    <joint name="winding" joint1="drum" joint2="cable_feed" polycoef="0 {1 / RADIUS} 0 0 0"
           solref="{-40 / STEP**2} {-1 / STEP}" solimp=".9999 .9999 .001 .5 2"/>
  </equality>
  <actuator><motor name="motor" joint="drum"/></actuator>
  <sensor>
    <jointpos name="outside" joint="cable_feed"/>
    <jointvel name="speed" joint="cable_feed"/>
    <force name="mouth" site="mouth"/>
    <jointvel name="drum" joint="drum"/>
    <actuatorfrc name="torque" actuator="motor"/>
    <touch name="floor" site="base"/>
    <framepos name="load" objtype="xbody" objname="load"/>
    <e_potential name="potential"/>
  </sensor>
</mujoco>
"""


def build() -> mujoco.MjModel:
    spec = scene(SCENE, timestep=STEP)
    spec.material("tiles").texrepeat = 0.3, 0.3  # larger ones, since they are far away
    rope = strand.Cable(
        strand.straight(LENGTH, LINKS),
        material=ROPE.name,
        quat=(np.sqrt(0.5), 0, np.sqrt(0.5), 0),  # straight down
        start="feed",
        fed=UP,
        end="pin",
        end_to="load",
        self_contact=False,
        rgba=[float(x) for x in BLUE.split()],
    )
    strand.attach(spec, rope, pos=(0, 0, MOUTH))
    spec.body("cable_reel").add_site(name="mouth", rgba=(0, 0, 0, 0))
    return spec.compile()


@functools.cache
def feeding(model: mujoco.MjModel, data: mujoco.MjData) -> SimpleNamespace:
    """The feeder, and the time of its last call."""
    return SimpleNamespace(feeder=strand.Feeder(model, data), time=data.time)


def feed(model: mujoco.MjModel, data: mujoco.MjData) -> float:
    """Feeds by what the last step moved, or by a reset. Returns the length outside (m)."""
    state = feeding(model, data)
    step = state.feeder.update if data.time > state.time else state.feeder.prepare
    step()
    state.time = data.time
    return state.feeder.length


def drive(model: mujoco.MjModel, data: mujoco.MjData) -> None:
    outside, drum, now = feed(model, data), data.joint("drum"), data.time
    angle = sum(length * ramp(now, begin, end) for begin, end, length in MOVES) / RADIUS
    hold = GRAVITY * (LOAD + ROPE.mass_per_length * UP) * RADIUS
    data.actuator("motor").ctrl = STIFFNESS * (angle - drum.qpos[0]) - DAMPING * drum.qvel[0] - hold
    data.body("load").xfrc_applied[0] = GUST * (now < MOVES[0][0])
    wound = (LENGTH - outside) / (2 * np.pi * RADIUS)
    first = model.geom("turn0").id
    model.geom_rgba[first : first + TURNS, 3] = np.arange(TURNS) < wound


def sensed(run: Run, name: str) -> np.ndarray:
    """A sensor's values in all steps."""
    sensor = run.model.sensor(name)
    return run.sensors[:, sensor.adr[0] : sensor.adr[0] + sensor.dim[0]].squeeze()


def during(run: Run, move: int) -> np.ndarray:
    """True in the steps in which this is done."""
    begin, end, _ = MOVES[move]
    return (run.times > begin) & (run.times <= end)


def hangs(run: Run, move: int) -> np.ndarray:
    """True in those of them in which nothing touches the floor."""
    return during(run, move) & (sensed(run, "floor") == 0)


def tension(run: Run) -> np.ndarray:
    """Of the rope at the mouth (N), in all steps: what holds the reel, less the weight of what is
    inside, which is that of the reel."""
    inside = ROPE.mass_per_length * (LENGTH - sensed(run, "outside"))
    return sensed(run, "mouth")[:, 2] - GRAVITY * inside


def carried(run: Run) -> np.ndarray:
    """Weight (N) of rope outside and load, and what accelerates them, if they move as one."""
    acceleration = np.diff(sensed(run, "speed"), append=np.nan) / STEP
    outside = ROPE.mass_per_length * sensed(run, "outside")
    return (outside + LOAD) * (GRAVITY - acceleration)


def mismatch(run: Run, move: int) -> float:
    """Largest relative difference of the two."""
    off = tension(run) / carried(run) - 1
    return float(np.nanmax(np.abs(off[hangs(run, move)]), initial=0))


def slack(run: Run) -> float:
    """Tension at the mouth (N) when the rope is slack."""
    found = tension(run)[during(run, 2)]
    return float(found[len(found) // 2]) if len(found) else np.nan


def lifting(run: Run) -> tuple[float, float]:
    """Work of the motor (J) from the slack rope to the end, and what weights gain by it."""
    since = run.times[1:] > MOVES[2][0]
    speed, torque = sensed(run, "drum"), sensed(run, "torque")
    turned = (speed[1:] + speed[:-1]) / 2 * STEP
    work = (torque[:-1] * turned)[since].sum()
    gained = np.diff(sensed(run, "potential"))[since].sum()
    return float(work), float(gained)


def rope_mass(run: Run) -> float:
    """Mass (kg) of what is outside and inside."""
    return float(run.model.body_mass.sum() - LOAD - DRUM)


def report(run: Run) -> str:
    work, gained = lifting(run)
    load = sensed(run, "load")
    return (
        f"lowered by {load[0, 2] - load[:, 2].min():.2f} m, {sensed(run, 'outside')[-1]:.2f} m"
        f" outside; tension at the mouth against weights: {mismatch(run, 0):.2%} off going down,"
        f" {mismatch(run, 3):.1%} going up, {slack(run):.2f} N when slack; the motor's work"
        f" {work:.1f} J, gained {gained:.1f} J; rope {rope_mass(run):.4f} of"
        f" {ROPE.mass_per_length * LENGTH:.4f} kg; the load swings by"
        f" {1e3 * np.hypot(*load[:, :2].T).max():.0f} mm"
    )


if __name__ == "__main__":
    main()
