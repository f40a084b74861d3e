"""From the description of a task to the function that evaluates its points."""

import functools

from strand.sweep import function
from strand.sweep.task import Evaluate, Task


@functools.lru_cache(maxsize=4)
def prepared(task: Task) -> Evaluate:
    """The function that evaluates points of a task. Raises StrandError if the task is invalid."""
    if task.kind == "function":
        return function.evaluator(task)
    from strand.sweep import scene  # loads the simulation, which functions may not need

    return scene.evaluator(task)
