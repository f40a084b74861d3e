"""Runs many worlds, several at once."""

import contextlib
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import TypeAlias

from strand.batch.world import Failure, Worlds

Progress: TypeAlias = Callable[[int, int], None]


def run_all(
    worlds: Worlds, count: int, threads: int, progress: bool | Progress
) -> dict[int, Failure]:
    """Runs all worlds; returns those whose state became invalid, by index.

    progress: True: a bar on stderr; or a function of the numbers of finished worlds and of all. An
    error in one world ends all.
    """
    failures = {}
    with _shown(progress) as show, ThreadPoolExecutor(threads) as pool:
        futures = {pool.submit(worlds.run, world): world for world in range(count)}
        try:
            for done, future in enumerate(as_completed(futures), start=1):
                if failure := future.result():
                    failures[futures[future]] = failure
                show(done, count)
        except BaseException:
            worlds.stopped.set()
            pool.shutdown(cancel_futures=True)
            raise
    return dict(sorted(failures.items()))


@contextlib.contextmanager
def _shown(progress: bool | Progress) -> Iterator[Progress]:
    if progress is not True:
        yield progress or (lambda done, count: None)
        return
    from rich.console import Console
    from rich.progress import Progress as Bar

    with Bar(console=Console(stderr=True)) as bar:
        task = bar.add_task("worlds")
        yield lambda done, count: bar.update(task, completed=done, total=count)
