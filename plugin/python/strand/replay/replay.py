"""A recorded simulation that any browser plays."""

import dataclasses
import html
import os

import numpy as np

from strand.draw.heat import HeatScale
from strand.errors import StrandError
from strand.io.files import write_text
from strand.io.options import count, read
from strand.replay.camera import Angles, sight
from strand.replay.page import page
from strand.replay.parts import Part

_HEIGHT = 480  # pixels of the frame in a notebook
_ENDINGS = (".html", ".htm")


def check_ending(path: str | os.PathLike) -> None:
    """Raises StrandError unless a page can have this name, so that browsers open it."""
    if not str(path).lower().endswith(_ENDINGS):
        raise StrandError(f"output: got '{path}', allowed: a path that ends in .html")


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class Replay:
    """A recorded simulation, which is turned, zoomed, played and scrubbed in a browser.

    As the last value of a notebook's cell it is shown there. `Recorder` and `record` make it.
    """

    parts: tuple[Part, ...]  #: what is drawn
    times: np.ndarray  #: s, (frames,), from 0
    hold: float  #: s: the last frame stays that long
    angles: Angles  #: of the first view
    title: str = ""
    scale: HeatScale | None = None  #: of the colours, for the legend

    def __repr__(self) -> str:
        return f"<strand.replay.Replay of {len(self.times)} frames, {self.duration:.6g} s>"

    @property
    def duration(self) -> float:
        """Time (s) from the first to the last frame."""
        return float(self.times[-1])

    def html(self) -> str:
        """The page: one file that loads nothing else. Raises StrandError if viser is missing."""
        seen = sight(self.parts, self.angles)
        return page(self.parts, self.times, self.hold, seen, self.title, self.scale)

    def save(self, path: str | os.PathLike) -> None:
        """Writes the page, completely or not at all. Raises StrandError if that fails.

        path: a file that ends in .html.
        """
        check_ending(path)
        write_text(path, self.html())

    def show(self, height: int = _HEIGHT) -> None:
        """Shows it in a notebook. height: pixels (default 480). Raises StrandError elsewhere."""
        read("height", height, count(1))
        try:
            from IPython.display import HTML, display
        except ImportError:
            allowed = 'in a notebook; elsewhere: save("replay.html")'
            raise StrandError(f"show: got no notebook, allowed: {allowed}") from None
        display(HTML(self._frame(height)))

    def _repr_html_(self) -> str:
        return self._frame(_HEIGHT)

    def _frame(self, height: int) -> str:
        page = html.escape(self.html(), quote=True)
        style = "border:1px solid #ddd;width:100%"
        return f'<div><iframe srcdoc="{page}" height="{height}" style="{style}"></iframe></div>'
