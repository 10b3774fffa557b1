# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What the packages for other languages have: names, sizes, identifiers, and where the members of
codekem_kem and codekem_options are in memory."""

from parameters import layout
from parameters.notice import notice

LENGTHS = ("public_key", "secret_key", "ciphertext", "keypair_seed", "encaps_seed")
WORKSPACES = ("keypair", "encaps", "decaps", "check")
OPTIONS = ("size", "seed", "workspace", "workspace_length")  # those that packages set


def options(root, word):
    """Returns the offsets of the members of codekem_options that packages set, and its bytes."""
    at = layout.offsets(root, word, "codekem_options")
    return {name: at[name] for name in OPTIONS}, layout.size(root, word, "codekem_options")


def word_of(kem, capital=False):
    """Returns a KEM's name as one word: bikeL1, hqc1."""
    word = kem.name.replace("-", "")
    return word.upper() if capital else word.replace("BIKE", "bike").replace("HQC", "hqc")


def lengths(kem):
    return ", ".join(str(kem.sizes[key]) for key in LENGTHS)


# --- Go -------------------------------------------------------------------------------------------


def go(table):
    kems = table.current("bike", "hqc")
    width = max(len(word_of(kem)) for kem in kems)
    lines = ["var ("]
    for kem in kems:
        version = kem.version.split()[0]
        lines.append(
            f'\t{word_of(kem):{width}} = newKEM("{kem.name}", "{version}", {lengths(kem)})'
        )
    lines += [f"\t{'all':{width}} = []*KEM{{{', '.join(map(word_of, kems))}}}", ")"]
    seen = set()
    for kem in kems:
        scale = "" if kem.family in seen else " of NIST's scale"
        seen.add(kem.family)
        name = word_of(kem, capital=True)
        once = "; each key is for one exchange" if kem.family == "BIKE" else ""
        lines += ["", f"// {name} returns {kem.family} at level {kem.category}{scale}{once}."]
        lines += [f"func {name}() *KEM {{ return {word_of(kem)} }}"]
    return [*lines, ""]


def go_identifiers(table):
    kems = table.current("bike", "hqc")
    return [
        f'\t{{"{oid.hex()}", {word_of(kem)}}},' for kem in kems for oid in table.identifiers(kem)
    ]


def go_offsets(root):
    at = layout.offsets(root, 4)
    lines = [
        f"\toffsetSizes         = {at['length_public_key']} // six lengths: public key to seed"
    ]
    lines[0] += " of encapsulation"
    for name in WORKSPACES:
        words = f"offset{name.capitalize()}Length"
        note = " // lengths of workspaces" if name == WORKSPACES[0] else ""
        lines.append(f"\t{words:19} = {at[f'length_{name}_workspace']}{note}")
    at, size = options(root, 4)
    lines += ["", "\t// The members of codekem_options that are written, and its length."]
    for name, offset in at.items():
        word = "option" + "".join(part.capitalize() for part in name.split("_"))
        lines.append(f"\t{word:21} = {offset}")
    return [*lines, f"\t{'optionsBytes':21} = {size}"]


# --- Java -----------------------------------------------------------------------------------------


def java(table):
    rows = []
    for kem in filter(lambda kem: kem.oid, table.kems):
        others = f', "{kem.read_oid}"' if kem.read_oid else ""
        rows.append(f'          new Kem("{kem.name}", ARC + "{kem.oid}"{others})')
    return ["  static final List<Kem> ALL =", "      List.of(", ",\n".join(rows) + ");"]


def java_arc(table):
    return [f'  private static final String ARC = "{table.arc}.";']


def java_offsets(root):
    at = layout.offsets(root, 8)
    members = [*layout_lengths(), *[f"length_{name}_workspace" for name in WORKSPACES]]
    lines = [
        f"  private static final int OFFSET_{name.removeprefix('length_').upper()} = {at[name]};"
        for name in members
    ]
    read = max(at[name] for name in members) + 8
    lines += [f"  private static final int BYTES_READ = {read};"]
    at, size = options(root, 8)
    lines += [
        f"  private static final int OPTION_{name.upper()} = {offset};"
        for name, offset in at.items()
    ]
    return [*lines, f"  private static final int OPTIONS_BYTES = {size};"]


