# SPDX-License-Identifier: Apache-2.0 OR MIT
# Builds the chosen KEMs only; the linker drops what no KEM of the list names.

# codekem_select_kems(<list of names, or nothing for all> <variable for definitions>)
#
# Adds CODEKEM_KEM_LIST=... for src/codekem.c to the definitions, and CODEKEM_WITHOUT_BIKE or
# CODEKEM_WITHOUT_HQC for src/backends.c if no KEM is of that family. BIKE-L1 is the object bike_l1.
function(codekem_select_kems names definitions_variable)
  if(NOT names)
    return()
  endif()
  file(STRINGS "${PROJECT_SOURCE_DIR}/src/bike/bike_kems.c" lines REGEX "^BIKE_KEM\\(")
  file(STRINGS "${PROJECT_SOURCE_DIR}/src/hqc/hqc_kems.c" hqc_lines REGEX "^HQC_KEM\\(")
  string(REGEX MATCHALL "\"(BIKE|HQC)-[^\"]*" known "${lines};${hqc_lines}")
  string(REPLACE "\"" "" known "${known}")
  set(objects "")
  foreach(name IN LISTS names)
    if(NOT name IN_LIST known)
      list(JOIN known ", " text)
      message(FATAL_ERROR "CODEKEM_KEMS: there is no KEM \"${name}\"; there are ${text}")
    endif()
    string(TOLOWER "${name}" object)
    string(REGEX REPLACE "[^a-z0-9]" "_" object "${object}")
    list(APPEND objects "&${object}")
  endforeach()
  list(JOIN objects "," objects)
  set(definitions ${${definitions_variable}} "CODEKEM_KEM_LIST=${objects}")
  foreach(family BIKE HQC)
    if(NOT "${names}" MATCHES "${family}-")
      list(APPEND definitions CODEKEM_WITHOUT_${family})
    endif()
  endforeach()
  set(${definitions_variable} ${definitions} PARENT_SCOPE)
endfunction()
