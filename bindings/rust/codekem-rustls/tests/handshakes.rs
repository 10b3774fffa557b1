// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Handshakes of rustls with itself, in memory, with the classical halves of ring.
#![cfg(feature = "ring")]

use codekem_rustls::ring::kx_group::*;
use codekem_rustls::ring::{HYBRIDS, provider};
use codekem_rustls::{Hybrid, KemGroup};
use rustls::crypto::ring::{default_provider, kx_group::X25519};
use rustls::crypto::{CryptoProvider, SupportedKxGroup};
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use rustls::version::{TLS12, TLS13};
use rustls::{ClientConfig, ClientConnection, RootCertStore, ServerConfig, ServerConnection};
use rustls::{Error, HandshakeKind, NamedGroup, PeerMisbehaved, SupportedProtocolVersion};
use std::sync::{Arc, LazyLock};

type Groups = Vec<&'static dyn SupportedKxGroup>;

static CERTIFICATE: LazyLock<(CertificateDer<'static>, Vec<u8>)> = LazyLock::new(|| {
    let made = rcgen::generate_simple_self_signed(vec!["localhost".to_string()]).unwrap();
    (made.cert.der().clone(), made.signing_key.serialize_der())
});

fn with_groups(groups: &[&'static dyn SupportedKxGroup]) -> Arc<CryptoProvider> {
    Arc::new(CryptoProvider { kx_groups: groups.to_vec(), ..default_provider() })
}

fn client(provider: Arc<CryptoProvider>) -> ClientConnection {
    let mut roots = RootCertStore::empty();
    roots.add(CERTIFICATE.0.clone()).unwrap();
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    ClientConnection::new(Arc::new(config), ServerName::try_from("localhost").unwrap()).unwrap()
}

fn server(
    provider: Arc<CryptoProvider>,
    versions: &[&'static SupportedProtocolVersion],
) -> ServerConnection {
    let key = PrivateKeyDer::try_from(CERTIFICATE.1.clone()).unwrap();
    let config = ServerConfig::builder_with_provider(provider)
        .with_protocol_versions(versions)
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![CERTIFICATE.0.clone()], key)
        .unwrap();
    ServerConnection::new(Arc::new(config)).unwrap()
}

/// Carries bytes until nobody has more to say; returns those of the client's first flight.
fn run(client: &mut ClientConnection, server: &mut ServerConnection) -> Result<usize, Error> {
    let mut first = None;
    while client.wants_write() || server.wants_write() {
        let mut bytes = Vec::new();
        while client.wants_write() {
            client.write_tls(&mut bytes).unwrap();
        }
        first.get_or_insert(bytes.len());
        let mut rest = &bytes[..];
        while !rest.is_empty() {
            server.read_tls(&mut rest).unwrap();
            server.process_new_packets()?;
        }
        let mut bytes = Vec::new();
        while server.wants_write() {
            server.write_tls(&mut bytes).unwrap();
        }
        let mut rest = &bytes[..];
        while !rest.is_empty() {
            client.read_tls(&mut rest).unwrap();
            client.process_new_packets()?;
        }
    }
    Ok(first.unwrap_or(0))
}

/// Lets both shake hands; returns the group, the kind, and the length of the client's first flight.
fn handshake(client_groups: &Groups, server_groups: &Groups) -> (NamedGroup, HandshakeKind, usize) {
    let mut client = client(with_groups(client_groups));
    let mut server = server(with_groups(server_groups), &[&TLS13]);
    let first = run(&mut client, &mut server).unwrap();
    assert!(!client.is_handshaking() && !server.is_handshaking());
    let group = client.negotiated_key_exchange_group().unwrap().name();
    assert_eq!(group, server.negotiated_key_exchange_group().unwrap().name());
    assert_eq!(client.handshake_kind(), server.handshake_kind());
    (group, client.handshake_kind().unwrap(), first)
}

#[test]
fn every_group_exchanges() {
    let groups = [
        (BIKEL1, 65040, 1541),
        (P256_BIKEL1, 65041, 1606),
        (X25519_BIKEL1, 65042, 1573),
        (BIKEL3, 65043, 3083),
        (P384_BIKEL3, 65044, 3180),
        (BIKEL5, 65046, 5122),
        (HQC1, 65075, 2241),
        (P256_HQC1, 65076, 2306),
        (X25519_HQC1, 65077, 2273),
        (HQC3, 65078, 4514),
        (P384_HQC3, 65079, 4611),
        (HQC5, 65081, 7237),
    ];
    for (group, code_point, share) in groups {
        let (used, kind, first) = handshake(&vec![group], &vec![group]);
        assert_eq!(used, NamedGroup::Unknown(code_point));
        assert_eq!(kind, HandshakeKind::Full);
        assert!((share + 100..share + 400).contains(&first), "{code_point}: {first} bytes");
        assert_eq!(group.start().unwrap().pub_key().len(), share);
        assert!(group.ffdhe_group().is_none() && !group.fips());
    }
}

#[test]
fn the_provider_has_hybrids_first() {
    let names = |provider: &CryptoProvider| -> Vec<NamedGroup> {
        provider.kx_groups.iter().map(|group| group.name()).collect()
    };
    let ours = names(&provider());
    assert_eq!(ours[0], NamedGroup::Unknown(65077));
    assert_eq!(ours.len(), HYBRIDS.len() + default_provider().kx_groups.len());
    assert_eq!(ours[HYBRIDS.len()..], names(&default_provider()));
    let (group, ..) = handshake(&provider().kx_groups, &provider().kx_groups);
    assert_eq!(group, X25519_HQC1.name());
}

#[test]
fn a_classical_peer_still_connects() {
    // The client's X25519 is in its first flight already, so there is no other round trip.
    let with_hybrids = provider().kx_groups;
    let result = handshake(&with_hybrids, &vec![X25519]);
    assert_eq!((result.0, result.1), (NamedGroup::X25519, HandshakeKind::Full));
    let result = handshake(&vec![X25519], &with_hybrids);
    assert_eq!((result.0, result.1), (NamedGroup::X25519, HandshakeKind::Full));
}

#[test]
fn the_server_may_ask_for_another_group() {
    for wanted in [X25519_BIKEL1, P384_HQC3, HQC5] {
        let (group, kind, _) = handshake(&vec![X25519_HQC1, wanted], &vec![wanted]);
        assert_eq!((group, kind), (wanted.name(), HandshakeKind::FullWithHelloRetryRequest));
    }
}

#[test]
fn groups_are_not_for_tls_1_2() {
    let mut client = client(Arc::new(provider()));
    let mut server = server(Arc::new(provider()), &[&TLS12]);
    run(&mut client, &mut server).unwrap();
    let group = client.negotiated_key_exchange_group().unwrap();
    assert_eq!(group.name(), NamedGroup::X25519);
}

const INVALID: Error = Error::PeerMisbehaved(PeerMisbehaved::InvalidKeyShare);

#[test]
fn bad_shares_are_refused() {
    for group in [X25519_BIKEL1, P256_HQC1, P384_HQC3, BIKEL5, HQC1] {
        let share = group.start().unwrap().pub_key().to_vec();
        let answer = group.start_and_complete(&share).unwrap().pub_key;
        for length in [0, 1, 31, 32, 64, 65, share.len() - 1, share.len() + 1] {
            let mut wrong = share.clone();
            wrong.resize(length, 0);
            assert_eq!(group.start_and_complete(&wrong).err(), Some(INVALID));
        }
        for length in [0, 1, 31, 32, 64, 65, answer.len() - 1, answer.len() + 1] {
            let mut wrong = answer.clone();
            wrong.resize(length, 0);
            assert_eq!(group.start().unwrap().complete(&wrong).err(), Some(INVALID));
        }
        let mut wrong = share.clone();
        *wrong.last_mut().unwrap() |= 0x80; // an unused bit of the KEM's public key
        assert_eq!(group.start_and_complete(&wrong).err(), Some(INVALID));
    }
}

#[test]
fn secrets_are_those_of_both_halves() {
    let started = X25519_HQC1.start().unwrap();
    let done = X25519_HQC1.start_and_complete(started.pub_key()).unwrap();
    let mut other = done.pub_key.clone();
    let secret = done.secret.secret_bytes().to_vec();
    assert_eq!(secret.len(), 64);
    assert_eq!(started.complete(&other).unwrap().secret_bytes(), secret);

    // Another ciphertext: the classical half stays, the KEM's is another, and no error tells.
    let started = X25519_HQC1.start().unwrap();
    let done = X25519_HQC1.start_and_complete(started.pub_key()).unwrap();
    other.copy_from_slice(&done.pub_key);
    *other.last_mut().unwrap() ^= 1;
    let secret = started.complete(&other).unwrap();
    assert_eq!(secret.secret_bytes()[..32], done.secret.secret_bytes()[..32]);
    assert_ne!(secret.secret_bytes()[32..], done.secret.secret_bytes()[32..]);
}

#[test]
fn groups_can_have_other_numbers() {
    static OWN: &dyn SupportedKxGroup = &Hybrid::new(X25519, 32, "HQC-5", 65100);
    static NONE: &dyn SupportedKxGroup = &KemGroup::new("HQC-2", 65101);
    assert_eq!(handshake(&vec![OWN], &vec![OWN]).0, NamedGroup::Unknown(65100));
    let error = NONE.start().err().unwrap();
    assert_eq!(error, Error::General("codekem: there is no KEM of this name".into()));
}

#[cfg(feature = "aws-lc-rs")]
#[test]
fn both_providers_exchange() {
    for (ours, theirs) in HYBRIDS.iter().zip(codekem_rustls::aws_lc_rs::HYBRIDS) {
        assert_eq!(handshake(&vec![*ours], &vec![*theirs]).0, ours.name());
        assert_eq!(handshake(&vec![*theirs], &vec![*ours]).0, ours.name());
    }
    let (group, ..) =
        handshake(&provider().kx_groups, &codekem_rustls::aws_lc_rs::provider().kx_groups);
    assert_eq!(group, X25519_HQC1.name());
}
