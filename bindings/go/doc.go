// SPDX-License-Identifier: Apache-2.0 OR MIT

// Package codekem implements BIKE and HQC, key encapsulation mechanisms from error-correcting codes
// that are believed to withstand quantum computers. It has the shape of crypto/mlkem.
//
//	dk, err := codekem.HQC1().GenerateKey()      // whoever wants to receive makes a key
//	ek := dk.EncapsulationKey().Bytes()          // and publishes this part
//
//	key, err := codekem.HQC1().NewEncapsulationKey(ek)
//	sharedKey, ciphertext := key.Encapsulate()   // the other sends the ciphertext
//
//	sharedKey, err = dk.Decapsulate(ciphertext)  // both have the same 32 bytes
//
// Use a key pair of BIKE for one exchange only: its specification claims no more than security
// against eavesdroppers (IND-CPA). HQC's keys may be used again (IND-CCA2).
//
// With cgo, the package compiles the C library codekem, whose sources it brings along, and uses the
// best instructions that the processor has. Without cgo, or with the build tag purego, the same
// library runs as WebAssembly in wazero: about 15 times slower for HQC-1 than with AVX-512, and
// with a start of some tenths of a second, once.
//
// The C library takes the same time for all secrets. Go itself adds nothing that depends on a
// secret. The module for WebAssembly has no branch, select or address that depends on a secret
// either, but nobody has checked what wazero makes of it.
package codekem

// In a clone this brings the C sources here, as every published module has them.
//go:generate sh -c "cd ../.. && python3 -m bindings.pack_go"
