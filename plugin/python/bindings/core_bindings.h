// The implicit core in the extension module.
#pragma once

#include <nanobind/nanobind.h>

#include "model/integrator/system.h"

namespace strand {

/// Points as rows of an array.
using Rows3 = Eigen::Matrix<double, Eigen::Dynamic, 3, Eigen::RowMajor>;
std::vector<Vector3> ToPoints(const Rows3& rows);

/// Throws ConfigError if an array does not have `wanted` values.
void CheckCount(const char* field, size_t count, size_t wanted);

void BindCore(nanobind::module_& module);
void BindVines(nanobind::module_& module);
void BindMaterial(nanobind::module_& module);
void BindNetwork(nanobind::module_& module);
void BindStepping(nanobind::module_& module);
void BindShells(nanobind::class_<System>& system, nanobind::module_& module);
void BindContact(nanobind::class_<System>& system, nanobind::module_& module);
void BindPlacement(nanobind::class_<System>& system);
void BindTendons(nanobind::class_<System>& system, nanobind::module_& module);

}  // namespace strand
