// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A KEM and an elliptic curve as one KEM.

use crate::{Algorithm, Error, SecretBytes};
use alloc::{format, string::String, vec::Vec};
use core::fmt;
use p256::elliptic_curve::sec1::ToSec1Point;
use rand_core::TryCryptoRng;
use sha3::Digest;
use shake::{ExtendableOutput, Update, XofReader};
use subtle::ConstantTimeEq;
use zeroize::Zeroizing;

const SCALAR: usize = 32;
const SHARED_SECRET: usize = 32;

/// A nominal group of draft-irtf-cfrg-concrete-hybrid-kems-04, 3.1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Group {
    /// X25519. A result of zeros, which points of small order give, is hashed as any other.
    X25519,
    /// P-256, with points in uncompressed form.
    P256,
}

impl Group {
    /// Returns the name in labels.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Group::X25519 => "X25519",
            Group::P256 => "P256",
        }
    }

    fn element_len(self) -> usize {
        match self {
            Group::X25519 => 32,
            Group::P256 => 65,
        }
    }

    /// The length of one or more candidates for a scalar.
    fn seed_len(self) -> usize {
        match self {
            Group::X25519 => SCALAR,
            Group::P256 => 4 * SCALAR,
        }
    }

    /// Takes the first candidate that is in range.
    fn scalar(self, seed: &[u8]) -> Result<Zeroizing<[u8; SCALAR]>, Error> {
        for candidate in seed.chunks_exact(SCALAR) {
            if self == Group::X25519 || p256::SecretKey::from_slice(candidate).is_ok() {
                return Ok(bytes_of(candidate));
            }
        }
        Err(Error::Internal)
    }

    /// Writes the multiple of the generator.
    fn element(self, out: &mut [u8], scalar: &[u8; SCALAR]) -> Result<(), Error> {
        match self {
            Group::X25519 => out.copy_from_slice(&x25519_dalek::x25519(
                *scalar,
                x25519_dalek::X25519_BASEPOINT_BYTES,
            )),
            Group::P256 => {
                let key = p256::SecretKey::from_slice(scalar).or(Err(Error::Internal))?;
                out.copy_from_slice(key.public_key().to_sec1_point(false).as_bytes());
            }
        }
        Ok(())
    }

    /// Returns the shared secret, or nothing for what is no element.
    fn secret(self, element: &[u8], scalar: &[u8; SCALAR]) -> Option<Zeroizing<[u8; SCALAR]>> {
        match self {
            Group::X25519 => {
                Some(Zeroizing::new(x25519_dalek::x25519(*scalar, *bytes_of(element))))
            }
            Group::P256 => {
                let key = p256::SecretKey::from_slice(scalar).ok()?;
                let point =
                    p256::PublicKey::from_sec1_bytes(element).ok().filter(|_| element[0] == 4)?;
                let secret = p256::ecdh::diffie_hellman(key.to_nonzero_scalar(), point.as_affine());
                Some(bytes_of(secret.raw_secret_bytes()))
            }
        }
    }
}

/// Copies so many bytes as must be there.
fn bytes_of(slice: &[u8]) -> Zeroizing<[u8; SCALAR]> {
    let mut bytes = Zeroizing::new([0; SCALAR]);
    bytes.copy_from_slice(slice);
    bytes
}

/// A KEM and an elliptic curve as one KEM, which is secure as long as either is.
///
/// It is the framework UG of draft-irtf-cfrg-hybrid-kems-12 with SHAKE256 and SHA3-256. Public keys
/// and ciphertexts are those of the KEM, and an element of the group behind them. A secret key
/// begins with its seed of 32 bytes, from which [`keypair_from_seed`](Self::keypair_from_seed)
/// makes it again: the rest need not be stored.
///
/// ```
/// # #[cfg(feature = "getrandom")] {
/// use codekem::{Algorithm, Group, Hybrid};
///
/// let hybrid = Hybrid::new(Algorithm::find("HQC-1")?, Group::X25519);
/// let (secret_key, public_key) = hybrid.generate_keypair()?;
/// let (ciphertext, sent) = hybrid.encapsulate(&public_key)?;
/// assert_eq!(hybrid.decapsulate(&ciphertext, &secret_key)?, sent);
/// # }
/// # Ok::<(), codekem::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hybrid {
    kem: Algorithm,
    group: Group,
}

