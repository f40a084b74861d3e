"""A display for the window: the user's or, for pictures only, a virtual one."""

import contextlib
import os
import shutil
import subprocess
from collections.abc import Iterator

from strand.errors import StrandError

_VARIABLES = ("DISPLAY", "WAYLAND_DISPLAY")


@contextlib.contextmanager
def display(size: tuple[int, int], virtual: bool) -> Iterator[None]:
    """Makes sure that there is a display inside the block.

    virtual: starts Xvfb if there is no other display. Raises StrandError, with what to install.
    """
    if any(map(os.environ.get, _VARIABLES)):
        yield
        return
    if not virtual:
        raise StrandError(
            "no display: DISPLAY is not set. Allowed without one: pictures by --frames N "
            "--picture FILE, or --script FILE"
        )
    with _virtual_display(size) as name:
        os.environ["DISPLAY"] = name
        try:
            yield
        finally:
            del os.environ["DISPLAY"]


@contextlib.contextmanager
def _virtual_display(size: tuple[int, int]) -> Iterator[str]:
    """Runs Xvfb and gives the name of its display."""
    server = shutil.which("Xvfb")
    if server is None:
        raise StrandError("no display, and Xvfb is missing; type: sudo apt-get install xvfb")
    reading, writing = os.pipe()
    command = [server, "-displayfd", str(writing), "-nolisten", "tcp", "-screen", "0"]
    # A script may make the window larger.
    command.append(f"{max(size[0], 4096)}x{max(size[1], 2304)}x24")
    process = subprocess.Popen(
        command, pass_fds=[writing], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    try:
        os.close(writing)
        with os.fdopen(reading) as answer:
            number = answer.readline().strip()
        if not number:
            reason = process.stderr.read().decode().strip() if process.stderr else ""
            raise StrandError(f"no display, and Xvfb did not start: {reason or 'no reason given'}")
        yield f":{number}"
    finally:
        process.terminate()
        process.wait()
