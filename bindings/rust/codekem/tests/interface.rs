// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Errors, the order of results, threads, and what debug output shows.
#![cfg(all(feature = "std", feature = "getrandom"))]

use codekem::kem::{Decapsulate, Encapsulate, FromSeed, Generate, Kem, KeyExport, TryKeyInit};
use codekem::rand_core::{TryCryptoRng, TryRng, UnwrapErr};
use codekem::{Algorithm, Bike, BikeL1, BikeL5, DecapsulationKey, EncapsulationKey, Error, Hqc1};
use codekem::{Hqc5, Parameters};
use std::thread;

const LARGEST_STACK: usize = 128 * 1024;

fn algorithms() -> impl Iterator<Item = Algorithm> {
    Algorithm::all().filter(|kem| !kem.is_superseded())
}

#[test]
fn kems_are_found_and_described() {
    let names: Vec<&str> = algorithms().map(|kem| kem.name()).collect();
    assert_eq!(names, ["BIKE-L1", "BIKE-L3", "BIKE-L5", "HQC-1", "HQC-3", "HQC-5"]);
    for kem in Algorithm::all() {
        assert_eq!(Algorithm::find(kem.name()), Ok(kem));
        assert_eq!(kem.name().parse(), Ok(kem));
        assert_eq!(kem.to_string(), kem.name());
    }
    for name in ["", "HQC-2", "hqc-1", "HQC-1\0", "HQC-1 "] {
        assert_eq!(Algorithm::find(name), Err(Error::UnknownAlgorithm));
    }
    let kem = Hqc5::algorithm();
    assert_eq!((kem.name(), kem.family(), kem.nist_level()), ("HQC-5", "HQC", 5));
    assert_eq!(kem.security(), "IND-CCA2");
    assert_eq!(BikeL1::algorithm().version(), "5.1");
    assert_eq!(codekem::version(), env!("CARGO_PKG_VERSION"));
}

/// Every argument of every call, with one byte too many, one too few, and none.
#[test]
fn wrong_lengths_are_errors() {
    let kem = Algorithm::find("HQC-1").unwrap();
    let (secret_key, public_key) = kem.generate_keypair().unwrap();
    let (ciphertext, shared) = kem.encapsulate(&public_key).unwrap();
    let seed = [7; 32];
    type Call<'a> = Box<dyn Fn(&[u8]) -> Result<(), Error> + 'a>;
    let calls: Vec<(&str, usize, Call)> = vec![
        ("seed", 32, Box::new(|given| kem.keypair_from_seed(given).map(drop))),
        ("public key", 2241, Box::new(|given| kem.encapsulate(given).map(drop))),
        ("public key", 2241, Box::new(|given| kem.encapsulate_from_seed(given, &seed).map(drop))),
        ("seed", 32, Box::new(|given| kem.encapsulate_from_seed(&public_key, given).map(drop))),
        ("ciphertext", 4433, Box::new(|given| kem.decapsulate(given, &secret_key).map(drop))),
        ("secret key", 2321, Box::new(|given| kem.decapsulate(&ciphertext, given).map(drop))),
        ("public key", 2241, Box::new(|given| kem.check_public_key(given))),
        ("secret key", 2321, Box::new(|given| kem.check_secret_key(given))),
        ("ciphertext", 4433, Box::new(|given| kem.check_ciphertext(given))),
        ("secret key", 2321, Box::new(|given| kem.derive_public_key(given).map(drop))),
    ];
    for (what, expected, call) in calls {
        for actual in [0, 1, expected - 1, expected + 1, 2 * expected] {
            let error = call(&vec![0x5a; actual]).unwrap_err();
            assert_eq!(error, Error::Length { what, expected, actual });
            let text = format!("the {what} has {actual} bytes, but must have {expected}");
            assert_eq!(error.to_string(), text);
            assert_eq!(std::io::Error::from(error).kind(), std::io::ErrorKind::InvalidInput);
        }
    }
    let mut short = [0; 31];
    assert!(kem.decapsulate_into(&mut short, &ciphertext, &secret_key).is_err());
    assert_eq!(kem.decapsulate(&ciphertext, &secret_key), Ok(shared));
}

/// Swapped results cannot pass: their lengths differ.
#[test]
fn results_are_in_order() {
    for kem in Algorithm::all() {
        let (secret_key, public_key) = kem.generate_keypair().unwrap();
        assert_eq!(
            (secret_key.len(), public_key.len()),
            (kem.secret_key_len(), kem.public_key_len())
        );
        let (ciphertext, sent) = kem.encapsulate(&public_key).unwrap();
        assert_eq!((ciphertext.len(), sent.len()), (kem.ciphertext_len(), kem.shared_secret_len()));
        assert_eq!(kem.decapsulate(&ciphertext, &secret_key), Ok(sent));
    }
    let (secret, public): (DecapsulationKey<Hqc1>, EncapsulationKey<Hqc1>) =
        Hqc1::generate_keypair();
    let (ciphertext, shared) = public.encapsulate();
    assert_eq!((ciphertext.len(), shared.len()), (4433, 32));
    assert_eq!(secret.decapsulate_slice(&ciphertext).unwrap(), shared);
    assert!(secret.decapsulate_slice(&ciphertext[1..]).is_err());
}

