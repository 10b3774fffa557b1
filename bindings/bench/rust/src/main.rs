// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The crates of codekem beside others, in one program.
//!
//! usage: codekem-beside times ROUNDS MILLISECONDS   JSON: times of pairs, taken in turn
//!        codekem-beside agree ROUNDS                exchanges of the same version, both ways
//!
//! Features of the build say which others take part: hqc-kem, oqs or pqcrypto; tls for handshakes
//! of rustls. In each of ROUNDS rounds everybody runs each operation for MILLISECONDS, and its time
//! is the median.

mod peers;
#[cfg(feature = "tls")]
mod tls;

use codekem::Algorithm;
use peers::Peer;
use std::time::{Duration, Instant};

fn stop(message: &str) -> ! {
    eprintln!("codekem-beside: error: {message}");
    std::process::exit(1);
}

/// Returns the time that this thread had a processor.
fn processor_time() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the struct lives through the call.
    if unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) } != 0 {
        stop("this system has no clock for the processor time of a thread");
    }
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// Off the processor for longer: the thread waited for another; then its processor time counts.
const WAIT: Duration = Duration::from_micros(20);

/// Returns the median time of an operation in microseconds.
fn median(time: Duration, mut operation: impl FnMut()) -> f64 {
    operation(); // warms the caches
    let (start, mut samples) = (Instant::now(), Vec::new());
    while samples.len() < 3 || start.elapsed() < time {
        let (processor, before) = (processor_time(), Instant::now());
        operation();
        let (elapsed, processor) = (before.elapsed(), processor_time() - processor);
        let taken = if elapsed > processor + WAIT { processor } else { elapsed };
        samples.push(taken.as_nanos() as f64 / 1000.0);
    }
    samples.sort_by(f64::total_cmp);
    samples[samples.len() / 2]
}

/// Times the three operations of one side.
fn side(time: Duration, peer: &dyn Peer) -> [f64; 3] {
    let (secret_key, public_key) = peer.keypair();
    let (ciphertext, _) = peer.encaps(&public_key);
    let operations: [Box<dyn FnMut()>; 3] = [
        Box::new(|| drop(peer.time_keypair())),
        Box::new(peer.time_encaps(&public_key)),
        Box::new(peer.time_decaps(&ciphertext, &secret_key)),
    ];
    operations.map(|operation| median(time, operation))
}

fn list(values: &[f64]) -> String {
    let texts: Vec<String> = values.iter().map(|value| format!("{value:.2}")).collect();
    format!("[{}]", texts.join(","))
}

/// Prints one pair: for each round what the operations of both took.
fn show(first: bool, kem: &str, peer: &str, ours: &[Vec<f64>], theirs: &[Vec<f64>]) {
    let rounds = |side: &[Vec<f64>]| side.iter().map(|row| list(row)).collect::<Vec<_>>().join(",");
    print!("{}", if first { "" } else { ",\n " });
    print!("{{\"kem\":\"{kem}\",\"peer\":\"{peer}\",\"ours\":[{}],", rounds(ours));
    print!("\"theirs\":[{}]}}", rounds(theirs));
}

fn times(rounds: usize, time: Duration) {
    let backend = codekem::backend().unwrap_or_else(|error| stop(&error.to_string()));
    print!("{{\"backend\":\"{backend}\",\"pairs\":[");
    for (number, (ours, theirs)) in peers::pairs().iter().enumerate() {
        let (mut mine, mut others) = (Vec::new(), Vec::new());
        for _ in 0..rounds {
            mine.push(side(time, ours.as_ref()).to_vec());
            others.push(side(time, theirs.as_ref()).to_vec());
        }
        show(number == 0, ours.kem(), theirs.name(), &mine, &others);
    }
    #[cfg(feature = "tls")]
    for group in tls::GROUPS {
        let (mut mine, mut others) = (Vec::new(), Vec::new());
        for _ in 0..rounds {
            mine.push(vec![tls::handshake_time(group.1, 3 * time)]);
            others.push(vec![tls::handshake_time(tls::CLASSICAL, 3 * time)]);
        }
        show(false, group.0, "X25519", &mine, &others);
    }
    println!("]}}");
}

/// Exchanges with each peer of the same version, and compares what both make of a wrong ciphertext.
fn agree(rounds: usize) {
    for (ours, theirs) in peers::pairs() {
        if !theirs.same_version() {
            continue;
        }
        for _ in 0..rounds {
            for (from, to) in [(&ours, &theirs), (&theirs, &ours)] {
                let (secret_key, public_key) = to.keypair();
                let (mut ciphertext, sent) = from.encaps(&public_key);
                if to.decaps(&ciphertext, &secret_key) != sent {
                    stop(&format!("{}: {} and {}", ours.kem(), from.name(), to.name()));
                }
                // Whoever reads the other's secret key rejects alike.
                ciphertext[100] ^= 1;
                if theirs.same_rejections()
                    && from.decaps(&ciphertext, &secret_key) != to.decaps(&ciphertext, &secret_key)
                {
                    stop(&format!("{}: {} rejects differently", ours.kem(), theirs.name()));
                }
            }
        }
        println!(
            "{}: agrees with {} in both directions, {rounds} times",
            ours.kem(),
            theirs.name()
        );
    }
}

fn main() {
    if Algorithm::find("HQC-128-2023").is_err() {
        stop("built without the legacy KEMs");
    }
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |text: &str| match text.parse::<u64>() {
        Ok(number) if number > 0 => number,
        _ => stop("ROUNDS and MILLISECONDS are numbers above 0"),
    };
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["times", rounds, milliseconds] => {
            times(number(rounds) as usize, Duration::from_millis(number(milliseconds)));
        }
        ["agree", rounds] => agree(number(rounds) as usize),
        _ => stop("usage: codekem-beside times ROUNDS MILLISECONDS | agree ROUNDS"),
    }
}
