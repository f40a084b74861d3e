"""Which distributions own MuJoCo's files, and whether they are in each other's way.

`mujoco` and `mujoco-core` both have files in the folder `mujoco/`. pip does not know that: what is
installed last overwrites the other's files, and removing one removes files of the other.
"""

import base64
import hashlib
import re
from collections.abc import Iterable
from importlib import metadata
from pathlib import Path
from typing import NamedTuple

from strand import adapter
from strand.doctor.finding import Finding, pip

_INIT = "mujoco/__init__.py"
OWNERS = ("mujoco-core", "mujoco")  #: distributions with files in the folder mujoco/


class Wheel(NamedTuple):
    """An installed distribution."""

    name: str
    version: str
    files: dict[str, tuple[Path, str]]  #: those in mujoco/: path on the disk, SHA-256 or ""

    def __str__(self) -> str:
        return f"{self.name} {self.version}"

    @property
    def folder(self) -> Path | None:
        """Where its files are; None if it does not say."""
        return next(
            (place.parent for file, (place, _) in self.files.items() if file == _INIT), None
        )


def installed(name: str) -> str | None:
    """The version of an installed distribution, or None."""
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def wheels() -> list[Wheel]:
    """The installed distributions that own MuJoCo's files."""
    return [_wheel(name) for name in OWNERS if installed(name) is not None]


def _wheel(name: str) -> Wheel:
    found = metadata.distribution(name)
    files = {
        str(file): (Path(str(found.locate_file(file))), file.hash.value if file.hash else "")
        for file in found.files or ()
        if file.parts[0] == "mujoco" and file.suffix != ".pyc"
    }
    return Wheel(name, found.version, files)


def recommended(present: Iterable[str] = ()) -> str:
    """The version of MuJoCo to install: the newest of `present` that this Strand supports well, or
    else the newest that it supports."""
    good = [version for version in adapter.carried() if version not in adapter.DISCOURAGED]
    return next((each for each in reversed(good) if each in set(present)), (good or ["4.0.1"])[-1])


def install(version: str) -> tuple[str, ...]:
    """pip's arguments that install a version of MuJoCo: from 4 on `mujoco-core` has everything."""
    name = "mujoco-core" if int(version.partition(".")[0]) >= 4 else "mujoco"
    return ("install", f"{name}=={version}")


def examine_wheels(found: list[Wheel], imported: str | None) -> list[Finding]:
    """Findings on the distributions that own MuJoCo's files.

    imported: the file that `import mujoco` takes; None if that fails.
    """
    if not found and imported:
        return [Finding("MuJoCo", f"{Path(imported).parent}, of no distribution")]
    if not found:
        line = "not installed; the core, vines and meshes work without"
        return [Finding("MuJoCo", line, "broken", pip(*install(recommended())))]
    folder = found[0].folder
    findings = [Finding("MuJoCo", f"{', '.join(map(str, found))} in {folder}")]
    if folder and imported and Path(imported).resolve().parent != folder.resolve():
        line = f"Python imports {imported} instead"
        findings.append(Finding("MuJoCo's files", line, "problem", "unset PYTHONPATH"))
    if len({each.version for each in found}) > 1:
        findings.append(_clash(found))
    elif reason := adapter.DISCOURAGED.get(found[0].version):
        findings.append(_discouraged(found, reason))
    if lost := _lost(found[0]):
        findings.append(_damaged(found[0], lost))
    return findings


def _clash(found: list[Wheel]) -> Finding:
    names = " and ".join(map(str, found))
    line = f"{names} own the same files; {_winner(found)}{_who_asked()}"
    return Finding("MuJoCo's files", line, "problem", replace(found))


def replace(found: list[Wheel]) -> str:
    """The command that leaves a single good wheel: of an installed version, if one is good."""
    version = recommended(each.version for each in found)
    if len(found) == 1:
        return pip("install", "--force-reinstall", "--no-deps", *install(version)[1:])
    return f"{pip('uninstall', '-y', *OWNERS)} && {pip(*install(version))}"


def _winner(found: list[Wheel]) -> str:
    """Whose files are on the disk, of those that several distributions own."""
    shared = set.intersection(*(set(each.files) for each in found))
    whole = [each for each in found if all(_is_own(*each.files[file]) for file in shared)]
    if not whole:
        return "those on the disk are mixed"
    return f"those on the disk are of {whole[0]}"


def _is_own(place: Path, digest: str) -> bool:
    """True if the file on the disk is the one that the distribution installed."""
    if not place.is_file():
        return False
    own = base64.urlsafe_b64encode(hashlib.sha256(place.read_bytes()).digest()).rstrip(b"=")
    return not digest or own.decode() == digest


def _who_asked() -> str:
    """The packages for which pip installs `mujoco`, and how to install them without."""
    names = sorted(
        {
            each.name
            for each in metadata.distributions()
            if any(map(_is_mujoco, each.requires or ()))
        }
        - {"strand"}
    )
    if not names:
        return ""
    return f"; required by {', '.join(names)}: pip install --no-deps {' '.join(names)}"


def _is_mujoco(requirement: str) -> bool:
    """True if a requirement, which is not one of an extra, is on the distribution `mujoco`."""
    return "extra ==" not in requirement and bool(re.match(r"mujoco(?![\w.-])", requirement))


def _discouraged(found: list[Wheel], reason: str) -> Finding:
    mend = pip(*install(recommended()))
    if len(found) > 1 or found[0].name == "mujoco":
        mend = f"{pip('uninstall', '-y', *(each.name for each in found))} && {mend}"
    return Finding("MuJoCo's version", reason.partition(": pip ")[0], "problem", mend)


def _lost(wheel: Wheel) -> list[str]:
    return [file for file, (place, _) in wheel.files.items() if not place.is_file()]


def _damaged(wheel: Wheel, lost: list[str]) -> Finding:
    line = f"{wheel}: {len(lost)} files are missing, such as {lost[0]}"
    mend = pip("install", "--force-reinstall", "--no-deps", f"{wheel.name}=={wheel.version}")
    return Finding("MuJoCo's files", line, "problem", mend)
