"""Runs the peers: one process each, which answers requests (listed in peer.py)."""

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import strand
from strand.errors import StrandError
from strand_studies.bench import environments
from strand_studies.bench.native.models import MAKERS, Rope

_SCRIPT = Path(__file__).with_name("peer.py")


class Carrier:
    """A peer in its own process, which `close` ends.

    Strand's process uses this Python, the others use their environments.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        command = _command(name)
        self._folder = tempfile.TemporaryDirectory()  # MuJoCo writes a log to its working folder
        self._errors = open(Path(self._folder.name, "errors"), "w+")  # noqa: SIM115
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(
            command,
            cwd=self._folder.name,
            stdin=pipe,
            stdout=pipe,
            stderr=self._errors,
            text=True,
        )
        try:
            self.version: str = self.ask("version")["version"]
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        self._process.kill()
        self._process.communicate()
        self._errors.close()
        self._folder.cleanup()

    def load(self, rope: Rope) -> str:
        """Loads the rope by the peer's recipe. Returns the name of the body at its end."""
        scene = MAKERS[self.name](rope)
        self.ask("load", mjcf=scene.mjcf, links=scene.links)
        return scene.last

    def ask(self, task: str, **arguments: Any) -> dict[str, Any]:
        """The peer's answer. Raises StrandError with the peer's name if the task fails."""
        line = json.dumps({"task": task, **arguments}) + "\n"
        try:
            self._process.stdin.write(line)
            self._process.stdin.flush()
            answer = json.loads(self._process.stdout.readline())
        except (OSError, json.JSONDecodeError):
            raise StrandError(f"peer {self.name}: died in '{task}': {self._last_words()}") from None
        if "error" in answer:
            raise StrandError(f"peer {self.name}: {answer['error']}")
        return answer

    def _last_words(self) -> str:
        self._process.wait(timeout=10)
        self._errors.seek(0)
        lines = self._errors.read().strip().splitlines()
        return lines[-1] if lines else f"exit code {self._process.returncode}"


def _command(name: str) -> list[str]:
    """-P, -I: imports nothing from the script's folder; -I: nor the user's site-packages."""
    if name.startswith("strand"):
        return [sys.executable, "-P", str(_SCRIPT), strand.adapter_path()]
    return [str(environments.find_python(name)), "-I", str(_SCRIPT)]
