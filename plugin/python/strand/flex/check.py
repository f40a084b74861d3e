"""What a cable on a flex may be."""

from typing import TYPE_CHECKING, NoReturn

import mujoco
import numpy as np

from strand.errors import StrandError
from strand.io.options import NODES, read

if TYPE_CHECKING:
    from strand.cable.cable import Cable

STRAIGHT = 1e-4  #: rad: MuJoCo takes vertices that are bent by less for straight ones
TINY = 1e-300  #: m: links without a length are the generator's to refuse
FIRST = (4, 0, 1)  #: 4.0.0 has a wrong sparse Cholesky factor, older ones no rods
NEEDED = "MuJoCo 4.0.1 or newer"


def check(cable: "Cable") -> None:
    """Raises StrandError for the first field of a strand.Cable that a flex cannot have.

    Ranges are the generator's to check.
    """
    if not supported():
        _refuse("backend", f"flex with MuJoCo {mujoco.mj_versionString()}", NEEDED)
    cable.description()  # every value has its type from here on
    for field, allowed in _CHOICES.items():
        _among(field, getattr(cable, field), allowed)
    for field, value in _NOTHING.items():
        found = getattr(cable, field)
        if found is not None and (found != value if np.isscalar(value) else len(found)):
            _refuse(field, found, _REASONS[field])
    check_uniform(cable)
    if cable.EI is not None and np.ptp(np.atleast_1d(cable.EI)) != 0:
        _refuse("EI", cable.EI, "one number: a round flex bends alike about both axes")
    angle = turn(read("nodes", cable.nodes, NODES))
    if angle > STRAIGHT:
        _refuse("nodes", f"a curve that turns by {angle:.3g} rad", "a straight line")


def check_uniform(cable: "Cable") -> None:
    """Raises StrandError where the section or density of a strand.Cable changes along it."""
    for field in ("radius", "density"):
        if np.size(getattr(cable, field)) != 1:
            _refuse(field, getattr(cable, field), "one number: it is alike all along")


_CHOICES = {
    "section": ("circle", "tube"),
    "twist": ("auto", "dynamic"),
    "integrator": ("auto", "discrete"),
    "start": ("free", "fixed", "ball"),
    "end": ("free", "fixed", "ball"),
}
_NOTHING = {"closed": False, "stretches": (), "rest_twist": 0, "keys": (), "color": ()}
_REASONS = {
    "closed": "false: a flex that closes has no twist",
    "stretches": "none: a flex has one material",
    "rest_twist": "0: a flex is untwisted at rest",
    "keys": "none: a flex has no plugin",
    "color": "nothing: a flex has no stress colours",
}


def supported() -> bool:
    """Whether this MuJoCo has rods on a flex, and right ones."""
    return tuple(map(int, mujoco.mj_versionString().split(".")[:3])) >= FIRST


def _among(field: str, value: object, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        _refuse(field, value, f"{', '.join(allowed)}")


def _refuse(field: str, value: object, allowed: str) -> NoReturn:
    shown = value if field in ("nodes", "backend") else repr(value)
    raise StrandError(f"{field}: got {shown}, allowed with the flex backend: {allowed}")


def turn(nodes: np.ndarray) -> float:
    """The largest angle (rad) between neighbouring links of nodes (n + 1, 3).

    A flex may have a natural curvature, but does not keep its plane: a clamped arc of 2 rad has
    two thirds of the first frequency out of its plane, a helix comes out unstable.
    """
    edges = np.diff(nodes, axis=0)
    edges = edges / np.maximum(np.linalg.norm(edges, axis=1, keepdims=True), TINY)
    across = np.linalg.norm(np.cross(edges[:-1], edges[1:]), axis=1)
    along = np.einsum("ij,ij->i", edges[:-1], edges[1:])
    return float(np.arctan2(across, along).max(initial=0))
