// SPDX-License-Identifier: Apache-2.0 OR MIT

//go:build cgo && !purego

// Package native runs the C library, which is compiled with it.
package native

/*
#cgo CFLAGS: -std=gnu11 -O3 -fno-strict-aliasing -I${SRCDIR}/include
#cgo CFLAGS: -I${SRCDIR}/src/common -I${SRCDIR}/src/kem
#cgo !windows CFLAGS: -fstack-clash-protection
#cgo windows LDFLAGS: -lbcrypt
#cgo noescape keypair
#cgo nocallback keypair
#cgo noescape encaps
#cgo nocallback encaps
#cgo noescape decaps
#cgo nocallback decaps
#cgo noescape codekem_kem_check_public_key
#cgo nocallback codekem_kem_check_public_key
#cgo noescape check_secret_key
#cgo nocallback check_secret_key
#cgo noescape derive_public_key
#cgo nocallback derive_public_key
#include <stdlib.h>
#if !__has_include("codekem.h")
#error "in a clone, run 'go generate ./...' in bindings/go first: it brings the C sources"
#endif
#include "codekem.h"

// The options are made here: C may not get memory of Go that holds pointers to more of it.
static codekem_status keypair(const codekem_kem *kem, uint8_t *public_key, uint8_t *secret_key,
                              const uint8_t *seed, void *workspace, size_t length) {
  return codekem_kem_keypair_with(
      kem, public_key, secret_key,
      CODEKEM_OPTIONS(.seed = seed, .workspace = workspace, .workspace_length = length));
}

static codekem_status encaps(const codekem_kem *kem, uint8_t *ciphertext, uint8_t *shared_secret,
                             const uint8_t *public_key, const uint8_t *seed, void *workspace,
                             size_t length) {
  return codekem_kem_encaps_with(
      kem, ciphertext, shared_secret, public_key,
      CODEKEM_OPTIONS(.seed = seed, .workspace = workspace, .workspace_length = length));
}

static codekem_status decaps(const codekem_kem *kem, uint8_t *shared_secret,
                             const uint8_t *ciphertext, const uint8_t *secret_key, void *workspace,
                             size_t length) {
  return codekem_kem_decaps_with(
      kem, shared_secret, ciphertext, secret_key,
      CODEKEM_OPTIONS(.workspace = workspace, .workspace_length = length));
}

static codekem_status check_secret_key(const codekem_kem *kem, const uint8_t *secret_key,
                                       void *workspace, size_t length) {
  return codekem_kem_check_secret_key_with(
      kem, secret_key,
      CODEKEM_OPTIONS(.workspace = workspace, .workspace_length = length));
}

static codekem_status derive_public_key(const codekem_kem *kem, uint8_t *public_key,
                                        const uint8_t *secret_key, void *workspace,
                                        size_t length) {
  return codekem_kem_derive_public_key_with(
      kem, public_key, secret_key,
      CODEKEM_OPTIONS(.workspace = workspace, .workspace_length = length));
}
*/
import "C"

import (
	"errors"
	"fmt"
	"sync"
	"unsafe"
)

// KEM is one KEM of the C library.
type KEM struct {
	kem *C.codekem_kem
	// Working memory for any of its calls, which the library leaves wiped. Threads of some systems
	// have less stack than BIKE needs.
	workspaces sync.Pool
}

// Find returns the KEM with a name.
func Find(name string) (*KEM, error) {
	text := C.CString(name)
	defer C.free(unsafe.Pointer(text))
	found := C.codekem_kem_find(text)
	if found == nil {
		return nil, fmt.Errorf("codekem: this build of the library has no %s", name)
	}
	// Every call would fail, and Encapsulate has no way to say so.
	if C.codekem_backend_current() == nil {
		return nil, errors.New("codekem: the environment variable CODEKEM_CPU names no back end " +
			"that can run here")
	}
	k := &KEM{kem: found}
	size := max(found.length_keypair_workspace, found.length_encaps_workspace,
		found.length_decaps_workspace, found.length_check_workspace)
	k.workspaces.New = func() any {
		w := make([]byte, size+C.CODEKEM_WORKSPACE_ALIGNMENT)
		skip := -uintptr(unsafe.Pointer(&w[0])) % C.CODEKEM_WORKSPACE_ALIGNMENT
		w = w[skip : skip+uintptr(size)]
		return &w
	}
	return k, nil
}

// Sizes returns the lengths of public key, secret key, ciphertext, shared secret and seeds.
func (k *KEM) Sizes() [6]int {
	return [6]int{int(k.kem.length_public_key), int(k.kem.length_secret_key),
		int(k.kem.length_ciphertext), int(k.kem.length_shared_secret),
		int(k.kem.length_keypair_seed), int(k.kem.length_encaps_seed)}
}

// Keypair fills publicKey and secretKey from seed. All buffers have the lengths of Sizes.
func (k *KEM) Keypair(publicKey, secretKey, seed []byte) error {
	w := k.workspaces.Get().(*[]byte)
	defer k.workspaces.Put(w)
	return result(C.keypair(k.kem, first(publicKey), first(secretKey),
		first(seed), unsafe.Pointer(&(*w)[0]), C.size_t(len(*w))))
}

// Encaps fills ciphertext and sharedKey from publicKey and seed.
func (k *KEM) Encaps(ciphertext, sharedKey, publicKey, seed []byte) error {
	w := k.workspaces.Get().(*[]byte)
	defer k.workspaces.Put(w)
	return result(C.encaps(k.kem, first(ciphertext), first(sharedKey),
		first(publicKey), first(seed), unsafe.Pointer(&(*w)[0]), C.size_t(len(*w))))
}

// Decaps fills sharedKey from ciphertext and secretKey.
func (k *KEM) Decaps(sharedKey, ciphertext, secretKey []byte) error {
	w := k.workspaces.Get().(*[]byte)
	defer k.workspaces.Put(w)
	return result(C.decaps(k.kem, first(sharedKey), first(ciphertext),
		first(secretKey), unsafe.Pointer(&(*w)[0]), C.size_t(len(*w))))
}

// CheckPublicKey returns an error if publicKey is malformed.
func (k *KEM) CheckPublicKey(publicKey []byte) error {
	return result(C.codekem_kem_check_public_key(k.kem, first(publicKey)))
}

// CheckSecretKey returns an error if secretKey is malformed.
func (k *KEM) CheckSecretKey(secretKey []byte) error {
	w := k.workspaces.Get().(*[]byte)
	defer k.workspaces.Put(w)
	return result(C.check_secret_key(k.kem, first(secretKey),
		unsafe.Pointer(&(*w)[0]), C.size_t(len(*w))))
}

// DerivePublicKey fills publicKey from secretKey.
func (k *KEM) DerivePublicKey(publicKey, secretKey []byte) error {
	w := k.workspaces.Get().(*[]byte)
	defer k.workspaces.Put(w)
	return result(C.derive_public_key(k.kem, first(publicKey),
		first(secretKey), unsafe.Pointer(&(*w)[0]), C.size_t(len(*w))))
}

// Backend returns the name of the back end in use, or "" if CODEKEM_CPU names none that can run.
func Backend() string {
	return C.GoString(C.codekem_backend_current())
}

// Version returns the version of the library.
func Version() string {
	return C.GoString(C.codekem_version())
}

func first(buffer []byte) *C.uint8_t {
	return (*C.uint8_t)(unsafe.Pointer(unsafe.SliceData(buffer)))
}

func result(status C.codekem_status) error {
	if status == C.CODEKEM_OK {
		return nil
	}
	return errors.New("codekem: " + C.GoString(C.codekem_status_text(status)))
}
