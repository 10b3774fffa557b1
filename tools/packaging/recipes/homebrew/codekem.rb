# SPDX-License-Identifier: Apache-2.0 OR MIT
# For a tap: library and command.
class Codekem < Formula
  desc "Code-based post-quantum key encapsulation: HQC and BIKE"
  homepage "@REPOSITORY@"
  url "@URL@"
  sha256 "@SHA256@"
  license any_of: ["Apache-2.0", "MIT"]

  depends_on "cli11" => :build
  depends_on "cmake" => :build
  depends_on "ninja" => :build
  depends_on "nlohmann-json" => :build

  def install
    system "cmake", "-G", "Ninja", "-S", ".", "-B", "build", *std_cmake_args
    system "cmake", "--build", "build"
    system "cmake", "--install", "build"
    pkgshare.install "tools/packaging/recipes/consumer.c"
  end

  test do
    system bin/"codekem", "selftest"
    system ENV.cc, pkgshare/"consumer.c", "-I#{include}", "-L#{lib}", "-lcodekem", "-o", "consumer"
    assert_match "HQC-1 agrees", shell_output("./consumer")
  end
end
