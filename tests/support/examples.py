"""Contents of reports of published examples."""

import math

#: The columns of every row, in order.
KEYS = ["figure", "value", "unit", "reference", "source", "tolerance", "passed"]


def value(report, figure: str) -> float:
    """The value of the figure of that name; several rows may compare it with different sources."""
    (found,) = {row["value"] for row in report.results if row["figure"] == figure}
    return found


def judged(rows: list[dict]) -> int:
    """Number of figures that met their reference; none may have missed it."""
    assert [row["figure"] for row in rows if row["passed"] is False] == []
    return sum(row["passed"] is True for row in rows)


def assert_rows(rows: list[dict], count: int) -> None:
    """`count` figures met their reference and none missed it; rows are complete and distinct."""
    assert judged(rows) == count
    assert len({(row["figure"], row["source"]) for row in rows}) == len(rows)
    for row in rows:
        assert list(row) == KEYS
        assert math.isfinite(row["value"])