/// HQC as a program sees it that is written for any KEM.
#[test]
fn traits_of_kem_suffice() {
    fn exchange<K: Kem<DecapsulationKey: Decapsulate> + FromSeed>() {
        let (secret, public) = K::generate_keypair();
        let (ciphertext, sent) = public.encapsulate();
        assert_eq!(secret.decapsulate(&ciphertext), sent);
        let public = K::EncapsulationKey::new_from_slice(&public.to_bytes()).unwrap();
        let (ciphertext, sent) = public.encapsulate();
        assert_eq!(secret.decapsulate(&ciphertext), sent);
    }
    exchange::<Hqc1>();
    exchange::<Hqc5>();

    let (secret, public) = Hqc1::from_seed(&Default::default());
    assert_eq!(secret.encapsulation_key(), &public);
    let generated = DecapsulationKey::<Hqc1>::try_generate().unwrap();
    assert_ne!(generated.encapsulation_key(), &public);
}

/// By all calls that take one as bytes; the buffers are left as zeros.
#[test]
fn malformed_public_keys_are_refused_by_name() {
    for kem in Algorithm::all() {
        let seed = vec![7; kem.encapsulation_seed_len()];
        for filling in [0, 0xff] {
            let key = vec![filling; kem.public_key_len()];
            assert_eq!(kem.check_public_key(&key), Err(Error::PublicKey));
            assert_eq!(kem.encapsulate(&key).unwrap_err(), Error::PublicKey);
            let mut rng = UnwrapErr(getrandom::SysRng);
            assert_eq!(kem.encapsulate_with_rng(&key, &mut rng).unwrap_err(), Error::PublicKey);
            assert_eq!(kem.encapsulate_from_seed(&key, &seed).unwrap_err(), Error::PublicKey);
            let mut ciphertext = vec![1; kem.ciphertext_len()];
            let mut shared = vec![1; kem.shared_secret_len()];
            let done = kem.encapsulate_from_seed_into(&mut ciphertext, &mut shared, &key, &seed);
            assert_eq!(done, Err(Error::PublicKey));
            assert!(ciphertext.iter().chain(&shared).all(|&byte| byte == 0));
        }
    }
}

#[test]
fn every_ciphertext_of_the_right_length_is_taken() {
    for kem in Algorithm::all() {
        let (secret_key, _) = kem.generate_keypair().unwrap();
        let mut found: Vec<Vec<u8>> = Vec::new();
        for filling in [0, 1, 0x80, 0xff] {
            let ciphertext = vec![filling; kem.ciphertext_len()];
            found.push(kem.decapsulate(&ciphertext, &secret_key).unwrap().to_vec());
        }
        found.sort();
        found.dedup();
        assert_eq!(found.len(), 4);
    }
    let (secret, _) = BikeL1::generate_keypair();
    let again = DecapsulationKey::<BikeL1>::from_secret_key(secret.as_secret_key()).unwrap();
    assert_ne!(secret.decapsulate(&[0xff; 1573]), again.decapsulate(&[0; 1573]));
}

#[test]
fn malformed_keys_are_refused() {
    let (secret, public) = BikeL1::generate_keypair();
    let mut bytes = public.as_bytes().to_vec();
    *bytes.last_mut().unwrap() |= 0x80; // an unused bit
    assert_eq!(EncapsulationKey::<BikeL1>::from_bytes(&bytes), Err(Error::PublicKey));
    let mut bytes = secret.as_secret_key().to_vec();
    bytes[0] ^= 1;
    assert_eq!(DecapsulationKey::<BikeL1>::from_secret_key(&bytes).unwrap_err(), Error::SecretKey);
    let zeros = EncapsulationKey::<Hqc1>::new_from_slice(&[0; 2241]);
    assert!(zeros.is_err());
    let error = std::io::Error::from(Error::SecretKey);
    assert_eq!(error.kind(), std::io::ErrorKind::InvalidData);
}

/// Says whether text holds any eight digits of the bytes in hexadecimal, or four as numbers.
fn shows(text: &str, secret: &[u8]) -> bool {
    secret.windows(4).any(|part| {
        let hex: String = part.iter().map(|byte| format!("{byte:02x}")).collect();
        let list = format!("{}, {}, {}, {}", part[0], part[1], part[2], part[3]);
        text.contains(&hex) || text.contains(&list)
    })
}

