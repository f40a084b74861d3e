"""Checks whether a flex can represent a cable."""

from typing import TYPE_CHECKING, NoReturn

import mujoco
import numpy as np

from strand.errors import StrandError
from strand.io.options import NODES, read

if TYPE_CHECKING:
    from strand.cable.cable import Cable

STRAIGHT = 1e-4  #: rad: MuJoCo treats vertices with smaller turning angles as straight
TINY = 1e-300  #: m: avoids a division by zero; the generator rejects links without a length
FIRST = (4, 0, 1)  #: 4.0.0 has a wrong sparse Cholesky factor; older versions have no rods
NEEDED = "MuJoCo 4.0.1 or newer"


def check(cable: "Cable") -> None:
    """Raises StrandError for the first field of a strand.Cable that a flex does not support.

    The generator checks the ranges of values.
    """
    if not supported():
        _reject("backend", f"flex with MuJoCo {mujoco.mj_versionString()}", NEEDED)
    cable.description()  # raises StrandError if a value has a wrong type
    for field, allowed in _CHOICES.items():
        _among(field, getattr(cable, field), allowed)
    for field, value in _NOTHING.items():
        found = getattr(cable, field)
        if found is not None and (found != value if np.isscalar(value) else len(found)):
            _reject(field, len(found) if field == "branches" else found, _REASONS[field])
    check_uniform(cable)
    if cable.EI is not None and np.ptp(np.atleast_1d(cable.EI)) != 0:
        _reject("EI", cable.EI, "one number: a flex has the same EI about both axes")
    angle = turn(read("nodes", cable.nodes, NODES))
    if angle > STRAIGHT:
        _reject("nodes", f"a curve that turns by {angle:.3g} rad", "a straight line")


def check_uniform(cable: "Cable") -> None:
    """Raises StrandError if the radius or density of a strand.Cable changes along it."""
    for field in ("radius", "density"):
        if np.size(getattr(cable, field)) != 1:
            _reject(field, getattr(cable, field), "one number: a flex is uniform along its length")


_CHOICES = {
    "section": ("circle", "tube"),
    "twist": ("auto", "dynamic"),
    "integrator": ("auto", "discrete"),
    "start": ("free", "fixed", "ball"),
    "end": ("free", "fixed", "ball"),
}
_NOTHING = {
    "closed": False,
    "branches": (),
    "stretches": (),
    "rest_twist": 0,
    "keys": (),
    "color": (),
    "yield_stress": 0,
    "bend_elements": (),
    "twist_elements": (),
}
_REASONS = {
    "closed": "false: a closed flex has no twist",
    "branches": "none: flexes are not joined",
    "stretches": "none: a flex has one material",
    "rest_twist": "0: a flex is untwisted at rest",
    "keys": "none: a flex has no plugin",
    "yield_stress": "nothing: a flex is elastic",
    "bend_elements": "nothing: a flex is elastic",
    "twist_elements": "nothing: a flex is elastic",
    "color": "nothing: a flex has no stress colours",
}


def supported() -> bool:
    """True if this version of MuJoCo has flexes that are rods, without the error of 4.0.0."""
    return tuple(map(int, mujoco.mj_versionString().split(".")[:3])) >= FIRST


def _among(field: str, value: object, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        _reject(field, value, f"{', '.join(allowed)}")


def _reject(field: str, value: object, allowed: str) -> NoReturn:
    shown = value if field in ("nodes", "backend") else repr(value)
    raise StrandError(f"{field}: got {shown}, allowed with the flex backend: {allowed}")


def turn(nodes: np.ndarray) -> float:
    """The largest angle (rad) between neighbouring links of nodes (n + 1, 3).

    A flex can have a natural curvature, but does not maintain its plane: the first out-of-plane
    frequency of a clamped arc of 2 rad is two thirds of the correct value, and a helix is unstable.
    """
    edges = np.diff(nodes, axis=0)
    edges = edges / np.maximum(np.linalg.norm(edges, axis=1, keepdims=True), TINY)
    across = np.linalg.norm(np.cross(edges[:-1], edges[1:]), axis=1)
    along = np.einsum("ij,ij->i", edges[:-1], edges[1:])
    return float(np.arctan2(across, along).max(initial=0))
