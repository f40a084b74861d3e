"""Old cable models: `<composite type="cable">` and the plugin `mujoco.elasticity.cable`, and the
composites `rope` and `loop` of MuJoCo 2.

MuJoCo 4.0 has none of them. `convert` makes MJCF of them that any MuJoCo 3.x and 4.x with Strand
loads, with the same names, bodies, joints and qpos: what refers to the cable keeps working. With
the flex backend it makes MuJoCo 4's flexes of cables that are straight and round.

`xml_source` reads files and edits their text, `tree` follows includes, `composite` is the old
element as data, `centreline` and `bodies` make links of it, `skin` its skin, `elasticity` maps the
old plugin's moduli, `rope` does all of it for ropes and loops, `expanded` finds chains that are
already bodies, `converter` ties them together, `flex_cable`, `flex_references` and
`flex_converter` do so for flexes, `conversion` chooses, `checking` compares the two models.
"""

from strand.legacy.conversion import Conversion, convert
from strand.legacy.loading import load_model

__all__ = ["Conversion", "convert", "load_model"]
