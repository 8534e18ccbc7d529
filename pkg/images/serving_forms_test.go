package images_test

import (
	"io"
	"net"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"masthead/pkg/app/apptest"
)

// TestServing_formsOfRequestsAreAnsweredLikeTheRest sends requests of all forms for a picture that is sent past the
// regular path, and the same for an unusual spelling of its address, which takes that path: all bytes that come back
// are the same, but for the order of headers, and values that differ from request to request.
func TestServing_formsOfRequestsAreAnsweredLikeTheRest(t *testing.T) {
	t.Parallel()
	s := apptest.StartSignedIn(t)
	image := s.Generate("/page/one", nil).Want(200)
	const host = " HTTP/1.1\r\nHost: a\r\n"
	const closing = host + "Connection: close\r\n\r\n"
	for _, path := range []string{image.Path("imageUrl"), image.Path("publicUrl")} {
		tag := s.Get(path).Want(200).Header.Get("ETag")
		for range 3 { // into the index and into memory
			s.Get(path).Want(200)
		}
		for name, form := range map[string]string{
			"one":                      "GET PATH" + closing,
			"half-closed":              "GET PATH" + host + "\r\n",
			"pipelined":                "GET PATH" + host + "\r\nGET PATH" + host + "\r\nGET PATH" + closing,
			"HEAD":                     "HEAD PATH" + host + "\r\nGET PATH" + closing,
			"conditional, the same":    "GET PATH" + host + "If-None-Match: " + tag + "\r\n\r\nGET PATH" + closing,
			"conditional, another":     "GET PATH" + host + "If-None-Match: \"x\"\r\n\r\nGET PATH" + closing,
			"conditional HEAD":         "HEAD PATH" + host + "If-None-Match: " + tag + "\r\n\r\nGET PATH" + closing,
			"HTTP/1.0":                 "GET PATH HTTP/1.0\r\n\r\n",
			"HTTP/1.0, kept alive":     "GET PATH HTTP/1.0\r\nConnection: keep-alive\r\n\r\nGET PATH" + closing,
			"HTTP/1.0, HEAD":           "HEAD PATH HTTP/1.0\r\n\r\n",
			"with a body":              "GET PATH" + host + "Content-Length: 4\r\n\r\nbodyGET PATH" + closing,
			"with chunks":              "GET PATH" + host + "Transfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n\r\nGET PATH" + closing,
			"a range":                  "GET PATH" + host + "Range: bytes=0-3\r\n\r\nGET PATH" + closing,
			"compressed, if it may be": "GET PATH" + host + "Accept-Encoding: gzip, br\r\n\r\nGET PATH" + closing,
			"of another origin":        "GET PATH" + host + "Origin: https://b.example\r\n\r\nGET PATH" + closing,
			"POST":                     "POST PATH" + host + "Content-Length: 0\r\n\r\nGET PATH" + closing,
		} {
			got := linesOf(t, s.Base, strings.ReplaceAll(form, "PATH", path))
			want := linesOf(t, s.Base, strings.ReplaceAll(form, "PATH", unusual(path)))
			if !slices.Equal(got, want) {
				t.Errorf("%s, %s: got\n%.1200q\nwant, as on the regular path,\n%.1200q", path, name, got, want)
			}
			if len(got) < 8 || !strings.HasPrefix(got[0], "HTTP/1.") {
				t.Errorf("%s, %s: got %.200q, want a response", path, name, got)
			}
		}
	}
}

var (
	responseHead = regexp.MustCompile(`HTTP/1\.[01] \d{3} [^\r]*\r\n(?:[^\r]+\r\n)*\r\n`)
	eachItsOwn   = regexp.MustCompile(`(?mi)^(X-Request-Id|Date|X-Ratelimit-Remaining|X-Ratelimit-Reset): [^\r]+`)
)

// linesOf sends a request to a service, closes that half of the connection, and returns the lines of all that comes
// back: those of each head are sorted, and values that vary are left out, as is the request's ID in a problem.
func linesOf(t *testing.T, base, request string) []string {
	t.Helper()
	client, err := net.Dial("tcp", strings.TrimPrefix(base, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	_ = client.SetDeadline(time.Now().Add(time.Minute))
	if _, err := io.WriteString(client, request); err != nil {
		t.Fatal(err)
	}
	_ = client.(*net.TCPConn).CloseWrite()
	all, err := io.ReadAll(client)
	if err != nil {
		t.Fatalf("%.200q: %v", request, err)
	}
	text := responseHead.ReplaceAllStringFunc(string(all), func(head string) string {
		lines := strings.Split(strings.TrimSuffix(eachItsOwn.ReplaceAllString(head, "$1: *"), "\r\n\r\n"), "\r\n")
		slices.Sort(lines[1:])
		return strings.Join(lines, "\r\n") + "\r\n\r\n"
	})
	text = regexp.MustCompile(`"requestId":"[^"]*"`).ReplaceAllString(text, `"requestId":"*"`)
	return strings.Split(text, "\r\n")
}
