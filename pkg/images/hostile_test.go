package images_test

import (
	"bytes"
	"context"
	"crypto/tls"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unicode/utf16"
	"unicode/utf8"

	"masthead/pkg/app"
	"masthead/pkg/app/apptest"
	"masthead/pkg/cleantext"
	"masthead/pkg/fetch"
	"masthead/pkg/testenv"
	"masthead/render/specimen"
)

// patience is what a client waits for a picture, which is longer than any drawing may take.
const patience = 35 * time.Second

// hurried are limits under which origins that keep us waiting are given up soon.
var hurried = fetch.Limits{
	HeaderTime: 500 * time.Millisecond, TLSTime: 500 * time.Millisecond,
	PageTime: time.Second, ImageTime: time.Second, IconTime: time.Second, JobTime: 3 * time.Second,
}

func newTLSSite(t *testing.T, cfg *tls.Config) (addr string) {
	t.Helper()
	s := httptest.NewUnstartedServer(http.NotFoundHandler())
	s.Config.ErrorLog = nil
	s.TLS = cfg
	s.StartTLS()
	t.Cleanup(s.Close)
	return s.Listener.Addr().String()
}

// hostileCase is a request that must be answered with a picture, or with the fault.
type hostileCase struct {
	name string
	body map[string]any
	// status is 200 or that of the fault, and code the fault's.
	status int
	code   string
	// title, when it is not "", is what the record must tell.
	title string
}

// run sends the request and looks at what comes: a card that decodes in the size of the record, or the fault. h
// validates the answer against the document.
func (c hostileCase) run(t *testing.T, shared *apptest.Service) {
	h := shared.With(t)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	body := map[string]any{"projectId": h.Project}
	maps.Copy(body, c.body)
	a := h.Post("/images/generate", body, apptest.Bearer(h.Key), func(r *http.Request) { *r = *r.WithContext(ctx) })
	if c.status != http.StatusOK {
		a.WantProblem(c.status, c.code)
		if len(a.Body) > 2000 || a.Text("detail") == "" {
			t.Errorf("the fault is told in %d bytes: %.300s", len(a.Body), a.Body)
		}
		return
	}
	a.Want(http.StatusOK)
	if got := a.Text("source.title"); c.title != "" && got != c.title {
		t.Errorf("got title %.60q, want %.60q", got, c.title)
	}
	for _, field := range []string{"source.title", "source.description", "source.siteName", "alt"} {
		if text := a.Text(field); utf8.RuneCountInString(text) > 1000 || cleantext.Clean(text, 2000) != text {
			t.Errorf("%s is not clean: %.100q", field, text)
		}
	}
	picture := h.Get(a.Path("imageUrl")).Want(http.StatusOK)
	decode := png.Decode
	if picture.Header.Get("Content-Type") == "image/jpeg" {
		decode = jpeg.Decode
	}
	img, err := decode(bytes.NewReader(picture.Body))
	if err != nil {
		t.Fatalf("the picture: %v", err)
	}
	want := image.Rect(0, 0, 1200, 630)
	switch a.Text("kind") {
	case "blog_hero":
		want = image.Rect(0, 0, 1600, 900)
	case "icon_set":
		want = image.Rect(0, 0, 512, 512)
	}
	if img.Bounds() != want || a.Value("width") != float64(want.Dx()) || a.Value("height") != float64(want.Dy()) {
		t.Errorf("the picture is %v, the record says %vx%v, want %v", img.Bounds(), a.Value("width"), a.Value("height"), want)
	}
}

// TestGenerate_hostileInputLeavesTheServiceAsItWas sends everything that hurts to one service at once: each gives a
// card or a documented fault, and afterwards the service is as it was.
func TestGenerate_hostileInputLeavesTheServiceAsItWas(t *testing.T) {
	origin, secure := newRawOrigin(t), tlsOrigins(t)
	h := apptest.StartSignedIn(t, func(s *app.Config) {
		s.Fetch.Limits = hurried
		s.Fetch.Allow = append(s.Fetch.Allow, apptest.Allowed(origin.addr))
		for _, addr := range secure {
			s.Fetch.Allow = append(s.Fetch.Allow, apptest.Allowed(addr))
		}
	})
	cases := slices.Concat(originCases(t, origin), pageCases(origin), pictureCases(t, origin), titleCases(origin))
	for name, addr := range secure {
		cases = append(cases, hostileCase{name: name, body: map[string]any{"url": "https://" + addr + "/"}, status: 502,
			code: "UPSTREAM_FAILED"})
	}
	normal := hostileCase{name: "normal", body: map[string]any{"url": h.Site.At("/page/normal")}, status: 200,
		title: "Page normal"}
	normal.run(t, h)
	readFaces(t, h)
	heap, goroutines := heapInUse(), runtime.NumGoroutine()
	t.Run("all", func(t *testing.T) {
		for _, c := range cases {
			t.Run(c.name, func(t *testing.T) {
				t.Parallel()
				c.run(t, h)
			})
		}
	})
	h.Get("/readyz").Want(http.StatusOK)
	normal.body["force"] = true
	normal.run(t, h)
	h.Client.CloseIdleConnections()
	apptest.WaitFor(t, "the goroutines of the hostile requests to end",
		func() bool { return runtime.NumGoroutine() <= goroutines+10 })
	if now := heapInUse(); now > heap+maxHeapGrowth {
		t.Errorf("the heap grew from %d to %d MiB, want at most %d MiB more", heap>>20, now>>20, maxHeapGrowth>>20)
	} else {
		t.Logf("%d hostile requests; the heap in use was %d MiB before and is %d MiB", len(cases), heap>>20, now>>20)
	}
}

