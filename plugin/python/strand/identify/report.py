"""Results of identification as reports: rows for tables and JSON, and plots."""

from typing import TYPE_CHECKING, Any

import numpy as np

from strand.draw.report import Report
from strand.identify.interval import Estimate

if TYPE_CHECKING:
    from strand.identify.bending import Bend
    from strand.identify.fitting import Fit
    from strand.identify.oscillation import Damping
    from strand.identify.twisting import Twist

JUDGED = "the search ended inside its limits"
JUDGED_FIT = f"{JUDGED}, and the data depend on the parameter"


def _row(name: str, found: Estimate | None, unit: str, **more: Any) -> dict[str, Any]:
    """A row: a quantity, its value and its 95 % interval. Unbounded intervals are left out."""
    values = {} if found is None else {"value": found.value, "low": found.low, "high": found.high}
    finite = {key: float(value) if np.isfinite(value) else None for key, value in values.items()}
    return {"quantity": name, **finite, "unit": unit, **more}


def bend_report(found: "Bend") -> Report:
    """EI of the cable and of each trial, with residuals."""
    rows = [_row("EI", found.EI, "N m^2", rms=found.rms, passed=None)]
    if found.natural_curvature:
        rows.append(_row("natural curvature", found.natural_curvature, "1/m", passed=None))
    for number, trial in enumerate(found.trials):
        name = f"EI, trial {trial.name or number}"
        rows.append(
            _row(name, trial.EI, "N m^2", rms=trial.rms, length=trial.length,
                 passed=not trial.at_limit)
        )  # fmt: skip
    lines = [
        "low, high: 95 % interval. rms: distance of points from the fitted curve (m). "
        f"Method {found.method}."
    ]
    lines += [
        _at_limit(f"EI, trial {trial.name or number}", trial.EI)
        for number, trial in enumerate(found.trials)
        if trial.at_limit
    ]
    if len(found.trials) > 1:
        lines.append(
            f"Scatter of the trials: mean absolute deviation {found.cloud_size:.3f} %, 2-norm over "
            f"their number {found.cloud_size_norm:.3f} %, of the mean."
        )
        rows[0] |= {"cloud_percent": found.cloud_size, "cloud_norm_percent": found.cloud_size_norm}
    return Report(
        "identify bend", "Bending stiffness", rows, lambda figure: _draw_bend(figure, found),
        note="\n".join(lines), size=(11.0, 4.8), judged=JUDGED, reported={},
    )  # fmt: skip


def _at_limit(name: str, EI: Estimate) -> str:
    """What a stiffness at a limit of the search means, and what to do."""
    if np.isinf(EI.high):
        why = "stiffest cable that its weight bends: record a longer piece (golden: more --limit)"
    else:
        why = "softest cable whose shape tells EI: record a shorter piece"
    return f"{name}: at the limit of the search, {EI.value:.4g} N m^2, the {why}."


def _draw_bend(figure: Any, found: "Bend") -> None:
    shapes, distances = figure.subplots(1, 2)
    for number, trial in enumerate(found.trials):
        color = f"C{number % 6}"
        x, up = trial.curve[:, 0], trial.curve[:, -1]
        label = f"trial {trial.name or number}"
        shapes.plot(trial.points[:, 0], trial.points[:, -1], ".", color=color, markersize=4)
        shapes.plot(x, up, color=color, lw=1, label=label)
        place = np.linspace(0, 1, len(trial.residuals))
        distances.plot(place, 1e3 * trial.residuals, ".-", color=color, lw=0.8, label=label)
    shapes.set(xlabel="x (m)", ylabel="up (m)", title=f"EI = {found.EI.value:.4g} N m$^2$")
    shapes.set_aspect("equal", adjustable="datalim")
    shapes.legend(fontsize=8)
    distances.set(xlabel="point / number of points", ylabel="distance from the curve (mm)",
                  title=f"rms {1e3 * found.rms:.3g} mm")  # fmt: skip