def layout_lengths():
    """The members that are lengths of buffers, in their order."""
    return [f"length_{name}" for name in (*LENGTHS[:3], "shared_secret", *LENGTHS[3:])]


# --- JavaScript -----------------------------------------------------------------------------------


def js_name(kem):
    return kem.name.replace("-", "_")


def js_parameters(table, root):
    at = layout.offsets(root, 4)
    lines = [
        *notice("//"),
        "// The KEMs: number in the module of their family, name, and lengths in bytes of public",
        "// key, secret key, ciphertext, and of the randomness that keygen and encapsulate take.",
        "",
        "/** @typedef {readonly [number, string, number, number, number, number, number]}"
        " Parameters */",
    ]
    for scheme in ("bike", "hqc"):
        for number, kem in enumerate(table.current(scheme)):
            lines += ["" if number == 0 else None, "/** @type {Parameters} */"]
            lines += [f'export const {js_name(kem)} = [{number}, "{kem.name}", {lengths(kem)}];']
    lines += ["", "// Where codekem_kem (codekem.h) has the lengths of workspaces, in wasm32."]
    lines += [
        f"export const {name.upper()}_WORKSPACE = {at[f'length_{name}_workspace']};"
        for name in WORKSPACES
    ]
    lines += [
        "",
        "// The first of the six lengths there, from public key to seed of encapsulation.",
    ]
    lines += [f"export const LENGTHS = {at['length_public_key']};"]
    at, size = options(root, 4)
    lines += ["", "// The members of codekem_options that are written, and its length."]
    lines += [f"export const OPTION_{name.upper()} = {offset};" for name, offset in at.items()]
    lines += [f"export const OPTIONS_BYTES = {size};", ""]
    return "\n".join(line for line in lines if line is not None)


def js_exports(table, scheme):
    """The lines of bike.js and hqc.js that make the KEMs of a family."""
    kems = table.current(scheme)
    return [
        f'export const {word_of(kem)} = /* @__PURE__ */ makeKem(module, "{scheme}", '
        f"{js_name(kem)});"
        for kem in kems
    ]


def js_identifiers(table):
    lines = [
        *notice("//"),
        "// Object identifiers of keys, in DER and hexadecimal: the first of a KEM is written,",
        "// all are read.",
        "",
        "/** @type {Readonly<Record<string, readonly string[]>>} */",
        "export const IDENTIFIERS = {",
    ]
    for kem in table.current("bike", "hqc"):
        oids = [f'"{oid.hex()}"' for oid in table.identifiers(kem)]
        lines += [f'  "{kem.name}": [{", ".join(oids)}],']
    return "\n".join([*lines, "};", ""])


def js_imports(table, scheme, folder):
    names = ", ".join(js_name(kem) for kem in table.current(scheme))
    return [f'import {{ {names} }} from "{folder}/parameters.js";']


def js_index(table):
    """The lines of index.js and index.d.ts."""
    return [
        f'export {{ {", ".join(map(word_of, table.current(scheme)))} }} from "./{scheme}.js";'
        for scheme in ("bike", "hqc")
    ]


ONCE = (
    " Its specification claims no security against chosen ciphertexts",
    " * for keys that are used more than once; take a new key pair for each exchange.",
)


def js_types(table, scheme):
    """The lines of bike.d.ts and hqc.d.ts."""
    lines = []
    for kem in table.current(scheme):
        first = f"/** {kem.family} of NIST's category {kem.category}."
        lines += [first] if kem.ind_cca else [first + ONCE[0], ONCE[1]]
        lines[-1] += " */"
        lines += [f"export declare const {word_of(kem)}: Kem;"]
    return lines


