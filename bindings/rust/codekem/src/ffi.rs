// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The calls of the C library: all unsafe code of this crate.
//!
//! What C asks for, and what makes each call sound: buffers that have the lengths in the KEM, which
//! is checked here before each call; buffers that do not overlap, which holds for `&mut` beside
//! other references; and, with the feature `alloc`, working memory of the length in the KEM, at a
//! multiple of 64. Every call is safe for any contents of its input, and from any thread.

use crate::Error;
use codekem_sys as sys;
use core::ffi::CStr;

#[cfg(feature = "alloc")]
use alloc::vec::Vec;
#[cfg(feature = "alloc")]
use core::mem::MaybeUninit;

/// A KEM of the library.
#[derive(Clone, Copy)]
pub(crate) struct Handle(&'static sys::codekem_kem);

// SAFETY: the pointers in codekem_kem are to constants of the library.
unsafe impl Send for Handle {}
// SAFETY: as above.
unsafe impl Sync for Handle {}

/// Turns a status into a result.
fn checked(status: sys::codekem_status) -> Result<(), Error> {
    match status {
        sys::CODEKEM_OK => Ok(()),
        sys::CODEKEM_ERROR_RANDOM => Err(Error::Random),
        sys::CODEKEM_ERROR_WORKSPACE => Err(Error::Memory),
        sys::CODEKEM_ERROR_PUBLIC_KEY => Err(Error::PublicKey),
        sys::CODEKEM_ERROR_SECRET_KEY => Err(Error::SecretKey),
        sys::CODEKEM_ERROR_CIPHERTEXT => Err(Error::Ciphertext),
        sys::CODEKEM_ERROR_BACKEND => Err(Error::Backend),
        _ => Err(Error::Internal),
    }
}

/// Says whether something has the length that it must have.
fn expect(what: &'static str, expected: usize, actual: usize) -> Result<(), Error> {
    if expected == actual { Ok(()) } else { Err(Error::Length { what, expected, actual }) }
}

/// Returns what a string of the library says.
///
/// # Safety
/// `string` is a constant of the library that ends in a zero byte.
unsafe fn text(string: *const core::ffi::c_char) -> &'static str {
    // SAFETY: as the caller promises.
    unsafe { CStr::from_ptr(string) }.to_str().unwrap_or("")
}

/// Working memory on the heap. The library wipes what it used before each call returns.
#[cfg(feature = "alloc")]
struct Workspace(Vec<MaybeUninit<Block>>);

#[cfg(feature = "alloc")]
#[repr(C, align(64))]
struct Block([u8; sys::CODEKEM_WORKSPACE_ALIGNMENT]);

#[cfg(feature = "alloc")]
impl Workspace {
    fn new(length: usize) -> Result<Self, Error> {
        let mut blocks = Vec::new();
        blocks.try_reserve_exact(length.div_ceil(size_of::<Block>())).or(Err(Error::Memory))?;
        Ok(Workspace(blocks))
    }

    fn pointer(&mut self) -> *mut core::ffi::c_void {
        self.0.as_mut_ptr().cast()
    }
}

/// Makes a call with options: with a seed if there is one and, with the feature `alloc`, with
/// `needed` bytes of working memory from the heap. Both live until the call has returned.
fn run(
    needed: usize,
    seed: Option<&[u8]>,
    call: impl FnOnce(&sys::codekem_options) -> sys::codekem_status,
) -> Result<(), Error> {
    #[cfg(feature = "alloc")]
    let mut memory = Workspace::new(needed)?;
    let options = sys::codekem_options {
        seed: seed.map_or(core::ptr::null(), <[u8]>::as_ptr),
        #[cfg(feature = "alloc")]
        workspace: memory.pointer(),
        #[cfg(feature = "alloc")]
        workspace_length: needed,
        ..Default::default()
    };
    #[cfg(not(feature = "alloc"))]
    let _ = needed; // it is on the stack
    checked(call(&options))
}

impl Handle {
    /// Returns the KEM called `name`, if there is one.
    pub fn find(name: &CStr) -> Option<Self> {
        // SAFETY: the name ends in a zero byte; KEMs live as long as the program.
        unsafe { sys::codekem_kem_find(name.as_ptr()).as_ref() }.map(Handle)
    }

