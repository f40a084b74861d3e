"""All findings on an installation."""

import sys
from concurrent.futures import ThreadPoolExecutor

from strand import _strand, adapter
from strand.doctor import trials
from strand.doctor.equipment import (
    PLATFORMS,
    examine_films,
    examine_rendering,
    examine_viewer,
)
from strand.doctor.extras import examine_extras
from strand.doctor.finding import Finding, pip
from strand.doctor.trials import Trial
from strand.doctor.wheels import Wheel, examine_wheels, install, recommended, replace, wheels


def examine() -> list[Finding]:
    """Looks at the installation of this Python. Takes some seconds."""
    found = wheels()
    with ThreadPoolExecutor() as pool:
        step = pool.submit(trials.step)
        window = pool.submit(trials.window)
        works = dict(zip(PLATFORMS, pool.map(trials.render, PLATFORMS), strict=True))
    done = step.result()
    imported = done.values["file"] if done.values else None
    findings = [_python(), *examine_wheels(found, imported), *_examine_step(done, found)]
    if done.values is not None:
        findings += [examine_rendering(works), *examine_viewer(window.result())]
    return [*findings, examine_films(), *examine_extras()]


def _python() -> Finding:
    version = ".".join(map(str, sys.version_info[:3]))
    return Finding("Strand", f"{_strand.version} for Python {version} ({sys.executable})")


def _examine_step(step: Trial, found: list[Wheel]) -> list[Finding]:
    """Findings on adapters, and on the attempt to simulate a cable."""
    carried = adapter.carried()
    names = f"for MuJoCo {', '.join(carried)}" if carried else "none in this build"
    if step.values is None:
        return [Finding("adapters", names), *([_no_step(step, found)] if found else [])]
    findings = [
        Finding("adapters", f"{names}; loaded: {step.values['mujoco']}"),
        Finding("a cable", "simulated for one step"),
    ]
    if not step.values["discrete"]:
        findings.append(_no_discrete(step.values["mujoco"]))
    return findings


def _no_step(step: Trial, found: list[Wheel]) -> Finding:
    """The attempt failed. Its message names a command, unless what is installed does not fit."""
    line = f"not simulated: {step.reason}"
    return Finding("a cable", line, "broken", step.mend or replace(found))


def _no_discrete(version: str) -> Finding:
    line = f"MuJoCo {version} has no integrator discrete: long cables cost O(n^3) a step"
    return Finding("speed", line, "missing", pip(*install(recommended())))
