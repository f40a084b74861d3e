"""Recorded simulations that any browser plays, without Python or a server.

    import strand.replay

    strand.replay.record(model, data, seconds=5).save("replay.html")

`record` runs a model, a simulation of the core or a file; `Recorder` captures your own loop. In a
notebook, a `Replay` as the last value of a cell is shown there. It needs viser:

    pip install "strand[replay]"

`models`, `flexes`, `looks` and `networks` find what is drawn; `parts` and `shapes` describe it;
`page` writes it with viser; `camera` chooses the first view.
"""

from strand.replay.recorder import Recorder
from strand.replay.replay import Replay
from strand.replay.running import record

__all__ = ["Recorder", "Replay", "record"]
