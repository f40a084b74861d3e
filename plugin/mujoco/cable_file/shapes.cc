#include "plugin/mujoco/cable_file/shapes.h"

#include <algorithm>

#include "model/config/error.h"
#include "model/geometry/curve.h"
#include "model/geometry/spline.h"
#include "plugin/mujoco/cable_file/value.h"

namespace strand {
namespace {

// The keys of all shapes together.
struct ShapeKeys {
  double length = 0, angle = 0, radius = 0, pitch = 0, turns = 0;
  int segments = 0, overlap = 0;
  bool closed = false;
  std::vector<Vector3> points;
};

struct Shape {
  const char* name;
  std::vector<const char*> needed, optional;
  std::vector<Vector3> (*draw)(const ShapeKeys& keys);

  std::vector<std::string> Keys() const {
    std::vector<std::string> keys(needed.begin(), needed.end());
    keys.insert(keys.end(), optional.begin(), optional.end());
    return keys;
  }
};

std::vector<Vector3> PointNodes(const std::vector<Vector3>& points) {
  if (points.size() < 3) {
    throw ConfigError("points", std::to_string(points.size()), "at least 3 (two links)");
  }
  return points;
}

const std::vector<Shape>& Shapes() {
  static const std::vector<Shape> shapes{
      {"straight",
       {"length", "segments"},
       {},
       [](const ShapeKeys& keys) { return StraightNodes(keys.length, keys.segments); }},
      {"points", {"points"}, {}, [](const ShapeKeys& keys) { return PointNodes(keys.points); }},
      {"spline",
       {"points", "segments"},
       {"closed"},
       [](const ShapeKeys& keys) { return SplineNodes(keys.points, keys.segments, keys.closed); }},
      {"arc",
       {"length", "angle", "segments"},
       {},
       [](const ShapeKeys& keys) { return ArcNodes(keys.length, keys.angle, keys.segments); }},
      {"helix",
       {"radius", "pitch", "turns", "segments"},
       {},
       [](const ShapeKeys& keys) {
         return HelixNodes(keys.radius, keys.pitch, keys.turns, keys.segments);
       }},
      {"ring",
       {"radius", "segments"},
       {"overlap"},
       [](const ShapeKeys& keys) { return RingNodes(keys.radius, keys.segments, keys.overlap); }},
  };
  return shapes;
}

const Shape* FindShape(const std::string& type) {
  for (const Shape& shape : Shapes()) {
    if (shape.name == type) return &shape;
  }
  return nullptr;
}

// Reads the key into its field. Throws ConfigError if the value has the wrong type.
void ReadKey(const std::string& key, const toml::node& value, ShapeKeys* keys) {
  const auto read = [&](auto* target, const char* allowed) {
    if (!ReadValue(value, target)) throw ConfigError("shape." + key, Shown(value), allowed);
  };
  if (key == "length") return read(&keys->length, "a number > 0 (m)");
  if (key == "angle") return read(&keys->angle, "a number (rad)");
  if (key == "radius") return read(&keys->radius, "a number > 0 (m)");
  if (key == "pitch") return read(&keys->pitch, "a number (m)");
  if (key == "turns") return read(&keys->turns, "a number, not 0");
  if (key == "segments") return read(&keys->segments, "an integer, at least 2");
  if (key == "overlap") return read(&keys->overlap, "an integer >= 0");
  if (key == "closed") return read(&keys->closed, "true or false");
  return read(&keys->points, "points of three numbers (m)");
}

bool Contains(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Throws ConfigError for unknown and missing keys. `also_allowed`: further keys allowed in the
// table.
void CheckKeys(const Shape& shape, const toml::table& content,
               const std::vector<std::string>& also_allowed) {
  const std::vector<std::string> own = shape.Keys();
  for (const auto& [key, value] : content) {
    if (key == "type" || Contains(own, key) || Contains(also_allowed, key)) continue;
    std::vector<std::string> allowed{"type"};
    allowed.insert(allowed.end(), own.begin(), own.end());
    allowed.insert(allowed.end(), also_allowed.begin(), also_allowed.end());
    throw UnknownName("shape.", std::string(key), "a key", allowed);
  }
  for (const char* key : shape.needed) {
    if (content.contains(key)) continue;
    throw ConfigError(std::string("shape.") + key, "nothing",
                      "a value, for type = '" + std::string(shape.name) + "'");
  }
}

}  // namespace

std::vector<std::string> ShapeNames() {
  std::vector<std::string> names;
  for (const Shape& shape : Shapes()) names.push_back(shape.name);
  return names;
}

std::vector<Vector3> DrawShape(const toml::table& content,
                               const std::vector<std::string>& also_allowed) {
  const toml::node* type = content.get("type");
  const Shape* shape = type ? FindShape(type->value_or(std::string())) : nullptr;
  if (!shape) {
    throw ConfigError("shape.type", type ? Shown(*type) : "nothing", Listed(ShapeNames()));
  }
  CheckKeys(*shape, content, also_allowed);
  ShapeKeys keys;
  for (const std::string& key : shape->Keys()) {
    if (const toml::node* value = content.get(key)) ReadKey(key, *value, &keys);
  }
  try {
    return shape->draw(keys);
  } catch (const ConfigError& error) {
    throw ConfigError("shape.", error);
  }
}

}  // namespace strand
