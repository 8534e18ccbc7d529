package page_test

import (
	"maps"
	"net/url"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"masthead/pkg/cleantext"
	"masthead/pkg/page"
)

// fill returns unit over and over, to the length that a fetched page may have at most.
func fill(unit string) string { return strings.Repeat(unit, page.MaxBytes/len(unit)) }

// hostile are pages that want to crash, hold or fill whoever reads them. Each begins with a title that must still be
// read.
var hostile = map[string]func() string{
	"nested elements":       func() string { return strings.Repeat("<div>", 100_000) },
	"nested to the limit":   func() string { return fill("<b>") },
	"nested boxes in h1":    func() string { return "<h1>" + fill("<div>") },
	"nested lists":          func() string { return "<main>" + fill("<ul><li>x") },
	"nested quotations":     func() string { return fill("<blockquote>x") },
	"nested templates":      func() string { return fill("<template>") },
	"nested svg":            func() string { return fill("<svg>") },
	"nested foreignObject":  func() string { return fill("<svg><foreignObject>") },
	"million meta":          func() string { return strings.Repeat("<meta name=a content=b>", 1_000_000) },
	"meta og:image":         func() string { return fill("<meta property=og:image content=//a/b>") },
	"meta with many keys":   func() string { return `<meta content="x y z" property="` + fill("og:a ") + `">` },
	"meta with many unique": func() string { return `<meta content="&amp;amp;" name="` + unique() + `">` },
	"links":                 func() string { return fill("<link rel=icon href=a sizes=1x1>") },
	"link of many tokens":   func() string { return `<link href=x rel="` + fill("icon ") + `">` },
	"icon of many sizes":    func() string { return `<link href=x rel=icon sizes="` + fill("1x1 ") + `">` },
	"headings":              func() string { return fill("<h2>a</h2>") },
	"titles":                func() string { return fill("<title>a</title>") },
	"5 MB attribute": func() string {
		return `<meta name=description content="` + strings.Repeat("a", 5_000_000) +
			`">`
	},
	"5 MB attribute, open": func() string { return `<meta name=description content="` + strings.Repeat("a", 5_000_000) },
	"long attribute": func() string {
		return `<meta name=description content="` + strings.Repeat("a ", 1_400_000) + `"><h1>x</h1>`
	},
	"references": func() string {
		return `<meta name=description content="` + fill("&amp;#x41;")[:2_900_000] +
			`">`
	},
	"ampersands":            func() string { return `<meta name=description content="` + fill("&")[:2_900_000] + `">` },
	"one long reference":    func() string { return `<meta name=description content="&` + fill("a")[:2_900_000] + `;">` },
	"attributes":            func() string { return "<meta " + fill("a=b ")[:2_900_000] + ">" },
	"attributes everywhere": func() string { return fill("<p a b c d e f g h i j k l m n o>") },
	"less-than signs":       func() string { return fill("<") },
	"open tags":             func() string { return fill("<a ") },
	"open comment":          func() string { return "<!--" + fill("-") },
	"open comments":         func() string { return fill("<!--") },
	"bogus comments":        func() string { return fill("</>") },
	"CDATA":                 func() string { return "<svg>" + fill("<![CDATA[") },
	"open script":           func() string { return "<script>" + fill("</scrip") },
	"script escapes":        func() string { return "<script>" + fill("<!--<script>-->") },
	"script of arrows":      func() string { return "<script><!--" + fill("-->") },
	"open style":            func() string { return "<style>" + fill("--a:") },
	"style of braces":       func() string { return "<style>" + fill("{;}{") + "</style>" },
	"style of comment ends": func() string { return "<style>a{" + fill("*/--a") + "}</style>" },
	"style of backgrounds":  func() string { return "<style>button{" + fill("background ") + "}</style>" },
	"inline styles":         func() string { return fill("<a style='background:red'>") },
	"JSON nested": func() string {
		return `<script type="application/ld+json">` + fill("[")[:200_000] +
			"</script>"
	},
	"JSON values": func() string {
		return strings.Repeat(`<script type="application/ld+json">[`+strings.Repeat("[],", 60_000)+"0]</script>", 16)
	},
	"JSON members": func() string {
		return strings.Repeat(`<script type="application/ld+json">{`+strings.Repeat(`"a":{},`, 20_000)+`"b":0}</script>`, 16)
	},
	"JSON escapes": func() string {
		return strings.Repeat(`<script type="application/ld+json">"`+strings.Repeat(`\u0000`, 30_000)+`"</script>`, 16)
	},
	"JSON references": func() string {
		return ld(`[` + strings.Repeat(`{"@id":"a","publisher":{"@id":"b"}},`, 6000) +
			`0]`)
	},
	"JSON authors": func() string {
		return ld(`{"@type":"Article","author":[` + strings.Repeat(`{"@id":"b"},`, 15_000) + `0]}`)
	},
	"JSON images": func() string {
		return ld(`{"@type":"Article","image":[` +
			strings.Repeat(`"data:x",`, 20_000) + `0]}`)
	},
	"NUL":          func() string { return fill("\x00") },
	"NUL in a tag": func() string { return "<meta name=description content='" + fill("\x00")[:2_900_000] + "'>" },
	"not UTF-8":    func() string { return "<p>" + fill("\xff") },
	"not UTF-8 in a text": func() string {
		return "<meta name=description content='" + fill("\xf0\x9f")[:2_900_000] +
			"'>"
	},
	"marks":     func() string { return "<h1>e" + fill("\u0301") },
	"joiners":   func() string { return "<h1>" + fill("\u200d") },
	"times":     func() string { return fill("<time itemprop=datepublished datetime=x>") },
	"microdata": func() string { return fill("<p itemtype=a typeof=b>") },
	"address": func() string {
		return "<base href='" + fill("%")[:2_900_000] + "'><link rel=icon href='" + fill("\\")[:9000] + "'>"
	},
	"theme colors": func() string { return fill("<meta name=theme-color content=red media=x>") },
	"robots":       func() string { return "<meta name=robots content='" + fill("a,")[:2_900_000] + "'>" },
}

