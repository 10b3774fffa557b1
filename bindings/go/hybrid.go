// SPDX-License-Identifier: Apache-2.0 OR MIT

package codekem

import (
	"bytes"
	"crypto/ecdh"
	"crypto/rand"
	"crypto/sha3"
	"errors"
	"fmt"
	"runtime"
)

// HybridSeedSize is the length of the seed of a [HybridDecapsulationKey], in bytes.
const HybridSeedSize = 32

// A Hybrid is a KEM and an elliptic curve as one KEM, which is secure as long as either is: the
// value that HQC1().WithX25519(), say, returns. It is the framework UG of
// draft-irtf-cfrg-hybrid-kems-12 with SHAKE256 and SHA3-256. It may be used by several goroutines
// at once.
type Hybrid struct {
	kem   *KEM
	group *group
}

// A group is a nominal group of draft-irtf-cfrg-concrete-hybrid-kems-04, 3.1.
type group struct {
	name    string
	curve   ecdh.Curve
	element int // bytes
	seed    int // bytes, of one or more candidates for a scalar
}

const scalarSize = 32

var (
	x25519Group = &group{"X25519", ecdh.X25519(), 32, 32}
	p256Group   = &group{"P256", ecdh.P256(), 65, 128}
)

// WithX25519 returns the hybrid of the KEM and X25519.
func (k *KEM) WithX25519() *Hybrid { return &Hybrid{k, x25519Group} }

// WithP256 returns the hybrid of the KEM and P-256.
func (k *KEM) WithP256() *Hybrid { return &Hybrid{k, p256Group} }

// key returns the scalar that a seed gives: the first candidate that is in range.
func (g *group) key(seed []byte) (*ecdh.PrivateKey, error) {
	for ; len(seed) >= scalarSize; seed = seed[scalarSize:] {
		if key, err := g.curve.NewPrivateKey(seed[:scalarSize]); err == nil {
			return key, nil
		}
	}
	return nil, errors.New("codekem: no scalar can be drawn from this seed, which is not random")
}

// secret returns the shared secret of a scalar and an element, which is checked already. All zeros,
// as points of small order give, is an error of crypto/ecdh. The draft hashes it.
func (g *group) secret(key *ecdh.PrivateKey, element *ecdh.PublicKey) ([]byte, error) {
	secret, err := key.ECDH(element)
	if err != nil && g == x25519Group {
		return make([]byte, scalarSize), nil
	}
	return secret, err
}

// String returns the name of the hybrid, such as "HQC-1-X25519".
func (h *Hybrid) String() string { return h.kem.name + "-" + h.group.name }

// Label returns what is hashed so that no other hybrid gives the same shared key.
func (h *Hybrid) Label() string { return "codekem-" + h.String() + "-UG-v0" }

// EncapsulationKeySize returns the length of an encapsulation key, in bytes.
func (h *Hybrid) EncapsulationKeySize() int {
	return h.kem.EncapsulationKeySize() + h.group.element
}

// CiphertextSize returns the length of a ciphertext, in bytes.
func (h *Hybrid) CiphertextSize() int { return h.kem.CiphertextSize() + h.group.element }

// EncapsulationSeedSize returns the length of the seed of
// [HybridEncapsulationKey.EncapsulateDerand].
func (h *Hybrid) EncapsulationSeedSize() int { return h.kem.EncapsulationSeedSize() + h.group.seed }

// check returns an error if something, with its article, does not have its length.
func (h *Hybrid) check(what string, got, want int) error {
	if got != want {
		return fmt.Errorf("codekem: %s of %s has %d bytes, not %d", what, h, want, got)
	}
	return nil
}

// combine is the universal combiner of the draft, 5.1.3.
func (h *Hybrid) combine(ofKEM, ofGroup, ciphertext, public []byte) []byte {
	hash := sha3.New256()
	for _, part := range [][]byte{ofKEM, ofGroup, ciphertext, public, []byte(h.Label())} {
		hash.Write(part)
	}
	defer hash.Reset() // it has absorbed secrets
	return hash.Sum(make([]byte, 0, SharedKeySize))
}