impl Hybrid {
    /// The length of the seed of a key pair.
    pub const SEED_LEN: usize = 32;

    /// Returns the hybrid of a KEM and a group.
    #[must_use]
    pub fn new(kem: Algorithm, group: Group) -> Self {
        Self { kem, group }
    }

    /// Returns what is hashed so that no other hybrid gives the same secret.
    #[must_use]
    pub fn label(&self) -> String {
        format!("codekem-{self}-UG-v0")
    }

    /// Returns the length of a public key in bytes.
    #[must_use]
    pub fn public_key_len(&self) -> usize {
        self.kem.public_key_len() + self.group.element_len()
    }

    /// Returns the length of a secret key in bytes.
    #[must_use]
    pub fn secret_key_len(&self) -> usize {
        self.public_key_at() + self.public_key_len()
    }

    /// Returns the length of a ciphertext in bytes.
    #[must_use]
    pub fn ciphertext_len(&self) -> usize {
        self.kem.ciphertext_len() + self.group.element_len()
    }

    /// Returns the length of the seed of an encapsulation in bytes.
    #[must_use]
    pub fn encapsulation_seed_len(&self) -> usize {
        self.kem.encapsulation_seed_len() + self.group.seed_len()
    }

    // A secret key is the seed, the KEM's, the scalar, and the public key.
    fn scalar_at(&self) -> usize {
        Self::SEED_LEN + self.kem.secret_key_len()
    }

    fn public_key_at(&self) -> usize {
        self.scalar_at() + SCALAR
    }

    /// Makes a key pair with randomness from the system: the secret key, then the public key.
    ///
    /// # Errors
    /// [`Error::Random`], [`Error::Memory`], [`Error::Backend`].
    #[cfg(feature = "getrandom")]
    pub fn generate_keypair(&self) -> Result<(SecretBytes, Vec<u8>), Error> {
        self.generate_keypair_from_rng(&mut getrandom::SysRng)
    }

    /// The same with the caller's generator.
    ///
    /// # Errors
    /// [`Error::Random`] if the generator fails, [`Error::Memory`], [`Error::Backend`].
    pub fn generate_keypair_from_rng<R>(&self, rng: &mut R) -> Result<(SecretBytes, Vec<u8>), Error>
    where
        R: TryCryptoRng + ?Sized,
    {
        let mut seed = SecretBytes::zeroed(Self::SEED_LEN);
        rng.try_fill_bytes(seed.as_mut()).or(Err(Error::Random))?;
        self.keypair_from_seed(&seed)
    }

    /// Makes the key pair that belongs to a seed: the secret key, then the public key.
    ///
    /// # Errors
    /// [`Error::Length`], [`Error::Memory`], [`Error::Backend`].
    pub fn keypair_from_seed(&self, seed: &[u8]) -> Result<(SecretBytes, Vec<u8>), Error> {
        check("seed", seed, Self::SEED_LEN)?;
        let split = self.kem.keypair_seed_len();
        let mut stream = SecretBytes::zeroed(split + self.group.seed_len());
        shake::Shake256::default().chain(seed).finalize_xof().read(stream.as_mut());
        let mut secret_key = SecretBytes::zeroed(self.secret_key_len());
        let (secret, public_key) = secret_key.as_mut().split_at_mut(self.public_key_at());
        let (of_kem, element) = public_key.split_at_mut(self.kem.public_key_len());
        let (before, scalar) = secret.split_at_mut(self.scalar_at());
        let (own_seed, secret_of_kem) = before.split_at_mut(Self::SEED_LEN);
        own_seed.copy_from_slice(seed);
        self.kem.keypair_from_seed_into(secret_of_kem, of_kem, &stream[..split])?;
        scalar.copy_from_slice(&*self.group.scalar(&stream[split..])?);
        self.group.element(element, &bytes_of(scalar))?;
        let public_key = public_key.to_vec();
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

    /// The same with the caller's generator.
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
        let mut seed = SecretBytes::zeroed(self.encapsulation_seed_len());
        rng.try_fill_bytes(seed.as_mut()).or(Err(Error::Random))?;
        self.encapsulate_from_seed(public_key, &seed)
    }

