# SPDX-License-Identifier: Apache-2.0 OR MIT
"""age-plugin-codekem: its own tests; files that age and rage exchange through it, in all pairs; a
reader of its files in Python; and the package for Debian."""

import base64
import hashlib
import hmac
import os
import re
import shutil
import subprocess

import pytest
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import x25519
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from bindings import pack_age
from bindings.tests import go_packages, made_packages
from tools import mistakes
from tools.packaging import debian, package_stage
from tools.packaging.package_stage import version

MODULE = f"{go_packages.MODULE}/{pack_age.NAME}"
# Debian's age, which knows no labels before 1.3; age of go.mod; rage, which CODEKEM_RAGE names.
CLIENTS = ("age", "new age", "rage")
LABELS = ("new age", "rage")
long = pytest.mark.long

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def consumer(tmp_path_factory):
    """A module outside the checkout that needs the plugin's."""
    if why := made_packages.why_no_go():
        pytest.skip(why)
    made = go_packages.Consumer(
        tmp_path_factory.mktemp("consumer"), made_packages.found("go"), made_packages.MODULES
    )
    made.go("get", f"{MODULE}@v{version()}")
    return made


def test_own_tests(consumer):
    text = consumer.go("test", "-count=1", "-v", "-vet=off", MODULE)
    for name in ["StanzaIsTheKnownAnswer", "AgesClientReadsAndWrites", "FailuresAreSaid"]:
        assert f"--- PASS: Test{name}" in text


@pytest.mark.parametrize("mistake", mistakes.cases("packages/age plugin"))
def test_careless_plugin_is_noticed(mistake, consumer, root, tmp_path_factory):
    folder = tmp_path_factory.mktemp("changed", numbered=True)
    folder = consumer.module / folder.name
    shutil.copytree(root / "bindings" / "go" / pack_age.NAME, folder)
    for name in ("go.mod", "go.sum"):
        (folder / name).unlink()
    path = folder / mistake.file.rpartition("/")[2]
    path.write_text(mistake.changed(path.read_text()))
    with pytest.raises(AssertionError, match=f"--- FAIL: {mistake.by} "):
        consumer.go("test", "-count=1", f"./{folder.name}")


# --- Exchanges ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def programs(consumer, tmp_path_factory):
    """{client: its program}, with the plugin in PATH of all."""
    folder = tmp_path_factory.mktemp("programs")
    consumer.go("build", "-o", folder / pack_age.NAME, MODULE)
    consumer.go("build", "-o", folder / "new-age", "filippo.io/age/cmd/age")
    found = {
        "age": shutil.which("age"),
        "new age": folder / "new-age",
        "rage": os.environ.get("CODEKEM_RAGE") or shutil.which("rage"),
    }
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
        yield found


def program(programs, client):
    if programs[client] is None:
        pytest.skip(f"no files exchanged with {client}: install it, or name it in CODEKEM_RAGE")
    return programs[client]


def call(*words, data=b""):
    return subprocess.run(
        [str(word) for word in words], input=data, capture_output=True, check=False
    )


def done(*words, data=b""):
    """Runs a program that must succeed; returns what it printed."""
    made = call(*words, data=data)
    assert made.returncode == 0, f"{words}: {made.stderr.decode()}"
    return made.stdout


class Pair:
    """A new identity and its recipient, in files."""

    def __init__(self, folder, name):
        self.secret, self.public = folder / f"{name}.key", folder / f"{name}.pub"
        self.public.write_bytes(done(pack_age.NAME, "keygen", "-o", self.secret))


@pytest.fixture
def bob(programs, tmp_path):
    return Pair(tmp_path, "bob")


PLAIN = b"text \0 and more" * 7000  # more than one chunk of age


@long
@pytest.mark.parametrize("reader", CLIENTS)
@pytest.mark.parametrize("writer", CLIENTS)
def test_files_of_one_client_are_read_by_another(writer, reader, programs, bob, tmp_path):
    write, read = (program(programs, client) for client in (writer, reader))
    carol, eve = Pair(tmp_path, "carol"), Pair(tmp_path, "eve")
    for options in (
        ["-R", bob.public, "-R", carol.public],
        ["-a", "-R", bob.public, "-R", carol.public],
        ["-e", "-i", bob.secret, "-i", carol.secret],
    ):
        file = done(write, *options, data=PLAIN)
        for of in (bob, carol):
            assert done(read, "-d", "-i", of.secret, data=file) == PLAIN
        wrong = call(read, "-d", "-i", eve.secret, data=file)
        assert wrong.returncode != 0 and wrong.stdout == b""


@long
@pytest.mark.parametrize("reader", CLIENTS)
def test_altered_files_are_refused(reader, programs, bob):
    read = program(programs, reader)
    file = done(program(programs, "new age"), "-R", bob.public, data=b"text")
    header = file.index(b"\n---")
    body = file.rindex(b"\n", 0, header)
    for at in (100, 3000, body - 40, body + 5, header + 8, len(file) - 1):
        altered = bytearray(file)
        altered[at] = ord("A") if altered[at] != ord("A") else ord("B")
        refused = call(read, "-d", "-i", bob.secret, data=bytes(altered))
        assert refused.returncode != 0 and refused.stdout == b"", at
    for end in (len(file) - 1, header, 1000):
        refused = call(read, "-d", "-i", bob.secret, data=file[:end])
        assert refused.returncode != 0 and refused.stdout == b"", end


