// SPDX-License-Identifier: Apache-2.0 OR MIT
//! No memory is given back that still holds a secret: the allocator of this program looks.
#![cfg(all(feature = "std", feature = "getrandom"))]

use codekem::kem::{Decapsulate, Encapsulate, KeyInit};
use codekem::{Algorithm, Bike, BikeL5, DecapsulationKey, Hqc1};
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

/// What is looked for, and how often it was found in memory that was given back.
static NEEDLE: AtomicPtr<[u8; 16]> = AtomicPtr::new(std::ptr::null_mut());
static FOUND: AtomicUsize = AtomicUsize::new(0);
static SEEN: AtomicUsize = AtomicUsize::new(0);

struct Looking;

#[global_allocator]
static ALLOCATOR: Looking = Looking;

// SAFETY: passes everything on to the system's allocator. Memory is zeroed first, so that all of it
// may be read when it is given back.
unsafe impl GlobalAlloc for Looking {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as the caller promises.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the needle is null or lives through the test; the memory has this length.
        if let Some(needle) = unsafe { NEEDLE.load(Ordering::SeqCst).as_ref() } {
            // SAFETY: as above.
            let memory = unsafe { std::slice::from_raw_parts(pointer, layout.size()) };
            SEEN.fetch_max(layout.size(), Ordering::SeqCst);
            if memory.windows(needle.len()).any(|window| window == needle) {
                FOUND.fetch_add(1, Ordering::SeqCst);
            }
        }
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(pointer, layout) }
    }
}

/// Runs `work` and returns how many blocks held the needle when they were given back.
fn found(needle: &[u8], work: impl FnOnce()) -> usize {
    let mut here: [u8; 16] = needle[..16].try_into().unwrap();
    FOUND.store(0, Ordering::SeqCst);
    NEEDLE.store(&mut here, Ordering::SeqCst);
    work();
    NEEDLE.store(std::ptr::null_mut(), Ordering::SeqCst);
    FOUND.load(Ordering::SeqCst)
}

/// One test, because the allocator is the process's.
#[test]
fn secrets_are_wiped() {
    let seed = [0xa7; 32];
    let key = DecapsulationKey::<Hqc1>::new(&seed.into());
    let bytes = key.as_secret_key().to_vec();
    let secret_part = &bytes[bytes.len() - 60..];
    assert_eq!(found(secret_part, || drop(bytes.clone())), 1, "the allocator does not look");

    assert_eq!(found(secret_part, || drop(key.clone())), 0);
    assert_eq!(found(&seed, || drop(key.clone())), 0);
    assert_eq!(found(secret_part, || drop(DecapsulationKey::<Hqc1>::new(&seed.into()))), 0);
    let (ciphertext, shared) = key.encapsulation_key().encapsulate();
    assert_eq!(found(&shared, || assert_eq!(key.decapsulate(&ciphertext), shared)), 0);
    assert_eq!(found(secret_part, move || drop(key)), 0);

    let kem = Algorithm::find("HQC-1").unwrap();
    assert_eq!(found(secret_part, || drop(kem.keypair_from_seed(&seed))), 0);
    assert_eq!(found(&shared, || drop(kem.decapsulate(&ciphertext, &bytes))), 0);

    let (key, _) = BikeL5::generate_keypair();
    let bytes = key.as_secret_key().to_vec();
    SEEN.store(0, Ordering::SeqCst);
    let load = || drop(DecapsulationKey::<BikeL5>::from_secret_key(&bytes).unwrap());
    assert_eq!(found(&bytes, load), 0);
    assert!(SEEN.load(Ordering::SeqCst) > 60_000, "working memory was not looked at");
    assert_eq!(found(&bytes, move || drop(key)), 0);
}
