// SPDX-License-Identifier: Apache-2.0 OR MIT
//! HQC of 2023 of another library, for tests: reads commands from standard input, a line each, and
//! answers each with a line. Bytes are hexadecimal.
//!
//!   keypair BITS RANDOM                 PUBLIC_KEY SECRET_KEY
//!   encaps BITS PUBLIC_KEY RANDOM       CIPHERTEXT SHARED_SECRET
//!   decaps BITS CIPHERTEXT SECRET_KEY   STATUS SHARED_SECRET
//!   speed BITS ROUNDS                   the median time of each in nanoseconds
//!
//! BITS is 128, 192 or 256. RANDOM is what the library gets as randomness, all of it, or "-" for
//! the system's. STATUS is what the C function returns: 0, or -1 for a rejected ciphertext.
//! A feature of the build says which library it is: liboqs, or pqclean, which is what the crate
//! pqcrypto-hqc has.

#[cfg(feature = "liboqs")]
mod liboqs;
#[cfg(feature = "pqclean")]
mod pqclean;

#[cfg(feature = "liboqs")]
use liboqs as library;
#[cfg(feature = "pqclean")]
use pqclean as library;

use std::cell::RefCell;
use std::io::{BufRead, Read};
use std::time::Instant;

/// What the C functions look like.
pub struct Functions {
    pub keypair: unsafe fn(*mut u8, *mut u8) -> i32,
    pub encaps: unsafe fn(*mut u8, *mut u8, *const u8) -> i32,
    pub decaps: unsafe fn(*mut u8, *const u8, *const u8) -> i32,
}

struct Sizes {
    public_key: usize,
    secret_key: usize,
    ciphertext: usize,
}

const SHARED_SECRET: usize = 64;

fn sizes(bits: u32) -> Sizes {
    match bits {
        128 => Sizes { public_key: 2249, secret_key: 2305, ciphertext: 4433 },
        192 => Sizes { public_key: 4522, secret_key: 4586, ciphertext: 8978 },
        _ => Sizes { public_key: 7245, secret_key: 7317, ciphertext: 14421 },
    }
}

thread_local! {
    /// The randomness that was given, and how much of it was used; None: the system's.
    static GIVEN: RefCell<Option<(Vec<u8>, usize)>> = const { RefCell::new(None) };
}

/// The libraries' source of randomness.
pub fn fill(out: &mut [u8]) {
    GIVEN.with_borrow_mut(|given| match given {
        Some((bytes, used)) => {
            let end = *used + out.len();
            assert!(end <= bytes.len(), "more randomness was asked for than was given");
            out.copy_from_slice(&bytes[*used..end]);
            *used = end;
        }
        None => std::fs::File::open("/dev/urandom")
            .and_then(|mut file| file.read_exact(out))
            .expect("the system gives no randomness"),
    });
}

fn give(random: &str) {
    GIVEN.set(if random == "-" { None } else { Some((from_hex(random), 0)) });
}

fn require_all_used() {
    GIVEN.with_borrow(|given| {
        if let Some((bytes, used)) = given {
            assert_eq!(*used, bytes.len(), "less randomness was asked for than was given");
        }
    });
}

fn from_hex(text: &str) -> Vec<u8> {
    assert_eq!(text.len() % 2, 0, "half a byte");
    (0..text.len())
        .step_by(2)
        .map(|i| u8::from_str_radix(&text[i..i + 2], 16).expect("not hexadecimal"))
        .collect()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn keypair(bits: u32) -> (Vec<u8>, Vec<u8>) {
    let sizes = sizes(bits);
    let (mut public_key, mut secret_key) = (vec![0; sizes.public_key], vec![0; sizes.secret_key]);
    // SAFETY: the buffers have the published sizes, here and below.
    let status = unsafe {
        (library::functions(bits).keypair)(public_key.as_mut_ptr(), secret_key.as_mut_ptr())
    };
    assert_eq!(status, 0);
    (public_key, secret_key)
}

fn encaps(bits: u32, public_key: &[u8]) -> (Vec<u8>, [u8; SHARED_SECRET]) {
    let sizes = sizes(bits);
    assert_eq!(public_key.len(), sizes.public_key);
    let (mut ciphertext, mut secret) = (vec![0; sizes.ciphertext], [0; SHARED_SECRET]);
    // SAFETY: as above.
    let status = unsafe {
        (library::functions(bits).encaps)(
            ciphertext.as_mut_ptr(),
            secret.as_mut_ptr(),
            public_key.as_ptr(),
        )
    };
    assert_eq!(status, 0);
    (ciphertext, secret)
}

fn decaps(bits: u32, ciphertext: &[u8], secret_key: &[u8]) -> (i32, [u8; SHARED_SECRET]) {
    let sizes = sizes(bits);
    assert_eq!((ciphertext.len(), secret_key.len()), (sizes.ciphertext, sizes.secret_key));
    let mut secret = [0; SHARED_SECRET];
    // SAFETY: as above.
    let status = unsafe {
        (library::functions(bits).decaps)(
            secret.as_mut_ptr(),
            ciphertext.as_ptr(),
            secret_key.as_ptr(),
        )
    };
    (status, secret)
}

fn speed(bits: u32, rounds: u32) -> String {
    let mut samples = [const { Vec::new() }; 3];
    for _ in 0..rounds {
        let start = Instant::now();
        let (public_key, secret_key) = keypair(bits);
        let made = Instant::now();
        let (ciphertext, secret) = encaps(bits, &public_key);
        let sent = Instant::now();
        let result = decaps(bits, &ciphertext, &secret_key);
        let received = Instant::now();
        assert_eq!(result, (0, secret));
        for (list, time) in samples.iter_mut().zip([made - start, sent - made, received - sent]) {
            list.push(time.as_nanos());
        }
    }
    samples
        .map(|mut list| {
            list.sort_unstable();
            list[list.len() / 2].to_string()
        })
        .join(" ")
}

fn answer(line: &str) -> String {
    let words: Vec<&str> = line.split_whitespace().collect();
    let bits: u32 = words.get(1).and_then(|word| word.parse().ok()).expect("no BITS");
    assert!([128, 192, 256].contains(&bits), "no such BITS");
    match words[..] {
        ["keypair", _, random] => {
            give(random);
            let (public_key, secret_key) = keypair(bits);
            require_all_used();
            format!("{} {}", hex(&public_key), hex(&secret_key))
        }
        ["encaps", _, public_key, random] => {
            give(random);
            let (ciphertext, secret) = encaps(bits, &from_hex(public_key));
            require_all_used();
            format!("{} {}", hex(&ciphertext), hex(&secret))
        }
        ["decaps", _, ciphertext, secret_key] => {
            let (status, secret) = decaps(bits, &from_hex(ciphertext), &from_hex(secret_key));
            format!("{status} {}", hex(&secret))
        }
        ["speed", _, rounds] => {
            give("-");
            speed(bits, rounds.parse().expect("no ROUNDS"))
        }
        _ => panic!("not a command: {line}"),
    }
}

fn main() {
    library::prepare();
    for line in std::io::stdin().lock().lines() {
        println!("{}", answer(&line.expect("standard input cannot be read")));
    }
}
