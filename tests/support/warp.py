"""Marks of tests that need Warp and MuJoCo Warp, and how well a run there repeats."""

import pytest

from strand.errors import StrandError
from strand.warp import packages


def _why_not() -> str:
    try:
        packages.load()
    except StrandError as error:
        return str(error)
    return ""


_REASON = _why_not()
#: On a GPU MuJoCo Warp takes sums in any order, so that runs are not bitwise the same.
ON_GPU = not _REASON and packages.load().warp.get_device().is_cuda
#: How far positions (m, rad) and velocities of two runs of some steps may be apart, as a fraction
#: of the largest.
RUN_TO_RUN = 1e-5 if ON_GPU else 0.0
needs_warp = pytest.mark.skipif(bool(_REASON), reason=_REASON)
needs_repetition = pytest.mark.skipif(ON_GPU, reason="runs on a GPU are not bitwise the same")
