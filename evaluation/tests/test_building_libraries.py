# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The builder of libraries of others (evaluation/peers/build.py) refuses what is not the code that
was asked for, or gives other answers; the code itself is for people to fetch. And what counts the
places that depend on a secret key."""

import platform
import subprocess
import sys

import pytest

# Functions of the right names that do nothing: their answers are wrong.
NOTHING = """
void prng_init(unsigned char *a, unsigned char *b, unsigned c, unsigned d);
void prng_init(unsigned char *a, unsigned char *b, unsigned c, unsigned d) {
  (void)a, (void)b, (void)c, (void)d;
}
int crypto_kem_keypair(unsigned char *pk, unsigned char *sk) { (void)pk, (void)sk; return 0; }
int crypto_kem_enc(unsigned char *a, unsigned char *b, const unsigned char *c) {
  (void)a, (void)b, (void)c; return 0;
}
int crypto_kem_dec(unsigned char *a, const unsigned char *b, const unsigned char *c) {
  (void)a, (void)b, (void)c; return 0;
}
"""


# Another library's functions over codekem's, which draw what peer_random gives.
OURS = """
#include <codekem.h>
#include "random.h"
static const codekem_kem *kem(void) { return codekem_kem_find("BIKE-L1"); }
int crypto_kem_keypair(unsigned char *pk, unsigned char *sk) {
  unsigned char seed[64];
  peer_bytes(seed, sizeof seed);
  return codekem_kem_keypair_with(kem(), pk, sk, CODEKEM_OPTIONS(.seed = seed));
}
int crypto_kem_enc(unsigned char *ct, unsigned char *ss, const unsigned char *pk) {
  unsigned char seed[32];
  peer_bytes(seed, sizeof seed);
  return codekem_kem_encaps_with(kem(), ct, ss, pk, CODEKEM_OPTIONS(.seed = seed));
}
int crypto_kem_dec(unsigned char *ss, const unsigned char *ct, const unsigned char *sk) {
  int status = codekem_kem_decaps(kem(), ss, ct, sk);
  ss[0] ^= WRONG;
  return status;
}
"""


@pytest.fixture
def run_build(root):
    def run(*arguments):
        return subprocess.run(
            [sys.executable, root / "evaluation" / "peers" / "build.py", *arguments],
            capture_output=True,
            text=True,
            check=False,
            cwd=root,
        )

    return run


@pytest.mark.parametrize(
    ("peer", "message"),
    [
        ("hqc-authors", "hqc.c is not there: SOURCE is another package"),
        ("bike-kem", "kem.c is not there: SOURCE is another package"),
        ("libmceliece", "has no libmceliece.a and mceliece.h below it"),
    ],
)
def test_a_folder_that_is_not_the_package_is_refused(peer, message, run_build, tmp_path):
    done = run_build(peer, tmp_path / "source", tmp_path / "built")
    assert done.returncode == 1 and not done.stdout
    assert message in done.stderr


@pytest.mark.parametrize(("wrong", "status"), [("0", 0), ("1", 1)])
def test_a_library_is_checked_by_published_answers(wrong, status, root, build, run_build, tmp_path):
    folder, peers = build("gcc"), root / "evaluation" / "peers"
    (tmp_path / "ours.c").write_text(OURS, encoding="ascii")
    library = tmp_path / "ours.so"
    subprocess.run(
        [
            *("cc", "-shared", "-fPIC", f"-DWRONG={wrong}", f"-I{root / 'include'}", f"-I{peers}"),
            *(tmp_path / "ours.c", peers / "random.c", folder / "libcodekem.a", "-o", library),
        ],
        check=True,
    )
    done = run_build("check", f"BIKE-L1={library}")
    assert done.returncode == status, done.stderr
    if status == 0:
        assert done.stdout == f"BIKE-L1={library}: the published known answers\n"
    else:
        assert "ours.so gives wrong answers (decapsulation)" in done.stderr


@pytest.mark.parametrize(
    ("pair", "message"),
    [
        ("BIKE-L1=nothing.so", "is not KEM=LIBRARY.so"),
        (f"KYBER={__file__}", "codekem has no KEM KYBER"),
        (f"BIKE-L1={__file__}", "cannot be used"),
    ],
)
def test_what_cannot_be_checked_is_refused(pair, message, run_build):
    done = run_build("check", pair)
    assert done.returncode == 1 and not done.stdout
    assert message in done.stderr and "Traceback" not in done.stderr


def test_wrong_answers_are_refused_and_name_the_library(run_build, tmp_path):
    files = {
        "src/ref/hqc.c": NOTHING,
        "lib/fips202/fips202.c": "int unused;",
        "src/common/symmetric.c": "void prng_get_bytes(unsigned char *a, unsigned b) { *a = b; }",
    }
    for name, text in files.items():
        path = tmp_path / "source" / name
        path.parent.mkdir(parents=True)
        path.write_text(text, encoding="ascii")
    done = run_build("hqc-authors", tmp_path / "source", tmp_path / "built")
    assert done.returncode == 1 and not done.stdout
    assert "portable-gcc-HQC-1.so gives wrong answers (pk, sk, ct, ss)" in done.stderr


# Shared secrets that hang on the public key alone, so that both sides have the same one.
KEM = """
int crypto_kem_keypair(unsigned char *pk, unsigned char *sk) { pk[0] = 1; sk[0] = 1; return 0; }
int crypto_kem_enc(unsigned char *ct, unsigned char *ss, const unsigned char *pk) {
  ct[0] = 2; ss[0] = pk[0]; return 0;
}
int crypto_kem_dec(unsigned char *ss, const unsigned char *ct, const unsigned char *sk) {
  volatile int seen = 0;
  (void)ct;
  ss[0] = sk[0];
  %s
  return 0;
}
"""
SECRET = 2300  # behind the public key that HQC-1's secret key begins with
PUBLIC = {"HQC-1": 0, "BIKE-L1": 4000, "mceliece348864": 32}  # of secret keys
# Of BIKE and Classic McEliece all else is secret.
SECRETS = {"HQC-1": [SECRET], "BIKE-L1": [0, 3649, 5191], "mceliece348864": [0, 31, 40, 6491]}
ROWS = [
    *[(kem, f"seen = sk[{place}] ? 1 : seen;", 0) for kem, place in PUBLIC.items()],
    *[
        (kem, f"if (sk[{place}]) seen = seen + 1;", 1)
        for kem, places in SECRETS.items()
        for place in places
    ],
    ("HQC-1", f"seen = ct[sk[{SECRET}]];", 1),
    # A vector's shift by a secret number is no address.
    (
        "HQC-1",
        f"__m128i n = _mm_cvtsi32_si128(sk[{SECRET}]);"
        "seen = _mm_cvtsi128_si32(_mm_sll_epi64(n, n));",
        0,
    ),
]


@pytest.mark.parametrize(
    ("kem", "code", "count"),
    [
        pytest.param(*row, id=str(i), marks=pytest.mark.long if i % 4 else [])
        for i, row in enumerate(ROWS)
    ],
)
def test_places_that_depend_on_the_secret_key_are_counted(kem, code, count, root, need, tmp_path):
    need("valgrind")
    if "_mm" in code and platform.machine() != "x86_64":
        code, count = "", 0
    first, end = ("sk[0]", "pk[0]") if kem == "HQC-1" else ("1", "1")
    text = (KEM % code).replace("ss[0] = sk[0]", f"ss[0] = {first}")
    text = text.replace("ss[0] = pk[0]", f"ss[0] = {end}")
    if "_mm" in code:
        text = f"#include <emmintrin.h>\n{text}"
    (tmp_path / "peer.c").write_text(text, encoding="ascii")
    library = tmp_path / "peer.so"
    # -O0: a branch stays one.
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, tmp_path / "peer.c"], check=True)
    done = subprocess.run(
        [sys.executable, root / "evaluation" / "peers" / "secrets.py", f"{kem}={library}"],
        capture_output=True,
        text=True,
        check=False,
        cwd=root,
    )
    assert done.returncode == 0, done.stderr
    where = "`crypto_kem_dec` 1" if count else ""
    assert done.stdout.splitlines()[-1] == f"| peer | {kem} | {count} | {where} |"
