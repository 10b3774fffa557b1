# SPDX-License-Identifier: Apache-2.0 OR MIT
# What the tests of the evaluation need that is built: tools/graph/CMakeLists.txt has the functions.

made_build(gcc TARGETS all codekem_profile codekem_profile_callgrind codekem_repeat)
