"""Contents of reports of published examples."""

#: The columns of every row, in order.
KEYS = ["figure", "value", "unit", "reference", "source", "tolerance", "passed"]


def value(report, figure: str) -> float:
    """The value of the figure of that name; several rows may compare it with different sources."""
    (found,) = {row["value"] for row in report.results if row["figure"] == figure}
    return found
