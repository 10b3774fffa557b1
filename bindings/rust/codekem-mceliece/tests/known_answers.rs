// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The published vectors of every set, on the fastest back end, and what callers can do wrong.

use codekem_mceliece::{Algorithm, Error};
use sha2::{Digest, Sha256};

fn answers() -> serde_json::Value {
    serde_json::from_str(include_str!("known_answers.json")).unwrap()
}

fn bytes(value: &serde_json::Value) -> Vec<u8> {
    let text = value.as_str().unwrap();
    (0..text.len()).step_by(2).map(|i| u8::from_str_radix(&text[i..i + 2], 16).unwrap()).collect()
}

/// The keys of a record, whose digests are compared.
fn keys(kem: Algorithm, record: &serde_json::Value) -> (codekem_mceliece::SecretBytes, Vec<u8>) {
    let (secret_key, public_key) = kem.keypair_from_seed(&bytes(&record["keypair_seed"])).unwrap();
    assert_eq!(Sha256::digest(&public_key).to_vec(), bytes(&record["public_key_sha256"]));
    assert_eq!(Sha256::digest(&secret_key[..]).to_vec(), bytes(&record["secret_key_sha256"]));
    (secret_key, public_key)
}

#[test]
fn published_records_are_made_and_opened() {
    for (name, record) in answers().as_object().unwrap() {
        let kem = codekem_mceliece::find(name).unwrap();
        let (secret_key, public_key) = keys(kem, record);
        let shared = kem.decapsulate(&bytes(&record["ciphertext"]), &secret_key).unwrap();
        assert_eq!(shared[..], bytes(&record["shared_secret"]), "{name}");
        let (ciphertext, sent) = kem.encapsulate_from_seed(&public_key, &[7; 32]).unwrap();
        assert_eq!(kem.decapsulate(&ciphertext, &secret_key), Ok(sent), "{name}");
        let mut altered = ciphertext.clone();
        altered[0] ^= 1;
        assert_ne!(
            kem.decapsulate(&altered, &secret_key),
            kem.decapsulate(&ciphertext, &secret_key)
        );
    }
}

#[test]
fn all_forms_are_there_and_no_others() {
    assert_eq!(codekem_mceliece::all().count(), 20);
    assert_eq!(answers().as_object().unwrap().len(), 10);
    for name in ["mceliece348864pcf", "mceliece8192128", "mceliece6960119pc"] {
        assert_eq!(codekem_mceliece::find(name).unwrap().name(), name);
    }
    for name in ["HQC-1", "mceliece", "mceliece348864g"] {
        assert_eq!(codekem_mceliece::find(name), Err(Error::UnknownAlgorithm));
    }
    assert!(codekem_mceliece::warning().contains("disputed"));
}

#[test]
fn unused_bits_are_refused() {
    let kem = codekem_mceliece::find("mceliece6960119f").unwrap();
    let (secret_key, mut public_key) = keys(kem, &answers()["mceliece6960119f"]);
    let (mut ciphertext, _) = kem.encapsulate_from_seed(&public_key, &[7; 32]).unwrap();
    *ciphertext.last_mut().unwrap() |= 0x80;
    assert_eq!(kem.decapsulate(&ciphertext, &secret_key), Err(Error::Ciphertext));
    public_key[676] |= 0x80; // the last byte of the first row
    assert_eq!(kem.encapsulate_from_seed(&public_key, &[7; 32]).unwrap_err(), Error::PublicKey);
}
