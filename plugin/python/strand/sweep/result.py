"""The results of a sweep: a table, failures, and files."""

import csv
import io
import json
import math
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from strand.errors import StrandError
from strand.io.files import whole, write_text
from strand.sweep.parameters import Value
from strand.sweep.worker import Outcome

SUFFIXES = (".csv", ".parquet")


@dataclass(frozen=True)
class Row:
    """A point that was run."""

    index: int
    parameters: dict[str, Value]
    outcome: Outcome


@dataclass(frozen=True)
class Failure:
    """A point without results."""

    index: int
    parameters: dict[str, Value]
    kind: str  #: exception, nan, killed, timeout or missing result
    reason: str

    def __str__(self) -> str:
        values = ", ".join(f"{name} = {value}" for name, value in self.parameters.items())
        return f"point {self.index} ({values}): {self.kind}: {self.reason}"


class Result:
    """The results of a sweep. Points are in the order of the spec."""

    def __init__(self, parameters: Sequence[str], rows: Sequence[Row], recorded: int) -> None:
        self.parameters = tuple(parameters)  #: names
        self.rows = tuple(rows)  #: all points, failed ones included
        self.recorded = recorded  #: points of an earlier run, which were not run again
        names = [name for row in rows for name in row.outcome.results]
        self.results = tuple(dict.fromkeys(names))  #: names

    @property
    def failures(self) -> list[Failure]:
        """The points that have failed."""
        return [
            Failure(row.index, row.parameters, row.outcome.kind, row.outcome.reason)
            for row in self.rows
            if row.outcome.failed
        ]

    @property
    def table(self) -> dict[str, np.ndarray]:
        """The points that have not failed, as columns of equal length.

        First "point", the index of each, then the parameters and the results. A result that a
        function has not returned for a point is NaN there.
        """
        done = [row for row in self.rows if not row.outcome.failed]
        columns: dict[str, np.ndarray] = {"point": np.array([row.index for row in done], dtype=int)}
        for name in self.parameters:
            columns[name] = _column([row.parameters[name] for row in done])
        for name in self.results:
            values = [row.outcome.results.get(name, math.nan) for row in done]
            columns[name] = np.array(values, dtype=float)
        return columns

    def best(self, name: str) -> Row:
        """The point with the smallest value of a result. Raises StrandError if there is none."""
        if name not in self.results:
            raise StrandError(f"result: got {name!r}, allowed: {', '.join(self.results) or 'none'}")
        done = [row for row in self.rows if name in row.outcome.results]
        return min(done, key=lambda row: row.outcome.results[name])

    def write(self, path: str | os.PathLike) -> None:
        """Writes all points to a .csv or .parquet file, completely or not at all.

        Its columns are point, the parameters, the results, which are empty for failed points, and
        failure, the reason, which is empty for others. Raises StrandError for other names of
        files, and for .parquet without pyarrow.
        """
        check_table_file("output", path)
        if Path(path).suffix.lower() == ".csv":
            write_text(path, self._csv())
        else:
            self._write_parquet(path)

    def _records(self) -> list[dict[str, Any]]:
        return [
            {
                "point": row.index,
                **row.parameters,
                **{name: row.outcome.results.get(name) for name in self.results},
                "failure": f"{row.outcome.kind}: {row.outcome.reason}"
                if row.outcome.kind
                else None,
            }
            for row in self.rows
        ]

    @property
    def _columns(self) -> list[str]:
        return ["point", *self.parameters, *self.results, "failure"]

    def _csv(self) -> str:
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(self._columns)
        for record in self._records():
            writer.writerow([_cell(record[name]) for name in self._columns])
        return text.getvalue()

    def _write_parquet(self, path: str | os.PathLike) -> None:
        import pyarrow
        import pyarrow.parquet

        columns = {name: [record[name] for record in self._records()] for name in self._columns}
        arrays = {name: _arrow(pyarrow, values) for name, values in columns.items()}
        arrays["failure"] = pyarrow.array(columns["failure"], pyarrow.string())
        with whole(path) as beside:
            pyarrow.parquet.write_table(pyarrow.table(arrays), beside)

    def to_json(self) -> str:
        """{"name", "passed", "results": [...], ...} as text; passed: no point has failed."""
        cases = [
            {name: _finite(value) for name, value in record.items()}
            | {"passed": record["failure"] is None}
            for record in self._records()
        ]
        passed = bool(self.rows) and not self.failures
        document = {
            "name": "sweep",
            "passed": passed,
            "points": len(self.rows),
            "failed": len(self.failures),
            "recorded": self.recorded,
            "results": cases,
        }
        return json.dumps(document, indent=2, allow_nan=False) + "\n"


def check_table_file(field: str, path: str | os.PathLike) -> None:
    """Raises StrandError if the name of a table's file, or what it needs, is missing."""
    suffix = Path(path).suffix.lower()
    if suffix not in SUFFIXES:
        raise StrandError(f"{field}: got '{path}', allowed: a path that ends in .csv or .parquet")
    if suffix == ".parquet":
        try:
            import pyarrow  # noqa: F401
        except ImportError:
            raise StrandError(
                f"{field}: got '{path}', allowed: .csv, or .parquet with pyarrow installed "
                "(pip install 'strand[sweep]')"
            ) from None


def _column(values: list[Value]) -> np.ndarray:
    """An array of numbers or texts; of objects where values are lists or of different types."""
    array = np.empty(len(values), dtype=object)
    array[:] = values
    kinds = {bool if isinstance(value, bool) else type(value) for value in values}
    if kinds <= {int, float}:
        return array.astype(float if float in kinds else int)
    return array.astype(kinds.pop()) if len(kinds) == 1 and kinds <= {bool, str} else array


def _cell(value: Any) -> Any:
    if isinstance(value, bool | list):
        return json.dumps(value)
    return "" if value is None else value


def _arrow(pyarrow: Any, values: list[Any]) -> Any:
    kinds = {type(value) for value in values if value is not None}
    if kinds == {int, float}:
        return pyarrow.array([None if value is None else float(value) for value in values])
    try:
        return pyarrow.array(values)
    except pyarrow.ArrowInvalid:  # values of different types
        return pyarrow.array([json.dumps(value) for value in values])


def _finite(value: Any) -> Any:
    """JSON has no infinity: it is written as a text."""
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value
