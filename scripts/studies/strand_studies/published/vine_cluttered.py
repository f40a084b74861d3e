"""A robot grows between boxes (Jitosho et al., ICRA 2021).

Their program has 50 bodies; the paper says 40. The path is sensitive: increasing the heading by
1e-4 rad moves the tip by 5 mm at the end.
"""

from strand.vine import published
from strand_studies.published.vine_scene import Scene

SCENE = Scene(
    "vine_cluttered",
    "Growing robot between boxes",
    published.cluttered,
    bodies=50,
    steps=published.CLUTTERED_STEPS,
    rate=published.CLUTTERED_RATE,
    tip=(512.90820544, -711.79089273),
    near=1e-3,
    reference="cluttered50_code_state.csv.gz",
)
run = SCENE.run
