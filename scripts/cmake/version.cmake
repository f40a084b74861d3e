# The version number is defined in pyproject.toml only.

# strand_read_version(<out>): the project's version, from scikit-build-core or from pyproject.toml.
function(strand_read_version out)
  if(DEFINED SKBUILD_PROJECT_VERSION)
    set(${out} "${SKBUILD_PROJECT_VERSION}" PARENT_SCOPE)
    return()
  endif()
  set(pyproject "${CMAKE_CURRENT_SOURCE_DIR}/pyproject.toml")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${pyproject}")
  file(STRINGS "${pyproject}" line REGEX "^version = \"" LIMIT_COUNT 1)
  if(NOT line MATCHES "\"([0-9]+\\.[0-9]+\\.[0-9]+)")
    message(FATAL_ERROR "no line `version = \"X.Y.Z\"` in ${pyproject}")
  endif()
  set(${out} "${CMAKE_MATCH_1}" PARENT_SCOPE)
endfunction()
