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
