"""Data of MuJoCo that can be pickled although they have plugins.

MuJoCo pickles the addresses of its plugins' objects with an MjData and takes them as they are: the
copy then uses objects that belong to the original or to another process, which crashes. Here it
gets objects of its own, which take everything from the plugins' state.
"""

import copyreg
from typing import Any

import mujoco


def unpickled(state: bytes) -> mujoco.MjData:
    """The data from what MuJoCo pickled, with plugins of their own."""
    data = mujoco.MjData.__new__(mujoco.MjData)
    data.__setstate__(state)
    data.plugin_data[:] = 0  # which no plugin destroys, should the next line fail
    lender = mujoco.MjData(data.model)
    data.plugin_data[:] = lender.plugin_data
    lender.plugin_data[:] = 0
    return data


def _reduced(data: mujoco.MjData) -> tuple[Any, ...]:
    if not data.model.nplugin:
        return data.__reduce_ex__(2)
    return unpickled, (data.__getstate__(),)


def register() -> None:
    """From now on all MjData with plugins are pickled in this way."""
    copyreg.pickle(mujoco.MjData, _reduced)
