// SPDX-License-Identifier: Apache-2.0 OR MIT
#![no_std]
#![deny(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]
// The examples need both.
#![cfg_attr(all(feature = "alloc", feature = "getrandom"), doc = include_str!("../README.md"))]
#![cfg_attr(
    not(all(feature = "alloc", feature = "getrandom")),
    doc = "HQC and BIKE, code-based post-quantum KEMs."
)]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

pub use kem;
#[cfg(feature = "pkcs8")]
pub use pkcs8;
pub use rand_core;

mod algorithm;
mod bike;
mod bytes;
mod error;
#[allow(unsafe_code)]
mod ffi;
mod hqc;
#[cfg(feature = "hybrid")]
mod hybrid;
#[cfg(feature = "pkcs8")]
mod key_files;
mod keys;
#[cfg(feature = "alloc")]
mod secret_bytes;

pub use algorithm::Algorithm;
// bike: made by parameters/generate.py
pub use bike::{Bike, BikeL1, BikeL3, BikeL5};
// bike: end
pub use bytes::Bytes;
pub use error::Error;
#[cfg(feature = "mceliece")]
#[doc(hidden)]
pub use ffi::mceliece;
pub use ffi::{backend, backends, select_backend, version};
// hqc: made by parameters/generate.py
pub use hqc::{Hqc, Hqc1, Hqc3, Hqc5};
// hqc: end
#[cfg(feature = "hybrid")]
pub use hybrid::{Group, Hybrid};
#[cfg(feature = "pkcs8")]
pub use key_files::PrivateKeyForm;
pub use keys::{DecapsulationKey, EncapsulationKey, Parameters, SharedKey};
#[cfg(feature = "alloc")]
pub use secret_bytes::SecretBytes;
