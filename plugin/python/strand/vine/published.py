"""The published scenes of Jitosho et al. (ICRA 2021), in SI units, for any number of bodies.

Their program gives lengths in mm, forces in kg mm/s^2; its lengths of the cluttered scene are
inches of 1 m / 39.3701. `compat`: their step, one quadratic program with explicit bending and the
normals of faces at corners; otherwise the default, which holds joints and gaps.
"""

import numpy as np

from strand.errors import StrandError
from strand.vine import robot as vine
from strand.vine.robot import Robot

MM, INCH = 1e-3, 1 / 39.3701  #: m
KG_MM2 = 1e-6  #: kg m^2; of stiffness and damping, too
#: Lower left corners and sizes of the cluttered scene's boxes (inches).
CLUTTER = (
    (5.5, -5, 4, 7),
    (4, -17, 7, 5),
    (13.5, -17, 8, 6),
    (13.5, -30, 4, 5),
    (20.5, -30, 4, 5),
    (13.5, -30, 10, 1),
)
COMPAT = {"mode": "single_qp", "implicit_bending": False, "corner_normal": "published"}

RUNTIME_STEPS, RUNTIME_RATE = 399, 40 * MM  #: m/s, of the whole length
CLUTTERED_STEPS, CLUTTERED_RATE = 269, 205 * MM
OSCILLATION_STEPS = 300


def runtime(bodies: int = 30, compat: bool = False) -> Robot:
    """400 mm along x, which grows against a circle."""
    pairs = pairs_of(bodies)
    chain = vine.chain(
        pairs, 100 / pairs * MM, 1e-3, 200 * KG_MM2, stiffness=5e5 * KG_MM2, damping=30 * KG_MM2
    )
    circle = vine.circle((470 * MM, 25 * MM), 60 * MM)
    return Robot(chain, [circle], dt=0.01, diameter=24 * MM, **options(compat))


def cluttered(bodies: int = 50, compat: bool = False) -> Robot:
    """300 mm downwards at 52 degrees, which grows through boxes. The paper says 40 bodies."""
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
    """A bent cantilever that is let go: pair i, from 1, starts at a heading of .05 i."""
    pairs = pairs_of(bodies)
    half_length = 16.845 * MM * 5 / pairs
    chain = vine.chain(
        pairs, half_length, 1e-3, 200 * KG_MM2, stiffness=5e5 * KG_MM2, damping=30 * KG_MM2
    )
    headings = np.repeat(0.05 * 5 / pairs * np.arange(1, pairs + 1), 2)
    return Robot(chain, dt=0.01, q=straight_bodies(headings, half_length), **options(compat))


def straight_bodies(headings: np.ndarray, half_length: float) -> np.ndarray:
    """Bodies end to end from the origin, (n, 3): x, y (m), heading (rad)."""
    along = half_length * np.column_stack([np.cos(headings), np.sin(headings)])
    ends = np.cumsum(2 * along, axis=0)
    return np.column_stack([ends - along, headings])


def pairs_of(bodies: int) -> int:
    if bodies < 2 or bodies % 2 or bodies > 20_000:
        raise StrandError(f"bodies: got {bodies}, allowed: even numbers from 2 to 20000")
    return bodies // 2


def options(compat: bool) -> dict:
    return COMPAT if compat else {}