// readFaces draws titles in all scripts that hostile titles are written in: a face that was read is kept.
func readFaces(t *testing.T, h *apptest.Service) {
	t.Helper()
	for _, name := range []string{
		"five-words", "arabic", "hebrew", "zh", "ja", "ko", "hindi", "thai", "emoji", "stacked",
	} {
		content := map[string]any{"title": specimen.Find(name).Title}
		h.Generate("/page/faces", map[string]any{"content": content}).Want(http.StatusOK)
	}
}

// maxHeapGrowth is what a service may keep of hostile requests: its pools and caches, no page and no picture.
const maxHeapGrowth = 32 << 20

// heapInUse is the heap after what sync.Pool keeps over one collection is gone too.
func heapInUse() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapInuse
}

// originCases are origins that break the protocol or keep us waiting.
func originCases(t *testing.T, o *rawOrigin) []hostileCase {
	t.Helper()
	const ok, html, gzipped = "HTTP/1.1 200 OK\r\n", "Content-Type: text/html; charset=utf-8\r\n\r\n",
		"Content-Encoding: gzip\r\n"
	const head = "<!doctype html><title>Kept</title>"
	plain := packed(t, []byte(head+strings.Repeat("<p>Some text.", 20_000)))
	// A member of gzip holds the title, and each of those behind it a mebibyte of nothing.
	bomb := append(packed(t, []byte(head)), bytes.Repeat(packed(t, make([]byte, 1<<20)), 200)...)
	hundred := strings.Repeat("X-Header: 0123456789\r\n", 100)
	upstream := func(name string, talk talk) hostileCase {
		return hostileCase{name: name, body: map[string]any{"url": o.at(talk)}, status: 502, code: "UPSTREAM_FAILED"}
	}
	card := func(name string, talk talk) hostileCase {
		return hostileCase{name: name, body: map[string]any{"url": o.at(talk)}, status: 200, title: "Kept"}
	}
	var loop string
	loop = o.at(func(c net.Conn) { say("HTTP/1.1 302 Found\r\nLocation: " + loop + "\r\nContent-Length: 0\r\n\r\n")(c) })
	return []hostileCase{
		upstream("says nothing", silence),
		upstream("closes at once", func(net.Conn) {}),
		upstream("resets at once", reset),
		upstream("drips its headers", then(say(ok), drip("X-Header: a\r\n"))),
		upstream("no web server", say("SSH-2.0-OpenSSH_9.2\r\n")),
		upstream("10000 headers", say(ok+strings.Repeat(hundred, 100)+html+head)),
		upstream("endless headers", then(say(ok), pour(hundred))),
		upstream("endless interim answers", pour("HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n")),
		upstream("two lengths", say(ok+"Content-Length: 1\r\nContent-Length: 2\r\n"+html+head)),
		upstream("packed in an encoding nobody asked for", say(ok+"Content-Encoding: br\r\n"+html+head)),
		upstream("packed twice", say(ok+"Content-Encoding: gzip, gzip\r\n"+html+head)),
		upstream("says gzip and means text", say(ok+gzipped+html+head)),
		upstream("server error", say("HTTP/1.1 500 Oops\r\nContent-Length: 0\r\n\r\n")),
		upstream("redirect to itself", func(c net.Conn) {
			say("HTTP/1.1 302 Found\r\nLocation: ?again\r\nContent-Length: 0\r\n\r\n")(c)
		}),
		{name: "redirect loop", body: map[string]any{"url": loop}, status: 502, code: "UPSTREAM_FAILED"},
		{name: "redirect to a file", body: map[string]any{"url": o.at(say("HTTP/1.1 302 Found\r\nLocation: file:///etc/passwd\r\nContent-Length: 0\r\n\r\n"))}, status: 502, code: "UPSTREAM_FAILED"},
		// The time is over for what came too: a page that is not there in time is none.
		upstream("drips its body", then(say(ok+html+head), drip("<p>"))),
		upstream("stalls within its body", then(say(ok+"Content-Length: 100000\r\n"+html+head), silence)),
		card("endless body", then(say(ok+html+head), pour(strings.Repeat("<p>More and more of it.", 1000)))),
		card("endless chunks", then(say(ok+"Transfer-Encoding: chunked\r\n"+html+fmt.Sprintf("%x\r\n%s\r\n", len(head),
			head)), pour(fmt.Sprintf("%x\r\n%s\r\n", 3<<12, strings.Repeat("<p>", 1<<12))))),
		card("gzip bomb", func(c net.Conn) { say(ok + gzipped + html)(c); _, _ = c.Write(bomb) }),
		card("gzip cut off", func(c net.Conn) { say(ok + gzipped + html)(c); _, _ = c.Write(plain[:len(plain)/2]) }),
		card("reset within the body", func(c net.Conn) {
			say(ok + "Content-Length: 100000\r\n" + html + head)(c)
			time.Sleep(100 * time.Millisecond) // for the beginning to be read, which a reset would take back
			reset(c)
		}),
		card("cut off within the body", say(ok+"Content-Length: 100000\r\n"+html+head)),
	}
}

