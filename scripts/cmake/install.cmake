# `cmake --install`: the library of model/ and its headers, for find_package(strand). Wheels do not
# contain it; `cmake --install DIR --component strand_development` installs it there.

include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

set(options COMPONENT strand_development)
if(in_wheel)
  list(APPEND options EXCLUDE_FROM_ALL)
endif()
set(headers_dir "${CMAKE_INSTALL_INCLUDEDIR}/strand") # include folder of `#include "model/..."`
set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/strand")

set_target_properties(strand_model PROPERTIES EXPORT_NAME model)
target_include_directories(strand_model INTERFACE $<INSTALL_INTERFACE:${headers_dir}>)
# Eigen's alignment depends on the widest vectors that a file is compiled for, and so does freeing
# memory: a user's -march=native must not change the layout of Strand's types.
target_compile_definitions(strand_model INTERFACE $<INSTALL_INTERFACE:EIGEN_MAX_ALIGN_BYTES=16>)

file(WRITE "${PROJECT_BINARY_DIR}/strandConfig.cmake"
     "include(CMakeFindDependencyMacro)\n"
     "find_dependency(Eigen3 3.4 CONFIG)\n"
     "include(\"\${CMAKE_CURRENT_LIST_DIR}/strandTargets.cmake\")\n")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/strandConfigVersion.cmake"
                                 COMPATIBILITY SameMinorVersion)

install(TARGETS strand_model EXPORT strand ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" ${options})
install(DIRECTORY "${PROJECT_SOURCE_DIR}/model" DESTINATION "${headers_dir}" ${options}
        FILES_MATCHING PATTERN "*.h")
install(EXPORT strand NAMESPACE strand:: FILE strandTargets.cmake DESTINATION "${package_dir}"
        ${options})
install(FILES "${PROJECT_BINARY_DIR}/strandConfig.cmake"
              "${PROJECT_BINARY_DIR}/strandConfigVersion.cmake"
        DESTINATION "${package_dir}" ${options})
