# SPDX-License-Identifier: Apache-2.0 OR MIT
# What the tests of the tool need that is made: tools/graph/CMakeLists.txt has the functions.

made_build(gcc TARGETS all codekem_internals) # the library, which gives what must come out
