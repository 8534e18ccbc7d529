package fetch_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"masthead/pkg/fetch"
)

// hurried are the limits for hosts that keep us waiting.
var hurried = fetch.Limits{HeaderTime: 150 * time.Millisecond, PageTime: 400 * time.Millisecond,
	ImageTime: 400 * time.Millisecond, IconTime: 400 * time.Millisecond}

// raw starts a server that says whatever talk writes after a request has come, and closes the connection when talk
// returns.
func raw(t testing.TB, talk func(conn net.Conn)) (addr string) {
	t.Helper()
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				if _, err := http.ReadRequest(bufio.NewReader(conn)); err == nil {
					talk(conn)
				}
			}()
		}
	}()
	return l.Addr().String()
}

// pour writes chunk until the other side has had enough.
func pour(w io.Writer, chunk string) {
	for {
		if _, err := io.WriteString(w, chunk); err != nil {
			return
		}
	}
}

// drip writes text again and again, one byte at a time.
func drip(w io.Writer, text string, every time.Duration) {
	for i := 0; ; i++ {
		if _, err := w.Write([]byte{text[i%len(text)]}); err != nil {
			return
		}
		time.Sleep(every)
	}
}

// pack returns text as gzip.
func pack(t testing.TB, text []byte) []byte {
	t.Helper()
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	if _, err := z.Write(text); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return packed.Bytes()
}

// bomb returns gzip that unpacks to the given number of MiB, about a thousand times its own length.
func bomb(t testing.TB, mib int) []byte {
	t.Helper()
	return bytes.Repeat(pack(t, bytes.Repeat([]byte("a"), 1<<20)), mib)
}

