# SPDX-License-Identifier: Apache-2.0 OR MIT
# cmake -P quietly.cmake -- COMMAND...: runs a command; shows what it prints only if it fails.
set(command "")
math(EXPR last "${CMAKE_ARGC} - 1")
foreach(i RANGE 4 ${last})
  list(APPEND command "${CMAKE_ARGV${i}}")
endforeach()
execute_process(COMMAND ${command} RESULT_VARIABLE status OUTPUT_VARIABLE said ERROR_VARIABLE said)
if(NOT status EQUAL 0)
  list(JOIN command " " words)
  message(FATAL_ERROR "${words} failed:\n${said}")
endif()
