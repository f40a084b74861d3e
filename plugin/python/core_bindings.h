// The implicit core in the extension module.
#pragma once

#include <nanobind/nanobind.h>

#include "model/integrator/system.h"

namespace strand {

void BindCore(nanobind::module_& module);
void BindContact(nanobind::class_<System>& system, nanobind::module_& module);

}  // namespace strand
