// SPDX-License-Identifier: Apache-2.0 OR MIT
//! PQClean, through the crate pqcrypto-hqc 0.2.2. Its own decapsulate panics when a ciphertext is
//! rejected, so the C functions are called.

use pqcrypto_hqc::ffi::{
    PQCLEAN_HQC128_CLEAN_crypto_kem_dec, PQCLEAN_HQC128_CLEAN_crypto_kem_enc,
    PQCLEAN_HQC128_CLEAN_crypto_kem_keypair, PQCLEAN_HQC192_CLEAN_crypto_kem_dec,
    PQCLEAN_HQC192_CLEAN_crypto_kem_enc, PQCLEAN_HQC192_CLEAN_crypto_kem_keypair,
    PQCLEAN_HQC256_CLEAN_crypto_kem_dec, PQCLEAN_HQC256_CLEAN_crypto_kem_enc,
    PQCLEAN_HQC256_CLEAN_crypto_kem_keypair,
};

use crate::Functions;

/// The back end that .cargo/config.toml tells the crate getrandom to use; its error is not used.
#[no_mangle]
unsafe extern "Rust" fn __getrandom_v03_custom(
    out: *mut u8,
    length: usize,
) -> Result<(), getrandom::Error> {
    // SAFETY: getrandom gives its caller's buffer.
    crate::fill(unsafe { std::slice::from_raw_parts_mut(out, length) });
    Ok(())
}

pub fn prepare() {}

pub fn functions(bits: u32) -> Functions {
    match bits {
        128 => Functions {
            keypair: |pk, sk| unsafe { PQCLEAN_HQC128_CLEAN_crypto_kem_keypair(pk, sk) },
            encaps: |ct, ss, pk| unsafe { PQCLEAN_HQC128_CLEAN_crypto_kem_enc(ct, ss, pk) },
            decaps: |ss, ct, sk| unsafe { PQCLEAN_HQC128_CLEAN_crypto_kem_dec(ss, ct, sk) },
        },
        192 => Functions {
            keypair: |pk, sk| unsafe { PQCLEAN_HQC192_CLEAN_crypto_kem_keypair(pk, sk) },
            encaps: |ct, ss, pk| unsafe { PQCLEAN_HQC192_CLEAN_crypto_kem_enc(ct, ss, pk) },
            decaps: |ss, ct, sk| unsafe { PQCLEAN_HQC192_CLEAN_crypto_kem_dec(ss, ct, sk) },
        },
        _ => Functions {
            keypair: |pk, sk| unsafe { PQCLEAN_HQC256_CLEAN_crypto_kem_keypair(pk, sk) },
            encaps: |ct, ss, pk| unsafe { PQCLEAN_HQC256_CLEAN_crypto_kem_enc(ct, ss, pk) },
            decaps: |ss, ct, sk| unsafe { PQCLEAN_HQC256_CLEAN_crypto_kem_dec(ss, ct, sk) },
        },
    }
}
