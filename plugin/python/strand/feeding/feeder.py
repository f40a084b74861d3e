"""Feeds a cable out of the guide at its start and back in: winches, spools, sheaths.

MuJoCo's models have a fixed number of bodies, so that all links of the cable exist all the time.
The one at the mouth of the guide slides along itself and turns about the mouth, and its mass is
that of its part outside. Those behind it are in line with it, on joints that cannot turn: they have
no mass, do not collide and are not drawn. What is inside has its mass on the reel, a body at the
mouth, and its inertia on the slide joint, since it moves on the drum as fast as at the mouth. So
neither momentum nor energy changes when a link is handed over. The stiffness of the joints at the
mouth, and the force by which a bent cable pushes itself out, are the plugin's (model/stencil/feed.h
in Strand's sources).
"""

import itertools
from typing import NamedTuple

import mujoco
import numpy as np

from strand import _strand, adapter
from strand.errors import StrandError
from strand.materials.change import material
from strand.readout.joints import ARMATURE, DAMPING, STIFFNESS, own_values
from strand.readout.readout import cable_index, read_all, read_index

HIDDEN = 1e-9  # mass of a link inside, as a multiple of its own
LEAST_PART = 1e-3  # of the mass of the link at the mouth
LEAST_INERTIA = 1e-14  # kg m^2: MuJoCo needs more than 1e-15
LOCK = 1e4  # armature of a joint inside, as a multiple of the inertia of everything about it
SLACK = 2e-3  # of a link's length: how far beyond its place a link is handed over
#: What mj_setConst also computes, at qpos0, but does not depend on masses: a user may have set it.
KEPT = (
    "eq_data",
    "tendon_length0",
    "tendon_lengthspring",
    "actuator_length0",
    "actuator_biasprm",
    "flexedge_length0",
    "dof_length",
    "geom_rbound",
    "geom_aabb",
    "cam_pos0",
    "cam_mat0",
    "light_pos0",
    "light_dir0",
    "body_sameframe",
    "geom_sameframe",
    "site_sameframe",
)


