"""Statistics of the features of a LeRobot dataset: of an episode, and of several.

They are what the format has: min, max, mean, std, count, and the quantiles 1, 10, 50, 90, 99 %.
Pictures have theirs per channel, of values from 0 to 1, in the shape (3, 1, 1).
"""

from collections.abc import Sequence

import numpy as np

Stats = dict[str, dict[str, np.ndarray]]

QUANTILES = {"q01": 0.01, "q10": 0.10, "q50": 0.50, "q90": 0.90, "q99": 0.99}
_PICTURES, _PIXELS = 100, 150  # at most so many pictures of an episode, and pixels of a side


def of_numbers(values: np.ndarray) -> dict[str, np.ndarray]:
    """Statistics of a feature with values (frames,) or (frames, n)."""
    return _along_first(values.reshape(len(values), -1).astype(float), len(values))


def of_pictures(pictures: Sequence[np.ndarray]) -> dict[str, np.ndarray]:
    """Statistics of pictures (height, width, 3), uint8, from evenly spaced ones and pixels."""
    chosen = np.unique(np.linspace(0, len(pictures) - 1, _PICTURES).round().astype(int))
    step = max(1, int(np.ceil(max(pictures[0].shape[:2]) / _PIXELS)))
    thin = np.stack([pictures[k][::step, ::step] for k in chosen])
    figures = _along_first(thin.reshape(-1, 3) / 255.0, len(chosen))
    return {
        name: value if name == "count" else value.reshape(3, 1, 1)
        for name, value in figures.items()
    }


def _along_first(values: np.ndarray, count: int) -> dict[str, np.ndarray]:
    return {
        "min": values.min(axis=0),
        "max": values.max(axis=0),
        "mean": values.mean(axis=0),
        "std": values.std(axis=0),
        "count": np.array([count]),
        **dict(zip(QUANTILES, np.quantile(values, list(QUANTILES.values()), axis=0), strict=True)),
    }


def merged(parts: Sequence[Stats]) -> Stats:
    """Statistics of several episodes together. The quantiles are the means of theirs, weighted with
    their counts, as LeRobot computes them."""
    return {name: _merged([part[name] for part in parts]) for name in parts[0]}


def _merged(parts: Sequence[dict[str, np.ndarray]]) -> dict[str, np.ndarray]:
    count = np.array([part["count"][0] for part in parts])
    stacked = {name: np.stack([part[name] for part in parts]) for name in parts[0]}

    def average(values: np.ndarray) -> np.ndarray:
        return np.average(values, axis=0, weights=count)

    mean = average(stacked["mean"])
    variance = average(stacked["std"] ** 2 + (stacked["mean"] - mean) ** 2)
    return {
        "min": stacked["min"].min(axis=0),
        "max": stacked["max"].max(axis=0),
        "mean": mean,
        "std": np.sqrt(variance),
        "count": np.array([count.sum()]),
        **{name: average(stacked[name]) for name in QUANTILES},
    }
