// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Reads and writes keys in PEM by lines of standard input, as the project's tests exchange them
//! with other languages (their `key_exchange.py` has the lines).

use codekem::kem::KeyInit;
use codekem::pkcs8::LineEnding;
use codekem::pkcs8::{DecodePrivateKey, DecodePublicKey, EncodePrivateKey, EncodePublicKey};
use codekem::{Bike, BikeL1, BikeL3, BikeL5, Hqc, Hqc1, Hqc3, Hqc5};
use codekem::{DecapsulationKey, EncapsulationKey, Parameters, PrivateKeyForm};
use std::error::Error;
use std::io::stdin;

type Said = Result<String, Box<dyn Error>>;

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn bytes(text: &str) -> Result<Vec<u8>, Box<dyn Error>> {
    (0..text.len() / 2).map(|i| Ok(u8::from_str_radix(&text[2 * i..2 * i + 2], 16)?)).collect()
}

fn hqc<K: Hqc>(seed: &[u8]) -> Result<DecapsulationKey<K>, Box<dyn Error>> {
    Ok(DecapsulationKey::<K>::new_from_slice(seed)?)
}

fn bike<K: Bike>(seed: &[u8]) -> Result<DecapsulationKey<K>, Box<dyn Error>> {
    Ok(K::from_seed(seed.try_into()?).0)
}

fn write<K: Parameters>(key: &DecapsulationKey<K>, form: &str) -> Said {
    let private = match form {
        "default" => key.to_pkcs8_der()?,
        "seed" => key.to_pkcs8_der_as(PrivateKeyForm::Seed)?,
        "both" => key.to_pkcs8_der_as(PrivateKeyForm::Both)?,
        _ => key.to_pkcs8_der_as(PrivateKeyForm::Expanded)?,
    };
    let private = private.to_pem("PRIVATE KEY", LineEnding::LF)?;
    let public = key.encapsulation_key().to_public_key_pem(LineEnding::LF)?;
    Ok(format!("{} {}", hex(private.as_bytes()), hex(public.as_bytes())))
}

fn read<K: Parameters>(kind: &str, pem: &str) -> Said {
    let name = K::algorithm().name();
    if kind == "public" {
        let key = EncapsulationKey::<K>::from_public_key_pem(pem)?;
        return Ok(format!("ok {name} {}", hex(key.as_bytes())));
    }
    let key = DecapsulationKey::<K>::from_pkcs8_pem(pem)?;
    let public = hex(key.encapsulation_key().as_bytes());
    let seed = key.seed().map_or("-".into(), |seed| hex(seed.as_ref()));
    Ok(format!("ok {name} {public} {} {seed}", hex(key.as_secret_key())))
}

fn answer(line: &str) -> Said {
    let words: Vec<&str> = line.split_whitespace().collect();
    if words[0] == "write" {
        let seed = bytes(words[2])?;
        return match words[1] {
            "HQC-1" => write(&hqc::<Hqc1>(&seed)?, words[3]),
            "HQC-3" => write(&hqc::<Hqc3>(&seed)?, words[3]),
            "HQC-5" => write(&hqc::<Hqc5>(&seed)?, words[3]),
            "BIKE-L1" => write(&bike::<BikeL1>(&seed)?, words[3]),
            "BIKE-L3" => write(&bike::<BikeL3>(&seed)?, words[3]),
            _ => write(&bike::<BikeL5>(&seed)?, words[3]),
        };
    }
    let read = match words[2] {
        "HQC-1" => read::<Hqc1>,
        "HQC-3" => read::<Hqc3>,
        "HQC-5" => read::<Hqc5>,
        "BIKE-L1" => read::<BikeL1>,
        "BIKE-L3" => read::<BikeL3>,
        _ => read::<BikeL5>,
    };
    read(words[1], &String::from_utf8(bytes(words[3])?)?)
}

fn main() -> Result<(), Box<dyn Error>> {
    for line in stdin().lines() {
        println!("{}", answer(&line?).unwrap_or_else(|error| format!("error {error}")));
    }
    Ok(())
}
