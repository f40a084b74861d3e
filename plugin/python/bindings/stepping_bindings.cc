// Newton's method, time stepping and statics in the extension module.
#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include "model/config/parse.h"
#include "model/integrator/statics.h"
#include "model/integrator/time_stepper.h"
#include "plugin/python/bindings/core_bindings.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace strand {
namespace {

/// A function of the user's, called with the time (s) or the load factor.
using OfTime = std::function<void(double)>;

Method ReadMethod(const std::string& name) {
  return static_cast<Method>(ParseChoice(
      "method", name, {"bdf2", "backward_euler", "midpoint", "symplectic_euler", "verlet"}));
}

void BindReports(nb::module_& module) {
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
  nb::exception<SolverError>(module, "SolverError", PyExc_RuntimeError);
}

void BindOptions(nb::module_& module) {
  nb::class_<NewtonOptions>(module, "NewtonOptions")
      .def(
          "__init__",
          [](NewtonOptions* self, double tolerance, int max_iterations) {
            new (self) NewtonOptions{.tolerance = tolerance, .max_iterations = max_iterations};
          },
          nb::kw_only(), "tolerance"_a, "max_iterations"_a);
  nb::class_<PublishedStop>(module, "PublishedStop", "The stop rule of MAT-DiSMech's code.")
      .def(
          "__init__",
          [](PublishedStop* self, double force, double reduction, double change) {
            new (self) PublishedStop{force, reduction, change};
          },
          nb::kw_only(), "force"_a, "reduction"_a, "change"_a);
}

}  // namespace

void BindStepping(nb::module_& module) {
  BindReports(module);
  BindOptions(module);
  nb::class_<TimeStepper>(module, "TimeStepper")
      .def(
          "__init__",
          [](TimeStepper* self, const std::string& method, double dt, double least_dt,
             const NewtonOptions& newton, const std::optional<PublishedStop>& published) {
            new (self) TimeStepper({ReadMethod(method), dt, least_dt, newton, published});
          },
          nb::kw_only(), "method"_a, "dt"_a, "least_dt"_a, "newton"_a,
          "published"_a.none() = nb::none())
      .def_prop_rw(
          "dt", [](const TimeStepper& self) { return self.options().dt; }, &TimeStepper::set_dt)
      .def_prop_rw("next_dt", &TimeStepper::next_dt, &TimeStepper::set_next_dt)
      .def_prop_rw("usual_iterations", &TimeStepper::usual_iterations,
                   &TimeStepper::set_usual_iterations)
      .def_prop_rw("second_step_credit", &TimeStepper::second_step_credit,
                   &TimeStepper::set_second_step_credit)
      .def_prop_rw("saddle_shift", &TimeStepper::saddle_shift, &TimeStepper::set_saddle_shift)
      .def(
          "step",
          [](TimeStepper& self, System& system, const OfTime& drive) {
            if (!drive) return self.Step(system);
            return self.Step(system, [&](System&, double time) { drive(time); });
          },
          "system"_a, "drive"_a.none() = nb::none())
      .def(
          "steps",
          [](TimeStepper& self, System& system, int count) {
            StepReport total;
            for (int i = 0; i < count; ++i) total += self.Step(system);
            return total;
          },
          "system"_a, "count"_a, nb::call_guard<nb::gil_scoped_release>());
  module.def(
      "solve_statics",
      [](System& system, const NewtonOptions& newton, int steps, const OfTime& ramp,
         const std::optional<PublishedStop>& published, bool nearby) {
        const auto at_load = [&](System&, double load) {
          if (ramp) ramp(load);
        };
        return SolveStatics(system, newton, steps, at_load, published,
                            nearby ? Reach::kNearby : Reach::kFar);
      },
      "system"_a, "newton"_a, "steps"_a, "ramp"_a.none() = nb::none(),
      "published"_a.none() = nb::none(), "nearby"_a = false);
}

}  // namespace strand
