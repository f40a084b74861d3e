"""The chapters of the demonstration; each adds its section to the page."""

import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import mujoco
import numpy as np

import strand
from strand.draw.picture import annotate, time_text
from strand.draw.report import Report
from strand.draw.stage import Photographer, camera, centre
from strand_studies.demo import hanging, shapes
from strand_studies.demo.page import Page, jpeg
from strand_studies.validation import lhb, mbi

Say = Callable[[str], None]

#: Localized helical buckling, peers: error (not an RMS) and phi0 (rad) by number of links.
LHB_PEERS = {
    "adapted DER paper": {40: (0.0257, 0.514), 60: (0.0141, 0.630)},
    "MuJoCo 4.0.1 flex": {40: (0.0258, 0.514), 60: (0.0146, 0.631)},
}
#: Michell's ring, MuJoCo 4.0.1 flex: theta_c / theory by GJ/EI.
MBI_FLEX = {0.5: 1.009, 1.0: 1.009, 1.25: 1.017}
PASS_THROUGH = 0.5  # of the cable's radius: largest allowed depth of contact with the pipe
FRAME_TIMES = (0.0, 0.9, 1.6, 2.4, 3.8, 5.9)  # s


def cables(page: Page, say: Say) -> None:
    """Generates cables and loads them in MuJoCo."""
    page.section("Cables as MJCF")
    made = {
        "straight, rooted at the end": strand.Cable(strand.straight(1.0, 40), EI=0.01, GJ=0.008),
        "arc, rooted in the middle": strand.Cable(
            strand.arc(1.0, np.pi, 40), EI=(0.02, 0.01), GJ=0.008, root="middle"
        ),
        "closed ring": strand.Cable(strand.ring(0.3, 50), EI=0.01, GJ=0.008, closed=True),
    }
    rows = []
    for name, cable in made.items():
        model = mujoco.MjModel.from_xml_string(strand.generate(cable))
        data = mujoco.MjData(model)
        mujoco.mj_forward(model, data)
        length = np.linalg.norm(np.diff(cable.nodes, axis=0), axis=1).sum()
        mass = cable.density * np.pi * cable.radius**2 * length
        exact = bool(abs(model.body_mass.sum() / mass - 1) < 1e-12)
        rows.append([name, len(cable.nodes) - 1, model.nv, float(model.body_mass.sum()), exact])
        page.passed = page.passed and exact
    page.table(["cable", "links", "degrees of freedom", "mass (kg)", "mass is exact"], rows)
    text = snippet(strand.Cable(strand.straight(0.3, 3), EI=0.01, GJ=0.008, collide=False))
    page.paragraph("MJCF written by strand.generate, here for three links:")
    page.code(text)
    say(f"three cables generated and loaded; MJCF of a cable of three links:\n{text}")


def snippet(cable: strand.Cable, width: int = 110) -> str:
    """The cable's MJCF with numbers shortened, for reading."""
    import re

    text = re.sub(
        r"-?\d+\.\d{5,}(?:e[-+]\d+)?", lambda number: f"{float(number[0]):.5g}", cable.to_mjcf()
    )
    lines = [line for line in text.splitlines() if line.strip()]
    return "\n".join(line if len(line) <= width else line[: width - 3] + "..." for line in lines)


def _photograph(model, data, view, size: tuple[int, int], part: float) -> bytes:
    """A picture with its scale, as JPEG; its height is the fraction `part` of that of `size`."""
    width, height = size[0], round(part * size[1])
    with Photographer(model, width, height) as photographer:
        picture = photographer.take(data, view)
        return jpeg(annotate(picture, "", photographer.metres_per_pixel(view.lookat)))


