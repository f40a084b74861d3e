"""Which versions of MuJoCo Warp work with which of MuJoCo.

MuJoCo Warp copies MuJoCo's structures, which change between versions. Nothing here imports MuJoCo,
which may be broken where `strand doctor` asks.
"""

import re
from typing import NamedTuple

OLDEST_WARP = (1, 15)  #: the first version of warp-lang that works
#: What to install before mujoco-warp, which is installed without its requirements: one is the
#: package mujoco, whose files overwrite those of mujoco-core.
NEEDED = ("warp-lang>=1.15", "absl-py", "etils[epath]")


def numbers(version: str) -> tuple[int, ...]:
    """Major and minor."""
    return tuple(map(int, re.findall(r"\d+", version)[:2]))


def text(version: tuple[int, ...]) -> str:
    return ".".join(map(str, version))


class Line(NamedTuple):
    """The versions of mujoco-warp that work with MuJoCo from `mujoco` on, up to the next line."""

    mujoco: tuple[int, int]
    first: tuple[int, int]
    below: tuple[int, int] | None  #: None: no end

    @property
    def requirement(self) -> str:
        """For pip."""
        end = f",<{text(self.below)}" if self.below else ""
        return f"mujoco-warp>={text(self.first)}{end}"

    @property
    def allowed(self) -> str:
        """In words."""
        end = f", below {text(self.below)}" if self.below else ""
        return f"{text(self.first)} or newer{end}"

    def has(self, version: str) -> bool:
        """True if this version of mujoco-warp is one of them."""
        found = numbers(version)
        return self.first <= found and (self.below is None or found < self.below)


#: Newest first. mujoco-warp 4.0 requires MuJoCo 3.13.
LINES = (Line((3, 13), (4, 0), None), Line((3, 11), (3, 11), (3, 12)))
#: The versions of MuJoCo that have a line, in words.
MUJOCO = f"{text(LINES[-1].mujoco)} or newer"


def line(mujoco: str) -> Line | None:
    """The versions of mujoco-warp for a version of MuJoCo; None if there are none."""
    return next((each for each in LINES if each.mujoco <= numbers(mujoco)), None)


def installs(mujoco: str) -> tuple[tuple[str, ...], ...]:
    """What pip installs, command by command, for a version of MuJoCo (or else for the newest)."""
    return NEEDED, ("--no-deps", (line(mujoco) or LINES[0]).requirement)
