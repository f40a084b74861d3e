"""The common style of all plots."""

import io
import os
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from strand.io.files import write_bytes

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COLORS = ("#1f5fa8", "#c8502d", "#2e8b57", "#8a4fa3", "#b8860b", "#4a4a4a")


def _style() -> AbstractContextManager[None]:
    import matplotlib.rcsetup

    return matplotlib.rc_context(
        {
            "axes.grid": True,
            "axes.prop_cycle": matplotlib.rcsetup.cycler(color=COLORS),
            "axes.spines.right": False,
            "axes.spines.top": False,
            "font.size": 10,
            "grid.alpha": 0.3,
            "legend.frameon": False,
        }
    )


def draw_figure(
    draw: Callable[["Figure"], object], size: tuple[float, float] = (9.0, 4.2)
) -> "Figure":
    """A matplotlib figure in the common style, drawn by `draw(figure)`. size: inches."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    with _style():
        figure = Figure(figsize=size, dpi=120, layout="constrained")
        FigureCanvasAgg(figure)
        draw(figure)
    return figure


def save_figure(path: str | os.PathLike, figure: "Figure") -> None:
    """Writes a figure as PNG, completely or not at all."""
    buffer = io.BytesIO()
    with _style():
        figure.savefig(buffer, format="png")
    write_bytes(path, buffer.getvalue())
