// SPDX-License-Identifier: Apache-2.0 OR MIT

//go:build !cgo || purego

package codekem

import engine "github.com/codekem/codekem/bindings/go/internal/wasm"

type engineKEM = engine.KEM

var (
	findKEM       = engine.Find
	engineBackend = engine.Backend
	engineVersion = engine.Version
)
