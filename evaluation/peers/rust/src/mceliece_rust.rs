// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The crate classic-mceliece-rust, which has one set in each build.

use classic_mceliece_rust::{
    decapsulate_boxed, encapsulate_boxed, keypair_boxed, Ciphertext, PublicKey, SecretKey,
    CRYPTO_CIPHERTEXTBYTES, CRYPTO_PUBLICKEYBYTES, CRYPTO_SECRETKEYBYTES,
};
use rand_core::OsRng;

use crate::{stop, Moment, Peer, Sample, Sizes};

pub fn peers() -> Vec<(&'static str, Box<dyn Peer>)> {
    vec![("mceliece348864f", Box::new(McElieceRust) as Box<dyn Peer>)]
}

struct McElieceRust;

/// Returns a copy of bytes, which must have this length.
fn boxed<const LENGTH: usize>(bytes: &[u8]) -> Box<[u8; LENGTH]> {
    bytes
        .to_vec()
        .into_boxed_slice()
        .try_into()
        .unwrap_or_else(|_| stop("a key or ciphertext has another length"))
}

impl Peer for McElieceRust {
    fn version(&self) -> &'static str {
        "crate classic-mceliece-rust 3.1"
    }

    fn note(&self) -> &'static str {
        "Rust without vector code"
    }

    fn sizes(&self) -> Sizes {
        [CRYPTO_PUBLICKEYBYTES, CRYPTO_SECRETKEYBYTES, CRYPTO_CIPHERTEXTBYTES]
    }

    fn interoperates(&self) -> bool {
        true
    }

    fn keypair(&self) -> (Vec<u8>, Vec<u8>) {
        let (public_key, secret_key) = keypair_boxed(&mut OsRng);
        (public_key.as_array().to_vec(), secret_key.as_array().to_vec())
    }

    fn encaps(&self, public_key: &[u8]) -> (Vec<u8>, Vec<u8>) {
        let key = PublicKey::from(boxed::<CRYPTO_PUBLICKEYBYTES>(public_key));
        let (ciphertext, secret) = encapsulate_boxed(&key, &mut OsRng);
        (ciphertext.as_array().to_vec(), secret.as_array().to_vec())
    }

    fn decaps(&self, ciphertext: &[u8], secret_key: &[u8]) -> Vec<u8> {
        let key = SecretKey::from(boxed::<CRYPTO_SECRETKEYBYTES>(secret_key));
        let text = Ciphertext::from(*boxed::<CRYPTO_CIPHERTEXTBYTES>(ciphertext));
        decapsulate_boxed(&text, &key).as_array().to_vec()
    }

    fn exchange(&self) -> Sample {
        let start = Moment::now();
        let (public_key, secret_key) = keypair_boxed(&mut OsRng);
        let after_keypair = Moment::now();
        let (ciphertext, sent) = encapsulate_boxed(&public_key, &mut OsRng);
        let after_encaps = Moment::now();
        let received = decapsulate_boxed(&ciphertext, &secret_key);
        let after_decaps = Moment::now();
        if sent.as_array() != received.as_array() {
            stop("an exchange of classic-mceliece-rust failed");
        }
        Sample::between([start, after_keypair, after_encaps, after_decaps])
    }
}