// pageCases are documents that want to crash, hold or fill whoever reads them, and labels that lie about them.
func pageCases(o *rawOrigin) []hostileCase {
	const head, utf8Page = "<!doctype html><title>Kept</title>", "text/html; charset=utf-8"
	wide := func(order func([]byte, uint16) []byte, text string) string {
		var out []byte
		for _, unit := range utf16.Encode([]rune(text)) {
			out = order(out, unit)
		}
		return string(out)
	}
	big := func(b []byte, v uint16) []byte { return append(b, byte(v>>8), byte(v)) }
	little := func(b []byte, v uint16) []byte { return append(b, byte(v), byte(v>>8)) }
	page := func(name, contentType, body, title string) hostileCase {
		return hostileCase{name: name, body: map[string]any{"url": o.at(answerOf(contentType, "", []byte(body)))},
			status: 200, title: title}
	}
	noPage := func(name, contentType, body string) hostileCase {
		return hostileCase{name: name, body: map[string]any{"url": o.at(answerOf(contentType, "", []byte(body)))},
			status: 502, code: "UPSTREAM_FAILED"}
	}
	return []hostileCase{
		page("100000 nested elements", utf8Page, head+strings.Repeat("<div>", 100_000), "Kept"),
		page("nested svg and foreignObject", utf8Page, head+strings.Repeat("<svg><foreignObject>", 50_000), "Kept"),
		page("a million meta tags", utf8Page, head+strings.Repeat("<meta name=a content=b>", 1_000_000), "Kept"),
		page("attribute of 5 MB", utf8Page, head+`<meta name=description content="`+strings.Repeat("a", 5_000_000)+`">`,
			"Kept"),
		page("attribute of 5 MB that is never closed", utf8Page, head+`<meta name=description content="`+strings.Repeat("a",
			5_000_000), "Kept"),
		page("2 MB of marks", utf8Page, head+"<h1>e"+strings.Repeat("\u0301", 1_000_000), "Kept"),
		page("JSON-LD nested 200000 deep", utf8Page, head+`<script type="application/ld+json">`+strings.Repeat("[",
			200_000)+"</script>", "Kept"),
		page("1000 icons", utf8Page, head+strings.Repeat(`<link rel=icon sizes=180x180 href="/none">`, 1000), "Kept"),
		// Source: the HTML standard, "RCDATA state".
		page("NUL bytes", utf8Page, "<title>K\x00ept</title>"+strings.Repeat("\x00", 1_000_000), "Kept"),
		page("invalid UTF-8", utf8Page, "<title>Kept \xff\xfe\xf0\x9f</title>"+strings.Repeat("\xff", 1_000_000), ""),
		page("UTF-16 with a mark, little", "text/html", "\xff\xfe"+wide(little, head), "Kept"),
		page("UTF-16 with a mark, big", "text/html", "\xfe\xff"+wide(big, head), "Kept"),
		page("UTF-16 by its header", "text/html; charset=utf-16le", wide(little, head), "Kept"),
		page("UTF-16 that nobody says", "text/html", wide(little, head), ""),
		page("UTF-16 of an odd length", "text/html; charset=utf-16", "\xff\xfe"+wide(little, head)+"\x00", "Kept"),
		page("UTF-16 of lone surrogates", "text/html; charset=utf-16le", strings.Repeat("\x00\xd8", 100_000), ""),
		page("UTF-7 in the header", "text/html; charset=utf-7", "<title>+ADw-script+AD4-</title>", "+ADw-script+AD4-"),
		page("UTF-7 in a meta tag", "text/html", "<meta charset=utf-7><title>+ADw-script+AD4-</title>", "+ADw-script+AD4-"),
		page("a charset that does not exist", "text/html; charset=klingon", head, "Kept"),
		page("a content type of 10 KB", "text/html; x="+strings.Repeat("x", 10_000), head, "Kept"),
		page("an icon at a private address", utf8Page,
			head+`<link rel=icon sizes=180x180 href="http://169.254.169.254/latest">`, "Kept"),
		page("an icon of javascript", utf8Page, head+`<link rel=icon sizes=180x180 href="javascript:alert(1)"><base href="data:,x">`, "Kept"),
		page("no content type", "", head, "Kept"),
		page("empty", utf8Page, "", ""),
		page("white space", utf8Page, strings.Repeat(" \n", 500_000), ""),
		page("a picture that is a page", "image/png", head, ""),
		noPage("JSON", "application/json", `{"title": "x"}`),
		noPage("PDF", "application/pdf", "%PDF-1.7"),
		noPage("a page that is called a program", "application/octet-stream", head),
		noPage("a content type of nonsense", "nonsense", head),
	}
}

