package card

import (
	"net/url"
	"testing"

	"masthead/pkg/page"
	"masthead/pkg/scrape"
)

func TestMetaTags_areTheWholeBlock(t *testing.T) {
	const picture = "https://masthead.example/og/a?v=1&w=2"
	for name, c := range map[string]struct {
		head Head
		want string
	}{
		"all is known": {
			Head{
				URL: "https://blog.example/?a=1&b=2", Alt: `Say "cheese" & <smile> — Ada's`, PictureURL: picture,
				ContentType: "image/png", Width: 1200, Height: 630,
				Page: PageData{
					Title: `Say "cheese" & <smile>`, Description: "What cameras want.", SiteName: "Ada's",
					Type: "article", Locale: "en_GB",
				},
			},
			`<meta property="og:title" content="Say &#34;cheese&#34; &amp; &lt;smile&gt;">
<meta property="og:description" content="What cameras want.">
<meta property="og:url" content="https://blog.example/?a=1&amp;b=2">
<meta property="og:site_name" content="Ada&#39;s">
<meta property="og:type" content="article">
<meta property="og:locale" content="en_GB">
<meta property="og:image" content="https://masthead.example/og/a?v=1&amp;w=2">
<meta property="og:image:type" content="image/png">
<meta property="og:image:width" content="1200">
<meta property="og:image:height" content="630">
<meta property="og:image:alt" content="Say &#34;cheese&#34; &amp; &lt;smile&gt; — Ada&#39;s">
<meta name="twitter:card" content="summary_large_image">
<meta name="twitter:image" content="https://masthead.example/og/a?v=1&amp;w=2">
<meta name="twitter:image:alt" content="Say &#34;cheese&#34; &amp; &lt;smile&gt; — Ada&#39;s">
`,
		},
		"nothing but the picture": {
			Head{PictureURL: picture, ContentType: "image/png", Width: 1200, Height: 630},
			`<meta property="og:type" content="website">
<meta property="og:image" content="https://masthead.example/og/a?v=1&amp;w=2">
<meta property="og:image:type" content="image/png">
<meta property="og:image:width" content="1200">
<meta property="og:image:height" content="630">
<meta name="twitter:card" content="summary_large_image">
<meta name="twitter:image" content="https://masthead.example/og/a?v=1&amp;w=2">
`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			if got := c.head.MetaTags(); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

func TestMetaTags_typeAndLocaleAreThoseOfThePage(t *testing.T) {
	at, err := url.Parse("https://blog.example/")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ html, kind, locale string }{
		{`<html lang="de-AT">`, "", "de_AT"},
		{`<html lang="zh-hant-tw">`, "", "zh_TW"},
		{`<html lang="pt-BR-x-old">`, "", "pt_BR"},
		{`<html lang="en">`, "", ""},
		{`<html lang="es-419">`, "", ""},
		{`<html lang="en-US"><meta property="og:locale" content="en-GB">`, "", "en_GB"},
		{`<html lang="en-US"><meta property="og:locale" content="English">`, "", "en_US"},
		{`<meta property="og:type" content="Article">`, "article", ""},
		{`<meta property="og:type" content="video.movie">`, "video.movie", ""},
		{`<meta property="og:type" content='"><script>'>`, "", ""},
		{`<meta property="article:published_time" content="2026-03-12">`, "article", ""},
	} {
		p := scrape.Document{
			Page: page.Parse([]byte("<!doctype html>"+c.html+"<title>Title</title>"), "text/html; charset=utf-8", at),
		}
		if kind, locale := typeOf(p), localeOf(p); kind != c.kind || locale != c.locale {
			t.Errorf("%s: got type %q and locale %q, want %q and %q", c.html, kind, locale, c.kind, c.locale)
		}
	}
}
