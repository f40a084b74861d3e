# Eigen3::Eigen, from the system or from the wheel `cmeel-eigen` (used by a plain `pip install .`).

if(DEFINED SKBUILD)
  find_package(Python 3.11 REQUIRED COMPONENTS Interpreter)
  execute_process(
    COMMAND "${Python_EXECUTABLE}" -c
            "from importlib.metadata import distribution as d; print(d('cmeel-eigen').locate_file('cmeel.prefix'))"
    OUTPUT_VARIABLE cmeel_prefix
    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
find_package(Eigen3 3.4 CONFIG QUIET HINTS ${cmeel_prefix})
if(NOT TARGET Eigen3::Eigen)
  message(FATAL_ERROR "Eigen >= 3.4 is missing: `apt-get install libeigen3-dev`, or set "
                      "-DEigen3_DIR=<dir of Eigen3Config.cmake>")
endif()
message(STATUS "Eigen ${Eigen3_VERSION}: ${Eigen3_DIR}")
