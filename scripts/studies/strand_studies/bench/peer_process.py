"""Peers of benchmarks run in processes of their own, with the Python that has their package."""

import json
import os
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from strand.errors import StrandError
from strand_studies.bench import environments

_ONE_THREAD = {name: "1" for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")}


def ask(peer: str, script: Path, request: dict[str, Any]) -> dict[str, Any]:
    """Answer of a peer's script to a request, both as JSON.

    Creates the peer's environment on first use. Raises StrandError if the script fails.
    """
    # -I: imports nothing from the script's folder or the user's site-packages.
    command = [str(environments.find_python(peer)), "-I", str(script)]
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            command,
            input=json.dumps(request),
            capture_output=True,
            text=True,
            cwd=folder,
            env=os.environ | _ONE_THREAD,
        )
    try:
        answer = json.loads(done.stdout)
    except json.JSONDecodeError:
        said = done.stderr.strip().splitlines()
        words = said[-1] if said else f"exit code {done.returncode}"
        raise StrandError(f"peer {peer}: died: {words}") from None
    if "error" in answer:
        raise StrandError(f"peer {peer}: {answer['error']}")
    return answer
