// SPDX-License-Identifier: Apache-2.0 OR MIT

package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"

	"filippo.io/age/plugin"
)

// fileOption returns the value of the only option of a command.
func fileOption(command, option string, arguments []string) (string, error) {
	flags := flag.NewFlagSet(command, flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	path := flags.String(option, "", "")
	if err := flags.Parse(arguments); err != nil || flags.NArg() > 0 || *path == "" {
		return "", fmt.Errorf("%s wants -%s FILE, and nothing else", command, option)
	}
	return *path, nil
}

// writeNew writes a file that only its owner may read. One that is there stays, and one that cannot
// be written whole is removed.
func writeNew(path, text string) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s is there already, and a lost identity loses files: name another file",
			path)
	}
	if err != nil {
		return err
	}
	_, err = file.WriteString(text)
	if err == nil {
		err = file.Sync()
	}
	if closed := file.Close(); err == nil {
		err = closed
	}
	if err != nil {
		os.Remove(path)
	}
	return err
}

func keygen(arguments []string, stdout io.Writer) error {
	path, err := fileOption("keygen", "o", arguments)
	if err != nil {
		return err
	}
	encoded, to, err := generate()
	if err != nil {
		return err
	}
	text := fmt.Sprintf("# created: %s\n# recipient: %s\n%s\n",
		time.Now().Format(time.RFC3339), to, encoded)
	if err := writeNew(path, text); err != nil {
		return err
	}
	if _, err := fmt.Fprintln(stdout, to); err != nil {
		return fmt.Errorf("the identity is in %s, but its recipient could not be written: %w; "+
			"age-plugin-%s recipients -i %[1]s shows it", path, err, name)
	}
	return nil
}

// identitiesOf reads a file of identities. No error shows what is in it.
func identitiesOf(path string) ([]*identity, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var found []*identity
	lines := bufio.NewScanner(file)
	for number := 1; lines.Scan(); number++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		of, data, err := plugin.ParseIdentity(line)
		if err != nil || of != name {
			return nil, fmt.Errorf("%s, line %d: this is no identity of age-plugin-%s", path, number,
				name)
		}
		made, err := newIdentity(data)
		clear(data)
		if err != nil {
			return nil, fmt.Errorf("%s, line %d: %w", path, number, err)
		}
		found = append(found, made)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if found == nil {
		return nil, fmt.Errorf("%s holds no identity", path)
	}
	return found, nil
}

func recipients(arguments []string, stdout io.Writer) error {
	path, err := fileOption("recipients", "i", arguments)
	if err != nil {
		return err
	}
	found, err := identitiesOf(path)
	if err != nil {
		return err
	}
	for _, one := range found {
		if _, err := fmt.Fprintln(stdout, one.recipient()); err != nil {
			return err
		}
	}
	return nil
}
