"""Old cable models: `<composite type="cable">` and the plugin `mujoco.elasticity.cable`, and the
composites `rope` and `loop` of MuJoCo 2.

MuJoCo 4.0 supports none of them. `convert` writes MJCF that every MuJoCo 3.x and 4.x with Strand
loads, with the same names, bodies, joints and qpos, so that references to the cable keep working.
With the flex backend it converts straight round cables to the flexes of MuJoCo 4.

`xml_source` reads files and edits their text. `tree` follows includes. `composite` reads the old
element; `centreline`, `bodies` and `skin` make its links and its skin. `elasticity` maps the moduli
of the old plugin. `rope` converts ropes and loops. `expanded` finds chains of explicit bodies.
`converter` combines these; `flex_cable`, `flex_references` and `flex_converter` do so for flexes.
`conversion` selects the backend. `checking` compares the old and the new model.
"""

from strand.legacy.conversion import Conversion, convert
from strand.legacy.loading import load_model

__all__ = ["Conversion", "convert", "load_model"]
