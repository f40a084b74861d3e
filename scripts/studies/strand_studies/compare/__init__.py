"""One cable on every carrier: chain + strand.cable, MuJoCo's 1D flex, and the standalone core.

`carriers` are the three, each with its shape at rest, its first frequency and the cost of a step;
`recommend` says which to take; `report` puts them side by side.
"""

from strand_studies.compare.recommend import USES, recommend
from strand_studies.compare.report import run

__all__ = ["USES", "recommend", "run"]
