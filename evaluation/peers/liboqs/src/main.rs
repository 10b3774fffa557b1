// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Times liboqs and codekem side by side: calls alternate in one process on one core, so that a
//! change of clock or a noisy neighbour meets both alike.
//!
//! usage: codekem-liboqs-peer LIBRARY [ROUNDS]     LIBRARY: path of libcodekem.so
//!
//! Prints a JSON object: for each pair of KEMs and each operation the median and the quartiles of
//! both sides, in microseconds, and the ratio of the medians (liboqs over codekem).

use std::ffi::{c_char, c_int, c_void, CStr, CString};
use std::time::Instant;

use oqs::kem::{Algorithm, Kem};

extern "C" {
    fn dlopen(path: *const c_char, flags: c_int) -> *mut c_void;
    fn dlsym(library: *mut c_void, name: *const c_char) -> *mut c_void;
    fn dlerror() -> *const c_char;
}

/// The fields of codekem_kem that this program reads, in the order of codekem.h.
#[repr(C)]
struct Description {
    method_name: *const c_char,
    alg_version: *const c_char,
    security: *const c_char,
    claimed_nist_level: u8,
    ind_cca: bool,
    length_public_key: usize,
    length_secret_key: usize,
    length_ciphertext: usize,
    length_shared_secret: usize,
}

/// The functions of libcodekem.
struct Codekem {
    find: extern "C" fn(*const c_char) -> *const Description,
    keypair: extern "C" fn(*const Description, *mut u8, *mut u8) -> c_int,
    encaps: extern "C" fn(*const Description, *mut u8, *mut u8, *const u8) -> c_int,
    decaps: extern "C" fn(*const Description, *mut u8, *const u8, *const u8) -> c_int,
    backend: extern "C" fn() -> *const c_char,
}

fn stop(message: &str) -> ! {
    eprintln!("codekem-liboqs-peer: error: {message}");
    std::process::exit(1);
}

impl Codekem {
    fn open(path: &str) -> Self {
        let now = 2; // RTLD_NOW
        let name = CString::new(path).unwrap_or_else(|_| stop("the path holds a zero byte"));
        // SAFETY: dlopen, dlsym and dlerror take C strings; the types are those of codekem.h.
        unsafe {
            let library = dlopen(name.as_ptr(), now);
            if library.is_null() {
                stop(&CStr::from_ptr(dlerror()).to_string_lossy());
            }
            let symbol = |name: &CStr| {
                let address = dlsym(library, name.as_ptr());
                if address.is_null() {
                    stop(&format!("{path} lacks {}", name.to_string_lossy()));
                }
                address
            };
            Codekem {
                find: std::mem::transmute(symbol(c"codekem_kem_find")),
                keypair: std::mem::transmute(symbol(c"codekem_kem_keypair")),
                encaps: std::mem::transmute(symbol(c"codekem_kem_encaps")),
                decaps: std::mem::transmute(symbol(c"codekem_kem_decaps")),
                backend: std::mem::transmute(symbol(c"codekem_backend_current")),
            }
        }
    }

    fn backend_name(&self) -> String {
        let name = (self.backend)();
        if name.is_null() {
            stop("CODEKEM_CPU names a back end that cannot run here");
        }
        // SAFETY: the library returns a constant C string.
        unsafe { CStr::from_ptr(name) }.to_string_lossy().into_owned()
    }
}

/// Microseconds of keypair, encaps and decaps.
type Times = [f64; 3];

fn exchange_codekem(codekem: &Codekem, kem: &Description) -> Times {
    let mut public_key = vec![0u8; kem.length_public_key];
    let mut secret_key = vec![0u8; kem.length_secret_key];
    let mut ciphertext = vec![0u8; kem.length_ciphertext];
    let mut sent = vec![0u8; kem.length_shared_secret];
    let mut received = vec![0u8; kem.length_shared_secret];
    let start = Instant::now();
    let made = (codekem.keypair)(kem, public_key.as_mut_ptr(), secret_key.as_mut_ptr());
    let after_keypair = Instant::now();
    let sealed = (codekem.encaps)(
        kem,
        ciphertext.as_mut_ptr(),
        sent.as_mut_ptr(),
        public_key.as_ptr(),
    );
    let after_encaps = Instant::now();
    let opened = (codekem.decaps)(
        kem,
        received.as_mut_ptr(),
        ciphertext.as_ptr(),
        secret_key.as_ptr(),
    );
    let after_decaps = Instant::now();
    if made != 0 || sealed != 0 || opened != 0 || sent != received {
        stop("an exchange of codekem failed");
    }
    times([start, after_keypair, after_encaps, after_decaps])
}

