"""How the error of a chain falls with its number of links: judgement, order, plot."""

import numpy as np

TOLERANCE, JUDGED_FROM = 0.01, 40  # relative error, from so many links on
LEAST_ORDER = 1.8  # the chains are of second order
#: Links from which the order is fitted: coarser chains have higher orders mixed in.
FITTED_FROM = 20
#: Errors below this tell nothing of an order: MuJoCo's constraints give way by about as much, and
#: finite differences are good to 1e-9.
NOISE = 1e-6

SIZES = (10, 20, 40, 80)  # links

#: What decides whether a case passed, in words.
JUDGED = (
    f"|error| <= tolerance of theory, from {JUDGED_FROM} links on; slope, the order of the error,"
    " >= least, over three sizes or more"
)


def judge(error: float, segments: int) -> dict:
    """The part of a case that judges its relative error."""
    judged = segments >= JUDGED_FROM
    return {
        "error": float(error),
        "tolerance": TOLERANCE if judged else None,
        "passed": bool(abs(error) <= TOLERANCE) if judged else None,
    }


def compare(found: float, theory: float, segments: int) -> dict:
    """The part of a case that compares a figure with theory."""
    figures = {"found": float(found), "theory": float(theory)}
    return figures | judge(found / theory - 1, segments)


def telling(results: list[dict]) -> dict[int, float]:
    """Size and error of the cases that tell an order."""
    return {
        case["segments"]: abs(case["error"])
        for case in results
        if case["segments"] >= FITTED_FROM and abs(case["error"]) > NOISE
    }


def order(results: list[dict]) -> float:
    """p of error ~ n^-p, fitted over the cases that tell it, two or more."""
    told = telling(results)
    return float(-np.polyfit(np.log(list(told)), np.log(list(told.values())), 1)[0])


def series(results: list[dict], *keys: str) -> list[tuple[dict, list[dict]]]:
    """Cases that differ in nothing of `keys`, with what they share, in order of appearance."""
    found: dict[tuple, list[dict]] = {}
    for case in results:
        found.setdefault(tuple(case[key] for key in keys), []).append(case)
    return [(dict(zip(keys, values, strict=True)), cases) for values, cases in found.items()]


def slopes(results: list[dict], *keys: str) -> list[dict]:
    """One further case per series: the order of its error, where two sizes or more tell one.

    Three sizes judge it: two may lie where a next order still shows.
    """
    rows = []
    for shared, cases in series(results, *keys):
        sizes = len(telling(cases))
        if sizes < 2:
            continue
        slope = order(cases)
        passed = bool(slope >= LEAST_ORDER) if sizes > 2 else None
        rows.append({**shared, "slope": slope, "least": LEAST_ORDER, "passed": passed})
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
