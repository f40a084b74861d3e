#include "plugin/python/bindings/core_bindings.h"

#include <nanobind/eigen/dense.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/function.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "model/config/error.h"
#include "model/config/parse.h"
#include "model/energy/body_torque.h"
#include "model/energy/fluid_drag.h"
#include "model/energy/loads.h"
#include "model/energy/mouth.h"
#include "model/energy/slip_energy.h"
#include "model/energy/user_force.h"
#include "model/integrator/time_stepper.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace strand {
namespace {

using Array = Eigen::VectorXd;

Array ToArray(std::span<const double> values) {
  return Eigen::Map<const Array>(values.data(), static_cast<Eigen::Index>(values.size()));
}

// Wraps a user's Python function of numpy arrays as a force. Its exceptions pass unchanged through
// the solver.
UserForce::Function FromPython(nb::callable function, int size) {
  return [function, size](std::span<const double> q, std::span<const double> v, double t,
                          double per_time, std::span<double> force,
                          std::span<double> jacobian) -> double {
    nb::gil_scoped_acquire gil;
    const nb::object result = function(ToArray(q), ToArray(v), t, per_time);
    std::tuple<double, Array, Eigen::MatrixXd> values;
    const auto& [energy, f, j] = values;
    if (!nb::try_cast(result, values) || f.size() != size || j.rows() != size || j.cols() != size) {
      const std::string count = std::to_string(size);
      throw ConfigError("user force", "a return value of another type or shape",
                        "(potential, force of " + count + " numbers, Jacobian of " + count + " x " +
                            count + "), the last two arrays");
    }
    std::copy(f.data(), f.data() + size, force.begin());
    std::copy(j.data(), j.data() + size * size, jacobian.begin());
    return energy;
  };
}

// The complete state: a run that loads it continues as if it had not stopped.
nb::dict SaveState(const System& system) {
  const State& state = system.state();
  const Configuration& at = state.at;
  nb::dict saved;
  saved["q"] = ToArray(at.q), saved["velocity"] = ToArray(state.velocity);
  saved["moved"] = ToArray(state.moved), saved["velocity_before"] = ToArray(state.velocity_before);
  saved["dt_before"] = state.dt_before, saved["energy_book"] = ToArray(state.book.Numbers());
  saved["path"] = ToArray(state.path);
  saved["time"] = state.time, saved["twist"] = ToArray(at.twist);
  saved["length"] = ToArray(at.length), saved["memory"] = ToArray(system.Memory());
  const std::pair<const char*, const Components*> vectors[] = {
      {"t", &at.t}, {"m1", &at.m1}, {"m2", &at.m2}};
  for (const auto& [name, components] : vectors) {
    Rows3 rows(system.network().edges(), 3);
    for (int c = 0; c < 3; ++c) rows.col(c) = ToArray((*components)[c]);
    saved[name] = rows;
  }
  return saved;
}

void Restore(const nb::dict& saved, const char* name, std::vector<double>* values) {
  if (!saved.contains(name)) throw ConfigError("state", "nothing", std::string("a field ") + name);
  const nb::object given = saved[name];
  CheckCount(name, nb::len(nb::handle(given)), values->size());
  if (values->empty()) return;  // Eigen's caster would copy from a null pointer
  const Array array = nb::cast<Array>(given);
  if (!array.allFinite()) throw ConfigError(name, "not finite", "finite numbers");
  values->assign(array.data(), array.data() + array.size());
}

void LoadState(System& system, const nb::dict& saved) {
  State state = system.state();
  Restore(saved, "q", &state.at.q), Restore(saved, "velocity", &state.velocity);
  Restore(saved, "twist", &state.at.twist), Restore(saved, "length", &state.at.length);
  const std::pair<const char*, Components*> vectors[] = {
      {"t", &state.at.t}, {"m1", &state.at.m1}, {"m2", &state.at.m2}};
  for (const auto& [name, components] : vectors) {
    if (!saved.contains(name))
      throw ConfigError("state", "nothing", std::string("a field ") + name);
    const Rows3 rows = nb::cast<Rows3>(saved[name]);
    CheckCount(name, rows.rows(), system.network().edges());
    for (int c = 0; c < 3; ++c) {
      for (Eigen::Index e = 0; e < rows.rows(); ++e) (*components)[c][e] = rows(e, c);
    }
  }
  Restore(saved, "moved", &state.moved), Restore(saved, "velocity_before", &state.velocity_before);
  std::vector<double> book = state.book.Numbers();
  Restore(saved, "energy_book", &book);
  state.book = EnergyBook::From(book);
  state.time = nb::cast<double>(saved["time"]);
  state.dt_before = nb::cast<double>(saved["dt_before"]);
  state.path =
      saved.contains("path") ? nb::cast<std::vector<double>>(saved["path"]) : std::vector<double>();
  const auto memory = nb::cast<std::vector<double>>(saved["memory"]);  // may be empty
  system.SetState(state, memory);
}

void BindReadouts(nb::class_<System>& system) {
  system
      .def_prop_ro("node_dofs",
                   [](const System& s) {
                     return std::vector<int>(s.dofs().nodes().begin(), s.dofs().nodes().end());
                   })
      .def_prop_ro("edge_dofs",
                   [](const System& s) {
                     return std::vector<int>(s.dofs().edges().begin(), s.dofs().edges().end());
                   })
      .def_prop_ro("size", [](const System& s) { return s.dofs().size(); })
      .def_prop_ro("unknowns", [](const System& s) { return s.dofs().unknowns(); })
      .def_prop_ro("mass", [](const System& s) { return ToArray(s.mass()); })
      .def_prop_ro("time", [](const System& s) { return s.state().time; })
      .def_prop_ro("q", [](const System& s) { return ToArray(s.state().at.q); })
      .def_prop_ro("velocity", [](const System& s) { return ToArray(s.state().velocity); })
      .def_prop_ro("twist", [](const System& s) { return ToArray(s.state().at.twist); })
      .def_prop_ro("gradient", [](System& s) { return ToArray(s.EvaluateState().gradient); })
      .def_prop_ro("potential_energy", [](System& s) { return s.EvaluateState().energy.sum(); })
      .def_prop_ro("kinetic_energy", &System::kinetic_energy)
      .def_prop_ro("energy_made", [](const System& s) { return s.state().book.made; })
      .def_prop_ro("energy_supplied", [](const System& s) { return s.state().book.available(); })
      .def("positions",
           [](const System& s) {
             const std::vector<Vector3> x = s.Positions();
             Rows3 rows(x.size(), 3);
             for (size_t n = 0; n < x.size(); ++n) rows.row(n) = x[n].transpose();
             return rows;
           })
      .def("directors",
           [](const System& s) {
             Rows3 rows(s.network().edges(), 3);
             for (int c = 0; c < 3; ++c) rows.col(c) = ToArray(s.state().at.m1[c]);
             return rows;
           })
      .def("report", &System::ReportState)
      .def("save", &SaveState)
      .def("load", &LoadState, "saved"_a);
}

void BindControls(nb::class_<System>& system) {
  system
      .def(
          "lock",
          [](System& s, const std::vector<int>& dofs, bool locked) {
            for (int dof : dofs) s.Lock(dof, locked);
          },
          "dofs"_a, "locked"_a)
      .def(
          "catch",
          [](System& s, const std::vector<int>& dofs, bool caught) {
            for (int dof : dofs) s.Catch(dof, caught);
          },
          "dofs"_a, "caught"_a)
      .def(
          "drive",
          [](System& s, const std::vector<int>& dofs, const Array& values) {
            CheckCount("values", values.size(), dofs.size());
            for (size_t k = 0; k < dofs.size(); ++k) s.Drive(dofs[k], values[k]);
          },
          "dofs"_a, "values"_a)
      .def(
          "set_velocity",
          [](System& s, const Array& velocity) {
            CheckCount("velocity", velocity.size(), s.dofs().size());
            if (!velocity.allFinite()) throw ConfigError("velocity", "not finite", "finite");
            for (int dof = 0; dof < s.dofs().size(); ++dof) {
              s.state().velocity[dof] = s.dofs().locked(dof) ? 0 : velocity[dof];
            }
            s.ForgetLastStep();
          },
          "velocity"_a)
      .def("add_mass", &System::AddMass, "node"_a, "mass"_a)
      .def(
          "add_guide",
          [](System& s, int node, const Vector3& direction, bool along) {
            const int dof = s.dofs().node(node);
            return s.AddTie(Guided(dof, s.state().at.position(dof), direction, along), node);
          },
          "node"_a, "direction"_a, "along"_a, nb::rv_policy::reference_internal)
      .def(
          "add_following",
          [](System& s, int node, const std::vector<int>& owners, const Vector3& offset) {
            std::vector<int> dofs;
            for (int owner : owners) dofs.push_back(s.dofs().node(owner));
            return s.AddTie(Following(s.dofs().node(node), dofs, offset), owners.front());
          },
          "node"_a, "owners"_a, "offset"_a, nb::rv_policy::reference_internal)
      .def("extend", &System::Extend, "node"_a, "end"_a, "inner"_a,
           nb::rv_policy::reference_internal)
      .def(
          "add_mouth",
          [](System& s, const std::vector<int>& nodes, const Vector3& place, const Vector3& axis) {
            std::vector<int> dofs;
            for (int node : nodes) dofs.push_back(s.dofs().node(node));
            return s.Add(std::make_unique<Mouth>(s.dofs(), dofs, place, axis));
          },
          "nodes"_a, "place"_a, "axis"_a, nb::rv_policy::reference_internal)
      .def_prop_ro("locked",
                   [](const System& s) {
                     Eigen::Vector<bool, Eigen::Dynamic> locked(s.dofs().size());
                     for (int dof = 0; dof < s.dofs().size(); ++dof) {
                       locked[dof] = s.dofs().locked(dof);
                     }
                     return locked;
                   })
      .def_prop_ro("isotropic_straight",
                   [](System& s) { return s.elastic().rest().isotropic_straight; })
      .def(
          "set_natural_curvature",
          [](System& s, const std::vector<int>& joints, const Eigen::MatrixX2d& curvature) {
            CheckCount("curvature", curvature.rows(), joints.size());
            for (size_t k = 0; k < joints.size(); ++k) {
              s.elastic().rest().SetNaturalCurvature(joints[k], {curvature(k, 0), curvature(k, 1)});
            }
          },
          "joints"_a, "curvature"_a)
      .def(
          "set_natural_twist",
          [](System& s, const std::vector<int>& joints, const Array& twist) {
            CheckCount("twist", twist.size(), joints.size());
            for (size_t k = 0; k < joints.size(); ++k) {
              s.elastic().rest().SetNaturalTwist(joints[k], twist[k]);
            }
          },
          "joints"_a, "twist"_a)
      .def_prop_ro("rest_length", [](System& s) { return ToArray(s.elastic().rest().rest_length); })
      .def(
          "set_rest_length",
          [](System& s, const std::vector<int>& edges, const Array& length) {
            CheckCount("length", length.size(), edges.size());
            for (size_t k = 0; k < edges.size(); ++k) {
              s.elastic().rest().SetRestLength(edges[k], length[k]);
            }
          },
          "edges"_a, "length"_a)
      .def(
          "joint_stiffness",
          [](System& s, int joint) {
            const ElasticRest& rest = s.elastic().rest();
            const double l = rest.voronoi_length[joint];
            return RodStiffness{
                {l * rest.bend_stiffness[0][joint], l * rest.bend_stiffness[1][joint]},
                l * rest.given_twist_stiffness(joint)};
          },
          "joint"_a, "For slip_of.")
      .def(
          "add_slip",
          [](System& s, const std::vector<int>& joints, const std::vector<JointSlip>& slips,
             const std::array<double, 2>& hardening) {
            return s.Add(std::make_unique<SlipEnergy>(s.network(), s.dofs(), s.elastic().rest(),
                                                      joints, slips,
                                                      Hardening{hardening[0], hardening[1]}));
          },
          "joints"_a, "slips"_a, "hardening"_a, nb::rv_policy::reference_internal)
      .def(
          "set_joint_stiffness",
          [](System& s, int joint, const std::array<double, 2>& EI, double GJ) {
            s.SetJointStiffness(joint, EI, GJ);
          },
          "joint"_a, "EI"_a, "GJ"_a)
      .def(
          "set_joint_stiffness_factor",
          [](System& s, const std::vector<int>& joints, const Array& factor) {
            CheckCount("factor", factor.size(), joints.size());
            for (size_t k = 0; k < joints.size(); ++k) {
              s.elastic().rest().SetStiffnessFactor(joints[k], factor[k]);
            }
          },
          "joints"_a, "factor"_a)
      .def(
          "set_stretch_factor",
          [](System& s, const std::vector<int>& edges, const Array& factor) {
            CheckCount("factor", factor.size(), edges.size());
            for (size_t k = 0; k < edges.size(); ++k) {
              s.elastic().rest().SetStretchFactor(edges[k], factor[k]);
            }
          },
          "edges"_a, "factor"_a)
      .def(
          "joint_energy",
          [](System& s, int joint) {
            CheckIndex("joint", joint, s.elastic().rest().joints());
            return s.elastic().JointEnergy(joint, s.state().at);
          },
          "joint"_a, "Of bending and twisting (J).");
}

void BindForces(nb::class_<System>& system, nb::module_& module) {
  nb::class_<SlipEnergy>(module, "SlipEnergy")
      .def("set", &SlipEnergy::Set,
           "Permanent set of its joints: two curvatures (1/m) and the twist (rad/m).");
  nb::class_<Gravity>(module, "Gravity")
      .def("set", &Gravity::Set, "gravity"_a)
      .def_prop_ro("gravity", &Gravity::g)
      .def(
          "set_shares",
          [](Gravity& self, const std::vector<int>& nodes, const Array& share) {
            CheckCount("share", share.size(), nodes.size());
            for (size_t k = 0; k < nodes.size(); ++k) self.SetShare(nodes[k], share[k]);
          },
          "nodes"_a, "share"_a, "Shares of the masses of nodes that weigh; nodes by the dof of x.")
      .def("add_mass", &Gravity::AddMass, "node"_a, "mass"_a, "A point mass; node by the dof of x.")
      .def("weighing", &Gravity::weighing, "node"_a, "Mass (kg) of a node if all of it weighs.");
  nb::class_<BodyTorque>(module, "BodyTorque")
      .def("set", &BodyTorque::Set, "body"_a, "fixed"_a, "along"_a);
  nb::class_<Ties>(module, "Ties")
      .def(
          "tension",
          [](const Ties& self, const System& s) -> Vector3 {
            if (self.ties().empty()) return Vector3::Zero();
            return self.Tension(0, s.state().at);
          },
          "system"_a)
      .def(
          "set_offset", [](Ties& self, const Vector3& offset) { self.SetOffset(0, offset); },
          "offset"_a)
      .def(
          "set_place", [](Ties& self, const Vector3& place) { self.SetPlace(0, place); }, "place"_a)
      .def("release", [](Ties& self, System& s) { s.ReleaseTie(&self); }, "system"_a);
  nb::class_<Mouth>(module, "Mouth")
      .def("set", &Mouth::Set, "link"_a, "length"_a, "stiffness"_a, "near"_a)
      .def("release", &Mouth::Release)
      .def(
          "energy", [](const Mouth& self, const System& s) { return self.Energy(s.state().at); },
          "system"_a, "J")
      .def(
          "by_near", [](const Mouth& self, const System& s) { return self.ByNear(s.state().at); },
          "system"_a, "Derivative (N) of the energy by `near`.");
  nb::class_<NodalLoad>(module, "NodalLoad")
      .def_prop_ro("values", [](NodalLoad& self) { return ToArray(self.value()); })
      .def(
          "set",
          [](NodalLoad& self, const Array& values) {
            CheckCount("load", values.size(), self.value().size());
            if (!values.allFinite()) throw ConfigError("load", "not finite", "finite (N, N m)");
            self.value().assign(values.data(), values.data() + values.size());
          },
          "values"_a);
  system
      .def(
          "add_gravity",
          [](System& s, const Vector3& g, const Array& area, double medium_density) {
            CheckCount("area", area.size(), s.network().edges());
            const std::vector<double> areas(area.data(), area.data() + area.size());
            std::vector<double> weighing =
                BuoyantMass(s.network(), s.dofs(), s.mass(), areas, medium_density);
            if (s.shells()) AddShellMass(s.shells()->rest(), s.dofs(), -medium_density, &weighing);
            return s.Add(std::make_unique<Gravity>(s.dofs(), std::move(weighing), g));
          },
          "gravity"_a, "area"_a, "medium_density"_a, nb::rv_policy::reference_internal)
      .def(
          "add_body_torque",
          [](System& s) { return s.Add(std::make_unique<BodyTorque>(s.network(), s.dofs())); },
          nb::rv_policy::reference_internal)
      .def(
          "add_load", [](System& s) { return s.Add(std::make_unique<NodalLoad>(s.dofs())); },
          nb::rv_policy::reference_internal)
      .def(
          "add_drag",
          [](System& s, double viscosity) {
            s.Add(std::make_unique<ViscousDrag>(LineDrag(s.network(), s.dofs(), viscosity)));
          },
          "viscosity"_a)
      .def(
          "add_aerodynamic_drag",
          [](System& s, double density, double coefficient, const Vector3& flow, bool published) {
            if (!s.shells()) throw ConfigError("aerodynamic drag", "no shells", "shells");
            s.Add(std::make_unique<AerodynamicDrag>(s.shells()->rest(), s.dofs(), density,
                                                    coefficient, flow, published));
          },
          "density"_a, "coefficient"_a, "flow"_a, "published"_a)
      .def(
          "add_resistive_drag",
          [](System& s, double tangential, double normal, const Vector3& flow) {
            s.Add(std::make_unique<ResistiveDrag>(s.network(), s.dofs(),
                                                  ResistiveCoefficients{tangential, normal}, flow));
          },
          "tangential"_a, "normal"_a, "flow"_a)
      .def(
          "add_force",
          [](System& s, const std::vector<int>& dofs, bool conservative, nb::callable function) {
            s.Add(std::make_unique<UserForce>(s.dofs(), dofs, conservative,
                                              FromPython(function, static_cast<int>(dofs.size()))));
          },
          "dofs"_a, "conservative"_a, "function"_a);
}

}  // namespace

std::vector<Vector3> ToPoints(const Rows3& rows) {
  std::vector<Vector3> points;
  for (Eigen::Index i = 0; i < rows.rows(); ++i) points.push_back(rows.row(i).transpose());
  return points;
}

void CheckCount(const char* field, size_t count, size_t wanted) {
  if (count != wanted) {
    throw ConfigError(field, std::to_string(count) + " values", std::to_string(wanted));
  }
}

void BindCore(nb::module_& module) {
  BindNetwork(module);
  module.def(
      "parallel_transport",
      [](const Vector3& v, const Vector3& from, const Vector3& to) {
        return ParallelTransport(v, from, to);
      },
      "v"_a, "t_a"_a, "t_b"_a,
      "v, orthogonal to the unit vector t_a, turned by the smallest rotation from t_a to t_b.");
  BindMaterial(module);
  nb::class_<System> system(module, "System");
  system.def(nb::init<const Network&, const SystemParameters&>(), "network"_a, "parameters"_a);
  BindReadouts(system);
  BindControls(system);
  BindForces(system, module);
  BindShells(system, module);
  BindStepping(module);
  BindContact(system, module);
  BindPlacement(system);
  BindTendons(system, module);
}

}  // namespace strand
