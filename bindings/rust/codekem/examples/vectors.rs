// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Answers lines of standard input with keys, ciphertexts and secrets, as the project's vectors in
//! Wycheproof's form are run (its `tests/wycheproof/run.py` has the lines).

use codekem::Algorithm;
use std::error::Error;
use std::io::stdin;

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn bytes(text: &str) -> Result<Vec<u8>, Box<dyn Error>> {
    let text = text.trim_matches('-');
    (0..text.len() / 2).map(|i| Ok(u8::from_str_radix(&text[2 * i..2 * i + 2], 16)?)).collect()
}

fn answer(line: &str) -> Result<String, Box<dyn Error>> {
    let words: Vec<&str> = line.split(' ').collect();
    match words[..] {
        ["keygen", name, seed] => {
            let (secret, public) = Algorithm::find(name)?.keypair_from_seed(&bytes(seed)?)?;
            Ok(format!("{} {}", hex(&public), hex(&secret)))
        }
        ["encaps", name, public, drawn] => {
            let kem = Algorithm::find(name)?;
            let (ciphertext, shared) =
                kem.encapsulate_from_seed(&bytes(public)?, &bytes(drawn)?)?;
            Ok(format!("{} {}", hex(&ciphertext), hex(&shared)))
        }
        ["decaps", name, secret, ciphertext] => {
            let kem = Algorithm::find(name)?;
            Ok(hex(&kem.decapsulate(&bytes(ciphertext)?, &bytes(secret)?)?))
        }
        _ => Err("keygen KEM SEED, encaps KEM KEY DRAWN, or decaps KEM KEY CIPHERTEXT".into()),
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    for line in stdin().lines() {
        match answer(&line?) {
            Ok(said) => println!("{said}"),
            Err(error) => println!("refused {error}"),
        }
    }
    Ok(())
}
