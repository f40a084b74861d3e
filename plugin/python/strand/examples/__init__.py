"""Published examples on the implicit core: their figures beside the reference.

Each module NAME has `run(full, progress, frames) -> Report`; the command `strand example NAME`
calls it. Rods bend by the measure of the papers, so that figures can be compared digit by digit.
"""

#: Every example, and what it shows.
EXAMPLES = {
    "cantilever": "a beam swings in its first mode: period and amplitude, with two kinds of clamp",
    "helix": "a coil sags under its own weight: extremes, frequencies, rest",
    "control": "a hand carries an upright rod, which falls over",
    "dlo_manipulation": "a clamped cord is twisted by 20 rad, then its ends are brought nearer",
    "real2sim": "a soft arm of two limbs follows measured curvatures, calibrated limb by limb",
    "pneunet": "an actuated finger curls up, with and without a pull at its tip",
    "contortion": "the ends of a clamped rod approach, then one twists",
}
