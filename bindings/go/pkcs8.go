// SPDX-License-Identifier: Apache-2.0 OR MIT

package codekem

import (
	"bytes"
	"crypto/subtle"
	"encoding/asn1"
	"encoding/hex"
	"errors"
	"fmt"
	"math/big"
	"strings"
)

// Keys in DER: SubjectPublicKeyInfo, and PrivateKeyInfo of PKCS #8 (RFC 5958), whose content is as
// for ML-KEM (RFC 9935):
//
//	CodekemPrivateKey ::= CHOICE {
//	    seed        [0] IMPLICIT OCTET STRING,
//	    secretKey   OCTET STRING,
//	    both        SEQUENCE { seed OCTET STRING, secretKey OCTET STRING }
//	}

// A PrivateKeyForm says what of a decapsulation key stands in a file.
type PrivateKeyForm int

const (
	// SeedIfKnown is the seed or, without one, the secret key.
	SeedIfKnown PrivateKeyForm = iota
	// SeedOnly is the seed, from which readers make the key.
	SeedOnly
	// SeedAndSecretKey are both.
	SeedAndSecretKey
	// SecretKeyOnly is what [DecapsulationKey.SecretKey] returns.
	SecretKeyOnly
)

// An identifier is an object identifier of keys: the first of a KEM is the one that is written.
type identifier struct {
	content string // in DER, in hexadecimal
	kem     *KEM
}

var identifiers = []identifier{
	// identifiers: made by parameters/generate.py
	{"6983cabb84f9ef99e294c3b887b288f1908aba2f0101", bikeL1},
	{"6983cabb84f9ef99e294c3b887b288f1908aba2f0103", bikeL3},
	{"6983cabb84f9ef99e294c3b887b288f1908aba2f0105", bikeL5},
	{"6983cabb84f9ef99e294c3b887b288f1908aba2f0201", hqc1},
	{"608648016503040404", hqc1},
	{"6983cabb84f9ef99e294c3b887b288f1908aba2f0203", hqc3},
	{"608648016503040405", hqc3},
	{"6983cabb84f9ef99e294c3b887b288f1908aba2f0205", hqc5},
	{"608648016503040406", hqc5},
	// identifiers: end
}

// The first bytes of elements, with their tags.
const (
	tagInteger     = 0x02
	tagBitString   = 0x03
	tagOctetString = 0x04
	tagIdentifier  = 0x06
	tagSequence    = 0x30
	tagSeed        = 0x80
	tagAttributes  = 0xA0 // behind the private key
	tagPublicKey   = 0x81 // behind the attributes, since version 1
)

const maxIdentifier = 128 // bytes

// element returns the parts as one element.
func element(first byte, parts ...[]byte) []byte {
	content := bytes.Join(parts, nil)
	defer clear(content)
	out, err := asn1.Marshal(asn1.RawValue{
		Class:      int(first >> 6),
		Tag:        int(first & 0x1F),
		IsCompound: first&0x20 != 0,
		Bytes:      content,
	})
	if err != nil {
		panic(err) // there is nothing in it that could be wrong
	}
	return out
}

// algorithm returns the AlgorithmIdentifier of keys of k, which has no parameters.
func (k *KEM) algorithm() []byte {
	for _, one := range identifiers {
		if one.kem == k {
			content, _ := hex.DecodeString(one.content)
			return element(tagSequence, element(tagIdentifier, content))
		}
	}
	panic("codekem: " + k.name + " has no object identifier")
}

// MarshalPKIXPublicKey returns a key as SubjectPublicKeyInfo in DER, as a block "PUBLIC KEY" of PEM
// has it.
func MarshalPKIXPublicKey(ek *EncapsulationKey) ([]byte, error) {
	if ek.KEM() == nil {
		return nil, errNoKey
	}
	return element(tagSequence, ek.kem.algorithm(),
		element(tagBitString, []byte{0}, ek.bytes)), nil
}

// MarshalPKCS8PrivateKey returns a key as PrivateKeyInfo in DER, as a block "PRIVATE KEY" of PEM
// has it: with its seed or, if that is not known, its secret key.
func MarshalPKCS8PrivateKey(dk *DecapsulationKey) ([]byte, error) {
	return MarshalPKCS8PrivateKeyForm(dk, SeedIfKnown)
}

