// SPDX-License-Identifier: Apache-2.0 OR MIT
//! liboqs, through the crate oqs.

use std::time::Instant;

use oqs::kem::{Algorithm, Kem};

use crate::{stop, times, Peer, Times};

const FAILED: &str = "an exchange of liboqs failed";

/// The KEMs that both libraries have. The HQC of liboqs 0.13 is the version of 2023, with the same
/// codes and ring but other hashing and sampling: fit for a comparison of speed, not for exchanges.
pub fn peers() -> Vec<(&'static str, Box<dyn Peer>)> {
    oqs::init();
    [
        ("BIKE-L1", Algorithm::BikeL1),
        ("BIKE-L3", Algorithm::BikeL3),
        ("BIKE-L5", Algorithm::BikeL5),
        ("HQC-1", Algorithm::Hqc128),
        ("HQC-3", Algorithm::Hqc192),
        ("HQC-5", Algorithm::Hqc256),
    ]
    .into_iter()
    .filter_map(|(name, algorithm)| {
        let kem = Kem::new(algorithm).ok()?;
        let interoperates = name.starts_with("BIKE");
        Some((name, Box::new(Liboqs { kem, interoperates }) as Box<dyn Peer>))
    })
    .collect()
}

struct Liboqs {
    kem: Kem,
    interoperates: bool,
}

impl Peer for Liboqs {
    fn interoperates(&self) -> bool {
        self.interoperates
    }

    fn keypair(&self) -> (Vec<u8>, Vec<u8>) {
        let (public_key, secret_key) = self.kem.keypair().unwrap_or_else(|_| stop(FAILED));
        (public_key.into_vec(), secret_key.into_vec())
    }

    fn encaps(&self, public_key: &[u8]) -> (Vec<u8>, Vec<u8>) {
        let key = self.kem.public_key_from_bytes(public_key);
        let (ciphertext, secret) = self
            .kem
            .encapsulate(key.unwrap_or_else(|| stop(FAILED)))
            .unwrap_or_else(|_| stop(FAILED));
        (ciphertext.into_vec(), secret.into_vec())
    }

    fn decaps(&self, ciphertext: &[u8], secret_key: &[u8]) -> Vec<u8> {
        let key = self.kem.secret_key_from_bytes(secret_key);
        let text = self.kem.ciphertext_from_bytes(ciphertext);
        self.kem
            .decapsulate(
                key.unwrap_or_else(|| stop(FAILED)),
                text.unwrap_or_else(|| stop(FAILED)),
            )
            .unwrap_or_else(|_| stop(FAILED))
            .into_vec()
    }

    fn exchange(&self) -> Times {
        let start = Instant::now();
        let (public_key, secret_key) = self.kem.keypair().unwrap_or_else(|_| stop(FAILED));
        let after_keypair = Instant::now();
        let (ciphertext, sent) = self
            .kem
            .encapsulate(&public_key)
            .unwrap_or_else(|_| stop(FAILED));
        let after_encaps = Instant::now();
        let received = self
            .kem
            .decapsulate(&secret_key, &ciphertext)
            .unwrap_or_else(|_| stop(FAILED));
        let after_decaps = Instant::now();
        if sent != received {
            stop(FAILED);
        }
        times([start, after_keypair, after_encaps, after_decaps])
    }
}
