"""Manipulation of cables: scenes with scripted controllers, for studies and for learning.

from strand_studies.manipulation.catalog import load
from strand_studies.manipulation.run import play, start

scene = load("routing")
model, data = start(scene, seed=3)
print(play(scene, model, data))
"""