func TestGet_hostileServer_endsInTimeAndBounds(t *testing.T) {
	const ok, gzipped = "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n"
	say := func(text string) func(net.Conn) {
		return func(c net.Conn) { _, _ = io.WriteString(c, text) }
	}
	hundredMB := bomb(t, 100)
	tests := []struct {
		name string
		talk func(net.Conn)
		want string // of the sentence
	}{
		{"says nothing", func(c net.Conn) { _, _ = io.Copy(io.Discard, c) }, "did not respond in time."},
		{"closes at once", func(net.Conn) {}, "closed the connection"},
		{"drips its headers", func(c net.Conn) {
			drip(c, "HTTP/1.1 200 OK\r\nX-A: b\r\n"+strings.Repeat("X-A: b\r\n", 100), time.Millisecond)
		}, "did not respond in time."},
		{"drips its body", func(c net.Conn) { say(ok + "\r\n")(c); drip(c, "a", 5*time.Millisecond) },
			"did not respond in time."},
		{"stalls within its body", func(c net.Conn) {
			say(ok + "Content-Length: 100\r\n\r\nabc")(c)
			_, _ = io.Copy(io.Discard, c)
		}, "did not respond in time."},
		{"is no web server", say("SSH-2.0-OpenSSH_9.2\r\n"), "sent an invalid response."},
		{"sends endless headers", func(c net.Conn) { say(ok)(c); pour(c, "X-Header: "+strings.Repeat("a", 1000)+"\r\n") },
			"sent too many headers."},
		{"sends one endless header", func(c net.Conn) { say(ok + "X: ")(c); pour(c, strings.Repeat("a", 1000)) },
			"sent too many headers."},
		{"sends endless interim answers", func(c net.Conn) { pour(c, "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n") }, ""},
		{"switches protocols", func(c net.Conn) {
			say("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n")(c)
			_, _ = io.Copy(io.Discard, c)
		}, "sent an invalid response."},
		{"redirects in a circle", say("HTTP/1.1 302 Found\r\nLocation: /\r\nContent-Length: 0\r\n\r\n"),
			"The image redirects more than 3 times."},
		{"redirects with an endless body", func(c net.Conn) {
			say("HTTP/1.1 302 Found\r\nLocation: /\r\n\r\n")(c)
			pour(c, strings.Repeat("a", 1000))
		}, "redirects more than 3 times."},
		{"redirects with a body of a GB", func(c net.Conn) {
			say("HTTP/1.1 302 Found\r\nLocation: /\r\nContent-Length: 1000000000\r\n\r\n")(c)
			_, _ = io.Copy(io.Discard, c)
		}, "redirects more than 3 times."},
		{"pours without end", func(c net.Conn) { say(ok + "\r\n")(c); pour(c, strings.Repeat("a", 64<<10)) },
			"The image is larger than 5242 KB."},
		{"announces too much", say(ok + "Content-Length: 5242881\r\n\r\n"), "The image is larger than 5242 KB."},
		{"announces a number beyond all", say(ok + "Content-Length: 99999999999999999999\r\n\r\n"), ""},
		{"announces two lengths", say(ok + "Content-Length: 1\r\nContent-Length: 2\r\n\r\nab"), ""},
		{"sends a gzip bomb", func(c net.Conn) { say(gzipped + "\r\n")(c); _, _ = c.Write(hundredMB) },
			"The image is larger than 5242 KB."},
		{"says gzip and means text", say(gzipped + "\r\n<html>no gzip at all</html>"), "sent an invalid response."},
		{"breaks off within gzip", func(c net.Conn) {
			say(gzipped + "\r\n")(c)
			_,
				_ = c.Write(pack(t, make([]byte, 1000))[:20])
		}, "closed the connection"},
		{"breaks off within a length", say(ok + "Content-Length: 100\r\n\r\nabc"), "closed the connection"},
		{"breaks off within a chunk", say(ok + "Transfer-Encoding: chunked\r\n\r\nFF\r\nabc"), "closed the connection"},
		{"sends chunks of nonsense", say(ok + "Transfer-Encoding: chunked\r\n\r\nzz\r\n"), ""},
		{"packs in Brotli", say(ok + "Content-Encoding: br\r\n\r\nabc"), "an encoding other than gzip"},
		{"packs in deflate", say(ok + "Content-Encoding: deflate\r\n\r\nabc"), "an encoding other than gzip"},
		{"packs twice", say(ok + "Content-Encoding: gzip, gzip\r\n\r\nabc"), "an encoding other than gzip"},
		{"packs twice, in two headers", say(gzipped + "Content-Encoding: gzip\r\n\r\nabc"),
			"an encoding other than gzip"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			addr := raw(t, test.talk)
			var limits fetch.Limits
			if strings.Contains(test.want, "in time") {
				limits = hurried
			}
			c := client(t, fetch.Config{Limits: limits}, addr)
			_, err := get(t, c, "http://"+addr+"/", fetch.Image)
			wantUpstream(t, err, test.want)
		})
	}
}

// TestGet_longOrBrokenBody_givesTheBeginning takes what came of a page that is too long or breaks off.
// TestGet_brokenResponse_isNotRepeated has servers send what net/http puts into the text of its errors, which we log.
func TestGet_brokenResponse_isNotRepeated(t *testing.T) {
	const secret = "what-nobody-asked-for"
	for name, response := range map[string]string{
		"no response":   secret + "\r\n\r\n",
		"version":       "HTTP/" + secret + " 200 OK\r\n\r\n",
		"status":        "HTTP/1.1 " + secret + " OK\r\n\r\n",
		"header":        "HTTP/1.1 200 OK\r\n" + secret + "\r\n\r\n",
		"length":        "HTTP/1.1 200 OK\r\nContent-Length: " + secret + "\r\n\r\n",
		"transfer":      "HTTP/1.1 200 OK\r\nTransfer-Encoding: " + secret + "\r\n\r\n",
		"encoding":      "HTTP/1.1 200 OK\r\nContent-Encoding: " + secret + "\r\nContent-Length: 1\r\n\r\nx",
		"redirect":      "HTTP/1.1 302 Found\r\nLocation: http://[" + secret + "\r\n\r\n",
		"chunk":         "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + secret + "\r\n",
		"several sizes": "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: " + secret + "\r\n\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			addr := raw(t, func(conn net.Conn) { _, _ = io.WriteString(conn, response) })
			_, err := get(t, client(t, fetch.Config{}, addr), "http://"+addr+"/", fetch.Image)
			if !errors.Is(err, fetch.ErrUpstream) {
				t.Fatalf("got %v, want ErrUpstream", err)
			}
			if strings.Contains(err.Error(), secret) {
				t.Errorf("the log would say %v", err)
			}
		})
	}
}

