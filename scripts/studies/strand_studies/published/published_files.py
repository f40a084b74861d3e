"""The authors' own meshes and results: no part of the package, compared with where they are."""

import os
from pathlib import Path

#: What a report says where they are not.
LEFT_OUT = "STRAND_DATA is not set: what needs the authors' files was left out"


def published_files() -> Path | None:
    """The authors' rods and shells (rod_shell/ in the directory that STRAND_DATA names)."""
    directory = os.environ.get("STRAND_DATA")
    return Path(directory) / "rod_shell" if directory else None
