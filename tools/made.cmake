# SPDX-License-Identifier: Apache-2.0 OR MIT
# What the tests of the tools need that is built: tools/graph/CMakeLists.txt has the functions.

made_build(gcc)
if(EXISTS "${TOP}/devices")
  made_build(cortex-m4 TARGETS operations)
endif()

# What stored results measure (tools/stored_results.py); tools/artefacts.py asks for it.
set(for FOR tests/test_stored_results.py)
made_build(gcc ${for} TARGETS trace_plugin)
foreach(
  processor
  aarch64
  armv7
  riscv64
  riscv64-zbc
  s390x
)
  made_build(${processor} ${for} TARGETS marked_kems)
endforeach()
set(
  kems
  # kems: made by parameters/generate.py
  BIKE-L1
  BIKE-L3
  BIKE-L5
  HQC-1
  HQC-3
  HQC-5
  # kems: end
)
if(EXISTS "${TOP}/devices")
  made_build(cortex-m4 ${for} TARGETS operations)
  made_build(
    cortex-m4
    ${for}
    OPTIONS CODEKEM_BUILD_MCELIECE=ON
    TARGETS masked_operations mceliece_operations
  )
  foreach(kem IN LISTS kems)
    made_build(cortex-m4 ${for} LONG OPTIONS CODEKEM_KEMS=${kem} TARGETS library_size operations)
  endforeach()
endif()
if(EXISTS "${TOP}/devices" AND EXISTS "${TOP}/hardware")
  made_build(riscv32 ${for} LONG TARGETS operations)
  made_build(riscv32 ${for} LONG OPTIONS CODEKEM_SOC_RAM=524288 TARGETS operations)
  list(FILTER kems EXCLUDE REGEX "5$") # which is not measured there
  foreach(kem IN LISTS kems)
    made_build(riscv32 ${for} LONG OPTIONS CODEKEM_KEMS=${kem} TARGETS sizes)
  endforeach()
endif()
if(EXISTS "${TOP}/hardware")
  file(
    GLOB_RECURSE sources
    "${TOP}/hardware/rtl/*.sv"
    "${TOP}/hardware/soc/*.sv"
    "${TOP}/hardware/kit/ulx3s/*.sv"
    "${TOP}/hardware/results/*.csv"
    "${TOP}/hardware/results/*.json"
    "${TOP}/hardware/soc/results/*.json"
  )
  foreach(design bike hqc joint soc)
    made_by(
      netlists-${design}
      ${for}
      LONG
      OUTPUT netlists/${design}.json
      COMMAND
        "${MADE_PYTHON}" -m hardware.syn.netlists ${design} "${MADE_BUILDS}/netlists/${design}.json"
      DEPENDS ${sources} hardware/syn/netlists.py tools/flow/requirements.txt tests/requirements.txt
    )
  endforeach()
endif()
