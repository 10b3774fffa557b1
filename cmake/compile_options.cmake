# SPDX-License-Identifier: Apache-2.0 OR MIT
# Defines codekem_options: what every C target of the project is compiled and linked with.

add_library(codekem_options INTERFACE)

if(CMAKE_C_COMPILER_ID MATCHES "GNU|Clang")
  target_compile_options(
    codekem_options
    INTERFACE
      -Wall
      -Wextra
      -Wconversion
      -Wshadow
      -Wpedantic
      -Wvla
      -Wstrict-prototypes
      -Wmissing-prototypes
  )
  # Working memory is one block of words in which objects of several types take turns.
  target_compile_options(codekem_options INTERFACE -fno-strict-aliasing)
  # A frame of more than a page, such as a call's working memory, then meets the guard page below a
  # stack that is too small, and does not write behind it. For Windows compilers see to that
  # anyway; without a system there is no guard.
  if(NOT WIN32 AND NOT CMAKE_SYSTEM_NAME STREQUAL "Generic")
    include(CheckCCompilerFlag)
    set(CMAKE_REQUIRED_FLAGS -Werror)
    check_c_compiler_flag(-fstack-clash-protection CODEKEM_HAVE_STACK_CLASH_PROTECTION)
    # On 64-bit Arm gcc takes the guard to have 64 KiB, as with glibc; with musl it has a page.
    set(guard_size --param=stack-clash-protection-guard-size=12)
    check_c_compiler_flag(${guard_size} CODEKEM_HAVE_STACK_CLASH_GUARD_SIZE)
    unset(CMAKE_REQUIRED_FLAGS)
    if(CODEKEM_HAVE_STACK_CLASH_PROTECTION)
      target_compile_options(codekem_options INTERFACE -fstack-clash-protection)
      if(CODEKEM_HAVE_STACK_CLASH_GUARD_SIZE)
        target_compile_options(codekem_options INTERFACE ${guard_size})
      endif()
    endif()
  endif()
  # gcc for Windows believes that the stack is aligned to whole vectors (gcc's bug 54412), and not
  # every distribution has mended that.
  if(WIN32 AND CMAKE_C_COMPILER_ID STREQUAL "GNU")
    include(CheckCCompilerFlag)
    check_c_compiler_flag(-Wa,-muse-unaligned-vector-move CODEKEM_HAVE_UNALIGNED_MOVES)
    if(CODEKEM_HAVE_UNALIGNED_MOVES)
      target_compile_options(codekem_options INTERFACE -Wa,-muse-unaligned-vector-move)
    endif()
  endif()
  # Notes for tests/memory/test_frames.py, in our own builds only.
  if(CODEKEM_WERROR)
    target_compile_options(codekem_options INTERFACE -fstack-usage)
  endif()
  # gcc also warns of conversions in what a sanitizer adds, so there warnings stay warnings.
  if(CODEKEM_WERROR AND NOT CODEKEM_SANITIZE)
    target_compile_options(codekem_options INTERFACE -Werror)
  endif()
endif()

if(CODEKEM_SANITIZE)
  target_compile_options(
    codekem_options
    INTERFACE -fsanitize=${CODEKEM_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer -g1
  )
  target_link_options(codekem_options INTERFACE -fsanitize=${CODEKEM_SANITIZE})
  target_compile_definitions(codekem_options INTERFACE CODEKEM_KEEP_LOOPS) # base/unroll.h
endif()

# What the constant-time checks need; see src/common/base/ct.h.
if(CODEKEM_CHECK STREQUAL "valgrind")
  include(CheckIncludeFile)
  check_include_file(valgrind/memcheck.h CODEKEM_HAVE_MEMCHECK_H)
  if(NOT CODEKEM_HAVE_MEMCHECK_H)
    message(FATAL_ERROR "CODEKEM_CHECK=valgrind needs valgrind/memcheck.h (package valgrind)")
  endif()
  # valgrind 3.19 reads DWARF 5 of gcc, but not all that clang 14 and later write.
  # Where variables are it does not ask, and gcc takes long to find out.
  target_compile_options(codekem_options INTERFACE -g -gdwarf-4 -fno-var-tracking)
  target_compile_definitions(codekem_options INTERFACE CODEKEM_CHECK_VALGRIND)
elseif(CODEKEM_CHECK STREQUAL "msan")
  include(CheckCCompilerFlag)
  if(NOT CMAKE_C_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "CODEKEM_CHECK=msan needs clang")
  endif()
  target_compile_options(codekem_options INTERFACE -fsanitize=memory -fno-omit-frame-pointer -g1)
  # clang 16 and later would report every secret that is passed to a function.
  check_c_compiler_flag(-fno-sanitize-memory-param-retval CODEKEM_HAVE_PARAM_RETVAL)
  if(CODEKEM_HAVE_PARAM_RETVAL)
    target_compile_options(codekem_options INTERFACE -fno-sanitize-memory-param-retval)
  endif()
  target_link_options(codekem_options INTERFACE -fsanitize=memory)
  target_compile_definitions(codekem_options INTERFACE CODEKEM_CHECK_MSAN)
elseif(CODEKEM_CHECK STREQUAL "wasm")
  # WebAssembly that bindings/tests/test_wasm.py turns into C and runs under valgrind.
  target_compile_definitions(codekem_options INTERFACE CODEKEM_CHECK_WASM)
elseif(NOT CODEKEM_CHECK STREQUAL "none")
  message(FATAL_ERROR "CODEKEM_CHECK=${CODEKEM_CHECK}: expected none, valgrind, msan or wasm")
endif()
