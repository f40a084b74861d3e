"""An overhand knot pulled tight (MAT-DiSMech, journal version, Fig. 11).

The published initial shape is a file of the authors; here it is a formula: Shastri's polynomial
trefoil, flattened. Both ends are fixed for 2 s, then pulled at 6 mm/s for 60 s, .36 m each. The rod
must not pass through itself: the centrelines of edges that are not neighbours stay apart by almost
a diameter at every step, and the knot is preserved. Its determinant, |Alexander polynomial at -1|,
is 3; that of a rod without a knot is 1.
"""

import numpy as np

from strand.draw.report import Report
from strand.simulation import Network, Rod, Simulation
from strand_studies.published.figures import ENERGIES, Progress, figure
from strand_studies.published.frames import Frames

LENGTH, RADIUS = 1.0, 1.6e-3  # m
YOUNG, DENSITY, DAMPING = 0.18e6, 1180.0, 0.1515  # Pa, kg/m^3, Pa s
FRICTION, TOLERANCE, SLIP = 0.3, 0.3125 * RADIUS, 1e-4  # 1, m, m/s
STIFFNESS = 200.0  # N/m
WAIT, PULLED, APART = 2.0, 0.36, 0.28  # s, m per end, m between the ends at the start
SPEED, DT = 6e-3, 0.1  # m/s, s
REDUCED_SPEED, REDUCED_EDGES = 36e-3, 150  # m/s
CLOSEST = 1.6 * RADIUS  # m: least allowed distance of centrelines
NEAR = 6  # edges up to this many apart along the rod count as neighbours


def run(full: bool = False, progress: Progress = None, frames: Frames | None = None) -> Report:
    """Runs 150 edges at six times the speed; `full`: 62 s with 300 edges (published) and 500."""
    frames = frames or Frames()
    results = []
    for edges in (300, 500) if full else (REDUCED_EDGES,):
        if progress:
            progress(f"{edges} edges")
        results += figures(edges, SPEED if full else REDUCED_SPEED, frames)
    return Report("knot", "Overhand knot", results)


def figures(edges: int, speed: float, frames: Frames) -> list[dict]:
    simulation, rod, contact = build(edges, speed)
    duration = WAIT + PULLED / speed
    series = f"knot_{edges}"
    frames.stage(series, azimuth=0, elevation=-65)
    _picture(frames, series, simulation, rod)
    left = list(WAIT + (duration - WAIT) * np.array([0.0, 0.3, 0.6, 0.8, 0.9, 1.0]))
    apart, gap, knots = np.inf, np.inf, set()

    def each(simulation: Simulation) -> None:
        nonlocal apart, gap
        if left and simulation.time >= left[0] - 1e-9:
            left.pop(0)
            _picture(frames, series, simulation, rod)
        gap = min(gap, contact.gap)
        if round(simulation.time / DT) % 20 == 0:
            x = simulation.positions[rod.nodes]
            apart = min(apart, closest(x))
            knots.add(determinant(x))

    start = determinant(simulation.positions[rod.nodes])
    report = simulation.run(duration, each)
    x = simulation.positions[rod.nodes]
    at = f"{edges} edges"
    size = np.ptp(knotted(x), axis=0).max()
    return [
        figure(f"{at}: determinant at the start", start, "1", 3, "trefoil", 0),
        figure(f"{at}: least determinant", min(knots), "1", 3, "trefoil", 0),
        figure(f"{at}: greatest determinant", max(knots), "1", 3, "trefoil", 0),
        figure(f"{at}: deepest overlap", -gap, "m", 0.0, "radius", 2 * RADIUS - CLOSEST),
        figure(f"{at}: nearest centrelines", apart, "m", 2 * RADIUS, "2 r", 2 * RADIUS - CLOSEST),
        figure(f"{at}: ends apart", np.linalg.norm(x[-1] - x[0]), "m"),
        figure(f"{at}: length", np.linalg.norm(np.diff(x, axis=0), axis=1).sum(), "m"),
        figure(f"{at}: size of the knot", size, "m"),
        figure(f"{at}: pull", pull(simulation, rod), "N"),
        figure(f"{at}: steps refused", report.rejections, "1"),
        figure(f"{at}: iterations per step", report.iterations / report.steps, "1"),
    ]


def _picture(frames: Frames, series: str, simulation: Simulation, rod: Rod) -> None:
    """Takes a picture of the whole rod, and one of the knot, in the end a hundredth of the rod."""
    frames.take(series, simulation)
    frames.stage(f"{series}_close", azimuth=0, elevation=-65)
    frames.take(f"{series}_close", simulation, knotted(simulation.positions[rod.nodes]))


def build(edges: int, speed: float, contact: bool = True):
    network = Network()
    rod = network.rod(start(edges), young=YOUNG, radius=RADIUS, density=DENSITY)
    simulation = Simulation(
        network,
        dt=DT,
        method="backward_euler",
        gravity=(0, 0, 0),
        viscosity=DAMPING,
        rest_straight=True,
        **ENERGIES,
    )
    simulation.fix_edge([rod.edges[0], rod.edges[-1]])

    def way(time: float) -> float:
        return speed * max(time - WAIT, 0)

    simulation.move_node(rod.nodes[:2], lambda time: (0, -way(time), 0))
    simulation.move_node(rod.nodes[-2:], lambda time: (0, way(time), 0))
    if not contact:
        return simulation, rod, None
    options = {
        "friction": FRICTION,
        "tolerance": TOLERANCE,
        "slip_tolerance": SLIP,
        "rolling": False,
    }
    options["stiffness"] = STIFFNESS
    return simulation, rod, simulation.add_contact(**options)


