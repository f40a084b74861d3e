// Descriptions of cables and centrelines, for Python.
#pragma once

#include <nanobind/nanobind.h>

namespace strand {

void BindCables(nanobind::module_& module);

}  // namespace strand
