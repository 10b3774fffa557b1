# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The sampler: what it measures, what it refuses, and the libraries of others in it."""

import subprocess

import pytest

from codekem_base.errors import EvaluationError, Unavailable
from codekem_evaluation import (
    measure,
    peers,
    sampler,
)

# NIST's functions over codekem's own, as a peer that is a shared library; each decapsulation leaves
# a byte in the file that PEER_LOG names.
SHIM = """
#include <stdio.h>
#include <stdlib.h>
#include "codekem.h"
static const codekem_kem *kem(void) { return codekem_kem_find("HQC-1"); }
int crypto_kem_keypair(unsigned char *pk, unsigned char *sk) {
  return codekem_kem_keypair(kem(), pk, sk);
}
int crypto_kem_enc(unsigned char *ct, unsigned char *ss, const unsigned char *pk) {
  return codekem_kem_encaps(kem(), ct, ss, pk);
}
int crypto_kem_dec(unsigned char *ss, const unsigned char *ct, const unsigned char *sk) {
  FILE *log = fopen(getenv("PEER_LOG"), "a");
  fputc('d', log);
  fclose(log);
  return codekem_kem_decaps(kem(), ss, ct, sk);
}
"""

# Clocks that go on by a fixed step with each reading, to put in front of the system's.
CLOCKS = """
#include <stdlib.h>
#include <time.h>
int clock_gettime(clockid_t clock, struct timespec *t) {
  static long elapsed, processor;
  long *now = clock == CLOCK_THREAD_CPUTIME_ID ? &processor : &elapsed;
  *now += atol(getenv(now == &processor ? "PROCESSOR_STEP" : "ELAPSED_STEP"));
  t->tv_sec = *now / 1000000000;
  t->tv_nsec = *now % 1000000000;
  return 0;
}
"""


@pytest.fixture
def program(evaluation_build):
    return sampler.Sampler(evaluation_build)


# --- The sampler ----------------------------------------------------------------------------------


def test_sampler_takes_no_more_than_it_is_told(program):
    batch = program.times("HQC-1", "portable", 1e6, 5)
    assert {len(batch["nanoseconds"][o]) for o in measure.OPERATIONS} == {5}
    assert len(program.times("BIKE-L1", "portable", 0.001, 50)["nanoseconds"]["keygen"]) == 1


@pytest.mark.parametrize(
    ("elapsed", "processor", "waited", "taken"),
    [
        (1_000_000, 30_000, 3, 30_000),  # off the processor most of the time: its own time counts
        (110_000, 90_001, 0, 110_000),  # 20 microseconds may be the clocks themselves
        (110_002, 90_001, 3, 90_001),
    ],
)
def test_waiting_for_the_processor_is_not_counted(
    elapsed, processor, waited, taken, program, tmp_path, monkeypatch
):
    """With clocks that say how long an operation took, and how long it had the processor."""
    (tmp_path / "clocks.c").write_text(CLOCKS)
    subprocess.run(
        ["gcc", "-shared", "-fPIC", tmp_path / "clocks.c", "-o", tmp_path / "clocks.so"], check=True
    )
    monkeypatch.setenv("LD_PRELOAD", str(tmp_path / "clocks.so"))
    monkeypatch.setenv("ELAPSED_STEP", str(elapsed))
    monkeypatch.setenv("PROCESSOR_STEP", str(processor))
    batch = program.times("HQC-1", "portable", 1e6, 1)
    assert batch["waited"] == waited
    assert batch["nanoseconds"] == {operation: [taken] for operation in measure.OPERATIONS}


def test_stack_agrees_with_the_stated_workspace(program, library):
    kem = next(kem for kem in library.kems() if kem.name == "BIKE-L1")
    stack = program.stack("BIKE-L1", "portable")
    assert 0 < stack["decaps"] - kem.length_decaps_workspace < 13 * 1024
    assert 0 < stack["keygen"] - kem.length_keypair_workspace < 13 * 1024


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("HQC-2", "portable", 1, 1), "no such KEM"),
        (("HQC-1", "vax", 1, 1), "lacks that back end"),
        (("HQC-1", "./none.so", 1, 1), "none.so"),
        (("HQC-1", "portable", 0, 1), "MILLISECONDS must be"),
    ],
)
def test_sampler_says_what_is_wrong(program, arguments, message):
    with pytest.raises(Unavailable, match=message):
        program.times(*arguments)


