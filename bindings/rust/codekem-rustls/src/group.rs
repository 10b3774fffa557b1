// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Key exchanges of TLS 1.3 from a KEM: the client's share is a public key, the server's a
//! ciphertext. In a hybrid, share and secret of the classical half come first [RFC9954].

use codekem::{Algorithm, SecretBytes};
use rustls::crypto::{ActiveKeyExchange, CompletedKeyExchange, SharedSecret, SupportedKxGroup};
use rustls::ffdhe_groups::FfdheGroup;
use rustls::{Error, NamedGroup, PeerMisbehaved, ProtocolVersion};
use std::boxed::Box;
use std::vec::Vec;

const INVALID_SHARE: Error = Error::PeerMisbehaved(PeerMisbehaved::InvalidKeyShare);

/// Turns errors of the KEM into those of rustls: only a peer can send a share that is wrong.
fn refused(error: codekem::Error) -> Error {
    match error {
        codekem::Error::Length { .. } | codekem::Error::PublicKey | codekem::Error::Ciphertext => {
            INVALID_SHARE
        }
        codekem::Error::Random => Error::FailedToGetRandomBytes,
        _ => Error::General(std::format!("codekem: {error}")),
    }
}

/// A KEM alone as a group of TLS 1.3.
#[derive(Debug)]
pub struct KemGroup {
    kem: &'static str,
    code_point: u16,
}

impl KemGroup {
    /// Describes a group: the name of a KEM, as [`Algorithm::find`] takes it, and the number of the
    /// group. A static of it is an `&'static dyn SupportedKxGroup`.
    ///
    /// If there is no such KEM, key exchanges fail with an error that says so.
    #[must_use]
    pub const fn new(kem: &'static str, code_point: u16) -> Self {
        Self { kem, code_point }
    }

    fn begin(&self) -> Result<Pending, Error> {
        let kem = Algorithm::find(self.kem).map_err(refused)?;
        let (secret_key, public_key) = kem.generate_keypair().map_err(refused)?;
        Ok(Pending { kem, secret_key, share: public_key, group: self.name() })
    }

    /// Returns the server's share, and the secret.
    fn answer(&self, client_share: &[u8]) -> Result<(Vec<u8>, SecretBytes), Error> {
        let kem = Algorithm::find(self.kem).map_err(refused)?;
        kem.encapsulate(client_share).map_err(refused)
    }
}

/// A key pair that waits for the ciphertext.
struct Pending {
    kem: Algorithm,
    secret_key: SecretBytes,
    share: Vec<u8>,
    group: NamedGroup,
}

impl Pending {
    fn finish(&self, server_share: &[u8]) -> Result<SecretBytes, Error> {
        self.kem.decapsulate(server_share, &self.secret_key).map_err(refused)
    }
}

impl SupportedKxGroup for KemGroup {
    fn start(&self) -> Result<Box<dyn ActiveKeyExchange>, Error> {
        Ok(Box::new(self.begin()?))
    }

    fn start_and_complete(&self, peer_pub_key: &[u8]) -> Result<CompletedKeyExchange, Error> {
        let (pub_key, secret) = self.answer(peer_pub_key)?;
        let secret = SharedSecret::from(&secret[..]);
        Ok(CompletedKeyExchange { group: self.name(), pub_key, secret })
    }

    fn ffdhe_group(&self) -> Option<FfdheGroup<'static>> {
        None
    }

    fn name(&self) -> NamedGroup {
        NamedGroup::Unknown(self.code_point)
    }

    fn usable_for_version(&self, version: ProtocolVersion) -> bool {
        version == ProtocolVersion::TLSv1_3
    }
}

impl ActiveKeyExchange for Pending {
    fn complete(self: Box<Self>, peer_pub_key: &[u8]) -> Result<SharedSecret, Error> {
        Ok(SharedSecret::from(&self.finish(peer_pub_key)?[..]))
    }

    fn pub_key(&self) -> &[u8] {
        &self.share
    }

