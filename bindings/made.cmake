# SPDX-License-Identifier: Apache-2.0 OR MIT
# What the tests of packages need that is made: tools/graph/CMakeLists.txt has the functions.

made_build(gcc)
set(gcc ${made_target})

foreach(optimisation -O2 -O3 -Os)
  set(checked CODEKEM_CHECK=wasm "CMAKE_C_FLAGS_RELEASE=${optimisation} -DNDEBUG")
  made_build(wasm32 LONG OPTIONS CMAKE_C_FLAGS= ${checked} TARGETS codekem_static)
endforeach()
made_build(
  wasm32
  LONG
  OPTIONS
    CODEKEM_CHECK=wasm
    CMAKE_C_FLAGS=-msimd128
    "CMAKE_C_FLAGS_RELEASE=-O3 -DNDEBUG"
  TARGETS codekem_static
)

# --- Packages -------------------------------------------------------------------------------------

file(
  GLOB_RECURSE staged
  RELATIVE "${TOP}"
  "${TOP}/src/*.[chS]"
  "${TOP}/include/*.h"
  "${TOP}/tests/vectors/*"
  "${TOP}/tools/packaging/*.py"
  "${TOP}/cmake/*.cmake"
)
list(APPEND staged CMakeLists.txt CMakePresets.json)
made_by(
  package-wasm
  FOR tests/test_wasm_module.py
  OUTPUT test-package-wasm/made
  COMMAND "${MADE_PYTHON}" -m bindings.tests.made_packages wasm
  DEPENDS
    ${staged}
    bindings/shared/no_entropy.c
    bindings/shared/wasm_module.py
    bindings/tests/made_packages.py
)

# Package NAME, which needs a program, for files of tests.
function(package name program)
  file(GLOB_RECURSE own RELATIVE "${TOP}" "${TOP}/bindings/${name}/*")
  list(FILTER own EXCLUDE REGEX "__pycache__")
  file(
    GLOB beside
    RELATIVE "${TOP}"
    "${TOP}/bindings/tests/*.java"
    "${TOP}/bindings/shared/*.[cp]*"
  )
  foreach(test IN LISTS ARGN)
    made_by(
      "package-${name}"
      FOR "tests/${test}"
      OUTPUT "test-package-${name}/made"
      COMMAND "${MADE_PYTHON}" -m bindings.tests.made_packages ${name}
      DEPENDS
        ${own}
        ${beside}
        ${staged}
        bindings/pack_${name}.py
        bindings/tests/made_packages.py
        docs/packages.md
      NEEDS ${program}
      AFTER ${gcc}
    )
  endforeach()
endfunction()
package(go go test_age.py test_go.py test_hybrid.py test_keys.py test_vectors.py)
package(java mvn test_java.py test_keys.py test_vectors.py)
package(js node test_js.py test_js_page.py test_hybrid.py test_keys.py test_vectors.py)
package(
  python
  python3
  test_python.py
  test_python_wheels.py
  test_hybrid.py
  test_keys.py
  test_vectors.py
)
package(rust cargo test_rust.py test_rust_long.py test_hybrid.py test_keys.py test_vectors.py)
