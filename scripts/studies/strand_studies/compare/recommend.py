"""Which carrier to take, by the number of links and the use."""

from strand.errors import StrandError

USES = {
    "scene": "in a scene, alone or among other objects",
    "robot": "held by a robot's hand, at an end that moves",
    "gpu": "in MuJoCo Warp, which takes no plugins",
    "reference": "to check another carrier, or with large steps; no robot in it",
}

#: Links up to which a chain is right: its step costs n^3, a quarter of it with the root in the
#: middle (README, "Beside MuJoCo's own": there the flex is cheaper from 25 to 50 links on in air).
CHAIN_LINKS = {"end": 60, "middle": 120}


def recommend(use: str, links: int, root: str, refused: dict[str, str]) -> tuple[str | None, str]:
    """A carrier ("cable", "flex", "core"; None where there is none) and the reason, in words.

    `root`: "end" or "middle", of the chain; `refused`: carriers that cannot be this cable, and why.
    """
    if use not in USES:
        raise StrandError(f"use: got {use!r}, allowed: {', '.join(USES)}")
    if use == "gpu":
        if "flex" in refused:
            return (
                None,
                f"MuJoCo Warp takes flexes alone, and this cable is none: {refused['flex']}",
            )
        return "flex", "MuJoCo Warp takes no plugins"
    if use == "reference" and "core" not in refused:
        return "core", "implicit, edges that stretch as the material does, cost linear in the links"
    most = CHAIN_LINKS[root]
    if use == "robot":
        words = f"{links} links; on a hand with joints a flex costs three times as much"
        return "cable", words
    if links <= most:
        return "cable", f"{links} links, no more than {most} with the root at its {root}"
    if "flex" in refused:
        return (
            "cable",
            f"{links} links are many, but a flex cannot be this cable: {refused['flex']}",
        )
    return "flex", f"{links} links, more than {most} with the root at its {root}: a flex costs O(n)"
