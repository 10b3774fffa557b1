// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Other libraries: raw samples of their times, and exchanges between them and codekem.
//!
//! usage: codekem-peers list                                 what there is, as JSON
//!        codekem-peers times LIBRARY KEM MILLISECONDS MOST  one batch of samples, as JSON
//!        codekem-peers agree LIBCODEKEM [ROUNDS]            exchanges, in both directions
//!
//! Which libraries take part is a feature of the build: liboqs, mceliece-rust, rustcrypto.
//! LIBCODEKEM is the path of libcodekem.so, or of libcodekem_internals.so, which also has Classic
//! McEliece. `times` does and prints what codekem-sampler does for codekem.

mod codekem;
#[cfg(feature = "liboqs")]
mod liboqs;
#[cfg(feature = "mceliece-rust")]
mod mceliece_rust;
#[cfg(feature = "rustcrypto")]
mod rustcrypto;

use std::time::Instant;

use codekem::Codekem;

/// Bytes of public key, secret key and ciphertext.
pub type Sizes = [usize; 3];

/// One moment between two operations: the processor time of this thread is read outside of what the
/// other clocks measure.
pub struct Moment {
    before: Clocks,
    processor: u64,
    after: Clocks,
}

struct Clocks(Instant, u64);

impl Moment {
    pub fn now() -> Self {
        let before = Clocks(Instant::now(), cycles());
        let processor = processor_nanoseconds();
        Moment { before, processor, after: Clocks(Instant::now(), cycles()) }
    }
}

/// Reads the time that this thread had a processor.
fn processor_nanoseconds() -> u64 {
    #[repr(C)]
    struct Timespec {
        seconds: std::ffi::c_long,
        nanoseconds: std::ffi::c_long,
    }
    extern "C" {
        fn clock_gettime(clock: std::ffi::c_int, time: *mut Timespec) -> std::ffi::c_int;
    }
    const CLOCK_THREAD_CPUTIME_ID: std::ffi::c_int = 3;
    let mut time = Timespec { seconds: 0, nanoseconds: 0 };
    // SAFETY: the struct is that of Linux, and lives through the call.
    if unsafe { clock_gettime(CLOCK_THREAD_CPUTIME_ID, &mut time) } != 0 {
        stop("this system has no clock for the processor time of a thread");
    }
    time.seconds as u64 * 1_000_000_000 + time.nanoseconds as u64
}

#[cfg(target_arch = "x86_64")]
const HAVE_CYCLES: bool = true;
#[cfg(not(target_arch = "x86_64"))]
const HAVE_CYCLES: bool = false;

