// SPDX-License-Identifier: Apache-2.0 OR MIT

//go:build cgo && !purego

// Package native runs the C library, which is compiled with it.
package native

/*
#cgo CFLAGS: -std=gnu11 -O3 -fno-strict-aliasing -I${SRCDIR}/include
#cgo CFLAGS: -I${SRCDIR}/src/common -I${SRCDIR}/src/kem
#cgo !windows CFLAGS: -fstack-clash-protection
#cgo windows LDFLAGS: -lbcrypt
#cgo noescape codekem_kem_keypair_workspace
#cgo nocallback codekem_kem_keypair_workspace
#cgo noescape codekem_kem_encaps_workspace
#cgo nocallback codekem_kem_encaps_workspace
#cgo noescape codekem_kem_decaps_workspace
#cgo nocallback codekem_kem_decaps_workspace
#cgo noescape codekem_kem_check_public_key
#cgo nocallback codekem_kem_check_public_key
#cgo noescape codekem_kem_check_secret_key_workspace
#cgo nocallback codekem_kem_check_secret_key_workspace
#cgo noescape codekem_kem_derive_public_key_workspace
#cgo nocallback codekem_kem_derive_public_key_workspace
#include <stdlib.h>
#include "codekem.h"
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
	return result(C.codekem_kem_keypair_workspace(k.kem, first(publicKey), first(secretKey),
		first(seed), unsafe.Pointer(&(*w)[0]), C.size_t(len(*w))))
}

// Encaps fills ciphertext and sharedKey from publicKey and seed.
func (k *KEM) Encaps(ciphertext, sharedKey, publicKey, seed []byte) error {
	w := k.workspaces.Get().(*[]byte)
	defer k.workspaces.Put(w)
	return result(C.codekem_kem_encaps_workspace(k.kem, first(ciphertext), first(sharedKey),
		first(publicKey), first(seed), unsafe.Pointer(&(*w)[0]), C.size_t(len(*w))))
}

// Decaps fills sharedKey from ciphertext and secretKey.
func (k *KEM) Decaps(sharedKey, ciphertext, secretKey []byte) error {
	w := k.workspaces.Get().(*[]byte)
	defer k.workspaces.Put(w)
	return result(C.codekem_kem_decaps_workspace(k.kem, first(sharedKey), first(ciphertext),
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
	return result(C.codekem_kem_check_secret_key_workspace(k.kem, first(secretKey),
		unsafe.Pointer(&(*w)[0]), C.size_t(len(*w))))
}

// DerivePublicKey fills publicKey from secretKey.
func (k *KEM) DerivePublicKey(publicKey, secretKey []byte) error {
	w := k.workspaces.Get().(*[]byte)
	defer k.workspaces.Put(w)
	return result(C.codekem_kem_derive_public_key_workspace(k.kem, first(publicKey),
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
