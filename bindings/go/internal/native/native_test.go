// SPDX-License-Identifier: Apache-2.0 OR MIT

//go:build cgo && !purego

package native

import (
	"bytes"
	"strings"
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

// The package gives every call outputs of its own; slices that overlap are refused all the same.
func TestOverlapIsAnErrorAndWritesNothing(t *testing.T) {
	k, err := Find("BIKE-L1")
	if err != nil {
		t.Fatal(err)
	}
	sizes := k.Sizes()
	memory := bytes.Repeat([]byte{7}, sizes[0]+sizes[1])
	before := bytes.Clone(memory)
	err = k.Keypair(memory[:sizes[0]], memory[1:1+sizes[1]], make([]byte, sizes[4]))
	if err == nil || !strings.Contains(err.Error(), "overlaps") {
		t.Errorf("overlapping keys: %v", err)
	}
	if !bytes.Equal(memory, before) {
		t.Error("overlapping keys were written")
	}
	if err = k.Keypair(memory[:sizes[0]], memory[sizes[0]:], make([]byte, sizes[4])); err != nil {
		t.Errorf("keys one behind the other: %v", err)
	}
}

func TestUnknownNameIsAnError(t *testing.T) {
	if _, err := Find("HQC-2"); err == nil {
		t.Error("there is an HQC-2")
	}
}
