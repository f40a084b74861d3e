"""Python environments of the peers that Strand is compared with, created on first use."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from strand.errors import StrandError

#: The package of each peer, and its version.
PACKAGES = {
    "cable": ("mujoco", "3.17.0"),
    "flex": ("mujoco-core", "4.0.1"),
    "pyelastica": ("pyelastica", "1.0.0"),
    "osqp": ("osqp", "1.1.3"),
}

_MARKER = "complete"  # file written last: a folder without it is incomplete
_TIME_LIMIT = 1800  # s, for a download on a slow line


def cache_folder() -> Path:
    """Where environments are kept: $STRAND_CACHE/peers, or ~/.cache/strand/peers."""
    base = os.environ.get("STRAND_CACHE")
    # Absolute, since peers run in another folder.
    return (Path(base).absolute() if base else Path.home() / ".cache" / "strand") / "peers"


def find_python(peer: str) -> Path:
    """The Python that has the peer's package. Creates its environment if there is none yet.

    Raises StrandError if the environment cannot be created.
    """
    package, version = PACKAGES[peer]
    folder = cache_folder() / f"{package}-{version}"
    if not _complete(folder):
        _make(folder, f"{package}=={version}")
    return _python(folder)


def _python(folder: Path) -> Path:
    return folder / "bin" / "python"


def _complete(folder: Path) -> bool:
    """Whether the environment is complete, made by this Python, and still has its interpreter."""
    marker = folder / _MARKER
    if not marker.is_file() or not _python(folder).is_file():
        return False
    return marker.read_text() == sys.version


def _make(folder: Path, requirement: str) -> None:
    """Creates the environment under a temporary name and renames it, so it is never partial."""
    beside = folder.with_name(f".{folder.name}.{os.getpid()}")
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        _run([sys.executable, "-m", "venv", str(beside)], requirement)
        pip = [str(_python(beside)), "-m", "pip", "install", "--disable-pip-version-check"]
        _run([*pip, "--only-binary", ":all:", requirement], requirement)
        (beside / _MARKER).write_text(sys.version)
        if not _complete(folder):  # another process may have made it meanwhile
            shutil.rmtree(folder, ignore_errors=True)
            beside.rename(folder)
    except OSError as error:
        allowed = f"a folder to keep environments in ({error})"
        raise StrandError(f"STRAND_CACHE: got {str(folder)!r}, allowed: {allowed}") from None
    finally:
        shutil.rmtree(beside, ignore_errors=True)


def _run(command: list[str], requirement: str) -> None:
    # Packages on the user's PYTHONPATH must not count as installed in the environment.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=_TIME_LIMIT, env=environment
        )
    except subprocess.TimeoutExpired:
        reason = f"no end after {_TIME_LIMIT} s"
    else:
        if done.returncode == 0:
            return
        said = (done.stderr.strip() or done.stdout.strip()).splitlines()
        reason = said[-1] if said else f"exit code {done.returncode}"
    raise StrandError(
        f"environment with {requirement}: cannot be made, '{' '.join(command)}' failed: {reason}"
    )
