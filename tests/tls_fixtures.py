# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What tests of the OpenSSL provider share: the module, its configuration, certificates.

They import the fixtures from here.
"""

import os
import types

import pytest

from tests.c_library import SUFFIX
from tests.tls_programs import Handshake, free_port, run, serving, write_configuration


@pytest.fixture(scope="session")
def programs(build):
    """The folder of the preset gcc, with the module and the programs that use it."""
    return build(
        "gcc",
        targets=[
            "codekem_provider",
            "codekem_handshakes",
            "provider_check",
            "key_check",
            "leftovers",
            "large_keys",
            "read_key",
            "decapsulate",
        ],
    )


@pytest.fixture(scope="session")
def module(programs):
    """The path of codekem.so, or what it is called here."""
    return programs / "ossl-modules" / f"codekem{SUFFIX}"


@pytest.fixture(scope="session")
def configuration(module, tmp_path_factory):
    """An OpenSSL configuration that loads the provider and changes nothing."""
    return write_configuration(tmp_path_factory.mktemp("openssl") / "openssl.cnf", module)


@pytest.fixture(scope="session")
def openssl(configuration, openssl_path):
    """openssl("pkey", ...) runs that command with the provider and returns its output."""

    def call(*arguments, **options):
        return run([openssl_path, *arguments], **{"configuration": configuration} | options)

    return call


@pytest.fixture(scope="session")
def openssl_path():
    """The path of the system's openssl, or of the one that CODEKEM_OPENSSL names."""
    return os.environ.get("CODEKEM_OPENSSL", "/usr/bin/openssl")


@pytest.fixture(scope="session")
def certificates(tmp_path_factory, openssl_path):
    """Certificates with ECDSA on P-256: an authority, a server for localhost, and a client."""
    folder = tmp_path_factory.mktemp("certificates")

    def call(*arguments):
        run([openssl_path, *arguments])

    call(
        "req",
        "-x509",
        "-newkey",
        "ec",
        "-pkeyopt",
        "ec_paramgen_curve:P-256",
        "-nodes",
        "-keyout",
        folder / "ca.key",
        "-out",
        folder / "ca.crt",
        "-days",
        "2",
        "-subj",
        "/CN=Test Authority",
        "-addext",
        "keyUsage=critical,keyCertSign",
    )
    for name, extension in [
        ("server", "subjectAltName=DNS:localhost,IP:127.0.0.1"),
        ("client", "extendedKeyUsage=clientAuth"),
    ]:
        (folder / f"{name}.ext").write_text(extension)
        call(
            "req",
            "-newkey",
            "ec",
            "-pkeyopt",
            "ec_paramgen_curve:P-256",
            "-nodes",
            "-keyout",
            folder / f"{name}.key",
            "-out",
            folder / f"{name}.csr",
            "-subj",
            f"/CN={name}",
        )
        call(
            "x509",
            "-req",
            "-in",
            folder / f"{name}.csr",
            "-CA",
            folder / "ca.crt",
            "-CAkey",
            folder / "ca.key",
            "-CAcreateserial",
            "-days",
            "2",
            "-extfile",
            folder / f"{name}.ext",
            "-out",
            folder / f"{name}.crt",
        )
        (folder / f"{name}.pem").write_text(
            (folder / f"{name}.crt").read_text() + (folder / f"{name}.key").read_text()
        )
    return folder


@pytest.fixture(scope="session")
def s_server(openssl_path, certificates, configuration, tmp_path_factory):
    """s_server("bikel1:X25519", *options) runs `openssl s_server`, which tells its port."""

    def start(groups, *options, version="-tls1_3", **more):
        port = free_port()
        log = tmp_path_factory.mktemp("s_server") / "log"
        command = [
            openssl_path,
            "s_server",
            "-accept",
            f"127.0.0.1:{port}",
            *version.split(),
            "-groups",
            groups,
            "-cert",
            certificates / "server.crt",
            "-key",
            certificates / "server.key",
            "-www",
            *options,
        ]
        running = serving(command, port, more.get("configuration", configuration), log)
        return types.SimpleNamespace(port=port, log=log, running=running)

    return start


@pytest.fixture(scope="session")
def s_client(openssl, certificates):
    """s_client(port, "bikel1", *options) connects and returns a Handshake."""

    def connect(port, groups, *options, stdin=b"", **more):
        done = openssl(
            "s_client",
            "-connect",
            f"127.0.0.1:{port}",
            "-groups",
            groups,
            "-CAfile",
            certificates / "ca.crt",
            "-verify_return_error",
            *options,
            stdin=stdin,
            check=False,
            **more,
        )
        return Handshake(done.stdout)

    return connect