def buckling(page: Page, say: Say, size: tuple[int, int] | None) -> None:
    """Localized helical buckling beside theory and peers."""
    page.section("Localized helical buckling")
    page.paragraph(
        "A rod twisted by 27 turns, whose ends are moved together by 0.3 m, buckles into a helix "
        "whose envelope is tanh² by theory. The peak angle φ₀ is 0.9185 rad for the infinite rod."
    )
    if size:
        model, data = shapes.helix()
        tangent = data.xmat[1:-1].reshape(-1, 3, 3)[:, 0, 0]
        peak = data.xpos[1 + int(tangent.argmin()), 0]
        view = camera((peak, 0, -0.06), 2.1, 80, -12)
        page.image(_photograph(model, data, view, size, 0.44), "the buckled rod", "jpeg")
    report = lhb.run(segments=[40, 60], progress=lambda doing: say(f"  {doing}"))
    rows = []
    for case in report.results:
        n = case["segments"]
        peers = [figure for peer in LHB_PEERS.values() for figure in peer[n]]
        rows.append([n, case["error"], case["rms"], case["phi0"], *peers, case["passed"]])
    columns = [f"{figure}, {peer}" for peer in LHB_PEERS for figure in ("error", "φ₀")]
    page.table(["links", "error", "RMS", "φ₀ (rad)", *columns, "within limit"], rows)
    page.paragraph("error = ‖f - tanh²‖ / N as in the paper; it is not an RMS.", "note")
    _finish(page, report)


def ring(page: Page, say: Say, size: tuple[int, int] | None) -> None:
    """Michell's ring beside theory and peers."""
    page.section("Michell's ring")
    page.paragraph(
        "A ring that is cut, twisted and joined again leaves its plane at θ = 2π√3 EI/GJ. The "
        "threshold is where the growth rate of a small disturbance crosses zero."
    )
    if size:
        model, data = shapes.michell_ring()
        view = camera(centre(data) - [0, 0, 0.25], 3.4, 158, -20)
        page.image(_photograph(model, data, view, size, 0.58), "the buckled ring", "jpeg")
    report = mbi.run(ratios=[0.5, 0.875, 1.25], progress=lambda doing: say(f"  {doing}"))
    rows = [
        [
            case["gj_over_ei"],
            float(case["theta_c"]),
            float(case["theory"]),
            f"{case['theta_c'] / case['theory']:.4f}",
            MBI_FLEX.get(case["gj_over_ei"]),
            case["passed"],
        ]
        for case in report.results
    ]
    header = [
        "GJ/EI",
        "θ (rad)",
        "theory (rad)",
        "ratio",
        "ratio, MuJoCo 4.0.1 flex",
        "within limit",
    ]
    page.table(header, rows)
    _finish(page, report)


def hanging_cable(page: Page, say: Say, size: tuple[int, int] | None) -> None:
    """A cable between a wall and a moving gripper, falling over obstacles."""
    page.section("A cable between a wall and a moving gripper")
    page.paragraph(
        f"{hanging.LENGTH:g} m of rubber cable, {hanging.SEGMENTS} links, falls over a pipe and is "
        f"laid on a box; time step {1e3 * hanging.TIMESTEP:g} ms. Colours: stress, blue to red."
    )
    model = hanging.build()
    depth, pictures, waiting = [], [], list(FRAME_TIMES)
    view = camera((0.88, 0, 0.50), 2.25, 112, -15)
    photographer = Photographer(model, *size) if size else None
    drawing = 0.0

    def watch(data: mujoco.MjData) -> None:
        nonlocal drawing
        depth.append(hanging.depth_in_pipe(model, data))
        if photographer and waiting and data.time >= waiting[0] - 1e-9:
            begin = time.perf_counter()
            now = waiting.pop(0)
            picture = photographer.take(data, view)
            scale = photographer.metres_per_pixel(view.lookat)
            pictures.append((jpeg(annotate(picture, time_text(now), scale)), f"{now:g} s"))
            drawing += time.perf_counter() - begin

    begin = time.perf_counter()
    data = hanging.play(model, watch)
    spent = time.perf_counter() - begin - drawing
    if photographer:
        photographer.__exit__()
        page.frames(pictures)
    say(f"  {data.time:.1f} s simulated in {spent:.1f} s")
    page.paragraph(f"{data.time:.1f} s simulated in {spent:.1f} s on one thread.", "note")
    page.verdict(not data.warning.number.any(), "no warning from MuJoCo")
    allowed = PASS_THROUGH * hanging.RADIUS
    page.verdict(
        max(depth) <= allowed,
        f"the cable stays outside of the pipe: contact depth {1e3 * max(depth):.2f} mm at most "
        f"(radius {1e3 * hanging.RADIUS:g} mm)",
    )


def _finish(page: Page, report: Report) -> None:
    with tempfile.TemporaryDirectory() as folder:
        plot = Path(folder) / "plot.png"
        report.plot(plot)
        page.image(plot.read_bytes(), report.title)
    page.verdict(report.passed, "all cases within the limits")
