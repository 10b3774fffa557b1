// SPDX-License-Identifier: Apache-2.0 OR MIT

// One step of an exchange with files, as the command codekem does it with --format raw:
//
//	exchange KEM keygen PUBLIC SECRET
//	exchange KEM encaps PUBLIC CIPHERTEXT SHARED
//	exchange KEM decaps SECRET CIPHERTEXT SHARED
package main

import (
	"fmt"
	"log"
	"os"

	codekem "github.com/codekem/codekem/bindings/go"
)

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func write(name string, data []byte) {
	if err := os.WriteFile(name, data, 0o600); err != nil {
		log.Fatal(err)
	}
}

func main() {
	k, files := must(codekem.ByName(os.Args[1])), os.Args[3:]
	switch os.Args[2] {
	case "keygen":
		dk := must(k.GenerateKey())
		write(files[0], dk.EncapsulationKey().Bytes())
		write(files[1], dk.SecretKey())
	case "encaps":
		ek := must(k.NewEncapsulationKey(must(os.ReadFile(files[0]))))
		shared, ciphertext := ek.Encapsulate()
		write(files[1], ciphertext)
		write(files[2], shared)
	case "decaps":
		dk := must(k.NewDecapsulationKeyFromSecretKey(must(os.ReadFile(files[0]))))
		write(files[2], must(dk.Decapsulate(must(os.ReadFile(files[1])))))
	}
	fmt.Println(codekem.Backend())
}