@long
@pytest.mark.parametrize("client", CLIENTS)
def test_no_classic_recipient_gets_in_unnoticed(client, programs, bob):
    classic = "age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p"
    mixed = call(program(programs, client), "-R", bob.public, "-r", classic, data=b"text")
    alone = call(program(programs, client), "-R", bob.public, data=b"text")
    warned = b"cannot check that all recipients are post-quantum"
    assert alone.returncode == 0
    refused = mixed.returncode != 0
    assert refused == (mixed.stdout == b"") == (warned not in mixed.stderr)
    assert refused == (warned not in alone.stderr)
    assert refused or client not in LABELS


@long
@pytest.mark.parametrize("client", CLIENTS)
def test_a_passphrase_beside_is_refused(client, programs, bob):
    mixed = call(program(programs, client), "-p", "-R", bob.public, data=b"text")
    assert mixed.returncode != 0 and mixed.stdout == b""


# --- Another reader -------------------------------------------------------------------------------

ALPHABET = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"


def seed_of(text):
    """Returns the seed in a file of an identity, from its text in bech32."""
    (words,) = re.findall(r"^AGE-PLUGIN-CODEKEM-1(\S+)$", text, re.MULTILINE)
    number = 0
    for letter in words[:-6].lower():
        number = number * 32 + ALPHABET.index(letter)
    data = (number >> 5 * len(words[:-6]) % 8).to_bytes(33, "big")
    assert data[0] == 1
    return data[1:]


def derived(secret, info, salt=None):
    return HKDF(hashes.SHA256(), 32, salt, info).derive(secret)


def decoded(text):
    return base64.b64decode(text + "=" * (-len(text) % 4), validate=True)


@long
def test_a_reader_in_python_opens_what_the_plugin_wrote(consumer, library, tmp_path, root):
    """The construction as docs/age.md says it, by our C library, hashlib and pyca/cryptography."""
    (tmp_path / "write.go").write_text((root / "bindings/tests/go_age.go").read_text())
    shutil.copytree(tmp_path, consumer.module / "writer")
    plugin = tmp_path / pack_age.NAME
    consumer.go("build", "-o", plugin, MODULE)
    done(plugin, "keygen", "-o", tmp_path / "key")
    environment = {"PATH": f"{tmp_path}:{os.environ['PATH']}"}
    consumer.go("run", "./writer", tmp_path / "key", tmp_path / "file", environment=environment)

    kem = library.kem("HQC-1")
    material = hashlib.shake_256(seed_of((tmp_path / "key").read_text())).digest(64)
    public, secret = library.keypair(kem, material[:32])
    x = x25519.X25519PrivateKey.from_private_bytes(material[32:])
    public += x.public_key().public_bytes_raw()

    file = (tmp_path / "file").read_bytes()
    header, _, rest = file.partition(b"\n--- ")
    lines = header.decode().splitlines()
    (at,) = [i for i, line in enumerate(lines) if line.startswith("-> codekem/hqc1x25519 ")]
    sent = decoded(lines[at].split()[2])
    shared = library.decaps(kem, sent[:-32], secret)
    shared += x.exchange(x25519.X25519PublicKey.from_public_bytes(sent[-32:]))
    label = b"codekem-HQC-1-X25519-UG-v0"
    hybrid = hashlib.sha3_256(shared + sent + public + label).digest()
    key = ChaCha20Poly1305(derived(hybrid, b"codekem/age-plugin/hqc1x25519"))
    file_key = key.decrypt(bytes(12), decoded(lines[at + 1]), None)
    with pytest.raises(InvalidTag):
        key.decrypt(bytes(12), bytes(32), None)
    mac = hmac.digest(derived(file_key, b"header"), header + b"\n---", "sha256")
    said, _, payload = rest.partition(b"\n")
    assert decoded(said.decode()) == mac
    stream = ChaCha20Poly1305(derived(file_key, b"payload", payload[:16]))
    assert stream.decrypt(bytes(11) + b"\1", payload[16:], None) == b"text"


# --- Debian ---------------------------------------------------------------------------------------


@long
def test_package_for_debian(tmp_path, monkeypatch):
    for tool in ("lintian", "dpkg-buildpackage", "dh"):
        if shutil.which(tool) is None:
            pytest.skip(f"{tool} is missing: tools/setup.sh test")
    if why := made_packages.why_no_go():
        pytest.skip(why)
    monkeypatch.setenv(package_stage.ALLOW_DIRTY, "1")
    monkeypatch.setenv("SOURCE_DATE_EPOCH", made_packages.EPOCH)
    (package,) = pack_age.pack(tmp_path / "one")
    (again,) = pack_age.pack(tmp_path / "two")
    assert package.read_bytes() == again.read_bytes()
    assert package.name.startswith(f"{pack_age.NAME}_{version()}-{debian.REVISION}_")
    done("lintian", "--no-cfg", "--allow-root", "--pedantic", "--fail-on", "error,warning,pedantic",
         "--suppress-tags", "initial-upload-closes-no-bugs", package)  # fmt: skip
    done("dpkg-deb", "-x", package, tmp_path / "tree")
    plugin = tmp_path / "tree" / "usr" / "bin" / pack_age.NAME
    assert version() in done(plugin, "--version").decode()
    assert done(plugin, "keygen", "-o", tmp_path / "key").startswith(b"age1codekem1")
    linked = set(re.findall(r"^\tdep\t(\S+)", done("go", "version", "-m", plugin).decode(), re.M))
    text = (tmp_path / "tree/usr/share/doc" / pack_age.NAME / "copyright").read_text()
    assert all(f"vendor/{path}/*" in text for path in linked if "/codekem/" not in path)
    told = {part.partition("@")[0].removeprefix("pkg:golang/") for part, _ in pack_age.CONTAINS}
    assert told == {path for path in linked if "/codekem/" not in path}
