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

const toml::table& LibraryCable(const char* field, const toml::node& name) {
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
  throw ConfigError(field, Shown(name), Listed(names) + (hint.empty() ? "" : "; " + hint));
}

const std::string& TableOf(std::string_view key) { return FindOption(key).table->name; }

bool IsUsed(std::string_view key, const std::function<bool(std::string_view)>& given) {
  if (given(key)) return false;
  for (const auto& group : Groups()) {
    if (std::ranges::find(group, key) == group.end()) continue;
    return std::ranges::none_of(group, given);
  }
  return TableOf(key) != "section" || !given("section");
}

}  // namespace

toml::table LibraryKeys(const char* field, const toml::node& name,
                        const std::function<bool(std::string_view)>& given) {
  toml::table used;
  for (const auto& [key, value] : LibraryCable(field, name)) {
    if (IsUsed(key, given)) used.insert(key, value);
  }
  return used;
}

void FillMaterial(toml::table* tables) {
  toml::table* material = tables->get_as<toml::table>("material");
  const toml::node* name = material ? material->get("material") : nullptr;
  if (!name) return;
  const auto given = [tables](std::string_view key) {
    const toml::table* table = tables->get_as<toml::table>(TableOf(key));
    return table && table->contains(key);
  };
  for (const auto& [key, value] : LibraryKeys("material.material", *name, given)) {
    toml::table* target = tables->insert(TableOf(key), toml::table()).first->second.as_table();
    if (target) target->insert(key, value);
  }
  material->erase("material");
}

}  // namespace strand
