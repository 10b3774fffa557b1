// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Has bindgen read the headers, and writes what compares their declarations with codekem-sys.

use std::fmt::Write;
use std::path::Path;
use std::{env, fs};

/// Returns the words behind `before` up to `end` in the lines that have both.
fn names<'a>(text: &'a str, before: &str, end: char) -> Vec<&'a str> {
    let behind = text.lines().filter_map(|line| line.split_once(before));
    behind.filter_map(|(_, rest)| Some(rest.split_once(end)?.0)).collect()
}

fn main() {
    println!("cargo::rerun-if-env-changed=CODEKEM_INCLUDE");
    let include = env::var("CODEKEM_INCLUDE").expect("CODEKEM_INCLUDE: the folder of the headers");
    let read = bindgen::Builder::default()
        .header(format!("{include}/codekem_legacy.h"))
        .rust_edition(bindgen::RustEdition::Edition2024)
        .layout_tests(false)
        .generate_comments(false);
    let types = read.clone().allowlist_type("codekem_kem").generate().unwrap().to_string();
    // Functions take the types of codekem-sys, so that theirs can be the same.
    let functions = read
        .allowlist_function("codekem_.*")
        .blocklist_type("codekem_(kem|status)(_internal)?")
        .generate()
        .unwrap()
        .to_string();

    let mut text = String::from("const _: () = {\n");
    let (_, members) = types.split_once("pub struct codekem_kem {").unwrap();
    let members = names(members.split_once('}').unwrap().0, "pub ", ':');
    assert_eq!(members.len(), 21);
    for member in members {
        let same = format!("assert!(offset_of!(KEM, {member}) == offset_of!(sys::KEM, {member}));");
        writeln!(text, "{}", same.replace("KEM", "codekem_kem")).unwrap();
        if member != "internal" {
            // of a type that codekem-sys does not have
            let both = "|a: codekem_kem, b: sys::codekem_kem|";
            writeln!(text, "let _ = {both} [a.{member}, b.{member}];").unwrap();
        }
    }
    text += "assert!(size_of::<codekem_kem>() == size_of::<sys::codekem_kem>());\n";
    let names = names(&functions, "pub fn ", '(');
    assert_eq!(names.len(), 42 + 3);
    for name in names {
        writeln!(text, "let _ = [functions::{name}, sys::{name}];").unwrap();
    }
    text += "};\n";
    let folder = env::var("OUT_DIR").unwrap();
    for (name, text) in [("types", types), ("functions", functions), ("same", text)] {
        fs::write(Path::new(&folder).join(format!("{name}.rs")), text).unwrap();
    }
}
