"""Convergence of a chain with its number of links: sweep, verdict, order of the error, plot."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from strand.draw.report import Report
from strand_studies import relax

TOLERANCE, JUDGED_FROM = 0.01, 40  # relative error, and the number of links from which it applies
LEAST_ORDER = 1.8  # the chains are of second order
#: Measures of curvature whose orders are judged. With those of higher order several small errors
#: remain (ends, loads and inertia on links), whose signs may differ, so that they cancel at some n.
SECOND_ORDER = ("angle", "tangent")
#: Least number of links used to fit the order: coarser chains show higher orders, too.
FITTED_FROM = 20
#: Errors below this are not used to fit an order: MuJoCo's constraints yield by about as much, and
#: finite differences are accurate to 1e-9.
NOISE = 1e-6

SIZES = (10, 20, 40, 80)  # links

#: What decides whether a case passed, in words.
JUDGED = (
    f"|error| <= tolerance of theory, from {JUDGED_FROM} links on; slope, the order of the error,"
    " >= least, over three sizes or more (angle, tangent)"
)


def sweep(
    values: Mapping[str, Any],
    segments: Sequence[int] | None,
    measure: Callable[[Any, int], list[dict]],
    progress: relax.Progress,
) -> list[dict]:
    """The cases that `measure(value, n)` returns for each value and number of links n.

    values: by the name that `progress` shows; segments: numbers of links, default SIZES.
    """
    results = []
    for name, value in values.items():
        for n in segments or SIZES:
            if progress:
                progress(f"{name}, n = {n}" if name else f"n = {n}")
            results += measure(value, n)
    return results


def report(
    name: str,
    title: str,
    results: list[dict],
    keys: tuple[str, ...],
    draw: Callable[[Any, list[dict]], None],
    note: str,
) -> Report:
    """The report of a sweep: its cases, then the order of the error of each series (see `slopes`).

    keys: of the values that tell the series apart; draw(figure, results) plots the cases.
    """
    return Report(
        name,
        title,
        results + slopes(results, *keys),
        lambda figure: draw(figure, results),
        note,
        judged=JUDGED,
    )


def judge(error: float, segments: int) -> dict:
    """The entries of a case that judge its relative error."""
    judged = segments >= JUDGED_FROM
    return {
        "error": float(error),
        "tolerance": TOLERANCE if judged else None,
        "passed": bool(abs(error) <= TOLERANCE) if judged else None,
    }


def compare(found: float, theory: float, segments: int) -> dict:
    """The entries of a case that compare a figure with theory."""
    figures = {"found": float(found), "theory": float(theory)}
    return figures | judge(found / theory - 1, segments)


def fitted_errors(results: list[dict]) -> dict[int, float]:
    """Error by number of links, of the cases to which the order is fitted."""
    return {
        case["segments"]: abs(case["error"])
        for case in results
        if case["segments"] >= FITTED_FROM and abs(case["error"]) > NOISE
    }


def order(results: list[dict]) -> float:
    """p of error ~ n^-p, fitted to `fitted_errors`, which must be two or more."""
    errors = fitted_errors(results)
    return float(-np.polyfit(np.log(list(errors)), np.log(list(errors.values())), 1)[0])


def series(results: list[dict], *keys: str) -> list[tuple[dict, list[dict]]]:
    """Groups cases by their values of `keys`: (values by key, cases), in order of appearance."""
    found: dict[tuple, list[dict]] = {}
    for case in results:
        found.setdefault(tuple(case[key] for key in keys), []).append(case)
    return [(dict(zip(keys, values, strict=True)), cases) for values, cases in found.items()]


def slopes(results: list[dict], *keys: str) -> list[dict]:
    """One further case per series: the order of its error, if two sizes or more can be fitted.

    It is judged from three sizes on: with two, the next order of the error may still show.
    """
    rows = []
    for shared, cases in series(results, *keys):
        sizes = len(fitted_errors(cases))
        if sizes < 2:
            continue
        slope = order(cases)
        second_order = cases[0].get("curvature", "angle") in SECOND_ORDER
        passed = bool(slope >= LEAST_ORDER) if second_order and sizes > 2 else None
        least = LEAST_ORDER if second_order else None
        rows.append({**shared, "slope": slope, "least": least, "passed": passed})
    return rows


def draw(axes, results: list[dict], *keys: str, unit: str = "") -> None:
    """Relative errors against the number of links, with a line of second order."""
    for shared, cases in series(results, *keys):
        sizes = [case["segments"] for case in cases]
        errors = [abs(case["error"]) for case in cases]
        name = ", ".join(f"{value:g}" if isinstance(value, float) else str(value)
                         for value in shared.values())  # fmt: skip
        axes.loglog(sizes, errors, "o-", label=unit + name)
    sizes = np.array(sorted({case["segments"] for case in results}), dtype=float)
    largest = max(abs(case["error"]) for case in results if case["segments"] == sizes[0])
    axes.loglog(sizes, 1.5 * largest * (sizes[0] / sizes) ** 2, color="black", lw=1, ls="--",
                label="second order")  # fmt: skip
    axes.set_xticks(sizes, [f"{n:g}" for n in sizes], minor=False)
    axes.set_xticks([], minor=True)
    axes.set(xlabel="links n", ylabel="relative error")
    axes.legend(fontsize="small")
