"""Colours of what a MuJoCo model draws, as MuJoCo chooses them."""

import mujoco
import numpy as np

from strand.draw.heat import HeatScale
from strand.readout.link_values import QUANTITIES

_DEFAULT = np.array([0.5, 0.5, 0.5, 1], np.float32)  # of MuJoCo: the material decides
_RGB = int(mujoco.mjtTextureRole.mjTEXROLE_RGB)


def heat_scale(color: str, values: np.ndarray) -> HeatScale:
    """The scale of a key of QUANTITIES for values in all frames, with 0; NaN are left out."""
    quantity, known = QUANTITIES[color], np.append(values[~np.isnan(values)], 0.0)
    return HeatScale(quantity.name, quantity.unit, float(known.min()), float(known.max()))


class Looks:
    """Colours (RGBA, 0 to 1) of a model's geoms, skins, flexes and tendons."""

    def __init__(self, model: mujoco.MjModel) -> None:
        self._model = model
        self._last = np.zeros((0, 4), np.float32)

    def geoms(self) -> np.ndarray:
        """Of all geoms now (G, 4); the same array as before if nothing has changed."""
        model = self._model
        rgba = _resolve(model, model.geom_rgba, model.geom_matid)
        if not np.array_equal(rgba, self._last):
            self._last = rgba
        return self._last

    def floor(self, geom: int) -> np.ndarray:
        """Of a plane (4,), with the mean of its texture."""
        model, rgba = self._model, self.geoms()[geom].copy()
        material = int(model.geom_matid[geom])
        texture = int(model.mat_texid[material][_RGB]) if material >= 0 else -1
        if texture >= 0:
            channels, first = int(model.tex_nchannel[texture]), int(model.tex_adr[texture])
            count = int(model.tex_width[texture] * model.tex_height[texture]) * channels
            pixels = model.tex_data[first : first + count].reshape(-1, channels)
            rgba[:3] *= pixels[:, :3].mean(axis=0) / 255
        return rgba

    def skin(self, k: int) -> np.ndarray:
        return _one(self._model, self._model.skin_rgba[k], self._model.skin_matid[k])

    def flex(self, k: int) -> np.ndarray:
        return _one(self._model, self._model.flex_rgba[k], self._model.flex_matid[k])

    def tendon(self, k: int) -> np.ndarray:
        return _one(self._model, self._model.tendon_rgba[k], self._model.tendon_matid[k])


def _one(model: mujoco.MjModel, rgba: np.ndarray, material: int) -> np.ndarray:
    return _resolve(model, rgba[None], np.array([material]))[0]


def _resolve(model: mujoco.MjModel, rgba: np.ndarray, material: np.ndarray) -> np.ndarray:
    """The colours (n, 4), or, where they are MuJoCo's default, those of the materials (n,)."""
    found = rgba.astype(np.float32)
    by_material = (material >= 0) & (found == _DEFAULT).all(axis=1)
    found[by_material] = model.mat_rgba[material[by_material]]
    return np.clip(found, 0, 1)
