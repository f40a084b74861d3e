"""A spider of nine rods dropped on a slope (DisMech, section V-A1), with both published settings.

Tilted gravity makes the slope: along x in the original's code, along x = y in the paper. No figures
are published, and the original's two settings end in different places (top at x = .202 and
.108 m).

The path is converged in the time step until .5 s, by Verlet's method. Position of the top, downhill
and up (m), each with the difference between the two shortest steps (1.2e-7 and 2.5e-7 s along x,
2.5e-7 and 5e-7 s along x = y); the midpoint rule agrees to .1 mm at .3 s:

    along x      .3 s: .05104, .03059 (2e-6)  .4 s: .07212, .06090 (3e-6)  .5 s: .0981, .0578 (7e-4)
    along x = y  .3 s: .05133, .03073 (2e-6)  .4 s: .07947, .06034 (1e-5)  .5 s: .0919, .0561 (6e-4)

The rest position depends on the time step, since the motion is chaotic. Without damping, a start
that is 1e-9 m higher leads to a difference of .26 um at .5 s, .13 mm at .6 s, and millimetres from
.7 s on. Long steps of backward Euler damp that growth: there 1e-9 m become 3e-9 m at 2 s. Its rest
positions are reproducible to many digits, but change with the step (along x .08 to .13 m downhill,
along x = y .21 to .25 m). Steps of 1.6e-5 s still lose half the kinetic energy in the impacts until
.3 s: their paths seem to agree, at .157 m after 1 s along x, where the undamped spider is at .25 to
.29 m.

Checks that hold however it lands: it stays in its plane of symmetry, its penetration of the floor
stays small, it only loses energy, and finally the floor carries its weight. With friction that
sticks without creep, its equilibrium is within 3 mm of its position at 2 s, where it still swings.

Joints average energies, which do not depend on the direction in which the nodes of a limb are
numbered. The papers' mean of two frames has no stiffness where the frames are opposite, as between
limbs that are numbered in opposite directions; here `average="curvatures"` subtracts the twist of
the initial frames first.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from strand.draw.report import Report
from strand.simulation import Network, Simulation
from strand_studies.published.figures import ENERGIES, Progress, figure
from strand_studies.published.frames import Frames

LIMB, NODES, RADIUS, HEIGHT = 0.1, 25, 5e-3, 0.1  # m, 1, m, m of the shoulder
YOUNG, DENSITY = 3e6, 1180.0  # Pa, kg/m^3
CODE, PAPER = (1.0, 0.0, -9.8), (0.707, 0.707, -9.8)  # m/s^2
SLOPES = {"along x": CODE, "along x = y": PAPER}
FLOOR, FRICTION = -0.1, 0.4  # m, 1
PUBLISHED_DURATION, DURATION = 2.0, 0.6  # s
DEEPEST, GAIN, CARRIED = 0.2 * RADIUS, 1e-6, 0.02  # m; J: 1e-5 of the energy of the fall; N
SIDES = ((1, 0, 0), (0, 1, 0), (0, -1, 0), (-1, 0, 0))

#: Verlet's steps per ms; tolerance (m) between their paths by time (s).
SHORT, AGREE = (2000, 4000), {0.3: 1e-5, 0.4: 1e-4, 0.5: 1e-3}
MIDPOINT = 256  # steps per ms of the midpoint rule, for comparison
#: The converged top at .3 s, downhill and up (m); steps per ms of a quick run; its tolerance (m).
LANDED, QUICK, MISSES = (0.051043, 0.030587), 250, 2e-4
#: Integrator, steps per ms, and by time (s) the decades a difference grows by, with tolerance.
GROWTH = (
    ("backward_euler", 1, {0.6: (0, 1), 2.0: (0, 1)}),
    ("midpoint", 64, {0.3: (0, 1), 0.5: (2.5, 1), 0.6: (5, 1)}),
)
LIFT = 1e-9  # m, by which the second start is higher
SWINGS = 3e-3  # m, between the position at 2 s and the equilibrium


@dataclass(frozen=True)
class Setting:
    dt: float  #: s
    tolerance: float  #: m, of contact
    slip: float  #: m/s
    stiffness: float  #: N/m; the original's is fixed in its code
    top: float  #: m, x of the original's top at the end


SETTINGS = {
    "fast": Setting(2.5e-3, 5e-3, 1e-2, 1e4, 0.202),
    "accurate": Setting(1e-3, 5e-4, 5e-3, 1e4, 0.108),
}
ACCURATE = SETTINGS["accurate"]


def run(full: bool = False, progress: Progress = None, frames: Frames | None = None) -> Report:
    """Runs both slopes and settings for .6 s; `full` (13 min): 2 s, and limits of short steps."""
    frames = frames or Frames()
    results = []
    for slope in SLOPES:
        for name in SETTINGS:
            for part in (1, 2, 4) if full else (1,):
                if progress:
                    progress(f"{slope}, {name}, dt / {part}")
                results += figures(slope, name, part, full, frames)
    if progress:
        progress("short steps")
    for slope in SLOPES if full else ():
        results += at_rest(slope) + limit(slope)
    results += sensitivity() if full else landed()
    return Report("spider", "Spider on a slope", results)


def figures(slope: str, name: str, part: int, full: bool, frames: Frames) -> list[dict]:
    setting = SETTINGS[name]
    simulation, contact = build(setting, part, gravity=SLOPES[slope])
    watch = None
    if part == 1:
        series = f"spider_{name}" + ("" if SLOPES[slope] == CODE else "_diagonal")
        frames.stage(series, floor=FLOOR, azimuth=115, elevation=-15)
        frames.take(series, simulation)
        watch = frames.at(series, (0.15, 0.25, 0.5, 1.0, 2.0))
    energy, lowest, carried = [], np.inf, []

    def each(simulation: Simulation) -> None:
        nonlocal lowest
        if watch:
            watch(simulation)
        lowest = min(lowest, contact.gap)
        carried.append(contact.normal_force)
        energy.append(simulation.kinetic_energy + simulation.potential_energy)

    simulation.run(PUBLISHED_DURATION if full else DURATION, each)
    mean = np.mean(carried[-round(0.2 * part / setting.dt) :])
    down, aside, up = top(simulation, slope)
    at = f"{slope}, {name}, dt {setting.dt / part:g} s"
    known = setting.top if full and SLOPES[slope] == CODE else None
    wanted = (weight(), "weight", CARRIED if full else None)
    return [
        figure(f"{at}: top downhill", down, "m", known, "original"),
        figure(f"{at}: top z", up, "m"),
        figure(f"{at}: top aside", aside, "m", 0.0, "symmetry", 1e-6),
        figure(f"{at}: deepest overlap", -lowest, "m", 0.0, "radius", DEEPEST),
        figure(f"{at}: energy gained in a step", max(0, *np.diff(energy)), "J", 0.0, "loss", GAIN),
        figure(f"{at}: kinetic energy", simulation.kinetic_energy, "J"),
        figure(f"{at}: floor's force, mean of .2 s", mean, "N", *wanted),
    ]


def at_rest(slope: str) -> list[dict]:
    """The equilibrium with friction that sticks without creep, beside the position at 2 s."""
    simulation, contact = build(ACCURATE, law="anchored", gravity=SLOPES[slope])
    simulation.run(PUBLISHED_DURATION)
    end = top(simulation, slope)
    simulation.solve()
    rest = top(simulation, slope)
    at = f"{slope}, accurate, anchored, at rest"
    return [
        figure(f"{at}: top downhill", rest[0], "m", end[0], "after 2 s", SWINGS),
        figure(f"{at}: top z", rest[2], "m", end[2], "after 2 s", SWINGS),
        figure(f"{at}: floor's force", contact.normal_force, "N", weight(), "weight", 1e-6),
    ]


def limit(slope: str) -> list[dict]:
    """The top's path at the limit of short steps: Verlet with two steps, and the midpoint rule."""
    coarse, fine = (path(slope, part, "verlet", AGREE) for part in SHORT)
    other = path(slope, MIDPOINT, "midpoint", [0.3])
    rows = []
    for time, tolerance in AGREE.items():
        at = f"{slope}, accurate, dt to 0, {time:g} s"
        for k, name in ((0, "downhill"), (2, "z")):
            value = fine[time][k]
            rows.append(
                figure(f"{at}: top {name}", value, "m", coarse[time][k], "twice dt", tolerance)
            )
            if time in other:
                rows.append(
                    figure(f"{at}: top {name}", value, "m", other[time][k], "midpoint rule", MISSES)
                )
    return rows


