"""A cable is the same in every scene: the defaults of a scene's own elements do not reach it."""

import mujoco
import numpy as np
import pytest
from support.engine import BEST, needs_pieces

import strand
from strand import Branch, Cable

DEFAULTS = """<default>
  <joint damping="5" armature=".1" stiffness="3" frictionloss=".2" limited="true" range="-.1 .1"
         springref=".3" margin=".1" solreflimit=".1 1"/>
  <geom contype="2" conaffinity="4" condim="1" friction=".01 .1 .1" density="5000" margin=".02"
        gap=".01" solref=".1 1" solimp=".5 .6 .1" solmix="7" group="3" priority="5" mass="3"
        rgba="1 0 0 1" fluidshape="ellipsoid"/>
  <equality active="false" solref=".5 1" solimp=".1 .2 .1"/>
  <site size=".1" group="5"/>
</default>"""
#: Its own elements state all that the defaults above do.
SCENE = """<mujoco>{}<worldbody><body name="hand" mocap="true" pos="0 0 1">
  <site name="grip" size=".01" group="0"/>
</body></worldbody></mujoco>"""
NODES = strand.straight(0.8, 16)
MATERIAL = dict(EI=1e-2, GJ=8e-3, radius=4e-3, density=1200)


@pytest.mark.parametrize(
    "options",
    [
        dict(start="weld", start_to="grip"),
        pytest.param(dict(start="pin", start_to="grip", pieces=4), marks=needs_pieces),
        dict(start="fixed", skin=True),
        dict(start="ball", pieces="none"),
        dict(start="feed", fed=0.1),
        dict(nodes=strand.ring(0.2, 16), closed=True),
        dict(branches=[Branch(Cable(NODES / 2, **MATERIAL), name="arm", at=0.4, angle=1.0)]),
        dict(section="box", width=0.02, height=2e-3, EI=[1e-2, 1e-4]),
    ],
    ids=lambda options: "_".join(options),
)
def test_defaults_of_the_scene_do_not_reach_the_cable(options: dict) -> None:
    plain, marked = (built(defaults, **options) for defaults in ("", DEFAULTS))
    for name in dir(plain):
        value = getattr(plain, name)
        if not name.startswith("_") and isinstance(value, np.ndarray):
            np.testing.assert_array_equal(getattr(marked, name), value, err_msg=name)


def built(defaults: str, **options: object) -> mujoco.MjModel:
    spec = mujoco.MjSpec.from_string(SCENE.format(defaults))
    spec.option.integrator = BEST
    strand.attach(spec, Cable(**(dict(nodes=NODES) | MATERIAL | options)), pos=(0, 0, 1))
    return spec.compile()