/// Reads the time-stamp counter, after all earlier and before all later instructions.
#[cfg(target_arch = "x86_64")]
fn cycles() -> u64 {
    use std::arch::x86_64::{_mm_lfence, _rdtsc};
    // SAFETY: every x86-64 processor has both instructions; they touch no memory.
    unsafe {
        _mm_lfence();
        let now = _rdtsc();
        _mm_lfence();
        now
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn cycles() -> u64 {
    0
}

/// What keygen, encaps and decaps took, and in how many of them the thread waited for a processor.
pub struct Sample {
    nanoseconds: [u64; 3],
    cycles: [u64; 3],
    waited: usize,
}

/// Off the processor for longer: the thread waited for another; then its processor time counts.
const WAIT_NANOSECONDS: u64 = 20_000;

impl Sample {
    pub fn between(moments: [Moment; 4]) -> Self {
        let mut sample = Sample { nanoseconds: [0; 3], cycles: [0; 3], waited: 0 };
        for i in 0..3 {
            let (start, end) = (&moments[i], &moments[i + 1]);
            let elapsed = (end.before.0 - start.after.0).as_nanos() as u64;
            let counted = end.before.1 - start.after.1;
            let processor = end.processor - start.processor;
            let waited = elapsed > processor + WAIT_NANOSECONDS;
            sample.nanoseconds[i] = if waited { processor } else { elapsed };
            sample.cycles[i] = if waited {
                (counted as f64 * processor as f64 / elapsed as f64) as u64
            } else {
                counted
            };
            sample.waited += usize::from(waited);
        }
        sample
    }
}

/// One KEM of another library.
pub trait Peer {
    /// The library and its version.
    fn version(&self) -> &'static str;
    /// What a reader of its times must know; empty if nothing.
    fn note(&self) -> &'static str;
    fn sizes(&self) -> Sizes;
    /// Whether the version is the same as codekem's.
    fn interoperates(&self) -> bool;
    fn keypair(&self) -> (Vec<u8>, Vec<u8>);
    fn encaps(&self, public_key: &[u8]) -> (Vec<u8>, Vec<u8>);
    fn decaps(&self, ciphertext: &[u8], secret_key: &[u8]) -> Vec<u8>;
    /// One exchange, timed.
    fn exchange(&self) -> Sample;
}

type NamedPeer = (&'static str, &'static str, Box<dyn Peer>);

pub fn stop(message: &str) -> ! {
    eprintln!("codekem-peers: error: {message}");
    std::process::exit(1);
}

/// Library, KEM, implementation.
fn all_peers() -> Vec<NamedPeer> {
    #[allow(unused_mut)]
    let mut peers: Vec<NamedPeer> = Vec::new();
    #[cfg(feature = "liboqs")]
    peers.extend(liboqs::peers().into_iter().map(|(kem, peer)| ("liboqs", kem, peer)));
    #[cfg(feature = "mceliece-rust")]
    peers.extend(
        mceliece_rust::peers().into_iter().map(|(kem, peer)| ("classic-mceliece-rust", kem, peer)),
    );
    #[cfg(feature = "rustcrypto")]
    peers.extend(rustcrypto::peers().into_iter().map(|(kem, peer)| ("RustCrypto", kem, peer)));
    if peers.is_empty() {
        stop("built without peers: use --features liboqs, mceliece-rust or rustcrypto");
    }
    peers
}

fn list() {
    let rows: Vec<String> = all_peers()
        .iter()
        .map(|(library, kem, peer)| {
            let [public_key, secret_key, ciphertext] = peer.sizes();
            format!(
                "{{\"library\": \"{library}\", \"kem\": \"{kem}\", \"version\": \"{}\", \
                 \"note\": \"{}\", \"public_key_bytes\": {public_key}, \
                 \"secret_key_bytes\": {secret_key}, \"ciphertext_bytes\": {ciphertext}}}",
                peer.version(),
                peer.note()
            )
        })
        .collect();
    println!("[{}]", rows.join(",\n "));
}

/// One unit of the samples as JSON: {"keygen": [...], ...}.
fn as_json<T: ToString>(samples: &[Sample], value: impl Fn(&Sample, usize) -> T) -> String {
    let lists: Vec<String> = ["keygen", "encaps", "decaps"]
        .iter()
        .enumerate()
        .map(|(i, name)| {
            let values: Vec<String> = samples.iter().map(|s| value(s, i).to_string()).collect();
            format!("\"{name}\": [{}]", values.join(","))
        })
        .collect();
    format!("{{{}}}", lists.join(", "))
}

/// Takes one batch. Its first exchange warms the caches and is kept only if it fills the time.
fn take_times(library: &str, kem: &str, milliseconds: f64, most: usize) {
    let peers = all_peers();
    let Some((_, _, peer)) = peers.iter().find(|(l, k, _)| *l == library && *k == kem) else {
        stop(&format!("there is no {kem} of {library}"));
    };
    let before = Instant::now();
    let first = peer.exchange();
    let start = Instant::now();
    let mut samples = Vec::new();
    if (start - before).as_secs_f64() * 1000.0 > milliseconds {
        samples.push(first);
    } else {
        while samples.is_empty()
            || (samples.len() < most && start.elapsed().as_secs_f64() * 1000.0 < milliseconds)
        {
            samples.push(peer.exchange());
        }
    }
    let in_cycles = if HAVE_CYCLES {
        as_json(&samples, |s, i| s.cycles[i])
    } else {
        "null".to_string()
    };
    println!(
        "{{\"nanoseconds\": {}, \"cycles\": {in_cycles}, \"waited\": {}}}",
        as_json(&samples, |s, i| s.nanoseconds[i]),
        samples.iter().map(|sample| sample.waited).sum::<usize>()
    );
}

fn agree(codekem: &Codekem, rounds: usize) {
    for (library, name, peer) in all_peers() {
        if name.starts_with("ML-KEM") {
            continue; // codekem has none
        }
        if !peer.interoperates() {
            println!("{name}: not compared, {library} has another version");
            continue;
        }
        let Some(kem) = codekem.kem(name) else {
            println!("{name}: not compared, this libcodekem does not have it");
            continue;
        };
        for _ in 0..rounds {
            let (public_key, secret_key) = codekem.keypair(kem);
            let (ciphertext, sent) = peer.encaps(&public_key);
            if codekem.decaps(kem, &ciphertext, &secret_key) != sent {
                stop(&format!("{name}: codekem does not decapsulate what {library} made"));
            }
            let (public_key, secret_key) = peer.keypair();
            let (ciphertext, sent) = codekem.encaps(kem, &public_key);
            if peer.decaps(&ciphertext, &secret_key) != sent {
                stop(&format!("{name}: {library} does not decapsulate what codekem made"));
            }
            // Rejected ciphertexts, too, must give the same secret with the same key.
            let mut wrong = ciphertext;
            wrong[90] ^= 1;
            if codekem.decaps(kem, &wrong, &secret_key) != peer.decaps(&wrong, &secret_key) {
                stop(&format!("{name}: codekem and {library} reject differently"));
            }
        }
        println!("{name}: agrees with {library} in both directions, {rounds} times");
    }
}

fn number<T: std::str::FromStr>(text: &str, what: &str, valid: impl Fn(&T) -> bool) -> T {
    match text.parse() {
        Ok(value) if valid(&value) => value,
        _ => stop(&format!("{what}, not {text}")),
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words[..] {
        ["list"] => list(),
        ["times", library, kem, milliseconds, most] => take_times(
            library,
            kem,
            number(milliseconds, "MILLISECONDS must be above 0", |value| *value > 0.0),
            number(most, "MOST must be at least 1", |value| *value > 0),
        ),
        ["agree", library] => agree(&Codekem::open(library), 200),
        ["agree", library, rounds] => agree(
            &Codekem::open(library),
            number(rounds, "ROUNDS must be at least 1", |value| *value > 0),
        ),
        _ => stop(
            "usage: codekem-peers list | times LIBRARY KEM MILLISECONDS MOST | \
             agree LIBCODEKEM [ROUNDS]",
        ),
    }
}