fn exchange_liboqs(kem: &Kem) -> Times {
    const FAILED: &str = "an exchange of liboqs failed";
    let start = Instant::now();
    let (public_key, secret_key) = kem.keypair().unwrap_or_else(|_| stop(FAILED));
    let after_keypair = Instant::now();
    let (ciphertext, sent) = kem.encapsulate(&public_key).unwrap_or_else(|_| stop(FAILED));
    let after_encaps = Instant::now();
    let received = kem
        .decapsulate(&secret_key, &ciphertext)
        .unwrap_or_else(|_| stop(FAILED));
    let after_decaps = Instant::now();
    if sent != received {
        stop(FAILED);
    }
    times([start, after_keypair, after_encaps, after_decaps])
}

fn times(points: [Instant; 4]) -> Times {
    std::array::from_fn(|i| (points[i + 1] - points[i]).as_nanos() as f64 / 1000.0)
}

/// Quartiles of one operation.
fn quartiles(samples: &[Times], operation: usize) -> [f64; 3] {
    let mut sorted: Vec<f64> = samples.iter().map(|times| times[operation]).collect();
    sorted.sort_by(f64::total_cmp);
    [1, 2, 3].map(|quarter| sorted[sorted.len() * quarter / 4])
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if arguments.len() < 2 {
        stop("usage: codekem-liboqs-peer LIBRARY [ROUNDS]");
    }
    let rounds: usize = match arguments.get(2).map(|text| text.parse()) {
        None => 200,
        Some(Ok(rounds)) if rounds >= 4 => rounds,
        Some(_) => stop("ROUNDS must be a number, at least 4"),
    };
    let codekem = Codekem::open(&arguments[1]);
    oqs::init();
    // The HQC of this liboqs is the version of 2023: same codes and ring, other hashing and sampling.
    let pairs = [
        ("BIKE-L1", Algorithm::BikeL1),
        ("BIKE-L3", Algorithm::BikeL3),
        ("BIKE-L5", Algorithm::BikeL5),
        ("HQC-1", Algorithm::Hqc128),
        ("HQC-3", Algorithm::Hqc192),
        ("HQC-5", Algorithm::Hqc256),
    ];
    let mut rows = Vec::new();
    for (name, algorithm) in pairs {
        let c_name = CString::new(name).expect("no zero byte");
        let description = (codekem.find)(c_name.as_ptr());
        let (false, Ok(theirs)) = (description.is_null(), Kem::new(algorithm)) else {
            continue;
        };
        // SAFETY: the library returns a constant that lives as long as it is loaded.
        let ours = unsafe { &*description };
        let mut samples: [Vec<Times>; 2] = [Vec::new(), Vec::new()];
        for _ in 0..rounds {
            samples[0].push(exchange_codekem(&codekem, ours));
            samples[1].push(exchange_liboqs(&theirs));
        }
        for (operation, label) in ["keygen", "encaps", "decaps"].iter().enumerate() {
            let [a, b] = [0, 1].map(|side| quartiles(&samples[side], operation));
            rows.push(format!(
                "{{\"kem\": \"{name}\", \"operation\": \"{label}\", \"samples\": {rounds}, \
                 \"codekem_us\": [{:.3}, {:.3}, {:.3}], \"liboqs_us\": [{:.3}, {:.3}, {:.3}], \
                 \"ratio\": {:.3}}}",
                a[0], a[1], a[2], b[0], b[1], b[2], b[1] / a[1]
            ));
        }
    }
    println!(
        "{{\"peer\": \"liboqs\", \"backend\": \"{}\", \"results\": [\n  {}\n]}}",
        codekem.backend_name(),
        rows.join(",\n  ")
    );
}
