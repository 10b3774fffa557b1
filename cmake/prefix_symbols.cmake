# SPDX-License-Identifier: Apache-2.0 OR MIT
# Puts codekem_ before every other global symbol of static libraries that were installed, so that
# none clashes with those of another library (shake256, say) in one program.
#
#   cmake -DNM=nm -DOBJCOPY=objcopy "-DARCHIVES=a.a;b.a" -P prefix_symbols.cmake
#
# All the archives together: one may refer to what another defines. Names inside this project stay
# short; the tests and the tools that call internals link the archive in the build folder.

# Some object formats put an underscore before every name of C (Mach-O, 32-bit Windows): the prefix
# belongs behind it. A function of the public interface shows which it is.
set(label "")
list(GET ARCHIVES 0 first)
execute_process(
  COMMAND "${NM}" -g --defined-only -P "${first}"
  OUTPUT_VARIABLE symbols
  COMMAND_ERROR_IS_FATAL ANY
)
if(symbols MATCHES "\n_codekem_version T ")
  set(label "_")
endif()

set(renames "")
foreach(archive IN LISTS ARCHIVES)
  execute_process(
    COMMAND "${NM}" -g --defined-only -P "${archive}"
    OUTPUT_VARIABLE symbols
    COMMAND_ERROR_IS_FATAL ANY
  )
  # Lines are "name type value size".
  string(REGEX MATCHALL "\n[A-Za-z0-9_]+ [A-Z] " matches "${symbols}")
  foreach(match IN LISTS matches)
    string(REGEX REPLACE "\n${label}([A-Za-z0-9_]+) .*" "\\1" name "${match}")
    if(NOT name MATCHES "^codekem_")
      list(APPEND renames "${label}${name} ${label}codekem_${name}")
    endif()
  endforeach()
endforeach()
list(REMOVE_DUPLICATES renames)
if(renames STREQUAL "")
  return() # installed before
endif()

set(file "${first}.renames")
list(JOIN renames "\n" text)
file(WRITE "${file}" "${text}\n")
foreach(archive IN LISTS ARCHIVES)
  execute_process(
    COMMAND "${OBJCOPY}" "--redefine-syms=${file}" "${archive}"
    COMMAND_ERROR_IS_FATAL ANY
  )
endforeach()
file(REMOVE "${file}")