// pictureCases have hostile pictures as icons, which a card does without, and as logos, which it does not.
func pictureCases(t *testing.T, o *rawOrigin) []hostileCase {
	t.Helper()
	withIcon := func(talk talk) string {
		return o.at(answerOf("text/html", "", fmt.Appendf(nil,
			`<title>Kept</title><link rel="icon" type="image/png" sizes="180x180" href="%s">`, o.at(talk))))
	}
	withLogo := func(talk talk) map[string]any {
		return map[string]any{"url": "http://" + o.addr + "/none", "content": map[string]any{"title": "Kept"},
			"style": map[string]any{"logo": map[string]any{"url": o.at(talk)}}}
	}
	var cases []hostileCase
	add := func(name string, talk talk, logo int) {
		code := ""
		if logo != http.StatusOK {
			code = "UPSTREAM_FAILED"
		}
		cases = append(cases, hostileCase{name: "icon: " + name, body: map[string]any{"url": withIcon(talk)}, status: 200,
			title: "Kept"},
			hostileCase{name: "icon of a set: " + name, body: map[string]any{"url": withIcon(talk), "kind": "icon_set"},
				status: 200, title: "Kept"},
			hostileCase{name: "logo: " + name, body: withLogo(talk), status: logo, code: code, title: "Kept"})
	}
	for name, p := range hostilePictures(t) {
		add(name, answerOf("image/png", "", p.file), p.logo)
	}
	add("endless", then(say("HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\n\x89PNG\r\n\x1a\n"),
		pour(strings.Repeat("\x00", 1<<16))), 502)
	add("dripping", then(say("HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\n\x89PNG\r\n\x1a\n"), drip("\x00")), 502)
	add("silent", silence, 502)
	add("a gzip bomb", answerOf("image/png", "Content-Encoding: gzip\r\n",
		bytes.Repeat(packed(t, make([]byte, 1<<20)), 100)), 502)
	return cases
}

