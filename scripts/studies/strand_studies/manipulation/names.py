"""The scenes by name: the class, in the module of the same name, and what it shows.

This module imports nothing, so that `strand --help` is fast.
"""

SCENES = {
    "routing": ("Routing", "a hand lays a cable through four clips on a board"),
    "plug": ("Plug", "a hand pushes a plug into a socket until its latch snaps in"),
    "lay": ("Lay", "a hand picks up a cable and lays it in a U on a table"),
    "winch": ("Winch", "a winch winds up a rope that runs over a pulley, and lifts a load"),
    "handover": ("Handover", "one hand passes a cable to another, which puts it in its place"),
    "hose": ("Hose", "a mobile base drags a hose around a pillar"),
    "knot": ("Knot", "two hands tie an overhand knot and pull it"),
    "drone": ("Drone", "a quadrotor flies on a tether to a place"),
}

#: Scenes that are also judged in many worlds at once; see many_worlds.py.
MANY_WORLDS = ("winch", "hose")

#: Scenes whose hands can hold by weld instead of friction.
GRASPS = ("handover", "routing")
