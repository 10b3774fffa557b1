// SPDX-License-Identifier: Apache-2.0 OR MIT

package codekem

import (
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"sync"
)

// SharedKeySize is the length of a shared key of every KEM, in bytes.
const SharedKeySize = 32

// A KEM is one parameter set of BIKE or HQC: the value that [HQC1], say, returns. It may be used by
// several goroutines at once.
type KEM struct {
	name   string
	nameOf string // of the standard's revision
	sizes  [6]int // public key, secret key, ciphertext, shared key, seeds of key and encapsulation
	engine func() (*engineKEM, error)
}

func newKEM(name, revision string, publicKey, secretKey, ciphertext, seed, encapsSeed int) *KEM {
	return &KEM{
		name:   name,
		nameOf: revision,
		sizes:  [6]int{publicKey, secretKey, ciphertext, SharedKeySize, seed, encapsSeed},
		engine: sync.OnceValues(func() (*engineKEM, error) { return findKEM(name) }),
	}
}

// kems: made by parameters/generate.py
var (
	bikeL1 = newKEM("BIKE-L1", "5.1", 1541, 5223, 1573, 64, 32)
	bikeL3 = newKEM("BIKE-L3", "5.1", 3083, 10105, 3115, 64, 32)
	bikeL5 = newKEM("BIKE-L5", "5.1", 5122, 16494, 5154, 64, 32)
	hqc1   = newKEM("HQC-1", "2025-08-22", 2241, 2321, 4433, 32, 32)
	hqc3   = newKEM("HQC-3", "2025-08-22", 4514, 4602, 8978, 32, 40)
	hqc5   = newKEM("HQC-5", "2025-08-22", 7237, 7333, 14421, 32, 48)
	all    = []*KEM{bikeL1, bikeL3, bikeL5, hqc1, hqc3, hqc5}
)

// BIKEL1 returns BIKE at level 1 of NIST's scale; each key is for one exchange.
func BIKEL1() *KEM { return bikeL1 }

// BIKEL3 returns BIKE at level 3; each key is for one exchange.
func BIKEL3() *KEM { return bikeL3 }

// BIKEL5 returns BIKE at level 5; each key is for one exchange.
func BIKEL5() *KEM { return bikeL5 }

// HQC1 returns HQC at level 1 of NIST's scale.
func HQC1() *KEM { return hqc1 }

// HQC3 returns HQC at level 3.
func HQC3() *KEM { return hqc3 }

// HQC5 returns HQC at level 5.
func HQC5() *KEM { return hqc5 }

// kems: end

// KEMs returns all of them.
func KEMs() []*KEM {
	return append([]*KEM(nil), all...)
}

// ByName returns the KEM with a name such as "HQC-1" or "BIKE-L5", and an error if there is none.
func ByName(name string) (*KEM, error) {
	for _, k := range all {
		if k.name == name {
			return k, nil
		}
	}
	return nil, fmt.Errorf("codekem: there is no KEM %q", name)
}

// String returns the name of the KEM.
func (k *KEM) String() string { return k.name }

// Revision returns the revision of the specification that the KEM follows.
func (k *KEM) Revision() string { return k.nameOf }

// EncapsulationKeySize returns the length of an encapsulation key, in bytes.
func (k *KEM) EncapsulationKeySize() int { return k.sizes[0] }

// SecretKeySize returns the length of [DecapsulationKey.SecretKey], in bytes.
func (k *KEM) SecretKeySize() int { return k.sizes[1] }

// CiphertextSize returns the length of a ciphertext, in bytes.
func (k *KEM) CiphertextSize() int { return k.sizes[2] }

// SeedSize returns the length of the seed of a decapsulation key, in bytes.
func (k *KEM) SeedSize() int { return k.sizes[4] }

// EncapsulationSeedSize returns the length of the seed of [EncapsulationKey.EncapsulateDerand].
func (k *KEM) EncapsulationSeedSize() int { return k.sizes[5] }

// GenerateKey makes a new decapsulation key with randomness from crypto/rand. The only errors are
// those of a library that cannot run at all: the environment variable CODEKEM_CPU names a back end
// that is not there.
func (k *KEM) GenerateKey() (*DecapsulationKey, error) {
	seed := make([]byte, k.SeedSize())
	defer clear(seed)
	rand.Read(seed) // it never fails
	return k.NewDecapsulationKey(seed)
}

// seedAtEnd tells whether the last bytes of a secret key are the seed that makes all of it.
func (k *KEM) seedAtEnd() bool { return strings.HasPrefix(k.name, "HQC") }

// check returns an error if something, with its article, does not have its length.
func (k *KEM) check(what string, got, want int) error {
	if got != want {
		return fmt.Errorf("codekem: %s of %s has %d bytes, not %d", what, k.name, want, got)
	}
	return nil
}

// load returns the KEM of the library.
func (k *KEM) load() (*engineKEM, error) {
	if k.engine == nil {
		return nil, errors.New("codekem: this is the zero value of a KEM; ByName and HQC1, say, " +
			"return KEMs")
	}
	return k.engine()
}

// Backend returns the name of the code for this processor that the library has chosen, such as
// "avx512" or "portable", and "wasm" in a build without cgo. It returns "" if the environment
// variable CODEKEM_CPU names one that cannot run here.
func Backend() string { return engineBackend() }

// Version returns the version of the library.
func Version() string { return engineVersion() }
