# SPDX-License-Identifier: Apache-2.0 OR MIT
# Builds the chosen KEMs only; the linker drops what no KEM of the list names.

# codekem_select_kems(<list of names, or nothing for all> <variable for definitions>)
#
# Adds CODEKEM_KEM_LIST=... for src/codekem.c to the definitions: addresses of objects of
# src/kems.def.
function(codekem_select_kems names definitions_variable)
  if(NOT names)
    return()
  endif()
  set_property(
    DIRECTORY
    APPEND
    PROPERTY CMAKE_CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/kems.def"
  )
  file(STRINGS "${PROJECT_SOURCE_DIR}/src/kems.def" rows REGEX "^KEM\\(")
  set(known "")
  foreach(row IN LISTS rows)
    string(REGEX MATCH "^KEM\\(([a-z0-9_]+), \"([^\"]+)\"\\)$" matched "${row}")
    set(object_of_${CMAKE_MATCH_2} ${CMAKE_MATCH_1})
    list(APPEND known ${CMAKE_MATCH_2})
  endforeach()
  set(objects "")
  foreach(name IN LISTS names)
    if(NOT name IN_LIST known)
      list(JOIN known ", " text)
      message(FATAL_ERROR "CODEKEM_KEMS: there is no KEM \"${name}\"; there are ${text}")
    endif()
    list(APPEND objects "&${object_of_${name}}")
  endforeach()
  list(REMOVE_DUPLICATES objects)
  list(JOIN objects "," objects)
  set(${definitions_variable} ${${definitions_variable}} "CODEKEM_KEM_LIST=${objects}" PARENT_SCOPE)
endfunction()
