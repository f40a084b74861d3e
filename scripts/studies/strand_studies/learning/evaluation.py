"""Success rates of a policy: one row per scene."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from scipy.stats import binomtest

from strand.draw.report import Report
from strand_studies.learning import episode
from strand_studies.learning.environment import CableEnv
from strand_studies.learning.episode import Episode
from strand_studies.learning.policies import Maker


def run(
    environments: Sequence[CableEnv],
    make: Maker,
    seeds: Iterable[int],
    least: float | None = None,
    progress: Callable[[str], None] | None = None,
) -> Report:
    """Runs every environment with every seed.

    least: success rate (0 to 1) from which on a row passes; None: rows are not judged.
    """
    wanted, rows = list(seeds), []
    for env in environments:
        episodes: list[Episode] = []
        for seed in wanted:
            if progress:
                done = sum(each.success for each in episodes)
                progress(f"{env.name}, seed {seed} ({done} of {len(episodes)} done)")
            episodes.append(episode.run(env, make, seed))
        rows.append(_row(env.name, episodes, least))
    report = Report("evaluate", "success rates", rows)
    report.judged = "rate >= least"
    report.reported = {}
    report.note = (
        "rate: of success; low, high: its 95 % interval (Wilson). failed: seeds.\n"
        "overlap: the deepest of the cable, by its radius.\n"
        "times real time: simulated time over CPU time of environment and policy, with resets."
    )
    return report


def interval(done: int, runs: int) -> tuple[float, float]:
    """Wilson's 95 % interval of a success rate."""
    found = binomtest(done, runs).proportion_ci(0.95, method="wilson")
    return float(found.low), float(found.high)


def _row(name: str, episodes: list[Episode], least: float | None) -> dict[str, Any]:
    done = sum(each.success for each in episodes)
    rate, (low, high) = done / len(episodes), interval(done, len(episodes))
    seconds = sum(each.seconds for each in episodes)
    row = {
        "scene": name,
        "episodes": len(episodes),
        "rate": round(rate, 4),
        "low": round(low, 3),
        "high": round(high, 3),
        "return": round(float(np.mean([each.rewards for each in episodes])), 3),
        "seconds": round(seconds / len(episodes), 2),
        "broken": sum(each.broken for each in episodes),
        "overlap": round(max(each.overlap for each in episodes), 2),
        "times real time": round(seconds / sum(each.cpu for each in episodes), 2),
        "failed": ", ".join(str(each.seed) for each in episodes if not each.success) or "none",
    }
    if least is not None:
        row["least"] = least
    return row | {"passed": None if least is None else rate >= least}