// A HybridDecapsulationKey is the secret key of a [Hybrid]. It may be used by several goroutines at
// once. Its memory is cleared as that of a [DecapsulationKey], but for what crypto/ecdh holds. The
// zero value holds no key.
type HybridDecapsulationKey struct {
	key func() *hybridKey // as in DecapsulationKey
}

type hybridKey struct {
	hybrid *Hybrid
	seed   []byte // cleared by cleanup
	ofKEM  *DecapsulationKey
	scalar *ecdh.PrivateKey
	public *HybridEncapsulationKey
}

// A HybridEncapsulationKey is the public key of a [Hybrid]. It may be used by several goroutines at
// once. The zero value holds no key.
type HybridEncapsulationKey struct {
	hybrid  *Hybrid
	bytes   []byte
	ofKEM   *EncapsulationKey
	element *ecdh.PublicKey
}

// GenerateKey makes a new decapsulation key with randomness from crypto/rand. The only errors are
// those of [KEM.GenerateKey].
func (h *Hybrid) GenerateKey() (*HybridDecapsulationKey, error) {
	seed := make([]byte, HybridSeedSize)
	defer clear(seed)
	rand.Read(seed) // it never fails
	return h.NewDecapsulationKey(seed)
}

// NewDecapsulationKey makes the decapsulation key that belongs to a seed of [HybridSeedSize] bytes,
// which must be uniformly random. The same seed gives the same key.
func (h *Hybrid) NewDecapsulationKey(seed []byte) (*HybridDecapsulationKey, error) {
	if err := h.check("a seed", len(seed), HybridSeedSize); err != nil {
		return nil, err
	}
	stream := sha3.SumSHAKE256(seed, h.kem.SeedSize()+h.group.seed)
	defer clear(stream)
	ofKEM, err := h.kem.NewDecapsulationKey(stream[:h.kem.SeedSize()])
	if err != nil {
		return nil, err
	}
	scalar, err := h.group.key(stream[h.kem.SeedSize():])
	if err != nil {
		return nil, err
	}
	key := &hybridKey{hybrid: h, seed: bytes.Clone(seed), ofKEM: ofKEM, scalar: scalar}
	runtime.AddCleanup(key, func(memory []byte) { clear(memory) }, key.seed)
	key.public = &HybridEncapsulationKey{
		hybrid:  h,
		bytes:   append(ofKEM.EncapsulationKey().Bytes(), scalar.PublicKey().Bytes()...),
		ofKEM:   ofKEM.EncapsulationKey(),
		element: scalar.PublicKey(),
	}
	return &HybridDecapsulationKey{func() *hybridKey { return key }}, nil
}

// NewEncapsulationKey takes the bytes of an encapsulation key, h.EncapsulationKeySize() of them,
// and returns an error if no honest party can have made it, as far as that can be seen.
func (h *Hybrid) NewEncapsulationKey(encapsulationKey []byte) (*HybridEncapsulationKey, error) {
	err := h.check("an encapsulation key", len(encapsulationKey), h.EncapsulationKeySize())
	if err != nil {
		return nil, err
	}
	owned := bytes.Clone(encapsulationKey)
	split := h.kem.EncapsulationKeySize()
	ofKEM, err := h.kem.NewEncapsulationKey(owned[:split])
	if err != nil {
		return nil, err
	}
	element, err := h.group.curve.NewPublicKey(owned[split:])
	if err != nil {
		return nil, fmt.Errorf("codekem: the encapsulation key of %s ends in no point of %s", h,
			h.group.name)
	}
	return &HybridEncapsulationKey{h, owned, ofKEM, element}, nil
}

// held returns what a key holds; nil if dk is nil or a zero value.
func (dk *HybridDecapsulationKey) held() *hybridKey {
	if dk == nil || dk.key == nil {
		return nil
	}
	return dk.key()
}

