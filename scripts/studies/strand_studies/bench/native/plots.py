"""Draws the comparison: one panel per case."""

from collections.abc import Sequence
from typing import Any

from strand.draw.plotting import COLORS
from strand_studies.bench.native.models import ONE_TREE
from strand_studies.bench.native.stability import Curve

_PEERS = ("strand", ONE_TREE, "cable", "flex")
_COLOR = dict(zip(_PEERS, COLORS, strict=False))


def draw(figure: Any, rows: list[dict], curves: Sequence[Curve]) -> None:
    """Draws the panels. The case "stability" is drawn from `curves`, not from its rows."""
    panels = []
    if any(row["case"] == "accuracy" for row in rows):
        panels.append(lambda axes: _draw_accuracy(axes, rows))
    if any(row["case"] == "cost" for row in rows):
        panels.append(lambda axes: _draw_cost(axes, rows))
    if curves:
        panels.append(lambda axes: _draw_stability(axes, curves))
    figure.set_size_inches(5.5 * len(panels), 4.6)
    axes = figure.subplots(1, len(panels), squeeze=False)[0]
    for panel, place in zip(panels, axes, strict=True):
        panel(place)


def _lines(rows: list[dict], value: str, **wanted: Any) -> dict[str, tuple[list, list]]:
    """(links, |value|) by peer, of the rows with the values `wanted`."""
    found: dict[str, tuple[list, list]] = {}
    for row in rows:
        if all(row.get(name) == one for name, one in wanted.items()):
            sizes, values = found.setdefault(row["peer"], ([], []))
            sizes.append(row["segments"])
            values.append(abs(row[value]))
    return found


def _draw_accuracy(axes: Any, rows: list[dict]) -> None:
    for peer, line in _lines(rows, "sag_error", case="accuracy").items():
        axes.loglog(*line, "o-", color=_COLOR[peer], label=peer)
    axes.set(xlabel="links n", ylabel="relative error of the sag")
    axes.legend()


def _draw_cost(axes: Any, rows: list[dict]) -> None:
    for scene, style in (("air", "o-"), ("arm", "^:"), ("floor", "s--")):
        for peer, line in _lines(rows, "step_us", case="cost", scene=scene).items():
            axes.loglog(*line, style, color=_COLOR[peer], label=f"{peer}, {scene}")
    axes.set(xlabel="links n", ylabel="a step (µs)")
    axes.legend(fontsize=7)


def _draw_stability(axes: Any, curves: Sequence[Curve]) -> None:
    for curve in curves:
        if not curve.errors:
            continue
        axes.loglog(
            [1e3 * step for step in curve.steps],
            curve.errors,
            "o-" if curve.young < 1e8 else "s--",
            color=_COLOR[curve.peer],
            alpha=1.0 if curve.relaxation else 0.45,
            label=f"{curve.peer}, {curve.young:g} Pa{'' if curve.relaxation else ', undamped'}",
        )
    axes.set(xlabel="time step (ms), to the largest stable one", ylabel="motion error (of L)")
    axes.legend(fontsize=6)
