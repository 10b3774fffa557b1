# SPDX-License-Identifier: Apache-2.0 OR MIT
# Headers without code of their own, from the machine that builds, for a command that is built for
# another system: CLI11, nlohmann_json, and the declarations of OpenSSL, which the command loads.
#
# Defines the imported targets of the three and OPENSSL_INCLUDE_DIR. The folder has links to just
# these headers, because the others of the build machine are wrong for the target.

set(codekem_host_headers "${PROJECT_BINARY_DIR}/host-headers")
file(MAKE_DIRECTORY "${codekem_host_headers}/openssl")
foreach(header CLI/CLI.hpp nlohmann/json.hpp openssl/evp.h)
  find_path(folder_of_header ${header} NO_CACHE NO_CMAKE_FIND_ROOT_PATH PATHS /usr/include)
  if(NOT folder_of_header)
    message(FATAL_ERROR "${header} is missing on this machine; run tools/setup.sh build")
  endif()
  get_filename_component(package "${header}" DIRECTORY)
  if(package STREQUAL "openssl")
    # What depends on the build machine's processor (sizes of bn.h) concerns nothing that we use.
    file(
      GLOB codekem_openssl_headers
      "${folder_of_header}/openssl/*.h"
      "/usr/include/${CMAKE_HOST_SYSTEM_PROCESSOR}-linux-gnu/openssl/*.h"
    )
    foreach(path IN LISTS codekem_openssl_headers)
      get_filename_component(name "${path}" NAME)
      file(CREATE_LINK "${path}" "${codekem_host_headers}/openssl/${name}" SYMBOLIC)
    endforeach()
  else()
    file(CREATE_LINK "${folder_of_header}/${package}" "${codekem_host_headers}/${package}" SYMBOLIC)
  endif()
  unset(folder_of_header)
endforeach()

set(OPENSSL_INCLUDE_DIR "${codekem_host_headers}")
foreach(target CLI11::CLI11 nlohmann_json::nlohmann_json OpenSSL::Crypto)
  add_library(${target} INTERFACE IMPORTED GLOBAL)
  target_include_directories(${target} SYSTEM INTERFACE "${codekem_host_headers}")
endforeach()
