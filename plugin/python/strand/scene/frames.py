"""Frames of films in real time, and their size."""

import numpy as np

from strand.draw.picture import parse_size
from strand.errors import StrandError
from strand.scene.tables import OutputTable

_ROUNDING = 1e-9  #: of a step


def frame_steps(steps: int, dt: float, fps: float) -> list[int]:
    """The steps, 0 to `steps`, after which the frames of a film are taken, in order.

    Frame k is taken after the first step at or after k / fps s, so that the film takes as long as
    the run whatever the ratio of dt to 1 / fps. Steps longer than that occur several times.
    """
    per_frame = 1 / (fps * dt)
    count = int(steps / per_frame + _ROUNDING) + 1
    return np.ceil(np.arange(count) * per_frame - _ROUNDING).astype(int).tolist()


def picture_size(output: OutputTable) -> tuple[int, int]:
    """Width and height (pixels) of the picture and the film.

    Raises StrandError if they are odd and there is a film, whose format allows only even ones.
    """
    width, height = parse_size(output.size)
    if output.film and (width % 2 or height % 2):
        raise StrandError(f"size: got {output.size!r}, allowed with a film: even width and height")
    return width, height
