# SPDX-License-Identifier: Apache-2.0 OR MIT
"""codekem-hls: hardware of fixed latency from kernels in C."""