    /// Returns KEM number `index` of all in this build, `None` beyond the last.
    pub fn at(index: usize) -> Option<Self> {
        // SAFETY: any number may be asked for; KEMs live as long as the program.
        let kem = unsafe { sys::codekem_kem_at(index).as_ref() };
        #[cfg(feature = "legacy")]
        // SAFETY: as above. If there is no KEM, the index is at least the count.
        let kem = kem.or_else(|| unsafe {
            sys::codekem_legacy_kem_at(index - sys::codekem_kem_count()).as_ref()
        });
        kem.map(Handle)
    }

    pub fn as_raw(self) -> &'static sys::codekem_kem {
        self.0
    }

    pub fn name(self) -> &'static str {
        // SAFETY: this string, and those below, are constants of the library.
        unsafe { text(self.0.method_name) }
    }

    pub fn version(self) -> &'static str {
        // SAFETY: see above.
        unsafe { text(self.0.alg_version) }
    }

    pub fn family(self) -> &'static str {
        // SAFETY: see above.
        unsafe { text(self.0.family) }
    }

    pub fn security(self) -> &'static str {
        // SAFETY: see above.
        unsafe { text(self.0.security) }
    }

    pub fn keypair(self, public: &mut [u8], secret: &mut [u8], seed: &[u8]) -> Result<(), Error> {
        expect("public key", self.0.length_public_key, public.len())?;
        expect("secret key", self.0.length_secret_key, secret.len())?;
        expect("seed", self.0.length_keypair_seed, seed.len())?;
        let (public, secret) = (public.as_mut_ptr(), secret.as_mut_ptr());
        // SAFETY: all lengths are right, here and below; `run` keeps what is in the options.
        run(self.0.length_keypair_workspace, Some(seed), |options| unsafe {
            sys::codekem_kem_keypair_with(self.0, public, secret, options)
        })
    }

    pub fn encaps(
        self,
        ciphertext: &mut [u8],
        shared: &mut [u8],
        public: &[u8],
        seed: &[u8],
    ) -> Result<(), Error> {
        expect("ciphertext", self.0.length_ciphertext, ciphertext.len())?;
        expect("shared secret", self.0.length_shared_secret, shared.len())?;
        expect("public key", self.0.length_public_key, public.len())?;
        expect("seed", self.0.length_encaps_seed, seed.len())?;
        let (ciphertext, shared) = (ciphertext.as_mut_ptr(), shared.as_mut_ptr());
        // SAFETY: see above.
        run(self.0.length_encaps_workspace, Some(seed), |options| unsafe {
            sys::codekem_kem_encaps_with(self.0, ciphertext, shared, public.as_ptr(), options)
        })
    }

    pub fn decaps(self, shared: &mut [u8], ciphertext: &[u8], secret: &[u8]) -> Result<(), Error> {
        expect("shared secret", self.0.length_shared_secret, shared.len())?;
        expect("ciphertext", self.0.length_ciphertext, ciphertext.len())?;
        expect("secret key", self.0.length_secret_key, secret.len())?;
        let (shared, ciphertext) = (shared.as_mut_ptr(), ciphertext.as_ptr());
        // SAFETY: see above.
        run(self.0.length_decaps_workspace, None, |options| unsafe {
            sys::codekem_kem_decaps_with(self.0, shared, ciphertext, secret.as_ptr(), options)
        })
    }

    pub fn check_public_key(self, public: &[u8]) -> Result<(), Error> {
        expect("public key", self.0.length_public_key, public.len())?;
        // SAFETY: the length is right.
        checked(unsafe { sys::codekem_kem_check_public_key(self.0, public.as_ptr()) })
    }

    pub fn check_ciphertext(self, ciphertext: &[u8]) -> Result<(), Error> {
        expect("ciphertext", self.0.length_ciphertext, ciphertext.len())?;
        // SAFETY: the length is right.
        checked(unsafe { sys::codekem_kem_check_ciphertext(self.0, ciphertext.as_ptr()) })
    }

    pub fn check_secret_key(self, secret: &[u8]) -> Result<(), Error> {
        expect("secret key", self.0.length_secret_key, secret.len())?;
        // SAFETY: see above.
        run(self.0.length_check_workspace, None, |options| unsafe {
            sys::codekem_kem_check_secret_key_with(self.0, secret.as_ptr(), options)
        })
    }

    pub fn derive_public_key(self, public: &mut [u8], secret: &[u8]) -> Result<(), Error> {
        expect("public key", self.0.length_public_key, public.len())?;
        expect("secret key", self.0.length_secret_key, secret.len())?;
        let (public, secret) = (public.as_mut_ptr(), secret.as_ptr());
        // SAFETY: see above.
        run(self.0.length_check_workspace, None, |options| unsafe {
            sys::codekem_kem_derive_public_key_with(self.0, public, secret, options)
        })
    }
}

