package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"masthead/pkg/app/apptest"
	"masthead/pkg/fetch"
)

func TestAnalyze_printsSignalsWithTheirSources(t *testing.T) {
	site, dir := apptest.NewSite(t), t.TempDir()
	got := masthead(t, dir, "", nil, "analyze", strings.TrimPrefix(site.At("/page/one"), "http://"))
	got.want(t, exitDone, "Headline    Page one  (h1)\n", "Language    en  (html lang)\n",
		"Theme       #0F766E  (theme-color)\n", "Accent      #0F766E  (theme-color)\n", "Mood        bold  (no other mood)\n",
		"Palette     #0F766E  primary", "            #FFFFFF  background",
		"Icon        PNG 180x180       "+site.At("/icon.png")+"  (icon)\n", "answered with status 404 Not Found.  (/favicon.ico)\n", "Confidence  100 %\n")
	if strings.Contains(got.out+got.report, "\x1b") {
		t.Errorf("got %q, want no colors outside of a terminal", got.out+got.report)
	}
	var answer struct {
		Accent   struct{ Hex string }
		Headline string
	}
	got = masthead(t, dir, "", nil, "analyze", site.At("/page/one"), "--json")
	if err := json.Unmarshal([]byte(got.out), &answer); err != nil || answer.Accent.Hex != "#0F766E" ||
		answer.Headline != "Page one" || got.code != exitDone || strings.Count(got.out, "\n") != 1 {
		t.Errorf("got %+v, %v", got, err)
	}
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"analyze"}, exitUsage, "<url>"},
		{[]string{"analyze", "ftp://example.com/"}, exitUsage, "must begin with http"},
		{[]string{"analyze", site.At("/gone")}, exitFailed, "410"},
		{[]string{"analyze", site.At("/redirect?to=http://169.254.169.254/")}, exitFailed, fetch.RefusedDetail},
	} {
		masthead(t, dir, "", nil, c.args...).want(t, c.code, c.want)
	}
}

// TestAnalyze_onATerminal prints to a buffer as if it were one: colors are shown, and the page's texts do nothing.
func TestAnalyze_onATerminal(t *testing.T) {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/" {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<style>:root{--brand-\x1b[31mx:#b91c1c}</style><h1>Red \x1b[31malert</h1>")
	}))
	defer site.Close()
	var out bytes.Buffer
	var told []string
	c := analyzeCommand{Page: site.URL}
	err := c.run(t.Context(), &printing{out: &out, swatches: true}, func(address string) { told = append(told, address) })
	if err != nil || len(told) < 3 || told[len(told)-1] != "" {
		t.Fatalf("%v, told %q, want what was read, and its end", err, told)
	}
	if !strings.Contains(out.String(), "\x1b[48;2;185;28;28m    \x1b[0m #B91C1C  (custom-property --brand") {
		t.Errorf("got %q, want the swatch", out.String())
	}
	if strings.Contains(out.String(), "\x1b[31m") {
		t.Errorf("got %q: a page wrote to the terminal", out.String())
	}
}