// hostileTitles are titles that want to break the layout.
var hostileTitles = map[string]string{
	"100000 characters":          strings.Repeat("Title and ", 10_000),
	"100000 characters unbroken": strings.Repeat("x", 100_000),
	"emoji":                      strings.Repeat("👩‍👩‍👧‍👦🏳️‍🌈👍🏿🇩🇪", 20),
	"flags without end":          strings.Repeat("🇩", 151),
	"combining marks":            strings.Repeat("\u0301\u0327\u0489\u20dd", 70),
	"zalgo": "Z" + strings.Repeat("\u0300", 40) + "a" + strings.Repeat("\u0323", 40) + "lgo" +
		strings.Repeat("\u0489", 40),
	"right-to-left overrides": "\u202eabc\u202dshalom\u2066\u2067\u202c\u2069 \u200f\u061c",
	"both directions":         strings.Repeat("שלום hello مرحبا 123 ", 14),
	"tokens of 50 letters": strings.TrimSpace(strings.Repeat("Donaudampfschifffahrtselektrizitätenhauptbetriebsw ",
		5)),
	"control characters":      "\x01\x02\x1b[31mred\x1b[0m\x07\x7f\u0085\u2028\u2029",
	"only control characters": "\x01\x02\x03\x00\u200b\ufeff",
	"only white space":        " \t\n\u00a0\u3000 ",
	"joiners":                 strings.Repeat("\u200d\u200c", 100),
	"private and unassigned":  "\ue000\uf8ff\U000e0001\U0010ffff\ufffe\U000323af",
	"variation selectors":     strings.Repeat("a\ufe0f\U000e0100", 90),
	"many scripts":            "अनुच्छेद ไทยไม่มีช่องว่าง 한국어 日本語 བོད་ཡིག ខ្មែរ မြန်မာ ʻŌlelo Ελληνικά",
	"Arabic with marks":       strings.Repeat("بِسْمِ ٱللَّٰهِ ", 18),
	"markup":                  `</title><script>alert(1)</script>"'><img src=x onerror=alert(1)>`,
	"one letter":              "W",
	"soft hyphens":            strings.Repeat("\u00ad", 200) + "x",
}

// titleCases draw every title, from the page and from the request, in each template and kind.
func titleCases(o *rawOrigin) []hostileCase {
	var cases []hostileCase
	for name, title := range hostileTitles {
		fromPage := o.at(answerOf("text/html; charset=utf-8", "",
			[]byte("<title>"+title+"</title><meta name=description content='"+title+"'>")))
		own := hostileCase{name: "own title: " + name, status: 200, body: map[string]any{
			"url": "http://" + o.addr + "/none", "kind": "blog_hero", "content": map[string]any{"title": title,
				"siteName": cut(title, 100), "author": cut(title, 200)},
		}}
		switch {
		case utf8.RuneCountInString(title) > 300 || len(title) > 64<<10:
			own.status, own.code = 400, "BAD_REQUEST"
			if len(title) > 64<<10 {
				own.status, own.code = 413, "PAYLOAD_TOO_LARGE"
			}
		case cleantext.Clean(title, cleantext.MaxTitle) == "":
			own.status, own.code = 502, "UPSTREAM_FAILED" // nothing is left of it, and the page is not there
		}
		cases = append(cases, own)
		for _, template := range []string{"editorial", "minimal", "poster"} {
			cases = append(cases, hostileCase{name: "title: " + name + ", " + template, status: 200,
				body: map[string]any{"url": fromPage, "template": template}})
		}
	}
	return cases
}

// cut returns the first n runes of a text.
func cut(text string, n int) string {
	runes := []rune(text)
	return string(runes[:min(n, len(runes))])
}

// TestGenerate_heldPagesHoldNobodyElse lets an origin keep its pages back: only as many as a host has turns are asked
// for, another page is drawn meanwhile, and then they all are.
func TestGenerate_heldPagesHoldNobodyElse(t *testing.T) {
	const turns = 16
	held := turns + testenv.Crowd(32)
	var asked, answered atomic.Int64
	release := make(chan struct{})
	origin := newRawOrigin(t)
	h := apptest.StartSignedIn(t, func(s *app.Config) {
		s.Fetch.Allow = append(s.Fetch.Allow, apptest.Allowed(origin.addr))
	})
	readFaces(t, h)
	page := answerOf("text/html", "", []byte("<title>Held</title>"))
	var all sync.WaitGroup
	for range held {
		c := hostileCase{status: 200, title: "Held", body: map[string]any{
			"template": "minimal", // which is soon drawn: all of them are drawn at once when they are released
			"url": origin.at(func(c net.Conn) {
				asked.Add(1)
				<-release
				page(c)
			})}}
		all.Go(func() {
			c.run(t, h)
			answered.Add(1)
		})
	}
	apptest.WaitFor(t, "the pages to be asked for", func() bool { return asked.Load() >= turns })
	for i := range 4 {
		hostileCase{
			body:   map[string]any{"url": h.Site.At(fmt.Sprintf("/page/%d", i)), "template": "minimal"},
			status: 200, title: fmt.Sprintf("Page %d", i),
		}.run(t, h)
	}
	h.Get("/readyz").Want(http.StatusOK)
	if n := answered.Load(); n != 0 {
		t.Errorf("%d of the held requests were answered before their pages came", n)
	}
	if n := asked.Load(); n != turns {
		t.Errorf("%d pages of one host were asked for at once, want %d", n, turns)
	}
	close(release)
	all.Wait()
	if n := asked.Load(); n != int64(held) {
		t.Errorf("%d pages were asked for in the end, want all %d", n, held)
	}
}
