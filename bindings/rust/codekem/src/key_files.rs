// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Keys in DER and PEM with the traits of the crates pkcs8 and spki.
//!
//! A public key is a `SubjectPublicKeyInfo`, a private key a `PrivateKeyInfo` (PKCS #8) whose
//! content is as for ML-KEM:
//!
//! ```text
//! CodekemPrivateKey ::= CHOICE {
//!     seed        [0] IMPLICIT OCTET STRING,
//!     secretKey   OCTET STRING,
//!     both        SEQUENCE { seed OCTET STRING, secretKey OCTET STRING }
//! }
//! ```
//!
//! The structures of those crates are not used: their object identifiers have numbers of 32 bits,
//! and ours, below an UUID, one of 128.

use crate::bytes::{Bytes, Secret};
use crate::{DecapsulationKey, EncapsulationKey, Parameters};
use alloc::vec::Vec;
use pkcs8::der::asn1::{AnyRef, ObjectIdentifier};
use pkcs8::der::{Decode, Document, Encode, ErrorKind, Header, Length, Reader, SecretDocument};
use pkcs8::der::{SliceReader, Tag, TagNumber};
use pkcs8::spki;
use pkcs8::{
    DecodePrivateKey, DecodePublicKey, EncodePrivateKey, EncodePublicKey, Error, KeyError,
};
use subtle::ConstantTimeEq;
use zeroize::Zeroizing;

const SEED: Tag = Tag::ContextSpecific { constructed: false, number: TagNumber(0) };
/// Behind the private key.
const ATTRIBUTES: Tag = Tag::ContextSpecific { constructed: true, number: TagNumber(0) };
/// Behind the attributes, since version 1.
const PUBLIC_KEY: Tag = Tag::ContextSpecific { constructed: false, number: TagNumber(1) };

/// The object identifiers of keys, in DER: the first of a KEM is written, all are read.
#[rustfmt::skip]
const IDENTIFIERS: &[(&str, &[u8])] = &[
    // identifiers: made by parameters/generate.py
    ("BIKE-L1", &hex::<22>("6983cabb84f9ef99e294c3b887b288f1908aba2f0101")),
    ("BIKE-L3", &hex::<22>("6983cabb84f9ef99e294c3b887b288f1908aba2f0103")),
    ("BIKE-L5", &hex::<22>("6983cabb84f9ef99e294c3b887b288f1908aba2f0105")),
    ("HQC-1", &hex::<22>("6983cabb84f9ef99e294c3b887b288f1908aba2f0201")),
    ("HQC-1", &hex::<9>("608648016503040404")),
    ("HQC-3", &hex::<22>("6983cabb84f9ef99e294c3b887b288f1908aba2f0203")),
    ("HQC-3", &hex::<9>("608648016503040405")),
    ("HQC-5", &hex::<22>("6983cabb84f9ef99e294c3b887b288f1908aba2f0205")),
    ("HQC-5", &hex::<9>("608648016503040406")),
    // identifiers: end
];

/// Returns the bytes of a text in hexadecimal.
const fn hex<const N: usize>(text: &str) -> [u8; N] {
    const fn digit(digit: u8) -> u8 {
        if digit <= b'9' { digit - b'0' } else { digit - b'a' + 10 }
    }
    let digits = text.as_bytes();
    assert!(digits.len() == 2 * N);
    let mut out = [0; N];
    let mut i = 0;
    while i < N {
        out[i] = 16 * digit(digits[2 * i]) + digit(digits[2 * i + 1]);
        i += 1;
    }
    out
}

/// What of a private key stands in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PrivateKeyForm {
    /// The seed, from which readers make the key.
    Seed,
    /// Seed and secret key.
    Both,
    /// The secret key in the encoding of the specification.
    Expanded,
}

fn identifiers<K: Parameters>() -> impl Iterator<Item = &'static [u8]> {
    let of = |&&(name, _): &&(&str, &[u8])| Ok(name) == K::NAME.to_str();
    IDENTIFIERS.iter().filter(of).map(|&(_, identifier)| identifier)
}

