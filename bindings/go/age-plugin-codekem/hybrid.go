// SPDX-License-Identifier: Apache-2.0 OR MIT

package main

import (
	"crypto/ecdh"
	"crypto/rand"
	"crypto/sha3"
	"errors"

	codekem "github.com/codekem/codekem/bindings/go"
)

// The hybrid of HQC-1 and X25519 in the framework UG of draft-irtf-cfrg-hybrid-kems: SHAKE256 makes
// the two keys from one seed, and the universal combiner, here SHA3-256, hashes both secrets with
// all that was sent. HQC-1 stands first everywhere.

const (
	hybridLabel = "codekem-HQC1-X25519-UG-v0"
	seedSize    = 32
	x25519Size  = 32
)

var (
	publicSize     = codekem.HQC1().EncapsulationKeySize() + x25519Size
	ciphertextSize = codekem.HQC1().CiphertextSize() + x25519Size
)

type publicKey struct {
	hqc *codekem.EncapsulationKey
	x   *ecdh.PublicKey
}

type secretKey struct {
	hqc *codekem.DecapsulationKey
	x   *ecdh.PrivateKey
}

// split returns the part of HQC-1 and that of X25519, which is the last.
func split(data []byte) (hqc, x []byte) {
	at := len(data) - x25519Size
	return data[:at:at], data[at:]
}

// newSecretKey makes the key that belongs to a seed of 32 bytes.
func newSecretKey(seed []byte) (*secretKey, error) {
	kem := codekem.HQC1()
	material := sha3.SumSHAKE256(seed, kem.SeedSize()+x25519Size)
	defer clear(material)
	seedHQC, scalar := split(material)
	hqc, err := kem.NewDecapsulationKey(seedHQC)
	if err != nil {
		return nil, err
	}
	x, err := ecdh.X25519().NewPrivateKey(scalar)
	if err != nil {
		return nil, err
	}
	return &secretKey{hqc, x}, nil
}

// newPublicKey takes publicSize bytes. The errors say what is wrong with them.
func newPublicKey(data []byte) (*publicKey, error) {
	if len(data) != publicSize {
		return nil, errors.New("wrong length")
	}
	partHQC, partX := split(data)
	hqc, err := codekem.HQC1().NewEncapsulationKey(partHQC)
	if err != nil {
		return nil, err
	}
	x, err := ecdh.X25519().NewPublicKey(partX)
	if err != nil {
		return nil, err
	}
	return &publicKey{hqc, x}, nil
}

func (k *secretKey) public() *publicKey {
	return &publicKey{k.hqc.EncapsulationKey(), k.x.PublicKey()}
}

func (k *publicKey) bytes() []byte { return append(k.hqc.Bytes(), k.x.Bytes()...) }

// combine hashes the secrets, the ciphertext and the public key of both, and clears the secrets.
func combine(secretHQC, secretX, ciphertext []byte, key *publicKey) []byte {
	defer clear(secretHQC)
	defer clear(secretX)
	hash := sha3.New256()
	for _, part := range [][]byte{
		secretHQC, secretX, ciphertext, key.bytes(), []byte(hybridLabel),
	} {
		hash.Write(part)
	}
	return hash.Sum(nil)
}

// encapsulate returns a secret of 32 bytes, and the ciphertext that holds it.
func (k *publicKey) encapsulate() (secret, ciphertext []byte, err error) {
	ephemeral, err := ecdh.X25519().GenerateKey(rand.Reader)
	if err != nil {
		return nil, nil, err
	}
	seed := make([]byte, k.hqc.KEM().EncapsulationSeedSize())
	defer clear(seed)
	rand.Read(seed) // it never fails
	return k.encapsulateWith(seed, ephemeral)
}

func (k *publicKey) encapsulateWith(seed []byte, ephemeral *ecdh.PrivateKey) (secret,
	ciphertext []byte, err error) {
	secretX, err := ephemeral.ECDH(k.x)
	if err != nil {
		return nil, nil, err // its part of X25519 has a small order
	}
	secretHQC, ciphertext, err := k.hqc.EncapsulateDerand(seed)
	if err != nil {
		return nil, nil, err
	}
	ciphertext = append(ciphertext, ephemeral.PublicKey().Bytes()...)
	return combine(secretHQC, secretX, ciphertext, k), ciphertext, nil
}

// decapsulate returns the secret in a ciphertext of ciphertextSize bytes. One that was made for
// another key gives a secret that nobody else has. An error means that nobody made it honestly.
func (k *secretKey) decapsulate(ciphertext []byte) ([]byte, error) {
	if len(ciphertext) != ciphertextSize {
		return nil, errors.New("wrong length")
	}
	partHQC, partX := split(ciphertext)
	peer, err := ecdh.X25519().NewPublicKey(partX)
	if err != nil {
		return nil, err
	}
	secretX, err := k.x.ECDH(peer)
	if err != nil {
		return nil, err
	}
	secretHQC, err := k.hqc.Decapsulate(partHQC)
	if err != nil {
		return nil, err
	}
	return combine(secretHQC, secretX, ciphertext, k.public()), nil
}
