package page_test

import (
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/net/html/charset"

	"masthead/pkg/page"
)

// encode returns s in the named encoding.
func encode(t testing.TB, s, name string) string {
	t.Helper()
	enc, _ := charset.Lookup(name)
	if enc == nil {
		t.Fatalf("no encoding %s", name)
	}
	out, err := enc.NewEncoder().String(s)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// utf16le returns s in UTF-16, with the low or the high byte first.
func utf16Bytes(s string, bigEndian bool) string {
	var b strings.Builder
	for _, u := range utf16.Encode([]rune(s)) {
		if bigEndian {
			b.WriteByte(byte(u >> 8))
			b.WriteByte(byte(u))
		} else {
			b.WriteByte(byte(u))
			b.WriteByte(byte(u >> 8))
		}
	}
	return b.String()
}

func TestParse_charsets_decidedInOrder(t *testing.T) {
	const html, utf8BOM = "text/html", "\xef\xbb\xbf"
	title := func(s string) string { return "<title>" + s + "</title>" }
	meta := func(label string) string { return `<meta charset="` + label + `">` }
	long := "<!-- " + strings.Repeat("x", 15_000) + " -->"
	for name, c := range map[string]struct {
		body, header       string
		charset, from, got string
	}{
		"nothing, ASCII":     {title("abc"), html, "utf-8", "bytes", "abc"},
		"nothing, UTF-8":     {title("Zürich"), "", "utf-8", "bytes", "Zürich"},
		"nothing, not UTF-8": {title("Z\xfcrich \x80"), html, "windows-1252", "bytes", "Zürich €"},
		"header": {title("\xe9\xd7"), "text/html; Charset=ISO-8859-2", "iso-8859-2",
			"header", "é×"},
		"header in quotes": {title("\xcf\xf0\xe8"), `text/html;charset="windows-1251"; x=y`,
			"windows-1251", "header", "При"},
		"header before meta": {meta("utf-8") + title("\xe9"), "text/html; charset=latin1",
			"windows-1252", "header", "é"},
		"header unknown": {meta("windows-1251") + title("\xcf"), "text/html; charset=klingon",
			"windows-1251", "meta", "П"},
		"BOM before header": {utf8BOM + title("é"), "text/html; charset=iso-8859-1", "utf-8", "bom",
			"é"},
		"UTF-16 little-endian": {"\xff\xfe" + utf16Bytes(title("Ж𝄞"), false), html, "utf-16le", "bom",
			"Ж𝄞"},
		"UTF-16 big-endian": {"\xfe\xff" + utf16Bytes(title("Ж𝄞"), true), html, "utf-16be", "bom", "Ж𝄞"},
		"UTF-16 by header": {utf16Bytes(title("Ж"), false), "text/html; charset=utf-16", "utf-16le",
			"header", "Ж"},
		"meta": {meta("Shift_JIS") + title(encode(t, "日本語表示", "shift_jis")), html,
			"shift_jis", "meta", "日本語表示"},
		"meta http-equiv": {`<META content='text/html; charset = "EUC-KR" ' http-equiv=Content-Type>` +
			title(encode(t, "뷁한국", "euc-kr")), html, "euc-kr", "meta", "뷁한국"},
		"meta with value": {`<meta value="text/html;charset=gb2312">` + title(encode(t, "中文", "gbk")),
			html, "gbk", "meta", "中文"},
		"gbk has what gb18030 has": {meta("gbk") + title("\x81\x30\x81\x30"), html, "gbk", "meta", "\u0080"},
		"second meta is the first that is known": {meta("klingon") + meta("utf-7") + meta("iso-2022-kr") + meta("koi8-u") +
			title("\xf7"), html, "koi8-u", "meta", "В"},
		"meta says utf-16":          {meta("utf-16le") + title("é"), html, "utf-8", "meta", "é"},
		"meta says x-user-defined":  {meta("x-user-defined") + title("\x80"), html, "windows-1252", "meta", "€"},
		"meta overruled by UTF-8":   {meta("iso-8859-1") + title("é"), html, "utf-8", "bytes", "é"},
		"meta stands without proof": {meta("iso-8859-1") + title("e"), html, "windows-1252", "meta", "e"},
		"meta after 15 KB": {long + meta("windows-1251") + title("\xcf"), html, "windows-1251", "meta",
			"П"},
		"meta after 17 KB": {long + strings.Repeat(" ", 2000) + meta("windows-1251") + title("\xcf"),
			html, "windows-1252", "bytes", "Ï"},
		"meta in a comment": {"<!--" + meta("windows-1251") + "-->" + title("\xcf"), html,
			"windows-1252", "bytes", "Ï"},
		"meta in a script": {"<script>'" + meta("windows-1251") + "'</script>" + title("\xcf"), html,
			"windows-1252", "bytes", "Ï"},
		"UTF-7 never": {title("+ADw-script+AD4-"), "text/html; charset=utf-7", "utf-8", "bytes",
			"+ADw-script+AD4-"},
		"UTF-8 that is broken": {title("a\xc3\x28\xf0\x9f\x98z\xff"), "text/html; charset=utf-8", "utf-8",
			"header", "a\ufffd(\ufffdz\ufffd"},
		"broken lead before markup": {meta("shift_jis") + title("a\x81"), html, "shift_jis", "meta", "a\ufffd"},
		"cut inside a character":    {title("é") + "caf\xc3", html, "utf-8", "bytes", "é"},
	} {
		p := page.Parse([]byte(c.body), c.header, pageURL)
		if p.Encoding.Name != c.charset || p.Encoding.Source != c.from || p.Metadata.Title != c.got {
			t.Errorf("%s: got %s from %s, title %q; want %s from %s, title %q", name,
				p.Encoding.Name, p.Encoding.Source, p.Metadata.Title, c.charset, c.from, c.got)
		}
	}
}

func TestParse_encoding_saysWhatWasDeclared(t *testing.T) {
	p := page.Parse([]byte("<head>\n<meta charset=utf-8><title>\xff</title>"), "text/html; charset=UTF8", pageURL)
	want := page.Encoding{Name: "utf-8", Source: "header", Header: "utf-8", Meta: "utf-8",
		MetaEnd: len("<head>\n<meta charset=utf-8>")}
	if p.Encoding != want {
		t.Errorf("got %+v, want %+v", p.Encoding, want)
	}
}

// FuzzCharset: any bytes under any header give texts that are UTF-8.
func FuzzCharset(f *testing.F) {
	for _, header := range []string{"", "text/html; charset=gbk", "text/html;charset=utf-16be",
		"text/html; charset=iso-2022-jp", "charset=\"", "text/html; charset=big5"} {
		f.Add([]byte("<meta charset=euc-jp><title>\xff\xfe\x81\x30\x1b$B</title><h1>\x8e\xa2"), header)
		f.Add([]byte("\xfe\xff\x00<\x00t"), header)
	}
	f.Fuzz(func(t *testing.T, body []byte, header string) {
		p := page.Parse(body, header, pageURL)
		if p.Encoding.Name == "" || p.Encoding.Source == "" {
			t.Errorf("no encoding: %+v", p.Encoding)
		}
		for _, s := range append(p.Titles, p.Metadata.Title, p.Lang) {
			if !utf8.ValidString(s) {
				t.Errorf("%q is not UTF-8", s)
			}
		}
	})
}