def test_a_shared_library_is_measured_as_a_peer(
    program, evaluation_build, tmp_path, root, make_run, monkeypatch
):
    (tmp_path / "shim.c").write_text(SHIM)
    shim = tmp_path / "libshim.so"
    subprocess.run(
        [
            "gcc",
            "-shared",
            "-fPIC",
            f"-I{root / 'include'}",
            tmp_path / "shim.c",
            "-o",
            shim,
            f"-L{evaluation_build}",
            "-lcodekem",
            f"-Wl,-rpath,{evaluation_build}",
        ],
        check=True,
    )
    run = make_run()
    (subject,) = peers.shared_libraries(program, run, [f"theirs:HQC-1={shim}"])
    assert run["implementations"][-1]["name"] == "theirs"
    monkeypatch.setenv("PEER_LOG", str(tmp_path / "log"))
    batch = subject.take(1e6, 20)
    assert {len(batch["nanoseconds"][o]) for o in measure.OPERATIONS} == {20}
    assert (tmp_path / "log").stat().st_size == 21  # the first exchange warms the caches
    for wrong, message in [
        ("x", "write NAME"),
        (f"a:HQC-9={shim}", "has no HQC-9"),
        ("a:HQC-1=/none.so", "there is no /none.so"),
    ]:
        with pytest.raises(EvaluationError, match=message):
            peers.shared_libraries(program, run, [wrong])


# A peer of HQC-1 that keeps the rules, or breaks one of them.
RULES = """
#include <stdio.h>
#include <string.h>
#include "codekem.h"
#if CASE == 1
int randombytes(unsigned char *bytes, unsigned long long length);
#endif
static const codekem_kem *kem(void) { return codekem_kem_find("HQC-1"); }
int crypto_kem_keypair(unsigned char *pk, unsigned char *sk) {
#if CASE == 1
  unsigned char bytes[3000] = {0};
  randombytes(bytes, sizeof bytes);
  for (size_t i = 0; i < sizeof bytes - 16; i += 16) {
    if (memcmp(bytes + i, bytes + i + 16, 16) == 0) return 1;
  }
#endif
#if CASE == 2
  puts("{\\"key pair\\": made}");
#endif
#if CASE == 3
  memset(pk, 1, kem()->length_public_key + 40);
#endif
#if CASE == 4
  memset(pk, 1, (size_t)1 << 40);
#endif
  return codekem_kem_keypair(kem(), pk, sk);
}
int crypto_kem_enc(unsigned char *ct, unsigned char *ss, const unsigned char *pk) {
#if CASE == 5
  memset(ct, 1, kem()->length_ciphertext + 1);
#endif
  return codekem_kem_encaps(kem(), ct, ss, pk);
}
int crypto_kem_dec(unsigned char *ss, const unsigned char *ct, const unsigned char *sk) {
  return codekem_kem_decaps(kem(), ss, ct, sk);
}
"""


@pytest.mark.parametrize(
    ("case", "reason"),
    [
        (1, None),  # it takes the program's random bytes
        (2, None),  # it prints
        (3, "it wrote 2281 bytes of a public key, codekem's has 2241"),
        (4, "was ended by SIGSEGV"),
        (5, "it wrote 4434 bytes of a ciphertext, codekem's has 4433"),
    ],
)
def test_what_a_library_may_do_and_what_not(
    case, reason, program, evaluation_build, root, tmp_path, make_run
):
    (tmp_path / "peer.c").write_text(RULES)
    command = f"gcc -shared -fPIC -DCASE={case} -I{root}/include peer.c -o peer.so"
    command += f" -L{evaluation_build} -lcodekem -Wl,-rpath,{evaluation_build}"
    subprocess.run(command.split(), cwd=tmp_path, check=True)
    run = make_run()
    pair = f"mine@1.2:HQC-1={tmp_path / 'peer.so'}@portable"
    (subject,) = peers.shared_libraries(program, run, [pair])
    assert run["implementations"][-1] == {
        "name": "mine", "kind": "peer", "version": "1.2", "code": {"HQC-1": "portable"},
    }  # fmt: skip
    if reason is None:
        assert len(subject.take(1e6, 5)["nanoseconds"]["decaps"]) == 5
        return
    with pytest.raises(Unavailable) as error:
        subject.take(1e6, 5)
    assert error.value.reason == reason
    assert error.value.what == f"HQC-1 of mine, {tmp_path / 'peer.so'}"
    assert error.value.remedy == "'codekem-evaluation peers' says what a library must have"
