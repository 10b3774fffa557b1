// SPDX-License-Identifier: Apache-2.0 OR MIT
//! KEMs by name.

use crate::Error;
use crate::ffi::Handle;
use core::fmt;

#[cfg(feature = "alloc")]
use crate::SecretBytes;
#[cfg(feature = "alloc")]
use alloc::{vec, vec::Vec};
#[cfg(feature = "alloc")]
use rand_core::TryCryptoRng;
#[cfg(feature = "alloc")]
use zeroize::Zeroizing;

/// A KEM, found by its name when the program runs.
///
/// Keys and ciphertexts are slices of bytes in the encoding of the specification, and their lengths
/// are checked. What is secret comes in [`SecretBytes`], which are wiped when they are dropped. As
/// everywhere in this crate the secret key comes before the public key, and the ciphertext before
/// the shared secret.
///
/// ```
/// # #[cfg(all(feature = "alloc", feature = "getrandom"))] {
/// use codekem::Algorithm;
///
/// let kem = Algorithm::find("BIKE-L1")?;
/// let (secret_key, public_key) = kem.generate_keypair()?;
/// let (ciphertext, sent) = kem.encapsulate(&public_key)?;
/// let received = kem.decapsulate(&ciphertext, &secret_key)?;
/// assert_eq!(sent, received);
/// # }
/// # Ok::<(), codekem::Error>(())
/// ```
///
/// The methods whose names end in `_into` write to the caller's buffers. Without the feature
/// `alloc` these are all there are, and working memory is taken from the stack: in KiB at most 54
/// for HQC-1, 58 for HQC-3, 64 for HQC-5, 78, 135 and 211 for BIKE-L1, L3 and L5. With it, a call
/// takes 13 KiB of stack, and the rest from the heap.
#[derive(Clone, Copy)]
pub struct Algorithm(Handle);

/// No seed of any KEM is longer.
#[cfg(feature = "alloc")]
const MAX_SEED: usize = 128;

impl Algorithm {
    /// Returns the KEM called `name`, such as `"HQC-1"`, `"BIKE-L1"` or `"HQC-1-v5.0.0"`; case
    /// matters.
    ///
    /// # Errors
    /// [`Error::UnknownAlgorithm`].
    pub fn find(name: &str) -> Result<Self, Error> {
        Self::all().find(|kem| kem.name() == name).ok_or(Error::UnknownAlgorithm)
    }

    /// Returns all KEMs, earlier versions included ([`is_superseded`](Self::is_superseded)).
    pub fn all() -> impl Iterator<Item = Self> {
        (0..).map_while(Handle::at).map(Self)
    }

    pub(crate) fn of(handle: Handle) -> Self {
        Self(handle)
    }

