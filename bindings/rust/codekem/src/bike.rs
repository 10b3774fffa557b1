// SPDX-License-Identifier: Apache-2.0 OR MIT
//! BIKE 5.1. hybrid-array, whose arrays the traits of the crate kem use, lacks BIKE's lengths, so
//! the same methods are here without the traits.

use crate::bytes::{Bytes, Secret};
use crate::keys::{SharedKey, must, sealed};
use crate::{DecapsulationKey, EncapsulationKey, Parameters};
use core::ffi::CStr;
use rand_core::{CryptoRng, TryCryptoRng};

/// BIKE's parameter sets, such as [`BikeL1`].
pub trait Bike: Parameters<KeypairSeed = [u8; 64], EncapsSeed = [u8; 32]> {
    /// Makes a key pair with randomness from the system.
    ///
    /// # Panics
    /// If the source of randomness fails, or there is no memory for the call.
    /// [`Algorithm`](crate::Algorithm) has calls that return errors.
    #[cfg(feature = "getrandom")]
    #[must_use]
    fn generate_keypair() -> (DecapsulationKey<Self>, EncapsulationKey<Self>) {
        Self::generate_keypair_from_rng(&mut system())
    }

    /// Makes a key pair with the caller's generator.
    ///
    /// # Panics
    /// As [`generate_keypair`](Self::generate_keypair).
    fn generate_keypair_from_rng<R>(rng: &mut R) -> (DecapsulationKey<Self>, EncapsulationKey<Self>)
    where
        R: CryptoRng + ?Sized,
    {
        let Ok(secret) = DecapsulationKey::draw(rng);
        let public = secret.encapsulation_key().clone();
        (secret, public)
    }

    /// Makes the key pair that belongs to a seed.
    ///
    /// # Panics
    /// As [`generate_keypair`](Self::generate_keypair).
    #[must_use]
    fn from_seed(seed: &Self::KeypairSeed) -> (DecapsulationKey<Self>, EncapsulationKey<Self>) {
        let secret = must(DecapsulationKey::from_keypair_seed(Secret::copied(seed)));
        let public = secret.encapsulation_key().clone();
        (secret, public)
    }
}

#[cfg(feature = "getrandom")]
fn system() -> rand_core::UnwrapErr<getrandom::SysRng> {
    rand_core::UnwrapErr(getrandom::SysRng)
}

macro_rules! bike {
    ($type:ident, $name:expr, $level:literal, $public:literal, $secret:literal,
     $ciphertext:literal) => {
        #[doc = concat!("BIKE 5.1 at NIST's level ", $level, ".")]
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $type;

        impl sealed::Sealed for $type {}

        impl Parameters for $type {
            type PublicKey = [u8; $public];
            type SecretKey = [u8; $secret];
            type Ciphertext = [u8; $ciphertext];
            type KeypairSeed = [u8; 64];
            type EncapsSeed = [u8; 32];
            const NAME: &'static CStr = $name;
            const SEED_AT_END: bool = false;
        }

        impl Bike for $type {}
    };
}

// kems: made by parameters/generate.py
bike!(BikeL1, c"BIKE-L1", "1", 1541, 5223, 1573);
bike!(BikeL3, c"BIKE-L3", "3", 3083, 10105, 3115);
bike!(BikeL5, c"BIKE-L5", "5", 5122, 16494, 5154);
// kems: end

impl<K: Bike> EncapsulationKey<K> {
    /// Makes a shared secret with randomness from the system: the ciphertext to send, then the
    /// secret.
    ///
    /// # Panics
    /// As [`Bike::generate_keypair`].
    #[cfg(feature = "getrandom")]
    #[must_use]
    pub fn encapsulate(&self) -> (K::Ciphertext, SharedKey) {
        self.encapsulate_with_rng(&mut system())
    }

    /// Makes a shared secret with the caller's generator: the ciphertext to send, then the secret.
    ///
    /// # Panics
    /// As [`Bike::generate_keypair`].
    pub fn encapsulate_with_rng<R>(&self, rng: &mut R) -> (K::Ciphertext, SharedKey)
    where
        R: CryptoRng + ?Sized,
    {
        let mut made = (K::Ciphertext::zeroed(), SharedKey::default());
        self.encaps(&mut made.0, &mut made.1, rng);
        made
    }
}

impl<K: Bike> DecapsulationKey<K> {
    /// Makes a secret key with a generator that may fail.
    ///
    /// # Errors
    /// What the generator reports.
    ///
    /// # Panics
    /// As [`Bike::generate_keypair`].
    pub fn try_generate_from_rng<R>(rng: &mut R) -> Result<Self, R::Error>
    where
        R: TryCryptoRng + ?Sized,
    {
        Self::draw(rng)
    }

    /// Recovers the shared secret, and uses the key up: BIKE claims no security against those who
    /// can ask for several decapsulations with one key (IND-CPA). A ciphertext that was not made
    /// for this key gives a pseudorandom secret; that takes the same time.
    ///
    /// ```compile_fail,E0382
    /// use codekem::{Bike, BikeL1};
    ///
    /// let (secret_key, _) = BikeL1::generate_keypair();
    /// let one = secret_key.decapsulate(&[0; 1573]);
    /// let other = secret_key.decapsulate(&[1; 1573]); // use of moved value
    /// ```
    ///
    /// Whoever must decapsulate again, to repeat known answers, say, has
    /// [`Algorithm::decapsulate`](crate::Algorithm::decapsulate) and
    /// [`as_secret_key`](Self::as_secret_key).
    ///
    /// # Panics
    /// As [`Bike::generate_keypair`].
    #[must_use]
    pub fn decapsulate(self, ciphertext: &K::Ciphertext) -> SharedKey {
        self.decaps(ciphertext)
    }
}
