"""Findings on optional packages."""

from typing import NamedTuple

from strand.doctor import trials
from strand.doctor.finding import Finding, pip
from strand.doctor.wheels import installed


class Extra(NamedTuple):
    """Optional packages, and pip's arguments that install them."""

    purpose: str
    packages: tuple[str, ...]
    installs: tuple[tuple[str, ...], ...]


WARP = Extra(
    "worlds on a GPU",
    ("mujoco-warp", "warp-lang"),
    (("warp-lang>=1.15", "absl-py", "etils[epath]"), ("--no-deps", "mujoco-warp>=4.0")),
)

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
    WARP,
)
_ROBOSUITE = "robosuite"


def examine_extras() -> list[Finding]:
    """One finding for each purpose of optional packages."""
    return [*map(_extra, EXTRAS), _robosuite()]


def _extra(extra: Extra) -> Finding:
    versions = {name: installed(name) for name in extra.packages}
    said = ", ".join(f"{name} {version or 'missing'}" for name, version in versions.items())
    if None not in versions.values():
        return _warp(said) if extra is WARP else Finding(extra.purpose, said)
    mend = " && ".join(pip("install", *words) for words in extra.installs)
    return Finding(extra.purpose, said, "missing", mend)


def _warp(versions: str) -> Finding:
    """On which device worlds would run."""
    device = trials.warp()
    if device.values is None:
        line = f"{versions}; Warp finds no device: {device.reason}"
        mend = pip("install", "--force-reinstall", *WARP.installs[0])
        return Finding(WARP.purpose, line, "problem", mend)
    return Finding(WARP.purpose, f"{versions}; runs on {device.values['device']}")


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
