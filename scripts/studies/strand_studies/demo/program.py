"""The demonstration: python -m strand_studies.demo --out DIR writes DIR/report.html."""

import argparse
import os
import platform
import sys
import time
from pathlib import Path

import strand
from strand.draw.picture import SIZE, parse_size
from strand.draw.stage import can_render
from strand.io.files import write_text
from strand_studies.demo import chapters
from strand_studies.demo.page import Page

CHAPTERS = ("cables", "buckling", "ring", "hanging")


def run(out: Path, names: list[str], size: tuple[int, int] = SIZE) -> bool:
    """Writes `out`/report.html with the named chapters. Returns whether all verdicts are good.

    size: of its largest pictures, in pixels.
    """
    begin = time.perf_counter()

    def say(text: str) -> None:
        print(f"[{time.perf_counter() - begin:5.1f} s] {text}", flush=True)

    out.mkdir(parents=True, exist_ok=True)
    draw = can_render()
    page = Page(
        "Strand: the demonstration",
        f"strand {strand.__version__}, MuJoCo {strand.mujoco_version}, Python "
        f"{platform.python_version()}, {platform.system()} {platform.machine()}, "
        f"rendering: {os.environ.get('MUJOCO_GL') or 'default'}",
    )
    if not draw:
        say("OpenGL does not work here (tried MUJOCO_GL): the report has no rendered frames")
        page.paragraph("Neither EGL nor OSMesa works on this machine: no rendered frames.", "no")
    for name in names:
        say({"hanging": "a cable between a wall and a gripper"}.get(name, name))
        _chapter(name, page, say, size if draw else None)
    page.paragraph(f"Made in {time.perf_counter() - begin:.0f} s.", "note")
    report = out / "report.html"
    write_text(report, page.to_html())
    say(f"{'all good' if page.passed else 'NOT ALL GOOD'}: {report}")
    return page.passed


def _chapter(name: str, page: Page, say, size: tuple[int, int] | None) -> None:
    if name == "cables":
        chapters.cables(page, say)
    elif name == "buckling":
        chapters.buckling(page, say, size)
    elif name == "ring":
        chapters.ring(page, say, size)
    else:
        chapters.hanging_cable(page, say, size)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m strand_studies.demo", description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("out/demo"), help="folder of the report")
    parser.add_argument(
        "--chapters", nargs="+", choices=CHAPTERS, default=list(CHAPTERS), help="only these"
    )
    parser.add_argument(
        "--size", type=parse_size, default=SIZE, metavar="WxH", help="of pictures, as 1280x960"
    )
    arguments = parser.parse_args()
    sys.exit(0 if run(arguments.out, arguments.chapters, arguments.size) else 1)
