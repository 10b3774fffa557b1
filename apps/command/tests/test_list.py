# SPDX-License-Identifier: Apache-2.0 OR MIT
"""codekem list: the table, the JSON, and the names for scripts agree with the specification."""

import json
import re

from parameters.table import TABLE

# Sizes in bytes of public key, secret key, ciphertext and shared secret [BIKE, table of sizes].
SIZES = {1: (1541, 5223, 1573, 32), 3: (3083, 10105, 3115, 32), 5: (5122, 16494, 5154, 32)}


def test_json_describes_bike(succeed):
    document = json.loads(succeed("list", "--json").stdout)
    kems = {kem["name"]: kem for kem in document["kems"]}
    for level, sizes in SIZES.items():
        kem = kems[f"BIKE-L{level}"]
        assert kem == {
            "name": f"BIKE-L{level}",
            "family": "BIKE",
            "version": "5.1",
            "legacy": False,
            "claimed_nist_category": level,
            "security": "IND-CPA",
            "ind_cca": False,
            "public_key_bytes": sizes[0],
            "secret_key_bytes": sizes[1],
            "ciphertext_bytes": sizes[2],
            "shared_secret_bytes": sizes[3],
        }


def test_legacy_kems_come_last_and_are_marked(succeed):
    kems = json.loads(succeed("list", "--json").stdout)["kems"]
    marks = [kem["legacy"] for kem in kems]
    assert marks == sorted(marks)
    for kem in kems:
        # Here names show it, by convention.
        assert kem["legacy"] == ("-v" in kem["name"] or kem["name"].endswith("-2023"))
        assert ("-v4.2-" in kem["name"]) == (kem["version"] == "4.2")
        assert kem["name"].endswith("-2023") == (kem["version"] == "2023-04-30")


def test_names_and_table_agree_with_json(succeed):
    kems = json.loads(succeed("list", "--json").stdout)["kems"]
    names = [kem["name"] for kem in kems]
    assert succeed("list", "--names", text=True).stdout.splitlines() == names
    lines = succeed("list", text=True).stdout.splitlines()
    rows = [re.split(r"\s{2,}", line) for line in lines[1 : 1 + len(kems)]]
    assert rows == [
        [
            kem["name"],
            kem["version"],
            str(kem["claimed_nist_category"]),
            kem["security"],
            str(kem["public_key_bytes"]),
            str(kem["secret_key_bytes"]),
            str(kem["ciphertext_bytes"]),
            str(kem["shared_secret_bytes"]),
        ]
        for kem in kems
    ]


def test_classic_mceliece_is_listed_with_its_warning(succeed):
    kems = json.loads(succeed("list", "--json").stdout)["kems"]
    warned = [kem for kem in kems if "warning" in kem]
    assert {kem["family"] for kem in warned} == {"Classic McEliece"} and len(warned) == 20
    others = {kem.family for kem in TABLE.kems if kem.scheme != "mceliece"}
    assert {kem["family"] for kem in kems if "warning" not in kem} == others
    text = " ".join(succeed("list", text=True).stdout.split())
    for words in ("claimed in 2022", "disputed since August 2026"):
        assert words in text and all(words in kem["warning"] for kem in warned)


def test_back_ends_agree_with_json(succeed):
    document = json.loads(succeed("list", "--json").stdout)
    supported = [entry["name"] for entry in document["backends"] if entry["supported"]]
    assert succeed("list", "--backends", text=True).stdout.splitlines() == supported
    assert document["backend"] == supported[-1]  # the fastest comes last
    assert supported[:2] == ["reference", "portable"]
