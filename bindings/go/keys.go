// SPDX-License-Identifier: Apache-2.0 OR MIT

package codekem

import (
	"bytes"
	"crypto"
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"runtime"
)

// A DecapsulationKey is the secret key that recovers a shared key from a ciphertext. It may be used
// by several goroutines at once. Its memory is cleared when the garbage collector drops it; nobody
// promises when, and at the end of the program it is not. The zero value holds no key: its methods
// return errors and empty values.
type DecapsulationKey struct {
	// Copies share what this returns, so it is cleared after the last of them. And it is a function
	// because fmt, which sees into structs and behind pointers, sees nothing in one.
	key func() *secretKey
}

type secretKey struct {
	kem    *KEM
	engine *engineKEM
	secret []byte // as the specification encodes it; cleared by cleanup
	seed   []byte // nil without; cleared by cleanup
	public *EncapsulationKey
}

// An EncapsulationKey is the public key to which shared keys are encapsulated. It may be used by
// several goroutines at once. The zero value holds no key.
type EncapsulationKey struct {
	kem    *KEM
	engine *engineKEM
	bytes  []byte
}

var errNoKey = errors.New("codekem: this is the zero value of a key, and holds none")

// newSecretKey returns a key with its memory, to be filled, which is cleared at its end.
func (k *KEM) newSecretKey(seed int) (*secretKey, error) {
	engine, err := k.load()
	if err != nil {
		return nil, err
	}
	memory := make([]byte, k.SecretKeySize()+seed)
	key := &secretKey{
		kem:    k,
		engine: engine,
		secret: memory[:k.SecretKeySize():k.SecretKeySize()],
		public: &EncapsulationKey{kem: k, engine: engine,
			bytes: make([]byte, k.EncapsulationKeySize())},
	}
	if seed > 0 {
		key.seed = memory[k.SecretKeySize():]
	}
	runtime.AddCleanup(key, func(memory []byte) { clear(memory) }, memory)
	return key, nil
}

func (key *secretKey) wrapped() *DecapsulationKey {
	return &DecapsulationKey{func() *secretKey { return key }}
}

// NewDecapsulationKey makes the decapsulation key that belongs to a seed of k.SeedSize() bytes,
// which must be uniformly random. The same seed gives the same key.
func (k *KEM) NewDecapsulationKey(seed []byte) (*DecapsulationKey, error) {
	if err := k.check("a seed", len(seed), k.SeedSize()); err != nil {
		return nil, err
	}
	key, err := k.newSecretKey(len(seed))
	if err != nil {
		return nil, err
	}
	defer runtime.KeepAlive(key) // or else its memory may be cleared during a call, here and below
	copy(key.seed, seed)
	if err := key.engine.Keypair(key.public.bytes, key.secret, key.seed); err != nil {
		return nil, err
	}
	return key.wrapped(), nil
}

// NewDecapsulationKeyFromSecretKey takes a secret key as the specification encodes it, of
// k.SecretKeySize() bytes, and returns an error if its parts do not belong together.
func (k *KEM) NewDecapsulationKeyFromSecretKey(secretKey []byte) (*DecapsulationKey, error) {
	if err := k.check("a secret key", len(secretKey), k.SecretKeySize()); err != nil {
		return nil, err
	}
	seed := []byte(nil)
	if k.seedAtEnd() {
		seed = secretKey[len(secretKey)-k.SeedSize():]
	}
	key, err := k.newSecretKey(len(seed))
	if err != nil {
		return nil, err
	}
	defer runtime.KeepAlive(key)
	copy(key.secret, secretKey)
	copy(key.seed, seed)
	if err := key.engine.CheckSecretKey(key.secret); err != nil {
		return nil, err
	}
	if err := key.engine.DerivePublicKey(key.public.bytes, key.secret); err != nil {
		return nil, err
	}
	return key.wrapped(), nil
}

// NewEncapsulationKey takes the bytes of an encapsulation key, k.EncapsulationKeySize() of them,
// and returns an error if no honest party can have made it, as far as that can be seen.
func (k *KEM) NewEncapsulationKey(encapsulationKey []byte) (*EncapsulationKey, error) {
	if err := k.check("an encapsulation key", len(encapsulationKey),
		k.EncapsulationKeySize()); err != nil {
		return nil, err
	}
	engine, err := k.load()
	if err != nil {
		return nil, err
	}
	ek := &EncapsulationKey{kem: k, engine: engine, bytes: bytes.Clone(encapsulationKey)}
	if err := engine.CheckPublicKey(ek.bytes); err != nil {
		return nil, err
	}
	return ek, nil
}