/// What the crate codekem-mceliece shows to its users.
#[cfg(feature = "mceliece")]
#[doc(hidden)]
pub mod mceliece {
    use super::{Handle, sys, text};
    use crate::Algorithm;

    /// Returns all KEMs of Classic McEliece.
    pub fn all() -> impl Iterator<Item = Algorithm> {
        // SAFETY: any number may be asked for; KEMs live as long as the program.
        (0..)
            .map_while(|index| unsafe { sys::codekem_mceliece_kem_at(index).as_ref() })
            .map(|kem| Algorithm::of(Handle(kem)))
    }

    /// Returns a sentence about the standing of the scheme.
    #[must_use]
    pub fn warning() -> &'static str {
        // SAFETY: the library returns a constant.
        unsafe { text(sys::codekem_mceliece_warning()) }
    }
}

/// Returns the version of the C library: that of this crate, unless it was built with
/// `CODEKEM_SYSTEM=1`.
#[must_use]
pub fn version() -> &'static str {
    // SAFETY: the library returns a constant.
    unsafe { text(sys::codekem_version()) }
}

/// Returns the name of the back end in use, such as `"avx512"`.
///
/// # Errors
/// [`Error::Backend`] if the environment variable `CODEKEM_CPU` names one that cannot run here. The
/// types, whose calls cannot report errors, then take the best, which this returns afterwards.
pub fn backend() -> Result<&'static str, Error> {
    // SAFETY: the library returns null or a constant.
    let name = unsafe { sys::codekem_backend_current() };
    if name.is_null() {
        return Err(Error::Backend);
    }
    // SAFETY: it is not null.
    Ok(unsafe { text(name) })
}

/// Takes the best back end if the environment variable `CODEKEM_CPU` names none that can run: for
/// calls that cannot report errors.
pub(crate) fn ensure_backend() {
    // SAFETY: neither call has an argument that could be wrong.
    unsafe {
        if sys::codekem_backend_current().is_null() {
            sys::codekem_backend_select(core::ptr::null());
        }
    }
}

/// Returns the names of the back ends that this processor can run, slowest first.
pub fn backends() -> impl Iterator<Item = &'static str> {
    // SAFETY: the indices are below the count, so the names are constants of the library.
    (0..unsafe { sys::codekem_backend_count() })
        .filter(|&index| unsafe { sys::codekem_backend_supported(index) })
        .map(|index| unsafe { text(sys::codekem_backend_name(index)) })
}

/// Takes the back end called `name` in all threads; `None` takes the fastest. For tests and
/// measurements: the library chooses by itself. `"reference"` is not constant time.
///
/// # Errors
/// [`Error::Backend`] if there is none of this name, or this processor cannot run it; the choice
/// does not change.
pub fn select_backend(name: Option<&str>) -> Result<(), Error> {
    let Some(name) = name else {
        // SAFETY: null takes the best.
        return checked(unsafe { sys::codekem_backend_select(core::ptr::null()) });
    };
    for index in 0.. {
        // SAFETY: null beyond the last, or a constant.
        let known = unsafe { sys::codekem_backend_name(index) };
        if known.is_null() {
            break;
        }
        // SAFETY: the name is a constant of the library.
        if unsafe { text(known) } == name {
            // SAFETY: as above.
            return checked(unsafe { sys::codekem_backend_select(known) });
        }
    }
    Err(Error::Backend)
}
