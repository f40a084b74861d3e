# strand::build, linked PRIVATE by every target of Strand: C++20, includes from the root, warnings.

add_library(strand_build INTERFACE)
add_library(strand::build ALIAS strand_build)
target_compile_features(strand_build INTERFACE cxx_std_20)
target_include_directories(strand_build INTERFACE "${PROJECT_SOURCE_DIR}")
target_compile_options(
  strand_build
  INTERFACE -Wall
            -Wextra
            -Wpedantic
            -Wshadow
            -Wnon-virtual-dtor
            -Woverloaded-virtual
            -Wcast-qual
            # No code reads errno after sqrt and similar functions; setting it prevents inlining.
            -fno-math-errno
            # GCC 12 reports an overlap in inlined `"text" + std::string` (GCC bug 105651).
            $<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-restrict>
            $<$<BOOL:${STRAND_WERROR}>:-Werror>)

# The sanitizers apply to every target, Strand's or not.
if(STRAND_SANITIZE)
  # vptr compares type information across libraries loaded RTLD_LOCAL, where it always differs.
  set(sanitizers -fsanitize=address,undefined -fno-sanitize=vptr -fno-sanitize-recover=all)
  add_compile_options(${sanitizers} -fno-omit-frame-pointer -g)
  add_link_options(${sanitizers})
endif()

# strand_precompile(TARGET [HEADER...]): precompiles Eigen and other headers that most files of the
# target include. Files still include what they use (checked by CMAKE_DISABLE_PRECOMPILE_HEADERS).
function(strand_precompile target)
  target_precompile_headers(${target} PRIVATE <Eigen/Dense> <algorithm> <array> <cmath> <functional>
                            <memory> <span> <string> <vector> ${ARGN})
endfunction()

# strand_compile_together(TARGET FILES): compiles so many files (0: all) at once, which takes a third
# to a half of the time. With the sanitizers they are compiled one by one, which checks that they
# include what they use.
function(strand_compile_together target files)
  if(NOT STRAND_SANITIZE)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${files})
  endif()
endfunction()
