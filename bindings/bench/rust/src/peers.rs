// SPDX-License-Identifier: Apache-2.0 OR MIT
//! One side of a comparison: codekem, or another crate.

use codekem::Algorithm;

type Bytes = Vec<u8>;

/// A KEM of some crate. Keys come as bytes; what is timed has them in the crate's own types.
pub trait Peer {
    /// The crate and its version.
    fn name(&self) -> &str;
    /// The name of the KEM.
    fn kem(&self) -> &str;
    /// Whether it is the same version of the scheme as the KEM beside it.
    fn same_version(&self) -> bool {
        true
    }
    /// Whether it makes the same secret of a wrong ciphertext. HQC of 2023 does not: others report
    /// it (pqcrypto-hqc ends the program), and codekem does without their CVE-2025-48946.
    fn same_rejections(&self) -> bool {
        true
    }
    /// Returns the secret and the public key.
    fn keypair(&self) -> (Bytes, Bytes);
    /// Returns the ciphertext and the shared secret.
    fn encaps(&self, public_key: &[u8]) -> (Bytes, Bytes);
    fn decaps(&self, ciphertext: &[u8], secret_key: &[u8]) -> Bytes;

    fn time_keypair(&self) -> Box<dyn std::any::Any>;
    fn time_encaps<'a>(&'a self, public_key: &'a [u8]) -> Box<dyn FnMut() + 'a>;
    fn time_decaps<'a>(
        &'a self,
        ciphertext: &'a [u8],
        secret_key: &'a [u8],
    ) -> Box<dyn FnMut() + 'a>;
}

const FAILED: &str = "an exchange failed";

struct Codekem(Algorithm);

impl Codekem {
    fn of(name: &str) -> Self {
        Codekem(Algorithm::find(name).expect("a KEM of this library"))
    }
}

impl Peer for Codekem {
    fn name(&self) -> &str {
        "codekem"
    }

    fn kem(&self) -> &str {
        self.0.name()
    }

    fn keypair(&self) -> (Bytes, Bytes) {
        let (secret_key, public_key) = self.0.generate_keypair().expect(FAILED);
        (secret_key.to_vec(), public_key)
    }

    fn encaps(&self, public_key: &[u8]) -> (Bytes, Bytes) {
        let (ciphertext, shared) = self.0.encapsulate(public_key).expect(FAILED);
        (ciphertext, shared.to_vec())
    }

    fn decaps(&self, ciphertext: &[u8], secret_key: &[u8]) -> Bytes {
        self.0.decapsulate(ciphertext, secret_key).expect(FAILED).to_vec()
    }

    fn time_keypair(&self) -> Box<dyn std::any::Any> {
        Box::new(self.0.generate_keypair().expect(FAILED))
    }

    fn time_encaps<'a>(&'a self, public_key: &'a [u8]) -> Box<dyn FnMut() + 'a> {
        Box::new(|| drop(self.0.encapsulate(public_key).expect(FAILED)))
    }

    fn time_decaps<'a>(
        &'a self,
        ciphertext: &'a [u8],
        secret_key: &'a [u8],
    ) -> Box<dyn FnMut() + 'a> {
        Box::new(|| drop(self.0.decapsulate(ciphertext, secret_key).expect(FAILED)))
    }
}

#[cfg(feature = "hqc-kem")]
mod rustcrypto {
    use super::*;
    use hqc_kem::{DecapsulationKey, EncapsulationKey, HqcKem, HqcParams};
    use std::marker::PhantomData;

