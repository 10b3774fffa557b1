// SPDX-License-Identifier: Apache-2.0 OR MIT

package codekem

import (
	"bytes"
	"crypto"
	"crypto/rand"
	"crypto/subtle"
	"fmt"
	"runtime"
)

// A DecapsulationKey is the secret key that recovers a shared key from a ciphertext. It may be used
// by several goroutines at once. Its memory is cleared when the garbage collector drops it; nobody
// promises when, and at the end of the program it is not.
type DecapsulationKey struct {
	kem    *KEM
	engine *engineKEM
	secret []byte // as the specification encodes it; cleared by cleanup
	seed   []byte // nil without; cleared by cleanup
	public *EncapsulationKey
}

// An EncapsulationKey is the public key to which shared keys are encapsulated. It may be used by
// several goroutines at once.
type EncapsulationKey struct {
	kem    *KEM
	engine *engineKEM
	bytes  []byte
}

// newDecapsulationKey returns a key with its memory, to be filled, which is cleared at its end.
func (k *KEM) newDecapsulationKey(seed int) (*DecapsulationKey, error) {
	engine, err := k.engine()
	if err != nil {
		return nil, err
	}
	memory := make([]byte, k.SecretKeySize()+seed)
	dk := &DecapsulationKey{
		kem:    k,
		engine: engine,
		secret: memory[:k.SecretKeySize():k.SecretKeySize()],
		public: &EncapsulationKey{kem: k, engine: engine,
			bytes: make([]byte, k.EncapsulationKeySize())},
	}
	if seed > 0 {
		dk.seed = memory[k.SecretKeySize():]
	}
	runtime.AddCleanup(dk, func(memory []byte) { clear(memory) }, memory)
	return dk, nil
}

// NewDecapsulationKey makes the decapsulation key that belongs to a seed of k.SeedSize() bytes,
// which must be uniformly random. The same seed gives the same key.
func (k *KEM) NewDecapsulationKey(seed []byte) (*DecapsulationKey, error) {
	if err := k.check("seed", len(seed), k.SeedSize()); err != nil {
		return nil, err
	}
	dk, err := k.newDecapsulationKey(len(seed))
	if err != nil {
		return nil, err
	}
	copy(dk.seed, seed)
	if err := dk.engine.Keypair(dk.public.bytes, dk.secret, dk.seed); err != nil {
		return nil, err
	}
	return dk, nil
}

// NewDecapsulationKeyFromSecretKey takes a secret key as the specification encodes it, of
// k.SecretKeySize() bytes, and returns an error if its parts do not belong together.
func (k *KEM) NewDecapsulationKeyFromSecretKey(secretKey []byte) (*DecapsulationKey, error) {
	if err := k.check("secret key", len(secretKey), k.SecretKeySize()); err != nil {
		return nil, err
	}
	dk, err := k.newDecapsulationKey(0)
	if err != nil {
		return nil, err
	}
	copy(dk.secret, secretKey)
	if err := dk.engine.CheckSecretKey(dk.secret); err != nil {
		return nil, err
	}
	if err := dk.engine.DerivePublicKey(dk.public.bytes, dk.secret); err != nil {
		return nil, err
	}
	return dk, nil
}

// NewEncapsulationKey takes the bytes of an encapsulation key, k.EncapsulationKeySize() of them,
// and returns an error if no honest party can have made it, as far as that can be seen.
func (k *KEM) NewEncapsulationKey(encapsulationKey []byte) (*EncapsulationKey, error) {
	if err := k.check("encapsulation key", len(encapsulationKey),
		k.EncapsulationKeySize()); err != nil {
		return nil, err
	}
	engine, err := k.engine()
	if err != nil {
		return nil, err
	}
	ek := &EncapsulationKey{kem: k, engine: engine, bytes: bytes.Clone(encapsulationKey)}
	if err := engine.CheckPublicKey(ek.bytes); err != nil {
		return nil, err
	}
	return ek, nil
}

// KEM returns the parameter set of the key.
func (dk *DecapsulationKey) KEM() *KEM { return dk.kem }

