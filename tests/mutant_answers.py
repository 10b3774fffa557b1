# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The first known answers of every scheme, in seconds: what tools/mutants.py tries before tests.

They are among those of `make test`. As a plugin of pytest (`-p mutant_answers`) it leaves out the
tests that plant mistakes: these fail for a mutant if it lies where they plant theirs.

usage: mutant_answers.py FOLDER SCHEMES BACKENDS [PRESET]    with commas between names; PRESET is
that of a build for another processor, which runs in QEMU
"""

import hashlib
import pathlib
import sys

PLANTING = {"fails", "mistaken"}  # fixtures
KEMS = {
    "bike": ["BIKE-L1", "BIKE-L3", "BIKE-L5", "BIKE-L1-v4.2-sha3", "BIKE-L1-v4.2-sha3-bind"],
    "hqc": ["HQC-1", "HQC-3", "HQC-5", "HQC-128-2023", "HQC-192-2023", "HQC-256-2023"],
}


def pytest_collection_modifyitems(config, items):
    planting = [item for item in items if PLANTING & set(item.fixturenames)]
    config.hook.pytest_deselected(items=planting)
    items[:] = [item for item in items if item not in planting]


def check_mceliece(command, backend):
    from tests.mceliece_checks import check_ciphertexts, check_encapsulation, check_record
    from tests.mceliece_program import Program

    with Program(command, backend) as program:
        check_record(program, "mceliece348864f")
        check_ciphertexts(program, "mceliece348864")
        if backend != "reference":
            check_ciphertexts(program, "mceliece6960119f")
            check_encapsulation(program, "mceliece6960119")


def check_sofia(command, backend):
    from tests import sofia_program

    with sofia_program.Program(command, backend) as program:
        record = sofia_program.records()[0]
        assert program.public_key(record["sk"]) == record["pk"]
        signature = program.sign(record["sk"], record["msg"])
        assert hashlib.sha256(signature).digest() == record["sig_sha256"]
        assert program.verify(record["pk"], record["msg"], signature) == sofia_program.OK
        sofia_program.check_values(program)


def main():
    from tools import count_instructions

    folder, schemes, backends = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3]
    emulator = count_instructions.emulator(sys.argv[4]) if sys.argv[4:] else []
    for backend in backends.split(","):
        for scheme in schemes.split(","):
            if scheme in KEMS:
                from tests.kat_check import run_kat_check

                for kem in KEMS[scheme]:
                    count = 1 if backend == "reference" else 3
                    run_kat_check(folder, kem, backend, emulator, record_limit=count)
            else:
                check = {"mceliece": check_mceliece, "sofia": check_sofia}[scheme]
                check([*emulator, folder / "bin" / f"{scheme}_check"], backend)


if __name__ == "__main__":
    main()