def js_page_import(table):
    names = ", ".join(map(word_of, table.current("bike", "hqc")))
    return [f'import {{ {names} }} from "../index.js";']


ML_KEM = {1: "512", 3: "768", 5: "1024"}  # by category


def js_page(table):
    """The KEMs by category; ML-KEM first."""
    lines = []
    for category in sorted({kem.category for kem in table.current("bike", "hqc")}):
        rows = []
        if size := ML_KEM.get(category):
            rows += [("ML-KEM-" + size, "ML-KEM", "ml_kem" + size)]
        for kem in [*table.current("hqc"), *table.current("bike")]:
            if kem.category == category:
                rows += [(kem.name, kem.family, word_of(kem))]
        lines += [
            f'  {{ name: "{name}", scheme: "{family}", category: {category}, kem: {word} }},'
            for name, family, word in rows
        ]
    return lines


# --- Python ---------------------------------------------------------------------------------------


def python(table):
    lines = []
    for kem in [*table.current("hqc"), *table.current("bike")]:
        word = word_of(kem, capital=True)
        once = "" if kem.ind_cca else "; for one exchange only"
        lines += ["", "", f"class {word}PublicKey(PublicKey):"]
        lines += [f'    """A public key of {kem.name}."""']
        lines += ["", "    __slots__ = ()", f'    _kem = _native.Kem("{kem.name}")']
        oids = [f'bytes.fromhex("{oid.hex()}"),' for oid in table.identifiers(kem)]
        if len(oids) == 1:
            lines += [f"    _oids = ({oids[0]})"]
        else:
            lines += ["    _oids = (", *[f"        {oid}" for oid in oids], "    )"]
        lines += ["", ""]
        lines += [f"class {word}PrivateKey(PrivateKey[{word}PublicKey]):"]
        lines += [f'    """A private key of {kem.name}{once}."""', "", "    __slots__ = ()"]
        lines += [f"    _kem = {word}PublicKey._kem", f"    _public = {word}PublicKey"]
    return [*lines[2:], "", ""]


def python_classes(table, scheme):
    return [
        f"{word_of(kem, capital=True)}{kind}Key"
        for kem in table.current(scheme)
        for kind in ("Private", "Public")
    ]


def python_imports(table):
    names = [*python_classes(table, "bike"), *python_classes(table, "hqc")]
    return [f"    {name}," for name in sorted(names)]


def python_names(table, scheme):
    """The lines of __all__."""
    return [f'    "{name}",' for name in python_classes(table, scheme)]


# --- Rust -----------------------------------------------------------------------------------------


def rust_type(kem):
    word = word_of(kem)
    return word[0].upper() + word[1:]


def rust(table, scheme):
    lines = []
    for kem in table.current(scheme):
        size = kem.sizes
        unsigned = "U" if scheme == "hqc" else ""
        numbers = [
            f"{unsigned}{size['public_key']}",
            str(size["secret_key"]),
            f"{unsigned}{size['ciphertext']}",
            *([str(size["encaps_seed"])] if scheme == "hqc" else []),
        ]
        kind, level = rust_type(kem), kem.category
        lines.append(f'{scheme}!({kind}, c"{kem.name}", "{level}", {", ".join(numbers)});')
    return lines


def rust_identifiers(table):
    return [
        f'    ("{kem.name}", &hex::<{len(oid)}>("{oid.hex()}")),'
        for kem in table.current("bike", "hqc")
        for oid in table.identifiers(kem)
    ]


def rust_exports(table, scheme):
    """The line of lib.rs; the trait has the name of the scheme."""
    names = ", ".join([scheme.capitalize(), *map(rust_type, table.current(scheme))])
    return [f"pub use {scheme}::{{{names}}};"]


