"""What a validation found: one dict per case, a verdict, a plot."""

import dataclasses
import json
import os
from collections.abc import Callable
from typing import Any

from strand.files import write_text


@dataclasses.dataclass
class Report:
    """Results of a validation or an example: every case with its reference and tolerance."""

    name: str
    title: str
    results: list[dict[str, Any]]
    draw: Callable[[Any], None] | None = None  #: draws into a matplotlib figure
    note: str = ""  #: what to know when reading the table
    size: tuple[float, float] = (9.0, 4.2)  #: of the plot (inches)

    @property
    def passed(self) -> bool:
        """True where no case misses its tolerance (cases without a reference have none)."""
        return bool(self.results) and all(case["passed"] is not False for case in self.results)

    def to_json(self) -> str:
        """{"name", "passed", "results": [...]} as text."""
        document = {"name": self.name, "passed": self.passed, "results": self.results}
        return json.dumps(document, indent=2) + "\n"

    def write_json(self, path: str | os.PathLike) -> None:
        write_text(path, self.to_json())

    def plot(self, path: str | os.PathLike) -> None:
        """Writes the plot as PNG."""
        from strand.plotting import draw_figure, save_figure

        save_figure(path, draw_figure(self.draw, self.size))