/// Returns the parts as one element.
fn element(tag: Tag, parts: &[&[u8]]) -> pkcs8::der::Result<Zeroizing<Vec<u8>>> {
    let content = parts.iter().map(|part| part.len()).sum::<usize>();
    let header = Header::new(tag, Length::try_from(content)?);
    let length = usize::try_from(header.encoded_len()?)? + content;
    // It does not grow, so that no copy is left.
    let mut out = Zeroizing::new(Vec::with_capacity(length));
    header.encode_to_vec(&mut out)?;
    for part in parts {
        out.extend_from_slice(part);
    }
    Ok(out)
}

fn algorithm<K: Parameters>() -> pkcs8::der::Result<Zeroizing<Vec<u8>>> {
    let identifier = identifiers::<K>().next().ok_or(ErrorKind::OidMalformed)?;
    element(Tag::Sequence, &[&element(Tag::ObjectIdentifier, &[identifier])?])
}

impl<K: Parameters> EncodePublicKey for EncapsulationKey<K> {
    fn to_public_key_der(&self) -> spki::Result<Document> {
        let bits = element(Tag::BitString, &[&[0], self.as_bytes()])?;
        let whole = element(Tag::Sequence, &[&algorithm::<K>()?, &bits])?;
        Ok(Document::try_from(whole.as_slice())?)
    }
}

impl<K: Parameters> DecapsulationKey<K> {
    /// Returns the key as `PrivateKeyInfo` in a form;
    /// [`to_pkcs8_der`](EncodePrivateKey::to_pkcs8_der) takes the seed if it is known.
    ///
    /// # Errors
    /// [`pkcs8::Error::KeyMalformed`] if the form has the seed, and it is not known.
    pub fn to_pkcs8_der_as(&self, form: PrivateKeyForm) -> pkcs8::Result<SecretDocument> {
        let seed = || self.seed().map(AsRef::as_ref).ok_or(Error::KeyMalformed(KeyError::Invalid));
        let content = match form {
            PrivateKeyForm::Seed => element(SEED, &[seed()?])?,
            PrivateKeyForm::Expanded => element(Tag::OctetString, &[self.as_secret_key()])?,
            PrivateKeyForm::Both => {
                let first = element(Tag::OctetString, &[seed()?])?;
                let second = element(Tag::OctetString, &[self.as_secret_key()])?;
                element(Tag::Sequence, &[&first, &second])?
            }
        };
        let version = element(Tag::Integer, &[&[0]])?;
        let octets = element(Tag::OctetString, &[&content])?;
        let whole = element(Tag::Sequence, &[&version, &algorithm::<K>()?, &octets])?;
        Ok(SecretDocument::try_from(whole.as_slice())?)
    }
}

impl<K: Parameters> EncodePrivateKey for DecapsulationKey<K> {
    fn to_pkcs8_der(&self) -> pkcs8::Result<SecretDocument> {
        let known = self.seed().is_some();
        self.to_pkcs8_der_as(if known { PrivateKeyForm::Seed } else { PrivateKeyForm::Expanded })
    }
}

/// Takes the element with a tag off the front and returns its content; `None` if another is there,
/// or it is not in DER.
fn take<'a>(from: &mut &'a [u8], tag: Tag) -> Option<&'a [u8]> {
    let mut reader = SliceReader::new(from).ok()?;
    if Tag::peek(&reader).ok()? != tag {
        return None;
    }
    let content = AnyRef::decode(&mut reader).ok()?.value();
    let taken = usize::try_from(reader.position()).ok()?;
    *from = &from[taken..];
    Some(content)
}

fn expect<'a>(from: &mut &'a [u8], tag: Tag) -> pkcs8::der::Result<&'a [u8]> {
    take(from, tag)
        .ok_or_else(|| ErrorKind::TagUnexpected { expected: Some(tag), actual: tag }.into())
}

fn at_end(rest: &[u8]) -> pkcs8::der::Result<()> {
    if rest.is_empty() { Ok(()) } else { Err(ErrorKind::Value { tag: Tag::Sequence }.into()) }
}

fn whole(der: &[u8]) -> pkcs8::der::Result<&[u8]> {
    let mut rest = der;
    let info = expect(&mut rest, Tag::Sequence)?;
    at_end(rest)?;
    Ok(info)
}

