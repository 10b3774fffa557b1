// SPDX-License-Identifier: Apache-2.0 OR MIT
//! liboqs 0.13, through the crate oqs-sys 0.11.

use oqs_sys::kem::{
    OQS_KEM_hqc_128_decaps, OQS_KEM_hqc_128_encaps, OQS_KEM_hqc_128_keypair,
    OQS_KEM_hqc_192_decaps, OQS_KEM_hqc_192_encaps, OQS_KEM_hqc_192_keypair,
    OQS_KEM_hqc_256_decaps, OQS_KEM_hqc_256_encaps, OQS_KEM_hqc_256_keypair,
};

use crate::Functions;

unsafe extern "C" fn random(out: *mut u8, length: usize) {
    // SAFETY: liboqs gives its own buffer.
    crate::fill(unsafe { std::slice::from_raw_parts_mut(out, length) });
}

pub fn prepare() {
    // SAFETY: once, before anything else, and random lives for ever.
    unsafe {
        oqs_sys::common::OQS_init();
        oqs_sys::rand::OQS_randombytes_custom_algorithm(Some(random));
    }
}

pub fn functions(bits: u32) -> Functions {
    match bits {
        128 => Functions {
            keypair: |pk, sk| unsafe { OQS_KEM_hqc_128_keypair(pk, sk) as i32 },
            encaps: |ct, ss, pk| unsafe { OQS_KEM_hqc_128_encaps(ct, ss, pk) as i32 },
            decaps: |ss, ct, sk| unsafe { OQS_KEM_hqc_128_decaps(ss, ct, sk) as i32 },
        },
        192 => Functions {
            keypair: |pk, sk| unsafe { OQS_KEM_hqc_192_keypair(pk, sk) as i32 },
            encaps: |ct, ss, pk| unsafe { OQS_KEM_hqc_192_encaps(ct, ss, pk) as i32 },
            decaps: |ss, ct, sk| unsafe { OQS_KEM_hqc_192_decaps(ss, ct, sk) as i32 },
        },
        _ => Functions {
            keypair: |pk, sk| unsafe { OQS_KEM_hqc_256_keypair(pk, sk) as i32 },
            encaps: |ct, ss, pk| unsafe { OQS_KEM_hqc_256_encaps(ct, ss, pk) as i32 },
            decaps: |ss, ct, sk| unsafe { OQS_KEM_hqc_256_decaps(ss, ct, sk) as i32 },
        },
    }
}