def landed() -> list[dict]:
    """The top after the first impact beside its converged position."""
    places = path("along x", QUICK, "verlet", [0.3])[0.3]
    at = f"along x, accurate, Verlet, dt {ACCURATE.dt / QUICK:g} s, 0.3 s"
    return [
        figure(f"{at}: top downhill", places[0], "m", LANDED[0], "converged", MISSES),
        figure(f"{at}: top z", places[2], "m", LANDED[1], "converged", MISSES),
    ]


def sensitivity() -> list[dict]:
    """Decades by which a difference at the start grows, with and without damping by long steps."""
    rows = []
    for method, part, decades in GROWTH:
        paths = [path("along x", part, method, decades, lift) for lift in (0.0, LIFT)]
        for time, (expected, tolerance) in decades.items():
            apart = np.linalg.norm(paths[1][time] - paths[0][time])
            at = f"along x, {method}, dt {ACCURATE.dt / part:g} s, {time:g} s"
            name = f"{at}: decades that 1e-9 m grow"
            rows.append(figure(name, np.log10(apart / LIFT), "1", expected, "before", tolerance))
    return rows


def path(slope: str, part: int, method: str, times: Iterable[float], lift: float = 0.0) -> dict:
    """The top's position (downhill, sideways, up; m) by time (s), with the accurate setting."""
    simulation, _ = build(ACCURATE, part, method=method, gravity=SLOPES[slope], lift=lift)
    places = {}
    for time in times:
        simulation.run(time - simulation.time)
        places[time] = top(simulation, slope)
    return places


