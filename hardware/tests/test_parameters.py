# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The packages of the cores have the numbers of the specifications, written down here by hand."""

import pytest

from hardware.tests import simulated

BIKE = """
  // r, d, t, and of the threshold: least, A, B, K
  bike #(1, 12323, 71, 134, 36, 113498000, 58487, 23, 8) bike1();
  bike #(3, 24659, 103, 199, 52, 64000256, 22083, 22, 9) bike3();
  bike #(5, 40973, 137, 264, 69, 1199806000, 269987, 26, 9) bike5();
"""
HQC = """
  // n, n1, copies, k, omega, omega_r, and floor(2^32 / n)
  hqc #(1, 17669, 46, 3, 16, 66, 75, 243079) hqc1();
  hqc #(3, 35851, 56, 5, 24, 100, 114, 119800) hqc3();
  hqc #(5, 57637, 90, 5, 32, 131, 149, 74517) hqc5();
"""
CHECKS = """
module bike #(parameter int LEVEL, R, D, T, LEAST, A, B, K, COUNTER)();
  import bike_pkg::*;
  if (r_bits(LEVEL) != R || weight_d(LEVEL) != D || weight_t(LEVEL) != T) $error("BIKE: level");
  if (threshold_min(LEVEL) != LEAST || threshold_a(LEVEL) != A || threshold_b(LEVEL) != B ||
      threshold_shift(LEVEL) != K) $error("BIKE: threshold");
  if (counter_bits(LEVEL) != COUNTER) $error("BIKE: counter");
endmodule
module hqc #(parameter int LEVEL, N, N1, COPIES, K, W, WR, BARRETT)();
  import hqc_pkg::*;
  if (n_bits(LEVEL) != N || n1_symbols(LEVEL) != N1 || rm_copies(LEVEL) != COPIES ||
      message_bytes(LEVEL) != K) $error("HQC: level");
  if (weight_key(LEVEL) != W || weight_error(LEVEL) != WR) $error("HQC: weights");
  if (barrett_factor(LEVEL) != BARRETT) $error("HQC: Barrett");
endmodule
"""


def elaborate(folder, instances):
    """Lets Verilator elaborate the checks."""
    top = folder / "by_hand.sv"
    top.write_text(f"{CHECKS}\nmodule by_hand();{instances}endmodule\n", encoding="ascii")
    rtl = simulated.build.HARDWARE / "rtl"
    packages = ("common/kem", "bike/bike", "hqc/hqc")
    files = [rtl / f"{name}_pkg.sv" for name in packages]
    simulated.build.run(["--lint-only", "--top-module", "by_hand", *files, top])


def test_the_numbers_of_the_specifications(tmp_path):
    elaborate(tmp_path, BIKE + HQC)


@pytest.mark.parametrize(
    ("before", "after", "says"),
    [
        ("12323, 71, 134", "12323, 71, 132", "BIKE: level"),
        ("22083, 22", "22083, 21", "BIKE: threshold"),
        ("131, 149", "131, 151", "HQC: weights"),
    ],
)
def test_another_number_is_found(tmp_path, before, after, says):
    assert before in BIKE + HQC
    with pytest.raises(simulated.build.BuildError, match=says):
        elaborate(tmp_path, (BIKE + HQC).replace(before, after))
