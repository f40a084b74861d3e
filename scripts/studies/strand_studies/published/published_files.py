"""The authors' own meshes and results: not part of the package, used if they are available."""

import os
from pathlib import Path

#: Note of a report without the authors' files.
LEFT_OUT = "STRAND_DATA is not set: what needs the authors' files was left out"


def published_files() -> Path | None:
    """The authors' rods and shells (rod_shell/ in the directory that STRAND_DATA names)."""
    directory = os.environ.get("STRAND_DATA")
    return Path(directory) / "rod_shell" if directory else None
