"""Hanging helix that starts to sag (DisMech, Table II b1 and b2).

The published steps are too long for the faster motions. The references are converged in the time
step, so the judged figures are those at a shorter step; those at the published step are reported.
"""

from strand.draw.report import Report
from strand.simulation import Network, Rod, Simulation
from strand_studies.bench.table2.cases import CASES, Case
from strand_studies.published.figures import PUBLISHED, Progress, figure, follow, frequencies
from strand_studies.published.frames import Frames

SOURCE = "DisMech, converged in dt"
#: Converged values of the last node: z (m), least, greatest, mean in time and at rest. RATES:
#: frequencies (Hz).
REFERENCES = {
    "b1": {"z min": -0.21173, "z max": -0.18456, "z mean": -0.19852, "z at rest": -0.198762},
    "b2": {"z min": -0.19233, "z max": -0.18500, "z mean": -0.18866, "z at rest": -0.188681},
}
RATES = {"b1": (4.662, 5.412), "b2": (8.999,)}
CONVERGED_DT = {"b1": 1e-3, "b2": 2.5e-4}  # s
REDUCED = {"b1": 6.0, "b2": 2.0}  # s: long enough for both extremes and to separate frequencies
ACCURACY = 5e-3  # of the range of z, and of frequencies


def run(full: bool = False, progress: Progress = None, frames: Frames | None = None) -> Report:
    """Runs both helices: at rest, at the published step, at the converged step."""
    frames = frames or Frames()
    results = []
    for name, wanted in REFERENCES.items():
        case = CASES[name]
        tolerance = ACCURACY * (wanted["z max"] - wanted["z min"])
        simulation, rod = build(case, case.timestep)
        simulation.solve()
        rest = simulation.positions[rod.nodes[-1], 2]
        results.append(
            figure(f"{name}: z at rest", rest, "m", wanted["z at rest"], SOURCE, tolerance)
        )
        duration = case.duration if full else REDUCED[name]
        for dt in (case.timestep, CONVERGED_DT[name]):
            if progress:
                progress(f"{name}, dt {dt:g} s")
            judged = dt == CONVERGED_DT[name]
            results += swing(case, dt, duration, tolerance if judged else None, frames)
    return Report("helix", "Hanging helix", results)


def build(case: Case, dt: float) -> tuple[Simulation, Rod]:
    network = Network()
    rod = network.rod(case.nodes, young=case.young, radius=case.radius, density=case.density)
    gravity = (0, 0, -case.gravity)
    simulation = Simulation(network, dt=dt, method="midpoint", gravity=gravity, **PUBLISHED)
    simulation.fix_edge(rod.edges[0])
    return simulation, rod


def swing(
    case: Case, dt: float, duration: float, tolerance: float | None, frames: Frames
) -> list[dict]:
    """The motion from the unstressed shape: extremes, mean and the strongest frequencies."""
    simulation, rod = build(case, dt)
    watch = None
    if tolerance is not None:
        frames.take(case.name, simulation)
        first = 1 / RATES[case.name][0]
        watch = frames.at(case.name, (0.25 * first, 0.5 * first, first))
    heights = follow(simulation, duration, rod.nodes[-1], watch)[:, 2]
    found = {"z min": heights.min(), "z max": heights.max(), "z mean": heights.mean()}
    rows = []
    for key, value in found.items():
        reference = REFERENCES[case.name][key]
        name = f"{case.name}, dt {dt:g} s: {key}"
        rows.append(figure(name, value, "m", reference, SOURCE, tolerance))
    peaks = frequencies(heights, dt)
    for k, reference in enumerate(RATES[case.name]):
        value = peaks[k] if k < len(peaks) else float("nan")
        allowed = ACCURACY * reference if tolerance is not None else None
        name = f"{case.name}, dt {dt:g} s: frequency {k + 1}"
        rows.append(figure(name, value, "Hz", reference, SOURCE, allowed))
    return rows
