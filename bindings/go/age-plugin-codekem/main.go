// SPDX-License-Identifier: Apache-2.0 OR MIT

// age-plugin-codekem lets age and rage encrypt files to HQC-1 and X25519 together.
//
//	age-plugin-codekem keygen -o key.txt > recipient.txt
//	age -R recipient.txt -o secret.age file
//	age -d -i key.txt -o file secret.age
//
// An identity is a byte for the version and a seed of 32 bytes; a recipient that byte and the two
// public keys. The stanza "-> codekem/hqc1x25519 BASE64" has both ciphertexts, and as its body the
// file key under ChaCha20-Poly1305 with a key that HKDF-SHA256 makes of the hybrid's secret.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"

	"filippo.io/age"
	"filippo.io/age/plugin"
	codekem "github.com/codekem/codekem/bindings/go"
)

const usage = `usage: age-plugin-codekem keygen -o FILE > RECIPIENTS
       age-plugin-codekem recipients -i FILE
       age-plugin-codekem --version

keygen      writes a new identity into FILE, which must not exist yet, and its recipient to stdout
recipients  writes the recipients of the identities in FILE to stdout
Otherwise age and rage call it: age -R RECIPIENTS -o OUT IN, and age -d -i FILE -o OUT IN.
`

const warning = "this program cannot check that all recipients are post-quantum: if an age1... " +
	"or SSH recipient is among them, the file is not (age 1.3 and rage check it)"

// watch is a reader that notes whether a line has come by.
type watch struct {
	source io.Reader
	line   []byte
	tail   []byte
	seen   bool
}

func (w *watch) Read(data []byte) (int, error) {
	n, err := w.source.Read(data)
	if !w.seen {
		w.tail = append(w.tail, data[:n]...)
		w.seen = bytes.Contains(w.tail, w.line)
		w.tail = bytes.Clone(w.tail[max(0, len(w.tail)-len(w.line)):])
	}
	return n, err
}

// speak answers age's questions; returns the exit status.
func speak(arguments []string, stdin io.Reader, stdout, stderr io.Writer) int {
	made, err := plugin.New(name)
	if err != nil {
		fmt.Fprintln(stderr, err)
		return 1
	}
	flags := flag.NewFlagSet("age-plugin-codekem", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Usage = func() { fmt.Fprint(stderr, usage) }
	made.RegisterFlags(flags)
	if err := flags.Parse(arguments); err != nil {
		return 2
	}
	if flags.NArg() > 0 || flags.Lookup("age-plugin").Value.String() == "" {
		fmt.Fprintf(stderr, "age-plugin-codekem: there is no command %q\n%s", arguments[0], usage)
		return 2
	}
	// Clients that know labels say so. The others let files be encrypted to anybody beside.
	labels := &watch{source: stdin, line: []byte("\n-> extension-labels\n"), tail: []byte("\n")}
	made.SetIO(labels, stdout, stderr)
	warned := false
	warn := func() {
		if !labels.seen && !warned {
			warned = true
			made.DisplayMessage(warning) // if the client cannot show it, it says so itself
		}
	}
	made.HandleRecipient(func(data []byte) (age.Recipient, error) {
		to, err := newRecipient(data)
		if err != nil {
			return nil, err
		}
		to.warn = warn
		return to, nil
	})
	made.HandleIdentityAsRecipient(func(data []byte) (age.Recipient, error) {
		own, err := newIdentity(data)
		if err != nil {
			return nil, err
		}
		to := own.recipient()
		to.warn = warn
		return to, nil
	})
	made.HandleIdentity(func(data []byte) (age.Identity, error) { return newIdentity(data) })
	return made.Main()
}

// run does what arguments say; returns the exit status.
func run(arguments []string, stdin io.Reader, stdout, stderr io.Writer) int {
	command := ""
	if len(arguments) > 0 {
		command = arguments[0]
	}
	var err error
	switch command {
	case "keygen":
		err = keygen(arguments[1:], stdout)
	case "recipients":
		err = recipients(arguments[1:], stdout)
	case "--version", "-version":
		_, err = fmt.Fprintln(stdout, "age-plugin-codekem", codekem.Version())
	case "", "help", "-h", "-help", "--help":
		fmt.Fprint(stderr, usage)
		if command == "" {
			return 2
		}
	default:
		return speak(arguments, stdin, stdout, stderr)
	}
	if err != nil {
		fmt.Fprintf(stderr, "age-plugin-codekem: %v\n", err)
		return 1
	}
	return 0
}

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }
