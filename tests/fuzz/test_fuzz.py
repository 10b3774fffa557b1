# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Runs the fuzzers: a fixed number of inputs, and a minute each. Their build takes minutes."""

import re
import subprocess

import pytest

from tools import house

# Name: inputs in the short run, longest input in bytes, and code that the short run must reach at
# least (edges of the control flow), so that a fuzzer that stops at the door is noticed.
FUZZERS = {
    "decaps": (40, 2048, 600),
    "encaps": (200, 8192, 400),
    "checks": (500, 2048, 400),
    "sofia": (30, 512, 250),
    "mceliece": (60, 512, 1000),
}
if house.is_there("apps"):
    FUZZERS |= {
        "key_file": (20000, 512, 100),
        "signature_file": (60, 128, 400),
        "pem": (5000, 8192, 80),
        "provider_keys": (500, 2048, 300),
        "provider_shares": (300, 2048, 300),
    }
LONG_SECONDS = 60

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def programs(build):
    """The folder of the fuzzers. With the command, for its file parser; without libcrypto KEMs."""
    folder = build(
        "asan-ubsan",
        targets=[f"fuzz_{name}" for name in [*FUZZERS, "planted", "mceliece_planted"]],
        CMAKE_C_COMPILER="clang",
        CMAKE_CXX_COMPILER="clang++",
        CODEKEM_SANITIZE="fuzzer-no-link,address,undefined",
        CODEKEM_BUILD_LEGACY="OFF",
    )
    return folder / "bin"


def run_fuzzer(program, tmp_path, *arguments):
    """Runs a fuzzer; what it finds it writes to tmp_path. Returns the finished process.

    Its limit of memory is for single allocations. The limit for all would be compared with the
    largest size that the process ever had, which begins with that of the process that started it:
    this one, which may have had gigabytes for other tests.
    """
    limits = ["-rss_limit_mb=0", "-malloc_limit_mb=2048"]
    return subprocess.run(
        [program, *limits, f"-artifact_prefix={tmp_path}/", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
    )


def fuzz(programs, name, root, tmp_path, *options):
    """Runs a fuzzer that must find nothing, beginning with its corpus. Returns what it printed."""
    collected = tmp_path / "corpus"
    collected.mkdir()
    done = run_fuzzer(
        programs / f"fuzz_{name}",
        tmp_path,
        f"-max_len={FUZZERS[name][1]}",
        "-seed=1",
        "-len_control=0",
        "-timeout=600",
        *options,
        collected,
        root / "tests" / "fuzz" / "corpus" / name,
    )
    print(done.stdout[-3000:])
    assert done.returncode == 0, f"the input is in {tmp_path}"
    return done.stdout


@pytest.mark.parametrize("name", FUZZERS)
def test_fuzzer_finds_nothing(name, programs, root, tmp_path):
    runs, _, least_coverage = FUZZERS[name]
    output = fuzz(programs, name, root, tmp_path, f"-runs={runs}")
    coverage = int(re.findall(r"cov: (\d+)", output)[-1])
    assert coverage >= least_coverage


@pytest.mark.parametrize("name", FUZZERS)
def test_fuzzer_finds_nothing_in_a_minute(name, programs, root, tmp_path):
    fuzz(programs, name, root, tmp_path, f"-max_total_time={LONG_SECONDS}")


def test_fuzzer_reports_a_planted_mistake(programs, tmp_path):
    done = run_fuzzer(programs / "fuzz_planted", tmp_path, "-runs=2000000", "-seed=1")
    assert done.returncode != 0
    assert "heap-buffer-overflow" in done.stdout
    assert len(list(tmp_path.glob("crash-*"))) == 1


def test_mistake_in_front_of_a_decoder_is_found(programs, root, tmp_path):
    """From the corpus alone: it holds ciphertexts that do not decode."""
    corpus = root / "tests" / "fuzz" / "corpus" / "mceliece"
    done = run_fuzzer(programs / "fuzz_mceliece_planted", tmp_path, "-runs=0", corpus)
    assert done.returncode != 0
    assert "heap-buffer-overflow" in done.stdout
    assert "__wrap_ckem_mceliece_decode" in done.stdout
