// SPDX-License-Identifier: Apache-2.0 OR MIT

package codekem

import (
	"bytes"
	"runtime"
	"testing"
	"time"
)

func TestDroppedKeyIsCleared(t *testing.T) {
	dk, err := HQC1().GenerateKey()
	if err != nil {
		t.Fatal(err)
	}
	secret, seed := dk.held().secret, dk.held().seed
	if bytes.Equal(secret, make([]byte, len(secret))) || bytes.Equal(seed, make([]byte, len(seed))) {
		t.Fatal("no secret to clear")
	}
	runtime.KeepAlive(dk)
	dk = nil
	deadline := time.Now().Add(10 * time.Second)
	for time.Now().Before(deadline) {
		runtime.GC()
		if bytes.Equal(secret, make([]byte, len(secret))) &&
			bytes.Equal(seed, make([]byte, len(seed))) {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Error("the secret of a dropped key is still there")
}
