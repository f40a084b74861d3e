"""Converts a model with old cables to one for MuJoCo 3.x and 4.x with Strand."""

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
    """Converts the model in a file.

    path: the old model.
    folder: path from the location of the new text to the folder of the old file, by which paths of
        meshes, textures and includes are changed. None (default): both are in the same folder.
    child_prefix: precedes the names of attached models that are converted, too (default "").
    text: the model, if it is not in a file; `path` is then its assumed location (default None).
    law: torque law: "strand" (default), or "old": that of MuJoCo 3, for exact repeatability.
    backend: "cable" (default): chains of the same bodies with strand.cable; "flex": the 1D flex of
        MuJoCo 4.

    Returns the Conversion. Raises StrandError, which names file, line and reason.
    """
    if law not in LAWS:
        raise StrandError(f"law: got {law!r}, allowed: {', '.join(LAWS)}")
    if backend not in BACKENDS:
        raise StrandError(f"backend: got {backend!r}, allowed: {', '.join(BACKENDS)}")
    return BACKENDS[backend](Tree(Path(path), text), folder, child_prefix, law).convert()