class Feeder:
    """Keeps a model right while a cable is fed out of its guide and back in.

        cable = strand.Cable(nodes=strand.straight(20, 60), EI=0.01, GJ=0.01, start="feed", fed=2)
        strand.attach(spec, cable, body="crane")  # an actuator drives the joint "cable_feed"
        ...
        feeder = strand.Feeder(model, data)
        while data.time < 30:
            mujoco.mj_step(model, data)
            feeder.update()

    The position of the slide joint `<prefix>feed` is the length outside (m): drive it with a
    position or velocity actuator, or a motor. It has the inertia of what is inside; add that of the
    drum, J / R^2, to its armature before. The model changes with the length outside, so that it is
    right for one state at a time.

    model, data: the model, and the state that is stepped.
    cable: name or index of its plugin instance (default 0).

    Raises StrandError if the model has no such cable, or if it is not fed.
    """

    def __init__(self, model: mujoco.MjModel, data: mujoco.MjData, cable: str | int = 0) -> None:
        index = cable_index(model, data, cable)
        constants = adapter.load().constants(model._address, data._address, index)
        if constants.feed_joint < 0:
            raise StrandError(f"cable: got {cable!r}, allowed: a cable with start = feed")
        self._model, self._data = model, data
        self._links = np.array(constants.body[1:])  # the first one is the guide
        self._geoms = _own_geoms(model, self._links)
        self._check_links()
        self._link = constants.length[-1]
        self._slide = int(model.jnt_dofadr[constants.feed_joint])
        self._position = int(model.jnt_qposadr[constants.feed_joint])
        self._equalities = _equalities(model, constants.feed_joint)
        self._reel = int(model.body_parentid[self._links[0]])
        joints = model.body_jntadr[self._links]  # about the mouth, then between links
        self._dofs = model.jnt_dofadr[joints][:, None] + np.arange(3)
        self._quaternions = model.jnt_qposadr[joints][:, None] + np.arange(4)
        self._joints, self._index = joints, index
        load = (
            model.body_subtreemass[self._links[-1]]
            + self._links.size * (model.body_mass[self._links[-1]])
        )
        self._lock = LOCK * load * (self._links.size * self._link) ** 2
        self._scratch = mujoco.MjData(model)
        self._own = _Numerics.of(model, joints, self._dofs)
        # Of the slide joint's inertia, the reel's mass is that of the cable inside (_weigh_mouth).
        on_reel = model.body_mass[self._reel]
        self._drum = max(float(model.dof_armature[self._slide] - on_reel), 0.0)
        self._follow_bodies()
        self.prepare()

    @property
    def length(self) -> float:
        """Length outside (m)."""
        return float(self._data.qpos[self._position])

    @property
    def speed(self) -> float:
        """m/s, > 0: the cable comes out."""
        return float(self._data.qvel[self._slide])

    @property
    def mass(self) -> float:
        """Mass outside (kg)."""
        return float(self._model.body_mass[self._links[-1]]) * self.length / self._link

    @property
    def force(self) -> float:
        """Force (N) along the cable at the mouth that held it back in the last step (< 0: pushed).

        It is what the slide joint's actuators, damping, friction, equalities and limits, and forces
        applied to it, exert on the joint, less what accelerates what is inside. A cable with the
        moment M at the mouth pushes itself out of the guide by M^2 / (2 EI), as out of a
        frictionless sleeve.
        """
        return self._balance(self._data.qacc) if self._held is None else self._held

    def _balance(self, acceleration: np.ndarray) -> float:
        """The force (N) at the mouth, from the balance of the slide joint, at this acceleration."""
        data, slide = self._data, self._slide
        momentum = np.empty(self._model.nv)
        mujoco.mj_mulM(self._model, data, momentum, acceleration)
        drive = data.qfrc_spring[slide] + data.qfrc_damper[slide]
        smooth = data.qfrc_passive[slide] - drive - data.qfrc_bias[slide]
        held = data.qfrc_constraint[slide] - self._constraint_of_slide()
        return float(smooth + held - momentum[slide] + self._inertia * acceleration[slide])

    def _acceleration(self) -> np.ndarray:
        """Acceleration of the last step. Implicit integrators leave another one in data.qacc, which
        they compute before they solve for what damps: a stiff servo is most of the difference."""
        data, option = self._data, self._model.opt
        steps = round((data.time - self._time) / option.timestep)
        if steps < 1 or option.integrator == mujoco.mjtIntegrator.mjINT_RK4:
            return data.qacc
        return (data.qvel - self._velocity) / (steps * option.timestep)

    def _constraint_of_slide(self) -> float:
        """Force (N) of the slide joint's own constraints, not of contacts and welds of links."""
        model, data, kinds = self._model, self._data, mujoco.mjtConstraint
        if data.nefc == 0:
            return 0.0
        kind, number = data.efc_type, data.efc_id
        own = (kind == kinds.mjCNSTR_EQUALITY) & np.isin(number, self._equalities)
        own |= (kind == kinds.mjCNSTR_LIMIT_JOINT) & (number == model.dof_jntid[self._slide])
        own |= (kind == kinds.mjCNSTR_FRICTION_DOF) & (number == self._slide)
        if not own.any():
            return 0.0
        force = np.empty(model.nv)
        mujoco.mj_mulJacTVec(model, data, force, np.where(own, data.efc_force, 0.0))
        return float(force[self._slide])

    def prepare(self) -> None:
        """Prepares the model for another state that was put into the data, by a reset for example.

        To be called before the next step, also where only velocities were set.
        """
        whole = np.clip(np.ceil(self.length / self._link) - 1, 1, len(self._links) - 1)
        self._at_mouth = len(self._links) - 1 - int(whole)
        self._adapt(handed_over=True)
        self._inertia = float(self._model.dof_armature[self._slide])
        self._held: float | None = None  # no step was made yet

    def update(self) -> None:
        """Feeds the cable by what the slide joint moved. To be called after every step.

        Raises StrandError, and changes nothing, if more than a link was fed since the last call.
        """
        fed = self.length - self._length
        if not abs(fed) <= self._link:
            raise StrandError(
                f"feed: got {fed:.4g} m in a step, allowed: at most a link ({self._link:.4g} m); "
                "feed more slowly, or take smaller steps, and call update() after every one"
            )
        self._inertia = float(self._model.dof_armature[self._slide])
        self._held = self._balance(self._acceleration())
        before = self._at_mouth
        while self._outside() > 1 + SLACK and self._at_mouth > 0:
            self._at_mouth -= 1
        while self._outside() < -SLACK and self._at_mouth < len(self._links) - 2:
            self._take_in()
        self._adapt(handed_over=self._at_mouth != before)

    def _outside(self) -> float:
        """Fraction of the link at the mouth that is outside; < 0 or > 1 before a hand-over."""
        return self.length / self._link - (len(self._links) - 1 - self._at_mouth)

    def _take_in(self) -> None:
        """Lets the next link, whose start is at the mouth, turn about it, as it turns now."""
        data, mouth, joint = self._data, 0, self._at_mouth + 1
        at_mouth, turn = self._quaternions[mouth], data.qpos[self._quaternions[joint]].copy()
        velocity, back = np.empty(3), np.empty(4)
        mujoco.mju_negQuat(back, turn)
        mujoco.mju_rotVecQuat(velocity, data.qvel[self._dofs[mouth]], back)
        data.qvel[self._dofs[mouth]] = velocity + data.qvel[self._dofs[joint]]
        product = np.empty(4)
        mujoco.mju_mulQuat(product, data.qpos[at_mouth], turn)
        data.qpos[at_mouth] = product
        self._at_mouth += 1

    def _adapt(self, handed_over: bool) -> None:
        """Makes the model that of the length outside, and keeps the joints inside straight."""
        if handed_over:
            self._show()
            self._weigh_links()
            self._hold_joints()
        self._weigh_mouth()
        self._stabilize_mouth()
        if handed_over:
            _set_constants(self._model, self._scratch)
        inside = slice(1, self._at_mouth + 1)
        self._data.qpos[self._quaternions[inside]] = [1, 0, 0, 0]
        self._data.qvel[self._dofs[inside]] = 0
        self._length, self._time = self.length, self._data.time
        self._velocity = self._data.qvel.copy()

    def _weigh_links(self) -> None:
        """Gives the links outside and inside their masses."""
        model, links, k = self._model, self._links, self._at_mouth
        mass, inertia = model.body_mass[links[-1]], model.body_inertia[links[-1]].copy()
        model.body_mass[links] = mass
        model.body_inertia[links] = inertia
        model.body_ipos[links, 0] = 0.5 * self._link
        model.body_mass[links[:k]] = HIDDEN * mass
        model.body_inertia[links[:k]] = np.maximum(HIDDEN * inertia, LEAST_INERTIA)

    def _weigh_mouth(self) -> None:
        """Divides the mass at the mouth between what is outside of the link there and the reel."""
        model, last, k = self._model, self._links[-1], self._at_mouth
        mass, inertia, link = model.body_mass[last], model.body_inertia[last], self._links[k]
        part = min(max(self._outside(), LEAST_PART), 1)
        rod = mass * self._link**2 / 12 * np.array([0, 1, 1])  # of a thin link
        model.body_mass[link] = part * mass
        model.body_inertia[link] = np.maximum(part * (inertia - rod) + part**3 * rod, LEAST_INERTIA)
        model.body_ipos[link, 0] = (1 - 0.5 * part) * self._link
        inside = (k + 1 - part) * mass
        model.body_mass[self._reel] = inside + LEAST_INERTIA
        model.dof_armature[self._slide] = self._drum + inside + LEAST_INERTIA

    def _show(self) -> None:
        """Lets the links that are entirely outside collide; draws them and the one at the mouth."""
        model, k = self._model, self._at_mouth
        *geoms, last = self._geoms
        for mask in ("contype", "conaffinity"):
            of_geoms, of_bodies = (getattr(model, f"{of}_{mask}") for of in ("geom", "body"))
            whole = np.bitwise_or.reduce(of_geoms[last])  # MuJoCo skips a body by its geoms' masks
            for i, link in enumerate(self._links[:-1]):
                of_geoms[geoms[i]] = of_geoms[last] if i > k else 0
                of_bodies[link] = whole if i > k else 0
        for i, some in enumerate(geoms):
            model.geom_rgba[some, 3] = model.geom_rgba[last, 3] if i >= k else 0

    def _hold_joints(self) -> None:
        """Stabilises the joints as the cable's material needs it, and locks those inside."""
        now = material(self._model, self._data, self._index)
        self._stiffened = max(1.0, np.max(now.EI), np.max(now.GJ))
        count, inside = len(self._joints), self._dofs[1 : self._at_mouth + 1]
        self._stabilize(np.arange(count), np.ones(count))
        self._model.dof_armature[inside] = self._lock

    def _stabilize_mouth(self) -> None:
        """Stabilises the joints at both ends of the link at the mouth for their stiffness."""
        factors = np.array(_strand.feed_stiffness(self._outside()))
        self._stabilize(np.array([0, self._at_mouth + 1]), factors)

    def _stabilize(self, places: np.ndarray, factors: np.ndarray) -> None:
        """Stabilises some joints, by their places, that are stiffer by these factors."""
        stable = self._own.scaled(places, self._stiffened * factors)
        stable.put(self._model, self._joints[places], self._dofs[places])

    def _check_links(self) -> None:
        """Raises StrandError if a link that may go inside carries a body or a geom of its own."""
        model, links = self._model, self._links
        for own, (link, following) in zip(self._geoms, itertools.pairwise(links), strict=False):
            added = np.setdiff1d(_geoms(model, link), own)
            if added.size:
                name = model.geom(int(added[0])).name
                raise StrandError(
                    f"cable: got geom {name!r} on link {model.body(int(link)).name!r}, allowed: "
                    "geoms of your own on the last link only, since links go into the guide"
                )
            others = np.flatnonzero(model.body_parentid == link)
            if others.size == 1 and others[0] == following:
                continue
            other = model.body(int(others[others != following][0])).name
            raise StrandError(
                f"cable: got body {other!r} on link {model.body(int(link)).name!r}, allowed: "
                "bodies on the last link only, since links go into the guide"
            )

    def _follow_bodies(self) -> None:
        """Makes geoms and sites of links follow the bodies, not the centres of mass."""
        model = self._model
        model.geom_sameframe[np.isin(model.geom_bodyid, self._links)] = 0
        model.site_sameframe[np.isin(model.site_bodyid, self._links)] = 0