func TestGet_longOrBrokenBody_givesTheBeginning(t *testing.T) {
	const ok = "HTTP/1.1 200 OK\r\n"
	hundredMB := bomb(t, 100)
	broken := pack(t, make([]byte, 100_000))
	copy(broken[len(broken)-8:], "checksum")
	tests := []struct {
		name      string
		resource  fetch.Resource
		talk      func(net.Conn)
		body      int // bytes
		size      int64
		truncated bool
		broken    bool
	}{
		{"endless page", fetch.Page, func(c net.Conn) {
			_,
				_ = io.WriteString(c, ok+"\r\n")
			pour(c, strings.Repeat("a", 64<<10))
		}, 3 << 20, 3<<20 + 1, true, false},
		{"announced page", fetch.Page, func(c net.Conn) {
			_, _ = io.WriteString(c, ok+"Content-Length: 10000000000\r\n\r\n")
			pour(c, strings.Repeat("a", 64<<10))
		}, 3 << 20, 10_000_000_000, true, false},
		{"page of just the limit", fetch.Page, func(c net.Conn) {
			_,
				_ = io.WriteString(c, ok+"\r\n"+strings.Repeat("a", 3<<20))
		}, 3 << 20, 3 << 20, false, false},
		{"gzip bomb", fetch.Page, func(c net.Conn) {
			_, _ = io.WriteString(c, ok+"Content-Encoding: X-GZIP\r\n\r\n")
			_, _ = c.Write(hundredMB)
		}, 3 << 20, 3<<20 + 1, true, false},
		{"gzip with a wrong checksum", fetch.Page, func(c net.Conn) {
			_, _ = io.WriteString(c, ok+"Content-Encoding: gzip\r\n\r\n")
			_, _ = c.Write(broken)
		}, 100_000, 100_000, true, false},
		{"broken length", fetch.Page, func(c net.Conn) { _, _ = io.WriteString(c, ok+"Content-Length: 100\r\n\r\nabc") }, 3,
			100, true, true},
		{"gzip that is reset", fetch.Page, func(c net.Conn) {
			_, _ = io.WriteString(c, ok+"Content-Encoding: gzip\r\n\r\n")
			_, _ = c.Write(broken[:len(broken)-4])
		}, 100_000, 100_000, true, true},
		{"gzip without a body", fetch.Page, func(c net.Conn) {
			_,
				_ = io.WriteString(c, ok+"Content-Encoding: gzip\r\nContent-Length: 0\r\n\r\n")
		}, 0, 0, false, false},
		{"long robots.txt", fetch.Robots, func(c net.Conn) {
			_,
				_ = io.WriteString(c, ok+"\r\n"+strings.Repeat("a", 600_000))
		}, 500_000, 500_001, true, false},
		{"endless audited image", fetch.AuditImage, func(c net.Conn) {
			_,
				_ = io.WriteString(c, ok+"\r\n")
			pour(c, strings.Repeat("a", 64<<10))
		}, 256 << 10, 256<<10 + 1, true, false},
		{"audited image that announces 9 MB", fetch.AuditImage, func(c net.Conn) {
			_, _ = io.WriteString(c, ok+"Content-Length: 9000000\r\n\r\n"+strings.Repeat("a", 300_000))
			_, _ = io.Copy(io.Discard, c)
		}, 256 << 10, 9_000_000, true, false},
		{"endless shown image", fetch.ShownImage, func(c net.Conn) {
			_,
				_ = io.WriteString(c, ok+"\r\n")
			pour(c, strings.Repeat("a", 64<<10))
		}, 5 << 20, 5<<20 + 1, true, false},
		{"small audited image", fetch.AuditImage, func(c net.Conn) { _, _ = io.WriteString(c, ok+"\r\nabc") }, 3, 3, false, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			addr := raw(t, test.talk)
			resp := mustGet(t, client(t, fetch.Config{}, addr), "http://"+addr+"/", test.resource)
			if len(resp.Body) != test.body || resp.Size != test.size || resp.Truncated != test.truncated ||
				resp.Broken != test.broken {
				t.Errorf("got %d bytes of %d, truncated %t, broken %t; want %d of %d, %t, %t", len(resp.Body), resp.Size,
					resp.Truncated, resp.Broken, test.body, test.size, test.truncated, test.broken)
			}
		})
	}
}

