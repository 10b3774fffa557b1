# SPDX-License-Identifier: Apache-2.0 OR MIT
# Installs the provider, and a configuration of OpenSSL that loads it. DESTDIR goes before every
# folder.
#
# CODEKEM_MODULE             the file
# CODEKEM_MODULES_FOLDER     where it was meant to go, absolute or below the prefix
# CODEKEM_CONFIGURED_PREFIX  the prefix that was meant
# CODEKEM_LIBDIR             the folder of libraries below it
# CMAKE_INSTALL_PREFIX       the prefix now, which cmake --install --prefix may have changed

cmake_path(
  ABSOLUTE_PATH CODEKEM_MODULES_FOLDER
  BASE_DIRECTORY "${CMAKE_INSTALL_PREFIX}"
  NORMALIZE
  OUTPUT_VARIABLE folder
)
cmake_path(ABSOLUTE_PATH CMAKE_INSTALL_PREFIX NORMALIZE OUTPUT_VARIABLE prefix)
cmake_path(ABSOLUTE_PATH CODEKEM_CONFIGURED_PREFIX NORMALIZE OUTPUT_VARIABLE meant)
cmake_path(IS_PREFIX prefix "${folder}" NORMALIZE below_prefix)
cmake_path(IS_PREFIX meant "${folder}" NORMALIZE below_meant)

# Whoever names another prefix wants everything below it, also where the folder is OpenSSL's own.
if(NOT prefix STREQUAL meant AND NOT below_prefix)
  if(below_meant)
    cmake_path(RELATIVE_PATH folder BASE_DIRECTORY "${meant}")
  else()
    set(folder "${CODEKEM_LIBDIR}/ossl-modules")
  endif()
  cmake_path(ABSOLUTE_PATH folder BASE_DIRECTORY "${prefix}" NORMALIZE)
endif()
file(INSTALL DESTINATION "${folder}" TYPE MODULE FILES "${CODEKEM_MODULE}")

execute_process(
  COMMAND pkg-config --variable=modulesdir libcrypto
  OUTPUT_VARIABLE openssl_modules
  OUTPUT_STRIP_TRAILING_WHITESPACE
  ERROR_QUIET
)
set(module_line "")
if(NOT folder STREQUAL openssl_modules)
  cmake_path(GET CODEKEM_MODULE FILENAME name)
  set(module_line "module = ${folder}/${name}\n")
endif()

# Written in its place: what other installations from the same build write does not get into it.
set(configuration "${prefix}/share/codekem/codekem.cnf")
cmake_path(GET configuration RELATIVE_PART below_root)
set(written "${configuration}")
if(NOT "$ENV{DESTDIR}" STREQUAL "")
  set(written "$ENV{DESTDIR}/${below_root}")
endif()
message(STATUS "Installing: ${written}")
file(
  WRITE "${written}"
  "openssl_conf = openssl_init

[openssl_init]
providers = provider_section

[provider_section]
default = default_section
codekem = codekem_section

[default_section]
activate = 1

[codekem_section]
${module_line}activate = 1
"
)
file(CHMOD "${written}" PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
list(APPEND CMAKE_INSTALL_MANIFEST_FILES "${configuration}")
message(
  "
The provider for OpenSSL is installed in ${folder}. Programs load it with

export OPENSSL_CONF=${configuration}

or with the same lines in the system's openssl.cnf (docs/tls.md has more)."
)
