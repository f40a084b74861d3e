"""Validations of the plugin and of the core's shells against closed forms and published figures.

Each module NAME has `run(...) -> Report`; the command `strand validate NAME` calls it.
"""

#: Measures of curvature of rods, as the plugin's key `curvature` names them.
CURVATURES = ("angle", "tangent", "smooth4", "smooth")

NAMES = (
    "lhb",
    "mbi",
    "cantilever",
    "elastica",
    "euler",
    "greenhill",
    "spring",
    "vibration",
    "catenary",
    "shells",
    "all",
)
