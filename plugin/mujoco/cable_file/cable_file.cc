#include "plugin/mujoco/cable_file/cable_file.h"

#include <algorithm>
#include <sstream>
#include <utility>

#include "model/config/error.h"
#include "model/output/number.h"
#include "plugin/mujoco/cable_file/arguments.h"
#include "plugin/mujoco/cable_file/library.h"
#include "plugin/mujoco/cable_file/options.h"
#include "plugin/mujoco/cable_file/shapes.h"
#include "plugin/mujoco/cable_file/value.h"
#include "plugin/mujoco/description/branches.h"
#include "plugin/mujoco/description/check.h"
#include "plugin/mujoco/description/rod.h"

namespace strand {
namespace {

template <class Named>
std::vector<std::string> NamesOf(const std::vector<Named>& all) {
  std::vector<std::string> names;
  for (const Named& one : all) names.push_back(one.name);
  return names;
}

template <class Named>
const Named* Find(const std::vector<Named>& all, std::string_view name) {
  const auto found =
      std::find_if(all.begin(), all.end(), [&](auto& one) { return one.name == name; });
  return found == all.end() ? nullptr : &*found;
}

const OptionTable& Table(const char* name) { return *Find(CableOptions(), name); }

// Reads the value of one key. `where` precedes the key's name in errors.
template <class Target>
void ReadOption(const Option<Target>& option, const toml::node& value, const std::string& where,
                Target* target) {
  if (!option.read(value, target)) {
    throw ConfigError(where + option.name, Shown(value), option.allowed);
  }
}

const toml::table& AsTable(std::string_view name, const toml::node& content) {
  if (const toml::table* table = content.as_table()) return *table;
  throw ConfigError(std::string(name), Shown(content), "a table [" + std::string(name) + "]");
}

// A hint naming the table that a misplaced key belongs to; empty if no table has that key.
std::string Home(std::string_view key) {
  const OptionTable* table = FindOption(key).table;
  if (!table) return "";
  return table->name.empty() ? "it belongs at the top, above all tables"
                             : "it belongs in [" + table->name + "]";
}

void ReadTable(const OptionTable& table, const toml::table& content, CableDescription* cable) {
  for (const auto& [key, value] : content) {
    const auto* option = Find(table.options, key);
    if (!option) {
      throw UnknownName(table.name + ".", std::string(key), "a key", NamesOf(table.options),
                        Home(key));
    }
    ReadOption(*option, value, table.name + ".", cable);
  }
}

// A ring is closed unless it overlaps or the file says otherwise.
void ReadShape(const toml::table& content, CableDescription* cable) {
  const auto& options = Table("shape").options;
  cable->nodes = DrawShape(content, NamesOf(options));
  const bool overlaps = content["overlap"].value_or(0) != 0;
  cable->closed = content["type"] == "ring" && !overlaps;
  for (const auto& option : options) {
    if (const toml::node* value = content.get(option.name)) {
      ReadOption(option, *value, "shape.", cable);
    }
  }
}

// Throws ConfigError if a list's item lacks a key that has no default.
template <class Target>
void RequireKeys(const toml::table& content, const std::vector<Option<Target>>& options,
                 const std::string& where, std::initializer_list<const char*> needed) {
  for (const char* key : needed) {
    if (content.contains(key)) continue;
    throw ConfigError(where + key, "nothing", Find(options, key)->allowed);
  }
}

Stretch ReadStretch(const toml::table& content) {
  Stretch stretch;
  const auto& options = StretchOptions();
  for (const auto& [key, value] : content) {
    const auto* option = Find(options, key);
    if (!option) throw UnknownName("stretches.", std::string(key), "a key", NamesOf(options));
    ReadOption(*option, value, "stretches.", &stretch);
  }
  RequireKeys(content, options, "stretches.", {"begin", "end"});
  return stretch;
}

// The tables of a list [[name]].
std::vector<const toml::table*> TablesOf(const char* name, const toml::node& content) {
  const toml::array* list = content.as_array();
  if (!list || !(list->empty() || list->is_homogeneous<toml::table>())) {
    throw ConfigError(name, Shown(content), "a list of tables [[" + std::string(name) + "]]");
  }
  std::vector<const toml::table*> tables;
  for (const toml::node& item : *list) tables.push_back(item.as_table());
  return tables;
}

std::vector<Stretch> ReadStretches(const toml::node& content) {
  std::vector<Stretch> stretches;
  for (const toml::table* table : TablesOf("stretches", content)) {
    stretches.push_back(ReadStretch(*table));
  }
  return stretches;
}

// The text passed to the plugin for one of the plugin's own keys.
std::string KeyText(std::string_view name, const toml::node& value) {
  std::vector<double> numbers;
  bool flag;
  if (value.is_string()) return value.ref<std::string>();
  if (ReadValue(value, &flag)) return flag ? "true" : "false";
  if (!ReadValue(value, &numbers)) {
    throw ConfigError("keys." + std::string(name), Shown(value),
                      "a text, true, false, a number or numbers");
  }
  std::string text;
  for (double number : numbers) text += (text.empty() ? "" : " ") + Number(number);
  return text;
}

// Reads the stretches and the plugin's own keys, which are not options. False for other names.
bool ReadList(std::string_view name, const toml::node& content, CableDescription* cable) {
  if (name == "stretches") {
    cable->stretches = ReadStretches(content);
    return true;
  }
  if (name != "keys") return false;
  for (const auto& [key, value] : AsTable(name, content)) {
    cable->keys.emplace_back(std::string(key), KeyText(key, value));
  }
  return true;
}

void ReadEntry(std::string_view name, const toml::node& content, CableDescription* cable) {
  if (name == "shape") return ReadShape(AsTable(name, content), cable);
  if (ReadList(name, content, cable)) return;
  if (const auto* option = Find(Table("").options, name)) {
    return ReadOption(*option, content, "", cable);
  }
  const OptionTable* table = name.empty() ? nullptr : Find(CableOptions(), name);
  if (!table) {
    std::vector<std::string> allowed = NamesOf(Table("").options);
    for (const OptionTable& known : CableOptions()) {
      if (!known.name.empty()) allowed.push_back(known.name);
    }
    allowed.insert(allowed.end(), {"stretches", "branch", "keys"});
    throw UnknownName("", std::string(name), "a table", allowed, Home(name));
  }
  ReadTable(*table, AsTable(name, content), cable);
}

// The tables of a branch's cable. It has some of the cable on which it starts where it has none of
// its own. Others belong to the whole description.
constexpr const char* kInherited[] = {"section", "material", "elasticity",
                                      "damping", "contact",  "look"};
constexpr const char* kOwn[] = {"shape", "ends", "stretches", "keys"};

bool IsIn(const auto& names, std::string_view name) {
  return std::ranges::find(names, name) != std::end(names);
}

// Reads the keys of one of the list [[branch]], without its cable.
Branch ReadBranchKeys(const toml::table& content, size_t number) {
  Branch branch;
  branch.name = content["name"].value_or("branch" + std::to_string(number));
  const auto& options = BranchOptions();
  for (const auto& [key, value] : content) {
    if (IsIn(kOwn, key.str()) || IsIn(kInherited, key.str())) continue;
    const auto* option = Find(options, key);
    if (!option) {
      std::vector<std::string> allowed = NamesOf(options);
      allowed.insert(allowed.end(), std::begin(kOwn), std::end(kOwn));
      allowed.insert(allowed.end(), std::begin(kInherited), std::end(kInherited));
      throw UnknownName("branch.", std::string(key), "a key or table", allowed);
    }
    ReadOption(*option, value, "branch.", &branch);
  }
  RequireKeys(content, options, "branch.", {"at"});
  if (content.contains("shape")) return branch;
  throw ConfigError("branch.shape", "nothing", "a table with type: " + Listed(ShapeNames()));
}

// Reads the cables of branches, from their tables and those of the cables on which they start.
class BranchReader {
 public:
  BranchReader(const toml::table& document, const toml::node& list) : document_(document) {
    for (const toml::table* table : TablesOf("branch", list)) {
      branches_.push_back(ReadBranchKeys(*table, branches_.size()));
      tables_.push_back(*table);
      FillMaterial(&tables_.back());
    }
  }