    /// RustCrypto's HQC.
    pub struct RustCrypto<P>(pub &'static str, pub PhantomData<P>);

    impl<P: HqcParams + 'static> Peer for RustCrypto<P> {
        fn name(&self) -> &str {
            "hqc-kem 0.1.0-rc.0"
        }

        fn kem(&self) -> &str {
            self.0
        }

        fn keypair(&self) -> (Bytes, Bytes) {
            let (public_key, secret_key) = HqcKem::<P>::generate_key(&mut rand::rng());
            (secret_key.as_ref().to_vec(), public_key.as_ref().to_vec())
        }

        fn encaps(&self, public_key: &[u8]) -> (Bytes, Bytes) {
            let key = EncapsulationKey::<P>::try_from(public_key).expect(FAILED);
            let (ciphertext, shared) = key.encapsulate(&mut rand::rng());
            (ciphertext.as_ref().to_vec(), shared.as_ref().to_vec())
        }

        fn decaps(&self, ciphertext: &[u8], secret_key: &[u8]) -> Bytes {
            let key = DecapsulationKey::<P>::try_from(secret_key).expect(FAILED);
            key.decapsulate(&ciphertext.try_into().expect(FAILED)).as_ref().to_vec()
        }

        fn time_keypair(&self) -> Box<dyn std::any::Any> {
            Box::new(HqcKem::<P>::generate_key(&mut rand::rng()))
        }

        fn time_encaps<'a>(&'a self, public_key: &'a [u8]) -> Box<dyn FnMut() + 'a> {
            let key = EncapsulationKey::<P>::try_from(public_key).expect(FAILED);
            Box::new(move || drop(key.encapsulate(&mut rand::rng())))
        }

        fn time_decaps<'a>(
            &'a self,
            ciphertext: &'a [u8],
            secret_key: &'a [u8],
        ) -> Box<dyn FnMut() + 'a> {
            let key = DecapsulationKey::<P>::try_from(secret_key).expect(FAILED);
            let ciphertext = ciphertext.try_into().expect(FAILED);
            Box::new(move || drop(key.decapsulate(&ciphertext)))
        }
    }
}

#[cfg(feature = "oqs")]
mod liboqs {
    use super::*;
    use oqs::kem::Kem;

    /// liboqs: BIKE is the same version, HQC that of 2023.
    pub struct Liboqs(pub Kem, pub &'static str, pub bool);

    impl Peer for Liboqs {
        fn name(&self) -> &str {
            "oqs 0.11"
        }

        fn kem(&self) -> &str {
            self.1
        }

        fn same_version(&self) -> bool {
            self.2
        }

        fn same_rejections(&self) -> bool {
            self.1.starts_with("BIKE")
        }

        fn keypair(&self) -> (Bytes, Bytes) {
            let (public_key, secret_key) = self.0.keypair().expect(FAILED);
            (secret_key.into_vec(), public_key.into_vec())
        }

        fn encaps(&self, public_key: &[u8]) -> (Bytes, Bytes) {
            let key = self.0.public_key_from_bytes(public_key).expect(FAILED);
            let (ciphertext, shared) = self.0.encapsulate(key).expect(FAILED);
            (ciphertext.into_vec(), shared.into_vec())
        }

        fn decaps(&self, ciphertext: &[u8], secret_key: &[u8]) -> Bytes {
            let key = self.0.secret_key_from_bytes(secret_key).expect(FAILED);
            let ciphertext = self.0.ciphertext_from_bytes(ciphertext).expect(FAILED);
            self.0.decapsulate(key, ciphertext).expect(FAILED).into_vec()
        }

        fn time_keypair(&self) -> Box<dyn std::any::Any> {
            Box::new(self.0.keypair().expect(FAILED))
        }

        fn time_encaps<'a>(&'a self, public_key: &'a [u8]) -> Box<dyn FnMut() + 'a> {
            let key = self.0.public_key_from_bytes(public_key).expect(FAILED);
            Box::new(move || drop(self.0.encapsulate(key).expect(FAILED)))
        }

        fn time_decaps<'a>(
            &'a self,
            ciphertext: &'a [u8],
            secret_key: &'a [u8],
        ) -> Box<dyn FnMut() + 'a> {
            let key = self.0.secret_key_from_bytes(secret_key).expect(FAILED);
            let ciphertext = self.0.ciphertext_from_bytes(ciphertext).expect(FAILED);
            Box::new(move || drop(self.0.decapsulate(key, ciphertext).expect(FAILED)))
        }
    }
}

#[cfg(feature = "pqcrypto")]
mod pqclean {
    use super::*;
    use pqcrypto_hqc::hqc128;
    use pqcrypto_traits::kem::{Ciphertext, PublicKey, SecretKey, SharedSecret};

