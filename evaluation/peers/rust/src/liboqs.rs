// SPDX-License-Identifier: Apache-2.0 OR MIT
//! liboqs, through the crate oqs.

use oqs::kem::{Algorithm, Kem};

use crate::{stop, Moment, Peer, Sample, Sizes};

const FAILED: &str = "an exchange of liboqs failed";

/// BIKE, HQC, Classic McEliece and, as what a user would take otherwise, ML-KEM. The HQC of liboqs
/// 0.13 is the version of 2023, with the same codes and ring but other hashing and sampling: fit
/// for a comparison of speed, not for exchanges.
pub fn peers() -> Vec<(&'static str, Box<dyn Peer>)> {
    oqs::init();
    [
        ("BIKE-L1", Algorithm::BikeL1),
        ("BIKE-L3", Algorithm::BikeL3),
        ("BIKE-L5", Algorithm::BikeL5),
        ("HQC-1", Algorithm::Hqc128),
        ("HQC-3", Algorithm::Hqc192),
        ("HQC-5", Algorithm::Hqc256),
        ("mceliece348864", Algorithm::ClassicMcEliece348864),
        ("mceliece348864f", Algorithm::ClassicMcEliece348864f),
        ("mceliece460896", Algorithm::ClassicMcEliece460896),
        ("mceliece460896f", Algorithm::ClassicMcEliece460896f),
        ("mceliece6688128", Algorithm::ClassicMcEliece6688128),
        ("mceliece6688128f", Algorithm::ClassicMcEliece6688128f),
        ("mceliece6960119", Algorithm::ClassicMcEliece6960119),
        ("mceliece6960119f", Algorithm::ClassicMcEliece6960119f),
        ("mceliece8192128", Algorithm::ClassicMcEliece8192128),
        ("mceliece8192128f", Algorithm::ClassicMcEliece8192128f),
        ("ML-KEM-512", Algorithm::MlKem512),
        ("ML-KEM-768", Algorithm::MlKem768),
        ("ML-KEM-1024", Algorithm::MlKem1024),
    ]
    .into_iter()
    .filter_map(|(name, algorithm)| {
        let kem = Kem::new(algorithm).ok()?;
        Some((name, Box::new(Liboqs { kem, name }) as Box<dyn Peer>))
    })
    .collect()
}

struct Liboqs {
    kem: Kem,
    name: &'static str,
}

impl Peer for Liboqs {
    fn version(&self) -> &'static str {
        "liboqs 0.13 (crate oqs 0.11)"
    }

    fn note(&self) -> &'static str {
        match self.name.split('-').next() {
            Some("BIKE") => "C with vector code for x86-64",
            Some(name) if name.starts_with("mceliece") => "C with vector code for x86-64",
            Some("HQC") => {
                "reference C without vector code, of the revision of 2023: same codes and ring, \
                 other hashing and sampling"
            }
            _ => "",
        }
    }

    fn sizes(&self) -> Sizes {
        [
            self.kem.length_public_key(),
            self.kem.length_secret_key(),
            self.kem.length_ciphertext(),
        ]
    }

    fn interoperates(&self) -> bool {
        self.name.starts_with("BIKE") || self.name.starts_with("mceliece")
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

    fn exchange(&self) -> Sample {
        let start = Moment::now();
        let (public_key, secret_key) = self.kem.keypair().unwrap_or_else(|_| stop(FAILED));
        let after_keypair = Moment::now();
        let (ciphertext, sent) = self
            .kem
            .encapsulate(&public_key)
            .unwrap_or_else(|_| stop(FAILED));
        let after_encaps = Moment::now();
        let received = self
            .kem
            .decapsulate(&secret_key, &ciphertext)
            .unwrap_or_else(|_| stop(FAILED));
        let after_decaps = Moment::now();
        if sent != received {
            stop(FAILED);
        }
        Sample::between([start, after_keypair, after_encaps, after_decaps])
    }
}
