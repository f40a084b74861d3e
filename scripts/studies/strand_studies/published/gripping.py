"""A finger that curls up, alone and around a sphere (MAT-DiSMech, rod gripping).

Every .1 s the natural curvature of the outer joints grows by a hundredth. The nodes have no
thickness against the sphere, as in the original. With the code's 2 MPa the finger is so soft (its
first period is 20 s) that it lags behind its natural shape; with the paper's 200 MPa it follows.
The original's stop rule, 1e-4 N, is larger than all forces in the soft finger: its figures are not
a solution, and are reported but not judged. Instead two integrators must agree as the step becomes
short, also with the sphere: the tip is at (.1596, .0199) m at 9 s, to 6e-6 m. (Backward Euler
damps: steps of 2e-4 s are off by .03 mm at 8 s, .7 mm at 9 s, 13 mm at 10 s.) At 9.064 s the tip
strikes the sphere at .22 m/s. That is more energy than the original's penalty of 20 N/m can store:
explicit steps are rejected there; implicit ones stop at the surface, and the tip is at
(.0820, -.0160) m at 10 s, to .5 mm. The stiff finger, driven by jumps of its natural curvature and
hardly damped, keeps swinging with an amplitude of up to 1 mm as steps become shorter.
"""

from collections.abc import Sequence

import numpy as np

from strand.draw.report import Report
from strand.simulation import Network, Rod, Simulation, obstacles
from strand_studies.bench.table2.cases import straight
from strand_studies.published.figures import PUBLISHED, PUBLISHED_FRICTION, Progress, figure
from strand_studies.published.frames import Frames

LENGTH, NODES, RADIUS, DENSITY = 0.48, 49, 1e-3, 1200.0  # m, 1, m, kg/m^3
SOFT, STIFF = 2e6, 200e6  # Pa: the code's, the paper's
BEND, FIRST = 3 * 0.06285253, 10  # final natural curvature times an edge's length; first joint
CENTRE, BALL = (0.1, 0.0, 0.05), 0.049  # m
STIFFNESS, TOLERANCE, FRICTION, SLIP = 20.0, 1e-3, 0.25, 1e-2  # N/m, m, 1, m/s
DT, STEPS = 0.1, 100  # s, 1

#: Results of the original for the soft finger: tip (x, z), m, by `sphere`; smallest gap (m), nodes
#: in contact with the sphere, and nodes inside the place of the sphere when the finger is alone.
MEASURED_TIPS = {False: (0.160273, 0.035547), True: (0.151669, 0.036214)}
MEASURED_GAP, MEASURED_NEAR, MEASURED_INSIDE = 1.2e-4, 19, 21
AGREE = 2e-4  # m, between two integrators: .3 deg of the curled finger
FOLLOWS = 3e-5  # m, of the stiff finger at dt .1 s
FINE = (16, 64)  # divisors of the published step, whose results are extrapolated
#: With the sphere: divisors of the step for the midpoint rule and for Verlet; times (s) at which
#: the two are compared, and their tolerance (m); tolerance (m) of the midpoint rule between two
#: steps after the impact.
FINEST, HELD, HELD_TO, STOPPED_TO = (256, 1000), (8.0, 9.0), 5e-5, 2e-3


def run(full: bool = False, progress: Progress = None, frames: Frames | None = None) -> Report:
    """Runs 100 steps of .1 s, and short steps; `full`: with the sphere also past the impact."""
    frames = frames or Frames()
    results = []
    for young in (SOFT, STIFF):
        for sphere in (False, True):
            for part in (1, *FINE) if full and sphere else (1,):
                at = f"{young:g} Pa, {'sphere' if sphere else 'alone'}, dt {DT / part:g} s"
                if progress:
                    progress(at)
                series = ("gripping" if sphere else "alone") + f"_{young:.0e}".replace("+0", "")
                nodes = grip(young, sphere, part, frames, series if part == 1 else "")
                results += figures(at, nodes, young, sphere, part)
    if progress:
        progress("short steps")
    results += limit()
    return Report("gripping", "Gripping", results + limit_with_sphere(full))