    fn ffdhe_group(&self) -> Option<FfdheGroup<'static>> {
        None
    }

    fn group(&self) -> NamedGroup {
        self.group
    }
}

/// A classical key exchange and a KEM as one group of TLS 1.3: secure if either is.
#[derive(Debug)]
pub struct Hybrid {
    classical: &'static dyn SupportedKxGroup,
    classical_bytes: usize,
    kem: KemGroup,
}

impl Hybrid {
    /// Describes a hybrid.
    ///
    /// classical: the group of any provider of rustls that goes first
    /// classical_bytes: the length of its shares, the same in both directions: X25519 32, P-256 65,
    /// P-384 97
    /// kem, code_point: as for [`KemGroup::new`]
    #[must_use]
    pub const fn new(
        classical: &'static dyn SupportedKxGroup,
        classical_bytes: usize,
        kem: &'static str,
        code_point: u16,
    ) -> Self {
        Self { classical, classical_bytes, kem: KemGroup::new(kem, code_point) }
    }

    /// Parts a share of the peer into the classical one and the KEM's.
    fn split<'a>(&self, share: &'a [u8]) -> Result<(&'a [u8], &'a [u8]), Error> {
        share.split_at_checked(self.classical_bytes).ok_or(INVALID_SHARE)
    }
}

/// Joins the secrets; rustls wipes the result.
fn joined(classical: &SharedSecret, kem: &SecretBytes) -> SharedSecret {
    SharedSecret::from([classical.secret_bytes(), &kem[..]].concat())
}

impl SupportedKxGroup for Hybrid {
    fn start(&self) -> Result<Box<dyn ActiveKeyExchange>, Error> {
        let classical = self.classical.start()?;
        let kem = self.kem.begin()?;
        let share = [classical.pub_key(), &kem.share].concat();
        Ok(Box::new(PendingHybrid { classical, classical_bytes: self.classical_bytes, kem, share }))
    }

    fn start_and_complete(&self, peer_pub_key: &[u8]) -> Result<CompletedKeyExchange, Error> {
        let (classical, public_key) = self.split(peer_pub_key)?;
        let (ciphertext, secret) = self.kem.answer(public_key)?;
        let classical = self.classical.start_and_complete(classical)?;
        Ok(CompletedKeyExchange {
            group: self.name(),
            pub_key: [classical.pub_key, ciphertext].concat(),
            secret: joined(&classical.secret, &secret),
        })
    }

    fn ffdhe_group(&self) -> Option<FfdheGroup<'static>> {
        None
    }

    fn name(&self) -> NamedGroup {
        self.kem.name()
    }

    fn usable_for_version(&self, version: ProtocolVersion) -> bool {
        version == ProtocolVersion::TLSv1_3
    }
}

struct PendingHybrid {
    classical: Box<dyn ActiveKeyExchange>,
    classical_bytes: usize,
    kem: Pending,
    share: Vec<u8>,
}

impl ActiveKeyExchange for PendingHybrid {
    fn complete(self: Box<Self>, peer_pub_key: &[u8]) -> Result<SharedSecret, Error> {
        let (classical, ciphertext) =
            peer_pub_key.split_at_checked(self.classical_bytes).ok_or(INVALID_SHARE)?;
        let secret = self.kem.finish(ciphertext)?;
        Ok(joined(&self.classical.complete(classical)?, &secret))
    }

    /// Servers without the KEM can take the classical half without another round trip.
    fn hybrid_component(&self) -> Option<(NamedGroup, &[u8])> {
        Some((self.classical.group(), self.classical.pub_key()))
    }

    fn complete_hybrid_component(
        self: Box<Self>,
        peer_pub_key: &[u8],
    ) -> Result<SharedSecret, Error> {
        self.classical.complete(peer_pub_key)
    }

    fn pub_key(&self) -> &[u8] {
        &self.share
    }

    fn ffdhe_group(&self) -> Option<FfdheGroup<'static>> {
        None
    }

    fn group(&self) -> NamedGroup {
        self.kem.group
    }
}
