// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The known answers of each KEM: five records, and altered inputs of decapsulation, which give the
//! secrets of implicit rejection. By name and by type, on every back end of this processor.
#![cfg(feature = "alloc")]

use codekem::kem::{Decapsulate, Encapsulate, KeyExport, KeyInit};
use codekem::rand_core::{TryCryptoRng, TryRng};
use codekem::{Algorithm, Bike, BikeL1, BikeL3, BikeL5, DecapsulationKey, EncapsulationKey, Hqc};
use codekem::{Hqc1, Hqc3, Hqc5, Parameters};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::convert::Infallible;

fn answers() -> Value {
    serde_json::from_str(include_str!("known_answers.json")).unwrap()
}

fn bytes(value: &Value) -> Vec<u8> {
    let text = value.as_str().unwrap();
    (0..text.len()).step_by(2).map(|i| u8::from_str_radix(&text[i..i + 2], 16).unwrap()).collect()
}

/// Applies a change: the bytes of a record, or zeros, with runs of bytes altered.
fn changed(bases: &[Vec<u8>], change: &Value) -> Vec<u8> {
    let mut out = match change["of"].as_u64() {
        Some(record) => bases[record as usize].clone(),
        None => vec![0; bases[0].len()],
    };
    for run in change["xor"].as_array().unwrap() {
        let [offset, length, value] = [0, 1, 2].map(|i| run[i].as_u64().unwrap() as usize);
        out[offset..offset + length].iter_mut().for_each(|byte| *byte ^= value as u8);
    }
    out
}

fn digest(bytes: &[u8]) -> Vec<u8> {
    Sha256::digest(bytes).to_vec()
}

/// A generator that gives the bytes it was made with.
struct Given(Vec<u8>);

impl TryRng for Given {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        unreachable!("codekem asks for bytes")
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        unreachable!("codekem asks for bytes")
    }

    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Infallible> {
        assert_eq!(out.len(), self.0.len());
        out.copy_from_slice(&self.0);
        Ok(())
    }
}

impl TryCryptoRng for Given {}

fn check_by_name(name: &str) {
    let expected = &answers()["kems"][name];
    let kem = Algorithm::find(name).unwrap();
    let lengths = [kem.public_key_len(), kem.secret_key_len(), kem.ciphertext_len()];
    let fields = ["public_key_bytes", "secret_key_bytes", "ciphertext_bytes"];
    assert_eq!(lengths, fields.map(|field| expected[field].as_u64().unwrap() as usize));
    let (mut secret_keys, mut ciphertexts) = (Vec::new(), Vec::new());
    for record in expected["records"].as_array().unwrap() {
        let seed = bytes(&record["keypair_seed"]);
        let (secret_key, public_key) = kem.keypair_from_seed(&seed).unwrap();
        assert_eq!(digest(&public_key), bytes(&record["public_key_sha256"]));
        assert_eq!(digest(&secret_key), bytes(&record["secret_key_sha256"]));
        kem.check_secret_key(&secret_key).unwrap();
        kem.check_public_key(&public_key).unwrap();
        assert_eq!(kem.derive_public_key(&secret_key).unwrap(), public_key);
        let seed = bytes(&record["encaps_seed"]);
        let (ciphertext, shared) = kem.encapsulate_from_seed(&public_key, &seed).unwrap();
        assert_eq!(digest(&ciphertext), bytes(&record["ciphertext_sha256"]));
        assert_eq!(shared.to_vec(), bytes(&record["shared_secret"]));
        kem.check_ciphertext(&ciphertext).unwrap();
        assert_eq!(kem.decapsulate(&ciphertext, &secret_key).unwrap(), shared);
        secret_keys.push(secret_key.to_vec());
        ciphertexts.push(ciphertext);
    }
    assert_eq!(secret_keys.len(), 5);
    let rejections = expected["rejections"].as_array().unwrap();
    assert!(rejections.len() >= 12);
    for case in rejections {
        let ciphertext = changed(&ciphertexts, &case["ciphertext"]);
        let secret_key = changed(&secret_keys, &case["secret_key"]);
        let shared = kem.decapsulate(&ciphertext, &secret_key).unwrap();
        assert_eq!(shared.to_vec(), bytes(&case["shared_secret"]), "{name}: {}", case["what"]);
    }
}

