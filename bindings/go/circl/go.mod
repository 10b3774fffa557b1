module github.com/codekem/codekem/bindings/go/circl

go 1.25.0

require (
	github.com/cloudflare/circl v1.6.5
	github.com/codekem/codekem/bindings/go v0.1.0
)

require (
	github.com/tetratelabs/wazero v1.12.0 // indirect
	golang.org/x/crypto v0.54.0 // indirect
	golang.org/x/sys v0.47.0 // indirect
)
