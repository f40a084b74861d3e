"""A hand picks up the plug on the end of a cable and pushes it into a socket until its latch snaps
in. The socket is not quite where the hand believes it to be."""

import dataclasses
from typing import ClassVar

import mujoco
import numpy as np

import strand
from strand_studies.manipulation import gripper
from strand_studies.manipulation.gripper import Hand
from strand_studies.manipulation.scene import Range, Scene, View
from strand_studies.manipulation.script import Script, Stage

RADIUS, SEGMENTS = 0.0025, 48  # m, 1
PLUG = (0.014, 0.006, 0.0035)  # m: half sizes; x is the direction of insertion
HELD = -0.0075  # m: place of the fingers along the plug
DEPTH = 0.012  # m: of a seated plug
SEATED = 0.001  # m: play of a seated plug between the lip and the back of the socket
CLEAR, WALL = 0.0004, 0.004  # m: between plug and socket on every side; half thickness
SOCKET = (0.16, 0.0, 0.05)  # m: middle of the socket's mouth
DEVICE = (-0.14, 0.24)  # m: where the cable comes from
HINGE, SHOULDER, TAB = 0.013, 0.0046, 0.0045  # m: of the latch: along the plug twice, height
TOOTH = 0.0022  # m: height of the tooth above the tab
LATCH = 0.15  # N m/rad
GRIP, FORWARD = 30.0, 0.0003  # N; m: by which the hand pushes beyond the depth


@dataclasses.dataclass
class Plug(Scene):
    duration: ClassVar[float] = 9.0
    view: ClassVar[View] = View((0.0, 0.05, 0.02), 0.62, 115, -32)

    EI: Range = Range(5e-4, 2e-3)  #: N m^2
    twist_ratio: Range = Range(0.6, 1.0)  #: GJ / EI
    friction: Range = Range(0.4, 0.8)  #: of the cable
    bulge: Range = Range(0.0, 0.06)  #: m: by which the cable swerves, so that its length varies
    x: Range = Range(-0.02, 0.03)  #: m: of the plug at the start
    y: Range = Range(-0.04, 0.04)  #: m
    yaw: Range = Range(-0.35, 0.35)  #: rad
    error_y: Range = Range(-8e-4, 8e-4)  #: m: of the place at which the hand sees the socket
    error_z: Range = Range(-8e-4, 8e-4)  #: m

    def build(self, rng: np.random.Generator | None = None) -> mujoco.MjSpec:
        drawn = self.draw(rng)
        spec = self.stage(_WORLD)
        spec.worldbody.add_site(name="socket", pos=SOCKET, size=[0.001] * 3)
        seen = np.add(SOCKET, (0, drawn["error_y"], drawn["error_z"]))
        spec.worldbody.add_site(name="socket_seen", pos=seen, size=[0.001] * 3)
        _add_socket(spec)
        gripper.add_hand(spec, "hand", (0.0, 0.0, 0.14))
        plug = _add_plug(spec, (drawn["x"], drawn["y"], PLUG[2]), drawn["yaw"])
        cable = strand.Cable(
            _way(drawn),
            EI=drawn["EI"],
            GJ=drawn["EI"] * drawn["twist_ratio"],
            radius=RADIUS,
            density=1500.0,
            friction=drawn["friction"],
            loss_time=0.05,
            start="fixed",
            end="pin",
            end_to="device",
            rgba=(0.15, 0.35, 0.75, 1),
            skin=True,
        )
        strand.attach(spec, cable, body=plug)
        return spec

    def controller(self, model: mujoco.MjModel, data: mujoco.MjData) -> Script:
        hand = Hand.find(model, "hand")
        goal = data.site("socket_seen").xpos.copy()

        def over(data: mujoco.MjData) -> dict[str, float]:
            along = data.site("held").xmat.reshape(3, 3)[:, 0]
            place = data.site("held").xpos
            return hand.at([*place[:2], 0.06], yaw=np.arctan2(along[1], along[0]))

        def forward(depth: float):
            """The hand goes where the plug's tip is that deep in the socket it sees."""
            tip = goal + np.array([depth, 0, 0])
            return lambda data: hand.at(hand.place(data) + tip - data.site("tip").xpos, yaw=0)

        stages = [
            Stage(1.0, over),
            Stage(0.6, lambda data: hand.at(_above_table(data.site("held").xpos))),
            Stage(0.4, hand.at(grip=GRIP)),
            Stage(0.8, lambda data: hand.at([*hand.place(data)[:2], goal[2]])),
            Stage(1.6, forward(-0.03)),
            Stage(0.5, forward(-0.006)),
            Stage(1.2, forward(DEPTH + FORWARD)),
            *[Stage(0.5, forward(DEPTH + FORWARD))] * 2,  # it may have slipped in the fingers
            Stage(0.3, hand.at(grip=-5.0)),
            Stage(0.6, lambda data: hand.at(hand.place(data) + np.array([0, 0, 0.08]))),
        ]
        return Script(model, data, stages, self.control_period)

    def success(self, model: mujoco.MjModel, data: mujoco.MjData) -> bool:
        figures = self.measure(model, data)
        released = data.ctrl[model.actuator("hand_grip").id] <= 0
        return bool(
            released and abs(figures["depth"] - DEPTH) < SEATED and figures["latched"] == 1.0
        )

    def measure(self, model: mujoco.MjModel, data: mujoco.MjData) -> dict[str, float]:
        """depth: of the plug's tip in the socket (m). latched: 1 if the latch is behind the lip.
        insertion_force: along the socket, of the socket on the plug (N). aside: of the tip (m)."""
        tip = data.site("tip").xpos - data.site("socket").xpos
        tooth = data.site("tooth").xpos - data.site("socket").xpos
        behind = tooth[0] > 2 * LIP and tooth[2] > LIP_LOW
        return {
            "depth": float(tip[0]),
            "aside": float(np.hypot(tip[1], tip[2])),
            "latched": float(behind),
            "insertion_force": -float(_socket_force(model, data)[0]),
        }


