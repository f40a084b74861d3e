"""What reports of published examples hold."""

#: The columns of every row, in their order.
KEYS = ["figure", "value", "unit", "reference", "source", "tolerance", "passed"]


def value(report, figure: str) -> float:
    """Of the one figure of that name; rows may compare it with several sources."""
    (found,) = {row["value"] for row in report.results if row["figure"] == figure}
    return found
