"""Many worlds of one model, simulated on all cores: each has its own start, controls and stiffness.

    drops = strand.rollout(model, start, worlds=1000, seconds=2, out="drops.npz", seed=1)

`rollout` is the function; `arguments` checks what it is given; `world` runs one world; `threads`
runs many; `store` keeps what is recorded, in memory or in a file; `placing` moves cables before
they start.
"""

from strand.batch.placing import meet, move
from strand.batch.rollout import Rollout, rollout

__all__ = ["Rollout", "meet", "move", "rollout"]
