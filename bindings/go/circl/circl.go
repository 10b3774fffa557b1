// SPDX-License-Identifier: Apache-2.0 OR MIT

// Package circl gives the KEMs of codekem the interface kem.Scheme of Cloudflare's CIRCL.
//
// The order is CIRCL's: Encapsulate returns the ciphertext first, then the shared key.
package circl

import (
	"crypto/rand"
	"fmt"

	"github.com/cloudflare/circl/kem"
	codekem "github.com/codekem/codekem/bindings/go"
)

// scheme is a parameter set, PublicKey and PrivateKey are its keys.
type scheme struct{ kem *codekem.KEM }

// PublicKey is an encapsulation key as a kem.PublicKey.
type PublicKey struct{ *codekem.EncapsulationKey }

// PrivateKey is a decapsulation key as a kem.PrivateKey.
type PrivateKey struct{ *codekem.DecapsulationKey }

var (
	_ kem.Scheme     = scheme{}
	_ kem.PublicKey  = PublicKey{}
	_ kem.PrivateKey = PrivateKey{}
)

// New returns a KEM, such as codekem.HQC1(), as a kem.Scheme.
func New(k *codekem.KEM) kem.Scheme { return scheme{k} }

// ByName returns the kem.Scheme with a name, such as "HQC-1", or nil if there is none, as CIRCL's
// schemes.ByName does.
func ByName(name string) kem.Scheme {
	k, err := codekem.ByName(name)
	if err != nil {
		return nil
	}
	return scheme{k}
}

func (s scheme) Name() string               { return s.kem.String() }
func (s scheme) CiphertextSize() int        { return s.kem.CiphertextSize() }
func (s scheme) SharedKeySize() int         { return codekem.SharedKeySize }
func (s scheme) PublicKeySize() int         { return s.kem.EncapsulationKeySize() }
func (s scheme) PrivateKeySize() int        { return s.kem.SecretKeySize() }
func (s scheme) SeedSize() int              { return s.kem.SeedSize() }
func (s scheme) EncapsulationSeedSize() int { return s.kem.EncapsulationSeedSize() }

func (s scheme) GenerateKeyPair() (kem.PublicKey, kem.PrivateKey, error) {
	dk, err := s.kem.GenerateKey()
	if err != nil {
		return nil, nil, err
	}
	return PublicKey{dk.EncapsulationKey()}, PrivateKey{dk}, nil
}

// DeriveKeyPair panics if the length of the seed is wrong, as CIRCL asks.
func (s scheme) DeriveKeyPair(seed []byte) (kem.PublicKey, kem.PrivateKey) {
	if len(seed) != s.SeedSize() {
		panic(kem.ErrSeedSize)
	}
	dk, err := s.kem.NewDecapsulationKey(seed)
	if err != nil {
		panic(err)
	}
	return PublicKey{dk.EncapsulationKey()}, PrivateKey{dk}
}

func (s scheme) Encapsulate(pk kem.PublicKey) (ct, ss []byte, err error) {
	seed := make([]byte, s.EncapsulationSeedSize())
	defer clear(seed)
	rand.Read(seed) // it never fails
	return s.EncapsulateDeterministically(pk, seed)
}

func (s scheme) EncapsulateDeterministically(pk kem.PublicKey, seed []byte) (ct, ss []byte,
	err error) {
	key, ok := pk.(PublicKey)
	if !ok || key.EncapsulationKey == nil || key.KEM() != s.kem {
		return nil, nil, kem.ErrTypeMismatch
	}
	if len(seed) != s.EncapsulationSeedSize() {
		return nil, nil, kem.ErrSeedSize
	}
	ss, ct, err = key.EncapsulateDerand(seed)
	return ct, ss, err
}

func (s scheme) Decapsulate(sk kem.PrivateKey, ct []byte) ([]byte, error) {
	key, ok := sk.(PrivateKey)
	if !ok || key.DecapsulationKey == nil || key.KEM() != s.kem {
		return nil, kem.ErrTypeMismatch
	}
	if len(ct) != s.CiphertextSize() {
		return nil, kem.ErrCiphertextSize
	}
	return key.DecapsulationKey.Decapsulate(ct)
}

func (s scheme) UnmarshalBinaryPublicKey(data []byte) (kem.PublicKey, error) {
	if len(data) != s.PublicKeySize() {
		return nil, kem.ErrPubKeySize
	}
	ek, err := s.kem.NewEncapsulationKey(data)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", kem.ErrPubKey, err)
	}
	return PublicKey{ek}, nil
}

func (s scheme) UnmarshalBinaryPrivateKey(data []byte) (kem.PrivateKey, error) {
	if len(data) != s.PrivateKeySize() {
		return nil, kem.ErrPrivKeySize
	}
	dk, err := s.kem.NewDecapsulationKeyFromSecretKey(data)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", kem.ErrPrivKey, err)
	}
	return PrivateKey{dk}, nil
}

// Scheme returns the KEM of the key.
func (pk PublicKey) Scheme() kem.Scheme { return scheme{pk.KEM()} }

// MarshalBinary returns the key as the specification encodes it.
func (pk PublicKey) MarshalBinary() ([]byte, error) {
	if pk.KEM() == nil {
		return nil, kem.ErrPubKey
	}
	return pk.Bytes(), nil
}

// Format writes what the key is, also for the zero value.
func (pk PublicKey) Format(state fmt.State, verb rune) {
	if pk.EncapsulationKey == nil {
		pk.EncapsulationKey = new(codekem.EncapsulationKey)
	}
	pk.EncapsulationKey.Format(state, verb)
}

// Equal tells whether other is the same key.
func (pk PublicKey) Equal(other kem.PublicKey) bool {
	key, ok := other.(PublicKey)
	return ok && pk.EncapsulationKey.Equal(key.EncapsulationKey)
}

// Scheme returns the KEM of the key.
func (sk PrivateKey) Scheme() kem.Scheme { return scheme{sk.KEM()} }

// MarshalBinary returns the secret key as the specification encodes it.
func (sk PrivateKey) MarshalBinary() ([]byte, error) {
	if sk.KEM() == nil {
		return nil, kem.ErrPrivKey
	}
	return sk.SecretKey(), nil
}

// Format writes what the key is and nothing secret, also for the zero value.
func (sk PrivateKey) Format(state fmt.State, verb rune) {
	if sk.DecapsulationKey == nil {
		sk.DecapsulationKey = new(codekem.DecapsulationKey)
	}
	sk.DecapsulationKey.Format(state, verb)
}

// Equal tells whether other is the same key, in constant time.
func (sk PrivateKey) Equal(other kem.PrivateKey) bool {
	key, ok := other.(PrivateKey)
	return ok && sk.DecapsulationKey.Equal(key.DecapsulationKey)
}

// Public returns the public key that belongs to the key.
func (sk PrivateKey) Public() kem.PublicKey { return PublicKey{sk.EncapsulationKey()} }
