// SPDX-License-Identifier: Apache-2.0 OR MIT

package codekem_test

import (
	"bytes"
	"encoding/hex"
	"encoding/pem"
	"strings"
	"testing"

	codekem "github.com/codekem/codekem/bindings/go"
)

var forms = []codekem.PrivateKeyForm{codekem.SeedIfKnown, codekem.SeedOnly,
	codekem.SeedAndSecretKey, codekem.SecretKeyOnly}

func TestKeysInDER(t *testing.T) {
	each(t, func(t *testing.T, k *codekem.KEM) {
		dk := generate(t, k)
		der, err := codekem.MarshalPKIXPublicKey(dk.EncapsulationKey())
		if err != nil {
			t.Fatal(err)
		}
		ek, err := codekem.ParsePKIXPublicKey(der)
		if err != nil || !ek.Equal(dk.EncapsulationKey()) {
			t.Errorf("another public key (%v)", err)
		}
		bare, err := k.NewDecapsulationKeyFromSecretKey(dk.SecretKey())
		if err != nil {
			t.Fatal(err)
		}
		hqc := strings.HasPrefix(k.String(), "HQC")
		for _, form := range forms {
			der, err := codekem.MarshalPKCS8PrivateKeyForm(dk, form)
			if err != nil {
				t.Fatal(err)
			}
			again, err := codekem.ParsePKCS8PrivateKey(der)
			if err != nil || !again.Equal(dk) {
				t.Errorf("form %d: another key (%v)", form, err)
				continue
			}
			if known := hqc || form != codekem.SecretKeyOnly; known != (again.Bytes() != nil) {
				t.Errorf("form %d: the seed is there: %v", form, !known)
			}
			_, err = codekem.MarshalPKCS8PrivateKeyForm(bare, form)
			asks := form == codekem.SeedOnly || form == codekem.SeedAndSecretKey
			if (err != nil) != (asks && !hqc) {
				t.Errorf("form %d of a key without a seed: %v", form, err)
			}
		}
		der, err = codekem.MarshalPKCS8PrivateKey(dk)
		if err != nil {
			t.Fatal(err)
		}
		text := pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})
		if hqc && len(text) >= 150 {
			t.Errorf("%d bytes of PEM", len(text))
		}
	})
}

func TestWrongKeysInDER(t *testing.T) {
	dk := generate(t, codekem.HQC1())
	der, err := codekem.MarshalPKCS8PrivateKey(dk)
	if err != nil {
		t.Fatal(err)
	}
	for place := range len(der) - codekem.HQC1().SeedSize() {
		wrong := bytes.Clone(der)
		wrong[place] ^= 0x21
		if _, err := codekem.ParsePKCS8PrivateKey(wrong); err == nil {
			t.Errorf("a change at %d is not noticed", place)
		}
		if _, err := codekem.ParsePKCS8PrivateKey(der[:place]); err == nil {
			t.Errorf("%d bytes are a key", place)
		}
		if _, err := codekem.ParsePKIXPublicKey(wrong); err == nil {
			t.Error("a private key is a public one")
		}
	}
	mlKEM := unhex(t, "3034020100300b060960864801650304040104228020"+strings.Repeat("00", 32))
	_, err = codekem.ParsePKCS8PrivateKey(mlKEM)
	if err == nil || !strings.HasSuffix(err.Error(), " 2.16.840.1.101.3.4.4.1") {
		t.Errorf("a key of ML-KEM: %v", err)
	}
	if _, err := codekem.MarshalPKCS8PrivateKeyForm(dk, 9); err == nil {
		t.Error("there is a ninth form")
	}
	if _, err := codekem.MarshalPKCS8PrivateKey(nil); err == nil {
		t.Error("no key is marshalled")
	}
	if _, err := codekem.MarshalPKIXPublicKey(&codekem.EncapsulationKey{}); err == nil {
		t.Error("the zero value is marshalled")
	}
	_, err = codekem.ParsePKCS8PrivateKey(append(der, 0))
	if err == nil || strings.Contains(err.Error(), hex.EncodeToString(dk.Bytes()[:4])) {
		t.Errorf("something behind the end: %v", err)
	}
}
