// SPDX-License-Identifier: Apache-2.0 OR MIT

// Package wasm runs the library as WebAssembly, without cgo.
package wasm

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"runtime"
	"sync"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
)

//go:embed codekem.wasm
var binary []byte

// The members of codekem_kem that are read, by their offsets for wasm32 (codekem.h).
const (
	// offsets: made by parameters/generate.py
	offsetSizes         = 16 // six lengths: public key to seed of encapsulation
	offsetKeypairLength = 40 // lengths of workspaces
	offsetEncapsLength  = 44
	offsetDecapsLength  = 48
	offsetCheckLength   = 64

	// The members of codekem_options that are written, and its length.
	optionSize            = 0
	optionSeed            = 4
	optionWorkspace       = 16
	optionWorkspaceLength = 20
	optionsBytes          = 28
	// offsets: end
)

const (
	workspaceAlignment    = 64
	optionAlignment       = 4
	pageBytes             = 65536
	statusOK              = 0
	longestText           = 256
	functionKeypair       = "codekem_kem_keypair_with"
	functionEncaps        = "codekem_kem_encaps_with"
	functionDecaps        = "codekem_kem_decaps_with"
	functionCheckPublic   = "codekem_kem_check_public_key"
	functionCheckSecret   = "codekem_kem_check_secret_key_with"
	functionDerivePublic  = "codekem_kem_derive_public_key_with"
	functionFind          = "codekem_kem_find"
	functionStatusText    = "codekem_status_text"
	functionVersion       = "codekem_version"
	globalFirstFreeOfHeap = "__heap_base"
)

// The module is compiled once, at the first use, which takes some tenths of a second.
var start = sync.OnceValues(func() (*engine, error) {
	ctx := context.Background()
	e := &engine{
		runtime: wazero.NewRuntime(ctx),
		// As many as can run at once are kept; a burst of more makes some that are closed again.
		idle: make(chan *instance, runtime.GOMAXPROCS(0)),
	}
	var err error
	if e.module, err = e.runtime.CompileModule(ctx, binary); err != nil {
		return nil, fmt.Errorf("codekem: WebAssembly: %w", err)
	}
	return e, nil
})

type engine struct {
	runtime wazero.Runtime
	module  wazero.CompiledModule
	idle    chan *instance
}

// An instance has its own memory and serves one call at a time.
type instance struct {
	module    api.Module
	memory    api.Memory
	heap      uint32 // where memory is free
	functions map[string]api.Function
	stack     [8]uint64 // arguments and result of a call
}

func (e *engine) get() (*instance, error) {
	select {
	case i := <-e.idle:
		return i, nil
	default:
	}
	// Without a name there may be any number of them.
	module, err := e.runtime.InstantiateModule(context.Background(), e.module,
		wazero.NewModuleConfig().WithName(""))
	if err != nil {
		return nil, fmt.Errorf("codekem: WebAssembly: %w", err)
	}
	i := &instance{module: module, memory: module.Memory(), functions: map[string]api.Function{},
		heap: uint32(module.ExportedGlobal(globalFirstFreeOfHeap).Get())}
	for name := range e.module.ExportedFunctions() {
		i.functions[name] = module.ExportedFunction(name)
	}
	return i, nil
}

func (e *engine) put(i *instance) {
	select {
	case e.idle <- i:
	default:
		_ = i.module.Close(context.Background()) // there is nothing to lose in it
	}
}

func (i *instance) call(name string, arguments ...uint32) (uint32, error) {
	for n, argument := range arguments {
		i.stack[n] = uint64(argument)
	}
	if err := i.functions[name].CallWithStack(context.Background(), i.stack[:]); err != nil {
		return 0, fmt.Errorf("codekem: WebAssembly: %w", err)
	}
	return uint32(i.stack[0]), nil
}

// text calls a function that returns a string of C.
func (i *instance) text(name string, arguments ...uint32) (string, error) {
	address, err := i.call(name, arguments...)
	if err != nil {
		return "", err
	}
	for length := uint32(0); length < longestText; length++ {
		if b, ok := i.memory.ReadByte(address + length); ok && b == 0 {
			bytes, _ := i.memory.Read(address, length)
			return string(bytes), nil
		}
	}
	return "", errors.New("codekem: WebAssembly: a text without end")
}

// reserve makes sure that the memory reaches to end.
func (i *instance) reserve(end uint32) error {
	if size := i.memory.Size(); end > size {
		if _, ok := i.memory.Grow((end - size + pageBytes - 1) / pageBytes); !ok {
			return errors.New("codekem: WebAssembly: no memory")
		}
	}
	return nil
}

// aligned returns the first multiple of a power of two from an address on.
func aligned(address, power uint32) uint32 {
	return (address + power - 1) &^ (power - 1)
}

// KEM is one KEM of the module.
type KEM struct {
	engine  *engine
	address uint32
	sizes   [6]int
	needs   map[string]uint32 // bytes of workspace by function
}

