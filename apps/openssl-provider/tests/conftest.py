# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The fixtures that tests of the OpenSSL provider share."""

from tests.tls_fixtures import (  # noqa: F401 (fixtures)
    certificates,
    configuration,
    module,
    openssl,
    openssl_path,
    programs,
    s_client,
    s_server,
)
