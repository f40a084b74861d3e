"""The published scenes of Jitosho et al. (ICRA 2021), in SI units, for any number of bodies.

Their program uses mm, and kg mm/s^2 for forces; lengths of the cluttered scene are in inches of
1 m / 39.3701. `compat` selects the step of the published code: one quadratic program, explicit
bending, the normals of faces at corners, and contact at pins and the tip only. The default is the
converged step, which satisfies the constraints of joints and gaps anywhere along the robot.
"""

from typing import Any

import numpy as np

from strand.errors import StrandError
from strand.vine import robot as vine
from strand.vine.robot import Robot

MM, INCH = 1e-3, 1 / 39.3701  #: m
KG_MM2 = 1e-6  #: kg m^2; also the factor of stiffness and damping
#: Lower left corners and sizes of the cluttered scene's boxes (inches).
CLUTTER = (
    (5.5, -5, 4, 7),
    (4, -17, 7, 5),
    (13.5, -17, 8, 6),
    (13.5, -30, 4, 5),
    (20.5, -30, 4, 5),
    (13.5, -30, 10, 1),
)
COMPAT: dict[str, Any] = {
    "mode": "single_qp",
    "implicit_bending": False,
    "corner_normal": "published",
    "segment_contact": False,
}

OSCILLATING_HALF_LENGTH = 16.845 * MM  #: of ten bodies
#: Growth into a wall: rest heading (rad); the wall's centre (m), angle (rad), length and width (m).
WALL_HEADING = 1.31
WALL = ((248.8899876704202 * MM, 356.2826607726847 * MM), 0.02356982151598591, 0.5022832775, 0.03)
WALL_STEPS, WALL_RATE = 180, 40 * MM

RUNTIME_STEPS, RUNTIME_RATE = 399, 40 * MM  #: m/s, growth of the total length
CLUTTERED_STEPS, CLUTTERED_RATE = 269, 205 * MM
OSCILLATION_STEPS = 300


def runtime(bodies: int = 30, compat: bool = False) -> Robot:
    """A robot of 400 mm along x that grows against a circle."""
    pairs = pairs_of(bodies)
    chain = vine.chain(
        pairs, 100 / pairs * MM, 1e-3, 200 * KG_MM2, stiffness=5e5 * KG_MM2, damping=30 * KG_MM2
    )
    circle = vine.circle((470 * MM, 25 * MM), 60 * MM)
    return Robot(chain, [circle], dt=0.01, diameter=24 * MM, **options(compat))


def cluttered(bodies: int = 50, compat: bool = False) -> Robot:
    """A robot of 300 mm, 52 degrees downwards, that grows among boxes. The paper has 40 bodies."""
    pairs = pairs_of(bodies)
    chain = vine.chain(
        pairs,
        75 / pairs * MM,
        2e-3,
        5 * KG_MM2,
        stiffness=3e4 * KG_MM2,
        damping=10 * KG_MM2,
        heading=-np.radians(52),
    )
    boxes = [vine.box(np.array(box[:2]) * INCH, np.array(box[2:]) * INCH) for box in CLUTTER]
    return Robot(chain, boxes, dt=1 / 90, diameter=15 * MM, **options(compat))


def oscillation(bodies: int = 10, compat: bool = False) -> Robot:
    """A bent cantilever that is released. With ten bodies, pair i = 1, 2, ... starts at a heading
    of 0.05 i (rad)."""
    pairs = pairs_of(bodies)
    half_length = OSCILLATING_HALF_LENGTH * 5 / pairs
    chain = vine.chain(
        pairs, half_length, 1e-3, 200 * KG_MM2, stiffness=5e5 * KG_MM2, damping=30 * KG_MM2
    )
    headings = 0.05 * 5 / pairs * np.arange(1, pairs + 1)
    return Robot(chain, dt=0.01, q=placed(headings, half_length), **options(compat))


def wall(bodies: int = 10, compat: bool = False) -> Robot:
    """A robot that grows to a wall and along it, with the initial K and C of the published fit.

    The film used for that fit begins when the tip already touches; here the tip comes from below.
    """
    pairs = pairs_of(bodies)
    half_length = OSCILLATING_HALF_LENGTH * 5 / pairs
    chain = vine.chain(
        pairs,
        half_length,
        1e-3,
        200 * KG_MM2,
        stiffness=5e4 * KG_MM2,
        damping=10 * KG_MM2,
        heading=WALL_HEADING,
    )
    start = placed(np.full(pairs, WALL_HEADING), half_length, 1.9 * half_length)
    given: dict[str, Any] = {"dt": 1 / 90, "diameter": 24 * MM, "q": start}
    return Robot(chain, [vine.rotated_box(*WALL)], **given, **options(compat))


def placed(headings: np.ndarray, half_length: float, extension: float | None = None) -> np.ndarray:
    """Positions of the bodies of a chain that starts at the origin, (n, 3): x, y (m), heading
    (rad).

    headings: one per pair (rad). half_length: of a body (m). extension: distance of the centres of
    a pair's bodies (m); default: 2 half_length, bodies end to end.
    """
    extension = 2 * half_length if extension is None else extension
    along = np.column_stack([np.cos(headings), np.sin(headings)])
    starts = (2 * half_length + extension) * (np.cumsum(along, axis=0) - along)
    first = starts + half_length * along
    centres = np.stack([first, first + extension * along], axis=1).reshape(-1, 2)
    return np.column_stack([centres, np.repeat(headings, 2)])


def pairs_of(bodies: int) -> int:
    if bodies < 2 or bodies % 2 or bodies > 20_000:
        raise StrandError(f"bodies: got {bodies}, allowed: even numbers from 2 to 20000")
    return bodies // 2


def options(compat: bool) -> dict[str, Any]:
    return COMPAT if compat else {}
