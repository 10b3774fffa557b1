// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Keys, ciphertexts and secrets in files, as `codekem --format raw` has them.
//!
//! usage: exchange keygen KEM SECRET_KEY PUBLIC_KEY
//!        exchange encaps KEM PUBLIC_KEY CIPHERTEXT SHARED_SECRET
//!        exchange decaps KEM CIPHERTEXT SECRET_KEY SHARED_SECRET

use codekem::Algorithm;
use std::error::Error;
use std::fs::{read, write};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words[..] {
        ["keygen", name, secret_key, public_key] => {
            let (secret, public) = Algorithm::find(name)?.generate_keypair()?;
            write(secret_key, &secret)?;
            write(public_key, public)?;
        }
        ["encaps", name, public_key, ciphertext, shared_secret] => {
            let kem = Algorithm::find(name)?;
            let public = read(public_key)?;
            kem.check_public_key(&public)?;
            let (made, shared) = kem.encapsulate(&public)?;
            write(ciphertext, made)?;
            write(shared_secret, &shared)?;
        }
        ["decaps", name, ciphertext, secret_key, shared_secret] => {
            let kem = Algorithm::find(name)?;
            let shared = kem.decapsulate(&read(ciphertext)?, &read(secret_key)?)?;
            write(shared_secret, &shared)?;
        }
        _ => return Err("usage: exchange keygen|encaps|decaps KEM FILE FILE [FILE]".into()),
    }
    Ok(())
}
