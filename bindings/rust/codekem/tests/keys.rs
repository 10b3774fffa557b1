// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Keys in DER and PEM, with the traits of pkcs8 and spki.
#![cfg(all(feature = "pkcs8", feature = "getrandom"))]

use codekem::kem::{Generate, Kem};
use codekem::pkcs8::{DecodePrivateKey, DecodePublicKey, EncodePrivateKey, EncodePublicKey};
use codekem::pkcs8::{Error, LineEnding, ObjectIdentifier, spki};
use codekem::{Bike, BikeL1, BikeL5, DecapsulationKey, EncapsulationKey, Hqc1, Hqc3, Hqc5};
use codekem::{Parameters, PrivateKeyForm};

const FORMS: [PrivateKeyForm; 3] =
    [PrivateKeyForm::Seed, PrivateKeyForm::Both, PrivateKeyForm::Expanded];

fn same<K: Parameters>(one: &DecapsulationKey<K>, other: &DecapsulationKey<K>) -> bool {
    one.as_secret_key() == other.as_secret_key()
        && one.encapsulation_key() == other.encapsulation_key()
}

fn every_form_comes_back<K: Parameters>(key: &DecapsulationKey<K>, held: bool) {
    let public = key.encapsulation_key();
    let pem = public.to_public_key_pem(LineEnding::LF).unwrap();
    assert!(EncapsulationKey::from_public_key_pem(&pem).unwrap() == *public);
    let bare = DecapsulationKey::<K>::from_secret_key(key.as_secret_key()).unwrap();
    for form in FORMS {
        let document = key.to_pkcs8_der_as(form).unwrap();
        let pem = document.to_pem("PRIVATE KEY", LineEnding::LF).unwrap();
        let found = DecapsulationKey::<K>::from_pkcs8_pem(&pem).unwrap();
        assert!(same(key, &found));
        assert_eq!(found.seed().is_some(), held || form != PrivateKeyForm::Expanded);
        let again = bare.to_pkcs8_der_as(form);
        assert_eq!(again.is_ok(), held || form == PrivateKeyForm::Expanded);
    }
    let pem = key.to_pkcs8_pem(LineEnding::LF).unwrap();
    assert!(!held || pem.len() < 150);
    let seed = key.to_pkcs8_der_as(PrivateKeyForm::Seed).unwrap();
    assert_eq!(key.to_pkcs8_der().unwrap().as_bytes(), seed.as_bytes());
    for place in 0..seed.as_bytes().len() - key.seed().unwrap().as_ref().len() {
        let mut wrong = seed.as_bytes().to_vec();
        wrong[place] ^= 0x21;
        assert!(DecapsulationKey::<K>::from_pkcs8_der(&wrong).is_err());
        assert!(DecapsulationKey::<K>::from_pkcs8_der(&wrong[..place]).is_err());
        assert!(EncapsulationKey::<K>::from_public_key_der(&wrong).is_err());
    }
}

#[test]
fn keys_come_back_in_every_form() {
    every_form_comes_back(&DecapsulationKey::<Hqc1>::generate(), true);
    every_form_comes_back(&DecapsulationKey::<Hqc3>::generate(), true);
    every_form_comes_back(&DecapsulationKey::<Hqc5>::generate(), true);
    every_form_comes_back(&BikeL1::generate_keypair().0, false);
    every_form_comes_back(&BikeL5::generate_keypair().0, false);
}

#[test]
fn keys_of_others_are_refused() {
    let (_, public) = Hqc3::generate_keypair();
    let document = public.to_public_key_der().unwrap();
    assert!(EncapsulationKey::<Hqc1>::from_public_key_der(document.as_bytes()).is_err());
    let mut ml_kem = vec![0x30, 0x34, 2, 1, 0, 0x30, 0x0b, 6, 9, 0x60, 0x86, 0x48, 1, 0x65];
    ml_kem.extend([3, 4, 4, 1, 4, 0x22, 0x80, 0x20]);
    ml_kem.extend([0; 32]);
    let error = DecapsulationKey::<Hqc1>::from_pkcs8_der(&ml_kem).unwrap_err();
    let oid = ObjectIdentifier::new_unwrap("2.16.840.1.101.3.4.4.1");
    assert_eq!(error, Error::PublicKey(spki::Error::OidUnknown { oid }));
    // RustCrypto's hqc-kem writes these.
    ml_kem[17] = 4;
    assert!(DecapsulationKey::<Hqc1>::from_pkcs8_der(&ml_kem).is_ok());
    assert!(DecapsulationKey::<Hqc3>::from_pkcs8_der(&ml_kem).is_err());
}
