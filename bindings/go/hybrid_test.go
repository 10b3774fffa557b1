// SPDX-License-Identifier: Apache-2.0 OR MIT

package codekem_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	codekem "github.com/codekem/codekem/bindings/go"
)

// Vectors are in the tests of all packages together; here is what this one refuses.
func TestHybrid(t *testing.T) {
	for _, hybrid := range []*codekem.Hybrid{
		codekem.HQC1().WithX25519(), codekem.HQC1().WithP256(), codekem.BIKEL1().WithX25519(),
	} {
		dk, err := hybrid.GenerateKey()
		if err != nil {
			t.Fatal(err)
		}
		sent := dk.EncapsulationKey().Bytes()
		ek, err := hybrid.NewEncapsulationKey(sent)
		if err != nil || len(sent) != hybrid.EncapsulationKeySize() {
			t.Fatal(hybrid, err)
		}
		sharedKey, ciphertext := ek.Encapsulate()
		again, err := hybrid.NewDecapsulationKey(dk.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		for _, key := range []*codekem.HybridDecapsulationKey{dk, again} {
			got, err := key.Decapsulate(ciphertext)
			if err != nil || !bytes.Equal(got, sharedKey) {
				t.Error(hybrid, "another shared key", err)
			}
		}
		if _, err := dk.Decapsulate(ciphertext[1:]); err == nil {
			t.Error(hybrid, "a short ciphertext is taken")
		}
		if _, err := hybrid.NewEncapsulationKey(sent[1:]); err == nil {
			t.Error(hybrid, "a short key is taken")
		}
		if _, err := hybrid.NewDecapsulationKey(sent); err == nil {
			t.Error(hybrid, "a long seed is taken")
		}
		if _, _, err := ek.EncapsulateDerand(make([]byte, 10)); err == nil {
			t.Error(hybrid, "a short seed is taken")
		}
		seed := fmt.Sprintf("%x", dk.Bytes())
		for _, format := range []string{"%v", "%+v", "%#v", "%x"} {
			if strings.Contains(fmt.Sprintf(format, dk), seed) {
				t.Error(hybrid, format, "shows the seed")
			}
		}
	}
}

func TestZeroHybridKeys(t *testing.T) {
	var dk codekem.HybridDecapsulationKey
	var ek *codekem.HybridEncapsulationKey
	if _, err := dk.Decapsulate(nil); err == nil || dk.Bytes() != nil || ek.Bytes() != nil {
		t.Error("a zero value holds a key")
	}
	if _, _, err := ek.EncapsulateDerand(nil); err == nil || dk.EncapsulationKey() != nil {
		t.Error("a zero value holds a key")
	}
}
