"""A spider of nine rods dropped on a slope (DisMech, section V-A1), with both published settings.

The slope is made by gravity that leans along x; it lands, slides and comes to rest on its four
legs, the shoulder on the floor. No figures are published, and the original's two settings end in
different places (its top at x = .202 and .108 m). With shorter steps its path converges until after
the first impact (--full: to .3 mm at .3 s, by two integrators); from there on the slightest change
grows, and where it comes to rest is no figure of the model. What has to hold however it lands: it
stays in its plane of symmetry, sinks in no more than contact gives way, and only loses energy.

Joints average energies, which do not depend on the directions that limbs are drawn in. The papers'
mean of two frames has no stiffness where these are opposite, as between limbs that are drawn in
opposite directions; here `average="curvatures"` takes the drawn twist off first.
"""

from dataclasses import dataclass

import numpy as np

from strand.examples.figures import ENERGIES, Progress, figure
from strand.examples.frames import Frames
from strand.simulation import Network, Simulation
from strand.validation.report import Report

LIMB, NODES, RADIUS, HEIGHT = 0.1, 25, 5e-3, 0.1  # m, 1, m, m of the shoulder
YOUNG, DENSITY, GRAVITY = 3e6, 1180.0, (1.0, 0.0, -9.8)  # Pa, kg/m^3, m/s^2
FLOOR, FRICTION = -0.1, 0.4  # m, 1
PUBLISHED_DURATION, DURATION = 2.0, 0.6  # s
LANDED, FINE, FINE_BY, SAME = 0.3, 64, ("midpoint", "backward_euler"), 3e-4  # s, 1, -, m
DEEPEST, GAIN = 0.2 * RADIUS, 1e-6  # m, J: 1e-5 of the fall's
SIDES = ((1, 0, 0), (0, 1, 0), (0, -1, 0), (-1, 0, 0))


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


def run(full: bool = False, progress: Progress = None, frames: Frames | None = None) -> Report:
    """Both settings for .6 s; in full for 2 s, also with parts of the step."""
    frames = frames or Frames()
    results = []
    for name, setting in SETTINGS.items():
        for part in (1, 2, 4, 8) if full else (1,):
            at = f"{name}, dt {setting.dt / part:g} s"
            if progress:
                progress(at)
            duration = PUBLISHED_DURATION if full else DURATION
            results += figures(at, setting, part, duration, frames)
    if full:
        results += limit(progress)
    return Report("spider", "Spider on a slope", results)


def figures(at: str, setting: Setting, part: int, duration: float, frames: Frames) -> list[dict]:
    simulation, contact = build(setting, part)
    weight = 9 * LIMB * np.pi * RADIUS**2 * DENSITY * np.abs(GRAVITY)  # N, per axis
    watch = None
    if part == 1:
        series = at.split(",")[0]
        frames.stage(f"spider_{series}", floor=FLOOR, azimuth=115, elevation=-15)
        frames.take(f"spider_{series}", simulation)
        watch = frames.at(f"spider_{series}", (0.15, 0.25, 0.5, 1.0, 2.0))
    energy, lowest, carried = [], np.inf, []

    def each(simulation: Simulation) -> None:
        nonlocal lowest
        if watch:
            watch(simulation)
        lowest = min(lowest, contact.gap)
        carried.append(contact.normal_force)
        energy.append(simulation.kinetic_energy + simulation.potential_energy)

    simulation.run(duration, each)
    recent = carried[-round(0.2 * part / setting.dt) :]
    x, y, z = simulation.positions[0]
    return [
        figure(f"{at}: top x", x, "m", setting.top if duration > 1 else None, "original"),
        figure(f"{at}: top z", z, "m"),
        figure(f"{at}: top y", y, "m", 0.0, "symmetry", 1e-6),
        figure(f"{at}: deepest overlap", -lowest, "m", 0.0, "radius", DEEPEST),
        figure(f"{at}: energy gained in a step", max(0, *np.diff(energy)), "J", 0.0, "loss", GAIN),
        figure(f"{at}: kinetic energy", simulation.kinetic_energy, "J"),
        figure(f"{at}: floor's force, mean of .2 s", np.mean(recent), "N", weight[2], "weight"),
    ]


def limit(progress: Progress) -> list[dict]:
    """The top after the first impact: short steps, by two integrators, and half as long ones."""
    places = []
    for part in (FINE, 2 * FINE):
        for method in FINE_BY:
            if progress:
                progress(f"{method}, dt / {part}")
            simulation, _ = build(SETTINGS["accurate"], part, method=method)
            simulation.run(LANDED)
            places.append(simulation.positions[0])
    coarse, fine = places[0], places[2]
    euler = 2 * places[3] - places[1]  # its error is of first order
    at = f"accurate, dt to 0, {LANDED:g} s"
    rows = []
    for k, axis in ((0, "x"), (2, "z")):
        rows.append(figure(f"{at}: top {axis}", fine[k], "m", coarse[k], "twice dt", SAME))
        rows.append(figure(f"{at}: top {axis}", fine[k], "m", euler[k], "backward Euler"))
    return rows


def build(
    setting: Setting, part: int = 1, law: str = "regularised", method: str = "backward_euler"
):
    """The spider above the floor, and its contact with it."""
    network = Network()

    def limb(start, way):
        nodes = start + np.linspace(0, LIMB, NODES)[:, None] * np.asarray(way, float)
        return network.rod(nodes, young=YOUNG, radius=RADIUS, density=DENSITY)

    shoulder = np.array([0, 0, HEIGHT])
    neck = limb(shoulder + np.array([0, 0, LIMB]), (0, 0, -1))
    arms = [limb(shoulder, side) for side in SIDES]
    legs = [limb(shoulder + LIMB * np.asarray(side), (0, 0, -1)) for side in SIDES]
    for arm in arms:
        network.connect(neck, -1, arm, 0)
    for arm, leg in zip(arms, legs, strict=True):
        network.connect(arm, -1, leg, 0)
    simulation = Simulation(
        network, dt=setting.dt / part, method=method, gravity=GRAVITY, **ENERGIES
    )
    contact = simulation.add_floor(
        FLOOR,
        friction=FRICTION,
        law=law,
        tolerance=setting.tolerance,
        stiffness=setting.stiffness,
        slip_tolerance=setting.slip,
    )
    return simulation, contact