/// Takes off the `AlgorithmIdentifier`, which must be that of the KEM, without parameters.
fn take_algorithm<K: Parameters>(info: &mut &[u8]) -> spki::Result<()> {
    let mut rest = expect(info, Tag::Sequence)?;
    let found = expect(&mut rest, Tag::ObjectIdentifier)?;
    if !identifiers::<K>().any(|own| own == found) {
        return Err(match ObjectIdentifier::from_bytes(found) {
            Ok(oid) => spki::Error::OidUnknown { oid },
            Err(_) => spki::Error::Asn1(ErrorKind::OidMalformed.into()),
        });
    }
    Ok(at_end(rest)?)
}

/// Returns the content of a bit string of whole bytes.
fn whole_bits(bits: &[u8]) -> spki::Result<&[u8]> {
    match bits.split_first() {
        Some((0, bytes)) => Ok(bytes),
        _ => Err(spki::Error::KeyMalformed),
    }
}

impl<K: Parameters> DecodePublicKey for EncapsulationKey<K> {
    fn from_public_key_der(bytes: &[u8]) -> spki::Result<Self> {
        let mut info = whole(bytes)?;
        take_algorithm::<K>(&mut info)?;
        let public_key = whole_bits(expect(&mut info, Tag::BitString)?)?;
        at_end(info)?;
        Self::from_bytes(public_key).or(Err(spki::Error::KeyMalformed))
    }
}

/// What the content of a private key has; not both are missing.
#[derive(Default)]
struct Parts<'a> {
    seed: Option<&'a [u8]>,
    secret_key: Option<&'a [u8]>,
}

fn parts(mut content: &[u8]) -> Option<Parts<'_>> {
    let mut found = Parts::default();
    if let Some(mut both) = take(&mut content, Tag::Sequence) {
        found.seed = Some(take(&mut both, Tag::OctetString)?);
        found.secret_key = Some(take(&mut both, Tag::OctetString)?);
        if !both.is_empty() {
            return None;
        }
    } else {
        found.seed = take(&mut content, SEED);
        if found.seed.is_none() {
            found.secret_key = Some(take(&mut content, Tag::OctetString)?);
        }
    }
    content.is_empty().then_some(found)
}

impl<K: Parameters> DecodePrivateKey for DecapsulationKey<K> {
    /// Reads a key of version 0 or 1, in any form. Seed, secret key and public key must belong
    /// together, as far as they are there.
    fn from_pkcs8_der(bytes: &[u8]) -> pkcs8::Result<Self> {
        const MALFORMED: Error = Error::KeyMalformed(KeyError::Invalid);
        let mut info = whole(bytes)?;
        let version = match expect(&mut info, Tag::Integer)? {
            &[version @ 0..=1] => version,
            _ => return Err(ErrorKind::Value { tag: Tag::Integer }.into()),
        };
        take_algorithm::<K>(&mut info).map_err(Error::PublicKey)?;
        let content = expect(&mut info, Tag::OctetString)?;
        let _ = take(&mut info, ATTRIBUTES);
        let bits = take(&mut info, PUBLIC_KEY);
        if bits.is_some() && version == 0 {
            return Err(ErrorKind::Value { tag: PUBLIC_KEY }.into());
        }
        let public_key = bits.map(whole_bits).transpose().map_err(Error::PublicKey)?;
        at_end(info)?;
        let Parts { seed, secret_key } = parts(content).ok_or(MALFORMED)?;
        let key = match seed {
            Some(seed) if seed.len() == K::KeypairSeed::LENGTH => {
                Self::from_keypair_seed(Secret::copied(seed))
            }
            Some(_) => return Err(MALFORMED),
            None => Self::from_secret_key(secret_key.unwrap_or_default()),
        }
        .or(Err(MALFORMED))?;
        let same = secret_key.is_none_or(|given| bool::from(given.ct_eq(key.as_secret_key())))
            && public_key.is_none_or(|given| given == key.encapsulation_key().as_bytes());
        if same { Ok(key) } else { Err(MALFORMED) }
    }
}
