// SPDX-License-Identifier: Apache-2.0 OR MIT

package main

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"filippo.io/age"
	"filippo.io/age/plugin"
)

// The test program is the plugin if it is called by its name: so age's own client runs it.
func TestMain(m *testing.M) {
	if filepath.Base(os.Args[0]) == "age-plugin-codekem" {
		main()
	}
	os.Exit(m.Run())
}

// installed puts the plugin into PATH.
func installed(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	if err := os.Symlink(self, filepath.Join(folder, "age-plugin-codekem")); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", folder)
}

func counted(from byte) []byte {
	data := make([]byte, 32)
	for i := range data {
		data[i] = from + byte(i)
	}
	return data
}

func testIdentity(t *testing.T, from byte) *identity {
	made, err := newIdentity(append([]byte{version}, counted(from)...))
	if err != nil {
		t.Fatal(err)
	}
	return made
}

var fileKey = []byte("sixteen bytes...")

func wrapped(t *testing.T, to *recipient) *age.Stanza {
	stanzas, err := to.Wrap(fileKey)
	if err != nil || len(stanzas) != 1 {
		t.Fatal(stanzas, err)
	}
	return stanzas[0]
}

// The values come from Python's hashlib, pyca/cryptography and libcodekem.
func TestStanzaIsTheKnownAnswer(t *testing.T) {
	own := testIdentity(t, 0)
	secret, ciphertext, err := own.recipient().key.EncapsulateDerand(
		append(counted(100), counted(200)...))
	if err != nil {
		t.Fatal(err)
	}
	stanza, err := sealed(fileKey, secret, ciphertext)
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range []struct{ got, want string }{
		{digest(own.recipient().key.Bytes()), "746965fbf7b5d12c62cb184b86a123731cdb5370e1817abb9f82e713493d63b6"},
		{digest(ciphertext), "8eb373034f752098c75054f0df903016942583219c6cb312f3bd3a11bb34bc7f"},
		{hex.EncodeToString(stanza.Body), "cddac5ae7014b48f93fc6d70131442f9c910cb77a1b4c0e011b52aa098671112"},
	} {
		if one.got != one.want {
			t.Error(one)
		}
	}
	if got, err := own.Unwrap([]*age.Stanza{stanza}); err != nil || !bytes.Equal(got, fileKey) {
		t.Error(err)
	}
}

func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

func TestEveryRecipientReadsTheFileAndNobodyElse(t *testing.T) {
	one, other, third := testIdentity(t, 1), testIdentity(t, 2), testIdentity(t, 3)
	stanzas := []*age.Stanza{
		{Type: "X25519", Args: []string{"abc"}}, // of others: passed over
		wrapped(t, one.recipient()), wrapped(t, other.recipient()),
	}
	for _, of := range []*identity{one, other} {
		if got, err := of.Unwrap(stanzas); err != nil || !bytes.Equal(got, fileKey) {
			t.Error(got, err)
		}
	}
	if _, err := third.Unwrap(stanzas); !errors.Is(err, age.ErrIncorrectIdentity) {
		t.Error(err)
	}
}

