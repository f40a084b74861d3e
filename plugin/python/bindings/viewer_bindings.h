// Binding of the viewer.
#pragma once

#include <nanobind/nanobind.h>

namespace strand {

/// Adds ViewRequest and Viewer.
void BindViewer(nanobind::module_& m);

}  // namespace strand
