// SPDX-License-Identifier: Apache-2.0 OR MIT

// A program for test_age.py: writes a file for the owner of an identity, as age would.
// usage: writer IDENTITY FILE
package main

import (
	"io"
	"os"
	"os/exec"
	"strings"

	"filippo.io/age"
	"filippo.io/age/plugin"
)

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func main() {
	text, err := exec.Command("age-plugin-codekem", "recipients", "-i", os.Args[1]).Output()
	check(err)
	to, err := plugin.NewRecipient(strings.TrimSpace(string(text)), &plugin.ClientUI{})
	check(err)
	file, err := os.Create(os.Args[2])
	check(err)
	out, err := age.Encrypt(file, to)
	check(err)
	_, err = io.WriteString(out, "text")
	check(err)
	check(out.Close())
	check(file.Close())
}
