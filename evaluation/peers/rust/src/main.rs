// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Other libraries beside codekem, in one process.
//!
//! usage: codekem-peers speed LIBRARY [ROUNDS]    calls alternate on one core, so that a change of
//!                                                clock or a noisy neighbour meets both alike
//!        codekem-peers agree LIBRARY [ROUNDS]    exchanges between the two, in both directions
//!
//! LIBRARY is the path of libcodekem.so. Which libraries take part is a feature of the build:
//! liboqs, rustcrypto. `speed` prints JSON: for each KEM and operation the quartiles of both sides in
//! microseconds, and the ratio of the medians (peer over codekem).

mod codekem;
#[cfg(feature = "liboqs")]
mod liboqs;
#[cfg(feature = "rustcrypto")]
mod rustcrypto;

use std::time::Instant;

use codekem::Codekem;

/// Microseconds of keypair, encaps and decaps.
pub type Times = [f64; 3];

/// One KEM of another library.
pub trait Peer {
    /// Whether the version is the same as codekem's.
    fn interoperates(&self) -> bool;
    fn keypair(&self) -> (Vec<u8>, Vec<u8>);
    fn encaps(&self, public_key: &[u8]) -> (Vec<u8>, Vec<u8>);
    fn decaps(&self, ciphertext: &[u8], secret_key: &[u8]) -> Vec<u8>;
    /// One exchange, timed.
    fn exchange(&self) -> Times;
}

type NamedPeer = (&'static str, &'static str, Box<dyn Peer>);

pub fn stop(message: &str) -> ! {
    eprintln!("codekem-peers: error: {message}");
    std::process::exit(1);
}

pub fn times(points: [Instant; 4]) -> Times {
    std::array::from_fn(|i| (points[i + 1] - points[i]).as_nanos() as f64 / 1000.0)
}

/// Library, KEM, implementation.
fn all_peers() -> Vec<NamedPeer> {
    #[allow(unused_mut)]
    let mut peers: Vec<NamedPeer> = Vec::new();
    #[cfg(feature = "liboqs")]
    peers.extend(liboqs::peers().into_iter().map(|(kem, peer)| ("liboqs", kem, peer)));
    #[cfg(feature = "rustcrypto")]
    peers.extend(rustcrypto::peers().into_iter().map(|(kem, peer)| ("RustCrypto", kem, peer)));
    if peers.is_empty() {
        stop("built without peers: use --features liboqs or rustcrypto");
    }
    peers
}

/// Quartiles of one operation.
fn quartiles(samples: &[Times], operation: usize) -> [f64; 3] {
    let mut sorted: Vec<f64> = samples.iter().map(|times| times[operation]).collect();
    sorted.sort_by(f64::total_cmp);
    [1, 2, 3].map(|quarter| sorted[sorted.len() * quarter / 4])
}

fn speed(codekem: &Codekem, rounds: usize) {
    let mut rows = Vec::new();
    for (library, name, peer) in all_peers() {
        let kem = codekem.kem(name);
        let mut samples: [Vec<Times>; 2] = [Vec::new(), Vec::new()];
        for _ in 0..rounds {
            samples[0].push(codekem.exchange(kem));
            samples[1].push(peer.exchange());
        }
        for (operation, label) in ["keygen", "encaps", "decaps"].iter().enumerate() {
            let [a, b] = [0, 1].map(|side| quartiles(&samples[side], operation));
            rows.push(format!(
                "{{\"kem\": \"{name}\", \"operation\": \"{label}\", \"peer\": \"{library}\", \
                 \"samples\": {rounds}, \"codekem_us\": [{:.3}, {:.3}, {:.3}], \
                 \"peer_us\": [{:.3}, {:.3}, {:.3}], \"ratio\": {:.3}}}",
                a[0], a[1], a[2], b[0], b[1], b[2], b[1] / a[1]
            ));
        }
    }
    println!(
        "{{\"backend\": \"{}\", \"results\": [\n  {}\n]}}",
        codekem.backend_name(),
        rows.join(",\n  ")
    );
}

fn agree(codekem: &Codekem, rounds: usize) {
    for (library, name, peer) in all_peers() {
        if !peer.interoperates() {
            println!("{name}: not compared, {library} has another version");
            continue;
        }
        let kem = codekem.kem(name);
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
            wrong[100] ^= 1;
            if codekem.decaps(kem, &wrong, &secret_key) != peer.decaps(&wrong, &secret_key) {
                stop(&format!("{name}: codekem and {library} reject differently"));
            }
        }
        println!("{name}: agrees with {library} in both directions, {rounds} times");
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.len() < 2 {
        stop("usage: codekem-peers speed|agree LIBRARY [ROUNDS]");
    }
    let rounds: usize = match arguments.get(2).map(|text| text.parse()) {
        None => 200,
        Some(Ok(rounds)) if rounds >= 4 => rounds,
        Some(_) => stop("ROUNDS must be a number, at least 4"),
    };
    let codekem = Codekem::open(&arguments[1]);
    match arguments[0].as_str() {
        "speed" => speed(&codekem, rounds),
        "agree" => agree(&codekem, rounds),
        other => stop(&format!("there is no command {other}: use speed or agree")),
    }
}