def rust_groups(table):
    lines = ["    /// All groups of a KEM alone."]
    words = [word_of(kem, capital=True) for kem in table.current("bike", "hqc") if kem.tls]
    lines += [f"    pub static ALL: &[&dyn SupportedKxGroup] = &[{', '.join(words)}];"]
    for kem in filter(lambda kem: kem.tls, table.kems):
        word = word_of(kem, capital=True)
        lines += [f"    /// {kem.name}, `{word.lower()}`."]
        lines += [f"    pub static {word}: &dyn SupportedKxGroup ="]
        lines[-1] += f' &KemGroup::new("{kem.name}", {kem.tls["alone"]});'
    return lines


HALVES = {"x25519": ("X25519", 32), "p256": ("SECP256R1", 65), "p384": ("SECP384R1", 97)}
TITLES = {"x25519": "X25519", "p256": "P-256", "p384": "P-384"}


def rust_preferred(table):
    """The hybrids: by their other half, HQC before BIKE."""
    kems = [*table.current("hqc"), *table.current("bike")]
    return [
        f"                kx_group::{half.upper()}_{word_of(kem, capital=True)},"
        for half in HALVES
        for kem in kems
        if half in kem.tls
    ]


def rust_hybrids(table):
    """With the other halves that rustls has."""
    lines = []
    for kem in table.current("bike", "hqc"):
        for half, (name, share) in HALVES.items():
            if half in kem.tls:
                word = f"{half}_{word_of(kem, capital=True).lower()}"
                lines += [
                    f"                /// {TITLES[half]} and {kem.name}, `{word}`.",
                    f"                pub static {word.upper()}: &dyn SupportedKxGroup =",
                    f"                    &Hybrid::new({name}, {share}, "
                    f'"{kem.name}", {kem.tls[half]});',
                ]
    return lines


def files(table, root):
    return {
        "bindings/js/internal/identifiers.js": js_identifiers(table),
        "bindings/js/internal/parameters.js": js_parameters(table, root),
    }


def regions(table, root):
    """Returns {path: {name: lines}}."""
    java_file = "bindings/java/src/main/java/io/github/codekem/Kem.java"
    found = {
        "bindings/go/kem.go": {"kems": go(table)},
        "bindings/go/pkcs8.go": {"identifiers": go_identifiers(table)},
        "bindings/go/internal/wasm/wasm.go": {"offsets": go_offsets(root)},
        java_file: {
            "arc": java_arc(table),
            "kems": java(table),
            "offsets": java_offsets(root),
        },
        "bindings/js/index.js": {"kems": js_index(table)},
        "bindings/js/index.d.ts": {"kems": js_index(table)},
        "bindings/js/edge/index.js": {"kems": js_index(table)},
        "bindings/python/src/codekem/_keys.py": {"kems": python(table)},
        "bindings/rust/codekem-rustls/src/lib.rs": {
            "groups": rust_groups(table),
            "hybrids": rust_hybrids(table),
            "preferred": rust_preferred(table),
        },
        "bindings/rust/codekem/src/key_files.rs": {"identifiers": rust_identifiers(table)},
        "bindings/rust/codekem/src/lib.rs": {
            scheme: rust_exports(table, scheme) for scheme in ("bike", "hqc")
        },
        "bindings/python/src/codekem/__init__.py": {
            "imports": python_imports(table),
            "bike": python_names(table, "bike"),
            "hqc": python_names(table, "hqc"),
        },
        "bindings/js/page/kems.js": {"imports": js_page_import(table), "kems": js_page(table)},
    }
    for scheme in ("bike", "hqc"):
        found[f"bindings/rust/codekem/src/{scheme}.rs"] = {"kems": rust(table, scheme)}
        found[f"bindings/js/{scheme}.d.ts"] = {"kems": js_types(table, scheme)}
        for folder, parts in (("", "./internal"), ("edge/", "../internal")):
            found[f"bindings/js/{folder}{scheme}.js"] = {
                "parameters": js_imports(table, scheme, parts),
                "kems": js_exports(table, scheme),
            }
    return found
