// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Serves with rustls: answers each connection with the number of the group that it used.
//!
//! usage: server ADDRESS CERTIFICATE.pem KEY.pem

use codekem_rustls::kx_group;
use codekem_rustls::ring::provider;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject};
use rustls::{ServerConfig, ServerConnection, StreamOwned};
use std::error::Error;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;

fn serve(config: &Arc<ServerConfig>, socket: TcpStream) -> Result<(), Box<dyn Error>> {
    let connection = ServerConnection::new(Arc::clone(config))?;
    let mut stream = StreamOwned::new(connection, socket);
    let _ = stream.read(&mut [0; 1000])?; // the request; any will do
    let group = stream.conn.negotiated_key_exchange_group().map(|group| group.name());
    let text = format!("group: {}\n", group.map_or(0, u16::from));
    write!(stream, "HTTP/1.0 200 OK\r\nContent-Length: {}\r\n\r\n{text}", text.len())?;
    stream.conn.send_close_notify();
    stream.flush()?;
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [address, certificate, key] = &arguments[..] else {
        return Err("usage: server ADDRESS CERTIFICATE.pem KEY.pem".into());
    };
    let mut provider = provider();
    provider.kx_groups.extend(kx_group::ALL);
    let certificates = CertificateDer::pem_file_iter(certificate)?.collect::<Result<_, _>>()?;
    let config = ServerConfig::builder_with_provider(Arc::new(provider))
        .with_safe_default_protocol_versions()?
        .with_no_client_auth()
        .with_single_cert(certificates, PrivateKeyDer::from_pem_file(key)?)?;
    let config = Arc::new(config);
    for socket in TcpListener::bind(address)?.incoming() {
        if let Err(error) = serve(&config, socket?) {
            eprintln!("{error}");
        }
    }
    Ok(())
}
