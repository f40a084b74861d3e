"""strand doctor: what is installed, what works, and how to mend the rest."""

from typing import TYPE_CHECKING

import typer

from strand.cli.output import JsonFile, report_progress

if TYPE_CHECKING:
    from collections.abc import Sequence

    from strand.doctor.finding import Finding
    from strand.draw.report import Report


def doctor(json: JsonFile = None) -> None:
    """Says what is installed and works, and for each problem the command that mends it.

    Looks at MuJoCo and packages that are in each other's way, adapters, rendering, the viewer,
    films and optional packages, and simulates a step of a cable. Works with a broken MuJoCo, too,
    which it runs in other processes. Exits with 1 if cables cannot be simulated.

    Example: strand doctor --json doctor.json
    """
    from strand.doctor.examination import examine
    from strand.doctor.finding import usable

    with report_progress("doctor"):
        findings = examine()
    for line in _lines(findings):
        typer.echo(line)
    if json:
        _report(findings).write_json(json)
    if not usable(findings):
        raise typer.Exit(1)


def _lines(findings: "Sequence[Finding]") -> list[str]:
    """A line for each finding, then one for each command to type."""
    from strand.doctor.finding import usable

    width = max(len(each.check) for each in findings)
    marks = {"ok": " ", "missing": "-", "problem": "!", "broken": "!"}
    lines = [f"{marks[each.level]} {each.check:{width}}  {each.found}" for each in findings]
    for heading, levels in (("To mend:", "problem broken"), ("If you want it:", "missing")):
        named = [each for each in findings if each.level in levels.split() and each.mend]
        commands = {each.mend: each.check for each in reversed(named)}  # each once
        lines += ["", heading] if named else []
        lines += [f"  {check}: {mend}" for mend, check in reversed(commands.items())]
    verdict = "Cables in MuJoCo can be simulated." if usable(findings) else "Cannot be used."
    return [*lines, "", verdict]


def _report(findings: "Sequence[Finding]") -> "Report":
    from strand.draw.report import Report

    passed = {"ok": True, "missing": None, "problem": None, "broken": False}
    rows = [
        {
            "check": each.check,
            "found": each.found,
            "level": each.level,
            "mend": each.mend,
            "passed": passed[each.level],
        }
        for each in findings
    ]
    return Report("doctor", "Installation", rows)
