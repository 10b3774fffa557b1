// SPDX-License-Identifier: Apache-2.0 OR MIT

// Answers for bindings/tests/test_hybrid.py, whose head says what: the vectors by the package.
package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"log"
	"os"

	codekem "github.com/codekem/codekem/bindings/go"
)

type change struct {
	At    int     `json:"at"`
	Xor   *byte   `json:"xor"`
	Bytes *string `json:"bytes"`
}

type vector struct {
	KEM        string   `json:"kem"`
	Group      string   `json:"group"`
	Seed       string   `json:"seed"`
	EncapsSeed string   `json:"encaps_seed"`
	Altered    []change `json:"altered"`
	Keys       []change `json:"keys"`
}

type answer struct {
	Label      string    `json:"label"`
	PublicKey  string    `json:"public_key_sha256"`
	Ciphertext string    `json:"ciphertext_sha256"`
	Secret     string    `json:"shared_secret"`
	Altered    []*string `json:"altered"`
	Keys       []*string `json:"keys"`
}

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func (c change) of(data []byte) []byte {
	data = bytes.Clone(data)
	at := (c.At + len(data)) % len(data)
	if c.Xor != nil {
		data[at] ^= *c.Xor
	} else {
		copy(data[at:], must(hex.DecodeString(*c.Bytes)))
	}
	return data
}

func outcome(secret []byte, err error) *string {
	if err != nil {
		return nil
	}
	text := hex.EncodeToString(secret)
	return &text
}

func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

func answerTo(v vector) answer {
	kem := must(codekem.ByName(v.KEM))
	hybrid := map[string]*codekem.Hybrid{"X25519": kem.WithX25519(), "P256": kem.WithP256()}[v.Group]
	seed := must(hex.DecodeString(v.EncapsSeed))
	dk := must(hybrid.NewDecapsulationKey(must(hex.DecodeString(v.Seed))))
	key := dk.EncapsulationKey().Bytes()
	encapsulate := func(key []byte) ([]byte, []byte, error) {
		ek, err := hybrid.NewEncapsulationKey(key)
		if err != nil {
			return nil, nil, err
		}
		return ek.EncapsulateDerand(seed)
	}
	secret, ciphertext, err := encapsulate(key)
	if err != nil || !bytes.Equal(must(dk.Decapsulate(ciphertext)), secret) {
		log.Fatal("no exchange ", err)
	}
	a := answer{hybrid.Label(), digest(key), digest(ciphertext), hex.EncodeToString(secret), nil, nil}
	for _, how := range v.Altered {
		a.Altered = append(a.Altered, outcome(dk.Decapsulate(how.of(ciphertext))))
	}
	for _, how := range v.Keys {
		secret, _, err := encapsulate(how.of(key))
		a.Keys = append(a.Keys, outcome(secret, err))
	}
	return a
}

func main() {
	var file struct {
		Vectors []vector `json:"vectors"`
	}
	if err := json.Unmarshal(must(os.ReadFile(os.Args[1])), &file); err != nil {
		log.Fatal(err)
	}
	var answers []answer
	for _, v := range file.Vectors {
		answers = append(answers, answerTo(v))
	}
	must(os.Stdout.Write(must(json.Marshal(answers))))
}
