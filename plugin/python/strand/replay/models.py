"""Geoms, skins, flexes and tendons of a MuJoCo model, frame by frame."""

import dataclasses
from collections.abc import Iterator, Sequence

import mujoco
import numpy as np
import scipy

from strand.draw.heat import HeatScale
from strand.errors import StrandError
from strand.readout.link_values import body_values
from strand.readout.readout import check_pair
from strand.replay import shapes
from strand.replay.camera import Angles
from strand.replay.flexes import flex_parts
from strand.replay.looks import Looks, heat_scale
from strand.replay.parts import Ground, Instances, Part, Skin, still, tubes
from strand.replay.shapes import Mesh

_PULLEY = -2  # MuJoCo's mark in the path of a tendon
_BONES = 4  # that move a vertex, at most

_PLANE, _FIELD = int(mujoco.mjtGeom.mjGEOM_PLANE), int(mujoco.mjtGeom.mjGEOM_HFIELD)
_SPHERE, _CAPSULE = int(mujoco.mjtGeom.mjGEOM_SPHERE), int(mujoco.mjtGeom.mjGEOM_CAPSULE)
_ELLIPSOID, _CYLINDER = int(mujoco.mjtGeom.mjGEOM_ELLIPSOID), int(mujoco.mjtGeom.mjGEOM_CYLINDER)
_BOX, _MESH, _SDF = (int(getattr(mujoco.mjtGeom, f"mjGEOM_{k}")) for k in ("BOX", "MESH", "SDF"))
_SOLIDS = {
    _SPHERE: "spheres",
    _CAPSULE: "capsules",
    _ELLIPSOID: "ellipsoids",
    _CYLINDER: "cylinders",
    _BOX: "boxes",
}


@dataclasses.dataclass(frozen=True)
class _Frame:
    """What moves, as float32."""

    positions: np.ndarray  # (G, 3)
    turns: np.ndarray  # (G, 9)
    rgba: np.ndarray  # (G, 4)
    flexes: np.ndarray  # vertices (V, 3)
    tendons: list[np.ndarray]  # pieces of each (S, 2, 3)
    bodies: np.ndarray  # (B, 7)
    values: np.ndarray | None  # of the quantity that colours show, (B,); NaN: not a link


