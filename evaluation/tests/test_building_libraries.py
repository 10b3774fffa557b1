# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The builder of the code of HQC's authors (evaluation/peers/hqc_authors.py) refuses what is not
that code, or gives other answers; the code itself is for people to fetch."""

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


@pytest.fixture
def build(root, tmp_path):
    def run(*options):
        script = root / "evaluation" / "peers" / "hqc_authors.py"
        return subprocess.run(
            [sys.executable, script, tmp_path / "source", tmp_path / "built", *options],
            capture_output=True,
            text=True,
            check=False,
        )

    return run


def test_a_folder_that_is_not_the_package_is_refused(build):
    done = build()
    assert done.returncode == 1 and not done.stdout
    assert "hqc.c is not there: SOURCE is the authors' package" in done.stderr


def test_wrong_answers_are_refused_and_name_the_library(build, tmp_path):
    for name, text in {"src/ref/hqc.c": NOTHING, "lib/fips202/fips202.c": "int unused;"}.items():
        path = tmp_path / "source" / name
        path.parent.mkdir(parents=True)
        path.write_text(text, encoding="ascii")
    done = build()
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


@pytest.mark.parametrize(
    ("code", "row"),
    [
        ("seen = sk[0] ? 1 : seen;", "| peer | HQC-1 | 0 |  |"),
        (f"if (sk[{SECRET}]) seen = seen + 1;", "| peer | HQC-1 | 1 | `crypto_kem_dec` 1 |"),
        (f"seen = ct[sk[{SECRET}]];", "| peer | HQC-1 | 1 | `crypto_kem_dec` 1 |"),
    ],
    ids=["public", "branch", "address"],
)
def test_places_that_depend_on_the_secret_key_are_counted(code, row, root, need, tmp_path):
    need("valgrind")
    (tmp_path / "peer.c").write_text(KEM % code, encoding="ascii")
    library = tmp_path / "peer.so"
    # -O0: a branch stays one.
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, tmp_path / "peer.c"], check=True)
    done = subprocess.run(
        [sys.executable, root / "evaluation" / "peers" / "secrets.py", f"HQC-1={library}"],
        capture_output=True,
        text=True,
        check=False,
        cwd=root,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == row
