// SPDX-License-Identifier: Apache-2.0 OR MIT

package codekem_test

import (
	"bytes"
	"encoding"
	"encoding/gob"
	"encoding/hex"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"strings"
	"testing"

	codekem "github.com/codekem/codekem/bindings/go"
)

var (
	_ encoding.TextMarshaler     = codekem.EncapsulationKey{}
	_ encoding.BinaryMarshaler   = codekem.EncapsulationKey{}
	_ encoding.TextUnmarshaler   = (*codekem.EncapsulationKey)(nil)
	_ encoding.BinaryUnmarshaler = (*codekem.EncapsulationKey)(nil)
)

// shows tells whether a text holds eight bytes of a secret that follow each other, in any of the
// ways in which fmt writes bytes.
func shows(text string, secret []byte) bool {
	text = strings.ToLower(text)
	for start := 0; start+8 <= len(secret); start += 8 {
		part := secret[start : start+8]
		numbers := strings.Trim(fmt.Sprint(part), "[]")
		goSyntax := strings.TrimSuffix(strings.TrimPrefix(fmt.Sprintf("%#v", part), "[]byte{"), "}")
		spaced := strings.Trim(fmt.Sprintf("%x", []any{part[0], part[1], part[2], part[3]}), "[]")
		for _, way := range []string{hex.EncodeToString(part), numbers, goSyntax, spaced, string(part)} {
			if strings.Contains(text, strings.ToLower(way)) {
				return true
			}
		}
	}
	return false
}

func TestNoSecretIsPrinted(t *testing.T) {
	dk := generate(t, codekem.HQC1())
	secret := append(dk.SecretKey()[codekem.HQC1().EncapsulationKeySize():], dk.Bytes()...)
	if !shows(fmt.Sprint(dk.SecretKey()), secret) || !shows(fmt.Sprintf("%x", secret), secret) {
		t.Fatal("what is shown is not found")
	}
	type open struct{ Key codekem.DecapsulationKey }
	type closed struct{ key codekem.DecapsulationKey }
	type pointers struct {
		key *codekem.DecapsulationKey
		any any
	}
	verbs := []string{"%v", "%+v", "%#v", "%s", "%x", "%X", "%d", "%q", "%o", "%c", "%U", "%p", "%10v"}
	for _, verb := range verbs {
		for _, value := range []any{dk, *dk} {
			// %p writes an address of whatever it gets.
			if text := fmt.Sprintf(verb, value); verb != "%p" && text != "decapsulation key of HQC-1" {
				t.Errorf("%s prints %.80q", verb, text)
			}
		}
		key := *dk
		for _, value := range []any{
			open{key}, &open{key}, closed{key}, &closed{key}, pointers{dk, key}, &pointers{dk, dk},
			[]codekem.DecapsulationKey{key}, [1]*codekem.DecapsulationKey{dk}, []any{key, dk},
			map[string]codekem.DecapsulationKey{"key": key},
			[]closed{{key}}, struct{ inner closed }{closed{key}}, errors.Join(fmt.Errorf("%v", key)),
		} {
			if shows(fmt.Sprintf(verb, value), secret) {
				t.Errorf("%s of %T shows the secret", verb, value)
			}
		}
	}
	for _, value := range []any{dk, *dk, open{*dk}, closed{*dk}, pointers{dk, *dk}} {
		var out bytes.Buffer
		slog.New(slog.NewTextHandler(&out, nil)).Info("text", "key", value)
		slog.New(slog.NewJSONHandler(&out, nil)).Info("json", "key", value)
		if shows(out.String(), secret) || strings.Contains(out.String(), "PANIC") {
			t.Errorf("%T is logged as %.300s", value, out.String())
		}
	}
}

func TestPublicKeysAreLoggedInShort(t *testing.T) {
	ek := generate(t, codekem.BIKEL1()).EncapsulationKey()
	want := fmt.Sprintf("encapsulation key of BIKE-L1, %x..", ek.Bytes()[:8])
	for _, value := range []any{ek, *ek} {
		var out bytes.Buffer
		slog.New(slog.NewTextHandler(&out, nil)).Info("text", "key", value)
		slog.New(slog.NewJSONHandler(&out, nil)).Info("json", "key", value)
		if fmt.Sprintf("%+v", value) != want || strings.Count(out.String(), want) != 2 {
			t.Errorf("%v, logged as %.300s", value, out.String())
		}
	}
}

func TestPrivateKeysAreNotLostInEncodings(t *testing.T) {
	dk := generate(t, codekem.HQC1())
	type file struct{ Key *codekem.DecapsulationKey }
	type copied struct{ Key codekem.DecapsulationKey }
	for _, value := range []any{dk, *dk, file{dk}, &file{dk}, copied{*dk}, []any{dk}} {
		if text, err := json.Marshal(value); err == nil {
			t.Errorf("json makes %s of %T", text, value)
		}
		if text, err := xml.Marshal(value); err == nil {
			t.Errorf("xml makes %s of %T", text, value)
		}
		if err := gob.NewEncoder(new(bytes.Buffer)).Encode(value); err == nil {
			t.Errorf("gob takes %T", value)
		}
	}
	for _, text := range []string{`{"Key":{}}`, `{"Key":"x"}`, `{"Key":5}`} {
		if json.Unmarshal([]byte(text), new(file)) == nil ||
			json.Unmarshal([]byte(text), new(copied)) == nil {
			t.Errorf("%s is read as a key", text)
		}
	}
}

