# SPDX-License-Identifier: Apache-2.0 OR MIT
# What the tests of the tools need that is built: tools/graph/CMakeLists.txt has the functions.

made_build(gcc)
made_build(cortex-m4 TARGETS operations)
