// Cable files in MJCF: <model file="wire.cable.toml"/> and <attach> make the cable when the model
// is loaded.
#pragma once

namespace strand::mujoco {

/// Registers the decoder of files `*.cable.toml` if MuJoCo supports decoders (>= 3.11). It does not
/// accept other TOML files, which other decoders may read.
void RegisterCableDecoder();

}  // namespace strand::mujoco
