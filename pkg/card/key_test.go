package card

import (
	"testing"

	"masthead/pkg/apperr"
)

func base() Request {
	return Request{URL: "https://example.com/page?b=2&a=1", Style: Style{Dark: true}}
}

// keyOf normalizes and returns the key in the project p.
func keyOf(t *testing.T, r Request) string {
	t.Helper()
	return keyIn(t, "p", r)
}

func keyIn(t *testing.T, project string, r Request) string {
	t.Helper()
	r, err := r.Normalize()
	if err != nil {
		t.Fatal(err)
	}
	key, err := r.Key(project)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func TestKey_samePictureHasSameKey(t *testing.T) {
	want := keyOf(t, base())
	for name, change := range map[string]func(*Request){
		"scheme and host":    func(r *Request) { r.URL = "HTTPS://EXAMPLE.com/page?b=2&a=1" },
		"default port":       func(r *Request) { r.URL = "https://example.com:443/page?b=2&a=1" },
		"fragment":           func(r *Request) { r.URL += "#part" },
		"defaults":           func(r *Request) { r.Kind, r.Template, r.Style.Font = OG, "editorial", "inter" },
		"aspect of an og":    func(r *Request) { r.Style.AspectRatio = "16:10" },
		"what is its own":    func(r *Request) { r.Own = Own{Owner: "o", Fresh: true} },
		"speaker of nothing": func(r *Request) { r.Content.Quote.Speaker = "x" },
		"spaces of a text":   func(r *Request) { r.Content.Title = "  " },
	} {
		r := base()
		change(&r)
		if got := keyOf(t, r); got != want {
			t.Errorf("%s makes another key", name)
		}
	}
}

func TestKey_otherPictureHasOtherKey(t *testing.T) {
	seen := map[string]string{keyOf(t, base()): "nothing", keyIn(t, "q", base()): "project"}
	if len(seen) != 2 {
		t.Error("another project has the same key")
	}
	for name, change := range map[string]func(*Request){
		"order of query":  func(r *Request) { r.URL = "https://example.com/page?a=1&b=2" },
		"path":            func(r *Request) { r.URL = "https://example.com/Page?b=2&a=1" },
		"http":            func(r *Request) { r.URL = "http://example.com/page?b=2&a=1" },
		"kind":            func(r *Request) { r.Kind = BlogHero },
		"aspect":          func(r *Request) { r.Kind, r.Style.AspectRatio = BlogHero, "16:10" },
		"template":        func(r *Request) { r.Template = "poster" },
		"light":           func(r *Request) { r.Style.Dark = false },
		"font":            func(r *Request) { r.Style.Font = "noto-sans" },
		"accent":          func(r *Request) { r.Style.Accent = "#6366f1" }, // the default color, but asked for
		"logo":            func(r *Request) { r.Style.Logo = &Logo{URL: "https://example.com/l.png"} },
		"logo's corner":   func(r *Request) { r.Style.Logo = &Logo{URL: "https://example.com/l.png", Position: "top-right"} },
		"ai":              func(r *Request) { r.AI = &AI{} },
		"ai model":        func(r *Request) { r.AI = &AI{Model: "pro"} },
		"ai prompt":       func(r *Request) { r.AI = &AI{Prompt: "x"} },
		"ai override":     func(r *Request) { r.AI = &AI{Prompt: "x", Override: true} },
		"title":           func(r *Request) { r.Content.Title = "x" },
		"description":     func(r *Request) { r.Content.Description = "x" },
		"site name":       func(r *Request) { r.Content.SiteName = "x" },
		"eyebrow":         func(r *Request) { r.Content.Eyebrow = "x" },
		"author":          func(r *Request) { r.Content.Author = "x" },
		"date":            func(r *Request) { r.Content.Date = "2026-01-02" },
		"quotation":       func(r *Request) { r.Content.Quote.Text = "x" },
		"speaker":         func(r *Request) { r.Content.Quote = Quote{Text: "x", Speaker: "y"} },
		"favicon":         func(r *Request) { r.Content.Favicon = "https://example.com/x" },
		"title like json": func(r *Request) { r.Content.Title = `x","description":"x` },
	} {
		r := base()
		change(&r)
		key := keyOf(t, r)
		if other, ok := seen[key]; ok {
			t.Errorf("%s has the key of %s", name, other)
		}
		seen[key] = name
	}
}

// TestKey_requestOfOldRelease_keepsItsKey has the keys that images were kept under before: nothing may be drawn anew
// because of how an address is read.
func TestKey_requestOfOldRelease_keepsItsKey(t *testing.T) {
	for url, want := range map[string]string{
		"https://example.com/page?b=2&a=1":      "af9276659f0bb2bb2869f5a44ae61cbfe6c0041bef0eb64b8a083118303ba2cc",
		"HTTPS://ExAmPlE.COM:443":               "720bb1e4f0efb718c51d3e79f1fd11ec0b80f733d8cba045d80694023a6cec3d",
		"http://example.com:8080/a/../b/./c#x":  "a1c750f30def4b7fd3a4c9c39c78779dbb73b9dbe210e1a09ad95166fb1af8d8",
		"https://bücher.example/größe?q=straße": "cf8f2f8ff0cbfadf6217450b27be6d53371cb2b05b0461836e31aec502b140c6",
		"https://example.com./a b?c d":          "9a08c88be33325976ab4c96e4c64647b78ae7b54bc33353dc4a1fb48966cd26c",
		"https://my_site.example/100%.png":      "1f795680986d75058cd7c0f552daf0fa43b1faa24d3226620e0965faf7810017",
		"http://[2001:0DB8::1]:80/":             "bcf4725e4740f3f51398951234d942ce8a10cf12c0f4f348a448e039546ce21a",
		"http://192.0.2.7/":                     "dcd8f67f94121c1913ab2f69e6bf2b88d41be71d1c15ef4b4346eb607cffba3f",
		"https://example.com/?":                 "104be4b0b507260ab60abbc4fc2325d972251688279e532677dfcc418dc8eedc",
		"http://2130706433/":                    "2908b7f7a08e41f1b69106c367c110dc122cc084f6c3fe2b48ddc24c6e17b36a",
		"http://0X7F.1:80/a?b#c":                "b4129872ab477a3ddeff6cb5c1a656157238671da2a57ffd9acbf1213893b3cd",
		"HTTP://127.1:8080":                     "d3fe90ac58f1da93aa6346458fac635b079e854dfa5e4cf903b81bac77d9504b",
	} {
		r := Request{
			URL: url, Style: Style{Dark: true, Logo: &Logo{URL: "HTTPS://example.com:443/l.png"}},
			Content: Content{Title: "T", Favicon: "https://EXAMPLE.com/i.png#x"},
		}
		if got := keyOf(t, r); got != want {
			t.Errorf("%s: got %s, want %s", url, got, want)
		}
	}
}

// FuzzNormalise holds that what was normalised once stays as it is, and that a request is either good or the client's
// fault.
func FuzzNormalise(f *testing.F) {
	f.Add("https://example.com/", "Title", "2026-03-12", "#6366F1", "https://example.com/logo.png")
	f.Add("http://xn--bcher-kva.example/ä?q=ü#x", "\u202eTitle\x00", "2026-03-12T09:30:00+02:00", "", "")
	f.Add("http://127.0.0.1:9/", "", "yesterday", "red", "javascript:x")
	f.Fuzz(func(t *testing.T, url, title, date, accent, logo string) {
		r := Request{URL: url, Style: Style{Accent: accent}, Content: Content{Title: title, Date: date}}
		if logo != "" {
			r.Style.Logo = &Logo{URL: logo}
		}
		once, err := r.Normalize()
		if err != nil {
			if apperr.CodeOf(err) != apperr.BadRequest {
				t.Fatalf("got %v, want the client's fault", err)
			}
			return
		}
		key, err := once.Key("p")
		if err != nil {
			t.Fatal(err)
		}
		if again := keyOf(t, once); again != key {
			t.Errorf("normalised twice, %+v has another key", once)
		}
	})
}
