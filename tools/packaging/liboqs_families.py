# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What liboqs is told of our schemes: names there, lengths, digests, and how a copy is made."""

import dataclasses
import pathlib
import tomllib

from parameters.table import TABLE
from tools.packaging import package_stage, vendor

ROOT = package_stage.ROOT
GLUE = "tools/packaging/liboqs"
# Of the first known answer of each set, as liboqs counts it.
DIGESTS = pathlib.Path(__file__).parent / "liboqs" / "digests.toml"
PLATFORMS = {
    # name: architecture in liboqs, flags that all of them have: we ask the processor ourselves
    "x86_64": ("x86_64", ["sse2"]),
    "aarch64": ("arm_8", ["asimd"]),
}


@dataclasses.dataclass(frozen=True)
class Set:
    """A parameter set: our KEM, and its names in liboqs."""

    kem: str  # "mceliece348864"
    method: str  # "Classic-McEliece-348864"
    scheme: str  # "348864", within its family
    folder: str  # "mceliece348864", in the names of folders

    @property
    def lengths(self):
        """Lengths in bytes, by liboqs's names of them."""
        sizes = TABLE.find(self.kem).sizes
        names = "public_key", "secret_key", "ciphertext", "shared_secret"
        return {f"length-{name.replace('_', '-')}": sizes[name] for name in names}


@dataclasses.dataclass(frozen=True)
class Family:
    """A scheme and what liboqs has of it."""

    scheme: str  # as vendor.py names it
    name: str  # in liboqs
    prefix: str  # liboqs wants names that begin with those of a list, which has hqc and oqs
    sets: tuple[Set, ...]
    # What stays for other platforms: the implementation's name, and that of its upstream.
    kept: str = ""
    reference: str = ""
    submitters: tuple[str, ...] = ()
    encaps: str = ""  # the file of a function ckem_oqs_encaps, if the scheme has one for liboqs

    @property
    def version(self):
        revision = TABLE.find(self.sets[0].kem).version
        return f"codekem {package_stage.version()} ({revision.split(' (')[0]})"

    def digests(self):
        return {one.method: tomllib.loads(DIGESTS.read_text())[one.method] for one in self.sets}

    def copy(self):
        """Returns how the copy is made: no environment or batches, hashing of liboqs."""
        return vendor.Options(
            self.scheme,
            self.prefix,
            environment=False,
            batches=False,
            replaced={"keccak/keccak.h": f"{GLUE}/oqs_keccak.h"},
            added=tuple(f"{GLUE}/{name}" for name in ("oqs_keccak.c", self.encaps) if name),
            processors_left_out=("neon32", "rvv", "zbc", "wasm"),
            configuration="oqs_config.h",
        )

    def definitions(self, one, prefix):
        """Returns what the glue of a set is compiled with; prefix: of its functions."""
        own = [f"-DOQS_ENCAPS={vendor.prefixed('ckem_oqs_encaps', self.prefix)}"]
        return [f"-DOQS_METHOD={one.kem}", f"-DOQS_PREFIX={prefix}", *own * bool(self.encaps)]

    def files(self):
        """Returns {name: text} of the C files."""
        texts = vendor.one_file(self.copy())
        for name in ("oqs_glue.c", "oqs_config.h"):
            text = (ROOT / GLUE / name).read_text(encoding="utf-8")
            text = text.replace('"codekem.h"', f'"{self.prefix}.h"')
            texts[name] = vendor.prefixed(text, self.prefix)
        return texts


HQC = Family(
    "hqc",
    "hqc",
    "hqc_codekem",
    tuple(Set(f"HQC-{level}", f"HQC-{level}", f"{level}", f"hqc-{level}") for level in (1, 3, 5)),
    kept="ref",
    reference="pqc-hqc",
    submitters=("Philippe Gaborit",),
)
MCELIECE = Family(
    "mceliece",
    "classic_mceliece",
    "oqs_mceliece_codekem",
    tuple(
        Set(f"mceliece{size}", f"Classic-McEliece-{size}", size, f"mceliece{size}")
        for n in ("348864", "460896", "6688128", "6960119", "8192128")
        for size in (n, f"{n}f")
    ),
    kept="clean",
    reference="pqclean",
    submitters=("Daniel J. Bernstein",),
    encaps="oqs_mceliece.c",
)
BIKE = Family(
    "bike",
    "bike",
    "oqs_bike_codekem",
    tuple(Set(f"BIKE-L{level}", f"BIKE-L{level}", f"l{level}", "") for level in (1, 3, 5)),
)
# Those that come by liboqs's importer; BIKE is kept there by hand.
IMPORTED = (HQC, MCELIECE)
FAMILIES = {family.scheme: family for family in (*IMPORTED, BIKE)}


def metadata(family, one):
    """Returns the metadata of a parameter set, for the importer."""
    function = f"{family.prefix}_{one.scheme}"
    kem = TABLE.find(one.kem)
    return {
        "name": one.method,
        "type": "kem",
        "claimed-nist-level": kem.category,
        "claimed-security": kem.security,
        **one.lengths,
        "length-keypair-seed": 0,
        "length-encaps-seed": 0,
        "nistkat-sha256": family.digests()[one.method],
        "testvectors-sha256": "",
        "principal-submitters": list(family.submitters),
        "auxiliary-submitters": [],
        "implementations": [
            {
                "name": name,
                "version": family.version,
                "folder_name": family.scheme,
                "compile_opts": " ".join(family.definitions(one, function)),
                "common_dep": f"{family.scheme}_core",
                "signature_keypair": f"{function}_keypair",
                "signature_enc": f"{function}_encaps",
                "signature_dec": f"{function}_decaps",
                "sources": f"oqs_glue.c {family.prefix}.h",
                "supported_platforms": [
                    {
                        "architecture": architecture,
                        "operating_systems": ["Linux", "Darwin"],
                        "required_flags": list(flags),
                    }
                ],
            }
            for name, (architecture, flags) in PLATFORMS.items()
        ],
    }


def common(family):
    """Returns the metadata of what all sets of a scheme share."""
    return {
        "name": f"{family.scheme}_core",
        "folder_name": family.scheme,
        "sources": f"{family.prefix}.c {family.prefix}.h oqs_config.h",
        "compile_opts": vendor.FLAG,
    }


def write_upstream(folder, families=None):
    """Writes what the importer copies, and says of it: a folder for each scheme."""
    import yaml

    texts = {name: (ROOT / name).read_text(encoding="utf-8") for name in package_stage.LICENSES}
    families = tuple(FAMILIES.values()) if families is None else families
    for family in families:
        texts |= {f"{family.scheme}/{name}": text for name, text in family.files().items()}
        if family in IMPORTED:
            for one in family.sets:
                said = yaml.safe_dump(metadata(family, one), sort_keys=False)
                texts[f"{one.method}_META.yml"] = said
    shared = {"commons": [common(family) for family in families if family in IMPORTED]}
    texts["META_Common.yml"] = yaml.safe_dump(shared, sort_keys=False)
    for name, text in texts.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