#[test]
fn no_secret_is_shown() {
    let kem = Algorithm::find("HQC-3").unwrap();
    let (secret_key, public_key) = kem.generate_keypair().unwrap();
    let (_, shared) = kem.encapsulate(&public_key).unwrap();
    assert_eq!(format!("{shared:?}"), "SecretBytes(32 bytes)");
    assert_eq!(format!("{secret_key:?}"), "SecretBytes(4602 bytes)");
    assert_eq!(format!("{kem:?}"), "Algorithm(\"HQC-3\")");

    let (secret, public) = BikeL1::generate_keypair();
    let text = format!("{secret:?}");
    assert!(text.starts_with("DecapsulationKey") && text.contains(&format!("{public:?}")));
    assert!(!shows(&text, &secret.as_secret_key()[..2 * 71 * 4]));
    assert!(!shows(&text, secret.seed().unwrap()));
    assert!(shows(&format!("{public:?}"), public.as_bytes()));
    let mut altered = secret.as_secret_key().to_vec();
    altered[0] ^= 1;
    let error = DecapsulationKey::<BikeL1>::from_secret_key(&altered).unwrap_err();
    assert!(!shows(&format!("{error:?} {error}"), &altered));
}

#[test]
fn every_kem_runs_in_a_small_thread() {
    for kem in Algorithm::all() {
        let run = move || {
            let (secret_key, public_key) = kem.generate_keypair().unwrap();
            let (ciphertext, sent) = kem.encapsulate(&public_key).unwrap();
            assert_eq!(kem.decapsulate(&ciphertext, &secret_key), Ok(sent));
            kem.check_secret_key(&secret_key).unwrap();
        };
        thread::Builder::new().stack_size(LARGEST_STACK).spawn(run).unwrap().join().unwrap();
    }
    let bike = || {
        let (secret, public) = BikeL5::generate_keypair();
        let (ciphertext, sent) = public.encapsulate();
        assert_eq!(secret.decapsulate(&ciphertext), sent);
    };
    thread::Builder::new().stack_size(LARGEST_STACK).spawn(bike).unwrap().join().unwrap();
    let hqc = || {
        let (secret, public) = Hqc5::generate_keypair();
        let (ciphertext, sent) = public.encapsulate();
        assert_eq!(secret.decapsulate(&ciphertext), sent);
    };
    thread::Builder::new().stack_size(LARGEST_STACK).spawn(hqc).unwrap().join().unwrap();
}

#[test]
fn threads_share_keys() {
    let (secret, public) = Hqc1::generate_keypair();
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for _ in 0..20 {
                    let (ciphertext, sent) = public.encapsulate();
                    assert_eq!(secret.decapsulate(&ciphertext), sent);
                }
            });
        }
    });
}

#[derive(Debug)]
struct Broken;

impl std::fmt::Display for Broken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("broken")
    }
}

impl std::error::Error for Broken {}

impl TryRng for Broken {
    type Error = Broken;

    fn try_next_u32(&mut self) -> Result<u32, Broken> {
        Err(Broken)
    }

    fn try_next_u64(&mut self) -> Result<u64, Broken> {
        Err(Broken)
    }

    fn try_fill_bytes(&mut self, _: &mut [u8]) -> Result<(), Broken> {
        Err(Broken)
    }
}

impl TryCryptoRng for Broken {}

#[test]
fn a_generator_may_fail() {
    let kem = Algorithm::find("HQC-1").unwrap();
    assert_eq!(kem.generate_keypair_from_rng(&mut Broken), Err(Error::Random));
    let (_, public_key) = kem.generate_keypair().unwrap();
    assert_eq!(kem.encapsulate_with_rng(&public_key, &mut Broken), Err(Error::Random));
    assert!(DecapsulationKey::<Hqc1>::try_generate_from_rng(&mut Broken).is_err());
    assert!(DecapsulationKey::<BikeL1>::try_generate_from_rng(&mut Broken).is_err());
}

#[test]
fn back_ends_are_chosen() {
    assert!(codekem::backends().any(|name| name == "portable"));
    assert_eq!(codekem::select_backend(Some("none")), Err(Error::Backend));
    assert!(codekem::backend().is_ok());
}

/// In a process of its own, for the choice is made once.
#[test]
fn types_take_the_best_back_end_if_the_environment_names_none() {
    const CHILD: &str = "CODEKEM_TEST_CHILD";
    if std::env::var_os(CHILD).is_some() {
        let kem = Algorithm::find("HQC-1").unwrap();
        assert_eq!(kem.generate_keypair(), Err(Error::Backend));
        assert_eq!(codekem::backend(), Err(Error::Backend));
        let (secret, public) = BikeL1::generate_keypair();
        let (ciphertext, sent) = public.encapsulate();
        assert_eq!(secret.decapsulate(&ciphertext), sent);
        assert_eq!(codekem::backend().ok(), codekem::backends().last());
        return;
    }
    let done = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "types_take_the_best_back_end_if_the_environment_names_none"])
        .env(CHILD, "1")
        .env("CODEKEM_CPU", "nonsense")
        .output()
        .unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stdout));
}

#[cfg(feature = "legacy")]
#[test]
fn hqc_of_2023_is_there() {
    let kem = Algorithm::find("HQC-128-2023").unwrap();
    assert!(kem.is_superseded());
    assert_eq!((kem.public_key_len(), kem.secret_key_len()), (2249, 2305));
    assert_eq!((kem.ciphertext_len(), kem.shared_secret_len()), (4433, 64));
}
