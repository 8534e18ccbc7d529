package page

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// lower folds ASCII letters and no others, as HTML does.
func lower(s string) string {
	b := []byte(s)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

// tokensOf returns what the scanner makes of src, one line per tag or run of text.
func tokensOf(src string) []string {
	s := scanner{src: []byte(src)}
	var out []string
	text := ""
	flush := func() {
		if text != "" {
			out = append(out, "text "+text)
			text = ""
		}
	}
	for {
		switch s.next() {
		case endOfDocument:
			flush()
			return out
		case textToken:
			text += decodeText(s.src[s.start:s.end])
		case endTag:
			flush()
			out = append(out, "end "+lower(src[s.name.from:s.name.to]))
		case startTag:
			flush()
			line := "start " + lower(src[s.name.from:s.name.to])
			seen := map[string]bool{}
			for _, a := range s.attrs {
				name := lower(src[a.name.from:a.name.to])
				if v, _ := s.attr(name); !seen[name] { // of several with one name the first counts
					line += fmt.Sprintf(" %s=%q", name, decodeAttr(v))
				}
				seen[name] = true
			}
			out = append(out, line)
			if s.elem.raw() {
				at := s.rawText(s.elem)
				if text = src[at.from:at.to]; s.elem == elemTitle || s.elem == elemTextarea {
					text = decodeText([]byte(text))
				}
				flush()
			}
		}
	}
}

// tokensOfNet is tokensOf by the tokenizer of golang.org/x/net/html.
func tokensOfNet(src string) []string {
	z := html.NewTokenizer(strings.NewReader(src))
	var out []string
	text := ""
	flush := func() {
		if text != "" {
			out = append(out, "text "+text)
			text = ""
		}
	}
	for {
		switch z.Next() {
		case html.ErrorToken:
			flush()
			return out
		case html.TextToken:
			text += string(z.Text())
		case html.EndTagToken:
			flush()
			name, _ := z.TagName()
			out = append(out, "end "+string(name))
		case html.StartTagToken, html.SelfClosingTagToken:
			flush()
			name, more := z.TagName()
			line := "start " + string(name)
			for more {
				var k, v []byte
				k, v, more = z.TagAttr()
				line += fmt.Sprintf(" %s=%q", k, v)
			}
			out = append(out, line)
		}
	}
}

// FuzzScanner compares the scanner with the tokenizer of golang.org/x/net/html: the same tags with the same
// attributes, and the same text between them.
func FuzzScanner(f *testing.F) {
	for _, seed := range []string{
		`<html><head><title>a &amp; b</title><meta name=x content='y &copy z'></head><body>text</body></html>`,
		`a < b <c d=e/f> <g h = "i>j" k='l"' m></n o=p>`,
		`<!-- c --><!--> x --><!---> y --><!-- a -- b --!> z <!-- unclosed <p>`,
		`<script>if (a < b) "</scrip>" x</script>z<script/>a</SCRIPT >`,
		`<style>a>b{}</styles></style><textarea><p></textarea ><title></title><xmp><b></xmp><iframe><a></iframe>`,
		`<?php echo "<p>"?><!doctype html><![CDATA[ x ]]></ bogus></><p =a =b= c==d"e'f>`,
		`<a href="?a=1&copy=2&amp;lt=3&notit;&not;&#38;&#x26;&#xZ;&CounterClockwiseContourIntegral;">&copyx &notit;`,
		`<p a="1" a='2' A=3 /x/ y=/>`, `<plaintext></plaintext><p>`, `<`, `</`, `</a`, `<a`, `<a b`, `<a b=`, `<a b="`, `a<`,
		`a</`, `<!`, `<!-`, `<!--`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, src string) {
		// The other tokenizer treats noscript as a browser that runs scripts, turns CR into LF, leaves NUL to its
		// parser, and forgets in a script that "<!--" stood before "<" (TestScanner_script_endsWhereBrowsersEndIt has
		// these).
		folded := strings.ToLower(src)
		if len(src) > 1<<12 || strings.ContainsAny(src, "\x00\r") || strings.Contains(folded, "noscript") {
			t.Skip("the other tokenizer reads noscript, CR and NUL by other rules")
		}
		if strings.Contains(folded, "<script") && strings.Contains(folded, "<!--") {
			t.Skip("the other tokenizer ends scripts with comments elsewhere than browsers do")
		}
		got, want := tokensOf(src), tokensOfNet(src)
		if g, w := strings.Join(got, "\n"), strings.Join(want, "\n"); g != w {
			t.Errorf("%q\n got %s\nwant %s", src, g, w)
		}
	})
}