def start(edges: int) -> np.ndarray:
    """Nodes (m) of a loose overhand knot along y, of length LENGTH, with its ends APART.

    (t^3 - 3 t, t^4 - 4 t^2, t^5 - 10 t): A. R. Shastri, Tohoku Math. J. 44 (1992) 11.
    """
    t = np.linspace(-2.15, 2.15, 4001)
    x, y, z = t**4 - 4 * t**2, t**3 - 3 * t, 0.16 * (t**5 - 10 * t)
    y *= APART / 2 / y[-1]
    low, high = 0.0, 1.0
    while high - low > 1e-12:
        size = (low + high) / 2
        points = np.column_stack([size * x, y, size * z])
        longer = np.linalg.norm(np.diff(points, axis=0), axis=1).sum() > LENGTH
        low, high = (low, size) if longer else (size, high)
    s = np.r_[0, np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))]
    places = np.linspace(0, s[-1], edges + 1)
    return np.column_stack([np.interp(places, s, column) for column in points.T])


def pull(simulation: Simulation, rod: Rod) -> float:
    """Force (N) along y that holds the last two nodes."""
    return float(simulation.reactions[rod.nodes[-2:], 1].sum())


def knotted(x: np.ndarray) -> np.ndarray:
    """The nodes between the first and the last crossing in the view along z."""
    places = [place for crossing in _crossings(x) for place in crossing]
    return x[int(min(places)) : int(max(places)) + 2]


def closest(x: np.ndarray) -> float:
    """The smallest distance (m) between the centrelines of edges that are not neighbours."""
    a, b = np.triu_indices(len(x) - 1, NEAR + 1)
    middle = 0.5 * (x[1:] + x[:-1])
    half = 0.5 * np.linalg.norm(np.diff(x, axis=0), axis=1)
    near = np.linalg.norm(middle[a] - middle[b], axis=1) < half[a] + half[b] + 4 * RADIUS
    a, b = a[near], b[near]
    if not len(a):
        return np.inf
    return float(_distances(x[a], x[a + 1] - x[a], x[b], x[b + 1] - x[b]).min())


def _distances(p, d, q, e) -> np.ndarray:
    """Distances (m) of segments p + s d and q + t e: alternating projection from three starts."""
    dd, ee, de = (d * d).sum(1), (e * e).sum(1), (d * e).sum(1)
    r = p - q
    dr, er = (d * r).sum(1), (e * r).sum(1)
    free = dd * ee - de**2
    inner = np.where(free > 1e-12 * dd * ee, (de * er - ee * dr) / free, 0.5)
    best = np.full(len(p), np.inf)
    for start in (np.clip(inner, 0, 1), np.zeros(len(p)), np.ones(len(p))):
        s = start
        for _ in range(3):
            t = np.clip((er + s * de) / ee, 0, 1)
            s = np.clip((t * de - dr) / dd, 0, 1)
        best = np.minimum(best, np.linalg.norm(r + s[:, None] * d - t[:, None] * e, axis=1))
    return best


def _crossings(x: np.ndarray) -> list[tuple[float, float]]:
    """Crossings in the view along z: pairs of places along the rod (in edges), upper one first."""
    p, d = x[:-1, :2], np.diff(x[:, :2], axis=0)
    i, j = np.triu_indices(len(p), 2)
    det = d[i, 0] * d[j, 1] - d[i, 1] * d[j, 0]
    r = p[j] - p[i]
    with np.errstate(divide="ignore", invalid="ignore"):
        s = (r[:, 0] * d[j, 1] - r[:, 1] * d[j, 0]) / det
        t = (r[:, 0] * d[i, 1] - r[:, 1] * d[i, 0]) / det
    hit = np.flatnonzero((s >= 0) & (s < 1) & (t >= 0) & (t < 1))
    found = []
    for k in hit:
        heights = [
            x[m, 2] + part * (x[m + 1, 2] - x[m, 2]) for m, part in ((i[k], s[k]), (j[k], t[k]))
        ]
        places = (i[k] + s[k], j[k] + t[k])
        found.append(places if heights[0] > heights[1] else places[::-1])
    return found


def determinant(x: np.ndarray) -> int:
    """|Alexander polynomial at -1| of the rod with its ends joined far away: 1 unknot, 3 trefoil.

    Each crossing gives the equation 2 (upper arc) = (lower arc before) + (lower arc behind). The
    result is the determinant of these equations without one equation and one arc.
    """
    crossings = _crossings(x)
    if len(crossings) < 3:
        return 1
    under = np.sort([low for _, low in crossings])
    arcs = len(under)  # the first and the last arc are the same, since the ends are joined
    matrix = np.zeros((arcs, arcs))
    for row, (high, low) in enumerate(crossings):
        before = int(np.searchsorted(under, low))
        matrix[row, int(np.searchsorted(under, high)) % arcs] += 2
        matrix[row, before] -= 1
        matrix[row, (before + 1) % arcs] -= 1
    return round(abs(np.linalg.det(matrix[1:, 1:])))