    /// Encapsulates with a seed: the KEM's, and the group's behind it. Never use one twice.
    ///
    /// # Errors
    /// [`Error::Length`], [`Error::PublicKey`], [`Error::Memory`], [`Error::Backend`].
    pub fn encapsulate_from_seed(
        &self,
        public_key: &[u8],
        seed: &[u8],
    ) -> Result<(Vec<u8>, SecretBytes), Error> {
        check("public key", public_key, self.public_key_len())?;
        check("seed", seed, self.encapsulation_seed_len())?;
        let (of_kem, element) = public_key.split_at(self.kem.public_key_len());
        let (seed_of_kem, seed_of_group) = seed.split_at(self.kem.encapsulation_seed_len());
        let scalar = self.group.scalar(seed_of_group)?;
        let of_group = self.group.secret(element, &scalar).ok_or(Error::PublicKey)?;
        let (mut ciphertext, secret) = self.kem.encapsulate_from_seed(of_kem, seed_of_kem)?;
        let end = ciphertext.len();
        ciphertext.resize(self.ciphertext_len(), 0);
        self.group.element(&mut ciphertext[end..], &scalar)?;
        let shared = self.combine(&secret, &*of_group, &ciphertext, public_key);
        Ok((ciphertext, shared))
    }

    /// Recovers the shared secret. A ciphertext that was not made for this key gives another
    /// secret, and no error.
    ///
    /// # Errors
    /// [`Error::Length`], [`Error::Ciphertext`] if its end is no point of P-256,
    /// [`Error::Memory`], [`Error::Backend`].
    pub fn decapsulate(&self, ciphertext: &[u8], secret_key: &[u8]) -> Result<SecretBytes, Error> {
        check("ciphertext", ciphertext, self.ciphertext_len())?;
        check("secret key", secret_key, self.secret_key_len())?;
        let (of_kem, element) = ciphertext.split_at(self.kem.ciphertext_len());
        let (secret, public_key) = secret_key.split_at(self.public_key_at());
        let (before, scalar) = secret.split_at(self.scalar_at());
        let of_group = self.group.secret(element, &bytes_of(scalar)).ok_or(Error::Ciphertext)?;
        let secret = self.kem.decapsulate(of_kem, &before[Self::SEED_LEN..])?;
        Ok(self.combine(&secret, &*of_group, ciphertext, public_key))
    }

    /// Checks a secret key that comes from outside: makes it again from its seed.
    ///
    /// # Errors
    /// [`Error::Length`], [`Error::SecretKey`], [`Error::Memory`], [`Error::Backend`].
    pub fn check_secret_key(&self, secret_key: &[u8]) -> Result<(), Error> {
        check("secret key", secret_key, self.secret_key_len())?;
        let (again, _) = self.keypair_from_seed(&secret_key[..Self::SEED_LEN])?;
        if bool::from((*again).ct_eq(secret_key)) { Ok(()) } else { Err(Error::SecretKey) }
    }

    /// The universal combiner of the draft, 5.1.3.
    fn combine(
        &self,
        of_kem: &[u8],
        of_group: &[u8],
        ciphertext: &[u8],
        public_key: &[u8],
    ) -> SecretBytes {
        let mut hash = sha3::Sha3_256::new();
        for part in [of_kem, of_group, ciphertext, public_key, self.label().as_bytes()] {
            Digest::update(&mut hash, part);
        }
        let mut shared = SecretBytes::zeroed(SHARED_SECRET);
        shared.as_mut().copy_from_slice(&hash.finalize());
        shared
    }
}

/// Its name, `HQC-1-X25519`.
impl fmt::Display for Hybrid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.kem.name(), self.group.name())
    }
}

fn check(what: &'static str, slice: &[u8], expected: usize) -> Result<(), Error> {
    let actual = slice.len();
    if actual == expected { Ok(()) } else { Err(Error::Length { what, expected, actual }) }
}
