"""Writes chains of links as hand-written MJCF: trees, joints and foreign bodies of any kind."""

import dataclasses
import xml.etree.ElementTree as ET

import mujoco
import numpy as np
from scipy.spatial.transform import Rotation
from support.shapes import Shape

import strand  # noqa: F401  (registers the plugin)


def text(values) -> str:
    return " ".join(repr(float(value)) for value in np.ravel(values))


@dataclasses.dataclass
class Pose:
    position: np.ndarray
    frame: np.ndarray

    def of(self, other: "Pose") -> dict[str, str]:
        """Attributes pos and quat of a body at `other` whose parent is at this pose."""
        w = Rotation.from_matrix(self.frame.T @ other.frame).as_quat(scalar_first=True)
        return {"pos": text(self.frame.T @ (other.position - self.position)), "quat": text(w)}


WORLD = Pose(np.zeros(3), np.eye(3))


@dataclasses.dataclass
class Piece:
    """Links begin .. end - 1 in one tree with root link `root`.

    base: "free", "ball", "fixed", "mocap", or "hand" (two bodies with slides and hinges).
    """

    begin: int
    end: int
    root: int
    base: str = "free"


@dataclasses.dataclass
class Chain:
    """One cable of hand-written MJCF."""

    shape: Shape
    keys: dict[str, str]
    pieces: list[Piece] | None = None
    name: str = "rod"
    joint: str = "ball"  # or "hinges": three hinges and a slide
    between: int = 0  # a foreign body on a hinge before every such link
    hung: int = 0  # foreign bodies, geoms and sites on every such link
    geom: str = "capsule"  # or "cylinder", "box", "ellipsoid", "none"
    radius: float = 0.004
    stiffness: float = 0.0
    damping: float = 0.0

    def parts(self) -> list[Piece]:
        return self.pieces or [Piece(0, self.shape.links, 0)]

    def pose(self, k: int) -> Pose:
        return Pose(self.shape.origins[k], self.shape.frames[k])


# Links that hardly move, however large the torque: for tests that only evaluate forces.
HEAVY = 1e9


def document(
    *chains: Chain, option: dict[str, str] | None = None, extra: str = "", density: float = HEAVY
) -> str:
    """MJCF text of a scene with these chains; `extra` is added at the top level."""
    root = ET.Element("mujoco")
    ET.SubElement(root, "compiler", angle="radian", autolimits="true")
    ET.SubElement(root, "size", memory="20M")
    ET.SubElement(root, "option", {"gravity": "0 0 0", "timestep": "1e-3"} | (option or {}))
    default = ET.SubElement(root, "default")
    ET.SubElement(default, "geom", contype="0", conaffinity="0", density=text(density))
    plugin = ET.SubElement(ET.SubElement(root, "extension"), "plugin", plugin="strand.cable")
    world = ET.SubElement(root, "worldbody")
    for chain in chains:
        instance = ET.SubElement(plugin, "instance", name=chain.name)
        for key, value in chain.keys.items():
            ET.SubElement(instance, "config", key=key, value=value)
        for piece in chain.parts():
            _Writer(chain, piece).write(world)
    return ET.tostring(root, encoding="unicode").replace("</mujoco>", extra + "</mujoco>")


def compiled(*chains: Chain, **options) -> mujoco.MjModel:
    return mujoco.MjModel.from_xml_string(document(*chains, **options))


