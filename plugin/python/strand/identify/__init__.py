"""Parameters of a cable from recordings of a real one.

    bend      EI, and natural curvature, from shapes of a hanging cable
    twist     GJ/EI from the turn of one end at which a hanging loop buckles
    damping   frequency and damping ratio or loss time from a decaying oscillation
    fit       any parameters of a cable, from positions at rest or in time

Each returns estimates with 95 % intervals and the residuals.
"""

from strand.identify.bend_search import TrialFit
from strand.identify.bending import Bend, bend
from strand.identify.fitting import Fit, fit
from strand.identify.interval import Estimate
from strand.identify.oscillation import Damping, damping
from strand.identify.recorded import Trial, read_trials
from strand.identify.twisting import Twist, TwistFit, twist

__all__ = [
    "Bend",
    "Damping",
    "Estimate",
    "Fit",
    "Trial",
    "TrialFit",
    "Twist",
    "TwistFit",
    "bend",
    "damping",
    "fit",
    "read_trials",
    "twist",
]