func TestAlteredStanzasDoNotOpen(t *testing.T) {
	own := testIdentity(t, 1)
	good := wrapped(t, own.recipient())
	text := good.Args[0]
	exchanged := func(at int) string {
		other := byte('A')
		if text[at] == other {
			other = 'B'
		}
		return text[:at] + string(other) + text[at+1:]
	}
	raw, err := base64.RawStdEncoding.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	clear(raw[len(raw)-32:])
	zeros := base64.RawStdEncoding.EncodeToString(raw)
	body := bytes.Clone(good.Body)
	body[0] ^= 1
	closed, malformed := age.ErrIncorrectIdentity, errStanza
	for name, one := range map[string]struct {
		args []string
		body []byte
		want error
	}{
		"HQC-1":            {[]string{exchanged(0)}, good.Body, closed},
		"salt of HQC-1":    {[]string{exchanged(5900)}, good.Body, closed},
		"X25519":           {[]string{exchanged(len(text) - 5)}, good.Body, closed},
		"body":             {good.Args, body, closed},
		"short body":       {good.Args, body[1:], malformed},
		"long body":        {good.Args, append(body, 0), malformed},
		"no argument":      {nil, good.Body, malformed},
		"two arguments":    {[]string{text, text}, good.Body, malformed},
		"short ciphertext": {[]string{text[4:]}, good.Body, malformed},
		"not base64":       {[]string{"*" + text[1:]}, good.Body, malformed},
		"X25519 of zeros":  {[]string{zeros}, good.Body, closed},
	} {
		_, err := own.Unwrap([]*age.Stanza{{Type: stanzaType, Args: one.args, Body: one.body}})
		if !errors.Is(err, one.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if got, err := own.Unwrap([]*age.Stanza{good}); err != nil || !bytes.Equal(got, fileKey) {
		t.Error(err)
	}
}

func TestErrorsOfKeysSayWhatToDo(t *testing.T) {
	malformed := append([]byte{version}, testIdentity(t, 1).recipient().key.Bytes()...)
	for i := range 2 { // more than the bits that the ring has
		malformed[len(malformed)-32-1-i] = 0xff
	}
	for want, data := range map[string][]byte{
		"is empty":                     nil,
		"install a newer":              {version + 1, 0},
		"it is not complete":           {version, 0},
		"malformed, ask for it again:": malformed,
	} {
		if _, err := newRecipient(data); err == nil || !strings.Contains(err.Error(), want) {
			t.Error(want, err)
		}
		if _, err := newIdentity(data); err == nil {
			t.Error("an identity was read")
		}
	}
}

func TestAgesClientReadsAndWrites(t *testing.T) {
	installed(t)
	encoded, to, err := generate()
	if err != nil {
		t.Fatal(err)
	}
	client := &plugin.ClientUI{DisplayMessage: func(_, message string) error {
		t.Error("message to a client that knows labels:", message)
		return nil
	}}
	reader, err := plugin.NewIdentity(encoded, client)
	if err != nil {
		t.Fatal(err)
	}
	writer, err := plugin.NewRecipient(to.String(), client)
	if err != nil {
		t.Fatal(err)
	}
	for _, writer := range []age.Recipient{writer, reader.Recipient()} {
		var file bytes.Buffer
		out, err := age.Encrypt(&file, writer)
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(out, "text")
		out.Close()
		in, err := age.Decrypt(&file, reader)
		if err != nil {
			t.Fatal(err)
		}
		if text, err := io.ReadAll(in); err != nil || string(text) != "text" {
			t.Error(text, err)
		}
	}
	classic, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := age.Encrypt(io.Discard, writer, classic.Recipient()); err == nil {
		t.Error("a classic recipient was taken beside ours")
	}
	quantum, err := age.GenerateHybridIdentity()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := age.Encrypt(io.Discard, writer, quantum.Recipient()); err != nil {
		t.Error("a recipient with ML-KEM was not taken beside ours:", err)
	}
}

// What a client answers with "ok"; the plugin also sends what nobody knows.
var known = []string{"msg", "labels", "recipient-stanza", "file-key", "error"}

// asked runs the plugin as a client that sends lines, and returns the beginnings of the stanzas
// that it got.
func asked(t *testing.T, machine string, lines ...string) []string {
	theirs, stdin := io.Pipe()
	stdout, ours := io.Pipe()
	go func() {
		run([]string{"--age-plugin=" + machine}, theirs, ours, io.Discard)
		ours.Close()
	}()
	fmt.Fprintln(stdin, strings.Join(lines, "\n"))
	in := bufio.NewScanner(stdout)
	var got []string
	for in.Scan() {
		fields := strings.Fields(in.Text())
		for in.Scan() && len(in.Text()) == 64 { // its body
		}
		if fields[1] == "done" {
			break
		}
		answer := "unsupported"
		if slices.Contains(known, fields[1]) {
			answer = "ok"
			got = append(got, strings.Join(fields[1:min(4, len(fields))], " "))
		}
		fmt.Fprintf(stdin, "-> %s\n\n", answer)
	}
	return got
}

func TestClientsWithoutLabelsAreWarnedOnce(t *testing.T) {
	to := testIdentity(t, 1).recipient().String()
	add := "-> add-recipient " + to + "\n"
	key := "-> wrap-file-key\n" + "AAAAAAAAAAAAAAAAAAAAAA"
	for name, one := range map[string]struct{ lines, want []string }{
		"without labels": {
			[]string{add, add, key, "-> done\n"},
			[]string{"msg", "recipient-stanza 0 " + stanzaType, "recipient-stanza 0 " + stanzaType},
		},
		"with labels": {
			[]string{add, key, "-> extension-labels\n", "-> done\n"},
			[]string{"labels postquantum", "recipient-stanza 0 " + stanzaType},
		},
		"with another KEM's recipient": {
			[]string{"-> add-recipient " + plugin.EncodeRecipient(name, []byte{9}) + "\n", key,
				"-> done\n"},
			[]string{"error recipient 0"},
		},
	} {
		if got := asked(t, "recipient-v1", one.lines...); !slices.Equal(got, one.want) {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// said runs a command; returns its status and what it printed.
func said(arguments ...string) (status int, stdout, stderr string) {
	var out, errors bytes.Buffer
	status = run(arguments, strings.NewReader(""), &out, &errors)
	return status, out.String(), errors.String()
}

func TestKeygenWritesTheSecretIntoItsFileAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "key.txt")
	status, stdout, stderr := said("keygen", "-o", path)
	if status != 0 || stderr != "" || strings.Contains(stdout, "AGE-PLUGIN") {
		t.Fatal(status, stdout, stderr)
	}
	about, err := os.Stat(path)
	if err != nil || about.Mode() != 0o600 {
		t.Error(about, err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Count(string(text), "\nAGE-PLUGIN-CODEKEM-1") != 1 {
		t.Error("there is no identity in the file")
	}
	if _, again, _ := said("recipients", "-i", path); again != stdout {
		t.Error("recipients shows another one than keygen")
	}
	status, _, stderr = said("keygen", "-o", path)
	if status != 1 || !strings.Contains(stderr, "name another file") {
		t.Error(status, stderr)
	}
	if now, err := os.ReadFile(path); err != nil || !bytes.Equal(now, text) {
		t.Error("the identity that was there was changed", err)
	}
}

// broken refuses what is written.
type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("no space") }

func TestFailuresAreSaid(t *testing.T) {
	folder := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	encoded, _, err := generate()
	if err != nil {
		t.Fatal(err)
	}
	other := "Q"
	if encoded[30] == 'Q' {
		other = "P"
	}
	altered := "# comment\n" + encoded[:30] + other + encoded[31:]
	for _, one := range []struct {
		want      string
		arguments []string
	}{
		{"usage", nil},
		{`no command "keygn"`, []string{"keygn"}},
		{"wants -o FILE", []string{"keygen"}},
		{"wants -o FILE", []string{"keygen", "-o", "one", "two"}},
		{"no such file", []string{"keygen", "-o", filepath.Join(folder, "none", "key.txt")}},
		{"wants -i FILE", []string{"recipients", "-o", "x"}},
		{"holds no identity", []string{"recipients", "-i", file("empty", "# nothing\n")}},
		{"line 2: this is no identity", []string{"recipients", "-i", file("altered", altered)}},
		{"line 1: the identity has", []string{"recipients", "-i",
			file("short", plugin.EncodeIdentity(name, []byte{version}))}},
	} {
		status, stdout, stderr := said(one.arguments...)
		if status == 0 || stdout != "" || !strings.Contains(stderr, one.want) {
			t.Errorf("%q: %d %q", one.arguments, status, stderr)
		}
		if strings.Contains(stderr, encoded[20:40]) {
			t.Error("the secret was shown:", stderr)
		}
	}
	var stderr bytes.Buffer
	arguments := []string{"keygen", "-o", filepath.Join(folder, "key.txt")}
	if status := run(arguments, nil, broken{}, &stderr); status != 1 ||
		!strings.Contains(stderr.String(), "no space") {
		t.Error(status, stderr.String())
	}
}