// Bytes returns the seed from which [KEM.NewDecapsulationKey] makes the key again. It is nil for a
// key from [KEM.NewDecapsulationKeyFromSecretKey], which has none.
func (dk *DecapsulationKey) Bytes() []byte {
	defer runtime.KeepAlive(dk)
	return bytes.Clone(dk.seed)
}

// SecretKey returns the key as the specification encodes it: what other implementations and the
// command codekem (--format raw) read.
func (dk *DecapsulationKey) SecretKey() []byte {
	defer runtime.KeepAlive(dk)
	return bytes.Clone(dk.secret)
}

// EncapsulationKey returns the public key that belongs to the key.
func (dk *DecapsulationKey) EncapsulationKey() *EncapsulationKey { return dk.public }

// Decapsulate returns the shared key that a ciphertext holds. The only error is a wrong length: a
// ciphertext that was not made for this key gives a shared key that nobody else has.
func (dk *DecapsulationKey) Decapsulate(ciphertext []byte) (sharedKey []byte, err error) {
	if err := dk.kem.check("ciphertext", len(ciphertext), dk.kem.CiphertextSize()); err != nil {
		return nil, err
	}
	sharedKey = make([]byte, SharedKeySize)
	err = dk.engine.Decaps(sharedKey, ciphertext, dk.secret)
	runtime.KeepAlive(dk) // or else its memory may be cleared during the call
	if err != nil {
		return nil, err
	}
	return sharedKey, nil
}

// Equal tells whether x is the same key, in constant time.
func (dk *DecapsulationKey) Equal(x crypto.PrivateKey) bool {
	other, ok := x.(*DecapsulationKey)
	defer runtime.KeepAlive(other)
	defer runtime.KeepAlive(dk)
	return ok && dk.kem == other.kem && subtle.ConstantTimeCompare(dk.secret, other.secret) == 1
}

// Format writes what the key is, for every verb of fmt, and nothing of what is secret in it.
func (dk *DecapsulationKey) Format(state fmt.State, _ rune) {
	fmt.Fprintf(state, "decapsulation key of %s", dk.kem.name)
}

// KEM returns the parameter set of the key.
func (ek *EncapsulationKey) KEM() *KEM { return ek.kem }

// Bytes returns the key as the specification encodes it.
func (ek *EncapsulationKey) Bytes() []byte { return bytes.Clone(ek.bytes) }

// Encapsulate makes a shared key with randomness from crypto/rand, and the ciphertext from which
// the owner of the decapsulation key recovers it. The ciphertext is to be sent, the shared key to
// be kept.
func (ek *EncapsulationKey) Encapsulate() (sharedKey, ciphertext []byte) {
	seed := make([]byte, ek.kem.EncapsulationSeedSize())
	defer clear(seed)
	rand.Read(seed) // it never fails
	sharedKey, ciphertext, err := ek.EncapsulateDerand(seed)
	if err != nil {
		// With a key that was made or checked, only memory that is used up gets here.
		panic(err)
	}
	return sharedKey, ciphertext
}

// EncapsulateDerand is Encapsulate with a seed of ek.KEM().EncapsulationSeedSize() bytes in the
// place of randomness. It is for tests, and for protocols that say how the seed is made: with a
// seed that is used twice, or that made a key, secrets come out.
func (ek *EncapsulationKey) EncapsulateDerand(seed []byte) (sharedKey, ciphertext []byte,
	err error) {
	if err := ek.kem.check("seed", len(seed), ek.kem.EncapsulationSeedSize()); err != nil {
		return nil, nil, err
	}
	sharedKey = make([]byte, SharedKeySize)
	ciphertext = make([]byte, ek.kem.CiphertextSize())
	if err := ek.engine.Encaps(ciphertext, sharedKey, ek.bytes, seed); err != nil {
		return nil, nil, err
	}
	return sharedKey, ciphertext, nil
}

// Equal tells whether x is the same key.
func (ek *EncapsulationKey) Equal(x crypto.PublicKey) bool {
	other, ok := x.(*EncapsulationKey)
	return ok && ek.kem == other.kem && bytes.Equal(ek.bytes, other.bytes)
}
