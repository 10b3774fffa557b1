// SPDX-License-Identifier: Apache-2.0 OR MIT

//go:build cgo && !purego

package native

import (
	"bytes"
	"testing"
)

func TestWorkspaceIsCleared(t *testing.T) {
	k, err := Find("BIKE-L1")
	if err != nil {
		t.Fatal(err)
	}
	var made []*[]byte
	original := k.workspaces.New
	k.workspaces.New = func() any {
		workspace := original().(*[]byte)
		made = append(made, workspace)
		return workspace
	}
	sizes := k.Sizes()
	publicKey, secretKey := make([]byte, sizes[0]), make([]byte, sizes[1])
	if err := k.Keypair(publicKey, secretKey, make([]byte, sizes[4])); err != nil {
		t.Fatal(err)
	}
	if len(made) != 1 || !bytes.Equal(*made[0], make([]byte, len(*made[0]))) {
		t.Error("something is left in the workspace")
	}
}

func TestUnknownNameIsAnError(t *testing.T) {
	if _, err := Find("HQC-2"); err == nil {
		t.Error("there is an HQC-2")
	}
}