def fed_cables(model: mujoco.MjModel, data: mujoco.MjData) -> list[int]:
    """Plugin instances of the cables that are fed."""
    constants = adapter.load().constants
    return [
        index
        for index in read_all(model, data, read_index)
        if constants(model._address, data._address, index).feed_joint >= 0
    ]


class _Numerics(NamedTuple):
    """What stabilises the joints of a cable in a model as it was made."""

    stiffness: np.ndarray  #: (joints,)
    armature: np.ndarray  #: kg m^2, (joints, 3)
    damping: np.ndarray  #: (joints, 3)

    @classmethod
    def of(cls, model: mujoco.MjModel, joints: np.ndarray, dofs: np.ndarray) -> "_Numerics":
        stiffness = model.jnt_stiffness[joints, np.newaxis]
        return cls(
            own_values(model, joints, STIFFNESS, stiffness)[:, 0],
            own_values(model, joints, ARMATURE, model.dof_armature[dofs]),
            own_values(model, joints, DAMPING, model.dof_damping[dofs]),
        )

    def scaled(self, places: np.ndarray, factors: np.ndarray) -> "_Numerics":
        """Of the joints at these places, if they are stiffer by these factors."""

        def times(numbers: np.ndarray) -> np.ndarray:
            return numbers * factors.reshape(-1, *[1] * (numbers.ndim - 1))

        some = self._replace(
            stiffness=self.stiffness[places],
            armature=self.armature[places],
            damping=self.damping[places],
        )
        if np.any(self.stiffness):
            return some._replace(stiffness=times(some.stiffness))
        return some._replace(armature=times(some.armature), damping=times(some.damping))

    def put(self, model: mujoco.MjModel, joints: np.ndarray, dofs: np.ndarray) -> None:
        model.jnt_stiffness[joints] = self.stiffness
        model.dof_armature[dofs] = self.armature
        model.dof_damping[dofs] = self.damping


