// SPDX-License-Identifier: Apache-2.0 OR MIT
#![no_std]
#![doc = include_str!("../README.md")]
#![allow(non_camel_case_types)] // the names are those of codekem.h

use core::ffi::{c_char, c_int, c_void};

/// What a call returns: one of the constants `CODEKEM_OK` and `CODEKEM_ERROR_...`.
pub type codekem_status = c_int;

/// Success.
pub const CODEKEM_OK: codekem_status = 0;
/// A required pointer is null.
pub const CODEKEM_ERROR_NULL: codekem_status = 1;
/// The source of randomness failed.
pub const CODEKEM_ERROR_RANDOM: codekem_status = 2;
/// The workspace or the stack is too small, or not aligned.
pub const CODEKEM_ERROR_WORKSPACE: codekem_status = 3;
/// The public key is malformed.
pub const CODEKEM_ERROR_PUBLIC_KEY: codekem_status = 4;
/// The secret key is malformed.
pub const CODEKEM_ERROR_SECRET_KEY: codekem_status = 5;
/// The ciphertext is malformed.
pub const CODEKEM_ERROR_CIPHERTEXT: codekem_status = 6;
/// There is no such back end, or the processor lacks it.
pub const CODEKEM_ERROR_BACKEND: codekem_status = 7;
/// A helper library failed; no KEM of this crate reports it.
pub const CODEKEM_ERROR_INTERNAL: codekem_status = 8;
/// The options do not fit each other, or the call.
pub const CODEKEM_ERROR_OPTIONS: codekem_status = 9;
/// An output overlaps another buffer; nothing was written.
pub const CODEKEM_ERROR_OVERLAP: codekem_status = 10;

/// A workspace must start at a multiple of this many bytes.
pub const CODEKEM_WORKSPACE_ALIGNMENT: usize = 64;
/// The most stack that a call takes, in bytes.
pub const CODEKEM_MAX_STACK: usize = 262144;
/// The longest public key of any KEM of codekem.h, in bytes.
pub const CODEKEM_MAX_PUBLIC_KEY: usize = 7237;
/// The longest secret key, in bytes.
pub const CODEKEM_MAX_SECRET_KEY: usize = 16494;
/// The longest ciphertext, in bytes.
pub const CODEKEM_MAX_CIPHERTEXT: usize = 14421;
/// The longest shared secret, in bytes.
pub const CODEKEM_MAX_SHARED_SECRET: usize = 32;
/// The longest seed of a key pair, in bytes.
pub const CODEKEM_MAX_KEYPAIR_SEED: usize = 64;
/// The longest seed of an encapsulation, in bytes.
pub const CODEKEM_MAX_ENCAPS_SEED: usize = 48;

/// Describes one KEM; lengths are in bytes. All instances are constants inside the library. Later
/// versions add members at the end, so this is only ever used behind a pointer.
#[repr(C)]
#[derive(Debug)]
#[non_exhaustive]
pub struct codekem_kem {
    /// The name, `"BIKE-L1"`.
    pub method_name: *const c_char,
    /// The revision of the specification, `"5.1"`.
    pub alg_version: *const c_char,
    /// The notion that the specification claims, `"IND-CPA"`.
    pub security: *const c_char,
    /// NIST's level: 1, 3 or 5.
    pub claimed_nist_level: u8,
    /// Whether the specification claims IND-CCA2 security.
    pub ind_cca: bool,
    /// Length of a public key.
    pub length_public_key: usize,
    /// Length of a secret key.
    pub length_secret_key: usize,
    /// Length of a ciphertext.
    pub length_ciphertext: usize,
    /// Length of a shared secret.
    pub length_shared_secret: usize,
    /// Length of the seed of a key pair.
    pub length_keypair_seed: usize,
    /// Length of the seed of an encapsulation.
    pub length_encaps_seed: usize,
    /// Memory that `codekem_kem_keypair_with` takes.
    pub length_keypair_workspace: usize,
    /// Memory that `codekem_kem_encaps_with` takes.
    pub length_encaps_workspace: usize,
    /// Memory that `codekem_kem_decaps_with` takes.
    pub length_decaps_workspace: usize,
    /// Not for users.
    pub internal: *const c_void,
    /// The scheme without level and version, `"BIKE"`.
    pub family: *const c_char,
    /// Whether this is an earlier version of its scheme, kept for comparison.
    pub superseded: bool,
    /// Memory that the checks of a secret key take.
    pub length_check_workspace: usize,
    /// Memory that `codekem_kem_keypair_batch` takes, for any count.
    pub length_keypair_batch_workspace: usize,
    /// The same for encapsulation.
    pub length_encaps_batch_workspace: usize,
    /// The same for decapsulation.
    pub length_decaps_batch_workspace: usize,
}