// Find returns the KEM with a name.
func Find(name string) (*KEM, error) {
	e, err := start()
	if err != nil {
		return nil, err
	}
	i, err := e.get()
	if err != nil {
		return nil, err
	}
	defer e.put(i)
	if err := i.reserve(i.heap + pageBytes); err != nil {
		return nil, err
	}
	i.memory.WriteString(i.heap, name+"\x00")
	address, err := i.call(functionFind, i.heap)
	if err != nil {
		return nil, err
	}
	if address == 0 {
		return nil, fmt.Errorf("codekem: the WebAssembly module has no %s", name)
	}
	member := func(offset uint32) uint32 {
		value, _ := i.memory.ReadUint32Le(address + offset)
		return value
	}
	k := &KEM{engine: e, address: address, needs: map[string]uint32{
		functionKeypair:      member(offsetKeypairLength),
		functionEncaps:       member(offsetEncapsLength),
		functionDecaps:       member(offsetDecapsLength),
		functionCheckSecret:  member(offsetCheckLength),
		functionDerivePublic: member(offsetCheckLength),
	}}
	for n := range k.sizes {
		k.sizes[n] = int(member(offsetSizes + 4*uint32(n)))
	}
	return k, nil
}

// Sizes returns the lengths of public key, secret key, ciphertext, shared secret and seeds.
func (k *KEM) Sizes() [6]int {
	return k.sizes
}

// run calls a function with the addresses of copies of buffers, the first of which are outputs,
// and of options with a workspace, and a seed unless it is nil, if it takes them. It clears the
// copies.
func (k *KEM) run(name string, seed []byte, outputs int, buffers ...[]byte) error {
	i, err := k.engine.get()
	if err != nil {
		return err
	}
	arguments := make([]uint32, 0, len(i.stack))
	arguments = append(arguments, k.address)
	end := i.heap
	for _, buffer := range buffers {
		arguments = append(arguments, end)
		end += uint32(len(buffer))
	}
	var seedAt uint32
	if seed != nil {
		seedAt = end
		end += uint32(len(seed))
	}
	options := aligned(end, optionAlignment)
	used := options + optionsBytes - i.heap
	workspace := aligned(i.heap+used, workspaceAlignment)
	need, takesOptions := k.needs[name]
	if err := i.reserve(workspace + need); err != nil {
		k.engine.put(i)
		return err
	}
	if takesOptions {
		arguments = append(arguments, options)
		i.memory.WriteUint32Le(options+optionSize, optionsBytes)
		i.memory.WriteUint32Le(options+optionSeed, seedAt)
		i.memory.WriteUint32Le(options+optionWorkspace, workspace)
		i.memory.WriteUint32Le(options+optionWorkspaceLength, need)
	}
	i.memory.Write(seedAt, seed)
	for n, buffer := range buffers[outputs:] {
		i.memory.Write(arguments[1+outputs+n], buffer)
	}
	status, err := i.call(name, arguments...)
	if err != nil { // a trap: what is in its memory is not known
		_ = i.module.Close(context.Background())
		return err
	}
	for n, buffer := range buffers[:outputs] {
		view, _ := i.memory.Read(arguments[1+n], uint32(len(buffer)))
		copy(buffer, view)
	}
	view, _ := i.memory.Read(i.heap, used)
	clear(view)
	defer k.engine.put(i)
	if status != statusOK {
		text, err := i.text(functionStatusText, status)
		if err != nil {
			return err
		}
		return errors.New("codekem: " + text)
	}
	return nil
}

// Keypair fills publicKey and secretKey from seed. All buffers have the lengths of Sizes.
func (k *KEM) Keypair(publicKey, secretKey, seed []byte) error {
	return k.run(functionKeypair, seed, 2, publicKey, secretKey)
}

// Encaps fills ciphertext and sharedKey from publicKey and seed.
func (k *KEM) Encaps(ciphertext, sharedKey, publicKey, seed []byte) error {
	return k.run(functionEncaps, seed, 2, ciphertext, sharedKey, publicKey)
}

// Decaps fills sharedKey from ciphertext and secretKey.
func (k *KEM) Decaps(sharedKey, ciphertext, secretKey []byte) error {
	return k.run(functionDecaps, nil, 1, sharedKey, ciphertext, secretKey)
}

// CheckPublicKey returns an error if publicKey is malformed.
func (k *KEM) CheckPublicKey(publicKey []byte) error {
	return k.run(functionCheckPublic, nil, 0, publicKey)
}

// CheckSecretKey returns an error if secretKey is malformed.
func (k *KEM) CheckSecretKey(secretKey []byte) error {
	return k.run(functionCheckSecret, nil, 0, secretKey)
}

// DerivePublicKey fills publicKey from secretKey.
func (k *KEM) DerivePublicKey(publicKey, secretKey []byte) error {
	return k.run(functionDerivePublic, nil, 1, publicKey, secretKey)
}

// Backend returns what stands for the name of a back end here.
func Backend() string {
	return "wasm"
}

// Version returns the version of the library in the module, or "" if it cannot run.
func Version() string {
	e, err := start()
	if err != nil {
		return ""
	}
	i, err := e.get()
	if err != nil {
		return ""
	}
	defer e.put(i)
	text, _ := i.text(functionVersion)
	return text
}