_WORLD = f"""
<mujoco>
  <worldbody>
    <body name="device" pos="{DEVICE[0]} {DEVICE[1]} {RADIUS}">
      <geom type="box" size=".03 .03 .015" pos=".03 0 .0125" rgba=".2 .22 .25 1" contype="0"
            conaffinity="0"/>
    </body>
  </worldbody>
</mujoco>
"""
LIP = 0.001  #: m: radius of the lip at the mouth, under which the latch passes
LIP_LOW = TAB + 0.0012  #: m: height of its lower side above the plug's axis
_ORANGE, _GREY, _DARK = (0.93, 0.46, 0.13, 1), (0.82, 0.85, 0.88, 1), (0.2, 0.22, 0.25, 1)
_BOX, _CAPSULE = mujoco.mjtGeom.mjGEOM_BOX, mujoco.mjtGeom.mjGEOM_CAPSULE


def _above_table(place: np.ndarray) -> np.ndarray:
    """Where the hand holds what lies at a place: its fingers do not touch the table."""
    return np.array([place[0], place[1], gripper.TIP + 0.001])


def _way(drawn: dict[str, float]) -> np.ndarray:
    """Nodes (m) of the cable, on the table, from the plug to the device, in the plug's frame."""
    turn = np.array(
        [
            [np.cos(drawn["yaw"]), -np.sin(drawn["yaw"])],
            [np.sin(drawn["yaw"]), np.cos(drawn["yaw"])],
        ]
    )
    turned = [(-0.24 - drawn["bulge"], 0.08), (-0.22, 0.20), DEVICE]
    others = (np.array(turned) - (drawn["x"], drawn["y"])) @ turn
    flat = [(-PLUG[0], 0), (-PLUG[0] - 0.02, 0), *others]
    return strand.spline([(x, y, RADIUS - PLUG[2]) for x, y in flat], SEGMENTS)


def _hard(spec: mujoco.MjSpec, friction: float) -> dict:
    """Contact of plastic parts: as stiff as the time step allows."""
    return {
        "friction": [friction, 0.005, 1e-4],
        "solref": [2 * spec.option.timestep, 1],
        "solimp": [0.95, 0.99, 1e-4, 0.5, 2],
        "priority": 2,
    }


def _add_plug(spec: mujoco.MjSpec, place: tuple[float, float, float], yaw: float):
    turn = [np.cos(yaw / 2), 0, 0, np.sin(yaw / 2)]
    plug = spec.worldbody.add_body(name="plug", pos=place, quat=turn)
    plug.add_freejoint()
    half = PLUG[0] / 2
    rough = {"size": [half, *PLUG[1:]], "type": _BOX, "mass": 2e-3}
    plug.add_geom(name="boot", pos=[-half, 0, 0], rgba=_ORANGE, **rough, **_hard(spec, 0.9))
    plug.add_geom(name="nose", pos=[half, 0, 0], rgba=_GREY, **rough, **_hard(spec, 0.2))
    plug.add_site(name="held", pos=[HELD, 0, 0], size=[0.001] * 3)
    plug.add_site(name="tip", pos=[PLUG[0], 0, 0], size=[0.001] * 3)
    latch = plug.add_body(name="latch", pos=[HINGE, 0, TAB])
    latch.add_joint(
        name="latch",
        type=mujoco.mjtJoint.mjJNT_HINGE,
        axis=[0, 1, 0],
        stiffness=[LATCH, 0, 0],
        damping=[1e-3, 0, 0],
        armature=1e-6,
    )
    _add_latch(latch, _hard(spec, 0.2))
    return plug


