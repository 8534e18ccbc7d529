package page_test

import (
	"fmt"
	"strings"
	"testing"

	"masthead/pkg/page"
)

func TestParse_body_linksAndPictures(t *testing.T) {
	for _, c := range []struct {
		html, want string
	}{
		{`<img src=a.png><img src=b.png alt><img src=c.png role=presentation><img aria-hidden=true src=d.png>`, "2 pictures, 1 without alt (a.png)"},
		{`<img src="http://example.com/a.png" alt=A>`, "1 pictures, http (http://example.com/a.png)"},
		{`<a href=/a>Read more</a><a href=/b>Our  prices</a><a href=/c> MORE… </a>`, "3 links, 2 vague (read more)"},
		{`<a href=/a aria-label="Our prices">More</a><a href=/b rel="nofollow ugc">more</a><a href=#c>here</a>`, "2 links"},
		{`<a href=/a>Read <img src=x.png alt="about us"> more</a>`, "1 pictures, 1 links"},
		{`<a href=/a>Read <b>more</b></a>`, "1 links, 1 vague (read more)"},
		{`<a href="/a">` + strings.Repeat("more ", 30) + `</a>`, "1 links"},
		{`<a href="javascript:go()">A</a><a href="javascript:void(0)" role=button>B</a>`, `1 by script (href="javascript:go()")`},
		{`<a onclick="window.open('/a')">A</a><a href="#" onclick="location='/b'">B</a>`, `2 by script (onclick="window.open('/a')")`},
		{`<a name=top></a><a>Placeholder</a><a href="/a" onclick="location='/b'">B</a>`, "1 links"},
		{`<a href="">Here</a><a href="" name=x>Here</a>`, `1 by script (href="")`},
		{`<template><img src=a><a href=/a>more</a></template><noscript><img src=a></noscript>`, ""},
	} {
		b := &page.Parse([]byte("<!doctype html><body>"+c.html), "text/html; charset=utf-8", nil).Body
		var got []string
		say := func(n int, noun, first string) {
			if n > 0 {
				got = append(got, fmt.Sprintf("%d %s%s", n, noun, first))
			}
		}
		say(b.Pictures, "pictures", "")
		say(b.Unlabeled, "without alt ", "("+b.NoAlt+")")
		if b.Insecure > 0 {
			got = append(got, "http ("+b.Unencrypted+")")
		}
		say(b.Links, "links", "")
		say(b.Vague, "vague ", "("+b.VagueText+")")
		say(b.Uncrawlable, "by script ", "("+b.ScriptLink+")")
		if got := strings.Join(got, ", "); got != c.want {
			t.Errorf("%s\ngot  %s\nwant %s", c.html, got, c.want)
		}
	}
}

func TestParse_refresh(t *testing.T) {
	for html, want := range map[string]string{
		`<meta http-equiv=refresh content="0; url=/new">`:                        "0 /new",
		`<meta http-equiv="Refresh" content="5;URL='https://example.com/?a=b'">`: "5 https://example.com/?a=b",
		`<meta http-equiv=refresh content=30>`:                                   "30 ",
		`<meta http-equiv=refresh content="1.5, /x">`:                            "1 /x",
		`<meta http-equiv=refresh content="url=/x">`:                             "none",
		`<meta http-equiv=refresh content="">`:                                   "none",
		`<noscript><meta http-equiv=refresh content="0; url=/plain"></noscript>`: "none",
		`<meta name=refresh content="0; url=/new">`:                              "none",
	} {
		got := "none"
		if r := page.Parse([]byte("<!doctype html>"+html), "text/html; charset=utf-8", nil).Refresh; r != nil {
			got = fmt.Sprintf("%d %s", r.Seconds, r.URL)
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", html, got, want)
		}
	}
}
