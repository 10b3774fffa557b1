// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A program without std and alloc: it would not link if any crate needed them. Its exit status is
//! the number of exchanges that it made.
#![no_std]
#![no_main]

use codekem::kem::{Decapsulate, Encapsulate, Kem};
use codekem::rand_core::{TryCryptoRng, TryRng};
use codekem::{Algorithm, Bike, BikeL5, Hqc1};
use core::convert::Infallible;

#[link(name = "c")]
unsafe extern "C" {
    fn abort() -> !;
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    // SAFETY: may be called at any time.
    unsafe { abort() }
}

/// Not random: it counts.
struct Counting(u8);

impl TryRng for Counting {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(0)
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(0)
    }

    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Infallible> {
        for byte in out {
            *byte = self.0;
            self.0 = self.0.wrapping_add(1);
        }
        Ok(())
    }
}

impl TryCryptoRng for Counting {}

fn by_name(kem: Algorithm, rng: &mut Counting) -> Result<bool, codekem::Error> {
    let mut memory = [[0; 16_494]; 3];
    let (mut seed, mut sent, mut received) = ([0; 64], [0; 32], [0; 32]);
    let [secret_key, public_key, ciphertext] = &mut memory;
    let secret_key = &mut secret_key[..kem.secret_key_len()];
    let public_key = &mut public_key[..kem.public_key_len()];
    let ciphertext = &mut ciphertext[..kem.ciphertext_len()];
    let Ok(()) = rng.try_fill_bytes(&mut seed);
    kem.keypair_from_seed_into(secret_key, public_key, &seed[..kem.keypair_seed_len()])?;
    let Ok(()) = rng.try_fill_bytes(&mut seed);
    let seed = &seed[..kem.encapsulation_seed_len()];
    kem.encapsulate_from_seed_into(ciphertext, &mut sent, public_key, seed)?;
    kem.decapsulate_into(&mut received, ciphertext, secret_key)?;
    Ok(sent == received)
}

#[unsafe(no_mangle)]
extern "C" fn main() -> core::ffi::c_int {
    let mut rng = Counting(0);
    let mut made = 0;
    for kem in Algorithm::all() {
        made += i32::from(by_name(kem, &mut rng) == Ok(true));
    }
    let (secret, public) = Hqc1::generate_keypair_from_rng(&mut rng);
    let (ciphertext, sent) = public.encapsulate_with_rng(&mut rng);
    made += i32::from(secret.decapsulate(&ciphertext) == sent);
    let (secret, public) = BikeL5::generate_keypair_from_rng(&mut rng);
    let (ciphertext, sent) = public.encapsulate_with_rng(&mut rng);
    made += i32::from(secret.decapsulate(&ciphertext) == sent);
    made
}
