// Cable files in MJCF: <model file="wire.cable.toml"/> and <attach> make the cable when the model
// is loaded.
#pragma once

namespace strand::mujoco {

/// Registers the decoder of files `*.cable.toml`, where MuJoCo has decoders (>= 3.17); other TOML
/// files are left to others.
void RegisterCableDecoder();

}  // namespace strand::mujoco