/// Fills `out[length]` with random bytes; returns whether it could.
pub type codekem_random_function =
    Option<unsafe extern "C" fn(context: *mut c_void, out: *mut u8, length: usize) -> bool>;

/// How a call is made; later versions add members at the end. Take what is not set from `default`:
/// randomness of the operating system, memory of the stack.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct codekem_options {
    /// The size of this structure.
    pub size: usize,
    /// Makes the call deterministic; a batch takes a seed for each operation, one behind the other.
    /// Never encapsulate with a seed twice, nor with one that made a key pair.
    pub seed: *const u8,
    /// The source of randomness, if it is not the operating system's.
    pub random: codekem_random_function,
    /// What `random` gets.
    pub random_context: *mut c_void,
    /// Memory instead of the stack, at a multiple of [`CODEKEM_WORKSPACE_ALIGNMENT`].
    pub workspace: *mut c_void,
    /// Its length: at least the `length_..._workspace` of the call.
    pub workspace_length: usize,
    /// Decapsulation of BIKE: by how much the first threshold of the decoder is lower: at most
    /// 6 at level 1, 9 at level 3, 10 at level 5.
    pub lower_first_threshold: usize,
}

impl Default for codekem_options {
    fn default() -> Self {
        codekem_options {
            size: size_of::<Self>(),
            seed: core::ptr::null(),
            random: None,
            random_context: core::ptr::null_mut(),
            workspace: core::ptr::null_mut(),
            workspace_length: 0,
            lower_first_threshold: 0,
        }
    }
}

