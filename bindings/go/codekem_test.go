// SPDX-License-Identifier: Apache-2.0 OR MIT

package codekem_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"

	codekem "github.com/codekem/codekem/bindings/go"
)

type change struct {
	Of  *int     `json:"of"`
	Xor [][3]int `json:"xor"`
}

type answers struct {
	Version string `json:"version"`
	KEMs    map[string]struct {
		PublicKeyBytes    int `json:"public_key_bytes"`
		SecretKeyBytes    int `json:"secret_key_bytes"`
		CiphertextBytes   int `json:"ciphertext_bytes"`
		SharedSecretBytes int `json:"shared_secret_bytes"`
		Records           []struct {
			KeypairSeed  string `json:"keypair_seed"`
			EncapsSeed   string `json:"encaps_seed"`
			PublicKey    string `json:"public_key_sha256"`
			SecretKey    string `json:"secret_key_sha256"`
			Ciphertext   string `json:"ciphertext_sha256"`
			SharedSecret string `json:"shared_secret"`
		} `json:"records"`
		Rejections []struct {
			What         string `json:"what"`
			Ciphertext   change `json:"ciphertext"`
			SecretKey    change `json:"secret_key"`
			SharedSecret string `json:"shared_secret"`
		} `json:"rejections"`
	} `json:"kems"`
}

var known = sync.OnceValue(func() answers {
	var found answers
	text, err := os.ReadFile("testdata/answers.json")
	if err == nil {
		err = json.Unmarshal(text, &found)
	}
	if err != nil {
		panic(err)
	}
	return found
})

