// SPDX-License-Identifier: Apache-2.0 OR MIT

package main

import (
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"

	"filippo.io/age"
	"filippo.io/age/plugin"
	codekem "github.com/codekem/codekem/bindings/go"
	"golang.org/x/crypto/chacha20poly1305"
)

const (
	name       = "codekem"
	stanzaType = "codekem/hqc1x25519"
	wrapInfo   = "codekem/age-plugin/hqc1x25519"
	// What recipients and identities begin with. The standard of HQC, or another KEM, gets another.
	version     = 1
	fileKeySize = 16
	label       = "postquantum" // as age's own recipients with ML-KEM have it
)

var hybrid = codekem.HQC1().WithX25519()

var errStanza = errors.New("the file's part for " + name + " is malformed: it was altered, or " +
	"made by a newer age-plugin-" + name)

type recipient struct {
	key *codekem.HybridEncapsulationKey
	// warn is called before a file key is wrapped; nil for nothing.
	warn func()
}

type identity struct {
	key *codekem.HybridDecapsulationKey
}

// contentOf returns what follows the version, which must have size bytes.
func contentOf(what string, data []byte, size int) ([]byte, error) {
	switch {
	case len(data) == 0:
		return nil, fmt.Errorf("the %s is empty: age's option -j does not work with this plugin; "+
			"name a file of age-plugin-%s keygen with -i", what, name)
	case data[0] != version:
		return nil, fmt.Errorf("the %s has version %d, and this plugin knows %d only: install a "+
			"newer age-plugin-%s", what, data[0], version, name)
	case len(data) != 1+size:
		return nil, fmt.Errorf("the %s has %d bytes, not %d: it is not complete, or not of "+
			"age-plugin-%s", what, len(data), 1+size, name)
	}
	return data[1:], nil
}

func newRecipient(data []byte) (*recipient, error) {
	content, err := contentOf("recipient", data, hybrid.EncapsulationKeySize())
	if err != nil {
		return nil, err
	}
	key, err := hybrid.NewEncapsulationKey(content)
	if err != nil {
		return nil, fmt.Errorf("the recipient is malformed, ask for it again: %w", err)
	}
	return &recipient{key: key}, nil
}

func newIdentity(data []byte) (*identity, error) {
	seed, err := contentOf("identity", data, codekem.HybridSeedSize)
	if err != nil {
		return nil, err
	}
	key, err := hybrid.NewDecapsulationKey(seed)
	if err != nil {
		return nil, err
	}
	return &identity{key}, nil
}

// generate returns a new identity and its recipient, as text.
func generate() (encoded string, to *recipient, err error) {
	data := make([]byte, 1+codekem.HybridSeedSize)
	defer clear(data)
	data[0] = version
	rand.Read(data[1:]) // it never fails
	made, err := newIdentity(data)
	if err != nil {
		return "", nil, err
	}
	return plugin.EncodeIdentity(name, data), made.recipient(), nil
}

func (i *identity) recipient() *recipient { return &recipient{key: i.key.EncapsulationKey()} }

// String returns the recipient as age reads it.
func (r *recipient) String() string {
	return plugin.EncodeRecipient(name, append([]byte{version}, r.key.Bytes()...))
}

// newAEAD returns the cipher for one file key. A secret is used once, so the nonce is zero, as that
// of age's own recipients.
func newAEAD(secret []byte) (cipher.AEAD, error) {
	defer clear(secret)
	key, err := hkdf.Key(sha256.New, secret, nil, wrapInfo, chacha20poly1305.KeySize)
	if err != nil {
		return nil, err
	}
	defer clear(key)
	return chacha20poly1305.New(key)
}

var nonce = make([]byte, chacha20poly1305.NonceSize)

// Wrap encrypts a file key of 16 bytes to the recipient.
func (r *recipient) Wrap(fileKey []byte) ([]*age.Stanza, error) {
	stanzas, _, err := r.WrapWithLabels(fileKey)
	return stanzas, err
}

// WrapWithLabels returns the label of post-quantum recipients, beside which age takes no other.
func (r *recipient) WrapWithLabels(fileKey []byte) ([]*age.Stanza, []string, error) {
	if len(fileKey) != fileKeySize {
		return nil, nil, fmt.Errorf("a file key has %d bytes, not %d", fileKeySize, len(fileKey))
	}
	if r.warn != nil {
		r.warn()
	}
	secret, ciphertext := r.key.Encapsulate()
	stanza, err := sealed(fileKey, secret, ciphertext)
	if err != nil {
		return nil, nil, err
	}
	return []*age.Stanza{stanza}, []string{label}, nil
}

// sealed returns the stanza of a file key, for a secret of the hybrid and its ciphertext.
func sealed(fileKey, secret, ciphertext []byte) (*age.Stanza, error) {
	aead, err := newAEAD(secret)
	if err != nil {
		return nil, err
	}
	return &age.Stanza{
		Type: stanzaType,
		Args: []string{base64.RawStdEncoding.EncodeToString(ciphertext)},
		Body: aead.Seal(nil, nonce, fileKey, nil),
	}, nil
}

// Unwrap returns the file key from the first stanza that was made for the identity.
func (i *identity) Unwrap(stanzas []*age.Stanza) ([]byte, error) {
	for _, stanza := range stanzas {
		if stanza.Type != stanzaType {
			continue
		}
		// A body of another length could be made to open with several keys.
		if len(stanza.Args) != 1 || len(stanza.Body) != fileKeySize+chacha20poly1305.Overhead {
			return nil, errStanza
		}
		ciphertext, err := base64.RawStdEncoding.Strict().DecodeString(stanza.Args[0])
		if err != nil {
			return nil, errStanza
		}
		secret, err := i.key.Decapsulate(ciphertext)
		if err != nil {
			return nil, errStanza
		}
		aead, err := newAEAD(secret)
		if err != nil {
			return nil, err
		}
		if fileKey, err := aead.Open(nil, nonce, stanza.Body, nil); err == nil {
			return fileKey, nil
		}
	}
	return nil, age.ErrIncorrectIdentity
}