def figures(at: str, nodes: np.ndarray, young: float, sphere: bool, part: int) -> list[dict]:
    known = young == SOFT and part == 1
    rows = []
    for k, axis in ((0, "x"), (2, "z")):
        wanted = (MEASURED_TIPS[sphere][k // 2], "original, loose") if known else ()
        if young == STIFF and not sphere:
            wanted = (natural_tip()[k // 2], "natural shape", FOLLOWS)
        rows.append(figure(f"{at}: tip {axis}", nodes[-1, k], "m", *wanted))
    out = nodes - CENTRE
    gap = np.linalg.norm(out, axis=1) - BALL
    inside = (0, "nothing passes", 0) if sphere else (MEASURED_INSIDE, "original, loose")
    inside = inside if sphere or known else ()
    rows.append(figure(f"{at}: nodes inside", np.count_nonzero(gap < 0), "1", *inside))
    if sphere:
        near = np.flatnonzero(gap < TOLERANCE)
        angle = np.unwrap(np.arctan2(out[:, 2], out[:, 0]))
        wanted = (MEASURED_GAP, "original, loose") if known else ()
        rows.append(figure(f"{at}: smallest gap", gap.min(), "m", *wanted))
        wanted = (MEASURED_NEAR, "original, loose") if known else ()
        rows.append(figure(f"{at}: nodes in contact", len(near), "1", *wanted))
        turned = np.degrees(angle[-1] - angle[near[0]]) if len(near) else 0
        rows.append(figure(f"{at}: wraps", turned, "deg"))
    return rows


def limit() -> list[dict]:
    """The soft finger alone at the limit of short steps, by two integrators."""
    coarse, fine = (grip(SOFT, False, part)[-1] for part in FINE)
    ratio = FINE[1] / FINE[0]
    limit = fine + (fine - coarse) / (ratio - 1)  # an error of first order
    midpoint = grip(SOFT, False, FINE[1], method="midpoint")[-1]
    at = f"{SOFT:g} Pa, alone, dt to 0"
    return [
        figure(f"{at}: tip {axis}", limit[k], "m", midpoint[k], "midpoint rule", AGREE)
        for k, axis in ((0, "x"), (2, "z"))
    ]


def limit_with_sphere(full: bool) -> list[dict]:
    """The soft finger around the sphere at the limit of short steps."""
    part, explicit = FINEST
    tips = path(part, "midpoint", HELD)
    other = path(explicit, "verlet", HELD)
    judged = [(part, time, tips, other, "Verlet", HELD_TO) for time in HELD]
    if full:
        end = STEPS * DT
        coarse, fine = (path(some * part, "midpoint", [end]) for some in (4, 8))
        judged.append((8 * part, end, fine, coarse, "twice dt", STOPPED_TO))
    return [
        figure(
            f"{SOFT:g} Pa, sphere, midpoint, dt {DT / some:g} s, at {time:g} s: tip {axis}",
            found[time][k],
            "m",
            wanted[time][k],
            source,
            tolerance,
        )
        for some, time, found, wanted, source, tolerance in judged
        for k, axis in ((0, "x"), (2, "z"))
    ]


def path(part: int, method: str, times: Sequence[float]) -> dict[float, np.ndarray]:
    """Position (m) of the soft finger's tip by time (s), with the sphere."""
    simulation, rod = build(SOFT, True, part, method)
    tips = {}
    for time in times:
        simulation.run(time - simulation.time)
        tips[time] = simulation.positions[rod.nodes[-1]]
    return tips


def natural_tip() -> np.ndarray:
    """Position (x, z), m, of the tip when the finger has its natural shape."""
    turns = np.zeros(NODES - 1)
    turns[1 + FIRST :] = 2 * np.arctan(BEND / 2)
    angle = np.cumsum(turns)
    return LENGTH / (NODES - 1) * np.array([np.cos(angle).sum(), np.sin(angle).sum()])


def grip(
    young: float,
    sphere: bool,
    part: int,
    frames: Frames | None = None,
    series: str = "",
    method: str = "backward_euler",
) -> np.ndarray:
    """The nodes at the end (m), with `part` steps for each published one."""
    simulation, rod = build(young, sphere, part, method)
    watch = None
    if frames and series:
        # The sphere is drawn smaller by the finger's radius: nodes touch it without thickness, so
        # that it would hide a part of the finger.
        frames.stage(series, obstacles=[("sphere", (BALL - RADIUS,), CENTRE)] if sphere else [])
        watch = frames.at(series, (DT, 2.5, 5.0, 7.5, 10.0))
    simulation.run(STEPS * DT, watch)
    return simulation.positions[rod.nodes]


def build(young: float, sphere: bool, part: int, method: str) -> tuple[Simulation, Rod]:
    network = Network()
    rod = network.rod(straight(LENGTH, NODES), young=young, radius=RADIUS, density=DENSITY)
    simulation = Simulation(
        network, dt=DT / part, method=method, gravity=(0, 0, 0), plane="xz", **PUBLISHED
    )
    simulation.fix_edge(rod.edges[0])
    if sphere:
        simulation.add_obstacles(
            [obstacles.sphere(CENTRE, BALL)],
            node_radius=0.0,
            nodes_alone=True,  # as in the published code
            friction=FRICTION,
            slip_tolerance=SLIP,
            stiffness=STIFFNESS,
            tolerance=TOLERANCE,
            **PUBLISHED_FRICTION,
        )

    def actuate(time: float) -> None:
        count = min(int(np.ceil(time / DT - 1e-6)), STEPS)
        bend = BEND * count / STEPS
        simulation.set_natural_curvature(rod.joints[FIRST:], (-bend, 0))  # towards +z

    simulation.drive(actuate)
    return simulation, rod