// Bytes returns the seed from which [Hybrid.NewDecapsulationKey] makes the key again.
func (dk *HybridDecapsulationKey) Bytes() []byte {
	key := dk.held()
	defer runtime.KeepAlive(key)
	if key == nil {
		return nil
	}
	return bytes.Clone(key.seed)
}

// EncapsulationKey returns the public key that belongs to the key.
func (dk *HybridDecapsulationKey) EncapsulationKey() *HybridEncapsulationKey {
	if key := dk.held(); key != nil {
		return key.public
	}
	return nil
}

// Decapsulate returns the shared key that a ciphertext holds. One that was not made for this key
// gives a shared key that nobody else has. The errors are a wrong length, an end that is no point
// of P-256, and a key that is a zero value.
func (dk *HybridDecapsulationKey) Decapsulate(ciphertext []byte) (sharedKey []byte, err error) {
	key := dk.held()
	if key == nil {
		return nil, errNoKey
	}
	h := key.hybrid
	if err := h.check("a ciphertext", len(ciphertext), h.CiphertextSize()); err != nil {
		return nil, err
	}
	split := h.kem.CiphertextSize()
	element, err := h.group.curve.NewPublicKey(ciphertext[split:])
	if err != nil {
		return nil, fmt.Errorf("codekem: the ciphertext of %s ends in no point of %s", h,
			h.group.name)
	}
	ofGroup, err := h.group.secret(key.scalar, element)
	if err != nil {
		return nil, err
	}
	defer clear(ofGroup)
	ofKEM, err := key.ofKEM.Decapsulate(ciphertext[:split])
	if err != nil {
		return nil, err
	}
	defer clear(ofKEM)
	return h.combine(ofKEM, ofGroup, ciphertext, key.public.bytes), nil
}

// Bytes returns the encapsulation key of the KEM, and behind it the element of the group.
func (ek *HybridEncapsulationKey) Bytes() []byte {
	if ek == nil {
		return nil
	}
	return bytes.Clone(ek.bytes)
}

// Encapsulate makes a shared key with randomness from crypto/rand, and the ciphertext from which
// the owner of the decapsulation key recovers it. It panics if the key is nil or a zero value.
func (ek *HybridEncapsulationKey) Encapsulate() (sharedKey, ciphertext []byte) {
	if ek == nil || ek.hybrid == nil {
		panic(errNoKey)
	}
	seed := make([]byte, ek.hybrid.EncapsulationSeedSize())
	defer clear(seed)
	rand.Read(seed) // it never fails
	sharedKey, ciphertext, err := ek.EncapsulateDerand(seed)
	if err != nil {
		panic(err) // as of EncapsulationKey
	}
	return sharedKey, ciphertext
}

// EncapsulateDerand is Encapsulate with a seed of [Hybrid.EncapsulationSeedSize] bytes in the place
// of randomness: that of the KEM, and behind it that of the group. It is for tests.
func (ek *HybridEncapsulationKey) EncapsulateDerand(seed []byte) (sharedKey, ciphertext []byte,
	err error) {
	if ek == nil || ek.hybrid == nil {
		return nil, nil, errNoKey
	}
	h := ek.hybrid
	if err := h.check("a seed", len(seed), h.EncapsulationSeedSize()); err != nil {
		return nil, nil, err
	}
	split := h.kem.EncapsulationSeedSize()
	scalar, err := h.group.key(seed[split:])
	if err != nil {
		return nil, nil, err
	}
	ofGroup, err := h.group.secret(scalar, ek.element)
	if err != nil {
		return nil, nil, err
	}
	defer clear(ofGroup)
	ofKEM, ciphertext, err := ek.ofKEM.EncapsulateDerand(seed[:split])
	if err != nil {
		return nil, nil, err
	}
	defer clear(ofKEM)
	ciphertext = append(ciphertext, scalar.PublicKey().Bytes()...)
	return h.combine(ofKEM, ofGroup, ciphertext, ek.bytes), ciphertext, nil
}
