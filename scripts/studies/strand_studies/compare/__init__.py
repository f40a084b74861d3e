"""One cable in three models ("carriers"): chain with strand.cable, MuJoCo's 1D flex, and the core.

`carriers` computes the shape at rest, the first frequency and the cost of a step of each;
`recommend` chooses one; `report` puts them side by side.
"""

from strand_studies.compare.recommend import USES, recommend
from strand_studies.compare.report import run

__all__ = ["USES", "recommend", "run"]
