"""One look for every plot."""

import io
import os
from collections.abc import Callable
from pathlib import Path

import matplotlib

from strand.files import write_bytes

COLORS = ("#1f5fa8", "#c8502d", "#2e8b57", "#8a4fa3", "#b8860b", "#4a4a4a")

_STYLE = {
    "axes.grid": True,
    "axes.prop_cycle": matplotlib.cycler(color=COLORS),
    "axes.spines.right": False,
    "axes.spines.top": False,
    "font.size": 10,
    "grid.alpha": 0.3,
    "legend.frameon": False,
}


def save_figure(
    path: str | os.PathLike, draw: Callable, size: tuple[float, float] = (9.0, 4.2)
) -> None:
    """Writes what `draw(figure)` draws as PNG, whole or not at all."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    with matplotlib.rc_context(_STYLE):
        figure = Figure(figsize=size, dpi=120, layout="constrained")
        FigureCanvasAgg(figure)
        draw(figure)
        buffer = io.BytesIO()
        figure.savefig(buffer, format="png")
    write_bytes(Path(path), buffer.getvalue())
