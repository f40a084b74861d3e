"""Recommends a carrier by the number of links and the use."""

from strand.errors import StrandError

USES = {
    "scene": "in a scene, alone or among other objects",
    "robot": "held by a robot's hand, at an end that moves",
    "gpu": "in MuJoCo Warp, which does not support plugins",
    "reference": "to check another carrier, or with large steps; no robot in it",
}

#: Number of links up to which a chain is recommended. Its step costs n^3; with the root in the
#: middle a quarter of that (performance.md, "Beside MuJoCo's own": in air the flex is cheaper from
#: 25 to 50 links on).
CHAIN_LINKS = {"end": 60, "middle": 120}


def recommend(use: str, links: int, root: str, refused: dict[str, str]) -> tuple[str | None, str]:
    """A carrier ("cable", "flex", "core", or None) and the reason, in words.

    root: of the chain, "end" or "middle". refused: carriers that cannot represent this cable, with
    the reason. Raises StrandError for an unknown use.
    """
    if use not in USES:
        raise StrandError(f"use: got {use!r}, allowed: {', '.join(USES)}")
    if use == "gpu":
        if "flex" in refused:
            return (
                None,
                f"MuJoCo Warp supports only flexes, which cannot be this cable: {refused['flex']}",
            )
        return "flex", "MuJoCo Warp does not support plugins"
    if use == "reference" and "core" not in refused:
        return "core", "implicit; edges stretch like the material; cost linear in the links"
    most = CHAIN_LINKS[root]
    if use == "robot":
        words = f"{links} links; on a hand with joints a flex costs three times as much"
        return "cable", words
    if links <= most:
        return "cable", f"{links} links, at most {most} with the root at its {root}"
    if "flex" in refused:
        return (
            "cable",
            f"{links} links are many for a chain, but a flex cannot be this cable: "
            f"{refused['flex']}",
        )
    return "flex", f"{links} links, more than {most} with the root at its {root}: a flex costs O(n)"
