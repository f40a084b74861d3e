"""What a check has found, and the command that mends it."""

import dataclasses
import shlex
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

#: broken: Strand cannot be used; problem: a part fails or is at risk; missing: optional.
Level = Literal["ok", "missing", "problem", "broken"]


@dataclasses.dataclass(frozen=True)
class Finding:
    """One line of the examination."""

    check: str
    found: str
    level: Level = "ok"
    mend: str = ""  #: the command to type; "": none is needed


def pip(*words: str) -> str:
    """A command of pip for this Python, for a shell."""
    own = Path(shutil.which("pip") or "/nowhere/pip").parent == Path(sys.executable).parent
    return shlex.join([*(["pip"] if own else [sys.executable, "-m", "pip"]), *words])


def usable(findings: Sequence[Finding]) -> bool:
    """True unless a finding prevents that a cable is simulated."""
    return all(each.level != "broken" for each in findings)