    /// Returns the name, `"BIKE-L1"`.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.0.name()
    }

    /// Returns the revision of the specification, `"5.1"`.
    #[must_use]
    pub fn version(&self) -> &'static str {
        self.0.version()
    }

    /// Returns the scheme, `"BIKE"` or `"HQC"`.
    #[must_use]
    pub fn family(&self) -> &'static str {
        self.0.family()
    }

    /// Returns the notion of security that the specification claims, `"IND-CPA"` or `"IND-CCA2"`.
    #[must_use]
    pub fn security(&self) -> &'static str {
        self.0.security()
    }

    /// Returns NIST's level of security: 1, 3 or 5.
    #[must_use]
    pub fn nist_level(&self) -> u8 {
        self.0.as_raw().claimed_nist_level
    }

    /// Says whether this is an earlier version of its scheme, kept for comparison.
    #[must_use]
    pub fn is_superseded(&self) -> bool {
        self.0.as_raw().superseded
    }

    /// Returns the length of a public key in bytes.
    #[must_use]
    pub fn public_key_len(&self) -> usize {
        self.0.as_raw().length_public_key
    }

    /// Returns the length of a secret key in bytes.
    #[must_use]
    pub fn secret_key_len(&self) -> usize {
        self.0.as_raw().length_secret_key
    }

    /// Returns the length of a ciphertext in bytes.
    #[must_use]
    pub fn ciphertext_len(&self) -> usize {
        self.0.as_raw().length_ciphertext
    }

    /// Returns the length of a shared secret in bytes.
    #[must_use]
    pub fn shared_secret_len(&self) -> usize {
        self.0.as_raw().length_shared_secret
    }

    /// Returns the length of the seed of a key pair in bytes.
    #[must_use]
    pub fn keypair_seed_len(&self) -> usize {
        self.0.as_raw().length_keypair_seed
    }

    /// Returns the length of the seed of an encapsulation in bytes.
    #[must_use]
    pub fn encapsulation_seed_len(&self) -> usize {
        self.0.as_raw().length_encaps_seed
    }

    /// Makes the key pair that belongs to a seed, in the caller's buffers.
    ///
    /// # Errors
    /// [`Error::Length`], [`Error::Memory`], [`Error::Backend`]; the keys are then zeros.
    pub fn keypair_from_seed_into(
        &self,
        secret_key: &mut [u8],
        public_key: &mut [u8],
        seed: &[u8],
    ) -> Result<(), Error> {
        self.0.keypair(public_key, secret_key, seed)
    }

    /// Encapsulates with a seed, into the caller's buffers. Never use a seed twice, nor one that
    /// made a key pair.
    ///
    /// # Errors
    /// [`Error::Length`], [`Error::PublicKey`] if no honest party can have made the key,
    /// [`Error::Memory`], [`Error::Backend`]. But for wrong lengths, the outputs are then zeros.
    pub fn encapsulate_from_seed_into(
        &self,
        ciphertext: &mut [u8],
        shared_secret: &mut [u8],
        public_key: &[u8],
        seed: &[u8],
    ) -> Result<(), Error> {
        if let Err(error) = self.0.check_public_key(public_key) {
            ciphertext.fill(0);
            shared_secret.fill(0);
            return Err(error);
        }
        self.0.encaps(ciphertext, shared_secret, public_key, seed)
    }

    /// Recovers the shared secret, into the caller's buffer. Every ciphertext of the right length
    /// is taken.
    ///
    /// # Errors
    /// [`Error::Length`], [`Error::Memory`], [`Error::Backend`].
    pub fn decapsulate_into(
        &self,
        shared_secret: &mut [u8],
        ciphertext: &[u8],
        secret_key: &[u8],
    ) -> Result<(), Error> {
        self.0.decaps(shared_secret, ciphertext, secret_key)
    }

    /// Checks a public key that comes from outside, as far as can be seen without the secret one.
    ///
    /// # Errors
    /// [`Error::Length`], [`Error::PublicKey`].
    pub fn check_public_key(&self, public_key: &[u8]) -> Result<(), Error> {
        self.0.check_public_key(public_key)
    }

    /// Checks a secret key that comes from outside.
    ///
    /// # Errors
    /// [`Error::Length`], [`Error::SecretKey`], [`Error::Memory`], [`Error::Backend`].
    pub fn check_secret_key(&self, secret_key: &[u8]) -> Result<(), Error> {
        self.0.check_secret_key(secret_key)
    }

    /// Checks a ciphertext, as far as can be seen without the secret key.
    ///
    /// # Errors
    /// [`Error::Length`], [`Error::Ciphertext`].
    pub fn check_ciphertext(&self, ciphertext: &[u8]) -> Result<(), Error> {
        self.0.check_ciphertext(ciphertext)
    }

    /// Writes the public key that belongs to a secret key to the caller's buffer.
    ///
    /// # Errors
    /// [`Error::Length`], [`Error::Memory`], [`Error::Backend`].
    pub fn derive_public_key_into(
        &self,
        public_key: &mut [u8],
        secret_key: &[u8],
    ) -> Result<(), Error> {
        self.0.derive_public_key(public_key, secret_key)
    }
}

/// With vectors.
#[cfg(feature = "alloc")]
impl Algorithm {
    /// Makes a key pair with randomness from the system: the secret key, then the public key.
    ///
    /// # Errors
    /// [`Error::Random`], [`Error::Memory`], [`Error::Backend`].
    #[cfg(feature = "getrandom")]
    pub fn generate_keypair(&self) -> Result<(SecretBytes, Vec<u8>), Error> {
        self.generate_keypair_from_rng(&mut getrandom::SysRng)
    }

    /// As [`generate_keypair`](Self::generate_keypair), with the caller's generator.
    ///
    /// # Errors
    /// [`Error::Random`] if the generator fails, [`Error::Memory`], [`Error::Backend`].
    pub fn generate_keypair_from_rng<R>(&self, rng: &mut R) -> Result<(SecretBytes, Vec<u8>), Error>
    where
        R: TryCryptoRng + ?Sized,
    {
        self.with_seed(self.keypair_seed_len(), rng, |seed| self.keypair_from_seed(seed))
    }

