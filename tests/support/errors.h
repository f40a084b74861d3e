// The field that a call rejects.
#pragma once

#include <string>

#include "model/config/error.h"

namespace strand::testing {

/// The field of the ConfigError that `call` throws, or "" if it throws none.
template <class Call>
std::string FieldOf(const Call& call) {
  try {
    call();
  } catch (const ConfigError& error) {
    return error.field();
  }
  return "";
}

}  // namespace strand::testing
