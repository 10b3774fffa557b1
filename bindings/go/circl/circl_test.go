// SPDX-License-Identifier: Apache-2.0 OR MIT

package circl_test

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	"github.com/cloudflare/circl/kem"
	"github.com/cloudflare/circl/kem/schemes"
	codekem "github.com/codekem/codekem/bindings/go"
	"github.com/codekem/codekem/bindings/go/circl"
)

func each(t *testing.T, test func(t *testing.T, s kem.Scheme)) {
	for _, k := range codekem.KEMs() {
		t.Run(k.String(), func(t *testing.T) { test(t, circl.ByName(k.String())) })
	}
}

// What CIRCL's own tests ask of its schemes (kem/schemes).
func TestScheme(t *testing.T) {
	each(t, func(t *testing.T, s kem.Scheme) {
		pk, sk, err := s.GenerateKeyPair()
		if err != nil {
			t.Fatal(err)
		}
		packedPk, _ := pk.MarshalBinary()
		packedSk, _ := sk.MarshalBinary()
		if len(packedPk) != s.PublicKeySize() || len(packedSk) != s.PrivateKeySize() {
			t.Errorf("keys of %d and %d bytes", len(packedPk), len(packedSk))
		}
		pk2, err := s.UnmarshalBinaryPublicKey(packedPk)
		if err != nil || !pk2.Equal(pk) || pk2.Scheme().Name() != s.Name() {
			t.Errorf("another public key (%v)", err)
		}
		sk2, err := s.UnmarshalBinaryPrivateKey(packedSk)
		if err != nil || !sk2.Equal(sk) || !sk2.Public().Equal(pk) || sk2.Scheme() != s {
			t.Errorf("another private key (%v)", err)
		}
		ct, ss, err := s.Encapsulate(pk2)
		if err != nil || len(ct) != s.CiphertextSize() || len(ss) != s.SharedKeySize() {
			t.Fatalf("%d and %d bytes (%v)", len(ct), len(ss), err)
		}
		again, err := s.Decapsulate(sk2, ct)
		if err != nil || !bytes.Equal(again, ss) {
			t.Errorf("another shared key (%v)", err)
		}
	})
}

func TestSeedsGiveTheSame(t *testing.T) {
	each(t, func(t *testing.T, s kem.Scheme) {
		seed := bytes.Repeat([]byte{7}, s.SeedSize())
		pk, sk := s.DeriveKeyPair(seed)
		pk2, sk2 := s.DeriveKeyPair(seed)
		if !pk.Equal(pk2) || !sk.Equal(sk2) {
			t.Error("the same seed gives two keys")
		}
		seed = bytes.Repeat([]byte{8}, s.EncapsulationSeedSize())
		ct, ss, err := s.EncapsulateDeterministically(pk, seed)
		ct2, ss2, err2 := s.EncapsulateDeterministically(pk2, seed)
		if err != nil || err2 != nil || !bytes.Equal(ct, ct2) || !bytes.Equal(ss, ss2) {
			t.Error("the same seed gives two ciphertexts")
		}
	})
}

func TestErrorsAreThoseOfCIRCL(t *testing.T) {
	s := circl.New(codekem.HQC1())
	pk, sk, err := s.GenerateKeyPair()
	if err != nil {
		t.Fatal(err)
	}
	strangePk, strangeSk, _ := schemes.ByName("ML-KEM-768").GenerateKeyPair()
	otherPk, otherSk, _ := circl.New(codekem.HQC3()).GenerateKeyPair()
	ct := make([]byte, s.CiphertextSize())
	calls := map[error][]func() error{
		kem.ErrTypeMismatch: {
			func() error { _, _, err := s.Encapsulate(strangePk); return err },
			func() error { _, _, err := s.Encapsulate(otherPk); return err },
			func() error { _, _, err := s.Encapsulate(nil); return err },
			func() error { _, err := s.Decapsulate(strangeSk, ct); return err },
			func() error { _, err := s.Decapsulate(otherSk, ct); return err },
		},
		kem.ErrSeedSize: {
			func() error { _, _, err := s.EncapsulateDeterministically(pk, ct); return err },
		},
		kem.ErrCiphertextSize: {
			func() error { _, err := s.Decapsulate(sk, ct[1:]); return err },
		},
		kem.ErrPubKeySize: {
			func() error { _, err := s.UnmarshalBinaryPublicKey(ct); return err },
		},
		kem.ErrPubKey: {
			func() error {
				_, err := s.UnmarshalBinaryPublicKey(make([]byte, s.PublicKeySize()))
				return err
			},
		},
		kem.ErrPrivKeySize: {
			func() error { _, err := s.UnmarshalBinaryPrivateKey(ct); return err },
		},
		kem.ErrPrivKey: {
			func() error {
				_, err := s.UnmarshalBinaryPrivateKey(make([]byte, s.PrivateKeySize()))
				return err
			},
		},
	}
	for want, group := range calls {
		for n, call := range group {
			if err := call(); !errors.Is(err, want) {
				t.Errorf("call %d: %v instead of %v", n, err, want)
			}
		}
	}
	if circl.ByName("HQC-2") != nil {
		t.Error("there is an HQC-2")
	}
	defer func() {
		if recover() == nil {
			t.Error("a seed of a wrong length is taken")
		}
	}()
	s.DeriveKeyPair(ct)
}

func TestZeroKeysAreErrorsAndNoPanics(t *testing.T) {
	var pk circl.PublicKey
	var sk circl.PrivateKey
	if text := fmt.Sprint(pk, sk); text != "no encapsulation key no decapsulation key" {
		t.Error(text)
	}
	if _, err := pk.MarshalBinary(); err == nil {
		t.Error("a zero public key is encoded")
	}
	if _, err := sk.MarshalBinary(); err == nil {
		t.Error("a zero private key is encoded")
	}
	if pk.Equal(pk) || sk.Equal(sk) || sk.Public().Equal(pk) {
		t.Error("zero keys are equal to something")
	}
}
