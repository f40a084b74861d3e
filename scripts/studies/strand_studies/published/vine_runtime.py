"""A robot grows against a circle and along it (Jitosho et al., ICRA 2021, the cost test).

Stiffness, damping and inertia are given per joint and per body, as published. So another number of
bodies makes another robot.
"""

from strand.vine import published
from strand_studies.published.vine_scene import Scene

SCENE = Scene(
    "vine_runtime",
    "Growing robot against a circle",
    published.runtime,
    bodies=30,
    steps=published.RUNTIME_STEPS,
    rate=published.RUNTIME_RATE,
    tip=(556.04473245, -58.38413759),
    near=1e-6,
    reference="runtime30_state.csv.gz",
)
run = SCENE.run
