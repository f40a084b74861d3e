"""Compares a converted model with the old one."""

import dataclasses
import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np

from strand.errors import StrandError
from strand.legacy import facts as facts_module
from strand.legacy.facts import facts
from strand.legacy.loading import load_model
from strand.legacy.rope import ROPES
from strand.legacy.tree import Tree

VARIABLE = "STRAND_LEGACY_PYTHON"
POSE_TOLERANCE = 1e-9  # m, and for components of quaternions
_ARRAY_TOLERANCE = 1e-7  # relative
_MASS_TOLERANCE = 1e-9  # relative, for flexes: the body of each twist joint has 1e-14 kg
#: Kinds of elements whose names a model with flexes preserves.
_KEPT = ("body", "site", "eq", "tendon", "actuator", "sensor", "text", "mat")


@dataclasses.dataclass
class Comparison:
    """One line of the comparison."""

    what: str
    old: Any
    new: Any
    passed: bool


def check(
    path: str | os.PathLike, python: str | None = None, backend: str = "cable"
) -> list[Comparison]:
    """Compares the old model, loaded by MuJoCo 3 (2 for ropes and loops), with the converted one,
    loaded by the MuJoCo of this process.

    Compares counts, names, initial poses, mass, and properties of joints and geoms; with the flex
    backend only what it preserves: names, initial positions of bodies, mass.

    path: the old model. python: executable of an environment with the old MuJoCo (default: the
    variable STRAND_LEGACY_PYTHON, else the current environment). backend: "cable" (default) or
    "flex".
    """
    compared = compare if backend == "cable" else compare_flex
    return compared(old_facts(path, python), facts(load_model(path, backend=backend)))


def old_facts(path: str | os.PathLike, python: str | None = None, seconds: float = 0.0) -> dict:
    """facts() of the unconverted model, loaded by MuJoCo 3 (2 for ropes and loops).

    Raises StrandError if that MuJoCo is not found or does not load the model.
    """
    wheel = _wheel(path)
    major, allowed = wheel[0], f"a Python with MuJoCo {wheel[0]} (python -m venv old && "
    allowed += f"old/bin/pip install mujoco=={wheel}), by --legacy-python or {VARIABLE}"
    python = python or os.environ.get(VARIABLE) or (sys.executable if _has_cables() else None)
    if not python:
        raise StrandError(f"check: got no MuJoCo {major}, allowed: {allowed}")
    # Absolute, since the command runs in another folder.
    python = os.path.abspath(python) if os.sep in python else python
    version = "import mujoco; print(mujoco.mj_versionString())"
    found = _run([python, "-c", version], f"got {python!r}, allowed: {allowed}").strip()
    if not found.startswith(f"{major}."):
        raise StrandError(f"check: got MuJoCo {found} in {python!r}, allowed: {allowed}")
    script = facts_module.__file__
    command = [python, script, os.path.abspath(path), str(seconds)]
    output = _run(command, f"the original does not load in {python} (MuJoCo {found})")
    return json.loads(output.splitlines()[-1])


def _run(command: list[str], failed: str) -> str:
    """The output of a command. Raises StrandError, which gives the reason, if it fails."""
    folder = Path(facts_module.__file__).parent
    try:
        run = subprocess.run(command, capture_output=True, text=True, cwd=folder)
    except OSError as error:
        raise StrandError(f"check: {failed} ({error})") from None
    if run.returncode:
        reason = run.stderr.strip().splitlines() or ["no message"]
        raise StrandError(f"check: {failed} ({' '.join(reason[-2:])})")
    return run.stdout


def _wheel(path: str | os.PathLike) -> str:
    """The last version of MuJoCo that supports the old elements of the model."""
    composites = Tree(Path(path)).all("composite")
    return "2.3.7" if any(found.get("type") in ROPES for found in composites) else "3.17.0"


def _has_cables() -> bool:
    """True if the MuJoCo of this process still has composites and the old plugin's library."""
    import mujoco

    package = importlib.util.find_spec("mujoco")
    folder = Path(package.origin).parent / "plugin" if package and package.origin else None
    return mujoco.mj_versionString() < "4" and folder is not None and folder.is_dir()


def compare(old: dict, new: dict) -> list[Comparison]:
    """Compares two results of facts(), line by line."""
    lines = [Comparison(key, old[key], new[key], old[key] == new[key]) for key in ("nq", "nv")]
    for kind, names in old["names"].items():
        same = names == new["names"][kind]
        lines.append(Comparison(f"{kind} names", len(names), len(new["names"][kind]), same))
    if old["nq"] != new["nq"] or len(old["pos"]) != len(new["pos"]):
        return lines
    gaps = {"body positions (m)": _gap(old["pos"], new["pos"])}
    gaps["body quaternions"] = _turn(old["quat"], new["quat"])
    lines += [Comparison(k, 0.0, gap, gap <= POSE_TOLERANCE) for k, gap in gaps.items()]
    masses = old["mass"], new["mass"]
    same = abs(masses[0] - masses[1]) <= 1e-12 * masses[0]
    lines.append(Comparison("total mass (kg)", *masses, same))
    wrong = [k for k, sums in old["sums"].items() if not _alike(sums, new["sums"][k])]
    lines.append(Comparison("other arrays that differ", "", ", ".join(wrong), not wrong))
    return lines


def compare_flex(old: dict, new: dict) -> list[Comparison]:
    """Compares two results of facts(), the new one of a model with flexes."""
    lines = []
    for kind in _KEPT:
        names = [name for name in old["names"][kind] if name]
        kept = [name for name in names if name in new["names"][kind]]
        lines.append(Comparison(f"{kind} names", len(names), len(kept), names == kept))
    places = [dict(zip(found["names"]["body"], found["pos"], strict=True)) for found in (old, new)]
    both = [name for name in places[0] if name and name in places[1]]
    gap = _gap(*([place[name] for name in both] for place in places))
    lines.append(Comparison("body positions (m)", 0.0, gap, gap <= POSE_TOLERANCE))
    masses = old["mass"], new["mass"]
    same = abs(masses[0] - masses[1]) <= _MASS_TOLERANCE * masses[0]
    lines.append(Comparison("total mass (kg)", *masses, same))
    return lines


def _gap(old: list, new: list) -> float:
    return float(np.abs(np.subtract(old, new)).max())


def _turn(old: list, new: list) -> float:
    """Largest difference of quaternions; q and -q are the same rotation."""
    same, opposite = np.abs(np.subtract(old, new)), np.abs(np.add(old, new))
    return float(np.minimum(same.max(axis=1), opposite.max(axis=1)).max())


def _alike(old: list[float], new: list[float]) -> bool:
    return bool(np.allclose(old, new, rtol=_ARRAY_TOLERANCE, atol=_ARRAY_TOLERANCE))
