// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Keys of a KEM that is known when the program is compiled.

use crate::bytes::{Bytes, Public, Secret};
use crate::ffi::{self, Handle};
use crate::{Algorithm, Error};
use core::ffi::CStr;
use core::fmt;
use hybrid_array::{Array, sizes::U32};
use rand_core::{CryptoRng, TryCryptoRng};

/// A shared secret of any KEM with a type.
pub type SharedKey = Array<u8, U32>;

/// What distinguishes the KEMs that have types: [`Hqc1`](crate::Hqc1) and so on. Only this crate
/// can implement it.
pub trait Parameters:
    sealed::Sealed + Copy + fmt::Debug + Default + Eq + Ord + Send + Sync + 'static
{
    /// The bytes of a public key.
    type PublicKey: Bytes;
    /// The bytes of a secret key.
    type SecretKey: Bytes;
    /// The bytes of a ciphertext.
    type Ciphertext: Bytes;
    /// The seed that a key pair is made from.
    type KeypairSeed: Bytes;
    #[doc(hidden)]
    type EncapsSeed: Bytes;
    #[doc(hidden)]
    const NAME: &'static CStr;
    /// How many bytes at the end of a secret key are its seed: all or none.
    #[doc(hidden)]
    const SEED_AT_END: bool;

    /// Returns the same KEM by name.
    ///
    /// # Panics
    /// If the library does not have it, which can only be an installed one (`CODEKEM_SYSTEM=1`).
    #[must_use]
    fn algorithm() -> Algorithm {
        Algorithm::of(handle::<Self>())
    }
}

pub(crate) mod sealed {
    #[allow(unnameable_types)] // nobody else shall implement it
    pub trait Sealed {}
}

fn handle<K: Parameters>() -> Handle {
    ffi::ensure_backend();
    Handle::find(K::NAME).unwrap_or_else(|| {
        panic!("the installed library codekem was built without {:?}", K::default())
    })
}

/// The calls that cannot report errors: see "Panics" at each.
pub(crate) fn must<T>(result: Result<T, Error>) -> T {
    result.unwrap_or_else(|error| panic!("codekem: {error}"))
}

/// A public key.
#[derive(Clone, PartialEq, Eq)]
pub struct EncapsulationKey<K: Parameters>(Public<K::PublicKey>);

/// A secret key, with its public key.
///
/// With the feature `alloc` it is on the heap, and all of it is wiped when it is dropped. Without,
/// it is in place: Rust may copy it when it moves, and only the last copy is wiped.
///
/// There is no `==`, on purpose: keys with one public key may differ (BIKE's in the part that makes
/// the secrets of rejected ciphertexts). Compare [`as_secret_key`](Self::as_secret_key) in constant
/// time, by the crate `subtle`, or the public keys, whichever is meant.
pub struct DecapsulationKey<K: Parameters> {
    secret_key: Secret<K::SecretKey>,
    seed: Option<Secret<K::KeypairSeed>>,
    public: EncapsulationKey<K>,
}

impl<K: Parameters> EncapsulationKey<K> {
    /// Takes a public key in the encoding of the specification, and checks it.
    ///
    /// # Errors
    /// [`Error::Length`]; [`Error::PublicKey`] if no honest party can have made it.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        handle::<K>().check_public_key(bytes)?;
        Ok(Self(Public::copied(bytes)))
    }

    /// Returns the key in the encoding of the specification.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        self.0.as_ref()
    }

    pub(crate) fn array(&self) -> &K::PublicKey {
        self.0.get()
    }

    /// Draws a seed and encapsulates; the results have their places, because they are long.
    pub(crate) fn encaps<R>(
        &self,
        ciphertext: &mut K::Ciphertext,
        shared: &mut SharedKey,
        rng: &mut R,
    ) where
        R: CryptoRng + ?Sized,
    {
        let mut seed = Secret::<K::EncapsSeed>::zeroed();
        rng.fill_bytes(seed.as_mut());
        let key = self.as_bytes();
        must(handle::<K>().encaps(ciphertext.as_mut(), shared.as_mut(), key, seed.as_ref()));
    }
}