    /// Makes the key pair that belongs to a seed: the secret key, then the public key.
    ///
    /// # Errors
    /// [`Error::Length`], [`Error::Memory`], [`Error::Backend`].
    pub fn keypair_from_seed(&self, seed: &[u8]) -> Result<(SecretBytes, Vec<u8>), Error> {
        let mut secret_key = SecretBytes::zeroed(self.secret_key_len());
        let mut public_key = vec![0; self.public_key_len()];
        self.keypair_from_seed_into(secret_key.as_mut(), &mut public_key, seed)?;
        Ok((secret_key, public_key))
    }

    /// Makes a shared secret for the owner of a public key, with randomness from the system: the
    /// ciphertext to send, then the shared secret.
    ///
    /// # Errors
    /// [`Error::Length`], [`Error::PublicKey`], [`Error::Random`], [`Error::Memory`],
    /// [`Error::Backend`].
    #[cfg(feature = "getrandom")]
    pub fn encapsulate(&self, public_key: &[u8]) -> Result<(Vec<u8>, SecretBytes), Error> {
        self.encapsulate_with_rng(public_key, &mut getrandom::SysRng)
    }

    /// As [`encapsulate`](Self::encapsulate), with the caller's generator.
    ///
    /// # Errors
    /// [`Error::Length`], [`Error::PublicKey`], [`Error::Random`] if the generator fails,
    /// [`Error::Memory`], [`Error::Backend`].
    pub fn encapsulate_with_rng<R>(
        &self,
        public_key: &[u8],
        rng: &mut R,
    ) -> Result<(Vec<u8>, SecretBytes), Error>
    where
        R: TryCryptoRng + ?Sized,
    {
        self.with_seed(self.encapsulation_seed_len(), rng, |seed| {
            self.encapsulate_from_seed(public_key, seed)
        })
    }

    /// Encapsulates with a seed. Never use a seed twice, nor one that made a key pair.
    ///
    /// # Errors
    /// [`Error::Length`], [`Error::PublicKey`], [`Error::Memory`], [`Error::Backend`].
    pub fn encapsulate_from_seed(
        &self,
        public_key: &[u8],
        seed: &[u8],
    ) -> Result<(Vec<u8>, SecretBytes), Error> {
        let mut ciphertext = vec![0; self.ciphertext_len()];
        let mut shared_secret = SecretBytes::zeroed(self.shared_secret_len());
        let shared = shared_secret.as_mut();
        self.encapsulate_from_seed_into(&mut ciphertext, shared, public_key, seed)?;
        Ok((ciphertext, shared_secret))
    }

    /// Recovers the shared secret. A ciphertext that was not made for this key gives a pseudorandom
    /// secret that depends on both, and no error; every one of the right length is taken. Takes the
    /// same time in either case.
    ///
    /// # Errors
    /// [`Error::Length`], [`Error::Memory`], [`Error::Backend`].
    pub fn decapsulate(&self, ciphertext: &[u8], secret_key: &[u8]) -> Result<SecretBytes, Error> {
        let mut shared_secret = SecretBytes::zeroed(self.shared_secret_len());
        self.decapsulate_into(shared_secret.as_mut(), ciphertext, secret_key)?;
        Ok(shared_secret)
    }

    /// Returns the public key that belongs to a secret key.
    ///
    /// # Errors
    /// [`Error::Length`], [`Error::Memory`], [`Error::Backend`].
    pub fn derive_public_key(&self, secret_key: &[u8]) -> Result<Vec<u8>, Error> {
        let mut public_key = vec![0; self.public_key_len()];
        self.derive_public_key_into(&mut public_key, secret_key)?;
        Ok(public_key)
    }

    /// Draws a seed, uses it, wipes it.
    fn with_seed<T, R>(
        &self,
        length: usize,
        rng: &mut R,
        use_seed: impl FnOnce(&[u8]) -> Result<T, Error>,
    ) -> Result<T, Error>
    where
        R: TryCryptoRng + ?Sized,
    {
        let mut memory = Zeroizing::new([0; MAX_SEED]);
        let seed = memory.get_mut(..length).ok_or(Error::Internal)?;
        rng.try_fill_bytes(seed).or(Err(Error::Random))?;
        use_seed(seed)
    }
}

impl PartialEq for Algorithm {
    fn eq(&self, other: &Self) -> bool {
        core::ptr::eq(self.0.as_raw(), other.0.as_raw())
    }
}

impl Eq for Algorithm {}

impl fmt::Debug for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Algorithm").field(&self.name()).finish()
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl core::str::FromStr for Algorithm {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        Self::find(name)
    }
}