def twist_report(found: "Twist") -> Report:
    """GJ/EI by both criteria, for all critical twists and for their mean."""
    rows = []
    for criterion in ("stability", "contact"):
        mean: Estimate | None = getattr(found, criterion)
        if mean is None:
            continue
        cloud, norm = found.cloud_sizes(criterion)
        rows.append(
            _row("GJ/EI", mean, "1", criterion=criterion, cloud_percent=cloud,
                 cloud_norm_percent=norm, passed=True)
        )  # fmt: skip
        each = [("mean", found.at_mean), *enumerate(found.trials)]
        rows += [
            {
                "quantity": f"GJ/EI, twist {name}",
                "value": float(getattr(fit, criterion)),
                "unit": "1",
                "criterion": criterion,
                "twist_deg": float(np.degrees(fit.twist)),
                "passed": True,
            }
            for name, fit in each
        ]
    rows.append(_row("GJ", found.GJ, "N m^2", passed=True))
    note = (
        "stability: the path of equilibria of the turned loop ends at the critical twist. contact: "
        "the released loop touches itself (to 0.01). low, high: 95 % interval over the twists, for "
        "the given EI."
    )
    return Report(
        "identify twist", "Twisting stiffness", rows, lambda figure: _draw_twist(figure, found),
        note=note, judged=JUDGED, reported={},
    )  # fmt: skip


def _draw_twist(figure: Any, found: "Twist") -> None:
    ratios, shape = figure.subplots(1, 2)
    turns = np.degrees([fit.twist for fit in found.trials])
    for criterion, marker in (("stability", "o"), ("contact", "x")):
        if getattr(found, criterion):
            values = [getattr(fit, criterion) for fit in found.trials]
            ratios.plot(turns, values, marker, label=criterion)
    ratios.set(xlabel="critical twist (deg)", ylabel="GJ / EI")
    ratios.legend()
    nodes = found.loop.untwisted
    shape.plot(nodes[:, 0], nodes[:, 2])
    shape.set(xlabel="x / length", ylabel="up / length", title="untwisted loop")
    shape.set_aspect("equal", adjustable="datalim")


def damping_report(found: "Damping") -> Report:
    """Frequency and damping of an oscillation."""
    rows = [
        _row("frequency", found.frequency, "Hz", passed=None),
        _row("damping ratio", found.damping_ratio, "1", passed=not found.grows),
        _row("loss time", found.loss_time, "s", passed=None),
        _row("decay rate", found.decay_rate, "1/s", passed=None),
        {"quantity": "amplitude", "value": found.amplitude, "unit": "of data", "passed": None},
        {"quantity": "offset", "value": found.offset, "unit": "of data", "passed": None},
        {"quantity": "rms of residuals", "value": found.rms, "unit": "of data", "passed": None},
    ]
    note = "low, high: 95 % interval. damping_ratio and loss_time are keys of cable files."
    if found.grows:
        note += "\nThe oscillation grows: the record has more than one mode (--skip), or is driven."
    return Report(
        "identify damping", "Damping", rows, lambda figure: _draw_damping(figure, found),
        note=note, judged="the oscillation does not grow", reported={},
    )  # fmt: skip


def _draw_damping(figure: Any, found: "Damping") -> None:
    motion, rest = figure.subplots(2, 1, sharex=True, height_ratios=(2, 1))
    motion.plot(found.times, found.displacements, ".", markersize=3, label="recorded")
    motion.plot(found.times, found.fitted, lw=1, label="fitted")
    motion.legend()
    motion.set(ylabel="displacement")
    rest.plot(found.times, found.residuals, ".", markersize=3)
    rest.set(xlabel="time (s)", ylabel="residual")


def fit_report(found: "Fit") -> Report:
    """The fitted parameters of a cable."""
    rows = []
    for name, estimate in found.parameters.items():
        known = name not in found.undetermined
        passed = known and name not in found.at_limit
        rows.append(_row(name, estimate, "SI", identifiable=known, passed=passed))
    rows.append({"quantity": "rms", "value": found.rms, "unit": "m", "passed": None})
    lines = [f"low, high: 95 % interval. {found.evaluations} simulations, {found.method}."]
    lines += [
        f"{name}: the data do not depend on it, or only on a combination of it and others: its "
        "interval contains all that was searched."
        for name in found.undetermined
    ]
    return Report(
        "identify fit", "Fitted parameters", rows, lambda figure: _draw_fit(figure, found),
        note="\n".join(lines), judged=JUDGED_FIT, reported={},
    )  # fmt: skip


def _draw_fit(figure: Any, found: "Fit") -> None:
    values, rest = figure.subplots(1, 2)
    for number, name in enumerate(found.columns):
        color = f"C{number % 6}"
        values.plot(found.places, found.measured[:, number], ".", color=color, label=name)
        values.plot(found.places, found.simulated[:, number], color=color, lw=1)
        rest.plot(found.places, found.residuals[:, number], ".-", color=color, lw=0.8, label=name)
    values.set(xlabel=found.place_name, ylabel="m", title="points: recorded; lines: simulated")
    rest.set(xlabel=found.place_name, ylabel="residual (m)")
    values.legend()