// MarshalPKCS8PrivateKeyForm is MarshalPKCS8PrivateKey with what the caller wants in it. It returns
// an error for a seed that is not known.
func MarshalPKCS8PrivateKeyForm(dk *DecapsulationKey, form PrivateKeyForm) ([]byte, error) {
	if dk.KEM() == nil {
		return nil, errNoKey
	}
	seed, secretKey := dk.Bytes(), dk.SecretKey()
	defer clear(seed)
	defer clear(secretKey)
	if form == SeedIfKnown && seed == nil {
		form = SecretKeyOnly
	}
	if (form == SeedOnly || form == SeedAndSecretKey) && seed == nil {
		return nil, errors.New("codekem: the seed of this key is not known")
	}
	var content []byte
	switch form {
	case SeedIfKnown, SeedOnly:
		content = element(tagSeed, seed)
	case SeedAndSecretKey:
		first, second := element(tagOctetString, seed), element(tagOctetString, secretKey)
		defer clear(first)
		defer clear(second)
		content = element(tagSequence, first, second)
	case SecretKeyOnly:
		content = element(tagOctetString, secretKey)
	default:
		return nil, errors.New("codekem: there is no such form of private keys")
	}
	octets := element(tagOctetString, content)
	defer clear(content)
	defer clear(octets)
	return element(tagSequence, element(tagInteger, []byte{0}), dk.KEM().algorithm(), octets), nil
}

// take takes the element with a first byte off the front of data, and returns its content.
func take(data *[]byte, first byte) (content []byte, found bool) {
	if len(*data) == 0 || (*data)[0] != first {
		return nil, false
	}
	var raw asn1.RawValue
	rest, err := asn1.Unmarshal(*data, &raw)
	if err != nil {
		return nil, false
	}
	*data = rest
	return raw.Bytes, true
}

func takeWhole(der []byte) ([]byte, error) {
	info, found := take(&der, tagSequence)
	if !found {
		return nil, errors.New("codekem: the content is not a key in DER, or it is cut off")
	}
	return info, atEnd(der)
}

func atEnd(rest []byte) error {
	if len(rest) != 0 {
		return errors.New("codekem: the key has something behind its end")
	}
	return nil
}

// isIdentifier tells whether these are numbers, none of them cut off or longer than it need be.
func isIdentifier(content []byte) bool {
	ended := true
	for _, b := range content {
		if ended && b == 0x80 {
			return false
		}
		ended = b < 0x80
	}
	return ended && len(content) > 0 && len(content) <= maxIdentifier
}

// dotted returns an object identifier in numbers.
func dotted(content []byte) string {
	var numbers []string
	number := new(big.Int)
	for _, b := range content {
		number.Or(number.Lsh(number, 7), big.NewInt(int64(b&0x7F)))
		if b >= 0x80 {
			continue
		}
		if numbers == nil { // the first two are in one
			first := min(content[0]/40, 2)
			numbers = append(numbers, fmt.Sprint(first))
			number.Sub(number, big.NewInt(40*int64(first)))
		}
		numbers = append(numbers, number.String())
		number.SetInt64(0)
	}
	return strings.Join(numbers, ".")
}

// takeAlgorithm takes off the AlgorithmIdentifier, which must have no parameters, and returns whose
// keys have it.
func takeAlgorithm(info *[]byte) (*KEM, error) {
	rest, _ := take(info, tagSequence)
	content, found := take(&rest, tagIdentifier)
	if !found || !isIdentifier(content) {
		return nil, errors.New("codekem: the key has no object identifier that can be read")
	}
	for _, one := range identifiers {
		if one.content != hex.EncodeToString(content) {
			continue
		}
		if len(rest) != 0 {
			return nil, errors.New("codekem: the key has parameters beside its object " +
				"identifier, and none belong there")
		}
		return one.kem, nil
	}
	return nil, fmt.Errorf("codekem: this is a key of another algorithm, with the object "+
		"identifier %.100s", dotted(content))
}

