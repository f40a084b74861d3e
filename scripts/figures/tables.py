"""Writes the tables of figures in the documentation from the JSON files in assets/docs/figures.

.venv/bin/python scripts/figures/tables.py          rewrites the tables
.venv/bin/python scripts/figures/tables.py --check  exits with 1 if a page differs from the files
.venv/bin/python scripts/figures/tables.py --list   prints the command that makes each file

A table stands between the comments `<!-- table NAME -->` and `<!-- end of table -->` of a page.
quoted.json has the figures of peers and those of `strand bench native` and `table2`, which need the
peers' environments: they are copied from the output of these commands.
"""

import argparse
import json
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "assets" / "docs" / "figures"
PAGES = (ROOT / "README.md", *sorted((ROOT / "assets" / "docs").glob("*.md")))

_LINKS = "40,60,80,110,140,180"
#: The command that makes each file, without `--json FILE`.
COMMANDS = {
    "lhb.json": f"strand validate lhb --segments {_LINKS}",
    "lhb_smooth.json": f"strand validate lhb --curvature smooth --segments 40,50,{_LINKS[3:]}",
    "lhb_tangent.json": f"strand validate lhb --curvature tangent --segments {_LINKS}",
    "mbi.json": "strand validate mbi",
    "mbi_smooth.json": "strand validate mbi --curvature smooth",
    "mbi_tangent.json": "strand validate mbi --curvature tangent",
    "elastica.json": "strand validate elastica",
    "cantilever.json": "strand validate cantilever",
    "euler.json": "strand validate euler",
    "greenhill.json": "strand validate greenhill",
    "spring.json": "strand validate spring",
    "vibration.json": "strand validate vibration",
    "catenary.json": "strand validate catenary",
    "shells.json": "strand validate shells",
}
_CLOSED_FORMS = ("elastica", "cantilever", "euler", "greenhill", "spring", "vibration", "catenary")
COMMANDS |= {f"{name}_smooth.json": f"strand validate {name} --curvature smooth"
             for name in _CLOSED_FORMS}  # fmt: skip

#: What each validation against a closed form compares with.
THEORIES = {
    "elastica": "tip load to PL²/EI = 10",
    "cantilever": "sag and shortening under own weight, qL³/EI = 5",
    "euler": "π²/4, π², 20.1907, 4π² EI/L²",
    "greenhill": "M²/4EI² = T/EI + (π/L)², TL²/π²EI = -0.5, 0, 1",
    "spring": "one turn, pitch angles 10 to 45°, GJ/EI 0.8 and 1.25",
    "vibration": "bending, modes 1 to 3; torsion (`dynamic` twist), modes 1 to 3; "
    "bending mode 1 in time",
    "catenary": "sag; horizontal force",
}
CLOSED_FORM_LINKS = 40
PEERS = {"adapted_der": "adapted DER", "flex": "flex", "cable": "cable"}


def read(name: str) -> dict[str, Any]:
    """A file of the folder. Raises FileNotFoundError if it is missing."""
    return json.loads((FOLDER / name).read_text())


def results(name: str) -> list[dict[str, Any]]:
    return read(name)["results"]


