// The options of a cable: their table in a file, meaning and allowed values. Files, Python
// arguments and the schema text all use this one list.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "plugin/mujoco/cable_file/toml.h"
#include "plugin/mujoco/description/description.h"

namespace strand {

/// One key of a table that describes a Target.
template <class Target>
struct Option {
  std::string name, doc, allowed;
  /// Stores the value in the target. Returns false if the value has the wrong type.
  std::function<bool(const toml::node& value, Target* target)> read;
  /// Puts the target's value into a table, under the option's name; nothing where none is given.
  std::function<void(const Target& target, toml::table* table)> write;
};

struct OptionTable {
  std::string name;  ///< "" for the top level of a file
  std::vector<Option<CableDescription>> options;
};

/// The tables of a cable, in the order of the schema. Not included: `keys`, whose keys are those of
/// the plugin; the list `stretches`; and the keys in `shape` that depend on the type of shape.
const std::vector<OptionTable>& CableOptions();

/// The option of that name, in whichever table; both null if there is none.
struct FoundOption {
  const OptionTable* table = nullptr;
  const Option<CableDescription>* option = nullptr;
};
FoundOption FindOption(std::string_view name);

/// The keys of one of the `stretches`.
const std::vector<Option<Stretch>>& StretchOptions();

/// The keys of one of the branches, in addition to the tables of a cable.
const std::vector<Option<Branch>>& BranchOptions();

}  // namespace strand
