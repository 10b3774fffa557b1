// SPDX-License-Identifier: Apache-2.0 OR MIT
#![no_std]
#![forbid(unsafe_code)]
#![doc = include_str!("../README.md")]

pub use codekem::{Algorithm, Error, SecretBytes};

/// Returns the KEM called `name`, such as `"mceliece6960119f"`; case matters.
///
/// # Errors
/// [`Error::UnknownAlgorithm`].
pub fn find(name: &str) -> Result<Algorithm, Error> {
    all().find(|kem| kem.name() == name).ok_or(Error::UnknownAlgorithm)
}

/// Returns all KEMs of Classic McEliece.
pub fn all() -> impl Iterator<Item = Algorithm> {
    codekem::mceliece::all()
}

/// Returns a sentence about the standing of the scheme, for whoever shows these KEMs to users.
#[must_use]
pub fn warning() -> &'static str {
    codekem::mceliece::warning()
}
