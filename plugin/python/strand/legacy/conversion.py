"""A model with old cables as one for MuJoCo 3.x and 4.x with Strand."""

import os
from pathlib import Path

from strand.errors import StrandError
from strand.legacy.converter import Conversion, Converter
from strand.legacy.elasticity import LAWS
from strand.legacy.flex_converter import FlexConverter
from strand.legacy.tree import Tree

BACKENDS = {"cable": Converter, "flex": FlexConverter}


def convert(
    path: str | os.PathLike,
    folder: str | None = None,
    child_prefix: str = "",
    text: bytes | None = None,
    law: str = "strand",
    backend: str = "cable",
) -> Conversion:
    """Converts the model in a file. Throws StrandError with file, line and reason.

    folder: what leads from where the new text will be to the old file's folder, where that is
    another one (paths of meshes, textures and includes are changed accordingly).
    child_prefix: comes before the names of converted models that the model attaches.
    text: the model where it is in no file; `path` says where it would be.
    law: "strand", or "old": MuJoCo 3's torques, for exact repeatability.
    backend: "cable": chains of the same bodies with strand.cable; "flex": MuJoCo 4's 1D flex.
    """
    if law not in LAWS:
        raise StrandError(f"law: got {law!r}, allowed: {', '.join(LAWS)}")
    if backend not in BACKENDS:
        raise StrandError(f"backend: got {backend!r}, allowed: {', '.join(BACKENDS)}")
    return BACKENDS[backend](Tree(Path(path), text), folder, child_prefix, law).convert()
