// Colours of cables' links by a quantity along the cable, and its legend.
#pragma once

#include <mujoco/mujoco.h>

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "plugin/mujoco/interface/adapter_api.h"

namespace strand::viewer {

enum class Quantity {
  kNone,
  kCurvature,
  kTwist,
  kMoment,
  kBendingStress,
  kTorsionStress,
  kTension,
  kVonMisesStress,
  kContactForce,
  kGiven,  ///< numbers of the user's own, with words of their own (Cables)
};

struct QuantityWords {
  const char* key;  ///< in scripts and on the command line
  const char* name;
  const char* unit;
};
inline constexpr std::array<QuantityWords, 10> kQuantities{{
    {"none", "own colours", ""},
    {"curvature", "curvature", "1/m"},
    {"twist", "twist rate", "rad/m"},
    {"moment", "moment", "N m"},
    {"bending", "bending stress", "Pa"},
    {"torsion", "torsional stress", "Pa"},
    {"tension", "tension", "N"},
    {"stress", "von Mises stress", "Pa"},
    {"contact", "contact force", "N"},
    {"given", "", ""},
}};

/// The quantity with this key. Throws std::invalid_argument that lists the keys.
Quantity QuantityOf(const std::string& key);

/// A number with three digits and a prefix of its unit: 0.0042 N m is "4.2 mN m".
std::string WithUnit(double value, const std::string& unit);

/// The cables of a model, i.e. the instances of strand.cable.
struct Cables {
  const StrandAdapterApi* api = nullptr;
  std::vector<int> instance;
  std::vector<std::string> name;
  /// A quantity of every body that needs more than a profile, NaN: not a link. Empty: unknown.
  std::function<std::vector<double>(const mjData* d, const std::string& quantity)> values;
  std::string given, given_unit;  ///< words of Quantity::kGiven; `given` empty: there is none

  Cables(const mjModel* m, const StrandAdapterApi* adapter);
  /// False if the instance cannot be read.
  bool Read(const mjModel* m, const mjData* d, int cable, RodProfile* profile) const;
  bool Has(Quantity quantity) const { return quantity != Quantity::kGiven || !given.empty(); }
  /// Of a quantity that they have.
  QuantityWords Words(Quantity quantity) const;
};

/// Values of a quantity at the joints of a profile, >= 0; empty if the profile does not have it.
std::vector<double> JointValues(Quantity quantity, const RodProfile& profile);

/// Colours the links of all cables in a scene.
class Coloring {
 public:
  Quantity quantity = Quantity::kNone;
  bool fixed = false;          ///< the range stays as it is
  double least = 0, most = 0;  ///< of the colours; follow the values unless `fixed`

  /// The range is from the smallest value in the picture or 0 to the largest, unless it is fixed.
  void Follow(double smallest, double largest);
  /// RGBA of a value in the range.
  void Paint(double value, float rgba[4]) const;

  /// Shows the links where a skin hides them.
  void ShowLinks(const mjModel* m, const Cables& cables, mjvOption* option) const;
  void Apply(const mjModel* m, const mjData* d, const Cables& cables, mjvScene* scene);

 private:
  void FindValues(const mjModel* m, const mjData* d, const Cables& cables);
  void AddContactForces(const mjModel* m, const mjData* d);

  std::vector<double> of_body_;  // NaN: not a link
};

}  // namespace strand::viewer
