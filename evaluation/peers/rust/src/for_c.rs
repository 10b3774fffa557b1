// SPDX-License-Identifier: Apache-2.0 OR MIT
//! RustCrypto's hqc-kem with an interface for C (rustcrypto_kem.c). Randomness comes from C.
#![cfg(feature = "rustcrypto")]

use std::convert::Infallible;
use std::ffi::{c_int, c_uchar};

use hqc_kem::{
    Ciphertext, DecapsulationKey, EncapsulationKey, Hqc128Params, Hqc192Params, Hqc256Params,
    HqcKem, HqcParams,
};
use rand::{TryCryptoRng, TryRng};

extern "C" {
    fn peer_bytes(out: *mut c_uchar, length: usize);
}

/// The generator of random.c.
struct OfC;

impl TryRng for OfC {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        let mut bytes = [0; 4];
        self.try_fill_bytes(&mut bytes)?;
        Ok(u32::from_le_bytes(bytes))
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        let mut bytes = [0; 8];
        self.try_fill_bytes(&mut bytes)?;
        Ok(u64::from_le_bytes(bytes))
    }

    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Infallible> {
        // SAFETY: out is that long.
        unsafe { peer_bytes(out.as_mut_ptr(), out.len()) };
        Ok(())
    }
}

impl TryCryptoRng for OfC {}

unsafe fn copy(out: *mut c_uchar, data: &[u8]) {
    out.copy_from_nonoverlapping(data.as_ptr(), data.len());
}

/// Writes a key pair.
unsafe fn keypair<P: HqcParams>(public_key: *mut c_uchar, secret_key: *mut c_uchar) -> c_int {
    let (public, secret) = HqcKem::<P>::generate_key(&mut OfC);
    copy(public_key, public.as_ref());
    copy(secret_key, secret.as_ref());
    0
}

/// Writes a ciphertext and its secret.
unsafe fn encaps<P: HqcParams>(
    ciphertext: *mut c_uchar,
    shared: *mut c_uchar,
    public_key: &[u8],
) -> c_int {
    let Ok(key) = EncapsulationKey::<P>::try_from(public_key) else { return -1 };
    let (text, secret) = key.encapsulate(&mut OfC);
    copy(ciphertext, text.as_ref());
    copy(shared, secret.as_ref());
    0
}

/// Writes the secret of a ciphertext.
unsafe fn decaps<P: HqcParams>(
    shared: *mut c_uchar,
    ciphertext: &[u8],
    secret_key: &[u8],
) -> c_int {
    let Ok(key) = DecapsulationKey::<P>::try_from(secret_key) else { return -1 };
    let Ok(text) = Ciphertext::<P>::try_from(ciphertext) else { return -1 };
    copy(shared, key.decapsulate(&text).as_ref());
    0
}

/// The functions of one parameter set, whose buffers have its sizes.
macro_rules! export {
    ($params:ty, $public:literal, $secret:literal, $text:literal, $keypair:ident, $encaps:ident,
     $decaps:ident) => {
        /// # Safety
        /// The buffers are as long as their keys.
        #[no_mangle]
        pub unsafe extern "C" fn $keypair(pk: *mut c_uchar, sk: *mut c_uchar) -> c_int {
            keypair::<$params>(pk, sk)
        }

        /// # Safety
        /// The buffers are as long as key, ciphertext and secret.
        #[no_mangle]
        pub unsafe extern "C" fn $encaps(
            ct: *mut c_uchar,
            ss: *mut c_uchar,
            pk: *const c_uchar,
        ) -> c_int {
            encaps::<$params>(ct, ss, std::slice::from_raw_parts(pk, $public))
        }

        /// # Safety
        /// The buffers are as long as key, ciphertext and secret.
        #[no_mangle]
        pub unsafe extern "C" fn $decaps(
            ss: *mut c_uchar,
            ct: *const c_uchar,
            sk: *const c_uchar,
        ) -> c_int {
            decaps::<$params>(
                ss,
                std::slice::from_raw_parts(ct, $text),
                std::slice::from_raw_parts(sk, $secret),
            )
        }
    };
}

export!(
    Hqc128Params,
    2241,
    2321,
    4433,
    rustcrypto_1_keypair,
    rustcrypto_1_encaps,
    rustcrypto_1_decaps
);
export!(
    Hqc192Params,
    4514,
    4602,
    8978,
    rustcrypto_3_keypair,
    rustcrypto_3_encaps,
    rustcrypto_3_decaps
);
export!(
    Hqc256Params,
    7237,
    7333,
    14421,
    rustcrypto_5_keypair,
    rustcrypto_5_encaps,
    rustcrypto_5_decaps
);
