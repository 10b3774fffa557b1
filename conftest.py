# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Gives the tests of all rooms what they share."""

import pathlib

HERE = pathlib.Path(__file__).resolve().parent

pytest_plugins = ["tests.fixtures"]
if (HERE / "proofs").is_dir():
    pytest_plugins.append("proofs.proof_plugin")
