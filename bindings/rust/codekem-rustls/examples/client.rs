// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Connects with rustls, says which group was used, sends a request and prints the answer.
//!
//! usage: client ADDRESS NAME CA.pem [CODE_POINT...]
//!
//! ADDRESS is as in 127.0.0.1:8443, NAME the server's. With code points the client offers these
//! groups only, in this order.

use codekem_rustls::kx_group;
use codekem_rustls::ring::provider;
use rustls::pki_types::{CertificateDer, ServerName, pem::PemObject};
use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};
use std::error::Error;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::Arc;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [address, name, authority, code_points @ ..] = &arguments[..] else {
        return Err("usage: client ADDRESS NAME CA.pem [CODE_POINT...]".into());
    };
    let mut provider = provider();
    if !code_points.is_empty() {
        let mut wanted = Vec::new();
        for code_point in code_points {
            let number: u16 = code_point.parse()?;
            let mut all = provider.kx_groups.iter().chain(kx_group::ALL);
            let group = all.find(|group| u16::from(group.name()) == number);
            wanted.push(*group.ok_or_else(|| format!("there is no group {number}"))?);
        }
        provider.kx_groups = wanted;
    }
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_file(authority)?)?;
    let config = ClientConfig::builder_with_provider(Arc::new(provider))
        .with_safe_default_protocol_versions()?
        .with_root_certificates(roots)
        .with_no_client_auth();
    let server = ServerName::try_from(name.clone())?;
    let connection = ClientConnection::new(Arc::new(config), server)?;
    let mut stream = StreamOwned::new(connection, TcpStream::connect(address)?);
    stream.write_all(b"GET / HTTP/1.0\r\n\r\n")?;
    let group = stream.conn.negotiated_key_exchange_group().map(|group| group.name());
    println!("group: {}", group.map_or(0, u16::from));
    let mut answer = Vec::new();
    match stream.read_to_end(&mut answer) {
        Err(error) if error.kind() != std::io::ErrorKind::UnexpectedEof => Err(error)?,
        _ => println!("{}", String::from_utf8_lossy(&answer)),
    }
    Ok(())
}
