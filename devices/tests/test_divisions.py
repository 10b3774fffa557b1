# SPDX-License-Identifier: Apache-2.0 OR MIT
"""No secret is divided in what ships for devices; tests/constant_time/test_divisions.py has the
others."""

from tests.machine_code import shipped_objects
from tests.public_divisions import check
from tests.rooms import need_room


def test_library_for_the_cortex_m4(build, need, root, tmp_path):
    folder = build("cortex-m4", CODEKEM_BUILD_MCELIECE="ON")
    objdump = need("arm-none-eabi-objdump")
    without = ("src/legacy/", "src/sofia/")
    found = check(folder, root, tmp_path, "m4", objdump=objdump, without=without)
    assert ("mceliece/mceliece_encode_m4.S", "ckem_mceliece_fold_rows_m4") in found


def test_library_for_riscv_without_a_system(build, need, root, tmp_path):
    need_room("hardware")
    folder = build("riscv32", targets=("operations", "example"))
    objdump = need("riscv64-unknown-elf-objdump")
    without = ("src/hybrid/", "src/legacy/", "src/masked/", "src/mceliece/", "src/sofia/")
    check(folder, root, tmp_path, objdump=objdump, without=without)
    assert "hardware/driver/kem_device.c" in shipped_objects(folder, root)
