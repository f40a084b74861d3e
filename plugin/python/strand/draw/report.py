"""Results of a validation: one dict per case, a verdict, a plot."""

import dataclasses
import itertools
import json
import os
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from strand.errors import StrandError
from strand.io.files import write_text


@dataclasses.dataclass
class Report:
    """Results of a validation or an example: every case with its reference and tolerance."""

    name: str
    title: str
    results: list[dict[str, Any]]
    draw: Callable[[Any], None] | None = None  #: draws into a matplotlib figure
    note: str = ""  #: explains the table
    size: tuple[float, float] = (9.0, 4.2)  #: of the plot (inches)
    #: The criterion by which a case passes, as a text that contains the names of columns.
    judged: str = "|value - reference| <= tolerance"
    #: Columns that are compared with a reference, and the column of the reference. Their deviations
    #: are reported for cases in which they are not part of the criterion.
    reported: Mapping[str, str] = dataclasses.field(default_factory=lambda: {"value": "reference"})

    @property
    def passed(self) -> bool:
        """True if all cases with a tolerance are within it, and there are any cases."""
        return bool(self.results) and all(case["passed"] is not False for case in self.results)

    def to_json(self) -> str:
        """{"name", "passed", "results": [...]} as text."""
        document = {"name": self.name, "passed": self.passed, "results": self.results}
        return json.dumps(document, indent=2) + "\n"

    def write_json(self, path: str | os.PathLike) -> None:
        write_text(path, self.to_json())

    def summary(self) -> list[str]:
        """Lines of text: the criterion, reported deviations, failures, and the verdict."""
        judged = [case for case in self.results if case["passed"] is not None]
        failed = [case for case in judged if not case["passed"]]
        lines = [f"Judged (passed: yes or NO): {self.judged}."] if judged else []
        lines += [f"{name} is only reported: {words}." for name, words in self._deviations()]
        lines += [f"Not passed: {self._describe(case)}." for case in failed]
        if not judged:
            return [*lines, "No checks: nothing here has a reference with a tolerance."]
        verdict = "PASSED" if self.passed else "FAILED"
        rest = len(self.results) - len(judged)
        others = f"; {rest} more {'rows are' if rest > 1 else 'row is'} not judged" if rest else ""
        checks = f"{len(judged)} check{'s' * (len(judged) > 1)}"
        return [*lines, f"{verdict}: {len(judged) - len(failed)} of {checks} passed{others}."]

    def _deviations(self) -> Iterator[tuple[str, str]]:
        """Columns that are only reported, and the range of their relative deviations."""
        deciding = set(re.findall(r"\w+", self.judged))
        for name, reference in self.reported.items():
            cases = [
                case
                for case in self.results
                if (name not in deciding or case["passed"] is None)
                and case.get(name) is not None
                and case.get(reference)
            ]
            if not cases:
                continue
            off = [100 * (case[name] / case[reference] - 1) for case in cases]
            low, high = f"{min(off):+.2g} %", f"{max(off):+.2g} %"
            much = low if low == high else f"{low} to {high}"
            rows = f" ({len(cases)} row{'s' * (len(cases) > 1)})" if name in deciding else ""
            yield name.replace("_", " ") + rows, f"off {reference.replace('_', ' ')} by {much}"

    def _describe(self, case: dict[str, Any]) -> str:
        """A case as a text: the columns before its first number, and those of the criterion."""
        named = list(itertools.takewhile(lambda key: not _is_figure(key, case), case))
        named = [key for key in named if case[key] is not None]
        deciding = [key for key in case if key in set(re.findall(r"\w+", self.judged))]
        names = ", ".join(
            str(case[key]) if isinstance(case[key], str) else f"{key} {case[key]}" for key in named
        )
        figures = ", ".join(
            f"{key} {case[key]:.5g}"
            for key in deciding
            if key not in named and isinstance(case[key], (int, float))
        )
        return ": ".join(part for part in (names, figures) if part)

    def plot(self, path: str | os.PathLike) -> None:
        """Writes the plot as PNG. Raises StrandError where the report draws none."""
        if self.draw is None:
            raise StrandError(f"plot: got '{path}', allowed: none, as {self.name} draws nothing")
        from strand.draw.plotting import draw_figure, save_figure

        save_figure(path, draw_figure(self.draw, self.size))


def _is_figure(key: str, case: dict[str, Any]) -> bool:
    return isinstance(case[key], float) or key == "passed"