// TestGet_gzipWithoutBody_isEmpty pours gzip that unpacks to nothing: its length on the wire has an end, well before
// the time has.
func TestGet_gzipWithoutBody_isEmpty(t *testing.T) {
	empty := strings.Repeat(string(pack(t, nil)), 1000)
	addr := raw(t, func(c net.Conn) {
		_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n")
		pour(c, empty)
	})
	_, err := get(t, client(t, fetch.Config{}, addr), "http://"+addr+"/", fetch.SVG)
	wantUpstream(t, err, "closed the connection")
}

// TestGet_longPage_takesBoundedMemory bounds everything that is allocated for one page, the greediest there is, by a
// few times its limit of 3 MiB.
func TestGet_longPage_takesBoundedMemory(t *testing.T) {
	packed := bomb(t, 500)
	addr := raw(t, func(c net.Conn) {
		_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 999999999999\r\n\r\n")
		_, _ = c.Write(packed)
	})
	c := client(t, fetch.Config{}, addr)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	mustGet(t, c, "http://"+addr+"/", fetch.Page)
	runtime.ReadMemStats(&after)
	if got := after.TotalAlloc - before.TotalAlloc; got > 24<<20 {
		t.Errorf("got %d bytes allocated, want at most 24 MiB", got)
	}
}

func TestGet_unreachable_saysWhy(t *testing.T) {
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := l.Addr().String()
	_ = l.Close()
	_, port, _ := net.SplitHostPort(addr)
	names := resolver("page.example", "127.0.0.1")
	c := client(t, fetch.Config{Resolver: names}, addr)
	c.ForgetNames()
	_, err = get(t, c, "http://page.example:"+port+"/", fetch.Page)
	wantUpstream(t, err, "page.example could not be reached.")
	if got := names.count(); got != 4 {
		t.Errorf("got %d look-ups, want 4: two for each of two tries", got)
	}
	_, err = get(t, c, "http://nowhere.example/", fetch.Page)
	wantUpstream(t, err, "There is no address for the host name nowhere.example.")
	if got := names.count(); got != 5 {
		t.Errorf("got %d look-ups, want 5: a name that does not exist is not asked for again", got)
	}
}

// TestGet_manyAddresses_connectsToOneThatWorks has a name whose first addresses do not answer: the one that does is
// found within the time to connect.
func TestGet_manyAddresses_connectsToOneThatWorks(t *testing.T) {
	addr := serve(t, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "found") })
	_, port, _ := net.SplitHostPort(addr)
	names := resolver("page.example", "127.0.0.7", "page.example", "127.0.0.8", "page.example", "::1", "page.example",
		"127.0.0.1")
	c := client(t, fetch.Config{Resolver: names}, "127.0.0.0/8", "::1")
	if resp := mustGet(t, c, "http://page.example:"+port+"/", fetch.Page); string(resp.Body) != "found" {
		t.Errorf("got %q", resp.Body)
	}
}

