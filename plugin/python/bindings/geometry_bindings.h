// Text geometry (model/geometry, model/output) in the extension module.
#pragma once

#include <nanobind/nanobind.h>

namespace strand {

void BindGeometry(nanobind::module_& module);

}  // namespace strand
