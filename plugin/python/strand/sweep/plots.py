"""Plots of sweeps: curves, maps, and matrices of scatter plots."""

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from strand.draw.plotting import draw_figure, save_figure
from strand.errors import StrandError
from strand.sweep.result import Result

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_MOST = 6  #: parameters in a matrix
_MOST_CURVES = 8
_SPREAD = 20.0  #: ratio of largest to smallest value from which an axis is logarithmic


def save_plot(path: str | os.PathLike, result: Result, name: str | None = None) -> None:
    """Writes a plot of a result as PNG: a curve over one parameter, a map over two, or a matrix of
    scatter plots over more. Parameters that have one value only are left out.

    name: of the result; None (default): the first one.

    Raises StrandError if there is nothing to plot, or no such result.
    """
    table = result.table
    chosen = _chosen(result, name)
    varied = [each for each in result.parameters if len({*map(str, table[each])}) > 1]
    if not varied:
        raise StrandError(f"plot: got '{path}', allowed: with two or more values of a parameter")
    axes = {each: _Axis(each, table[each]) for each in varied}
    values = table[chosen]
    with_values = np.isfinite(values)
    if not with_values.any():
        raise StrandError(f"plot: got '{chosen}' without a finite value, allowed: some")

    def draw(figure: "Figure") -> None:
        if len(varied) == 1:
            _curve(figure, axes[varied[0]], values, chosen, with_values)
        elif len(varied) == 2:
            _map(figure, axes[varied[0]], axes[varied[1]], values, chosen, with_values)
        else:
            _matrix(figure, list(axes.values())[:_MOST], values, chosen, with_values)

    size = (6.4, 4.2) if len(varied) < 3 else (9.0, 8.0)
    save_figure(path, draw_figure(draw, size))


def _chosen(result: Result, name: str | None) -> str:
    if not result.results:
        raise StrandError("plot: got a sweep without results, allowed: one point or more with some")
    if name is not None and name not in result.results:
        raise StrandError(f"plot_result: got {name!r}, allowed: {', '.join(result.results)}")
    return name or result.results[0]


class _Axis:
    """A parameter as an axis: numbers, or places 0, 1, ... of other values."""

    def __init__(self, name: str, values: np.ndarray) -> None:
        self.name = name
        self.labels: list[str] = []
        if values.dtype.kind in "if":
            self.places = values.astype(float)
        else:
            texts, places = np.unique([str(value) for value in values], return_inverse=True)
            self.labels, self.places = texts.tolist(), places.astype(float)
        low, high = self.places.min(), self.places.max()
        self.is_log = not self.labels and low > 0 and high / low > _SPREAD

    def borders(self, places: np.ndarray) -> np.ndarray:
        """The borders (n + 1,) of cells around increasing places (n,)."""
        places = np.log(places) if self.is_log else places
        inner = (places[1:] + places[:-1]) / 2
        outer = 2 * places[0] - inner[0], 2 * places[-1] - inner[-1]
        borders = np.array([outer[0], *inner, outer[1]])
        return np.exp(borders) if self.is_log else borders

    def set(self, axes: "Axes", which: str) -> None:
        getattr(axes, f"set_{which}label")(self.name)
        if self.labels:
            getattr(axes, f"set_{which}ticks")(range(len(self.labels)), self.labels)
        elif self.is_log:
            getattr(axes, f"set_{which}scale")("log")


def _curve(
    figure: "Figure", along: _Axis, values: np.ndarray, name: str, finite: np.ndarray
) -> None:
    axes = figure.add_subplot()
    order = np.argsort(along.places[finite], kind="stable")
    axes.plot(along.places[finite][order], values[finite][order], "o-", markersize=4)
    along.set(axes, "x")
    axes.set_ylabel(name)


def _map(
    figure: "Figure", x: _Axis, y: _Axis, values: np.ndarray, name: str, finite: np.ndarray
) -> None:
    """Cells for a complete grid, otherwise points."""
    axes = figure.add_subplot()
    columns, column = np.unique(x.places, return_inverse=True)
    rows, row = np.unique(y.places, return_inverse=True)
    grid = np.full((len(rows), len(columns)), np.nan)
    grid[row[finite], column[finite]] = values[finite]
    drawn: Any
    if grid.size <= 2 * len(values):  # of random values hardly any two are in the same row
        axes.grid(False)
        drawn = axes.pcolormesh(x.borders(columns), y.borders(rows), grid)
    else:
        drawn = axes.scatter(x.places[finite], y.places[finite], c=values[finite], s=25)
    x.set(axes, "x")
    y.set(axes, "y")
    figure.colorbar(drawn, ax=axes, label=name)


def _matrix(
    figure: "Figure", along: Sequence[_Axis], values: np.ndarray, name: str, finite: np.ndarray
) -> None:
    """The parameters against each other, and the result against each of them in the last row."""
    count = len(along)
    grid = figure.subplots(count, count, squeeze=False, sharex="col")
    color = values[finite]
    for i in range(count):
        for j, x in enumerate(along):
            axes = grid[i, j]
            if j > i:
                axes.set_axis_off()
                continue
            y = along[i + 1] if i + 1 < count else None
            heights = color if y is None else y.places[finite]
            drawn = axes.scatter(x.places[finite], heights, c=color, s=9)
            x.set(axes, "x")
            if y is not None:
                y.set(axes, "y")
            else:
                axes.set_ylabel(name)
            if not (x.is_log or x.labels):
                axes.locator_params(axis="x", nbins=4)
            axes.label_outer()
    figure.colorbar(drawn, ax=grid.ravel().tolist(), label=name)
