"""Models to replay, and a reader of pages, which works as the program in them does."""

import base64
import re
from typing import Any

import numpy as np

#: Every kind of geom.
KINDS = """
<mujoco>
  <asset>
    <material name="red" rgba=".9 .1 .1 1"/>
    <mesh name="roof" vertex="0 0 0  1 0 0  0 1 0  0 0 1" scale=".2 .2 .2"/>
    <hfield name="hills" nrow="3" ncol="4" size=".4 .3 .2 .1" elevation="0 0 0 0 0 1 .5 0 0 0 0 0"/>
  </asset>
  <worldbody>
    <geom name="floor" type="plane" size="1 2 .1" pos="0 0 -1" rgba=".2 .4 .6 1"/>
    <geom name="box" type="box" size=".1 .2 .3" euler="0 0 90" material="red"/>
    <geom name="cylinder" type="cylinder" size=".1 .3" pos="1 0 0" rgba="0 1 0 .5"/>
    <geom name="ellipsoid" type="ellipsoid" size=".1 .2 .3" pos="2 0 0"/>
    <geom name="capsule" type="capsule" size=".1 .3" pos="3 0 0"/>
    <geom name="mesh" type="mesh" mesh="roof" pos="4 0 0"/>
    <geom name="terrain" type="hfield" hfield="hills" pos="5 0 0"/>
    <geom name="hidden" type="box" size="9 9 9" group="3"/>
    <geom name="clear" type="box" size="9 9 9" rgba="1 1 1 0"/>
    <body name="falls" pos="0 0 9">
      <freejoint/>
      <geom name="sphere" size=".25" rgba=".1 .2 .3 1"/>
    </body>
  </worldbody>
</mujoco>
"""


class Page:
    """Messages (s, content) of a page, with their arrays."""

    def __init__(self, text: str) -> None:
        import msgspec
        import zstandard

        found = re.findall(r'__VISER_EMBED_DATA__="([^"]*)"', text)
        assert len(found) == 1
        packed = base64.b64decode(found[0])
        size = int.from_bytes(packed[:8], "little")
        raw = zstandard.ZstdDecompressor().decompress(packed[8:], max_output_size=size)
        end = 8 + int.from_bytes(raw[:8], "little")
        content = msgspec.msgpack.decode(raw[8:end])
        self._buffers = []
        for length in content["binaryBufferLengths"]:
            end = -(-end // 8) * 8
            self._buffers.append(raw[end : end + length])
            end += length
        self.duration: float = content["durationSeconds"]
        self.messages = [(time, self._arrays(message)) for time, message in content["messages"]]

    def _arrays(self, value: Any) -> Any:
        if isinstance(value, dict):
            if "__binary_index" in value:
                return np.frombuffer(self._buffers[value["__binary_index"]], value["dtype"])
            return {key: self._arrays(each) for key, each in value.items()}
        return [self._arrays(each) for each in value] if isinstance(value, list) else value

    def created(self) -> dict[str, dict[str, Any]]:
        """Properties of everything drawn when the page starts, by name."""
        return {
            one["name"]: one["props"] for time, one in self.messages if "props" in one and time == 0
        }

    def values(self, name: str, key: str) -> tuple[np.ndarray, list[Any]]:
        """Times at which a property is set, and its values."""
        found = [
            (time, (one.get("props") or one.get("updates") or {})[key])
            for time, one in self.messages
            if one.get("name") == name and key in (one.get("props") or one.get("updates") or {})
        ]
        return np.array([time for time, _ in found]), [value for _, value in found]
