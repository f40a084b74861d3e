// The implicit core in the extension module.
#pragma once

#include <nanobind/nanobind.h>

namespace strand {

void BindCore(nanobind::module_& module);

}  // namespace strand
