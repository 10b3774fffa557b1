# SPDX-License-Identifier: Apache-2.0 OR MIT
# Builds the chosen KEMs only; the linker drops what no KEM of the list names.

# codekem_select_kems(<list of names, or nothing for all> <variable for definitions>)
#
# Adds CODEKEM_KEM_LIST=... for src/kem/codekem.c to the definitions: addresses of objects of
# src/kem/kems.def.
function(codekem_select_kems names definitions_variable)
  codekem_select_kems_of(CODEKEM_KEMS CODEKEM_KEM_LIST src/kem/kems.def "${names}" definitions)
  set(${definitions_variable} ${${definitions_variable}} ${definitions} PARENT_SCOPE)
endfunction()

# The same for src/mceliece/mceliece_kems.c.
function(codekem_select_mceliece_kems names definitions_variable)
  codekem_select_kems_of(
    CODEKEM_MCELIECE_KEMS
    CODEKEM_MCELIECE_KEM_LIST
    src/mceliece/kems.def
    "${names}"
    definitions
  )
  set(${definitions_variable} ${${definitions_variable}} ${definitions} PARENT_SCOPE)
endfunction()

# codekem_select_kems_of(<option> <definition> <table> <names> <variable for the definition>)
function(
  codekem_select_kems_of
  option
  definition
  table
  names
  variable
)
  set(${variable} "" PARENT_SCOPE)
  if(NOT names)
    return()
  endif()
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/${table}")
  file(STRINGS "${PROJECT_SOURCE_DIR}/${table}" rows REGEX "^KEM\\(")
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
      message(FATAL_ERROR "${option}: there is no KEM \"${name}\"; there are ${text}")
    endif()
    list(APPEND objects "&${object_of_${name}}")
  endforeach()
  list(REMOVE_DUPLICATES objects)
  list(JOIN objects "," objects)
  set(${variable} "${definition}=${objects}" PARENT_SCOPE)
endfunction()
