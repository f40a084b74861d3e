"""The film and the pictures of a run."""

from pathlib import Path

import mujoco
import numpy as np

from strand.draw.picture import annotate, time_text
from strand.draw.rod_render import film, save_png
from strand.draw.stage import Photographer, camera, choose_platform
from strand.errors import StrandError
from strand.io.files import make_directory
from strand_studies.manipulation.scene import Scene

FPS = 25  #: of the film, in simulated time
STILLS = 8  #: pictures of a run


class Pictures:
    """Watches a run: takes pictures at regular times, and a film. Without paths it does nothing.

    Raises StrandError, before the run, if pictures cannot be drawn or written.
    """

    def __init__(
        self, scene: Scene, size: tuple[int, int], video: Path | None, frames: Path | None
    ) -> None:
        self._scene, self._size, self._video, self._frames = scene, size, video, frames
        self._taken: list[np.ndarray] = []
        self._stills = 0
        self._photographer: Photographer | None = None
        self.wanted = video is not None or frames is not None
        if video is not None and (size[0] % 2 or size[1] % 2):
            raise StrandError(f"size: got {size}, allowed: even numbers with a film")
        if frames is not None:
            make_directory("frames", frames)
        if self.wanted:
            choose_platform()

    def __enter__(self) -> "Pictures":
        return self

    def __exit__(self, kind: type | None, *_: object) -> None:
        if self._photographer is not None:
            self._photographer.__exit__()
        if kind is None and self._video is not None:
            film(self._video, self._taken, FPS)

    def watch(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Takes the pictures that are due at the time of `data`."""
        if self._video is not None and data.time * FPS >= len(self._taken) + 1 - 1e-6:
            self._taken.append(self.take(model, data))
        due = self._scene.duration / STILLS * (self._stills + 1)
        if self._frames is not None and data.time >= due - 1e-6:
            save_png(self._frames / f"{self._stills:02}.png", self.take(model, data))
            self._stills += 1

    def take(self, model: mujoco.MjModel, data: mujoco.MjData) -> np.ndarray:
        """A picture (height, width, 3), uint8, with the time and a scale bar."""
        if self._photographer is None:
            self._photographer = Photographer(model, *self._size)
        view = camera(*self._scene.view)
        picture = self._photographer.take(data, view)
        scale = self._photographer.metres_per_pixel(view.lookat)
        return annotate(picture, time_text(round(data.time, 2)), scale)