func TestPublicKeysComeBackFromEncodings(t *testing.T) {
	each(t, func(t *testing.T, k *codekem.KEM) {
		ek := generate(t, k).EncapsulationKey()
		type file struct {
			Key  *codekem.EncapsulationKey
			Copy codekem.EncapsulationKey
		}
		var fromJSON, fromGob file
		text, err := json.Marshal(file{ek, *ek})
		if err == nil {
			err = json.Unmarshal(text, &fromJSON)
		}
		if err != nil {
			t.Fatal(err)
		}
		var stream bytes.Buffer
		err = gob.NewEncoder(&stream).Encode(file{ek, *ek})
		if err == nil {
			err = gob.NewDecoder(&stream).Decode(&fromGob)
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range []file{fromJSON, fromGob} {
			if !found.Key.Equal(ek) || !ek.Equal(found.Copy) || found.Key.KEM() != k {
				t.Error("another key")
			}
			found.Key.Encapsulate()
		}
	})
}

func TestDamagedEncodingsAreErrors(t *testing.T) {
	ek := generate(t, codekem.HQC1()).EncapsulationKey()
	good, _ := ek.MarshalText()
	other := "HQC-3:" + strings.TrimPrefix(string(good), "HQC-1:")
	zeros := make([]byte, codekem.HQC1().EncapsulationKeySize())
	for _, text := range []string{"", "HQC-1", "HQC-1:", ":", "HQC-2:AAAA", "HQC-1:AAAA", other,
		string(good[:len(good)-4]), string(good) + "A", "HQC-1:!" + string(good[7:])} {
		var found codekem.EncapsulationKey
		if err := found.UnmarshalText([]byte(text)); err == nil || found.KEM() != nil {
			t.Errorf("%.20s is read", text)
		}
	}
	for _, data := range [][]byte{nil, zeros, zeros[1:], ek.Bytes()[1:]} {
		var found codekem.EncapsulationKey
		if err := found.UnmarshalBinary(data); err == nil || found.KEM() != nil {
			t.Errorf("%d bytes are read", len(data))
		}
	}
	if (*codekem.EncapsulationKey)(nil).UnmarshalText(good) == nil {
		t.Error("a key is read into nothing")
	}
}

func TestZeroKeysAreErrorsAndNoPanics(t *testing.T) {
	dk := generate(t, codekem.HQC1())
	ek := dk.EncapsulationKey()
	for _, zero := range []*codekem.DecapsulationKey{nil, {}} {
		if zero.KEM() != nil || zero.Bytes() != nil || zero.SecretKey() != nil ||
			zero.EncapsulationKey() != nil {
			t.Error("a zero key holds something")
		}
		if _, err := zero.Decapsulate(make([]byte, 4433)); err == nil {
			t.Error("a zero key decapsulates")
		}
		if dk.Equal(zero) || zero.Equal(dk) || zero.Equal(zero) {
			t.Error("a zero key equals another")
		}
		if text := fmt.Sprintf("%v %s %d", zero, zero, zero); strings.Contains(text, "PANIC") {
			t.Error(text)
		}
	}
	for _, zero := range []*codekem.EncapsulationKey{nil, {}} {
		if zero.KEM() != nil || zero.Bytes() != nil {
			t.Error("a zero key holds something")
		}
		if _, _, err := zero.EncapsulateDerand(make([]byte, 32)); err == nil {
			t.Error("a zero key encapsulates")
		}
		if ek.Equal(zero) || zero.Equal(ek) || zero.Equal(zero) {
			t.Error("a zero key equals another")
		}
		if text := fmt.Sprintf("%v %s %d", zero, zero, zero); strings.Contains(text, "PANIC") {
			t.Error(text)
		}
		func() {
			defer func() {
				if err, ok := recover().(error); !ok || !strings.HasPrefix(err.Error(), "codekem: ") {
					t.Errorf("Encapsulate panics with %v", err)
				}
			}()
			zero.Encapsulate()
		}()
	}
	if text, err := json.Marshal(codekem.EncapsulationKey{}); err == nil {
		t.Errorf("a zero key is %s in JSON", text)
	}
	var out bytes.Buffer
	for _, handler := range []slog.Handler{
		slog.NewTextHandler(&out, nil), slog.NewJSONHandler(&out, nil),
	} {
		slog.New(handler).Info("zero", "1", (*codekem.DecapsulationKey)(nil),
			"2", codekem.DecapsulationKey{}, "3", &codekem.EncapsulationKey{})
	}
	if !strings.Contains(out.String(), "no encapsulation key") {
		t.Error(out.String())
	}
	var zero codekem.KEM
	if _, err := zero.GenerateKey(); err == nil {
		t.Error("a zero KEM makes keys")
	}
	if _, err := zero.NewEncapsulationKey(nil); err == nil {
		t.Error("a zero KEM takes keys")
	}
}

func TestTypedNilsEqualNothing(t *testing.T) {
	dk := generate(t, codekem.HQC1())
	var none *codekem.DecapsulationKey
	var nothing *codekem.EncapsulationKey
	if dk.Equal(none) || dk.Equal(nil) || dk.EncapsulationKey().Equal(nothing) ||
		dk.EncapsulationKey().Equal(nil) || dk.Equal(dk.EncapsulationKey()) {
		t.Error("a key equals nil")
	}
	if !dk.Equal(*dk) || !dk.EncapsulationKey().Equal(*dk.EncapsulationKey()) {
		t.Error("a copy of a key is another key")
	}
}

// The memory of a key is cleared after its last copy has gone, not after the first.
func TestCopiesKeepTheSecret(t *testing.T) {
	dk := generate(t, codekem.HQC1())
	held, secret := *dk, dk.SecretKey()
	dk = nil
	for range 5 {
		runtime.GC()
	}
	if !bytes.Equal(held.SecretKey(), secret) {
		t.Error("the secret of a copy is gone")
	}
}
