package scrape_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/rivo/uniseg"

	pages "masthead/pkg/page"
	"masthead/pkg/scrape"
	"masthead/pkg/testenv"
	"masthead/render/palette"
)

// siteOf is a site whose page has the given markup, and of which nothing else is known.
func siteOf(t *testing.T, markup string) *scrape.Result {
	t.Helper()
	u, err := url.Parse("https://blog.example/hello")
	if err != nil {
		t.Fatal(err)
	}
	return &scrape.Result{Page: scrape.Part[scrape.Document]{
		State: scrape.Got, Value: scrape.Document{Page: pages.Parse([]byte(markup), "text/html; charset=utf-8", u)},
	}}
}

func TestSignalsOf_headline(t *testing.T) {
	const site = `<meta property="og:site_name" content="Harbour Weekly">`
	for name, c := range map[string]struct{ markup, want string }{
		"h1":                 {`<title>T</title><h1>How tides work</h1>`, "How tides work"},
		"short h1 gives way": {`<meta property="og:title" content="How tides work"><h1>Hi</h1>`, "How tides work"},
		"second h1":          {`<h1>` + strings.Repeat("long ", 30) + `</h1><h1>How tides work</h1>`, "How tides work"},
		"wide h1":            {`<h1>` + strings.Repeat("潮", 41) + `</h1><title>潮の満ち引き</title>`, "潮の満ち引き"},
		"title":              {`<title>How tides work | harbour weekly</title>` + site, "How tides work"},
		"site first":         {`<title>Harbour Weekly - How tides work</title>` + site, "How tides work"},
		"other ending":       {`<title>How tides work | Part 2</title>` + site, "How tides work | Part 2"},
		"site alone":         {`<title>Harbour Weekly</title>` + site, "Harbour Weekly"},
		"control characters": {"<title>How\u202e tides\u0007 work</title>", "How tides work"},
		"nothing":            {``, ""},
	} {
		if got := scrape.SignalsOf(siteOf(t, c.markup)).Headline; got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

func TestSignalsOf_tagline(t *testing.T) {
	long := "The moon pulls at the sea. " + strings.Repeat("It does so every day and every night of the year. ", 5)
	for name, c := range map[string]struct{ markup, want string }{
		"description": {`<meta name="description" content="All about the sea.">`, "All about the sea."},
		"Open Graph first": {`<meta name="description" content="No."><meta property="og:description" content="Yes.">`,
			"Yes."},
		"paragraph": {`<h1>Tides</h1><p>The moon pulls at the sea.</p>`, "The moon pulls at the sea."},
		"sentences": {`<meta name="description" content="` + long + `">`,
			"The moon pulls at the sea. It does so every day and every night of the year. " +
				"It does so every day and every night of the year."},
		"words": {`<meta name="description" content="` + strings.Repeat("tides and ", 30) + `">`,
			strings.TrimSpace(strings.Repeat("tides and ", 14))},
		"no spaces": {`<meta name="description" content="` + strings.Repeat("潮", 200) + `">`, strings.Repeat("潮", 70)},
		"nothing":   {`<h1>Tides</h1>`, ""},
	} {
		if got := scrape.SignalsOf(siteOf(t, c.markup)).Tagline; got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

func TestSignalsOf_palette(t *testing.T) {
	for name, c := range map[string]struct {
		markup string
		want   string // "role #RRGGBB", in order of weight
	}{
		"nothing": {`<h1>x</h1>`, "background #FFFFFF, text #111111, neutral #8A8A8A"},
		"theme":   {`<meta name="theme-color" content="#0f766e">`, "primary #0F766E"},
		"light theme first": {`<meta name="theme-color" media="(prefers-color-scheme: dark)" content="#111">
			<meta name="theme-color" media="(prefers-color-scheme: light)" content="#fafafa">`, "background #FAFAFA"},
		"transparent gives way": {`<meta name="theme-color" content="transparent">
			<meta name="msapplication-TileColor" content="#b91c1c">`, "primary #B91C1C"},
		"custom properties": {`<style>:root{--text:#222;--brand:#0f766e;--page-background:#fff;--accent-2:#c2410c}</style>`,
			"primary #0F766E, accent #C2410C, background #FFFFFF, text #222222"},
		"alike ones are one": {`<meta name="theme-color" content="#0f766e"><style>:root{--brand:#0e756d}</style>`,
			"primary #0F766E"},
	} {
		var got []string
		for _, s := range scrape.SignalsOf(siteOf(t, c.markup)).Palette {
			got = append(got, string(s.Role)+" "+palette.Hex(s.Color))
		}
		if all := strings.Join(got, ", "); all != c.want {
			t.Errorf("%s: got %s, want %s", name, all, c.want)
		}
	}
}

func TestSignalsOf_mood(t *testing.T) {
	theme := func(hex string) string { return `<meta name="theme-color" content="` + hex + `">` }
	for name, c := range map[string]struct {
		markup string
		want   scrape.Mood
	}{
		"nothing":     {`<h1>A walk by the sea</h1>`, scrape.Minimal},
		"dark":        {`<style>:root{--background:#0a0a0a;--brand:#f43f5e}</style>`, scrape.Dark},
		"vibrant":     {theme("#ff0040"), scrape.Vibrant},
		"playful":     {`<style>:root{--brand:#ff0040;--a:#00b050;--b:#2050ff;--c:#ffb000}</style>`, scrape.Playful},
		"warm":        {theme("#c2714f"), scrape.Warm},
		"technical":   {theme("#0f766e") + `<h1>A Python library for tides</h1>`, scrape.Technical},
		"monospace":   {theme("#0f766e") + `<style>body{font-family:"JetBrains Mono",monospace}</style>`, scrape.Technical},
		"article":     {theme("#0f766e") + `<meta property="og:type" content="article">`, scrape.Editorial},
		"serif":       {theme("#0f766e") + `<style>body{font-family:Georgia,serif}</style>`, scrape.Editorial},
		"no serif":    {theme("#0f766e") + `<style>body{font-family:Inter,sans-serif}</style>`, scrape.Bold},
		"corporate":   {theme("#2f6f9f"), scrape.Corporate},
		"gold":        {theme("#c9a94a"), scrape.Elegant},
		"plain green": {theme("#0f766e"), scrape.Bold},
	} {
		if got := scrape.SignalsOf(siteOf(t, c.markup)).Mood; got != c.want {
			t.Errorf("%s: got %s, want %s", name, got, c.want)
		}
	}
}

// TestSignalsOf_corpus reads real pages: what comes of them goes into prompts, so its bounds must hold.
func TestSignalsOf_corpus(t *testing.T) {
	corpus := testenv.Pages(t)
	if len(corpus) == 0 {
		return
	}
	want := map[string]string{ // headlines that were read off the pages by eye
		"bbc":       "The man who built a $1bn firm in his basement",
		"wikipedia": "Bob Dylan",
		"vimeo":     "Vimeo Best of the Year 2018: Winners",
	}
	moods, read := map[scrape.Mood]int{}, 0
	for _, c := range corpus {
		site := &scrape.Result{Page: scrape.Part[scrape.Document]{
			State: scrape.Got, Value: scrape.Document{Page: pages.Parse(c.Body, c.ContentType, c.Address)},
		}}
		s := scrape.SignalsOf(site)
		if n := uniseg.StringWidth(s.Tagline); n > 140 {
			t.Errorf("%s: a tagline of %d columns", c.Name, n)
		}
		if len(s.Palette) == 0 || len(s.Palette) > 5 {
			t.Errorf("%s: %d colors", c.Name, len(s.Palette))
		}
		if w, ok := want[c.Name]; ok && w != s.Headline {
			t.Errorf("%s: got the headline %q, want %q", c.Name, s.Headline, w)
		}
		read++
		moods[s.Mood]++
	}
	if read < 30 || len(moods) < 3 {
		t.Errorf("read %d pages of the moods %v", read, moods)
	}
}
