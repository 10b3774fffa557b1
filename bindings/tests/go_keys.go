// SPDX-License-Identifier: Apache-2.0 OR MIT

// Reads and writes keys for bindings/tests/key_exchange.py, whose head has the lines of standard
// input and output.
package main

import (
	"bufio"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"strings"

	codekem "github.com/codekem/codekem/bindings/go"
)

var forms = map[string]codekem.PrivateKeyForm{
	"default":  codekem.SeedIfKnown,
	"seed":     codekem.SeedOnly,
	"both":     codekem.SeedAndSecretKey,
	"expanded": codekem.SecretKeyOnly,
}

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func write(name, seed, form string) string {
	dk := must(must(codekem.ByName(name)).NewDecapsulationKey(must(hex.DecodeString(seed))))
	private := must(codekem.MarshalPKCS8PrivateKeyForm(dk, forms[form]))
	public := must(codekem.MarshalPKIXPublicKey(dk.EncapsulationKey()))
	return fmt.Sprintf("%x %x",
		pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private}),
		pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: public}))
}

func read(kind, text string) (string, error) {
	block, _ := pem.Decode(must(hex.DecodeString(text)))
	if block == nil || block.Type != strings.ToUpper(kind)+" KEY" || len(block.Headers) != 0 {
		return "", errors.New("this is not in PEM")
	}
	if kind == "public" {
		ek, err := codekem.ParsePKIXPublicKey(block.Bytes)
		if err != nil {
			return "", err
		}
		return fmt.Sprintf("ok %s %x", ek.KEM(), ek.Bytes()), nil
	}
	dk, err := codekem.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return "", err
	}
	seed := hex.EncodeToString(dk.Bytes())
	if seed == "" {
		seed = "-"
	}
	return fmt.Sprintf("ok %s %x %x %s", dk.KEM(), dk.EncapsulationKey().Bytes(), dk.SecretKey(),
		seed), nil
}

func main() {
	in := bufio.NewReader(os.Stdin)
	for {
		line, err := in.ReadString('\n')
		if err == io.EOF {
			return
		}
		words := strings.Fields(line)
		if words[0] == "write" {
			fmt.Println(write(words[1], words[2], words[3]))
		} else if said, err := read(words[1], words[3]); err != nil {
			fmt.Println("error", err)
		} else {
			fmt.Println(said)
		}
	}
}
