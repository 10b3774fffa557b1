// SPDX-License-Identifier: Apache-2.0 OR MIT

package wasm

import (
	"bytes"
	"testing"
)

func TestMemoryIsCleared(t *testing.T) {
	k, err := Find("HQC-1")
	if err != nil {
		t.Fatal(err)
	}
	sizes := k.Sizes()
	publicKey, secretKey := make([]byte, sizes[0]), make([]byte, sizes[1])
	ciphertext, shared := make([]byte, sizes[2]), make([]byte, sizes[3])
	if err := k.Keypair(publicKey, secretKey, make([]byte, sizes[4])); err != nil {
		t.Fatal(err)
	}
	if err := k.Encaps(ciphertext, shared, publicKey, make([]byte, sizes[5])); err != nil {
		t.Fatal(err)
	}
	if err := k.Decaps(shared, ciphertext, secretKey); err != nil {
		t.Fatal(err)
	}
	i, err := k.engine.get()
	if err != nil {
		t.Fatal(err)
	}
	defer k.engine.put(i)
	memory, _ := i.memory.Read(0, i.memory.Size())
	for what, secret := range map[string][]byte{
		"shared key": shared, "secret key": secretKey[sizes[0] : sizes[0]+16],
	} {
		if bytes.Contains(memory, secret) {
			t.Errorf("the %s is left in memory", what)
		}
	}
	if heap := memory[i.heap:]; !bytes.Equal(heap, make([]byte, len(heap))) {
		t.Error("something is left where buffers and workspace were")
	}
}

func TestUnknownNameIsAnError(t *testing.T) {
	if _, err := Find("HQC-2"); err == nil {
		t.Error("there is an HQC-2")
	}
}
