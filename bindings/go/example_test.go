// SPDX-License-Identifier: Apache-2.0 OR MIT

package codekem_test

import (
	"bytes"
	"fmt"
	"log"

	codekem "github.com/codekem/codekem/bindings/go"
)

func Example() {
	// Bob makes a key pair and sends Alice the encapsulation key.
	dk, err := codekem.HQC1().GenerateKey()
	if err != nil {
		log.Fatal(err)
	}
	sent := dk.EncapsulationKey().Bytes()

	// Alice makes a shared key and sends Bob the ciphertext.
	ek, err := codekem.HQC1().NewEncapsulationKey(sent)
	if err != nil {
		log.Fatal(err)
	}
	alice, ciphertext := ek.Encapsulate()

	// Bob recovers the shared key.
	bob, err := dk.Decapsulate(ciphertext)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(bytes.Equal(alice, bob), len(bob))
	// Output: true 32
}
