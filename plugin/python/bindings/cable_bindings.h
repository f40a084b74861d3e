// Descriptions of cables, and centrelines, in the extension module.
#pragma once

#include <nanobind/nanobind.h>

namespace strand {

void BindCables(nanobind::module_& module);

}  // namespace strand
