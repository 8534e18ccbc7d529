package signed_test

import (
	"encoding/json"
	"net/url"
	"os"
	"regexp"
	"slices"
	"testing"

	"masthead/pkg/signed"
)

// vectors are those of the docs, which were made by another program.
type vectors struct {
	Key     string
	Vectors []struct{ Query, Canonical, Sig string }
}

func read(t *testing.T) (v vectors) {
	t.Helper()
	file, err := os.ReadFile("../../docs/signing-vectors.json")
	if err == nil {
		err = json.Unmarshal(file, &v)
	}
	if err != nil || len(v.Vectors) == 0 {
		t.Fatalf("no vectors: %v", err)
	}
	return v
}

func TestSign_vectorsOfTheDocs(t *testing.T) {
	all := read(t)
	for _, v := range all.Vectors {
		query, err := url.ParseQuery(v.Query)
		if err != nil {
			t.Fatal(err)
		}
		if got := signed.Canonical(query); got != v.Canonical {
			t.Errorf("%s: got the canonical query\n%s, want\n%s", v.Query, got, v.Canonical)
		}
		if got := signed.Sign(all.Key, query); got != v.Sig {
			t.Errorf("%s: got the signature %s, want %s", v.Query, got, v.Sig)
		}
		query.Set("sig", v.Sig)
		if !signed.Valid([]string{"another", all.Key}, query) {
			t.Errorf("%s: the signature of the second key isn't valid", v.Query)
		}
		if signed.Valid([]string{"another"}, query) || signed.Valid(nil, query) {
			t.Errorf("%s: the signature is valid without its key", v.Query)
		}
		query.Set("utm_source", "x") // has no effect
		if !signed.Valid([]string{all.Key}, query) {
			t.Errorf("%s: a parameter without effect makes the signature invalid", v.Query)
		}
		query.Set("v", "changed")
		if signed.Valid([]string{all.Key}, query) {
			t.Errorf("%s: the signature is valid for another version", v.Query)
		}
	}
}

// TestParameters_areThoseOfTheDocs compares them with the list of the function that the docs have for JavaScript.
func TestParameters_areThoseOfTheDocs(t *testing.T) {
	page, err := os.ReadFile("../../docs/publishing.md")
	if err != nil {
		t.Fatal(err)
	}
	list := regexp.MustCompile(`const names = \[([^\]]+)\]`).FindSubmatch(page)
	if list == nil {
		t.Fatal("docs/publishing.md has no list of names")
	}
	var names []string
	for _, name := range regexp.MustCompile(`"([^"]+)"`).FindAllSubmatch(list[1], -1) {
		names = append(names, string(name[1]))
	}
	if !slices.Equal(names, signed.Parameters()) {
		t.Errorf("the docs sign %v, and this program %v", names, signed.Parameters())
	}
}

func TestUntil_isATime(t *testing.T) {
	if at, err := signed.Until(url.Values{"exp": {"1893456000"}}); err != nil || at != 1893456000 {
		t.Errorf("got %d, %v", at, err)
	}
	if at, err := signed.Until(url.Values{}); err != nil || at != 0 {
		t.Errorf("got %d, %v without a time, want 0", at, err)
	}
	for _, exp := range []string{"x", "-1", "0", "1.5", "99999999999999999999"} {
		if _, err := signed.Until(url.Values{"exp": {exp}}); err == nil {
			t.Errorf("exp=%s is a time", exp)
		}
	}
}
