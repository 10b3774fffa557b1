// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Compiles the library from the sources in native/ (an archive) or above (a clone), or finds an
//! installed one if CODEKEM_SYSTEM=1.

use std::env;
use std::path::{Path, PathBuf};

fn main() {
    println!("cargo::rerun-if-env-changed=CODEKEM_SYSTEM");
    println!("cargo::rerun-if-env-changed=DOCS_RS");
    if env::var_os("DOCS_RS").is_some() {
        return; // documentation needs no library
    }
    match env::var("CODEKEM_SYSTEM").as_deref() {
        Ok("1") => find_installed(),
        Ok("" | "0") | Err(env::VarError::NotPresent) => compile(),
        _ => stop("CODEKEM_SYSTEM is neither 0 (own sources) nor 1 (an installed library)"),
    }
}

fn stop(message: &str) -> ! {
    println!("cargo::error={message}");
    std::process::exit(1);
}

fn is_feature(name: &str) -> bool {
    env::var_os(format!("CARGO_FEATURE_{name}")).is_some()
}

/// Takes a library that pkg-config knows. The crate's version is that of the library; while the
/// first number is 0, the second must be the same.
fn find_installed() {
    let version = env::var("CARGO_PKG_VERSION").expect("set by cargo");
    let numbers: Vec<u32> = version.split('.').take(2).map(|n| n.parse().unwrap()).collect();
    let next = format!("{}.{}.0", numbers[0], numbers[1] + 1);
    let found = pkg_config::Config::new().range_version(version.as_str()..&next).probe("codekem");
    if let Err(error) = found {
        stop(&format!("CODEKEM_SYSTEM=1: {error}").replace('\n', " "));
    }
    for name in ["legacy", "mceliece"] {
        if is_feature(&name.to_uppercase()) {
            println!("cargo::rustc-link-lib=static=codekem-{name}");
        }
    }
}

/// Returns the files below folder whose names end in one of the suffixes, sorted.
fn files_below(folder: &Path, suffixes: &[&str]) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder)
        .unwrap_or_else(|error| stop(&format!("{}: {error}", folder.display())));
    let mut files = Vec::new();
    for entry in entries {
        let path = entry.expect("an entry of a folder").path();
        let name = path.to_string_lossy().into_owned();
        if path.is_dir() {
            files.extend(files_below(&path, suffixes));
        } else if suffixes.iter().any(|suffix| name.ends_with(suffix)) {
            files.push(path);
        }
    }
    files.sort();
    files
}

/// Returns the folder with the library's `include` and `src`.
fn library(own: &Path) -> PathBuf {
    let packed = own.join("native");
    if packed.is_dir() {
        return packed;
    }
    match own.ancestors().nth(3) {
        Some(clone) if clone.join("src/kem").is_dir() => clone.to_path_buf(),
        _ => {
            stop("the C sources are neither in native/, as in an archive, nor above, as in a clone")
        }
    }
}

/// Returns the C files of the library, and those of Classic McEliece and of `legacy` if asked for:
/// of the latter HQC of 2023 alone, for the other KEMs there need OpenSSL.
fn sources(root: &Path, suffixes: &[&str]) -> Vec<PathBuf> {
    let mut found = files_below(&root.join("src/common"), suffixes);
    found.extend(files_below(&root.join("src/kem"), suffixes));
    if is_feature("MCELIECE") {
        found.extend(files_below(&root.join("src/mceliece"), suffixes));
    }
    if is_feature("LEGACY") {
        found.extend(files_below(&root.join("src/legacy"), suffixes));
        found.retain(|file| !file.ends_with("aes_sha2.c"));
    }
    found
}

fn compile() {
    let target = |name: &str| env::var(format!("CARGO_CFG_TARGET_{name}")).unwrap_or_default();
    let own = PathBuf::from(env::var("CARGO_MANIFEST_DIR").expect("set by cargo"));
    let root = library(&own);
    for folder in ["include", "src"] {
        println!("cargo::rerun-if-changed={}", root.join(folder).display());
    }

    let mut build = cc::Build::new();
    build.std("c11").include(root.join("include")).warnings(false);
    for folder in ["src", "src/common", "src/kem", "src/mceliece/goppa"] {
        build.include(root.join(folder));
    }
    // Working memory is one block in which objects of several types take turns.
    build.flag("-fno-strict-aliasing");
    if target("OS") != "windows" {
        // Calls that take their memory from the stack then hit its guard instead of going past it.
        // On Windows compilers do this without being asked; with the flag, gcc 12 fails there.
        build.flag_if_supported("-fstack-clash-protection");
    }
    build.define("CODEKEM_BUILDING", None).define("NDEBUG", None);
    // Unoptimized code is some 30 times slower, and nobody has checked that it is constant time.
    // The profiles that ask for size get it.
    if !matches!(env::var("OPT_LEVEL").as_deref(), Ok("s" | "z")) {
        build.opt_level(3);
    }
    if target("ENV") == "msvc" {
        // The sources need gcc or clang; cl lacks the barriers that constant time depends on.
        if env::var_os("CC").is_none() && !build.get_compiler().is_like_clang() {
            build.compiler("clang-cl");
        }
    } else if target("OS") == "windows" {
        // gcc's bug 54412: the stack is not aligned to whole vectors.
        build.flag_if_supported("-Wa,-muse-unaligned-vector-move");
    }
    let wasm = target("ARCH") == "wasm32" && target("OS") == "unknown";
    if wasm {
        // clang brings no C library for this target.
        let bare = own.join("bare");
        build.include(&bare).file(bare.join("strcmp.c"));
        println!("cargo::rerun-if-changed={}", bare.display());
    }
    if target("FEATURE").split(',').any(|feature| feature == "simd128") {
        build.flag("-msimd128");
    }
    let bare = wasm || target("OS") == "none";
    let m4 = bare && env::var("TARGET").expect("set by cargo").starts_with("thumbv7em");
    if bare {
        build.define("CODEKEM_SMALL", None);
    }
    if m4 {
        build.define("CODEKEM_HAVE_M4", None);
    }
    build.files(sources(&root, if m4 { &[".c", ".S"] } else { &[".c"] }));
    build.compile("codekem");
    if target("OS") == "windows" {
        println!("cargo::rustc-link-lib=bcrypt");
    }
    println!("cargo::metadata=include={}", root.join("include").display());
}
