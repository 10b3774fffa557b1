// SPDX-License-Identifier: Apache-2.0 OR MIT

// Answers the lines of tests/wycheproof/run.py, which has them.
package main

import (
	"bufio"
	"encoding/hex"
	"fmt"
	"log"
	"os"
	"strings"

	codekem "github.com/codekem/codekem/bindings/go"
)

func bytesOf(text string) []byte {
	data, err := hex.DecodeString(strings.Trim(text, "-"))
	if err != nil {
		log.Fatal(err)
	}
	return data
}

func answer(words []string) (string, error) {
	k, err := codekem.ByName(words[1])
	if err != nil {
		log.Fatal(err)
	}
	first := bytesOf(words[2])
	switch words[0] {
	case "keygen":
		dk, err := k.NewDecapsulationKey(first)
		if err != nil {
			return "", err
		}
		return fmt.Sprintf("%x %x", dk.EncapsulationKey().Bytes(), dk.SecretKey()), nil
	case "encaps":
		ek, err := k.NewEncapsulationKey(first)
		if err != nil {
			return "", err
		}
		shared, ciphertext, err := ek.EncapsulateDerand(bytesOf(words[3]))
		return fmt.Sprintf("%x %x", ciphertext, shared), err
	default:
		dk, err := k.NewDecapsulationKeyFromSecretKey(first)
		if err != nil {
			return "", err
		}
		shared, err := dk.Decapsulate(bytesOf(words[3]))
		return fmt.Sprintf("%x", shared), err
	}
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		said, err := answer(strings.Fields(lines.Text()))
		if err != nil {
			said = "refused " + err.Error()
		}
		fmt.Println(said)
	}
}
