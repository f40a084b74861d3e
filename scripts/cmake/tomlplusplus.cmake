# tomlplusplus::tomlplusplus, header-only: from the system, or from the source package of
# `pytomlpp`, which contains it (used by a plain `pip install .`).

include(python)

set(_pytomlpp 1.1.0)
set(_pytomlpp_sha256 61a0f73e7ba2fe8bba4e99ce6d2701491885850b53aad8f3e46d03c4b31e594d)

# Downloads the headers into `dir`; sets `problem` if that fails.
function(_strand_download_tomlplusplus dir problem)
  strand_find_python(python)
  set(download "${dir}.download")
  file(REMOVE_RECURSE "${download}")
  message(STATUS "toml++: downloading the sources of pytomlpp==${_pytomlpp}")
  execute_process(
    COMMAND "${python}" -m pip download --quiet --no-deps --no-binary=:all: -d "${download}"
            "pytomlpp==${_pytomlpp}"
    RESULT_VARIABLE status
    ERROR_VARIABLE log
    OUTPUT_VARIABLE log)
  set(archive "${download}/pytomlpp-${_pytomlpp}.tar.gz")
  if(NOT status EQUAL 0 OR NOT EXISTS "${archive}")
    set(${problem} "`${python} -m pip download pytomlpp==${_pytomlpp}` failed:\n${log}" PARENT_SCOPE)
    return()
  endif()
  file(SHA256 "${archive}" sha256)
  if(NOT sha256 STREQUAL _pytomlpp_sha256)
    set(${problem} "${archive} has sha256 ${sha256}, not ${_pytomlpp_sha256}" PARENT_SCOPE)
    return()
  endif()
  file(ARCHIVE_EXTRACT INPUT "${archive}" DESTINATION "${download}" PATTERNS
       "*/third_party/tomlplusplus/include/*" "*/third_party/tomlplusplus/LICENSE")
  # Renamed last, so that an interrupted download is never taken for a complete one.
  file(REMOVE_RECURSE "${dir}")
  file(RENAME "${download}/pytomlpp-${_pytomlpp}/third_party/tomlplusplus" "${dir}")
  file(REMOVE_RECURSE "${download}")
  set(${problem} "" PARENT_SCOPE)
endfunction()

set(_downloaded "${PROJECT_BINARY_DIR}/_tomlplusplus")
set(problem "")
find_path(STRAND_TOMLPLUSPLUS_INCLUDE toml++/toml.h HINTS "${_downloaded}/include")
if(NOT STRAND_TOMLPLUSPLUS_INCLUDE)
  _strand_download_tomlplusplus("${_downloaded}" problem)
  find_path(STRAND_TOMLPLUSPLUS_INCLUDE toml++/toml.h HINTS "${_downloaded}/include")
endif()
if(NOT STRAND_TOMLPLUSPLUS_INCLUDE)
  message(FATAL_ERROR "toml++ >= 3.3 is missing and could not be downloaded.\n${problem}\n"
                      "`apt-get install libtomlplusplus-dev`, or set the folder with toml++/toml.h "
                      "by -DSTRAND_TOMLPLUSPLUS_INCLUDE=<dir>")
endif()
message(STATUS "toml++: ${STRAND_TOMLPLUSPLUS_INCLUDE}")
add_library(tomlplusplus INTERFACE)
add_library(tomlplusplus::tomlplusplus ALIAS tomlplusplus)
target_include_directories(tomlplusplus SYSTEM INTERFACE "${STRAND_TOMLPLUSPLUS_INCLUDE}")