class _Writer:
    def __init__(self, chain: Chain, piece: Piece):
        self.chain, self.piece = chain, piece

    def write(self, world: ET.Element) -> None:
        piece = self.piece
        parent, pose = world, WORLD
        if piece.base == "hand":
            parent, pose = self._hand(world)
        root = self._link(parent, pose, piece.root)
        after = before = root
        for k in range(piece.root + 1, piece.end):
            after = self._link(*self._step(after, k - 1, k), k)
        for k in range(piece.root - 1, piece.begin - 1, -1):
            before = self._link(*self._step(before, k + 1, k), k)

    def _hand(self, world: ET.Element) -> tuple[ET.Element, Pose]:
        """Two moving bodies with skew axes above the root link, like the last joints of a robot."""
        pose = WORLD
        body = world
        name = f"{self.chain.name}_hand{self.piece.begin}"
        turns = [[0.3, -0.2, 0.5], [-0.4, 0.1, 0.2]]
        for index, turn in enumerate(turns):
            frame = pose.frame @ Rotation.from_rotvec(turn).as_matrix()
            new = Pose(self.chain.pose(self.piece.root).position - 0.05 * (1 - index), frame)
            body = ET.SubElement(body, "body", pose.of(new), name=f"{name}_{index}")
            for kind, axis in (("slide", "1 0.2 0"), ("hinge", "0 1 0.3"), ("hinge", "0.5 0 1")):
                ET.SubElement(body, "joint", type=kind, axis=axis, pos="0.01 0 0.02")
            ET.SubElement(body, "geom", type="sphere", size="0.02")
            pose = new
        return body, pose

    def _step(self, parent: ET.Element, p: int, k: int) -> tuple[ET.Element, Pose]:
        """The parent of link k: the previous link, or a foreign body between the two."""
        chain = self.chain
        if not chain.between or k % chain.between:
            return parent, chain.pose(p)
        turn = Rotation.from_rotvec([0.2, 0.5, -0.3]).as_matrix()
        pose = Pose(chain.shape.origins[k] + [0.0, 0.01, -0.02], chain.shape.frames[p] @ turn)
        name = f"{chain.name}_between{k}"
        body = ET.SubElement(parent, "body", chain.pose(p).of(pose), name=name)
        ET.SubElement(body, "joint", type="hinge", axis="0.2 1 0", pos="0 0 0.01")
        ET.SubElement(body, "geom", type="sphere", size="0.005")
        return body, pose

    def _link(self, parent: ET.Element, parent_pose: Pose, k: int) -> ET.Element:
        chain = self.chain
        attributes = parent_pose.of(chain.pose(k))
        is_root = k == self.piece.root
        mocap = is_root and self.piece.base == "mocap"
        if mocap:
            attributes["mocap"] = "true"
        body = ET.SubElement(parent, "body", attributes, name=f"{chain.name}{k}")
        if is_root and self.piece.base in ("free", "ball"):
            ET.SubElement(body, "joint", type=self.piece.base)
        elif not is_root:
            self._joints(body, k)
        if chain.hung and k % chain.hung == 0:
            self._hang(body, k)
        self._geom(body, k)
        plugin = {"plugin": "strand.cable", "instance": chain.name}
        ET.SubElement(body, "plugin", plugin)
        return body

    def _joints(self, body: ET.Element, k: int) -> None:
        pos = text([self.chain.shape.lengths[k] if k < self.piece.root else 0, 0, 0])
        spring = {"stiffness": text(self.chain.stiffness), "damping": text(self.chain.damping)}
        if self.chain.joint == "ball":
            ET.SubElement(body, "joint", spring, type="ball", pos=pos)
            return
        ET.SubElement(body, "joint", type="slide", axis="1 0 0.5", pos=pos)
        for axis in ("1 0 0", "0 1 0.2", "0 0.1 1"):
            ET.SubElement(body, "joint", spring, type="hinge", axis=axis, pos=pos)

    def _geom(self, body: ET.Element, k: int) -> None:
        chain = self.chain
        half, r = chain.shape.lengths[k] / 2, chain.radius
        attributes = {"type": chain.geom, "pos": text([half, 0, 0])}
        if chain.geom in ("capsule", "cylinder"):
            ends = text([0, 0, 0, 2 * half, 0, 0])
            attributes = {"type": chain.geom, "fromto": ends, "size": text(r)}
        elif chain.geom in ("box", "ellipsoid"):
            attributes["size"] = text([half, r, r / 2])
        else:
            attributes = {"type": "sphere", "size": text(r)}
        ET.SubElement(body, "geom", attributes)

    def _hang(self, body: ET.Element, k: int) -> None:
        name = f"{self.chain.name}_hung{k}"
        ET.SubElement(body, "site", name=name + "_site", pos="0.01 0.02 0.03")
        ET.SubElement(body, "geom", type="sphere", size="0.01", pos="0.02 0.01 0")
        ET.SubElement(body, "geom", type="box", size="0.01 0.01 0.01", pos="0.5 0 0")
        hung = ET.SubElement(body, "body", name=name, pos="0 0.01 0.02", euler="0.3 0.1 0.2")
        ET.SubElement(hung, "joint", type="hinge", axis="1 0 0.4")
        ET.SubElement(hung, "geom", type="sphere", size="0.01")
