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
        .header(format!("{include}/codekem_mceliece.h"))
        .rust_edition(bindgen::RustEdition::Edition2024)
        .layout_tests(false)
        .generate_comments(false);
    let types = read.clone().allowlist_type("codekem_(kem|options)");
    let types = types.generate().unwrap().to_string();
    // Functions take the types of codekem-sys, so that theirs can be the same.
    let functions = read
        .allowlist_function("codekem_.*")
        // Of Classic McEliece codekem-sys has what finds its KEMs.
        .blocklist_function("codekem_mceliece_(encaps|expand|prepare|decaps|rows|keypair).*")
        .blocklist_type("codekem_(kem|options|random_function|status)(_internal)?")
        .generate()
        .unwrap()
        .to_string();

    let mut text = String::from("const _: () = {\n");
    for (kind, count) in [("codekem_kem", 21), ("codekem_options", 7)] {
        let (_, members) = types.split_once(&format!("pub struct {kind} {{")).unwrap();
        let members = names(members.split_once('}').unwrap().0, "pub ", ':');
        assert_eq!(members.len(), count);
        for member in members {
            let same = "assert!(offset_of!(KIND, MEMBER) == offset_of!(sys::KIND, MEMBER));";
            let same = same.replace("KIND", kind).replace("MEMBER", member);
            writeln!(text, "{same}").unwrap();
            if member != "internal" {
                // of a type that codekem-sys does not have
                let both = format!("|a: {kind}, b: sys::{kind}|");
                writeln!(text, "let _ = {both} [a.{member}, b.{member}];").unwrap();
            }
        }
        writeln!(text, "assert!(size_of::<{kind}>() == size_of::<sys::{kind}>());").unwrap();
    }
    let names = names(&functions, "pub fn ", '(');
    assert_eq!(names.len(), 30 + 3 + 4);
    for name in names {
        writeln!(text, "let _ = [functions::{name}, sys::{name}];").unwrap();
    }
    text += "};\n";
    let folder = env::var("OUT_DIR").unwrap();
    for (name, text) in [("types", types), ("functions", functions), ("same", text)] {
        fs::write(Path::new(&folder).join(format!("{name}.rs")), text).unwrap();
    }
}
