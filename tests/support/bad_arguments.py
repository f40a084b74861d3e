"""Arguments that no function accepts, or only few, and the form of the errors about them."""

import re
from collections.abc import Callable

import numpy as np

from strand import StrandError

BAD = (
    None,
    True,
    -1,
    0,
    3,
    10**30,
    float("nan"),
    float("inf"),
    1j,
    "",
    "what",
    b"what",
    "a\0b",
    [],
    [1.0],
    ["x"],
    [[]],
    [1, [2]],
    (1, 2, 3, 4, 5, 6, 7),
    {},
    {"a": object()},
    object(),
    len,
    int,
    np.array(3),
    np.zeros((0, 3)),
    np.full((4, 3), np.nan),
    np.array(["x"]),
    np.array([None]),
)
FOREIGN = re.compile("incompatible function|nanobind|Traceback|0x[0-9a-f]{6}|argument must be")


def expect_no_foreign_error(call: Callable) -> None:
    """The call works or raises StrandError in Strand's form: field, value and what is allowed."""
    try:
        call()
    except StrandError as error:
        assert re.search(r"(?s)^[\w .,'\[\]/]+: .*got .*allowed: ", str(error)), str(error)
        assert not FOREIGN.search(str(error).replace("<object object at 0x", "")), str(error)
