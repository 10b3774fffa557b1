# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What tests/kat/conformance.c demands of every build, of those for the Cortex-M4."""

import pytest

from devices import device


@pytest.mark.parametrize("size", ["small", pytest.param("full", marks=pytest.mark.long)])
@pytest.mark.parametrize("kem", ["BIKE-L1", "HQC-1"])
def test_cortex_m4(kem, size, build, need):
    """In the profile for small devices a batch is one call after the other."""
    need(device.BOARD[0])
    options = {"CODEKEM_BUILD_MCELIECE": "ON"}
    if size == "full":
        options["CODEKEM_SMALL"] = "OFF"
    folder = build("cortex-m4", targets=["conformance"], **options)
    said = device.run_hosted(folder / "bin" / "conformance", "m4", kem, "2")
    assert said == f"{kem} conforms with m4\n"
