"""Properties of a model, as JSON, by which an old and a converted model are compared.

Needs only MuJoCo: `python facts.py MODEL.xml [SECONDS]` runs in an environment of any version.
"""

import json
import sys
from typing import Any

import mujoco
import numpy as np

NAMED = ("body", "jnt", "geom", "site", "skin", "exclude", "pair", "eq", "tendon", "actuator",
         "sensor", "text", "key", "mat")  # fmt: skip
# Arrays of mjModel whose sums are compared.
ARRAYS = (
    "qpos0", "key_qpos", "jnt_type", "jnt_bodyid", "jnt_group", "jnt_stiffness", "jnt_range",
    "jnt_limited", "jnt_margin", "jnt_solref", "jnt_solimp", "dof_damping", "dof_armature",
    "dof_frictionloss", "dof_solref", "dof_solimp", "body_mass", "body_inertia", "body_parentid",
    "geom_type", "geom_contype", "geom_conaffinity", "geom_condim", "geom_bodyid", "geom_group",
    "geom_matid", "geom_size", "geom_pos", "geom_rgba", "geom_friction", "geom_margin", "geom_gap",
    "geom_solmix", "geom_solref", "geom_solimp", "geom_priority", "site_bodyid", "site_type",
    "site_group", "site_size", "site_pos", "site_rgba", "site_matid", "exclude_signature",
    "skin_group", "skin_rgba", "skin_inflate", "skin_face", "skin_texcoord", "skin_bonebodyid",
    "skin_bonebindpos", "skin_matid",
)  # fmt: skip


def facts(model: "mujoco.MjModel", seconds: float = 0.0) -> dict[str, Any]:
    """Counts, names, poses at qpos0, mass and sums over arrays of a model.

    seconds: if > 0, also the positions of the bodies after a simulation of this duration (s).
    """
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    found = {
        "mujoco": mujoco.mj_versionString(),
        "nq": model.nq,
        "nv": model.nv,
        "names": {kind: _names(model, kind) for kind in NAMED},
        "pos": data.xpos.tolist(),
        "quat": data.xquat.tolist(),
        "mass": float(model.body_mass.sum()),
        "sums": {name: _sums(getattr(model, name)) for name in ARRAYS},
    }
    if model.nskin:
        found["skin_weights"] = _skin_weights(model)
    if seconds:
        # Counts steps, since an invalid state resets data.time.
        for _ in range(round(seconds / model.opt.timestep)):
            mujoco.mj_step(model, data)
        found["settled"] = data.xpos.tolist()
    return found


def _names(model: "mujoco.MjModel", kind: str) -> list[str]:
    counts = {"jnt": "njnt", "tendon": "ntendon", "actuator": "nu", "sensor": "nsensor"}
    kinds = {"jnt": "JOINT", "eq": "EQUALITY", "mat": "MATERIAL"}
    number = getattr(model, counts.get(kind, f"n{kind}"))
    object_type = getattr(mujoco.mjtObj, "mjOBJ_" + kinds.get(kind, kind.upper()))
    return [mujoco.mj_id2name(model, object_type, i) or "" for i in range(number)]


def _sums(array: np.ndarray) -> list[float]:
    """Length, sum, and sum weighted by index: equal for equal arrays, rarely for others."""
    flat = np.asarray(array, float).ravel()
    return [len(flat), float(flat.sum()), float(flat @ np.arange(1, len(flat) + 1))]


def _skin_weights(model: "mujoco.MjModel") -> list[float]:
    """Sums of the matrix of weights (vertices x bones), which does not depend on the order in which
    bones list vertices."""
    weights = np.zeros((model.nskinvert, model.nskinbone))
    for bone in range(model.nskinbone):
        start = model.skin_bonevertadr[bone]
        stop = start + model.skin_bonevertnum[bone]
        weights[model.skin_bonevertid[start:stop], bone] = model.skin_bonevertweight[start:stop]
    return _sums(weights)


if __name__ == "__main__":
    loaded = mujoco.MjModel.from_xml_path(sys.argv[1])
    print(json.dumps(facts(loaded, float(sys.argv[2]) if len(sys.argv) > 2 else 0.0)))
