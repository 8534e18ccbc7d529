package backup

import (
	"archive/tar"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
)

const (
	testDigest = "abababababababababababababababababababababababababababababababab"
	testFile   = "images/ab/" + testDigest + ".og.png"
)

// testManifest is the manifest of the archives of these tests.
var testManifest = Manifest{Format: formatVersion, Masthead: "1.2.3", Database: "postgres", Schema: []int64{1, 2}}

// archiveOf returns an archive with a manifest and the given names and contents.
func archiveOf(t testing.TB, entries ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := newWriter(&b)
	if err := w.json(manifestName, testManifest); err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(entries); i += 2 {
		if err := w.bytes(entries[i], []byte(entries[i+1])); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.end(0); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// readAll reads an archive as a restore does, and returns the names and contents of its entries.
func readAll(archive io.Reader) (found []string, err error) {
	r := newReader(archive)
	if _, err := r.manifest(); err != nil {
		return nil, err
	}
	for {
		e, err := r.next()
		if err != nil || e == nil {
			return found, err
		}
		content, err := e.whole()
		if err != nil {
			return found, err
		}
		found = append(found, e.name, string(content))
	}
}

func TestReader_readsWhatWasWritten(t *testing.T) {
	want := []string{
		"secrets/jwt-secret", "secret", "tables/a/00000000.jsonl", "{}\n", "tables/b/00000000.jsonl", "",
		testFile, "picture",
	}
	got, err := readAll(bytes.NewReader(archiveOf(t, want...)))
	if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
}

// TestReader_everyCutAndEveryChangeIsFound cuts an archive after each byte, and changes each byte of its entries.
func TestReader_everyCutAndEveryChangeIsFound(t *testing.T) {
	whole := archiveOf(t, "tables/a/00000000.jsonl", `{"id": 1}`, testFile, "picture")
	want, err := readAll(bytes.NewReader(whole))
	if err != nil {
		t.Fatal(err)
	}
	end := bytes.TrimRight(whole, "\x00")
	for n := range end {
		if got, err := readAll(bytes.NewReader(whole[:n])); err == nil {
			t.Fatalf("cut after %d of %d bytes: got %q, want it refused", n, len(whole), got)
		}
		changed := bytes.Clone(whole)
		changed[n] ^= 1
		// Some bytes of headers mean nothing, such as the owner's number; what is read is the same then.
		if got, err := readAll(bytes.NewReader(changed)); err == nil && fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("byte %d changed: got %q, want it refused", n, got)
		}
	}
}

func TestReader_refusesWhatNoBackupHas(t *testing.T) {
	long := strings.Repeat("x", maxSecret+1)
	for name, entries := range map[string][]string{
		"a path that leaves the folder": {"images/../../etc/passwd", "x"},
		"an absolute path":              {"/etc/passwd", "x"},
		"a digest in another folder":    {"images/cd/" + testDigest + ".og.png", "x"},
		"a hidden file":                 {"images/ab/" + testDigest + ".", "x"},
		"an unknown file":               {"notes.txt", "x"},
		"a table's odd name":            {`tables/a"b/00000000.jsonl`, "x"},
		"a file before a table":         {testFile, "x", "tables/a/00000000.jsonl", "{}"},
		"two databases":                 {databaseName, "x", databaseName, "x"},
		"a second manifest":             {manifestName, "{}"},
		"a large secret":                {"secrets/jwt-secret", long},
		"another end":                   {endName, `{"entries":1}`},
	} {
		if _, err := readAll(bytes.NewReader(archiveOf(t, entries...))); !errors.As(err, new(damageError)) {
			t.Errorf("%s: got %v, want it to be called damaged", name, err)
		}
	}
}

// TestReader_boundsAreReached has headers that promise more than is allowed; nothing of their content is read.
func TestReader_boundsAreReached(t *testing.T) {
	sum := hex.EncodeToString(sha256.New().Sum(nil))
	for name, h := range map[string]tar.Header{
		"a large picture":  {Name: testFile, Size: maxFile + 1, Typeflag: tar.TypeReg},
		"a large part":     {Name: "tables/a/00000000.jsonl", Size: maxFile + 1, Typeflag: tar.TypeReg},
		"a large manifest": {Name: manifestName, Size: maxManifest + 1, Typeflag: tar.TypeReg},
		"a link":           {Name: testFile, Linkname: "/etc/passwd", Typeflag: tar.TypeSymlink},
		"a folder":         {Name: "images/", Typeflag: tar.TypeDir},
		"no checksum":      {Name: testFile, Typeflag: tar.TypeReg, PAXRecords: map[string]string{}},
		"an attribute": {
			Name: testFile, Typeflag: tar.TypeReg, PAXRecords: map[string]string{"MASTHEAD.more": "1", checksum: sum},
		},
	} {
		var b bytes.Buffer
		w := newWriter(&b)
		if err := w.json(manifestName, testManifest); err != nil {
			t.Fatal(err)
		}
		h.Format = tar.FormatPAX
		if h.PAXRecords == nil {
			h.PAXRecords = map[string]string{checksum: sum}
		}
		if err := w.tar.WriteHeader(&h); err != nil {
			t.Fatal(err)
		}
		if _, err := readAll(&b); !errors.As(err, new(damageError)) || strings.Contains(err.Error(), "too early") {
			t.Errorf("%s: got %v, want it refused by its header", name, err)
		}
	}
}

func TestReader_anotherFormatIsNamed(t *testing.T) {
	var b bytes.Buffer
	w := newWriter(&b)
	if err := w.json(manifestName, map[string]any{"format": 2, "schema": "of another type"}); err != nil {
		t.Fatal(err)
	}
	if _, err := readAll(&b); err == nil || !strings.Contains(err.Error(), "format 2") {
		t.Errorf("got %v, want the format named", err)
	}
}

// cheap makes passphrases cheap: a work factor of 2¹⁰ instead of 2¹⁸.
const cheap = 10

func TestSeal_onlyItsPassphraseOpensIt(t *testing.T) {
	workFactor = cheap
	t.Cleanup(func() { workFactor = 0 })
	var b bytes.Buffer
	w, err := seal(&b, "the passphrase")
	if err == nil {
		_, err = w.Write(archiveOf(t, testFile, strings.Repeat("picture", 20_000)))
		err = errors.Join(err, w.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	whole := b.Bytes()
	changed := bytes.Clone(whole)
	changed[70_000] ^= 1
	for name, c := range map[string]struct {
		archive    []byte
		passphrase string
		want       error
		damaged    bool
	}{
		"right":      {whole, "the passphrase", nil, false},
		"wrong":      {whole, "another one", ErrPassphrase, false},
		"none":       {whole, "", ErrEncrypted, false},
		"cut":        {whole[:len(whole)-100], "the passphrase", nil, true},
		"changed":    {changed, "the passphrase", nil, true},
		"cut header": {whole[:60], "the passphrase", nil, true},
		// 2²¹ would take 2 GB and 8 seconds.
		"too much work": {bytes.Replace(whole, []byte(" 10\n"), []byte(" 21\n"), 1), "the passphrase", nil, true},
	} {
		plain, err := unseal(bytes.NewReader(c.archive), c.passphrase)
		if err == nil {
			_, err = readAll(plain)
		}
		switch {
		case c.damaged && errors.As(err, new(damageError)):
		case c.damaged, !errors.Is(err, c.want):
			t.Errorf("%s: got %v, want %v", name, err, c.want)
		}
	}
}

// FuzzArchive reads anything, as an archive and as an encrypted one.
func FuzzArchive(f *testing.F) {
	whole := archiveOf(f, "secrets/jwt-secret", "x", "tables/a/00000000.jsonl", "{}", testFile, "picture")
	f.Add(whole)
	f.Add(archiveOf(f, databaseName, "x"))
	f.Add(whole[:len(whole)/2])
	f.Add([]byte(ageHeader + "-> scrypt AAAA 10\nAAAA\n--- AAAA\n"))
	f.Fuzz(func(t *testing.T, archive []byte) {
		plain, err := unseal(bytes.NewReader(archive), "")
		if err != nil {
			return
		}
		found, err := readAll(plain)
		if err != nil {
			return
		}
		// What is accepted can be written again and read again.
		again, err := readAll(bytes.NewReader(archiveOf(t, found...)))
		if err != nil || fmt.Sprint(again) != fmt.Sprint(found) {
			t.Errorf("got %q, %v, want %q", again, err, found)
		}
	})
}
