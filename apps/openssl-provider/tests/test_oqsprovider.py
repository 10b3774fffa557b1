# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Handshakes with oqs-provider, if CODEKEM_OQSPROVIDER names it (docs/tls.md)."""

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
