# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The tables of documents: which KEMs there are, how long what they make is, numbers of TLS."""

from parameters.for_packages import rust_type, word_of

# The other halves of hybrids: title, and bytes of a key share.
HALVES = {
    "x25519": ("X25519", 32),
    "p256": ("P-256", 65),
    "p384": ("P-384", 97),
    "x448": ("X448", 56),
    "p521": ("P-521", 133),
}
IN_RUSTLS = ("x25519", "p256", "p384")
SENT = ("public_key", "ciphertext")
KEPT = ("public_key", "secret_key", "ciphertext")
MCELIECE = (
    "**Classic McEliece**, a library of its own: [status](mceliece.md)",
    "",
    "**claimed in 2022, disputed since August 2026**",
    *[""] * 4,
)


def code(word):
    return f"`{word}`"


def line(cells):
    return "|" + "".join(f" {cell} |" if cell != "" else " |" for cell in cells)


def table_of(heads, rows):
    """Returns the lines of a table."""
    return ["", line(heads), "|" + "---|" * len(heads), *map(line, rows), ""]


def enumerated(words):
    """Returns words in a sentence."""
    return f"{', '.join(words[:-1])} and {words[-1]}"


def sizes(table):
    rows = []
    for kem in table.current():
        claimed = "claimed: " if kem.scheme == "mceliece" else ""
        if claimed and MCELIECE not in rows:
            rows.append(MCELIECE)
        if not claimed or kem.name[-1].isdigit():  # the others have the sizes of these
            version = f"{kem.family} {kem.version.split()[0]}"
            lengths = [kem.sizes[name] for name in KEPT]
            category = f"{claimed}{kem.category}"
            rows.append((code(kem.name), version, category, kem.security, *lengths))
    heads = ("KEM", "specification", "NIST category", "claims", *KEPT)
    return table_of([head.replace("_", " ") for head in heads], rows)


def groups(table):
    """The TLS groups of the provider."""
    rows = []
    for kem in filter(lambda kem: kem.tls, table.kems):
        word = kem.name.replace("-", "").lower()
        for half, point in kem.tls.items():
            title, share = HALVES.get(half, ("", 0))
            name = f"{half}_{word}" if title else word
            shares = [kem.sizes[part] + share for part in SENT]
            rows.append((code(name), point, kem.name, title, *shares))
    heads = ("TLS group", "code point", "KEM", "classical half", "client sends", "server sends")
    return table_of(heads, rows)


def identifiers(table):
    kems = [kem for kem in table.kems if kem.oid]
    return table_of([kem.name for kem in kems], [[code(f".{kem.oid}") for kem in kems]])


def sentence(text):
    return ["", f"{text}.", ""]


def names(table):
    return enumerated([code(kem.name) for kem in table.current("bike", "hqc")])


def rust(table):
    heads = ("", "level", "public key", "secret key", "ciphertext", "claimed")
    rows = [
        (code(rust_type(kem)), kem.category, *[kem.sizes[name] for name in KEPT], kem.security)
        for kem in [*table.current("hqc"), *table.current("bike")]
    ]
    return table_of(heads, rows)


def rust_groups(table):
    rows = []
    schemes = [[kem for kem in table.current(scheme) if kem.tls] for scheme in ("hqc", "bike")]
    for half in IN_RUSTLS:
        title, share = HALVES[half]
        for kem in [kem for kems in schemes for kem in kems if half in kem.tls]:
            word = code(f"{half}_{word_of(kem)}".upper())
            shares = [kem.sizes[part] + share for part in SENT]
            rows.append((word, kem.tls[half], kem.name, title, *shares))
    for kems in schemes:
        words = [code(word_of(kem, capital=True)) for kem in kems]
        points = [str(kem.tls["alone"]) for kem in kems]
        shares = [", ".join(str(kem.sizes[part]) for kem in kems) for part in SENT]
        rows.append((", ".join(words), ", ".join(points), kems[0].family, "none", *shares))
    heads = ("group", "code point", "KEM", "classical half", "client sends", "server sends")
    return table_of(heads, rows)


def js(table):
    """In columns, as the package's formatter has them."""
    rows = [("import", "KEMs", "public key, ciphertext in bytes")]
    for scheme in ("hqc", "bike"):
        kems = table.current(scheme)
        lengths = [f"{kem.sizes['public_key']}, {kem.sizes['ciphertext']}" for kem in kems]
        words = ", ".join(code(word_of(kem)) for kem in kems)
        rows.append((code(f"codekem/{scheme}.js"), words, "; ".join(lengths)))
    rows.append((code("codekem"), "all", ""))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    rule = tuple("-" * width for width in widths)
    padded = [
        [cell.ljust(width) for cell, width in zip(row, widths, strict=True)]
        for row in (rows[0], rule, *rows[1:])
    ]
    return ["", *[f"| {' | '.join(cells)} |" for cells in padded], ""]


def files(_table, _root):
    return {}


def regions(table, _root):
    bike, hqc = (
        [word_of(kem, capital=True) for kem in table.current(scheme)] for scheme in ("bike", "hqc")
    )
    classes = enumerated([code(word) for word in hqc + bike])
    functions = enumerated([code(f"{word}()") for word in bike + hqc])
    return {
        "docs/kems.md": {"sizes": sizes(table)},
        "docs/tls.md": {
            "groups": groups(table),
            "names": sentence(f"The algorithms are {names(table)}"),
            "identifiers": identifiers(table),
        },
        "bindings/go/README.md": {"kems": sentence(f"The KEMs are {functions}")},
        "bindings/java/README.md": {"kems": sentence(f"The KEMs are {names(table)}")},
        "bindings/js/README.md": {"kems": js(table)},
        "bindings/python/README.md": {"kems": sentence(f"There are {classes}")},
        "bindings/rust/codekem/README.md": {"kems": rust(table)},
        "bindings/rust/codekem-rustls/README.md": {"groups": rust_groups(table)},
    }