  std::vector<Branch> Read() {
    for (size_t i = 0; i < branches_.size(); ++i) {
      try {
        ReadCable(i);
      } catch (const ConfigError& error) {
        throw ConfigError(mujoco::InBranch(branches_[i].name), error);
      }
    }
    return std::move(branches_);
  }

 private:
  void ReadCable(size_t i) {
    CableDescription* cable = &branches_[i].cable;
    for (const char* name : kOwn) {
      if (const toml::node* content = tables_[i].get(name)) ReadEntry(name, *content, cable);
    }
    for (const char* name : kInherited) {
      if (const toml::node* content = Inherited(i, name)) ReadEntry(name, *content, cable);
    }
  }

  // The table of that name of a branch, or of the nearest cable that it starts on, or null.
  const toml::node* Inherited(size_t i, const char* name) const {
    for (size_t passed = 0; passed <= tables_.size(); ++passed) {  // names may form a loop
      if (const toml::node* content = tables_[i].get(name)) return content;
      const auto on = std::ranges::find(branches_, branches_[i].on, &Branch::name);
      if (on == branches_.end()) break;
      i = on - branches_.begin();
    }
    return document_.get(name);
  }

  const toml::table& document_;
  std::vector<toml::table> tables_;
  std::vector<Branch> branches_;
};

// Adds the file's table to the field name of an error from a check.
ConfigError InFile(const ConfigError& error) {
  const OptionTable* table = FindOption(error.field()).table;
  return table && !table->name.empty() ? ConfigError(table->name + ".", error) : error;
}

// The branch that arguments describe; those of its cable are a table, with its nodes.
Branch DescribeBranch(const toml::table& arguments) {
  Branch branch;
  for (const auto& [name, value] : arguments) {
    if (name == "cable" && value.is_table()) {
      toml::table own = *value.as_table();
      std::vector<Vector3> nodes;
      if (const toml::node* given = own.get("nodes")) ReadValue(*given, &nodes);
      own.erase("nodes");
      branch.cable = DescribeCable(own, nodes);
      continue;
    }
    const auto* option = Find(BranchOptions(), name);
    if (!option) throw ConfigError(std::string(name), Shown(value), "arguments of a branch");
    ReadOption(*option, value, "", &branch);
  }
  return branch;
}

}  // namespace

CableDescription DescribeCable(const toml::table& arguments, const std::vector<Vector3>& nodes) {
  CableDescription cable;
  cable.nodes = nodes;
  for (const auto& [name, value] : arguments) {
    if (ReadList(name, value, &cable)) continue;
    if (name == "branches") {
      for (const toml::table* table : TablesOf("branches", value)) {
        cable.branches.push_back(DescribeBranch(*table));
      }
      continue;
    }
    const auto* option = FindOption(name).option;
    if (!option) throw ConfigError(std::string(name), Shown(value), "arguments of a cable");
    ReadOption(*option, value, "", &cable);
  }
  return cable;
}

toml::table CableArguments(const CableDescription& cable) {
  toml::table arguments;
  for (const OptionTable& table : CableOptions()) {
    for (const auto& option : table.options) option.write(cable, &arguments);
  }
  toml::array stretches;
  for (const Stretch& stretch : cable.stretches) {
    toml::table written;
    for (const auto& option : StretchOptions()) option.write(stretch, &written);
    stretches.push_back(std::move(written));
  }
  toml::table keys;
  for (const auto& [name, text] : cable.keys) keys.insert_or_assign(name, text);
  arguments.insert_or_assign("stretches", std::move(stretches));
  arguments.insert_or_assign("keys", std::move(keys));
  toml::array branches;
  for (const Branch& branch : cable.branches) {
    toml::table written, own = CableArguments(branch.cable);
    for (const auto& option : BranchOptions()) option.write(branch, &written);
    WriteValue(branch.cable.nodes, "nodes", &own);
    written.insert_or_assign("cable", std::move(own));
    branches.push_back(std::move(written));
  }
  arguments.insert_or_assign("branches", std::move(branches));
  return arguments;
}

CableDescription ReadCableFile(std::string_view text) {
  toml::table document;
  try {
    document = toml::parse(text);
  } catch (const toml::parse_error& error) {
    const toml::source_position place = error.source().begin;
    std::ostringstream what;
    what << "line " << place.line << ", column " << place.column << ": " << error.description();
    throw ConfigError("syntax", what.str(), "TOML 1.0");
  } catch (const TomlParserError& error) {
    throw ConfigError("syntax", error.what(), "TOML 1.0");
  }
  FillMaterial(&document);
  CableDescription cable;
  for (const auto& [name, content] : document) {
    if (name != "branch") ReadEntry(name, content, &cable);
  }
  if (const toml::node* list = document.get("branch")) {
    cable.branches = BranchReader(document, *list).Read();
  }
  if (!document.contains("shape")) {
    throw ConfigError("shape", "nothing", "a table with type: " + Listed(ShapeNames()));
  }
  try {
    CheckCable(cable);
  } catch (const ConfigError& error) {
    throw InFile(error);
  }
  return cable;
}

void CheckCable(const CableDescription& cable) {
  mujoco::CheckDescription(cable);
  for (const mujoco::Arm& arm : mujoco::ArmsOf(cable)) mujoco::DrawRod(arm.cable);
}

}  // namespace strand