func unique() string {
	var b strings.Builder
	for i := 0; b.Len() < 2_900_000; i++ {
		b.WriteString("k")
		for n := i; n > 0; n /= 26 {
			b.WriteByte(byte('a' + n%26))
		}
		b.WriteByte(' ')
	}
	return b.String()
}

// maxMemory is what reading one page may take, in bytes. The test counts all memory that is ever asked for, which is
// more than is held at any time.
const maxMemory = 64 << 20

func TestParse_hostilePages_endInTime(t *testing.T) {
	for _, name := range slices.Sorted(maps.Keys(hostile)) {
		body := []byte("<title>Kept</title>" + hostile[name]())
		var p *page.Page
		_, bytes := allocations(func() { p = page.Parse(body, "text/html; charset=utf-8", pageURL) })
		if bytes > maxMemory {
			t.Errorf("%s: took %d MB, want at most %d", name, bytes>>20, maxMemory>>20)
		}
		if p.Metadata.Title != "Kept" {
			t.Errorf("%s: the title is %.40q", name, p.Metadata.Title)
		}
		p.Meta.Robots("robots")
		if len(p.Meta) > 4096 || len(p.Links) > 1024 || len(p.Headings) > 512 || len(p.Images) > 64 || len(p.Titles) > 16 ||
			len(p.JSONLD) > 16 || len(p.Microdata) > 16 {
			t.Errorf("%s: a list is too long", name)
		}
	}
}

// TestParse_hostileEncodings_areBounded: the worst that decoding can do to the size of a body.
func TestParse_hostileEncodings_areBounded(t *testing.T) {
	for name, c := range map[string]struct{ unit, contentType string }{
		"single bytes": {"\x80", "text/html; charset=windows-1252"},
		"GBK":          {"\xa1\xa1", "text/html; charset=gbk"},
		"big5":         {"\xa4\x40", "text/html; charset=big5"},
		"shift_jis":    {"\xb1", "text/html; charset=shift_jis"},
		"iso-2022-jp":  {"\x1b$B\x30\x21", "text/html; charset=iso-2022-jp"},
		"utf-16":       {"\x00\x30", "text/html; charset=utf-16le"},
		"not UTF-8":    {"\xff", "text/html; charset=utf-8"},
	} {
		body := []byte(fill(c.unit))
		_, bytes := allocations(func() { page.Parse(body, c.contentType, pageURL) })
		if bytes > maxMemory {
			t.Errorf("%s: took %d MB, want at most %d", name, bytes>>20, maxMemory>>20)
		}
	}
}

