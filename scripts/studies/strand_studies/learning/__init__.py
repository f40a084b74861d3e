"""The manipulation scenes as environments of Gymnasium; policies, evaluation, recordings.

import gymnasium
import strand_studies.learning  # registers strand/Plug-v0 and the others

env = gymnasium.make("strand/Plug-v0", reward="sparse")

The import is fast: it loads neither Strand nor MuJoCo. It raises an ImportError where Gymnasium is
not installed.
"""

from strand_studies.manipulation.names import MANY_WORLDS, SCENES

try:
    import gymnasium
except ImportError:
    raise ImportError(
        'gymnasium: not installed; pip install "strand[gym]" installs it', name="gymnasium"
    ) from None

#: Names of the environments in Gymnasium's registry, by the names of the scenes.
ENVIRONMENTS = {name: f"strand/{scene}-v0" for name, (scene, _) in SCENES.items()}

_VECTOR = "strand_studies.learning.vector:CableVectorEnv"

for _name, _environment in ENVIRONMENTS.items():
    gymnasium.register(
        _environment,
        entry_point="strand_studies.learning.environment:CableEnv",
        vector_entry_point=_VECTOR if _name in MANY_WORLDS else None,
        kwargs={"scene": _name},
    )
