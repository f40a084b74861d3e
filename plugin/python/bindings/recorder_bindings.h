// Recorders (model/output) in the extension module.
#pragma once

#include <nanobind/nanobind.h>

namespace strand {

void BindRecorder(nanobind::module_& module);

}  // namespace strand
