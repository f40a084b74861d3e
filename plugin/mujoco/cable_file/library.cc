#include "plugin/mujoco/cable_file/library.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "plugin/mujoco/cable_file/library_text.h"
#include "plugin/mujoco/cable_file/options.h"
#include "plugin/mujoco/cable_file/value.h"

namespace strand {
namespace {

constexpr char kReferences[] = "references";  // the only table of the library that is no cable

// Keys of which the library's are not used if one is given.
const std::vector<std::vector<std::string_view>>& Groups() {
  static const std::vector<std::vector<std::string_view>> groups{
      {"EI", "GJ", "young", "shear", "poisson"}, {"damping", "loss_time", "damping_ratio"}};
  return groups;
}

const toml::table& LibraryCable(const toml::node& name) {
  static const toml::table library = toml::parse(kLibraryText);
  const std::string text = name.value_or(std::string());
  if (const toml::table* entry = text == kReferences ? nullptr : library[text].as_table()) {
    return *entry->get_as<toml::table>("cable");
  }
  std::vector<std::string> names;
  for (const auto& [known, entry] : library) {
    if (known != kReferences) names.emplace_back(known.str());
  }
  const std::string hint = Suggestion(text, names);
  throw ConfigError("material.material", Shown(name),
                    Listed(names) + (hint.empty() ? "" : "; " + hint));
}

const toml::table* TableIn(const toml::table& tables, std::string_view name) {
  const toml::node* table = tables.get(name);
  return table ? table->as_table() : nullptr;
}

bool Gives(const toml::table& tables, std::string_view key) {
  const toml::table* table = TableIn(tables, FindOption(key).table->name);
  return table && table->contains(key);
}

bool IsUsed(const toml::table& tables, std::string_view key) {
  if (Gives(tables, key)) return false;
  for (const auto& group : Groups()) {
    if (std::ranges::find(group, key) == group.end()) continue;
    return std::ranges::none_of(group, [&](std::string_view of) { return Gives(tables, of); });
  }
  return FindOption(key).table->name != "section" || !Gives(tables, "section");
}

}  // namespace

void FillMaterial(toml::table* tables) {
  toml::table* material = tables->get_as<toml::table>("material");
  const toml::node* name = material ? material->get("material") : nullptr;
  if (!name) return;
  const toml::table given = *tables;
  for (const auto& [key, value] : LibraryCable(*name)) {
    if (!IsUsed(given, key)) continue;
    const std::string& table = FindOption(key).table->name;
    toml::table* target = tables->insert(table, toml::table()).first->second.as_table();
    if (target) target->insert(key, value);
  }
  material->erase("material");
}

}  // namespace strand