/// One test for all, because the choice of the back end is the process's.
#[test]
fn by_name_on_every_back_end() {
    assert_eq!(answers()["version"].as_str(), Some(env!("CARGO_PKG_VERSION")));
    let names: Vec<String> = answers()["kems"].as_object().unwrap().keys().cloned().collect();
    assert_eq!(names.len(), 6);
    for backend in codekem::backends().filter(|name| *name != "reference") {
        codekem::select_backend(Some(backend)).unwrap();
        assert_eq!(codekem::backend(), Ok(backend));
        names.iter().for_each(|name| check_by_name(name));
    }
    codekem::select_backend(None).unwrap();
}

/// What both kinds of types have: a key from a seed, and an exchange with it.
fn check_types<K: Parameters>(
    from_seed: impl Fn(&[u8]) -> (DecapsulationKey<K>, EncapsulationKey<K>),
    exchange: impl Fn(&DecapsulationKey<K>, Given) -> (Vec<u8>, Vec<u8>, Vec<u8>),
) {
    let kem = K::algorithm();
    for record in answers()["kems"][kem.name()]["records"].as_array().unwrap() {
        let seed = bytes(&record["keypair_seed"]);
        let (secret, public) = from_seed(&seed);
        assert_eq!(secret.encapsulation_key(), &public);
        assert_eq!(digest(public.as_bytes()), bytes(&record["public_key_sha256"]));
        assert_eq!(digest(secret.as_secret_key()), bytes(&record["secret_key_sha256"]));
        assert_eq!(secret.seed().unwrap().as_ref(), seed);
        let loaded = DecapsulationKey::<K>::from_secret_key(secret.as_secret_key()).unwrap();
        assert_eq!(loaded.encapsulation_key(), &public);
        assert_eq!(EncapsulationKey::<K>::from_bytes(public.as_bytes()).unwrap(), public);
        for key in [&secret, &loaded] {
            let (ciphertext, sent, received) = exchange(key, Given(bytes(&record["encaps_seed"])));
            assert_eq!(digest(&ciphertext), bytes(&record["ciphertext_sha256"]));
            assert_eq!(sent, bytes(&record["shared_secret"]));
            assert_eq!(received, sent);
        }
        if kem.family() == "HQC" {
            assert_eq!(loaded.seed().unwrap().as_ref(), seed);
        } else {
            assert!(loaded.seed().is_none());
        }
    }
}

fn check_hqc<K: Hqc>() {
    check_types::<K>(
        |seed| {
            let secret = DecapsulationKey::<K>::new_from_slice(seed).unwrap();
            assert_eq!(secret.to_bytes().as_slice(), seed);
            let public = secret.encapsulation_key().clone();
            assert_eq!(KeyExport::to_bytes(&public).as_slice(), public.as_bytes());
            (secret, public)
        },
        |key, mut rng| {
            let (ciphertext, sent) =
                Encapsulate::encapsulate_with_rng(key.encapsulation_key(), &mut rng);
            let received = key.clone().decapsulate(&ciphertext);
            (ciphertext.to_vec(), sent.to_vec(), received.to_vec())
        },
    );
}

fn check_bike<K: Bike>() {
    check_types::<K>(
        |seed| K::from_seed(seed.try_into().unwrap()),
        |key, mut rng| {
            let (ciphertext, sent) = key.encapsulation_key().encapsulate_with_rng(&mut rng);
            let key = DecapsulationKey::<K>::from_secret_key(key.as_secret_key()).unwrap();
            let received = key.decapsulate(&ciphertext);
            (ciphertext.as_ref().to_vec(), sent.to_vec(), received.to_vec())
        },
    );
}

#[test]
fn hqc_by_type() {
    check_hqc::<Hqc1>();
    check_hqc::<Hqc3>();
    check_hqc::<Hqc5>();
}

#[test]
fn bike_by_type() {
    check_bike::<BikeL1>();
    check_bike::<BikeL3>();
    check_bike::<BikeL5>();
}