unsafe extern "C" {
    /// Returns the version of the library, "major.minor.patch".
    pub fn codekem_version() -> *const c_char;
    /// Returns a sentence for a status, never null.
    pub fn codekem_status_text(status: codekem_status) -> *const c_char;

    /// Returns the number of KEMs.
    pub fn codekem_kem_count() -> usize;
    /// Returns KEM number `index`, null beyond the last.
    pub fn codekem_kem_at(index: usize) -> *const codekem_kem;
    /// Returns the KEM called `name` (exact, case matters), or null.
    pub fn codekem_kem_find(name: *const c_char) -> *const codekem_kem;

    /// Makes a key pair with randomness from the operating system.
    pub fn codekem_kem_keypair(
        kem: *const codekem_kem,
        public_key: *mut u8,
        secret_key: *mut u8,
    ) -> codekem_status;
    /// Encapsulates a new shared secret with randomness from the operating system.
    pub fn codekem_kem_encaps(
        kem: *const codekem_kem,
        ciphertext: *mut u8,
        shared_secret: *mut u8,
        public_key: *const u8,
    ) -> codekem_status;
    /// Recovers the shared secret.
    pub fn codekem_kem_decaps(
        kem: *const codekem_kem,
        shared_secret: *mut u8,
        ciphertext: *const u8,
        secret_key: *const u8,
    ) -> codekem_status;
    /// A `codekem_random_function`: randomness from the operating system.
    pub fn codekem_random_system(context: *mut c_void, out: *mut u8, length: usize) -> bool;

    /// As `codekem_kem_keypair`, with options; null is the default.
    pub fn codekem_kem_keypair_with(
        kem: *const codekem_kem,
        public_key: *mut u8,
        secret_key: *mut u8,
        options: *const codekem_options,
    ) -> codekem_status;
    /// As `codekem_kem_encaps`, with options.
    pub fn codekem_kem_encaps_with(
        kem: *const codekem_kem,
        ciphertext: *mut u8,
        shared_secret: *mut u8,
        public_key: *const u8,
        options: *const codekem_options,
    ) -> codekem_status;
    /// As `codekem_kem_decaps`, with options.
    pub fn codekem_kem_decaps_with(
        kem: *const codekem_kem,
        shared_secret: *mut u8,
        ciphertext: *const u8,
        secret_key: *const u8,
        options: *const codekem_options,
    ) -> codekem_status;

    /// Makes `count` key pairs; each result is that of the single call.
    pub fn codekem_kem_keypair_batch(
        kem: *const codekem_kem,
        count: usize,
        public_keys: *mut u8,
        secret_keys: *mut u8,
        options: *const codekem_options,
    ) -> codekem_status;
    /// Encapsulates `count` shared secrets; each result is that of the single call.
    pub fn codekem_kem_encaps_batch(
        kem: *const codekem_kem,
        count: usize,
        ciphertexts: *mut u8,
        shared_secrets: *mut u8,
        public_keys: *const u8,
        public_key_stride: usize,
        options: *const codekem_options,
    ) -> codekem_status;
    /// Recovers `count` shared secrets; each result is that of the single call.
    pub fn codekem_kem_decaps_batch(
        kem: *const codekem_kem,
        count: usize,
        shared_secrets: *mut u8,
        ciphertexts: *const u8,
        secret_keys: *const u8,
        secret_key_stride: usize,
        options: *const codekem_options,
    ) -> codekem_status;

    /// Checks a public key as far as can be seen without the secret one.
    pub fn codekem_kem_check_public_key(
        kem: *const codekem_kem,
        public_key: *const u8,
    ) -> codekem_status;
    /// Checks a secret key.
    pub fn codekem_kem_check_secret_key(
        kem: *const codekem_kem,
        secret_key: *const u8,
    ) -> codekem_status;
    /// Checks a ciphertext.
    pub fn codekem_kem_check_ciphertext(
        kem: *const codekem_kem,
        ciphertext: *const u8,
    ) -> codekem_status;
    /// Writes the public key that belongs to a secret key.
    pub fn codekem_kem_derive_public_key(
        kem: *const codekem_kem,
        public_key: *mut u8,
        secret_key: *const u8,
    ) -> codekem_status;
    /// As `codekem_kem_check_secret_key`, with options.
    pub fn codekem_kem_check_secret_key_with(
        kem: *const codekem_kem,
        secret_key: *const u8,
        options: *const codekem_options,
    ) -> codekem_status;
    /// As `codekem_kem_derive_public_key`, with options.
    pub fn codekem_kem_derive_public_key_with(
        kem: *const codekem_kem,
        public_key: *mut u8,
        secret_key: *const u8,
        options: *const codekem_options,
    ) -> codekem_status;

    /// Returns the bytes of memory that a self-test needs.
    pub fn codekem_kem_self_test_workspace(kem: *const codekem_kem) -> usize;
    /// Compares an exchange from fixed seeds with a known answer.
    pub fn codekem_kem_self_test(
        kem: *const codekem_kem,
        workspace: *mut c_void,
        workspace_length: usize,
    ) -> codekem_status;
    /// Looks whether what is encapsulated to a public key decapsulates with a secret key.
    pub fn codekem_kem_check_pair(
        kem: *const codekem_kem,
        public_key: *const u8,
        secret_key: *const u8,
        workspace: *mut c_void,
        workspace_length: usize,
    ) -> codekem_status;

    /// Returns the number of back ends in this build, slowest first.
    pub fn codekem_backend_count() -> usize;
    /// Returns the name of back end `index`, null beyond the last.
    pub fn codekem_backend_name(index: usize) -> *const c_char;
    /// Returns whether this processor can run back end `index`.
    pub fn codekem_backend_supported(index: usize) -> bool;
    /// Returns the name of the back end in use, or null if CODEKEM_CPU names none that can run.
    pub fn codekem_backend_current() -> *const c_char;
    /// Takes the back end called `name` for all threads; null takes the best.
    pub fn codekem_backend_select(name: *const c_char) -> codekem_status;

    /// Overwrites `buffer[length]` with zeros.
    pub fn codekem_wipe(buffer: *mut c_void, length: usize);
}

#[cfg(feature = "legacy")]
unsafe extern "C" {
    /// Returns the number of legacy KEMs.
    pub fn codekem_legacy_kem_count() -> usize;
    /// Returns legacy KEM number `index`, null beyond the last.
    pub fn codekem_legacy_kem_at(index: usize) -> *const codekem_kem;
    /// Returns the legacy KEM called `name` (exact, case matters), or null.
    pub fn codekem_legacy_kem_find(name: *const c_char) -> *const codekem_kem;
}

#[cfg(feature = "mceliece")]
unsafe extern "C" {
    /// Returns the number of KEMs of Classic McEliece.
    pub fn codekem_mceliece_kem_count() -> usize;
    /// Returns KEM number `index` of Classic McEliece, null beyond the last.
    pub fn codekem_mceliece_kem_at(index: usize) -> *const codekem_kem;
    /// Returns the KEM of Classic McEliece called `name` (exact, case matters), or null.
    pub fn codekem_mceliece_kem_find(name: *const c_char) -> *const codekem_kem;
    /// Returns a sentence about the standing of the scheme.
    pub fn codekem_mceliece_warning() -> *const c_char;
}
