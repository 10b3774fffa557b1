# SPDX-License-Identifier: Apache-2.0 OR MIT
# For nixpkgs, or pkgs.callPackage ./package.nix { } of anybody: library and command.
{
  lib,
  stdenv,
  fetchurl,
  cmake,
  ninja,
  pkg-config,
  cli11,
  nlohmann_json,
}:

stdenv.mkDerivation (finalAttrs: {
  pname = "codekem";
  version = "@VERSION@";

  src = fetchurl {
    url = "@URL@";
    hash = "@SRI@";
  };

  nativeBuildInputs = [
    cmake
    ninja
    pkg-config
  ];
  buildInputs = [
    cli11
    nlohmann_json
  ];

  doInstallCheck = true;
  installCheckPhase = ''
    runHook preInstallCheck
    $out/bin/codekem selftest
    flags=$(PKG_CONFIG_PATH=$out/lib/pkgconfig pkg-config --cflags --libs codekem)
    $CC ../tools/packaging/recipes/consumer.c -o consumer $flags -Wl,-rpath,$out/lib
    ./consumer
    runHook postInstallCheck
  '';

  meta = {
    description = "Code-based post-quantum key encapsulation: HQC and BIKE, in constant time";
    homepage = "@REPOSITORY@";
    license = with lib.licenses; [
      asl20
      mit
    ];
    platforms = lib.platforms.unix;
    mainProgram = "codekem";
  };
})
