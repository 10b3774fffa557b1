# SPDX-License-Identifier: Apache-2.0 OR MIT
# Makes a shared library export the functions of the public header, and nothing else, on every
# system.

# codekem_export_functions_of(<shared library> <header>)
#
# The names come from the header's declarations with CODEKEM_API.
function(codekem_export_functions_of target header)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${header}")
  file(READ "${header}" text)
  string(REGEX MATCHALL "\nCODEKEM_API [^(]*\\(" declarations "${text}")
  set(names "")
  foreach(declaration IN LISTS declarations)
    string(REGEX REPLACE ".*[ *]([a-z0-9_]+)\\($" "\\1" name "${declaration}")
    list(APPEND names ${name})
  endforeach()
  if(NOT names)
    message(FATAL_ERROR "${header} declares no function with CODEKEM_API")
  endif()
  codekem_export(${target} ${names})
endfunction()

# codekem_export(<shared library or module> <name>...)
#
# The list that the linker takes is written into the build folder, in the form of the system.
function(codekem_export target)
  set(names ${ARGN})
  if(WIN32)
    set(list "${PROJECT_BINARY_DIR}/${target}.def")
    list(JOIN names "\n  " lines)
    set(text "EXPORTS\n  ${lines}\n")
    target_sources(${target} PRIVATE "${list}")
  elseif(APPLE)
    set(list "${PROJECT_BINARY_DIR}/${target}.exports")
    list(TRANSFORM names PREPEND "_")
    list(JOIN names "\n" lines)
    set(text "${lines}\n")
    target_link_options(${target} PRIVATE "LINKER:-exported_symbols_list,${list}")
  else()
    set(list "${PROJECT_BINARY_DIR}/${target}.map")
    list(JOIN names ";\n    " lines)
    set(text "{\n  global:\n    ${lines};\n  local:\n    *;\n};\n")
    target_link_options(${target} PRIVATE "LINKER:--version-script=${list}")
  endif()
  file(CONFIGURE OUTPUT "${list}" CONTENT "${text}" @ONLY)
  set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS "${list}")
endfunction()
