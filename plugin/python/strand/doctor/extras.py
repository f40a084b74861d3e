"""Findings on optional packages."""

from typing import NamedTuple

from strand import warp_versions
from strand.doctor import trials
from strand.doctor.finding import Finding, pip
from strand.doctor.wheels import OWNERS, installed


class Extra(NamedTuple):
    """Optional packages, and pip's arguments that install them."""

    purpose: str
    packages: tuple[str, ...]
    installs: tuple[tuple[str, ...], ...]


#: Packages that require `mujoco` are installed without it, which would overwrite `mujoco-core`.
EXTRAS = (
    Extra("environments", ("gymnasium", "pyarrow"), (("gymnasium>=1.0", "pyarrow>=17"),)),
    Extra("searches in sweeps", ("cmaes", "pyarrow"), (("cmaes>=0.13", "pyarrow>=17"),)),
    Extra("sweeps on clusters", ("ray",), (("ray>=2.40",),)),
    Extra("pages and notebooks", ("viser",), (("viser>=1.1",),)),
    Extra(
        "robot arms",
        ("qpsolvers", "daqp", "mink"),
        (("qpsolvers[daqp]>=4.12",), ("--no-deps", "mink")),
    ),
    Extra("data sets as Zarr", ("zarr",), (("zarr>=3",),)),
    Extra("benchmarks", ("cosseratbench",), (("cosseratbench==0.3.*",),)),
)
_WARP = "worlds on a GPU"
_ROBOSUITE = "robosuite"


def examine_extras() -> list[Finding]:
    """One finding for each purpose of optional packages."""
    mujoco = next(filter(None, map(installed, OWNERS)), None)
    return [*map(_extra, EXTRAS), _warp(mujoco), _robosuite()]


def _extra(extra: Extra) -> Finding:
    versions = {name: installed(name) for name in extra.packages}
    said = ", ".join(f"{name} {version or 'missing'}" for name, version in versions.items())
    if None not in versions.values():
        return Finding(extra.purpose, said)
    return Finding(extra.purpose, said, "missing", _install(extra.installs))


def _install(installs: tuple[tuple[str, ...], ...]) -> str:
    return " && ".join(pip("install", *words) for words in installs)


def _warp(mujoco: str | None) -> Finding:
    """On which device worlds would run, or what they need with this version of MuJoCo."""
    line = warp_versions.line(mujoco) if mujoco else warp_versions.LINES[0]
    if line is None:
        said = f"MuJoCo Warp works with MuJoCo {warp_versions.MUJOCO}, not with {mujoco}"
        return Finding(_WARP, said, "missing")
    installs = warp_versions.installs(mujoco or "")
    found = _extra(Extra(_WARP, ("mujoco-warp", "warp-lang"), installs))
    if found.level == "missing":
        return found
    if not line.has(installed("mujoco-warp") or ""):
        said = f"{found.found}; allowed with MuJoCo {mujoco}: mujoco-warp {line.allowed}"
        return Finding(_WARP, said, "problem", pip("install", *installs[1]))
    device = trials.warp()
    if device.values is None:
        said = f"{found.found}; Warp finds no device: {device.reason}"
        mend = pip("install", "--force-reinstall", *warp_versions.NEEDED)
        return Finding(_WARP, said, "problem", mend)
    return Finding(_WARP, f"{found.found}; runs on {device.values['device']}")


def _robosuite() -> Finding:
    """robosuite needs an old MuJoCo, which must not be installed beside mujoco-core."""
    purpose = "robosuite's environments"
    if version := installed(_ROBOSUITE):
        return Finding(purpose, f"{_ROBOSUITE} {version}")
    mend = pip("install", "robosuite==1.5.2", "mujoco==3.3.7")
    if installed("mujoco-core") is None:
        return Finding(purpose, f"{_ROBOSUITE} missing", "missing", mend)
    line = f"{_ROBOSUITE} missing; it needs a virtual environment without mujoco-core"
    return Finding(purpose, line, "missing")
