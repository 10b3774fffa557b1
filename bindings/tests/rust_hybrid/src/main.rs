// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Answers for bindings/tests/test_hybrid.py, whose head says what: the vectors by the crate.

use codekem::{Algorithm, Error, Group, Hybrid};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

fn bytes(value: &Value) -> Vec<u8> {
    let text = value.as_str().unwrap();
    (0..text.len()).step_by(2).map(|i| u8::from_str_radix(&text[i..i + 2], 16).unwrap()).collect()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn change(data: &[u8], how: &Value) -> Vec<u8> {
    let mut data = data.to_vec();
    let at = how["at"].as_i64().unwrap().rem_euclid(data.len() as i64) as usize;
    match how["xor"].as_u64() {
        Some(mask) => data[at] ^= mask as u8,
        None => {
            let new = bytes(&how["bytes"]);
            data[at..at + new.len()].copy_from_slice(&new);
        }
    }
    data
}

fn outcome<T: AsRef<[u8]>>(result: Result<T, Error>) -> Value {
    match result {
        Ok(secret) => json!(hex(secret.as_ref())),
        Err(Error::PublicKey | Error::Ciphertext) => Value::Null,
        Err(error) => panic!("{error}"),
    }
}

/// What must be refused, whatever the vector.
fn refuse(hybrid: &Hybrid, public_key: &[u8], secret_key: &[u8], ciphertext: &[u8]) {
    hybrid.check_secret_key(secret_key).unwrap();
    for place in [0, 40, secret_key.len() - 1] {
        let altered = change(secret_key, &json!({"at": place, "xor": 1}));
        assert_eq!(hybrid.check_secret_key(&altered), Err(Error::SecretKey));
    }
    let long = |result| assert!(matches!(result, Err(Error::Length { .. })));
    long(hybrid.encapsulate(&public_key[1..]).map(drop));
    long(hybrid.decapsulate(&ciphertext[1..], secret_key).map(drop));
    long(hybrid.decapsulate(ciphertext, public_key).map(drop));
    long(hybrid.keypair_from_seed(public_key).map(drop));
    let (ciphertext, sent) = hybrid.encapsulate(public_key).unwrap();
    assert_eq!(hybrid.decapsulate(&ciphertext, secret_key).unwrap(), sent);
}

fn answer(vector: &Value) -> Value {
    let kem = Algorithm::find(vector["kem"].as_str().unwrap()).unwrap();
    let group = if vector["group"] == "P256" { Group::P256 } else { Group::X25519 };
    let hybrid = Hybrid::new(kem, group);
    let seed = bytes(&vector["encaps_seed"]);
    let (secret_key, public_key) = hybrid.keypair_from_seed(&bytes(&vector["seed"])).unwrap();
    let (ciphertext, secret) = hybrid.encapsulate_from_seed(&public_key, &seed).unwrap();
    assert_eq!(hybrid.decapsulate(&ciphertext, &secret_key).unwrap(), secret);
    if kem.name() == "HQC-1" {
        refuse(&hybrid, &public_key, &secret_key, &ciphertext);
    }
    let altered = vector["altered"].as_array().unwrap().iter();
    let keys = vector["keys"].as_array().unwrap().iter();
    let encapsulate = |key: Vec<u8>| hybrid.encapsulate_from_seed(&key, &seed).map(|both| both.1);
    json!({
        "label": hybrid.label(),
        "public_key_sha256": hex(&Sha256::digest(&public_key)),
        "ciphertext_sha256": hex(&Sha256::digest(&ciphertext)),
        "shared_secret": hex(&secret),
        "altered": altered
            .map(|how| outcome(hybrid.decapsulate(&change(&ciphertext, how), &secret_key)))
            .collect::<Vec<_>>(),
        "keys": keys.map(|how| outcome(encapsulate(change(&public_key, how)))).collect::<Vec<_>>(),
    })
}

fn main() {
    let path = std::env::args().nth(1).expect("a path");
    let file: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    let answers: Vec<_> = file["vectors"].as_array().unwrap().iter().map(answer).collect();
    println!("{}", json!(answers));
}
