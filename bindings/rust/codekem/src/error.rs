// SPDX-License-Identifier: Apache-2.0 OR MIT
//! What can go wrong.

use core::fmt;

/// Why a call failed. Messages hold no keys, secrets or other input.
///
/// A ciphertext that does not decrypt is not an error: decapsulation then gives a pseudorandom
/// secret (implicit rejection).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// There is no KEM of that name; [`Algorithm::all`](crate::Algorithm::all) lists them.
    UnknownAlgorithm,
    /// Something does not have the length that its KEM asks for.
    Length {
        /// What it is: "public key", "ciphertext" and so on.
        what: &'static str,
        /// How many bytes it must have.
        expected: usize,
        /// How many it has.
        actual: usize,
    },
    /// The public key is malformed: no honest party can have made it.
    PublicKey,
    /// The secret key is malformed, or its parts do not belong together.
    SecretKey,
    /// The ciphertext is malformed.
    Ciphertext,
    /// The source of randomness failed.
    Random,
    /// There is no memory for the call, or the stack of the thread is too small.
    Memory,
    /// The back end asked for, by the variable `CODEKEM_CPU` or by
    /// [`select_backend`](crate::select_backend), does not exist or cannot run on this processor.
    Backend,
    /// The library failed in a way that it should not.
    Internal,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Error::UnknownAlgorithm => f.write_str("there is no KEM of this name"),
            Error::Length { what, expected, actual } => {
                write!(f, "the {what} has {actual} bytes, but must have {expected}")
            }
            Error::PublicKey => f.write_str("the public key is malformed"),
            Error::SecretKey => f.write_str("the secret key is malformed"),
            Error::Ciphertext => f.write_str("the ciphertext is malformed"),
            Error::Random => f.write_str("the source of randomness failed"),
            Error::Memory => {
                f.write_str("there is no memory for the call, or the thread's stack is too small")
            }
            Error::Backend => {
                f.write_str("there is no such back end, or this processor cannot run it")
            }
            Error::Internal => f.write_str("the library failed"),
        }
    }
}

impl core::error::Error for Error {}

#[cfg(feature = "std")]
impl From<Error> for std::io::Error {
    fn from(error: Error) -> Self {
        use std::io::ErrorKind;
        let kind = match error {
            Error::Memory => ErrorKind::OutOfMemory,
            Error::UnknownAlgorithm | Error::Length { .. } => ErrorKind::InvalidInput,
            Error::PublicKey | Error::SecretKey | Error::Ciphertext => ErrorKind::InvalidData,
            _ => ErrorKind::Other,
        };
        std::io::Error::new(kind, error)
    }
}