// held returns what a key holds; nil if dk is nil or a zero value.
func (dk *DecapsulationKey) held() *secretKey {
	if dk == nil || dk.key == nil {
		return nil
	}
	return dk.key()
}

// KEM returns the parameter set of the key.
func (dk *DecapsulationKey) KEM() *KEM {
	if key := dk.held(); key != nil {
		return key.kem
	}
	return nil
}

// Bytes returns the seed from which [KEM.NewDecapsulationKey] makes the key again. HQC's secret
// keys hold it; BIKE's do not, so after [KEM.NewDecapsulationKeyFromSecretKey] it is nil.
func (dk *DecapsulationKey) Bytes() []byte {
	key := dk.held()
	defer runtime.KeepAlive(key)
	if key == nil {
		return nil
	}
	return bytes.Clone(key.seed)
}

// SecretKey returns the key as the specification encodes it: what other implementations and the
// command codekem (--format raw) read.
func (dk *DecapsulationKey) SecretKey() []byte {
	key := dk.held()
	defer runtime.KeepAlive(key)
	if key == nil {
		return nil
	}
	return bytes.Clone(key.secret)
}

// EncapsulationKey returns the public key that belongs to the key.
func (dk *DecapsulationKey) EncapsulationKey() *EncapsulationKey {
	if key := dk.held(); key != nil {
		return key.public
	}
	return nil
}

// Decapsulate returns the shared key that a ciphertext holds. Every string of the right length is
// taken: a ciphertext that was not made for this key gives a shared key that nobody else has.
// The errors are a wrong length, and a key that is a zero value.
func (dk *DecapsulationKey) Decapsulate(ciphertext []byte) (sharedKey []byte, err error) {
	key := dk.held()
	defer runtime.KeepAlive(key)
	if key == nil {
		return nil, errNoKey
	}
	if err := key.kem.check("a ciphertext", len(ciphertext), key.kem.CiphertextSize()); err != nil {
		return nil, err
	}
	sharedKey = make([]byte, SharedKeySize)
	if err := key.engine.Decaps(sharedKey, ciphertext, key.secret); err != nil {
		return nil, err
	}
	return sharedKey, nil
}

// Equal tells whether x is the same key, in constant time. A key that is nil or a zero value equals
// none.
func (dk *DecapsulationKey) Equal(x crypto.PrivateKey) bool {
	var one, other = dk.held(), (*secretKey)(nil)
	switch x := x.(type) {
	case *DecapsulationKey:
		other = x.held()
	case DecapsulationKey:
		other = x.held()
	}
	defer runtime.KeepAlive(other)
	defer runtime.KeepAlive(one)
	return one != nil && other != nil && one.kem == other.kem &&
		subtle.ConstantTimeCompare(one.secret, other.secret) == 1
}

// KEM returns the parameter set of the key.
func (ek *EncapsulationKey) KEM() *KEM {
	if ek == nil {
		return nil
	}
	return ek.kem
}

// Bytes returns the key as the specification encodes it.
func (ek *EncapsulationKey) Bytes() []byte {
	if ek == nil {
		return nil
	}
	return bytes.Clone(ek.bytes)
}

// Encapsulate makes a shared key with randomness from crypto/rand, and the ciphertext from which
// the owner of the decapsulation key recovers it. The ciphertext is to be sent, the shared key to
// be kept. It panics if the key is nil or a zero value.
func (ek *EncapsulationKey) Encapsulate() (sharedKey, ciphertext []byte) {
	if ek.KEM() == nil {
		panic(errNoKey)
	}
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
	if ek.KEM() == nil {
		return nil, nil, errNoKey
	}
	if err := ek.kem.check("a seed", len(seed), ek.kem.EncapsulationSeedSize()); err != nil {
		return nil, nil, err
	}
	sharedKey = make([]byte, SharedKeySize)
	ciphertext = make([]byte, ek.kem.CiphertextSize())
	if err := ek.engine.Encaps(ciphertext, sharedKey, ek.bytes, seed); err != nil {
		return nil, nil, err
	}
	return sharedKey, ciphertext, nil
}

// Equal tells whether x is the same key. A key that is nil or a zero value equals none.
func (ek *EncapsulationKey) Equal(x crypto.PublicKey) bool {
	var other *EncapsulationKey
	switch x := x.(type) {
	case *EncapsulationKey:
		other = x
	case EncapsulationKey:
		other = &x
	}
	return ek.KEM() != nil && ek.kem == other.KEM() && bytes.Equal(ek.bytes, other.bytes)
}
