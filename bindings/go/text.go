// SPDX-License-Identifier: Apache-2.0 OR MIT

package codekem

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"log/slog"
	"strings"
)

// How keys look in logs, and in JSON and other encodings. What is printed or encoded may be a key,
// a pointer to one or a copy, so methods that only read are of the value.

var errSecret = errors.New("codekem: decapsulation keys are not encoded, so that none is lost or " +
	"shown by accident: store what MarshalPKCS8PrivateKey or Bytes returns")

func (dk DecapsulationKey) describe() string {
	if k := dk.KEM(); k != nil {
		return "decapsulation key of " + k.name
	}
	return "no decapsulation key"
}

// Format writes what the key is, for every verb of fmt, and nothing of what is secret in it.
func (dk DecapsulationKey) Format(state fmt.State, _ rune) { fmt.Fprint(state, dk.describe()) }

// LogValue is the same for log/slog.
func (dk DecapsulationKey) LogValue() slog.Value { return slog.StringValue(dk.describe()) }

// MarshalText always returns an error, so that encoding/json and others do not lose the key in
// silence.
func (dk DecapsulationKey) MarshalText() ([]byte, error) { return nil, errSecret }

// MarshalBinary always returns an error, for the same reason.
func (dk DecapsulationKey) MarshalBinary() ([]byte, error) { return nil, errSecret }

// UnmarshalText always returns an error: there is no such encoding.
func (dk *DecapsulationKey) UnmarshalText([]byte) error { return errSecret }

// UnmarshalBinary always returns an error.
func (dk *DecapsulationKey) UnmarshalBinary([]byte) error { return errSecret }

func (ek EncapsulationKey) describe() string {
	if ek.kem == nil {
		return "no encapsulation key"
	}
	return fmt.Sprintf("encapsulation key of %s, %x..", ek.kem.name, ek.bytes[:8])
}

// Format writes what the key is and its first bytes, for every verb of fmt.
func (ek EncapsulationKey) Format(state fmt.State, _ rune) { fmt.Fprint(state, ek.describe()) }

// LogValue is the same for log/slog.
func (ek EncapsulationKey) LogValue() slog.Value { return slog.StringValue(ek.describe()) }

// MarshalText returns the name of the KEM, a colon, and the bytes of the key in base64.
func (ek EncapsulationKey) MarshalText() ([]byte, error) {
	if ek.kem == nil {
		return nil, errNoKey
	}
	return []byte(ek.kem.name + ":" + base64.StdEncoding.EncodeToString(ek.bytes)), nil
}

// UnmarshalText reads what MarshalText has written, and checks the key as
// [KEM.NewEncapsulationKey] does.
func (ek *EncapsulationKey) UnmarshalText(text []byte) error {
	name, encoded, found := strings.Cut(string(text), ":")
	if !found {
		return errors.New("codekem: an encapsulation key as a text begins with the name of its KEM " +
			"and a colon")
	}
	k, err := ByName(name)
	if err != nil {
		return err
	}
	data, err := base64.StdEncoding.Strict().DecodeString(encoded)
	if err != nil {
		return fmt.Errorf("codekem: the encapsulation key is not in base64: %w", err)
	}
	return ek.read(k, data)
}

// MarshalBinary returns the bytes of the key, as Bytes does.
func (ek EncapsulationKey) MarshalBinary() ([]byte, error) {
	if ek.kem == nil {
		return nil, errNoKey
	}
	return bytes.Clone(ek.bytes), nil
}

// UnmarshalBinary reads what MarshalBinary has written; the length tells the KEM. It checks the
// key.
func (ek *EncapsulationKey) UnmarshalBinary(data []byte) error {
	for _, k := range all {
		if k.EncapsulationKeySize() == len(data) {
			return ek.read(k, data)
		}
	}
	return fmt.Errorf("codekem: no KEM has encapsulation keys of %d bytes", len(data))
}

func (ek *EncapsulationKey) read(k *KEM, data []byte) error {
	if ek == nil {
		return errors.New("codekem: there is no place for the encapsulation key: the pointer is nil")
	}
	found, err := k.NewEncapsulationKey(data)
	if err != nil {
		return err
	}
	*ek = *found
	return nil
}