func unhex(t *testing.T, text string) []byte {
	t.Helper()
	data, err := hex.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

func (c change) apply(bases [][]byte, length int) []byte {
	out := make([]byte, length)
	if c.Of != nil {
		copy(out, bases[*c.Of])
	}
	for _, run := range c.Xor {
		for i := run[0]; i < run[0]+run[1]; i++ {
			out[i] ^= byte(run[2])
		}
	}
	return out
}

// each runs a test for each KEM, beside the others.
func each(t *testing.T, test func(t *testing.T, k *codekem.KEM)) {
	for _, k := range codekem.KEMs() {
		t.Run(k.String(), func(t *testing.T) {
			t.Parallel()
			test(t, k)
		})
	}
}

func generate(t *testing.T, k *codekem.KEM) *codekem.DecapsulationKey {
	t.Helper()
	dk, err := k.GenerateKey()
	if err != nil {
		t.Fatal(err)
	}
	return dk
}

func TestKnownAnswers(t *testing.T) {
	if len(known().KEMs) != 6 {
		t.Fatalf("known answers of %d KEMs", len(known().KEMs))
	}
	if codekem.Version() != known().Version {
		t.Errorf("version %s, of the known answers %s", codekem.Version(), known().Version)
	}
	t.Logf("back end %s", codekem.Backend())
	each(t, func(t *testing.T, k *codekem.KEM) {
		kem := known().KEMs[k.String()]
		var secretKeys, ciphertexts [][]byte
		for _, record := range kem.Records {
			dk, err := k.NewDecapsulationKey(unhex(t, record.KeypairSeed))
			if err != nil {
				t.Fatal(err)
			}
			ek, err := k.NewEncapsulationKey(dk.EncapsulationKey().Bytes())
			if err != nil {
				t.Fatal(err)
			}
			shared, ciphertext, err := ek.EncapsulateDerand(unhex(t, record.EncapsSeed))
			if err != nil {
				t.Fatal(err)
			}
			recovered, err := dk.Decapsulate(ciphertext)
			if err != nil {
				t.Fatal(err)
			}
			for what, pair := range map[string][2]string{
				"public key": {digest(ek.Bytes()), record.PublicKey},
				"secret key": {digest(dk.SecretKey()), record.SecretKey},
				"ciphertext": {digest(ciphertext), record.Ciphertext},
				"shared":     {hex.EncodeToString(shared), record.SharedSecret},
				"recovered":  {hex.EncodeToString(recovered), record.SharedSecret},
				"seed":       {hex.EncodeToString(dk.Bytes()), record.KeypairSeed},
			} {
				if pair[0] != pair[1] {
					t.Errorf("%s is %s, not %s", what, pair[0], pair[1])
				}
			}
			secretKeys = append(secretKeys, dk.SecretKey())
			ciphertexts = append(ciphertexts, ciphertext)
		}
		if len(kem.Records) != 5 || len(kem.Rejections) < 12 {
			t.Errorf("%d records, %d rejections", len(kem.Records), len(kem.Rejections))
		}
		for _, c := range kem.Rejections {
			secretKey := c.SecretKey.apply(secretKeys, k.SecretKeySize())
			dk, err := k.NewDecapsulationKeyFromSecretKey(secretKey)
			if err != nil {
				// The secret key itself is altered; what is honest must pass.
				if len(c.SecretKey.Xor) == 0 {
					t.Errorf("%s: %v", c.What, err)
				}
				continue
			}
			shared, err := dk.Decapsulate(c.Ciphertext.apply(ciphertexts, k.CiphertextSize()))
			if err != nil {
				t.Fatal(err)
			}
			if hex.EncodeToString(shared) != c.SharedSecret {
				t.Errorf("%s: another shared key", c.What)
			}
		}
	})
}

func TestSizes(t *testing.T) {
	each(t, func(t *testing.T, k *codekem.KEM) {
		dk := generate(t, k)
		shared, ciphertext := dk.EncapsulationKey().Encapsulate()
		kem := known().KEMs[k.String()]
		got := [4]int{k.EncapsulationKeySize(), k.SecretKeySize(), k.CiphertextSize(),
			codekem.SharedKeySize}
		want := [4]int{kem.PublicKeyBytes, kem.SecretKeyBytes, kem.CiphertextBytes,
			kem.SharedSecretBytes}
		made := [4]int{len(dk.EncapsulationKey().Bytes()), len(dk.SecretKey()), len(ciphertext),
			len(shared)}
		if got != want || made != want {
			t.Errorf("sizes %v, made %v, expected %v", got, made, want)
		}
		if k.Revision() == "" || dk.KEM() != k || dk.EncapsulationKey().KEM() != k {
			t.Error("a key without its KEM")
		}
	})
}

func TestExchange(t *testing.T) {
	each(t, func(t *testing.T, k *codekem.KEM) {
		dk := generate(t, k)
		again, err := k.NewDecapsulationKey(dk.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		bare, err := k.NewDecapsulationKeyFromSecretKey(dk.SecretKey())
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(k.String(), "HQC") != bytes.Equal(bare.Bytes(), dk.Bytes()) ||
			strings.HasPrefix(k.String(), "BIKE") != (bare.Bytes() == nil) {
			t.Error("another seed than in the secret key, or a seed out of nothing")
		}
		shared, ciphertext := dk.EncapsulationKey().Encapsulate()
		for _, key := range []*codekem.DecapsulationKey{dk, again, bare} {
			if !key.Equal(dk) || !key.EncapsulationKey().Equal(dk.EncapsulationKey()) {
				t.Error("the same key differs")
			}
			recovered, err := key.Decapsulate(ciphertext)
			if err != nil || !bytes.Equal(recovered, shared) {
				t.Errorf("another shared key (%v)", err)
			}
		}
		other := generate(t, k)
		if other.Equal(dk) || other.EncapsulationKey().Equal(dk.EncapsulationKey()) ||
			dk.Equal("a key") || dk.EncapsulationKey().Equal(nil) {
			t.Error("two keys are one")
		}
		if second, _ := dk.EncapsulationKey().Encapsulate(); bytes.Equal(second, shared) {
			t.Error("the same shared key twice")
		}
		wrong, err := other.Decapsulate(ciphertext)
		if err != nil || bytes.Equal(wrong, shared) {
			t.Errorf("a strange key recovers the shared key (%v)", err)
		}
	})
}

func TestWrongLengths(t *testing.T) {
	each(t, func(t *testing.T, k *codekem.KEM) {
		dk := generate(t, k)
		calls := map[string]struct {
			length int
			call   func(data []byte) error
		}{
			"a seed": {k.SeedSize(), func(data []byte) error {
				_, err := k.NewDecapsulationKey(data)
				return err
			}},
			"a secret key": {k.SecretKeySize(), func(data []byte) error {
				_, err := k.NewDecapsulationKeyFromSecretKey(data)
				return err
			}},
			"an encapsulation key": {k.EncapsulationKeySize(), func(data []byte) error {
				_, err := k.NewEncapsulationKey(data)
				return err
			}},
			"a ciphertext": {k.CiphertextSize(), func(data []byte) error {
				_, err := dk.Decapsulate(data)
				return err
			}},
		}
		for what, c := range calls {
			for _, length := range []int{0, 1, c.length - 1, c.length + 1} {
				want := fmt.Sprintf("codekem: %s of %s has %d bytes, not %d", what, k, c.length,
					length)
				if err := c.call(make([]byte, length)); err == nil || err.Error() != want {
					t.Errorf("%s of %d bytes: %v", what, length, err)
				}
			}
			if err := c.call(nil); err == nil {
				t.Errorf("no %s is taken", what)
			}
		}
		if _, _, err := dk.EncapsulationKey().EncapsulateDerand(make([]byte, 31)); err == nil {
			t.Error("a short seed is taken")
		}
	})
}

func TestMalformedKeys(t *testing.T) {
	each(t, func(t *testing.T, k *codekem.KEM) {
		dk := generate(t, k)
		secretKey := dk.SecretKey()
		secretKey[len(secretKey)/2] ^= 1
		_, err := k.NewDecapsulationKeyFromSecretKey(secretKey)
		if err == nil || err.Error() != "codekem: the secret key is malformed" {
			t.Errorf("an altered secret key: %v", err)
		}
		_, err = k.NewEncapsulationKey(make([]byte, k.EncapsulationKeySize()))
		if err == nil || err.Error() != "codekem: the public key is malformed" {
			t.Errorf("zeros as a public key: %v", err)
		}
	})
}

func TestNames(t *testing.T) {
	for _, k := range codekem.KEMs() {
		if found, err := codekem.ByName(k.String()); err != nil || found != k {
			t.Errorf("%s: %v", k, err)
		}
	}
	if _, err := codekem.ByName("HQC-2"); err == nil {
		t.Error("there is an HQC-2")
	}
}

func TestEveryCiphertextOfTheRightLengthIsTaken(t *testing.T) {
	each(t, func(t *testing.T, k *codekem.KEM) {
		dk := generate(t, k)
		found := map[string]bool{}
		for _, value := range []byte{0, 1, 0x80, 0xff} {
			shared, err := dk.Decapsulate(bytes.Repeat([]byte{value}, k.CiphertextSize()))
			if err != nil {
				t.Errorf("%x: %v", value, err)
			}
			found[string(shared)] = true
		}
		if len(found) != 4 {
			t.Error("two ciphertexts give one shared key")
		}
	})
}

// Many goroutines share one key and make others; the garbage collector runs among them.
func TestGoroutines(t *testing.T) {
	each(t, func(t *testing.T, k *codekem.KEM) {
		dk := generate(t, k)
		var done sync.WaitGroup
		for range 6 {
			done.Go(func() {
				for range 2 {
					shared, ciphertext := dk.EncapsulationKey().Encapsulate()
					recovered, err := dk.Decapsulate(ciphertext)
					if err != nil || !bytes.Equal(shared, recovered) {
						t.Errorf("another shared key (%v)", err)
					}
					if _, err := k.GenerateKey(); err != nil {
						t.Error(err)
					}
					runtime.GC()
				}
			})
		}
		done.Wait()
	})
}

func BenchmarkKEM(b *testing.B) {
	for _, k := range codekem.KEMs() {
		dk, err := k.GenerateKey()
		if err != nil {
			b.Fatal(err)
		}
		_, ciphertext := dk.EncapsulationKey().Encapsulate()
		b.Run(k.String()+"/keygen", func(b *testing.B) {
			for b.Loop() {
				_, _ = k.GenerateKey()
			}
		})
		b.Run(k.String()+"/encaps", func(b *testing.B) {
			for b.Loop() {
				dk.EncapsulationKey().Encapsulate()
			}
		})
		b.Run(k.String()+"/decaps", func(b *testing.B) {
			for b.Loop() {
				_, _ = dk.Decapsulate(ciphertext)
			}
		})
	}
}
