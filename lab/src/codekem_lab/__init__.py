# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The decoder laboratory: how often the decoders of BIKE and HQC fail."""

__version__ = "0.1.0"
