module github.com/codekem/codekem/bindings/go/age-plugin-codekem

go 1.25.0

require (
	filippo.io/age v1.3.1
	github.com/codekem/codekem/bindings/go v0.1.0
	golang.org/x/crypto v0.54.0
)

require (
	filippo.io/hpke v0.4.0 // indirect
	github.com/tetratelabs/wazero v1.12.0 // indirect
	golang.org/x/sys v0.47.0 // indirect
	golang.org/x/term v0.45.0 // indirect
)
