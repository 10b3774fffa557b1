// SPDX-License-Identifier: Apache-2.0 OR MIT
//! HQC as of 2025-08-22 with the traits of the crate kem.

use crate::bytes::Secret;
use crate::keys::{SharedKey, must, sealed};
use crate::{DecapsulationKey, EncapsulationKey, Parameters};
use core::ffi::CStr;
use hybrid_array::sizes::{U32, U2241, U4433, U4514, U7237, U8978, U14421};
use hybrid_array::typenum::Unsigned;
use hybrid_array::{Array, ArraySize};
use kem::common::{KeySizeUser, TryKeyInit};
use kem::{
    Ciphertext, Decapsulate, Decapsulator, Encapsulate, Generate, InvalidKey, Kem, Key, KeyExport,
    KeyInit,
};
use rand_core::{CryptoRng, TryCryptoRng};

/// HQC's parameter sets: [`Hqc1`], [`Hqc3`], [`Hqc5`]. They implement `Kem` of the crate kem.
pub trait Hqc:
    Parameters<
        PublicKey = Array<u8, Self::PublicKeySize>,
        Ciphertext = Array<u8, Self::Length>,
        KeypairSeed = Array<u8, U32>,
    > + Kem<
        EncapsulationKey = EncapsulationKey<Self>,
        DecapsulationKey = DecapsulationKey<Self>,
        CiphertextSize = Self::Length,
        SharedKeySize = U32,
    >
{
    /// The length of a public key.
    type PublicKeySize: ArraySize;
    /// The length of a ciphertext.
    type Length: ArraySize;
    /// Returns zeros. `Array::default()` takes several times its length of stack, if not optimized.
    #[doc(hidden)]
    fn blank() -> Array<u8, Self::Length>;
}

macro_rules! hqc {
    ($type:ident, $name:expr, $level:literal, $public:ty, $secret:literal, $ciphertext:ty,
     $seed:literal) => {
        #[doc = concat!("HQC at NIST's level ", $level, ", version of 2025-08-22.")]
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $type;

        impl sealed::Sealed for $type {}

        impl Parameters for $type {
            type PublicKey = Array<u8, $public>;
            type SecretKey = [u8; $secret];
            type Ciphertext = Array<u8, $ciphertext>;
            type KeypairSeed = Array<u8, U32>;
            type EncapsSeed = [u8; $seed];
            const NAME: &'static CStr = $name;
            const SEED_AT_END: bool = true;
        }

        impl Kem for $type {
            type DecapsulationKey = DecapsulationKey<$type>;
            type EncapsulationKey = EncapsulationKey<$type>;
            type SharedKeySize = U32;
            type CiphertextSize = $ciphertext;
        }

        impl Hqc for $type {
            type PublicKeySize = $public;
            type Length = $ciphertext;

            fn blank() -> Array<u8, $ciphertext> {
                Array([0; <$ciphertext>::USIZE])
            }
        }
    };
}

// kems: made by parameters/generate.py
hqc!(Hqc1, c"HQC-1", "1", U2241, 2321, U4433, 32);
hqc!(Hqc3, c"HQC-3", "3", U4514, 4602, U8978, 40);
hqc!(Hqc5, c"HQC-5", "5", U7237, 7333, U14421, 48);
// kems: end

impl<K: Hqc> KeySizeUser for EncapsulationKey<K> {
    type KeySize = K::PublicKeySize;
}

/// Checks the key, as [`EncapsulationKey::from_bytes`] does.
impl<K: Hqc> TryKeyInit for EncapsulationKey<K> {
    fn new(key: &Key<Self>) -> Result<Self, InvalidKey> {
        Self::from_bytes(key).or(Err(InvalidKey))
    }
}

impl<K: Hqc> KeyExport for EncapsulationKey<K> {
    fn to_bytes(&self) -> Key<Self> {
        self.array().clone()
    }
}

/// # Panics
/// If there is no memory for the call. [`Algorithm`](crate::Algorithm) has calls that return
/// errors.
impl<K: Hqc> Encapsulate for EncapsulationKey<K> {
    type Kem = K;

    fn encapsulate_with_rng<R>(&self, rng: &mut R) -> (Ciphertext<K>, SharedKey)
    where
        R: CryptoRng + ?Sized,
    {
        let mut made = (K::blank(), SharedKey::default());
        self.encaps(&mut made.0, &mut made.1, rng);
        made
    }
}

/// HQC's keys may be used again; BIKE's cannot be copied, for each is for one exchange.
impl<K: Hqc> Clone for DecapsulationKey<K> {
    fn clone(&self) -> Self {
        self.duplicate()
    }
}

/// The key is the seed of the pair.
impl<K: Hqc> KeySizeUser for DecapsulationKey<K> {
    type KeySize = U32;
}

/// # Panics
/// As [`Encapsulate`] of [`EncapsulationKey`].
impl<K: Hqc> KeyInit for DecapsulationKey<K> {
    fn new(seed: &Key<Self>) -> Self {
        must(Self::from_keypair_seed(Secret::copied(seed)))
    }
}

/// Exports the seed.
impl<K: Hqc> KeyExport for DecapsulationKey<K> {
    fn to_bytes(&self) -> Key<Self> {
        self.seed().cloned().unwrap_or_default()
    }
}

/// # Panics
/// As [`Encapsulate`] of [`EncapsulationKey`].
impl<K: Hqc> Generate for DecapsulationKey<K> {
    fn try_generate_from_rng<R: TryCryptoRng + ?Sized>(rng: &mut R) -> Result<Self, R::Error> {
        Self::draw(rng)
    }
}

impl<K: Hqc> Decapsulator for DecapsulationKey<K> {
    type Kem = K;

    fn encapsulation_key(&self) -> &EncapsulationKey<K> {
        self.encapsulation_key()
    }
}

/// # Panics
/// As [`Encapsulate`] of [`EncapsulationKey`].
impl<K: Hqc> Decapsulate for DecapsulationKey<K> {
    fn decapsulate(&self, ct: &Ciphertext<K>) -> SharedKey {
        self.decaps(ct)
    }
}
