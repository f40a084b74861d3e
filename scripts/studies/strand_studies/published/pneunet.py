"""A pneumatic finger: a straight rod with a natural curvature (MAT-DiSMech, PneuNet).

Equilibria under gravity at three natural curvatures; then with a pull at the tip, for which no
figures are published. The authors' stop rule is loose (1e-4 N): tight solutions match their tips
to 3e-5 m, and a tight solution of their own model to all its known digits. With their rule, and one
load step as in their code, the published tips are matched to 1e-6 m.
"""

import numpy as np

from strand.draw.report import Report
from strand.simulation import Network, Simulation
from strand_studies.bench.table2.cases import straight
from strand_studies.published.figures import PUBLISHED, Progress, figure
from strand_studies.published.frames import Frames

LENGTH, NODES, RADIUS = 0.1, 51, 1e-3  # m, 1, m
YOUNG, DENSITY, GRAVITY = 20e9, 1200.0, 9.81  # Pa, kg/m^3, m/s^2
BEND = 0.0628525320866699  # natural curvature of each joint, times an edge's length
PULL = (175.0, 0.0, 7.0)  # N at the last node
LOOSE, TIGHT, SAME_RULE = 3e-5, 1e-7, 1e-6  # m
DT = 1e-3  # s, the authors' step: in statics it only affects the stop rule

#: Tips (x, z), m, of the authors' file by the fraction of BEND; TIGHT_TIPS: with a tight stop rule.
PUBLISHED_TIPS = {
    0.5: (0.0646284, -0.0626760),
    1.0: (0.0019980, -0.0636421),
    1.5: (-0.0202152, -0.0222795),
}
TIGHT_TIPS = {1.5: (-0.0202121, -0.0222600)}


def run(
    full: bool = False,
    progress: Progress = None,
    frames: Frames | None = None,
    compat: bool = False,
) -> Report:
    """Finds six equilibria; `full` changes nothing."""
    frames = frames or Frames()
    results = []
    for pull in ((0.0, 0.0, 0.0), PULL):
        for part, published in PUBLISHED_TIPS.items():
            at = f"{part:g} of the curvature" + (", pulled" if any(pull) else "")
            if progress:
                progress(at)
            simulation = bend(part, pull, compat)
            frames.take("pulled" if any(pull) else "pneunet", simulation)
            tip = simulation.positions[-1, [0, 2]]
            if any(pull):
                results += compare(at, tip, (None, None), "", None)
                continue
            within = SAME_RULE if compat else LOOSE
            results += compare(at, tip, published, "MAT-DiSMech", within)
            if part in TIGHT_TIPS and not compat:
                results += compare(at, tip, TIGHT_TIPS[part], "MAT-DiSMech, tight", TIGHT)
    return Report("pneunet", "PneuNet", results)


def bend(part: float, pull: tuple[float, float, float], compat: bool = False) -> Simulation:
    """The finger in equilibrium. Curvature and pull are increased together in steps."""
    network = Network()
    nodes = straight(LENGTH, NODES)
    rod = network.rod(nodes, young=YOUNG, radius=RADIUS, density=DENSITY)
    gravity = (0, 0, -GRAVITY)
    simulation = Simulation(
        network,
        dt=DT,
        gravity=gravity,
        plane="xz",
        tolerance=1e-9,
        compat="mat_dismech" if compat else None,
        **PUBLISHED,
    )
    simulation.fix_edge(rod.edges[0])

    def ramp(load: float) -> None:
        simulation.set_natural_curvature(rod.joints, (load * part * BEND, 0))  # towards -z
        simulation.load_node(rod.nodes[-1], load * np.array(pull))

    simulation.solve(steps=1 if compat else 20, ramp=ramp)
    return simulation


def compare(at: str, tip, reference, source: str, tolerance: float | None) -> list[dict]:
    return [
        figure(f"{at}: tip {axis}", value, "m", wanted, source, tolerance)
        for axis, value, wanted in zip("xz", tip, reference, strict=True)
    ]