// wholeBits returns the content of a bit string of whole bytes.
func wholeBits(bits []byte) ([]byte, error) {
	if len(bits) == 0 || bits[0] != 0 {
		return nil, errors.New("codekem: the key has no bit string, of whole bytes, with the " +
			"public key")
	}
	return bits[1:], nil
}

// ParsePKIXPublicKey reads what [MarshalPKIXPublicKey] and others have written, and checks the key.
// Its KEM is that of its object identifier.
func ParsePKIXPublicKey(der []byte) (*EncapsulationKey, error) {
	info, err := takeWhole(der)
	if err != nil {
		return nil, err
	}
	k, err := takeAlgorithm(&info)
	if err != nil {
		return nil, err
	}
	content, _ := take(&info, tagBitString)
	publicKey, err := wholeBits(content)
	if err != nil {
		return nil, err
	}
	if err := atEnd(info); err != nil {
		return nil, err
	}
	return k.NewEncapsulationKey(publicKey)
}

// privateParts are what a private key in a file has; nil is what it has not.
type privateParts struct {
	kem                        *KEM
	seed, secretKey, publicKey []byte
}

func takeVersion(info *[]byte) (int, error) {
	version, found := take(info, tagInteger)
	if !found || len(version) == 0 {
		return 0, errors.New("codekem: the private key does not begin with the version of a " +
			"PrivateKeyInfo")
	}
	if len(version) > 1 || version[0] > 1 {
		return 0, errors.New("codekem: the private key is of a later version than 0 and 1, the " +
			"only ones known")
	}
	return int(version[0]), nil
}

// read fills the seed, the secret key or both from the content of a private key.
func (parts *privateParts) read(content []byte) error {
	both, good := take(&content, tagSequence)
	if good {
		var second bool
		parts.seed, good = take(&both, tagOctetString)
		parts.secretKey, second = take(&both, tagOctetString)
		good = good && second && len(both) == 0
	} else if parts.secretKey, good = take(&content, tagOctetString); !good {
		parts.seed, good = take(&content, tagSeed)
	}
	if !good || len(content) != 0 {
		return errors.New("codekem: the private key is neither a seed, nor a secret key, nor both")
	}
	return nil
}

func readPrivate(der []byte) (parts privateParts, err error) {
	info, err := takeWhole(der)
	if err != nil {
		return parts, err
	}
	version, err := takeVersion(&info)
	if err != nil {
		return parts, err
	}
	if parts.kem, err = takeAlgorithm(&info); err != nil {
		return parts, err
	}
	content, found := take(&info, tagOctetString)
	if !found {
		return parts, errors.New("codekem: the key has no octet string with the private key")
	}
	take(&info, tagAttributes)
	if bits, found := take(&info, tagPublicKey); found {
		if version == 0 {
			return parts, errors.New("codekem: the private key has a public key, which its " +
				"version 0 does not allow")
		}
		if parts.publicKey, err = wholeBits(bits); err != nil {
			return parts, err
		}
	}
	if err := atEnd(info); err != nil {
		return parts, err
	}
	return parts, parts.read(content)
}

// ParsePKCS8PrivateKey reads what [MarshalPKCS8PrivateKey] and others have written, of version 0 or
// 1. Seed, secret key and public key must belong together, as far as they are there.
func ParsePKCS8PrivateKey(der []byte) (*DecapsulationKey, error) {
	parts, err := readPrivate(der)
	if err != nil {
		return nil, err
	}
	var dk *DecapsulationKey
	if parts.seed != nil {
		dk, err = parts.kem.NewDecapsulationKey(parts.seed)
	} else {
		dk, err = parts.kem.NewDecapsulationKeyFromSecretKey(parts.secretKey)
	}
	if err != nil {
		return nil, err
	}
	if parts.seed != nil && parts.secretKey != nil {
		made := dk.SecretKey()
		defer clear(made)
		if subtle.ConstantTimeCompare(made, parts.secretKey) != 1 {
			return nil, errors.New("codekem: seed and secret key do not belong together")
		}
	}
	if parts.publicKey != nil && !bytes.Equal(parts.publicKey, dk.EncapsulationKey().bytes) {
		return nil, errors.New("codekem: public and secret key do not belong together")
	}
	return dk, nil
}
