// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Whole handshakes of rustls in memory, both sides in one thread.

use codekem_rustls::ring::kx_group::{X25519_BIKEL1, X25519_HQC1};
use rustls::crypto::ring::{default_provider, kx_group::X25519};
use rustls::crypto::{CryptoProvider, SupportedKxGroup};
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use rustls::{ClientConfig, ClientConnection, RootCertStore, ServerConfig, ServerConnection};
use std::sync::Arc;
use std::time::Duration;

pub const CLASSICAL: &dyn SupportedKxGroup = X25519;

/// Name and group.
pub static GROUPS: [(&str, &dyn SupportedKxGroup); 2] =
    [("x25519_hqc1", X25519_HQC1), ("x25519_bikel1", X25519_BIKEL1)];

fn configurations(group: &'static dyn SupportedKxGroup) -> (Arc<ClientConfig>, Arc<ServerConfig>) {
    let provider = Arc::new(CryptoProvider { kx_groups: vec![group], ..default_provider() });
    let made = rcgen::generate_simple_self_signed(vec!["localhost".to_string()]).unwrap();
    let certificate = CertificateDer::from(made.cert.der().to_vec());
    let key = PrivateKeyDer::try_from(made.signing_key.serialize_der()).unwrap();
    let mut roots = RootCertStore::empty();
    roots.add(certificate.clone()).unwrap();
    let mut client = ClientConfig::builder_with_provider(Arc::clone(&provider))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    client.resumption = rustls::client::Resumption::disabled();
    let mut server = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certificate], key)
        .unwrap();
    server.send_tls13_tickets = 0;
    (Arc::new(client), Arc::new(server))
}

fn handshake(client: &Arc<ClientConfig>, server: &Arc<ServerConfig>) {
    let name = ServerName::try_from("localhost").unwrap();
    let mut client = ClientConnection::new(Arc::clone(client), name).unwrap();
    let mut server = ServerConnection::new(Arc::clone(server)).unwrap();
    let mut bytes = Vec::with_capacity(32_768);
    while client.is_handshaking() || server.is_handshaking() {
        bytes.clear();
        while client.wants_write() {
            client.write_tls(&mut bytes).unwrap();
        }
        let mut rest = &bytes[..];
        while !rest.is_empty() {
            server.read_tls(&mut rest).unwrap();
            server.process_new_packets().unwrap();
        }
        bytes.clear();
        while server.wants_write() {
            server.write_tls(&mut bytes).unwrap();
        }
        let mut rest = &bytes[..];
        while !rest.is_empty() {
            client.read_tls(&mut rest).unwrap();
            client.process_new_packets().unwrap();
        }
    }
}

/// Returns the median time of a full handshake in microseconds.
pub fn handshake_time(group: &'static dyn SupportedKxGroup, time: Duration) -> f64 {
    let (client, server) = configurations(group);
    crate::median(time, || handshake(&client, &server))
}