class ModelScene:
    """The drawn parts of a model. It is not changed. color: a key of QUANTITIES, or "none"."""

    def __init__(self, model: mujoco.MjModel, groups: Sequence[int], color: str) -> None:
        self._model, self._looks, self._color = model, Looks(model), color
        self._groups = np.array(groups, dtype=int)
        self._data = mujoco.MjData(model)  # for poses, so that the user's data stay as they are
        self._tendons = [
            k
            for k in np.flatnonzero(np.isin(model.tendon_group, self._groups)).tolist()
            if self._looks.tendon(k)[3] > 0
        ]
        glob = model.vis.global_
        self.angles = Angles(glob.azimuth, glob.elevation, glob.fovy)

    def time(self, data: mujoco.MjData) -> float:
        check_pair(self._model, data)
        return data.time

    def take(self, data: mujoco.MjData) -> _Frame:
        """The poses for the positions in `data`, which is not changed."""
        model, own = self._model, self._data
        for field in ("qpos", "mocap_pos", "mocap_quat"):
            values = getattr(data, field)
            if not np.isfinite(values).all():
                got = f"NaN or infinity in {field} at t = {data.time:.6g} s"
                raise StrandError(f"data: got {got}, allowed: finite numbers")
            getattr(own, field)[:] = values
        mujoco.mj_kinematics(model, own)
        if model.nflex:
            mujoco.mj_flex(model, own)
        if self._tendons:
            mujoco.mj_comPos(model, own)
            mujoco.mj_tendon(model, own)
        return _Frame(
            own.geom_xpos.astype(np.float32),
            own.geom_xmat.astype(np.float32),
            self._looks.geoms(),
            own.flexvert_xpos.astype(np.float32),
            [self._path(k) for k in self._tendons],
            np.hstack([own.xpos, own.xquat]).astype(np.float32),
            None if self._color == "none" else body_values(model, data, self._color),
        )

    def parts(self, frames: Sequence[_Frame]) -> tuple[list[Part], HeatScale | None]:
        """What is drawn, and the scale of its colours."""
        rgba, scale = np.stack([one.rgba for one in frames]), None
        links = np.zeros(self._model.nbody, dtype=bool)
        if self._color != "none":
            values = np.stack([one.values for one in frames if one.values is not None])
            links = ~np.isnan(values).all(axis=0)
            scale = heat_scale(self._color, values)
            geoms = np.flatnonzero(links[self._model.geom_bodyid])
            shown = np.nan_to_num(values[:, self._model.geom_bodyid[geoms]])
            hidden = rgba[:, geoms, 3] == 0  # in the guide of a cable that is fed
            rgba[:, geoms] = scale.colors(shown.ravel()).reshape(*shown.shape, 4)
            rgba[:, geoms, 3] *= ~hidden
        flexes = [one.flexes for one in frames]
        drawn = [
            *self._geoms(frames, rgba, links),
            *flex_parts(self._model, self._looks, self._groups, flexes),
            *self._strings(frames),
            *self._skins(frames, links),
        ]
        return drawn, scale

    # Geoms.

    def _geoms(
        self, frames: Sequence[_Frame], rgba: np.ndarray, links: np.ndarray
    ) -> Iterator[Part]:
        """rgba: of all geoms (T, G, 4). links: bodies (B,) whose geoms are drawn in any case."""
        model = self._model
        chosen = np.isin(model.geom_group, self._groups) | links[model.geom_bodyid]
        seen = chosen & (rgba[..., 3] > 0).any(axis=0)
        positions = np.stack([one.positions for one in frames])
        turns = np.stack([one.turns for one in frames])
        poses = np.concatenate([positions, turns], axis=-1)
        moves = (poses != poses[:1]).any(axis=(0, 2))
        groups: dict[tuple, list[int]] = {}
        for geom in np.flatnonzero(seen).tolist():
            if model.geom_type[geom] == _PLANE:
                yield self._plane(geom, frames[0])
            elif (kind := self._kind(geom)) is not None:
                clear = bool((rgba[:, geom, 3] < 1).any())
                groups.setdefault((kind, bool(moves[geom]), clear), []).append(geom)
        for (kind, _, _), geoms in groups.items():
            name, mesh = self._mesh(kind, len(geoms))
            yield Instances(
                name,
                mesh,
                still(positions[:, geoms]),
                still(_quats(turns[:, geoms])),
                np.array([[self._scale(geom) for geom in geoms]], dtype=np.float32),
                still(rgba[:, geoms]),
            )

    def _plane(self, geom: int, frame: _Frame) -> Ground:
        size = 2 * self._model.geom_size[geom, :2]
        pose = np.append(frame.positions[geom], _quats(frame.turns[geom]))
        name = _name(self._model, mujoco.mjtObj.mjOBJ_GEOM, geom, "plane")
        return Ground(name, (float(size[0]), float(size[1])), pose[None], self._looks.floor(geom))

    def _kind(self, geom: int) -> tuple | None:
        """What geoms must share to be copies of one mesh. None: it cannot be drawn."""
        kind, data = int(self._model.geom_type[geom]), int(self._model.geom_dataid[geom])
        if kind == _CAPSULE:
            return kind, *np.round(self._model.geom_size[geom, :2], 9).tolist()
        if kind in _SOLIDS:
            return (kind,)
        return (kind, data) if data >= 0 and kind in (_FIELD, _MESH, _SDF) else None

    def _mesh(self, kind: tuple, copies: int) -> tuple[str, Mesh]:
        name = _SOLIDS.get(kind[0], "")
        if kind[0] == _CAPSULE:
            return name, shapes.capsule(kind[1], kind[2], copies)
        if kind[0] == _CYLINDER:
            return name, shapes.cylinder(copies)
        if kind[0] == _BOX:
            return name, shapes.box()
        if kind[0] in _SOLIDS:
            return name, shapes.ball(copies)
        model, k = self._model, kind[1]
        if kind[0] == _FIELD:
            first, count = model.hfield_adr[k], model.hfield_nrow[k] * model.hfield_ncol[k]
            heights = model.hfield_data[first : first + count].reshape(model.hfield_nrow[k], -1)
            name = _name(model, mujoco.mjtObj.mjOBJ_HFIELD, k, "terrain")
            return name, shapes.height_field(heights, model.hfield_size[k])
        vertices = _slice(model.mesh_vert, model.mesh_vertadr[k], model.mesh_vertnum[k])
        faces = _slice(model.mesh_face, model.mesh_faceadr[k], model.mesh_facenum[k])
        name = _name(model, mujoco.mjtObj.mjOBJ_MESH, k, "mesh")
        return name, shapes.creased(vertices, faces)

    def _scale(self, geom: int) -> list[float]:
        kind, size = int(self._model.geom_type[geom]), self._model.geom_size[geom].tolist()
        if kind == _SPHERE:
            return [size[0]] * 3
        if kind == _CYLINDER:
            return [size[0], size[0], size[1]]
        return size if kind in (_BOX, _ELLIPSOID) else [1.0] * 3

    # Tendons.

    def _path(self, tendon: int) -> np.ndarray:
        """The straight pieces of a tendon (S, 2, 3; m)."""
        data = self._data
        first, count = int(data.ten_wrapadr[tendon]), int(data.ten_wrapnum[tendon])
        objects = data.wrap_obj.ravel()[first : first + count]
        points = data.wrap_xpos.reshape(-1, 3)[first : first + count]
        whole = (objects[1:] != _PULLEY) & (objects[:-1] != _PULLEY)
        return np.stack([points[:-1], points[1:]], axis=1)[whole].astype(np.float32)

    def _strings(self, frames: Sequence[_Frame]) -> Iterator[Instances]:
        for k, tendon in enumerate(self._tendons):
            paths = [one.tendons[k] for one in frames]
            longest = max(map(len, paths))
            if not longest:
                continue  # a fixed tendon
            points = np.stack([_padded(path, longest) for path in paths])
            links = np.arange(2 * longest).reshape(-1, 2)
            width = np.full(longest, self._model.tendon_width[tendon])
            name = _name(self._model, mujoco.mjtObj.mjOBJ_TENDON, tendon, "tendon")
            rgba = np.tile(self._looks.tendon(tendon), (1, longest, 1))
            pieces = shapes.ball(2 * longest), shapes.tube(longest)
            yield from tubes(name, points, links, width, rgba, pieces)

    # Skins.

    def _skins(self, frames: Sequence[_Frame], links: np.ndarray) -> Iterator[Skin]:
        """links: bodies (B,) whose skins are left out."""
        model = self._model
        for k in range(model.nskin):
            rgba = self._looks.skin(k)
            if model.skin_group[k] not in self._groups or rgba[3] == 0:
                continue
            bones = _range(model.skin_boneadr[k], model.skin_bonenum[k])
            bodies = model.skin_bonebodyid[bones]
            if links[bodies].any():
                continue
            vertices = _slice(model.skin_vert, model.skin_vertadr[k], model.skin_vertnum[k])
            first = np.hstack([model.skin_bonebindpos[bones], model.skin_bonebindquat[bones]])
            yield Skin(
                _name(model, mujoco.mjtObj.mjOBJ_SKIN, k, "skin"),
                (vertices, _slice(model.skin_face, model.skin_faceadr[k], model.skin_facenum[k])),
                rgba,
                first,
                self._weights(bones, len(vertices)),
                still(np.stack([one.bodies[bodies] for one in frames])),
            )

    def _weights(self, bones: np.ndarray, vertices: int) -> np.ndarray:
        """Weights of the bones (V, B): the largest four of each vertex, whose sum is 1."""
        model = self._model
        weights = np.zeros((vertices, len(bones)), dtype=np.float32)
        for column, bone in enumerate(bones):
            entries = _range(model.skin_bonevertadr[bone], model.skin_bonevertnum[bone])
            weights[model.skin_bonevertid[entries], column] += model.skin_bonevertweight[entries]
        if len(bones) > _BONES:
            least = np.partition(weights, -_BONES, axis=1)[:, -_BONES, None]
            weights[weights < least] = 0
        return weights / np.maximum(weights.sum(axis=1, keepdims=True), 1e-12)


def _range(first: int, count: int) -> np.ndarray:
    return np.arange(int(first), int(first) + int(count))


def _slice(array: np.ndarray, first: int, count: int) -> np.ndarray:
    return np.array(array[int(first) : int(first) + int(count)])


def _padded(path: np.ndarray, count: int) -> np.ndarray:
    """The ends of `count` pieces (2 count, 3); those that a path lacks are points at its end."""
    ends = path.reshape(-1, 3)
    last = ends[-1:] if len(ends) else np.zeros((1, 3), np.float32)
    return np.vstack([ends, np.repeat(last, 2 * count - len(ends), axis=0)])


def _quats(turns: np.ndarray) -> np.ndarray:
    """Quaternions (..., 4), w x y z, of rotation matrices (..., 9)."""
    quats = scipy.spatial.transform.Rotation.from_matrix(turns.reshape(-1, 3, 3)).as_quat()
    return np.roll(quats, 1, axis=-1).reshape(*turns.shape[:-1], 4).astype(np.float32)


def _name(model: mujoco.MjModel, kind: mujoco.mjtObj, k: int, otherwise: str) -> str:
    return mujoco.mj_id2name(model, kind, k) or otherwise
