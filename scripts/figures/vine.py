"""Draws assets/images/vine.png: a growing robot between boxes, as published.

.venv/bin/python scripts/figures/vine.py
"""

from pathlib import Path

from strand.vine import published
from strand.vine.drawing import Painter

IMAGE = Path(__file__).parents[2] / "assets/images/vine.png"


def main() -> None:
    robot = published.cluttered()
    trajectory = robot.run(published.CLUTTERED_STEPS, published.CLUTTERED_RATE)
    painter = Painter(trajectory.lines, robot.diameter, robot.obstacles)
    touching = robot.line[robot.contacts[:, 0].astype(int) + 1]
    painter.save(IMAGE, robot.line, touching)


if __name__ == "__main__":
    main()
