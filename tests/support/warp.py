"""The mark of tests that need Warp and MuJoCo Warp."""

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
needs_warp = pytest.mark.skipif(bool(_REASON), reason=_REASON)
