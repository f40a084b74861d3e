// Geometry of rods and shells written as text, in the format of MAT-DiSMech and dismech-python.
#pragma once

#include <filesystem>

#include "model/geometry/text_geometry.h"

namespace strand {

/// Writes a file that ReadTextGeometry() reads back exactly. A failure leaves no partial file.
/// Throws ConfigError if the geometry fails CheckTextGeometry() or the file cannot be written.
void WriteTextGeometry(const std::filesystem::path& path, const TextGeometry& geometry);

}  // namespace strand