func TestParse_longBody_isCut(t *testing.T) {
	p := parse("<title>a</title>" + strings.Repeat(" ", page.MaxBytes) + "<meta name=description content=late>")
	if !p.Truncated || p.Metadata.Description != "" || p.Metadata.Title != "a" {
		t.Errorf("got truncated %v, description %q", p.Truncated, p.Metadata.Description)
	}
	if p := parse("<title>a</title>"); p.Truncated {
		t.Error("a short page counts as truncated")
	}
}

func TestParse_withoutAddress_works(t *testing.T) {
	p := page.Parse([]byte("<link rel=icon href=/x><title>t</title>"), "", nil)
	if m := p.Metadata; m.Title != "t" || m.URL != "" || m.Favicon != "" || m.SiteName != "" {
		t.Errorf("got %+v", m)
	}
}

// BenchmarkHostile prints how long the pages of TestParse_hostilePages_endInTime take: none should come near a second.
func BenchmarkHostile(b *testing.B) {
	for _, name := range slices.Sorted(maps.Keys(hostile)) {
		body := []byte("<title>Kept</title>" + hostile[name]())
		b.Run(strings.ReplaceAll(name, " ", "_"), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				page.Parse(body, "text/html; charset=utf-8", pageURL)
			}
		})
	}
}

// FuzzHTML: any document is read without a panic; texts are UTF-8 and clean, addresses are http or https, and reading
// the same bytes again gives the same preview.
func FuzzHTML(f *testing.F) {
	for _, seed := range []string{
		`<title>a</title><meta property=og:image content="//x/y"><link rel="icon" sizes="any 1x1" href="data:,"><base href=/b/>`,
		`<svg><title>x</title><foreignObject><svg></foreignObject><meta name=a content=b><template><svg></template><h1>h</h1>`,
		`<main><ul><li>one two three<li>four five six</ul><blockquote>quotation of some length<cite>c</cite></blockquote><article><time datetime=2024-01-01>`,
		`<style>:root{--brand:#f00}@media x{a{background:red}}</style><a style="background:url(x)"><button style=background:red>`,
		`<script type=application/ld+json>{"@graph":[{"@type":"Article","author":{"@id":"#a"},"image":["x",{"url":"y"}],"datePublished":"2024"}]}</script>`,
		`<meta name=og:url content="http://[::1]:99999/%zz\a b"><link rel=canonical href="http://é.example:80"><meta http-equiv=x content="charset=gbk">`,
	} {
		f.Add([]byte(seed), "https://www.example.com/a/b?c")
		f.Add([]byte(seed), "http://user@[::1]:80/%41/v1.2.3/github/")
	}
	f.Fuzz(func(t *testing.T, body []byte, address string) {
		u := mustParseOr(address)
		p := page.Parse(body, "text/html", u)
		m := p.Metadata
		for _, s := range append(p.Details.Items, m.Title, m.Description, m.SiteName, p.Details.Author, p.Details.Quote,
			p.Details.Eyebrow, p.Details.Lead) {
			if !utf8.ValidString(s) || s != strings.TrimSpace(s) || strings.ContainsAny(s, "\n\t\u200b\ufeff") {
				t.Errorf("%q is no clean text", s)
			}
		}
		for _, s := range []string{m.Image, m.URL, m.Favicon, p.Manifest, p.Details.HeroImage} {
			if s != "" && !strings.HasPrefix(s, "http://") && !strings.HasPrefix(s, "https://") {
				t.Errorf("%q is no address", s)
			}
			if again, ok := p.Resolve(s); s != "" && (!ok || again != s) {
				t.Errorf("%q resolves to %q", s, again)
			}
		}
		if again := page.Parse(body, "text/html", u).Metadata; again != m {
			t.Errorf("got %+v, then %+v", m, again)
		}
	})
}

// TestParse_siteNameOfCardsIsBounded gives a page a name of its site that is longer than any card shows.
func TestParse_siteNameOfCardsIsBounded(t *testing.T) {
	long := `<!doctype html><meta property="og:site_name" content="` + strings.Repeat("name ", 20_000) + `">`
	p := page.Parse([]byte(long), "text/html; charset=utf-8", &url.URL{Scheme: "https", Host: "example.com"})
	if n := utf8.RuneCountInString(p.Details.SiteName); n == 0 || n > cleantext.MaxSite {
		t.Errorf("the site's name has %d characters, want at most %d", n, cleantext.MaxSite)
	}
}