func TestScanner_script_endsWhereBrowsersEndIt(t *testing.T) {
	for name, c := range map[string]struct{ src, content string }{
		"plain":               {`if (a < b) c()</script>rest`, `if (a < b) c()`},
		"any case":            {`a</sCrIpT\t>rest`, `a`},
		"longer name":         {`"</scripts>"</script>`, `"</scripts>"`},
		"comment":             {`<!-- a --></script>`, `<!-- a -->`},
		"comment stays open":  {`<!-- a </script> b -->`, `<!-- a `},
		"nested script":       {`<!-- <script> </script> </script> -->`, `<!-- <script> </script> `},
		"nested script ends":  {`<!-- <script> --> </script>`, `<!-- <script> --> `},
		"two dashes do both":  {`<!--></script>`, `<!-->`},
		"three dashes":        {`<!---></script>`, `<!--->`},
		"nested after <":      {`<!--<<script </script 0></script>`, `<!--<<script </script 0>`},
		"no nesting outside":  {`<script></script>`, `<script>`},
		"escape begins again": {`<!-- --> <!-- <script> </script> --></script>`, `<!-- --> <!-- <script> </script> -->`},
		"no end":              {`a <!-- <script> b`, `a <!-- <script> b`},
	} {
		s := scanner{src: []byte("<script>" + strings.ReplaceAll(c.src, `\t`, "\t"))}
		s.next()
		at := s.rawText(elemScript)
		if got := string(s.src[at.from:at.to]); got != c.content {
			t.Errorf("%s: got %q, want %q", name, got, c.content)
		}
	}
}

func TestScanner_manyTokens_stopsAtItsLimit(t *testing.T) {
	s := scanner{src: bytes.Repeat([]byte("<p>"), maxTokens+10)}
	n := 0
	for s.next() != endOfDocument {
		n++
	}
	if n != maxTokens || !s.stopped {
		t.Errorf("got %d tokens, stopped %v; want %d, true", n, s.stopped, maxTokens)
	}
}

func TestScanner_document_takesNoMemory(t *testing.T) {
	src := bytes.Repeat([]byte(`<div class="a" id='b'><p>text &amp; more</p><!-- c --><img src=x></div>`), 1000)
	attrs := make([]attribute, 0, 8)
	if n := testing.AllocsPerRun(10, func() {
		s := scanner{src: src, attrs: attrs}
		for s.next() != endOfDocument {
		}
	}); n != 0 {
		t.Errorf("got %v allocations, want 0", n)
	}
}

// BenchmarkTokenizer reads the pages of the corpus with the scanner and with the tokenizer of golang.org/x/net/html,
// and does nothing with the tokens.
func BenchmarkTokenizer(b *testing.B) {
	files, _ := filepath.Glob(filepath.Join(os.Getenv("MASTHEAD_TEST_CORPUS"), "pages", "*.html"))
	if len(files) == 0 {
		b.Skip("MASTHEAD_TEST_CORPUS names no folder: the tokenizers are not compared")
	}
	var pages [][]byte
	total := int64(0)
	for _, file := range files {
		page, err := os.ReadFile(file)
		if err != nil {
			b.Fatal(err)
		}
		pages = append(pages, page)
		total += int64(len(page))
	}
	b.Run("scanner", func(b *testing.B) {
		b.SetBytes(total)
		b.ReportAllocs()
		for b.Loop() {
			for _, page := range pages {
				s := scanner{src: page}
				for kind := s.next(); kind != endOfDocument; kind = s.next() {
					if kind == startTag && s.elem.raw() {
						s.rawText(s.elem)
					}
				}
			}
		}
	})
	b.Run("x-net-html", func(b *testing.B) {
		b.SetBytes(total)
		b.ReportAllocs()
		for b.Loop() {
			for _, page := range pages {
				z := html.NewTokenizer(bytes.NewReader(page))
				for z.Next() != html.ErrorToken {
				}
			}
		}
	})
}
