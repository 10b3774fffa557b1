// SPDX-License-Identifier: Apache-2.0 OR MIT
//! RustCrypto's hqc-kem.

use std::marker::PhantomData;

use hqc_kem::{
    Ciphertext, DecapsulationKey, EncapsulationKey, Hqc128Params, Hqc192Params, Hqc256Params,
    HqcKem, HqcParams,
};

use crate::{stop, Moment, Peer, Sample, Sizes};

pub fn peers() -> Vec<(&'static str, Box<dyn Peer>)> {
    vec![
        ("HQC-1", Box::new(RustCrypto::<Hqc128Params>(PhantomData)) as Box<dyn Peer>),
        ("HQC-3", Box::new(RustCrypto::<Hqc192Params>(PhantomData))),
        ("HQC-5", Box::new(RustCrypto::<Hqc256Params>(PhantomData))),
    ]
}

struct RustCrypto<P>(PhantomData<P>);

impl<P: HqcParams> Peer for RustCrypto<P> {
    fn version(&self) -> &'static str {
        "crate hqc-kem 0.1.0-rc.0"
    }

    fn note(&self) -> &'static str {
        "Rust without vector code but the processor's carry-less products of two words"
    }

    fn sizes(&self) -> Sizes {
        let (public_key, secret_key) = self.keypair();
        let (ciphertext, _) = self.encaps(&public_key);
        [public_key.len(), secret_key.len(), ciphertext.len()]
    }

    fn interoperates(&self) -> bool {
        true
    }

    fn keypair(&self) -> (Vec<u8>, Vec<u8>) {
        let (public_key, secret_key) = HqcKem::<P>::generate_key(&mut rand::rng());
        (public_key.as_ref().to_vec(), secret_key.as_ref().to_vec())
    }

    fn encaps(&self, public_key: &[u8]) -> (Vec<u8>, Vec<u8>) {
        let key = EncapsulationKey::<P>::try_from(public_key)
            .unwrap_or_else(|_| stop("hqc-kem refused a public key"));
        let (ciphertext, secret) = key.encapsulate(&mut rand::rng());
        (ciphertext.as_ref().to_vec(), secret.as_ref().to_vec())
    }

    fn decaps(&self, ciphertext: &[u8], secret_key: &[u8]) -> Vec<u8> {
        let key = DecapsulationKey::<P>::try_from(secret_key)
            .unwrap_or_else(|_| stop("hqc-kem refused a secret key"));
        let text = Ciphertext::<P>::try_from(ciphertext)
            .unwrap_or_else(|_| stop("hqc-kem refused a ciphertext"));
        key.decapsulate(&text).as_ref().to_vec()
    }

    fn exchange(&self) -> Sample {
        let mut random = rand::rng();
        let start = Moment::now();
        let (public_key, secret_key) = HqcKem::<P>::generate_key(&mut random);
        let after_keypair = Moment::now();
        let (ciphertext, sent) = public_key.encapsulate(&mut random);
        let after_encaps = Moment::now();
        let received = secret_key.decapsulate(&ciphertext);
        let after_decaps = Moment::now();
        if sent != received {
            stop("an exchange of hqc-kem failed");
        }
        Sample::between([start, after_keypair, after_encaps, after_decaps])
    }
}