func TestGet_redirects_followedUpToTheLimit(t *testing.T) {
	addr := serve(t, func(w http.ResponseWriter, r *http.Request) {
		var left int
		if _, err := fmt.Sscanf(r.URL.Path, "/%d", &left); err != nil || left == 0 {
			fmt.Fprint(w, "arrived")
			return
		}
		w.Header().Set("Location", fmt.Sprintf("%d?q=ü#frag", left-1))
		w.WriteHeader(http.StatusTemporaryRedirect)
		fmt.Fprint(w, "moved")
	})
	c := client(t, fetch.Config{}, addr)
	resp := mustGet(t, c, "http://"+addr+"/5", fetch.Page)
	if string(resp.Body) != "arrived" || resp.URL.String() != "http://"+addr+"/0?q=%C3%BC" {
		t.Errorf("got %q from %s", resp.Body, resp.URL)
	}
	var hops []string
	for _, r := range resp.Redirects {
		hops = append(hops, fmt.Sprint(r.Status, r.URL.URL().Path))
	}
	if got, want := strings.Join(hops, " "), "307/5 307/4 307/3 307/2 307/1"; strings.ReplaceAll(got, " /", "/") != want {
		t.Errorf("hops: got %q, want %q", got, want)
	}
	_, err := get(t, c, "http://"+addr+"/6", fetch.Page)
	wantUpstream(t, err, "The page redirects more than 5 times.")
	mustGet(t, c, "http://"+addr+"/3", fetch.Image)
	_, err = get(t, c, "http://"+addr+"/4", fetch.Image)
	wantUpstream(t, err, "The image redirects more than 3 times.")
}

func TestGet_redirectWithoutLocation_isFinal(t *testing.T) {
	addr := serve(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusFound) })
	resp := mustGet(t, client(t, fetch.Config{}, addr), "http://"+addr+"/", fetch.Page)
	if resp.Status != 302 || resp.Err() == nil {
		t.Errorf("got %d, %v; want a 302 that is no page", resp.Status, resp.Err())
	}
}

func TestGet_passingFault_triedTwice(t *testing.T) {
	tests := []struct {
		name       string
		statuses   []int
		retryAfter string
		want       int
		requests   int32
	}{
		{"502 that passes", []int{502, 200}, "", 200, 2},
		{"503 that passes", []int{503, 200}, "0", 200, 2},
		{"504 that passes", []int{504, 200}, "", 200, 2},
		{"503 that stays", []int{503, 503}, "", 503, 2},
		{"503 that asks for a long pause", []int{503, 200}, "3600", 503, 1},
		{"503 that asks for a date", []int{503, 200}, "Fri, 31 Dec 2100 23:59:59 GMT", 503, 1},
		{"503 that asks for a date gone by", []int{503, 200}, "Fri, 31 Dec 1999 23:59:59 GMT", 200, 2},
		{"503 that asks for nonsense", []int{503, 200}, "soon", 200, 2},
		{"500", []int{500, 200}, "", 500, 1},
		{"429", []int{429, 200}, "0", 429, 1},
		{"404", []int{404, 200}, "", 404, 1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			var requests atomic.Int32
			addr := serve(t, func(w http.ResponseWriter, _ *http.Request) {
				n := requests.Add(1)
				if test.retryAfter != "" {
					w.Header().Set("Retry-After", test.retryAfter)
				}
				w.WriteHeader(test.statuses[min(int(n), len(test.statuses))-1])
			})
			resp := mustGet(t, client(t, fetch.Config{}, addr), "http://"+addr+"/", fetch.Page)
			if resp.Status != test.want || requests.Load() != test.requests {
				t.Errorf("got %d after %d requests, want %d after %d", resp.Status, requests.Load(), test.want, test.requests)
			}
		})
	}
}
