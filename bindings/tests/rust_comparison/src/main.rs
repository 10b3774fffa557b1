// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Compares secrets as the crate codekem does, with its source. valgrind watches, and knows what is
//! secret from tests/harness/secrets.c; the verdict must come out secret, too.

extern crate alloc;

#[allow(dead_code)]
mod secret_bytes;

use core::ffi::c_void;
use core::hint::black_box;
use secret_bytes::SecretBytes;
use subtle::ConstantTimeEq;

unsafe extern "C" {
    fn mark_secret(buffer: *mut c_void, length: usize);
    fn mark_public(buffer: *mut c_void, length: usize);
    fn count_secret_bytes(buffer: *const c_void, length: usize) -> usize;
    fn checker_is_running() -> bool;
}

/// 32 bytes that are zero but for the last; the compiler does not know how many.
fn secret(last: u8) -> SecretBytes {
    let mut bytes = SecretBytes::zeroed(black_box(32));
    bytes.as_mut()[31] = last;
    unsafe { mark_secret(bytes.as_mut().as_mut_ptr().cast(), 32) };
    bytes
}

#[inline(never)]
fn open(verdict: bool) -> bool {
    let mut kept = u8::from(verdict);
    let place: *mut c_void = (&raw mut kept).cast();
    assert!(unsafe { count_secret_bytes(place, 1) } == 1, "the marks were lost");
    unsafe { mark_public(place, 1) };
    unsafe { place.cast::<u8>().read_volatile() == 1 }
}

fn main() {
    assert!(unsafe { checker_is_running() }, "run it under valgrind");
    for last in [7, 8] {
        let (one, other) = (secret(7), secret(last));
        assert!(open(one == other) == (last == 7));
        assert!(open(one != other) == (last != 7));
        assert!(open(one.ct_eq(&other).into()) == (last == 7));
    }
    println!("compared");
}
