// The options of a cable: where files have them, what they mean, what is allowed. One list for
// files, Python and the text of the schema.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "plugin/mujoco/cable_file/toml.h"
#include "plugin/mujoco/description/description.h"

namespace strand {

/// One key of a table that describes a Target.
template <class Target>
struct Option {
  std::string name, doc, allowed;
  /// Puts the value into the target; false where it is not of the kind that is allowed.
  std::function<bool(const toml::node& value, Target* target)> read;
  /// Puts the target's value into a table, under the option's name; nothing where none is given.
  std::function<void(const Target& target, toml::table* table)> write;
};

struct OptionTable {
  std::string name;  ///< "" at the top of a file
  std::vector<Option<CableDescription>> options;
};

/// The tables of a cable, in the order of the schema. Not in here: `keys`, whose keys are the
/// plugin's own; the list `stretches`; and, in `shape`, what the shapes bring along.
const std::vector<OptionTable>& CableOptions();

/// The keys of one of the `stretches`.
const std::vector<Option<Stretch>>& StretchOptions();

}  // namespace strand
