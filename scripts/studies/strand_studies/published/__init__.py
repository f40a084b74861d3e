"""Published examples, most of them on the implicit core: their figures beside the reference.

Each module NAME has `run(full, progress, frames) -> Report`; the command `strand example NAME`
calls it. Modules in COMPAT also take `compat`: the authors' stop rule (for sheets, their frozen
terms; for growing robots, their step). Modules in VINES also take `bodies` and `state`, a file, and
those in RECORDED `data`, a directory of measurements.
Rods use the papers' curvature measure, so that figures can be compared digit by digit.
"""

#: Examples whose figures depend on the authors' stop rule.
COMPAT = (
    "pneunet",
    "contortion",
    "drop",
    "manta",
    "parachute",
    "sheet",
    "vine_runtime",
    "vine_cluttered",
    "vine_oscillation",
)

#: Examples with a selectable number of bodies, whose states can be written to a file.
VINES = ("vine_runtime", "vine_cluttered", "vine_oscillation", "vine_wall")

#: Examples that compare with measurements, which are not part of the package.
RECORDED = ("real2sim", "held_wire")

#: Every example, and what it shows.
EXAMPLES = {
    "cantilever": "a beam swings in its first mode: period and amplitude, with two kinds of clamp",
    "helix": "a coil sags under its own weight: extremes, frequencies, equilibrium",
    "control": "a hand carries an upright rod, which falls over",
    "dlo_manipulation": "a clamped cord is twisted by 20 rad, then its ends are moved together",
    "real2sim": "a soft arm of two limbs follows measured curvatures, calibrated limb by limb",
    "pneunet": "an actuated finger curls up, with and without a pull at its tip",
    "contortion": "the ends of a clamped rod approach, then one twists",
    "friction": "a rod on the floor is pushed with 44 forces: it sticks, or slides as Coulomb says",
    "spider": "nine joined rods drop on a slope and slide to rest, with two settings",
    "horton": "a planar crawler of five limbs makes a step on the floor, driven open loop",
    "worm": "two edges contract in turn and crawl, with friction and without",
    "drop": "an inclined rod, soft or stiff, falls on the floor: its path past the impact",
    "gripping": "a finger curls up, alone and around a sphere",
    "knot": "an overhand knot is pulled tight, and nothing passes through",
    "entanglement": "five fingers coil up and entangle, with friction and without",
    "crossing": "a rod slides on rails to a stop; two rods collide: the energy balance",
    "manta": "a shell swims under water: hinges along its back flap in a wave",
    "parachute": "a canopy of hinges, six ropes and a payload sink through the air",
    "snake": "a wave of natural curvature drives a rod through a viscous fluid",
    "pile": "rods drop on a heap and come to rest",
    "sheet": "cantilevers of rods and sheets: elastica, Kirchhoff's plate, the published figures",
    "plate": "a square plate under its weight: Navier's series, with two kinds of bending",
    "dome": "a hemisphere is pushed in at its apex: stiffness, limit load, snap",
    "vine_runtime": "a growing robot meets a circle and follows it: published step and exact one",
    "vine_cluttered": "a growing robot finds its way between boxes",
    "vine_oscillation": "a bent robot swings; its stiffness and damping are found from noisy films",
    "vine_wall": "a growing robot meets a wall; the published film is fitted",
    "held_wire": "a robot arm holds a twisted wire in four poses, in MuJoCo: real wires, the peer",
    "junction": "rods on a plate: the joint carries force and moment",
}