def _geoms(model: mujoco.MjModel, body: int) -> np.ndarray:
    return model.body_geomadr[body] + np.arange(model.body_geomnum[body])


def _equalities(model: mujoco.MjModel, joint: int) -> np.ndarray:
    """The equality constraints of a joint with another one, or with a number."""
    of_joint = (model.eq_obj1id == joint) | (model.eq_obj2id == joint)
    return np.flatnonzero((model.eq_type == mujoco.mjtEq.mjEQ_JOINT) & of_joint)


def _own_geoms(model: mujoco.MjModel, links: np.ndarray) -> list[np.ndarray]:
    """The geoms of each link that the generator made, which are alike on all links."""
    own = []
    for k, link in enumerate(links):
        prefix = model.body(int(link)).name.removesuffix(f"link{k}")
        names = {f"{prefix}geom{k}{part}" for part in ("", "_lower", "_upper")}
        own.append(
            np.array(
                [i for i in _geoms(model, link) if model.geom(int(i)).name in names], dtype=int
            )
        )
    if all(len(geoms) == len(own[-1]) > 0 for geoms in own):
        return own
    return [_geoms(model, link) for link in links]  # not named by the generator


def _set_constants(model: mujoco.MjModel, scratch: mujoco.MjData) -> None:
    """Computes what depends on masses, but neither what a user may have set since the model was
    made, as the anchor of a connect, nor the statistics, which scale solver and camera."""
    names = ("meaninertia", "meanmass", "meansize", "extent", "center")
    kept = {name: np.copy(getattr(model.stat, name)) for name in names}
    fields = {name: getattr(model, name) for name in KEPT if hasattr(model, name)}
    before = {name: field.copy() for name, field in fields.items()}
    mujoco.mj_setConst(model, scratch)
    for name, field in fields.items():
        field[...] = before[name]
    for name, value in kept.items():
        setattr(model.stat, name, value if value.ndim else float(value))