def top(simulation: Simulation, slope: str) -> np.ndarray:
    """The top's position (downhill, sideways, up), m."""
    x, y, z = simulation.positions[0]
    along, across, _ = np.array(SLOPES[slope]) / np.hypot(*SLOPES[slope][:2])
    return np.array([along * x + across * y, along * y - across * x, z])


def weight() -> float:
    """Weight (N) of all limbs."""
    return 9 * LIMB * np.pi * RADIUS**2 * DENSITY * abs(CODE[2])


def build(
    setting: Setting,
    part: int = 1,
    law: str = "regularised",
    method: str = "backward_euler",
    gravity: tuple = CODE,
    lift: float = 0.0,
):
    """The spider above the floor, and its contact with it."""
    network = Network()

    def limb(start, way):
        nodes = start + np.linspace(0, LIMB, NODES)[:, None] * np.asarray(way, float)
        return network.rod(nodes, young=YOUNG, radius=RADIUS, density=DENSITY)

    shoulder = np.array([0, 0, HEIGHT + lift])
    neck = limb(shoulder + np.array([0, 0, LIMB]), (0, 0, -1))
    arms = [limb(shoulder, side) for side in SIDES]
    legs = [limb(shoulder + LIMB * np.asarray(side), (0, 0, -1)) for side in SIDES]
    for arm in arms:
        network.connect(neck, -1, arm, 0)
    for arm, leg in zip(arms, legs, strict=True):
        network.connect(arm, -1, leg, 0)
    simulation = Simulation(
        network, dt=setting.dt / part, method=method, gravity=gravity, **ENERGIES
    )
    contact = simulation.add_floor(
        FLOOR,
        friction=FRICTION,
        law=law,
        tolerance=setting.tolerance,
        stiffness=setting.stiffness,
        rolling=False,
        **({"slip_tolerance": setting.slip} if law == "regularised" else {}),
    )
    return simulation, contact
