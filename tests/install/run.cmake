# Installs the library built in BUILD, builds the user's program against it, and runs the program.
# cmake -DBUILD=DIR -DCONFIG=Release -DFLAGS=... -DEIGEN=DIR -P run.cmake

set(prefix "${BUILD}/installed")
set(program "${BUILD}/installed_cantilever")
file(REMOVE_RECURSE "${prefix}" "${program}")
set(say COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${prefix}" --component
                        strand_development OUTPUT_QUIET ${say})
execute_process(
  COMMAND "${CMAKE_COMMAND}" -S "${CMAKE_CURRENT_LIST_DIR}" -B "${program}" -DCMAKE_BUILD_TYPE=${CONFIG}
          "-DCMAKE_CXX_FLAGS=${FLAGS}" "-DCMAKE_PREFIX_PATH=${prefix}" "-DEigen3_DIR=${EIGEN}"
  OUTPUT_QUIET ${say})
execute_process(COMMAND "${CMAKE_COMMAND}" --build "${program}" OUTPUT_QUIET ${say})
execute_process(COMMAND "${program}/cantilever" OUTPUT_VARIABLE sag ${say})
# The elastica EI theta'' = q (L - s) cos(theta) sags by 0.18597 m; a chain by a
# fraction 1 / edges^2 more.
if(NOT sag MATCHES "^0\\.1860[0-9]* m")
  message(FATAL_ERROR "cantilever: got '${sag}', allowed: 0.1860 m")
endif()