impl<K: Parameters> DecapsulationKey<K> {
    /// Takes a secret key in the encoding of the specification, as files and other libraries hold
    /// it, and checks that its parts belong together.
    ///
    /// # Errors
    /// [`Error::Length`], [`Error::SecretKey`], [`Error::Memory`], [`Error::Backend`].
    pub fn from_secret_key(bytes: &[u8]) -> Result<Self, Error> {
        let kem = handle::<K>();
        kem.check_secret_key(bytes)?;
        let mut public = Public::zeroed();
        kem.derive_public_key(public.as_mut(), bytes)?;
        let seed = K::SEED_AT_END.then(|| {
            let length = kem.as_raw().length_keypair_seed;
            Secret::copied(&bytes[bytes.len() - length..])
        });
        Ok(Self { secret_key: Secret::copied(bytes), seed, public: EncapsulationKey(public) })
    }

    /// Returns the secret key in the encoding of the specification.
    #[must_use]
    pub fn as_secret_key(&self) -> &[u8] {
        self.secret_key.as_ref()
    }

    /// Returns the seed that the key pair was made from. HQC's secret keys hold it; BIKE's do not,
    /// so after [`from_secret_key`](Self::from_secret_key) there is none.
    #[must_use]
    pub fn seed(&self) -> Option<&K::KeypairSeed> {
        self.seed.as_ref().map(Secret::get)
    }

    /// Returns the public key.
    #[must_use]
    pub fn encapsulation_key(&self) -> &EncapsulationKey<K> {
        &self.public
    }

    pub(crate) fn duplicate(&self) -> Self {
        Self {
            secret_key: self.secret_key.clone(),
            seed: self.seed.clone(),
            public: self.public.clone(),
        }
    }

    pub(crate) fn from_keypair_seed(seed: Secret<K::KeypairSeed>) -> Result<Self, Error> {
        let mut public = Public::zeroed();
        let mut secret_key = Secret::zeroed();
        handle::<K>().keypair(public.as_mut(), secret_key.as_mut(), seed.as_ref())?;
        Ok(Self { secret_key, seed: Some(seed), public: EncapsulationKey(public) })
    }

    pub(crate) fn draw<R>(rng: &mut R) -> Result<Self, R::Error>
    where
        R: TryCryptoRng + ?Sized,
    {
        let mut seed = Secret::<K::KeypairSeed>::zeroed();
        rng.try_fill_bytes(seed.as_mut())?;
        Ok(must(Self::from_keypair_seed(seed)))
    }

    pub(crate) fn decaps(&self, ciphertext: &K::Ciphertext) -> SharedKey {
        let mut shared = SharedKey::default();
        let key = self.as_secret_key();
        must(handle::<K>().decaps(shared.as_mut(), ciphertext.as_ref(), key));
        shared
    }
}

impl<K: Parameters> zeroize::ZeroizeOnDrop for DecapsulationKey<K> {}

impl<K: Parameters> AsRef<[u8]> for EncapsulationKey<K> {
    fn as_ref(&self) -> &[u8] {
        self.as_bytes()
    }
}

impl<K: Parameters> TryFrom<&[u8]> for EncapsulationKey<K> {
    type Error = Error;

    fn try_from(bytes: &[u8]) -> Result<Self, Error> {
        Self::from_bytes(bytes)
    }
}

impl<K: Parameters> fmt::Debug for EncapsulationKey<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "EncapsulationKey({:?}, ", K::default())?;
        for byte in &self.as_bytes()[..8] {
            write!(f, "{byte:02x}")?;
        }
        f.write_str("..)")
    }
}

impl<K: Parameters> fmt::Debug for DecapsulationKey<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DecapsulationKey").field("public", &self.public).finish_non_exhaustive()
    }
}
