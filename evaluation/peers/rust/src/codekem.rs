// SPDX-License-Identifier: Apache-2.0 OR MIT
//! libcodekem, opened at run time. Keys are made in memory from here: Classic McEliece needs it.

use std::ffi::{c_char, c_int, c_void, CStr, CString};

use crate::stop;

extern "C" {
    fn dlopen(path: *const c_char, flags: c_int) -> *mut c_void;
    fn dlsym(library: *mut c_void, name: *const c_char) -> *mut c_void;
    fn dlerror() -> *const c_char;
}

/// The fields of codekem_kem that this program reads, in the order of codekem.h.
#[repr(C)]
pub struct Kem {
    method_name: *const c_char,
    alg_version: *const c_char,
    security: *const c_char,
    claimed_nist_level: u8,
    ind_cca: bool,
    length_public_key: usize,
    length_secret_key: usize,
    length_ciphertext: usize,
    length_shared_secret: usize,
    length_keypair_seed: usize,
    length_encaps_seed: usize,
    length_keypair_workspace: usize,
}

type Find = extern "C" fn(*const c_char) -> *const Kem;

/// codekem_options.
#[repr(C)]
struct Options {
    size: usize,
    seed: *const u8,
    random: *const c_void,
    random_context: *mut c_void,
    workspace: *mut u8,
    workspace_length: usize,
}

/// Workspaces start at multiples of this.
const ALIGNMENT: usize = 64;

/// The functions of libcodekem.
pub struct Codekem {
    find: Find,
    find_mceliece: Option<Find>,
    keypair: extern "C" fn(*const Kem, *mut u8, *mut u8, *const Options) -> c_int,
    encaps: extern "C" fn(*const Kem, *mut u8, *mut u8, *const u8) -> c_int,
    decaps: extern "C" fn(*const Kem, *mut u8, *const u8, *const u8) -> c_int,
}

impl Codekem {
    pub fn open(path: &str) -> Self {
        let now = 2; // RTLD_NOW
        let name = CString::new(path).unwrap_or_else(|_| stop("the path holds a zero byte"));
        // SAFETY: dlopen, dlsym and dlerror take C strings; the types are those of codekem.h.
        unsafe {
            let library = dlopen(name.as_ptr(), now);
            if library.is_null() {
                stop(&CStr::from_ptr(dlerror()).to_string_lossy());
            }
            let look_up = |name: &str| {
                let c_name = CString::new(name).expect("no zero byte");
                dlsym(library, c_name.as_ptr())
            };
            let symbol = |name: &str| {
                let address = look_up(name);
                if address.is_null() {
                    stop(&format!("{path} lacks {name}"));
                }
                address
            };
            Codekem {
                find: std::mem::transmute(symbol("codekem_kem_find")),
                find_mceliece: std::mem::transmute(look_up("codekem_mceliece_kem_find")),
                keypair: std::mem::transmute(symbol("codekem_kem_keypair_with")),
                encaps: std::mem::transmute(symbol("codekem_kem_encaps")),
                decaps: std::mem::transmute(symbol("codekem_kem_decaps")),
            }
        }
    }

    /// Returns the KEM of this name, if the library has it.
    pub fn kem(&self, name: &str) -> Option<&Kem> {
        let c_name = CString::new(name).expect("no zero byte");
        let mut found = (self.find)(c_name.as_ptr());
        if let (true, Some(find)) = (found.is_null(), self.find_mceliece) {
            found = find(c_name.as_ptr());
        }
        // SAFETY: the library returns null, or a constant that lives as long as it is loaded.
        unsafe { found.as_ref() }
    }

    /// Returns the public and the secret key.
    pub fn keypair(&self, kem: &Kem) -> (Vec<u8>, Vec<u8>) {
        let mut public_key = vec![0u8; kem.length_public_key];
        let mut secret_key = vec![0u8; kem.length_secret_key];
        let mut memory = vec![0u8; kem.length_keypair_workspace + ALIGNMENT];
        let start = memory.as_ptr().align_offset(ALIGNMENT);
        let options = Options {
            size: std::mem::size_of::<Options>(),
            seed: std::ptr::null(),
            random: std::ptr::null(),
            random_context: std::ptr::null_mut(),
            workspace: memory[start..].as_mut_ptr(),
            workspace_length: kem.length_keypair_workspace,
        };
        let (public, secret) = (public_key.as_mut_ptr(), secret_key.as_mut_ptr());
        let made = (self.keypair)(kem, public, secret, &options);
        if made != 0 {
            stop("codekem made no key pair");
        }
        (public_key, secret_key)
    }

    /// Returns the ciphertext and the shared secret.
    pub fn encaps(&self, kem: &Kem, public_key: &[u8]) -> (Vec<u8>, Vec<u8>) {
        assert_eq!(public_key.len(), kem.length_public_key);
        let mut ciphertext = vec![0u8; kem.length_ciphertext];
        let mut secret = vec![0u8; kem.length_shared_secret];
        let out = (ciphertext.as_mut_ptr(), secret.as_mut_ptr());
        if (self.encaps)(kem, out.0, out.1, public_key.as_ptr()) != 0 {
            stop("codekem did not encapsulate");
        }
        (ciphertext, secret)
    }

    pub fn decaps(&self, kem: &Kem, ciphertext: &[u8], secret_key: &[u8]) -> Vec<u8> {
        assert_eq!(ciphertext.len(), kem.length_ciphertext);
        assert_eq!(secret_key.len(), kem.length_secret_key);
        let mut secret = vec![0u8; kem.length_shared_secret];
        if (self.decaps)(kem, secret.as_mut_ptr(), ciphertext.as_ptr(), secret_key.as_ptr()) != 0 {
            stop("codekem did not decapsulate");
        }
        secret
    }
}