    /// PQClean's HQC-128 of 2023.
    pub struct PqClean(pub &'static str, pub bool);

    impl Peer for PqClean {
        fn name(&self) -> &str {
            "pqcrypto-hqc 0.2.2"
        }

        fn kem(&self) -> &str {
            self.0
        }

        fn same_version(&self) -> bool {
            self.1
        }

        fn same_rejections(&self) -> bool {
            false
        }

        fn keypair(&self) -> (Bytes, Bytes) {
            let (public_key, secret_key) = hqc128::keypair();
            (secret_key.as_bytes().to_vec(), public_key.as_bytes().to_vec())
        }

        fn encaps(&self, public_key: &[u8]) -> (Bytes, Bytes) {
            let key = PublicKey::from_bytes(public_key).expect(FAILED);
            let (shared, ciphertext) = hqc128::encapsulate(&key);
            (ciphertext.as_bytes().to_vec(), shared.as_bytes().to_vec())
        }

        fn decaps(&self, ciphertext: &[u8], secret_key: &[u8]) -> Bytes {
            let key = SecretKey::from_bytes(secret_key).expect(FAILED);
            let ciphertext = Ciphertext::from_bytes(ciphertext).expect(FAILED);
            hqc128::decapsulate(&ciphertext, &key).as_bytes().to_vec()
        }

        fn time_keypair(&self) -> Box<dyn std::any::Any> {
            Box::new(hqc128::keypair())
        }

        fn time_encaps<'a>(&'a self, public_key: &'a [u8]) -> Box<dyn FnMut() + 'a> {
            let key = PublicKey::from_bytes(public_key).expect(FAILED);
            Box::new(move || {
                let _ = hqc128::encapsulate(&key);
            })
        }

        fn time_decaps<'a>(
            &'a self,
            ciphertext: &'a [u8],
            secret_key: &'a [u8],
        ) -> Box<dyn FnMut() + 'a> {
            let key = SecretKey::from_bytes(secret_key).expect(FAILED);
            let ciphertext = Ciphertext::from_bytes(ciphertext).expect(FAILED);
            Box::new(move || {
                let _ = hqc128::decapsulate(&ciphertext, &key);
            })
        }
    }
}

type Pair = (Box<dyn Peer>, Box<dyn Peer>);

/// Ours and the other crate's, for each KEM of each crate in this build. Where the other has HQC of
/// 2023, there are two: with today's version, for times, and with the same one, for exchanges.
pub fn pairs() -> Vec<Pair> {
    let mut pairs: Vec<Pair> = Vec::new();
    let mut add = |name: &str, peer: Box<dyn Peer>| pairs.push((Box::new(Codekem::of(name)), peer));
    #[cfg(feature = "hqc-kem")]
    {
        use hqc_kem::{Hqc128Params, Hqc192Params, Hqc256Params};
        use rustcrypto::RustCrypto;
        use std::marker::PhantomData;
        add("HQC-1", Box::new(RustCrypto::<Hqc128Params>("HQC-1", PhantomData)));
        add("HQC-3", Box::new(RustCrypto::<Hqc192Params>("HQC-3", PhantomData)));
        add("HQC-5", Box::new(RustCrypto::<Hqc256Params>("HQC-5", PhantomData)));
    }
    #[cfg(feature = "pqcrypto")]
    for (name, same) in [("HQC-1", false), ("HQC-128-2023", true)] {
        add(name, Box::new(pqclean::PqClean(name, same)));
    }
    #[cfg(feature = "oqs")]
    {
        use oqs::kem::{Algorithm as Oqs, Kem};
        oqs::init();
        for (name, algorithm, same) in [
            ("HQC-1", Oqs::Hqc128, false),
            ("HQC-128-2023", Oqs::Hqc128, true),
            ("BIKE-L1", Oqs::BikeL1, true),
            ("BIKE-L3", Oqs::BikeL3, true),
            ("BIKE-L5", Oqs::BikeL5, true),
        ] {
            add(name, Box::new(liboqs::Liboqs(Kem::new(algorithm).expect(FAILED), name, same)));
        }
    }
    pairs
}
