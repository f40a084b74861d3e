"""What the window can show."""

import dataclasses

import mujoco

from strand._strand import Film, ViewScene


@dataclasses.dataclass(frozen=True)
class Opened:
    """A model, which is simulated, or on which a film is played."""

    model: mujoco.MjModel
    data: mujoco.MjData
    title: str
    film: Film | None = None

    def scene(self) -> ViewScene:
        """For the window. This object must exist as long as the window."""
        return ViewScene(self.model._address, self.data._address, self.title, self.film)