def markdown(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    first, *rest = (f"| {' | '.join(line)} |".replace("|  |", "| |") for line in (header, *rows))
    return "\n".join([first, "|" + "---|" * len(header), *rest])


def number(value: float | None, digits: int) -> str:
    """Without the zero before the decimal point, as in all tables; empty for None."""
    if value is None:
        return ""
    return re.sub(r"^(-?)0\.", r"\1.", f"{value:.{digits}f}")


def two_digits(value: float) -> str:
    """With two significant digits: 0.10, -12."""
    return f"{value:#.2g}".rstrip(".")


def percent(value: float, digits: int = 2) -> str:
    return f"{100 * value:+.{digits}f} %"


def buckling() -> str:
    """Localized helical buckling: error and peak angle by number of links."""
    ours = {
        "smooth": results("lhb_smooth.json"),
        "angle": results("lhb.json"),
        "tangent": results("lhb_tangent.json"),
    }
    links = [case["segments"] for case in ours["angle"]]
    peers = read("quoted.json")["lhb"]
    rows = []
    for key, digits, name in (("error", 4, "error"), ("phi0", 3, "peak angle")):
        for measure, cases in ours.items():
            values = {case["segments"]: case[key] for case in cases}
            cells = [number(values.get(n), digits) for n in links]
            rows.append([f"**Strand, `{measure}`: {name}**", *cells])
    for key, digits, name in (("error", 4, "error"), ("phi0", 3, "peak angle")):
        for peer, figures in peers.items():
            if key in figures:
                cells = [number(figures[key].get(str(n)), digits) for n in links]
                note = figures.get(f"{key}_note")
                rows.append([f"{PEERS[peer]}{f' ({note})' if note else ''}: {name}", *cells])
    return markdown(["links", *map(str, links)], rows)


TIMES = "\N{MULTIPLICATION SIGN}"
EQUAL_LINKS = 60  #: of `smooth`, whose error the others are to have, too


def equal_accuracy() -> str:
    """Links, and the cost of a step, for the same error in helical buckling."""
    quoted = read("quoted.json")
    costs = quoted["equal_accuracy_step_us"]
    curves = {
        measure: {case["segments"]: case["error"] for case in results(file)}
        for measure, file in (("smooth", "lhb_smooth.json"), ("angle", "lhb.json"))
    }
    for peer in ("flex", "adapted_der"):
        errors = quoted["lhb"][peer]["error"]
        curves[peer] = {int(links): error for links, error in errors.items()}
    error = curves["smooth"][EQUAL_LINKS]
    rows = []
    for name, curve in curves.items():
        cost, ratio = costs[name], costs[name] / costs["smooth"]
        least = "at least " if name == "adapted_der" else ""  # its chain without its plugin
        named = PEERS.get(name, f"**Strand, `{name}`**")
        links = str(round(_links_for(error, curve)))
        rows.append([named, links, f"{least}{cost}", f"{least}{ratio:.1f}"])
    heading = f"error {number(error, 4)} in helical buckling"
    return markdown([heading, "links", "a step in air (µs)", "ratio"], rows)


def _equal_accuracy_summary(costs: dict[str, float]) -> list[str]:
    return [
        f"a step in air at equal accuracy (that of {EQUAL_LINKS} links in helical buckling)",
        "1",
        f"flex {costs['flex'] / costs['smooth']:.1f} {TIMES}, "
        f"adapted DER ≥ {costs['adapted_der'] / costs['smooth']:.1f} {TIMES}",
        "`strand bench native`",
    ]


def _links_for(error: float, curve: dict[int, float]) -> float:
    """Number of links with this error, interpolated between the logarithms of both."""
    links = sorted(curve)
    logs = np.log([[curve[n], n] for n in links])[::-1]  # errors ascend
    return float(np.exp(np.interp(np.log(error), *logs.T)))


def ring() -> str:
    """Michell's ring: deviation of the critical rotation from theory."""
    peers = read("quoted.json")["mbi"]
    deviations, norms = [], []
    for file in ("mbi_smooth.json", "mbi.json", "mbi_tangent.json"):
        cases = results(file)
        errors = sorted({percent(case["relative_error"]) for case in cases})
        deviations.append(errors[0] if len(errors) == 1 else f"{errors[0]} to {errors[-1]}")
        squares = sum((case["theta_c"] - case["theory"]) ** 2 for case in cases)
        norms.append(f"{squares**0.5 / len(cases):.2g}".replace("0.", ".", 1))
    ours = (f"Strand, `{measure}`" for measure in ("smooth", "angle", "tangent"))
    header = ["", *ours, *(PEERS[peer] for peer in peers)]
    return markdown(
        header,
        [
            ["deviation from theory, each", *deviations, *(p["deviation"] for p in peers.values())],
            [f"‖θ - θc‖ / {len(cases)} (rad)", *norms, *(p["norm"] for p in peers.values())],
        ],
    )


def closed_forms() -> str:
    """Validations against closed forms: errors at 40 links, and the range of fitted orders."""
    rows = []
    for name, theory in THEORIES.items():
        plain, smooth = (_closed_form(name, file) for file in (f"{name}", f"{name}_smooth"))
        rows.append([f"`{name}`", theory, *plain, *smooth])
    error = f"error at {CLOSED_FORM_LINKS} links"
    header = ["`strand validate`", "theory", error, "fitted order", "`smooth`", "fitted order"]
    return markdown(header, rows)


def _closed_form(name: str, file: str) -> tuple[str, str]:
    """Error and order of one validation."""
    cases = results(f"{file}.json")
    errors = [abs(case["error"]) for case in cases if case.get("segments") == CLOSED_FORM_LINKS]
    words = ""
    if name in ("elastica", "spring"):  # one figure for all loads or springs
        errors, words = [max(errors)], " (largest)"
    orders = sorted({f"{case['slope']:.1f}" for case in cases if "slope" in case})
    order = orders[0] if len(orders) == 1 else f"{orders[0]} to {orders[-1]}"
    return f"{', '.join(two_digits(100 * error) for error in errors)} %{words}", order


def shells() -> str:
    """Shells: error on the finest mesh with either bending model."""
    finest: dict[str, dict[str, dict]] = {}
    for case in results("shells.json"):  # meshes from coarse to fine
        finest.setdefault(case["benchmark"], {})[case["bending"]] = case
    rows = []
    for name, cases in finest.items():
        cells = []
        for case in (cases["mid_edge"], cases["hinge"]):
            error = case["error"]
            words = "no equilibrium" if error is None else f"{two_digits(100 * error)} %"
            cells.append(words if case["can"] == "yes" else f"({words})")
        rows.append([name, str(cases["mid_edge"]["rows"]), *cells])
    return markdown(["benchmark", "rows", "mid-edge normals", "hinges"], rows)


def sag() -> str:
    """Sag of a heavy cantilever beside MuJoCo's own cable and flex."""
    quoted = read("quoted.json")
    errors, notes = quoted["native_sag_error"], quoted["native_notes"]
    links = list(errors["strand"])
    rows = []
    for peer, by_links in errors.items():
        name = "**Strand**" if peer == "strand" else f"{peer} ({notes[peer]})"
        rows.append([name, *(_sag_error(peer, by_links[n]) for n in links)])
    heading = "sag of a heavy cantilever, error of the tip's deflection"
    return markdown([heading, f"{links[0]} links", *links[1:]], rows)


def _sag_error(peer: str, error: float) -> str:
    return percent(error, 1 if peer == "cable" else 2)


def _buckling_summary() -> list[str]:
    links = 60
    cells = []
    for measure, file in (("smooth", "lhb_smooth.json"), ("angle", "lhb.json")):
        (case,) = (case for case in results(file) if case["segments"] == links)
        cells.append(f"{number(case['error'], 4)} / {number(case['phi0'], 3)} (`{measure}`)")
    peers = [
        f"{PEERS[peer]} {number(figures['error'][str(links)], 4)} / "
        f"{number(figures['phi0'][str(links)], 3)}"
        for peer, figures in read("quoted.json")["lhb"].items()
        if "phi0" in figures
    ]
    return [
        f"helical buckling, {links} links: error / peak angle (.93 with many links)",
        ", ".join(cells),
        ", ".join(peers),
        "`strand validate lhb`",
    ]


def summary() -> str:
    """The README's figures, each with the command that prints it."""
    quoted = read("quoted.json")
    errors = [abs(case["relative_error"]) for case in results("mbi.json")]
    sags = {
        peer: by_links[str(CLOSED_FORM_LINKS)]
        for peer, by_links in quoted["native_sag_error"].items()
    }
    peers = ", ".join(
        f"{name} {_sag_error(peer, sags[peer])}"
        for peer, name in (("cable", "MuJoCo 3 cable"), ("flex", "flex"))
    )
    ring_peer = quoted["mbi"]["flex"]["deviation"].replace("+", "")
    smooth = max(abs(case["relative_error"]) for case in results("mbi_smooth.json"))
    rows = [
        _buckling_summary(),
        [
            f"Michell's ring: critical rotation, {len(errors)} ratios GJ/EI, off theory",
            f"{100 * smooth:.2f} % (`smooth`), {100 * max(errors):.2f} % (`angle`)",
            f"MuJoCo flex {ring_peer}",
            "`strand validate mbi`",
        ],
        [
            f"sag of a heavy cantilever, {CLOSED_FORM_LINKS} links",
            _sag_error("strand", sags["strand"]),
            peers,
            "`strand bench native`",
        ],
        _equal_accuracy_summary(quoted["equal_accuracy_step_us"]),
        ["DisMech's experiments, CPU time", "1", quoted["table2"], "`strand bench table2`"],
    ]
    return markdown(["figure", "Strand", "peers", "command"], rows)


TABLES: dict[str, Callable[[], str]] = {
    "buckling": buckling,
    "equal accuracy": equal_accuracy,
    "ring": ring,
    "closed forms": closed_forms,
    "shells": shells,
    "sag": sag,
    "summary": summary,
}

_TABLE = re.compile(r"(<!-- table (.+?) -->\n).*?(<!-- end of table -->)", re.DOTALL)


def rewritten(text: str) -> str:
    """The text of a page with its tables made anew. Raises KeyError for an unknown table."""
    return _TABLE.sub(lambda found: f"{found[1]}\n{TABLES[found[2]]()}\n\n{found[3]}", text)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing; 1 if a page differs")
    parser.add_argument("--list", action="store_true", help="print the commands and stop")
    options = parser.parse_args()
    if options.list:
        for name, command in COMMANDS.items():
            print(f"{command} --json {(FOLDER / name).relative_to(ROOT)}")
        return 0
    changed = 0
    for page in PAGES:
        text = page.read_text()
        if (new := rewritten(text)) != text:
            changed += 1
            print(f"{page.relative_to(ROOT)}: {'differs' if options.check else 'rewritten'}")
            if not options.check:
                page.write_text(new)
    return int(options.check and changed > 0)


if __name__ == "__main__":
    sys.exit(main())
