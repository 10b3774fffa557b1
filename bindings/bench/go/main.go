// SPDX-License-Identifier: Apache-2.0 OR MIT

// Measures KEMs of the package codekem and of crypto/mlkem on request.
//
// Each line of standard input is a KEM and a number of repetitions, "HQC-1 20"; the answer is a
// line with the smallest time of key generation, encapsulation and decapsulation in nanoseconds.
package main

import (
	"bufio"
	"crypto/mlkem"
	"fmt"
	"log"
	"os"
	"time"

	codekem "github.com/codekem/codekem/bindings/go"
)

const peer = "ML-KEM-768"

// An exchange is the three operations of a KEM.
type exchange struct {
	generate, encapsulate, decapsulate func()
}

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func find(name string) exchange {
	if name == peer {
		dk := must(mlkem.GenerateKey768())
		ek := dk.EncapsulationKey()
		_, ciphertext := ek.Encapsulate()
		return exchange{
			func() { must(mlkem.GenerateKey768()) },
			func() { ek.Encapsulate() },
			func() { must(dk.Decapsulate(ciphertext)) },
		}
	}
	k := must(codekem.ByName(name))
	dk := must(k.GenerateKey())
	ek := dk.EncapsulationKey()
	_, ciphertext := ek.Encapsulate()
	return exchange{
		func() { must(k.GenerateKey()) },
		func() { ek.Encapsulate() },
		func() { must(dk.Decapsulate(ciphertext)) },
	}
}

func smallest(repetitions int, call func()) time.Duration {
	best := time.Hour
	for range repetitions {
		begin := time.Now()
		call()
		best = min(best, time.Since(begin))
	}
	return best
}

func main() {
	found := map[string]exchange{}
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		var name string
		var repetitions int
		if _, err := fmt.Sscan(lines.Text(), &name, &repetitions); err != nil {
			log.Fatalf("%q: expected a KEM and a number", lines.Text())
		}
		e, ok := found[name]
		if !ok {
			e = find(name)
			found[name] = e
		}
		fmt.Println(smallest(repetitions, e.generate).Nanoseconds(),
			smallest(repetitions, e.encapsulate).Nanoseconds(),
			smallest(repetitions, e.decapsulate).Nanoseconds())
	}
}
