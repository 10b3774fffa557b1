// SPDX-License-Identifier: Apache-2.0 OR MIT

//go:build go1.26

package codekem

import "crypto"

var (
	_ crypto.Encapsulator = (*EncapsulationKey)(nil)
	_ crypto.Decapsulator = (*DecapsulationKey)(nil)
	_ crypto.Encapsulator = (*HybridEncapsulationKey)(nil)
	_ crypto.Decapsulator = (*HybridDecapsulationKey)(nil)
)

// Encapsulator returns the public key that belongs to the key, as crypto.Decapsulator asks.
func (dk *DecapsulationKey) Encapsulator() crypto.Encapsulator {
	return dk.EncapsulationKey()
}

// Encapsulator returns the public key that belongs to the key, as crypto.Decapsulator asks.
func (dk *HybridDecapsulationKey) Encapsulator() crypto.Encapsulator {
	return dk.EncapsulationKey()
}
