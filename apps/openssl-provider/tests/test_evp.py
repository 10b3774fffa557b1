# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Runs provider_check, which calls the provider through EVP, as it is and under valgrind."""

import re
import subprocess

import pytest

from tests.tls_programs import run, write_configuration


def test_evp_interface(programs, module):
    output = run([programs / "bin" / "provider_check", module.parent]).stdout
    assert "PASSED" in output


def test_keys_need_little_stack_and_no_default_properties(programs, module):
    assert "PASSED" in run([programs / "bin" / "key_check", module.parent]).stdout


def test_no_secret_is_left_when_memory_runs_out(programs):
    assert "PASSED" in run([programs / "bin" / "leftovers"]).stdout


def test_keys_of_a_megabyte(programs, module, tmp_path):
    """With a made-up KEM, built in: the configuration gives it an object identifier."""
    path = write_configuration(tmp_path / "cnf", module, "oids.Large = 1.3.9999.7.1\n")
    path.write_text(path.read_text().replace(f"module = {module}\n", ""))
    assert "PASSED" in run([programs / "bin" / "large_keys", path]).stdout


@pytest.mark.long
def test_evp_interface_without_memory_errors(programs, module, need):
    """Valgrind tells the library of no AVX-512, so that it takes the AVX2 back end."""
    done = run(
        [
            need("valgrind"),
            "-q",
            "--leak-check=full",
            "--error-exitcode=9",
            programs / "bin" / "provider_check",
            module.parent,
        ],
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:]


def test_module_shows_its_entry_point_alone(module, need):
    names = subprocess.run(
        [need("nm"), "-D", "--defined-only", module], capture_output=True, text=True, check=True
    ).stdout
    assert [line.split()[-1] for line in names.splitlines()] == ["OSSL_provider_init"]


@pytest.mark.parametrize("backend", ["portable", "no-such-back-end"])
def test_back_end_is_chosen_by_the_environment(backend, openssl):
    made = openssl("genpkey", "-algorithm", "BIKE-L1", check=False, CODEKEM_CPU=backend)
    assert (made.returncode == 0) == (backend == "portable")
    if backend != "portable":
        assert "CODEKEM_CPU" in made.stdout, made.stdout


def test_module_needs_no_later_openssl_than_the_first(module, need):
    """Symbols that came after 3.0.0 would keep the module from loading into older ones."""
    text = subprocess.run(
        [need("objdump"), "-T", module], capture_output=True, text=True, check=True
    ).stdout
    assert set(re.findall(r"OPENSSL_[0-9.]+", text)) == {"OPENSSL_3.0.0"}
