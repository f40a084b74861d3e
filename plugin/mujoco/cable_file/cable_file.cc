#include "plugin/mujoco/cable_file/cable_file.h"

#include <algorithm>
#include <sstream>
#include <utility>

#include "model/config/error.h"
#include "model/output/number.h"
#include "plugin/mujoco/cable_file/options.h"
#include "plugin/mujoco/cable_file/shapes.h"
#include "plugin/mujoco/cable_file/value.h"
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

// The option of that name, in whichever table; both null if there is none.
struct FoundOption {
  const OptionTable* table = nullptr;
  const Option<CableDescription>* option = nullptr;
};

FoundOption FindOption(std::string_view name) {
  for (const OptionTable& table : CableOptions()) {
    if (const auto* option = Find(table.options, name)) return {&table, option};
  }
  return {};
}

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

Stretch ReadStretch(const toml::table& content) {
  Stretch stretch;
  const auto& options = StretchOptions();
  for (const auto& [key, value] : content) {
    const auto* option = Find(options, key);
    if (!option) throw UnknownName("stretches.", std::string(key), "a key", NamesOf(options));
    ReadOption(*option, value, "stretches.", &stretch);
  }
  for (const char* needed : {"begin", "end"}) {
    if (content.contains(needed)) continue;
    throw ConfigError(std::string("stretches.") + needed, "nothing",
                      Find(options, needed)->allowed);
  }
  return stretch;
}

std::vector<Stretch> ReadStretches(const toml::node& content) {
  const toml::array* list = content.as_array();
  if (!list || !(list->empty() || list->is_homogeneous<toml::table>())) {
    throw ConfigError("stretches", Shown(content), "a list of tables [[stretches]]");
  }
  std::vector<Stretch> stretches;
  for (const toml::node& item : *list) stretches.push_back(ReadStretch(*item.as_table()));
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
    allowed.insert(allowed.end(), {"stretches", "keys"});
    throw UnknownName("", std::string(name), "a table", allowed, Home(name));
  }
  ReadTable(*table, AsTable(name, content), cable);
}

// Adds the file's table to the field name of an error from a check.
ConfigError InFile(const ConfigError& error) {
  const OptionTable* table = FindOption(error.field()).table;
  return table && !table->name.empty() ? ConfigError(table->name + ".", error) : error;
}

}  // namespace

CableDescription DescribeCable(const toml::table& arguments, const std::vector<Vector3>& nodes) {
  CableDescription cable;
  cable.nodes = nodes;
  for (const auto& [name, value] : arguments) {
    if (ReadList(name, value, &cable)) continue;
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
  CableDescription cable;
  for (const auto& [name, content] : document) ReadEntry(name, content, &cable);
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
  mujoco::DrawRod(cable);
}

}  // namespace strand