def _add_latch(latch: mujoco.MjsBody, hard: dict) -> None:
    """A tab from the hinge backwards, with a tooth: a ramp in front, a shoulder behind."""
    back, thick, wide = SHOULDER - HINGE, 0.0005, 0.003
    latch.add_geom(
        name="tab",
        type=_BOX,
        size=[-back / 2 + 0.003, wide, thick],
        pos=[back / 2 - 0.003, 0, 0],
        mass=2e-4,
        rgba=_GREY,
        **hard,
    )
    foot = -0.001 - back  # length of the ramp along the plug
    slope = np.arctan2(TOOTH, foot)
    latch.add_geom(
        name="ramp",
        type=_BOX,
        size=[np.hypot(foot, TOOTH) / 2, wide, thick],
        pos=[back + foot / 2, 0, TOOTH / 2],
        quat=[np.cos(slope / 2), 0, np.sin(slope / 2), 0],
        mass=1e-4,
        rgba=_GREY,
        **hard,
    )
    latch.add_geom(
        name="shoulder",
        type=_BOX,
        size=[thick, wide, TOOTH / 2],
        pos=[back + thick, 0, TOOTH / 2],
        mass=1e-4,
        rgba=_GREY,
        **hard,
    )
    latch.add_site(name="tooth", pos=[back, 0, TOOTH], size=[0.0005] * 3)


def _add_socket(spec: mujoco.MjSpec) -> None:
    """A box without a front, with rounded edges at its mouth, and the lip for the latch."""
    socket = spec.worldbody.add_body(name="socket", pos=SOCKET)
    hard = _hard(spec, 0.2) | {"rgba": _DARK}
    low, side, high = -PLUG[2] - CLEAR, PLUG[1] + CLEAR, 0.012
    half, deep = (DEPTH + 0.001) / 2, DEPTH + 0.0008
    middle = (low + high) / 2
    for sign in (-1, 1):
        y = sign * (side + WALL)
        tall = (high - low) / 2 + 2 * WALL
        socket.add_geom(
            type=_BOX, size=[half - 0.002, WALL, tall], pos=[half + 0.002, y, middle], **hard
        )
        edge = [WALL, y, low - WALL, WALL, y, high]
        socket.add_geom(type=_CAPSULE, size=[WALL, 0, 0], fromto=edge, **hard)
    socket.add_geom(
        type=_BOX, size=[half - 0.002, side, WALL], pos=[half + 0.002, 0, low - WALL], **hard
    )
    edge = [WALL, -side, low - WALL, WALL, side, low - WALL]
    socket.add_geom(type=_CAPSULE, size=[WALL, 0, 0], fromto=edge, **hard)
    _add_upper_guides(socket, side, hard)
    socket.add_geom(type=_BOX, size=[0.002, side, high], pos=[deep + 0.002, 0, middle], **hard)
    roof = [half, side + 2 * WALL, WALL]
    socket.add_geom(type=_BOX, size=roof, pos=[half, 0, high + WALL], **hard)
    panel = {"contype": 0, "conaffinity": 0, "rgba": (0.80, 0.58, 0.36, 1)}
    socket.add_geom(type=_BOX, size=[0.004, 0.06, 0.05], pos=[deep + 0.008, 0, 0], **panel)


def _add_upper_guides(socket: mujoco.MjsBody, side: float, hard: dict) -> None:
    """Rails on the plug's shoulders to both sides of the latch, and the lip above the latch."""
    rail, thick = (side - 0.0035) / 2, 0.0015
    for sign in (-1, 1):
        y = sign * (side - rail)
        z = PLUG[2] + CLEAR + thick
        socket.add_geom(
            type=_BOX, size=[DEPTH / 2 - thick, rail, thick], pos=[DEPTH / 2 + thick, y, z], **hard
        )
        edge = [thick, y - rail, z, thick, y + rail, z]
        socket.add_geom(type=_CAPSULE, size=[thick, 0, 0], fromto=edge, **hard)
    lip = LIP_LOW + LIP
    edge = [LIP, -side, lip, LIP, side, lip]
    socket.add_geom(name="lip", type=_CAPSULE, size=[LIP, 0, 0], fromto=edge, **hard)


def _socket_force(model: mujoco.MjModel, data: mujoco.MjData) -> np.ndarray:
    """Force (N) of all contacts between the socket and anything else, on the other, (3,)."""
    socket, total, wrench = model.body("socket").id, np.zeros(3), np.zeros(6)
    for k in range(data.ncon):
        first, second = model.geom_bodyid[data.contact.geom[k]]
        if socket not in (first, second):
            continue
        mujoco.mj_contactForce(model, data, k, wrench)
        force = data.contact.frame[k].reshape(3, 3).T @ wrench[:3]  # on the second geom
        total += force if first == socket else -force
    return total
