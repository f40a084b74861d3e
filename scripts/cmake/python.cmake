# strand_find_python(<out-var>): the interpreter whose pip downloads missing packages: the one that
# builds a Python package, else .venv's, else any.
function(strand_find_python out)
  if(DEFINED SKBUILD)
    find_package(Python 3.11 REQUIRED COMPONENTS Interpreter)
    set(python "${Python_EXECUTABLE}")
  elseif(EXISTS "${PROJECT_SOURCE_DIR}/.venv/bin/python")
    set(python "${PROJECT_SOURCE_DIR}/.venv/bin/python")
  else()
    set(python python3)
  endif()
  set(${out} "${python}" PARENT_SCOPE)
endfunction()
