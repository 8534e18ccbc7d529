package page_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"masthead/pkg/page"
)

func TestParseJSON_texts_asEncodingJSON(t *testing.T) {
	deep := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	for text, want := range map[string]string{ // the error, or "" for none
		` {"a": [1, -2.5e+3, true, null, "\u00e9\ud83d\ude00\n"], "b": {}} `: "",
		`"x"`:                                    "",
		deep(32):                                 "",
		deep(33):                                 "line 1: nested deeper than 32",
		"":                                       "line 1: unexpected end: a value is expected",
		"{\n\"a\": 1,\n}":                        "line 3: a name in double quotes is expected",
		"[1\n2]":                                 "line 2: a comma or a closing bracket is expected",
		`{"a" 1}`:                                "line 1: a colon is expected",
		`[1,]`:                                   "line 1: a value is expected",
		`{"a":1}}`:                               "line 1: text after the end of the value",
		"\"a\nb\"":                               "line 1: a control character in a string",
		`"abc`:                                   "line 1: an unterminated string",
		`"\x"`:                                   "line 1: an unknown escape in a string",
		`01`:                                     "line 1: an invalid number",
		`<!-- {} -->`:                            "line 1: a value is expected",
		`"` + strings.Repeat("x", 256<<10) + `"`: "line 1: the block is longer than 256 KiB",
		"[" + strings.Repeat("0,", 60_000) + "0]": "line 1: too many values",
	} {
		_, err := page.ParseJSON(text)
		got := ""
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%.40q: got %q, want %q", text, got, want)
		}
	}
}

func TestValue_accessors_followPaths(t *testing.T) {
	v, err := page.ParseJSON(`{"@type":["schema:Article","http://schema.org/NewsArticle"],"n":1,"n":2,"s":["",{"@value":"in"}],"a":[{"name":"x"},"y"],"t":true,
		"lone":"\ud800x\udc00","nul":"\u0000"}`)
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(v.Types(), " "); got != "Article NewsArticle" || !v.HasType("NewsArticle") ||
		v.HasType("Thing") {
		t.Errorf("types: got %q", got)
	}
	for name, want := range map[string]string{"n": "2", "s": "in", "t": "", "none": "", "lone": "\ufffdx\ufffd",
		"nul": "\x00"} {
		if got := v.Get(name).String(); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
	if got := v.Get("a").Each(); len(got) != 2 || got[0].Get("name").String() != "x" || got[1].String() != "y" {
		t.Errorf("a: got %v", got)
	}
	if got := v.Get("none").Get("deeper").Each(); got != nil {
		t.Errorf("got %v, want nothing", got)
	}
}

func TestParse_muchJSONLD_isBounded(t *testing.T) {
	const block = `<script type="application/ld+json">{"@type":"Thing"}</script>`
	p := parse("\n\n" + strings.Repeat(block, 20))
	if len(p.JSONLD) != 16 || len(p.Nodes()) != 16 || p.JSONLD[0].Line != 3 {
		t.Errorf("got %d blocks, %d nodes, line %d; want 16, 16, 3", len(p.JSONLD), len(p.Nodes()), p.JSONLD[0].Line)
	}
	p = parse(`<script type="application/ld+json">"` + strings.Repeat("x", 300_000) + `"</script>` + block)
	var fault *page.JSONError
	if len(p.JSONLD) != 2 || !errors.As(p.JSONLD[0].Err, &fault) || p.JSONLD[1].Err != nil {
		t.Errorf("a block that is too long: got %d blocks, error %v", len(p.JSONLD), p.JSONLD[0].Err)
	}
	p = parse(strings.Repeat(`<script type="application/ld+json">[`+strings.Repeat("0,", 20_000)+`0]</script>`, 4))
	bad := 0
	for _, b := range p.JSONLD {
		if b.Err != nil {
			bad++
		}
	}
	if bad != 2 {
		t.Errorf("blocks share a number of values: got %d of 4 refused, want 2", bad)
	}
}

// FuzzJSON compares the parser with encoding/json: they accept the same texts and see the same values.
func FuzzJSON(f *testing.F) {
	for _, seed := range []string{`{"a":[1,2.5e3,-0,true,false,null,"\u00e9\ud83d\ude00\ud800"]}`, `[[[]]]`,
		`{"a":1,"a":2}`, `"\"\\\/\b\f\n\r\t"`, ` 1 `, `01`, `1.`, `-`, `{"a"`, `nul`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		v, err := page.ParseJSON(text)
		var want any
		d := json.NewDecoder(strings.NewReader(text))
		d.UseNumber()
		valid := json.Valid([]byte(text))
		if err != nil {
			if valid && !strings.Contains(err.Error(), "deeper") && !strings.Contains(err.Error(), "too many") {
				t.Errorf("%q: %v, but it is valid", text, err)
			}
			return
		}
		if !valid {
			t.Fatalf("%q is accepted and not valid", text)
		}
		if err := d.Decode(&want); err != nil {
			t.Fatal(err)
		}
		same(t, &v, want)
	})
}

// same reports a difference between a value and what encoding/json made of it.
func same(t *testing.T, v *page.Value, want any) {
	t.Helper()
	switch want := want.(type) {
	case nil:
		if v.Type != page.Null {
			t.Errorf("got %v, want null", v)
		}
	case bool:
		if v.Type != page.Bool || v.Text == "true" != want {
			t.Errorf("got %v, want %v", v, want)
		}
	case json.Number:
		if v.Type != page.Number || v.Text != want.String() {
			t.Errorf("got %v, want %v", v, want)
		}
	case string:
		if v.Type != page.String || strings.ToValidUTF8(v.Text, "\ufffd") != strings.ToValidUTF8(want, "\ufffd") {
			if !strings.Contains(want, "\ufffd") { // bytes that are no UTF-8, which no document has once it is decoded
				t.Errorf("got %q, want %q", v.Text, want)
			}
		}
	case []any:
		if v.Type != page.Array || len(v.Members) != len(want) {
			t.Fatalf("got %v, want %v", v, want)
		}
		for i := range want {
			same(t, &v.Members[i].Value, want[i])
		}
	case map[string]any:
		if v.Type != page.Object {
			t.Fatalf("got %v, want %v", v, want)
		}
		for name, w := range want {
			if got := v.Get(name); got != nil || !strings.Contains(name, "\ufffd") {
				if got == nil {
					t.Fatalf("no member %q", name)
				}
				same(t, got, w)
			}
		}
	}
}
