"""Recommends a carrier by the number of links and the use."""

from strand.errors import StrandError

USES = {
    "scene": "in a scene, alone or among other objects",
    "robot": "held by a robot's hand, at an end that moves",
    "gpu": "in MuJoCo Warp, which does not support plugins",
    "reference": "to check another carrier, or with large steps; no robot in it",
}

#: Number of links up to which a chain in one tree is recommended: its step costs n^3
#: (performance.md, "Beside MuJoCo's own").
TREE_LINKS = 60


def recommend(use: str, links: int, pieces: int, refused: dict[str, str]) -> tuple[str | None, str]:
    """A carrier ("cable", "flex", "core", or None) and the reason, in words.

    pieces: links in each tree of the chain, 0 for one tree. refused: carriers that cannot represent
    this cable, with the reason. Raises StrandError for an unknown use.
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
    if use == "robot":
        words = f"{links} links; on a hand with joints a flex costs three times as much"
        return "cable", words
    if pieces > 0:
        return "cable", f"{links} links in trees of {pieces}: a step costs O(n), as that of a flex"
    if links <= TREE_LINKS:
        return "cable", f"{links} links, at most {TREE_LINKS} in one tree"
    if "flex" in refused:
        return (
            "cable",
            f"{links} links are many for a chain, but a flex cannot be this cable: "
            f"{refused['flex']}",
        )
    return "flex", f"{links} links, more than {TREE_LINKS} in one tree: a flex costs O(n)"
