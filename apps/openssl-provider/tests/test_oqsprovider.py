# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Handshakes with oqs-provider, if CODEKEM_OQSPROVIDER names its module.

To make one, build liboqs and oqs-provider with their CMake files, in any folder:

    cmake -G Ninja -S liboqs -B b-liboqs -DCMAKE_BUILD_TYPE=Release -DOQS_BUILD_ONLY_LIB=ON \\
        -DOQS_DIST_BUILD=ON -DOQS_ENABLE_KEM_HQC=ON -DCMAKE_INSTALL_PREFIX=$PWD/inst
    ninja -C b-liboqs install
    cmake -G Ninja -S oqs-provider -B b-prov -DCMAKE_BUILD_TYPE=Release \\
        -Dliboqs_DIR=$PWD/inst/lib/cmake/liboqs
    ninja -C b-prov
    CODEKEM_OQSPROVIDER=$PWD/b-prov/lib/oqsprovider.so \\
        make test ROOM=apps/openssl-provider/tests/test_oqsprovider.py
"""

import os

import pytest

from tests.tls_programs import GROUPS, write_configuration

# oqs-provider switches the groups of BIKE-L1 off.
SHARED = [group for group in GROUPS if not group.endswith("bikel1")]


@pytest.fixture(scope="module")
def other_configuration(tmp_path_factory):
    module = os.environ.get("CODEKEM_OQSPROVIDER")
    if module is None:
        pytest.skip("CODEKEM_OQSPROVIDER names no module of oqs-provider")
    path = write_configuration(tmp_path_factory.mktemp("oqs") / "openssl.cnf", module)
    path.write_text(path.read_text().replace("codekem =", "oqsprovider ="))
    return path


@pytest.mark.parametrize("group", SHARED)
def test_oqsprovider_serves(group, other_configuration, s_server, s_client):
    started = s_server(group, configuration=other_configuration)
    with started.running:
        handshake = s_client(started.port, group)
    assert handshake.new and handshake.used(group), handshake.output


@pytest.mark.parametrize("group", SHARED)
def test_oqsprovider_connects(group, other_configuration, s_server, s_client):
    started = s_server(group)
    with started.running:
        handshake = s_client(started.port, group, configuration=other_configuration)
    assert handshake.new and handshake.used(group), handshake.output
