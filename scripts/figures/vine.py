"""Draws assets/images/vine.png: the published growing robot between boxes.

.venv/bin/python scripts/figures/vine.py [FILE.png] [--size 900x960]
"""

import argparse
from pathlib import Path

from strand.draw.picture import parse_size
from strand.vine import published
from strand.vine.drawing import Painter

IMAGE = Path(__file__).parents[2] / "assets/images/vine.png"


SIZE = (900, 960)  # pixels


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", nargs="?", type=Path, default=IMAGE)
    parser.add_argument("--size", type=parse_size, default=SIZE, metavar="WxH")
    options = parser.parse_args()
    robot = published.cluttered()
    trajectory = robot.run(published.CLUTTERED_STEPS, published.CLUTTERED_RATE)
    painter = Painter(trajectory.lines, robot.diameter, robot.obstacles, options.size)
    painter.save(options.file, robot.line, robot.contacts, robot.time)


if __name__ == "__main__":
    main()
