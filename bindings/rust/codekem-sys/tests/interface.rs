// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The declarations are those of codekem.h: functions, constants, and the members of codekem_kem.

use codekem_sys::*;
use std::collections::BTreeSet;
use std::ffi::CStr;

const HEADER: &str = include_str!("../native/include/codekem.h");
const DECLARED: &str = include_str!("../src/lib.rs");

/// Returns the words before each "(" that begin with `codekem_`, where the line passes `wanted`.
fn functions(text: &str, wanted: impl Fn(&str) -> bool) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for line in text.lines().filter(|line| wanted(line)) {
        let before = line.split('(').next().unwrap();
        let word = before.rsplit([' ', '*']).next().unwrap();
        if line.contains('(') && word.starts_with("codekem_") {
            found.insert(word.to_string());
        }
    }
    found
}

#[test]
fn functions_are_those_of_the_header() {
    let here = functions(DECLARED, |line| {
        line.trim_start().starts_with("pub fn")
            && !line.contains("codekem_legacy")
            && !line.contains("codekem_mceliece")
    });
    let there = functions(HEADER, |line| line.starts_with("CODEKEM_API"));
    assert_eq!(here, there);
    assert_eq!(there.len(), 30);
}

#[test]
fn constants_are_those_of_the_header() {
    let mut compared = 0;
    for line in HEADER.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        if let ["#define", name, value] = words[..] {
            if name.starts_with("CODEKEM_MAX_") || name == "CODEKEM_WORKSPACE_ALIGNMENT" {
                assert!(
                    DECLARED.contains(&format!("pub const {name}: usize = {value};")),
                    "{name}"
                );
                compared += 1;
            }
        }
        if let [name, "=", value, ..] = words[..] {
            if name == "CODEKEM_OK" || name.starts_with("CODEKEM_ERROR_") {
                let value = value.trim_end_matches(',');
                let here = format!("pub const {name}: codekem_status = {value};");
                assert!(DECLARED.contains(&here), "{name}");
                compared += 1;
            }
        }
    }
    assert_eq!(compared, 19);
}

#[test]
fn versions_are_the_same() {
    // SAFETY: the library returns a constant string.
    let version = unsafe { CStr::from_ptr(codekem_version()) };
    assert_eq!(version.to_str(), Ok(env!("CARGO_PKG_VERSION")));
}

/// The last member has the right value only if all before it have the right places.
#[test]
fn members_have_their_places() {
    // SAFETY: the KEMs are constants of the library, and their strings end in a zero byte.
    unsafe {
        assert!(codekem_kem_count() >= 6);
        let kem = &*codekem_kem_find(c"HQC-5".as_ptr());
        assert_eq!(CStr::from_ptr(kem.method_name), c"HQC-5");
        assert_eq!(CStr::from_ptr(kem.family), c"HQC");
        assert_eq!((kem.claimed_nist_level, kem.ind_cca, kem.superseded), (5, true, false));
        assert_eq!(kem.length_public_key, 7237);
        assert_eq!((kem.length_secret_key, kem.length_ciphertext), (7333, 14421));
        assert_eq!(kem.length_shared_secret, 32);
        assert_eq!((kem.length_keypair_seed, kem.length_encaps_seed), (32, 48));
        for length in [
            kem.length_keypair_workspace,
            kem.length_encaps_workspace,
            kem.length_decaps_workspace,
            kem.length_check_workspace,
            kem.length_keypair_batch_workspace,
            kem.length_encaps_batch_workspace,
            kem.length_decaps_batch_workspace,
        ] {
            assert!(length % 8 == 0 && (8192..CODEKEM_MAX_STACK).contains(&length));
        }
        assert!(codekem_kem_find(c"HQC-2".as_ptr()).is_null());
        assert!(codekem_kem_at(codekem_kem_count()).is_null());
    }
}

/// A seed and a workspace reach the library, and what it refuses has words.
#[test]
fn options_have_their_places() {
    // SAFETY: the buffers have the lengths of the KEM; the library refuses those that overlap.
    unsafe {
        let kem = &*codekem_kem_find(c"BIKE-L1".as_ptr());
        let length = kem.length_keypair_workspace;
        let mut memory = vec![0u8; length + CODEKEM_WORKSPACE_ALIGNMENT];
        let start = memory.as_ptr().align_offset(CODEKEM_WORKSPACE_ALIGNMENT);
        let seed = vec![7u8; kem.length_keypair_seed];
        let seeded = codekem_options { seed: seed.as_ptr(), ..Default::default() };
        let both = codekem_options {
            workspace: memory[start..].as_mut_ptr().cast(),
            workspace_length: length,
            ..seeded
        };
        let pair = |options| {
            let mut public = vec![0u8; kem.length_public_key];
            let mut secret = vec![0u8; kem.length_secret_key];
            let (p, s) = (public.as_mut_ptr(), secret.as_mut_ptr());
            (codekem_kem_keypair_with(kem, p, s, options), public, secret)
        };
        let expected = pair(&seeded);
        assert_eq!(expected.0, CODEKEM_OK);
        assert_ne!(expected.1, vec![0u8; kem.length_public_key]);
        assert_eq!(pair(&both), expected);
        let short = codekem_options { workspace_length: length - 1, ..both };
        assert_eq!(pair(&short).0, CODEKEM_ERROR_WORKSPACE);
        let lower = codekem_options { lower_first_threshold: 1, ..seeded };
        assert_eq!(pair(&lower).0, CODEKEM_ERROR_OPTIONS);
        let two = codekem_options { random: Some(codekem_random_system), ..seeded };
        assert_eq!(pair(&two).0, CODEKEM_ERROR_OPTIONS);

        let mut keys = vec![1u8; kem.length_public_key + kem.length_secret_key];
        let (public, secret) = (keys.as_mut_ptr(), keys[1..].as_mut_ptr());
        let status = codekem_kem_keypair_with(kem, public, secret, &seeded);
        assert_eq!(status, CODEKEM_ERROR_OVERLAP);
        assert!(keys.iter().all(|&byte| byte == 1));
        let words = |status| CStr::from_ptr(codekem_status_text(status)).to_bytes();
        assert_ne!(words(CODEKEM_ERROR_OPTIONS), words(-1));
        assert_ne!(words(CODEKEM_ERROR_OVERLAP), words(-1));
    }
}

#[cfg(feature = "legacy")]
#[test]
fn legacy_kems_are_there() {
    // SAFETY: as above.
    unsafe {
        assert_eq!(codekem_legacy_kem_count(), 3);
        let kem = &*codekem_legacy_kem_find(c"HQC-128-2023".as_ptr());
        assert!(kem.superseded);
        assert_eq!(kem.length_shared_secret, 64);
        assert_eq!(codekem_legacy_kem_at(0), kem as *const codekem_kem);
    }
}
