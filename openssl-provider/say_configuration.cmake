# SPDX-License-Identifier: Apache-2.0 OR MIT
# Prints, when the provider is installed, the lines of OpenSSL's configuration that load it.

execute_process(COMMAND pkg-config --variable=modulesdir libcrypto
  OUTPUT_VARIABLE openssl_modules OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(IS_ABSOLUTE "${modules}")
  set(folder "${modules}")
else()
  set(folder "${CMAKE_INSTALL_PREFIX}/${modules}")
endif()
set(module_line "")
if(NOT folder STREQUAL openssl_modules)
  set(module_line "module = ${folder}/codekem.so\n")
endif()
message("
The provider for OpenSSL is installed. To load it, have these lines in the configuration of OpenSSL
(a file that OPENSSL_CONF names, or the system's openssl.cnf; docs/tls.md tells more):

openssl_conf = openssl_init

[openssl_init]
providers = provider_section

[provider_section]
default = default_section
codekem = codekem_section

[default_section]
activate = 1

[codekem_section]
${module_line}activate = 1
")
