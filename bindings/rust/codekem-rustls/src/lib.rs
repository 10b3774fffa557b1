// SPDX-License-Identifier: Apache-2.0 OR MIT
#![no_std]
#![forbid(unsafe_code)]
// The examples need ring.
#![cfg_attr(feature = "ring", doc = include_str!("../README.md"))]
#![cfg_attr(not(feature = "ring"), doc = "HQC and BIKE as key exchanges of rustls.")]

extern crate std;

mod group;

pub use group::{Hybrid, KemGroup};

/// Groups of a KEM alone, without a classical half. They need no provider's arithmetic. Prefer
/// hybrids, which are secure if either half is.
pub mod kx_group {
    use crate::KemGroup;
    use rustls::crypto::SupportedKxGroup;

    // groups: made by parameters/generate.py
    /// All groups of a KEM alone.
    pub static ALL: &[&dyn SupportedKxGroup] = &[BIKEL1, BIKEL3, BIKEL5, HQC1, HQC3, HQC5];
    /// BIKE-L1, `bikel1`.
    pub static BIKEL1: &dyn SupportedKxGroup = &KemGroup::new("BIKE-L1", 65040);
    /// BIKE-L3, `bikel3`.
    pub static BIKEL3: &dyn SupportedKxGroup = &KemGroup::new("BIKE-L3", 65043);
    /// BIKE-L5, `bikel5`.
    pub static BIKEL5: &dyn SupportedKxGroup = &KemGroup::new("BIKE-L5", 65046);
    /// HQC-1, `hqc1`.
    pub static HQC1: &dyn SupportedKxGroup = &KemGroup::new("HQC-1", 65075);
    /// HQC-3, `hqc3`.
    pub static HQC3: &dyn SupportedKxGroup = &KemGroup::new("HQC-3", 65078);
    /// HQC-5, `hqc5`.
    pub static HQC5: &dyn SupportedKxGroup = &KemGroup::new("HQC-5", 65081);
    // groups: end
}

#[cfg(any(feature = "ring", feature = "aws-lc-rs"))]
macro_rules! with_provider {
    ($module:ident, $crate_name:literal) => {
        #[doc = concat!("Hybrids with the classical key exchanges of ", $crate_name, ".")]
        pub mod $module {
            use rustls::crypto::{CryptoProvider, SupportedKxGroup};

            /// The hybrids, and the groups of a KEM alone.
            pub mod kx_group {
                pub use crate::kx_group::*;

                use crate::Hybrid;
                use rustls::crypto::SupportedKxGroup;
                use rustls::crypto::$module::kx_group::{SECP256R1, SECP384R1, X25519};

                // hybrids: made by parameters/generate.py
                /// X25519 and BIKE-L1, `x25519_bikel1`.
                pub static X25519_BIKEL1: &dyn SupportedKxGroup =
                    &Hybrid::new(X25519, 32, "BIKE-L1", 65042);
                /// P-256 and BIKE-L1, `p256_bikel1`.
                pub static P256_BIKEL1: &dyn SupportedKxGroup =
                    &Hybrid::new(SECP256R1, 65, "BIKE-L1", 65041);
                /// P-384 and BIKE-L3, `p384_bikel3`.
                pub static P384_BIKEL3: &dyn SupportedKxGroup =
                    &Hybrid::new(SECP384R1, 97, "BIKE-L3", 65044);
                /// X25519 and HQC-1, `x25519_hqc1`.
                pub static X25519_HQC1: &dyn SupportedKxGroup =
                    &Hybrid::new(X25519, 32, "HQC-1", 65077);
                /// P-256 and HQC-1, `p256_hqc1`.
                pub static P256_HQC1: &dyn SupportedKxGroup =
                    &Hybrid::new(SECP256R1, 65, "HQC-1", 65076);
                /// P-384 and HQC-3, `p384_hqc3`.
                pub static P384_HQC3: &dyn SupportedKxGroup =
                    &Hybrid::new(SECP384R1, 97, "HQC-3", 65079);
                // hybrids: end
            }

            /// The hybrids, those first that [`provider`] prefers.
            pub static HYBRIDS: &[&dyn SupportedKxGroup] = &[
                // preferred: made by parameters/generate.py
                kx_group::X25519_HQC1,
                kx_group::X25519_BIKEL1,
                kx_group::P256_HQC1,
                kx_group::P256_BIKEL1,
                kx_group::P384_HQC3,
                kx_group::P384_BIKEL3,
                // preferred: end
            ];

            /// Returns rustls' default provider with the hybrids before its own groups, so that
            /// peers without them still connect. A client sends shares for `x25519_hqc1` and, made
            /// once, X25519.
            #[must_use]
            pub fn provider() -> CryptoProvider {
                let default = rustls::crypto::$module::default_provider();
                let kx_groups = [HYBRIDS, &default.kx_groups].concat();
                CryptoProvider { kx_groups, ..default }
            }
        }
    };
}

#[cfg(feature = "ring")]
with_provider!(ring, "ring");
#[cfg(feature = "aws-lc-rs")]
with_provider!(aws_lc_rs, "aws-lc-rs");
