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
#include "model/energy/fluid_drag.h"
#include "model/energy/loads.h"
#include "model/energy/user_force.h"
#include "model/integrator/time_stepper.h"

namespace nb = nanobind;

namespace strand {
namespace {

using Array = Eigen::VectorXd;

Array ToArray(std::span<const double> values) {
  return Eigen::Map<const Array>(values.data(), static_cast<Eigen::Index>(values.size()));
}

nb::class_<Network> BindNetwork(nb::module_& module) {
  nb::class_<RodTopology>(module, "RodTopology")
      .def_ro("node", &RodTopology::node)
      .def_ro("edge", &RodTopology::edge)
      .def_ro("joint", &RodTopology::joint)
      .def_ro("closed", &RodTopology::closed);
  nb::class_<Network> network(module, "Network");
  network.def(nb::init<>())
      .def("add_rod", [](Network& self, const Rows3& nodes, const Vector3& normal,
                         bool closed) { return self.AddRod(ToPoints(nodes), normal, closed); })
      .def("connect", &Network::Connect)
      .def("clamp", &Network::Clamp)
      .def_prop_ro("nodes", &Network::nodes)
      .def_prop_ro("edges", &Network::edges)
      .def_prop_ro("joints", &Network::joints)
      .def("rod", &Network::rod)
      .def("edge_nodes",
           [](const Network& self) {
             std::vector<std::array<int, 2>> nodes;
             for (const Edge& edge : self.edge()) nodes.push_back(edge.node);
             return nodes;
           })
      .def("joint_nodes", [](const Network& self) {
        std::vector<std::array<int, 3>> nodes;
        for (const Joint& joint : self.joint()) nodes.push_back(joint.node);
        return nodes;
      });
  return network;
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

// One row per edge: EA, EI about m1 and m2, GJ, mass per length, spin inertia per length,
// Rayleigh damping by mass (1/s) and by material (s).
using MaterialRows = Eigen::Matrix<double, Eigen::Dynamic, 8, Eigen::RowMajor>;
// One row per shell: young, poisson, thickness, density, Rayleigh damping by mass (1/s) and by
// material (s).
using ShellRows = Eigen::Matrix<double, Eigen::Dynamic, 6, Eigen::RowMajor>;

// One row per body: mass, stiffness.
using BodyRows = Eigen::Matrix<double, Eigen::Dynamic, 2, Eigen::RowMajor>;

std::unique_ptr<System> MakeSystem(const Network& network, const MaterialRows& rows,
                                   const ShellRows& shells,
                                   const std::vector<std::string>& membranes,
                                   const std::string& measure, const std::string& average,
                                   bool twist, bool rest_straight, bool frozen_mid_edge,
                                   const BodyRows& bodies) {
  SystemParameters parameters;
  for (Eigen::Index e = 0; e < rows.rows(); ++e) {
    parameters.material.push_back({rows(e, 0),
                                   {rows(e, 1), rows(e, 2)},
                                   rows(e, 3),
                                   rows(e, 4),
                                   rows(e, 5),
                                   {rows(e, 6), rows(e, 7)}});
  }
  CheckCount("membrane", static_cast<Eigen::Index>(membranes.size()), shells.rows());
  for (Eigen::Index i = 0; i < shells.rows(); ++i) {
    const int how = ParseChoice("membrane", membranes[i], {"continuum", "springs"});
    parameters.shell.push_back({shells(i, 0),
                                shells(i, 1),
                                shells(i, 2),
                                shells(i, 3),
                                static_cast<Membrane>(how),
                                {shells(i, 4), shells(i, 5)}});
  }
  for (Eigen::Index i = 0; i < bodies.rows(); ++i) {
    parameters.body.push_back({bodies(i, 0), bodies(i, 1)});
  }
  ElasticOptions& options = parameters.elastic;
  options.measure = ParseChoice("curvature", measure, {"angle", "tangent"}) == 1
                        ? CurvatureMeasure::kTangent
                        : CurvatureMeasure::kAngle;
  options.average = ParseChoice("average", average, {"energies", "curvatures"}) == 1
                        ? BendAverage::kCurvatures
                        : BendAverage::kEnergies;
  options.twist = twist, options.rest_straight = rest_straight;
  parameters.frozen_mid_edge = frozen_mid_edge;
  return std::make_unique<System>(network, parameters);
}

// The complete state: a run that loads it continues as if it had not stopped.
nb::dict SaveState(const System& system) {
  const State& state = system.state();
  const Configuration& at = state.at;
  nb::dict saved;
  saved["q"] = ToArray(at.q), saved["velocity"] = ToArray(state.velocity);
  saved["moved"] = ToArray(state.moved), saved["velocity_before"] = ToArray(state.velocity_before);
  saved["dt_before"] = state.dt_before, saved["energy_book"] = ToArray(state.book.Numbers());
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
      .def("load", &LoadState);
}

void BindControls(nb::class_<System>& system) {
  system
      .def("lock",
           [](System& s, const std::vector<int>& dofs, bool locked) {
             for (int dof : dofs) s.Lock(dof, locked);
           })
      .def("drive",
           [](System& s, const std::vector<int>& dofs, const Array& values) {
             CheckCount("values", values.size(), dofs.size());
             for (size_t k = 0; k < dofs.size(); ++k) s.Drive(dofs[k], values[k]);
           })
      .def("set_velocity",
           [](System& s, const Array& velocity) {
             CheckCount("velocity", velocity.size(), s.dofs().size());
             if (!velocity.allFinite()) throw ConfigError("velocity", "not finite", "finite");
             for (int dof = 0; dof < s.dofs().size(); ++dof) {
               s.state().velocity[dof] = s.dofs().locked(dof) ? 0 : velocity[dof];
             }
             s.ForgetLastStep();
           })
      .def("add_mass", &System::AddMass)
      .def(
          "add_guide",
          [](System& s, int node, const Vector3& direction, bool along) {
            const int dof = s.dofs().node(node);
            return s.AddTie(Guided(dof, s.state().at.position(dof), direction, along), node);
          },
          nb::rv_policy::reference_internal)
      .def(
          "add_following",
          [](System& s, int node, const std::vector<int>& owners, const Vector3& offset) {
            std::vector<int> dofs;
            for (int owner : owners) dofs.push_back(s.dofs().node(owner));
            return s.AddTie(Following(s.dofs().node(node), dofs, offset), owners.front());
          },
          nb::rv_policy::reference_internal)
      .def("locked", [](const System& s, int dof) { return s.dofs().locked(dof); })
      .def_prop_ro("isotropic_straight",
                   [](System& s) { return s.elastic().rest().isotropic_straight; })
      .def("set_natural_curvature",
           [](System& s, const std::vector<int>& joints, const Eigen::MatrixX2d& curvature) {
             CheckCount("curvature", curvature.rows(), joints.size());
             for (size_t k = 0; k < joints.size(); ++k) {
               s.elastic().rest().SetNaturalCurvature(joints[k],
                                                      {curvature(k, 0), curvature(k, 1)});
             }
           })
      .def("set_natural_twist",
           [](System& s, const std::vector<int>& joints, const Array& twist) {
             CheckCount("twist", twist.size(), joints.size());
             for (size_t k = 0; k < joints.size(); ++k) {
               s.elastic().rest().SetNaturalTwist(joints[k], twist[k]);
             }
           })
      .def("set_rest_length",
           [](System& s, const std::vector<int>& edges, const Array& length) {
             CheckCount("length", length.size(), edges.size());
             for (size_t k = 0; k < edges.size(); ++k) {
               s.elastic().rest().SetRestLength(edges[k], length[k]);
             }
           })
      .def("set_joint_stiffness",
           [](System& s, int joint, const std::array<double, 2>& EI, double GJ) {
             s.elastic().rest().SetJointStiffness(joint, EI, GJ);
           });
}

void BindForces(nb::class_<System>& system, nb::module_& module) {
  nb::class_<Gravity>(module, "Gravity").def("set", &Gravity::Set);
  nb::class_<Ties>(module, "Ties")
      .def("tension",
           [](const Ties& self, const System& s) { return self.Tension(0, s.state().at); })
      .def("set_offset", [](Ties& self, const Vector3& offset) { self.SetOffset(0, offset); });
  nb::class_<NodalLoad>(module, "NodalLoad")
      .def_prop_ro("values", [](NodalLoad& self) { return ToArray(self.value()); })
      .def("set", [](NodalLoad& self, const Array& values) {
        CheckCount("load", values.size(), self.value().size());
        if (!values.allFinite()) throw ConfigError("load", "not finite", "finite (N, N m)");
        self.value().assign(values.data(), values.data() + values.size());
      });
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
          nb::rv_policy::reference_internal)
      .def(
          "add_load", [](System& s) { return s.Add(std::make_unique<NodalLoad>(s.dofs())); },
          nb::rv_policy::reference_internal)
      .def("add_drag",
           [](System& s, double viscosity) {
             s.Add(std::make_unique<ViscousDrag>(LineDrag(s.network(), s.dofs(), viscosity)));
           })
      .def("add_aerodynamic_drag",
           [](System& s, double density, double coefficient, const Vector3& flow, bool published) {
             if (!s.shells()) throw ConfigError("aerodynamic drag", "no shells", "shells");
             s.Add(std::make_unique<AerodynamicDrag>(s.shells()->rest(), s.dofs(), density,
                                                     coefficient, flow, published));
           })
      .def("add_resistive_drag",
           [](System& s, double tangential, double normal, const Vector3& flow) {
             s.Add(std::make_unique<ResistiveDrag>(
                 s.network(), s.dofs(), ResistiveCoefficients{tangential, normal}, flow));
           })
      .def("add_force", [](System& s, const std::vector<int>& dofs, bool conservative,
                           nb::callable function) {
        s.Add(std::make_unique<UserForce>(s.dofs(), dofs, conservative,
                                          FromPython(function, static_cast<int>(dofs.size()))));
      });
}

/// A user's function, called with the time (s) or the load factor.
using OfTime = std::function<void(double)>;

void BindTimeStepper(nb::module_& module) {
  nb::class_<NewtonOptions>(module, "NewtonOptions")
      .def(nb::init<>())
      .def_rw("tolerance", &NewtonOptions::tolerance)
      .def_rw("max_iterations", &NewtonOptions::max_iterations)
      .def(
          "stop_as_published",
          [](NewtonOptions& options, double force, double reduction, double change) {
            options.published = PublishedStop{force, reduction, change};
          },
          nb::arg("force"), nb::arg("reduction"), nb::arg("change"));
  nb::class_<SolveReport>(module, "SolveReport")
      .def_ro("converged", &SolveReport::converged)
      .def_ro("iterations", &SolveReport::iterations)
      .def_ro("factorizations", &SolveReport::factorizations)
      .def_ro("residual", &SolveReport::residual)
      .def_ro("correction", &SolveReport::correction)
      .def_ro("stable", &SolveReport::stable)
      .def_prop_ro("reason", [](const SolveReport& report) { return Describe(report.reason); });
  nb::class_<StepReport>(module, "StepReport")
      .def(nb::init<>())
      .def("__iadd__", &StepReport::operator+=, nb::rv_policy::none)
      .def_ro("steps", &StepReport::steps)
      .def_ro("rejections", &StepReport::rejections)
      .def_ro("iterations", &StepReport::iterations)
      .def_ro("factorizations", &StepReport::factorizations)
      .def_ro("residual", &StepReport::residual)
      .def_ro("dt", &StepReport::dt);
  nb::class_<TimeStepper>(module, "TimeStepper")
      .def_prop_rw("next_dt", &TimeStepper::next_dt, &TimeStepper::set_next_dt)
      .def_prop_rw("usual_iterations", &TimeStepper::usual_iterations,
                   &TimeStepper::set_usual_iterations)
      .def_prop_rw("second_step_credit", &TimeStepper::second_step_credit,
                   &TimeStepper::set_second_step_credit)
      .def("__init__",
           [](TimeStepper* self, const std::string& method, double dt, double least_dt,
              const NewtonOptions& newton) {
             TimeStepOptions options;
             options.method = static_cast<Method>(
                 ParseChoice("method", method,
                             {"bdf2", "backward_euler", "midpoint", "symplectic_euler", "verlet"}));
             options.dt = dt, options.least_dt = least_dt, options.newton = newton;
             new (self) TimeStepper(options);
           })
      .def(
          "step",
          [](TimeStepper& self, System& system, const OfTime& drive) {
            if (!drive) return self.Step(system);
            return self.Step(system, [&](System&, double time) { drive(time); });
          },
          nb::arg("system"), nb::arg("drive").none() = nb::none())
      .def(
          "steps",
          [](TimeStepper& self, System& system, int count) {
            StepReport total;
            for (int i = 0; i < count; ++i) total += self.Step(system);
            return total;
          },
          nb::call_guard<nb::gil_scoped_release>());
  module.def("solve_statics",
             [](System& system, const NewtonOptions& options, int steps, const OfTime& ramp) {
               return SolveStatics(system, options, steps, [&](System&, double load) {
                 if (ramp) ramp(load);
               });
             });
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
  nb::class_<Network> network = BindNetwork(module);
  nb::class_<System> system(module, "System");
  BindShells(network, system, module);
  system.def_static("make", &MakeSystem);
  BindReadouts(system);
  BindControls(system);
  BindForces(system, module);
  BindTimeStepper(module);
  BindBodies(network, system, module);
  BindContact(system, module);
  BindPlacement(system);
  BindTendons(system, module);
  nb::exception<SolverError>(module, "SolverError", PyExc_RuntimeError);
}

}  // namespace strand
