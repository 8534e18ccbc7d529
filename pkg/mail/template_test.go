package mail

import (
	"html"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// specimens are mails of all kinds, with data that is as long as it may be or that attacks.
func specimens() map[Kind]Data {
	at := time.Date(2026, 11, 23, 18, 30, 0, 0, time.UTC)
	return map[Kind]Data{
		ConfirmAddress: {}, ResetPassword: {}, SignInLink: {}, AccountDeleted: {At: at},
		NewAddress: {taken: true}, AddressChange: {Address: "ada@lovelace.example"},
		AddressChanged: {Address: strings.Repeat("a", 64) + "@lovelace.example", At: at},
		NewSignIn:      {Place: "192.0.2.17", Device: "Firefox on Linux", At: at},
		QuotaReached:   {Resource: "AI images", Month: "2026-11", Percent: 80, Used: 80, Limit: 100},
		PlanChanged: {Plan: "free", PreviousPlan: "pro", Lines: []string{"Designs: 4 of 5 are paused",
			"Watched pages: 12 of 15 are paused"}},
		PaymentFailed:   {Plan: "plus", Until: at},
		AIDisabled:      {Project: "A project <b>of</b> Ada & Grace", Reason: "The provider rejected three prompts today."},
		WebhookDisabled: {URL: "https://example.com/" + strings.Repeat("a", 180), Reason: "It answered 410 Gone."},
		ImageFailed:     {URL: "https://example.com/blog/one", Project: "Blog", Reason: "The page answered 410 Gone."},
		WatchWorse: {URL: "https://example.com/blog/one", Score: 61, PreviousScore: 88, Path: "/audit/abc",
			Lines: []string{"The grade dropped from B to D.", "og:image returns 404."}},
		SiteCompleted: {URL: "https://example.com/sitemap.xml", Score: 74, Path: "/dashboard/audits/sites/abc",
			Lines: []string{"409 pages audited", "3 pages couldn't be read"}},
		ExportCompleted: {Until: at, Path: "/dashboard/settings?export=abc#data"},
		Digest:          {About: "57 more emails about watched pages", Lines: many("https://example.com/", 57), Path: "/notifications"},
	}
}

func many(text string, n int) (list []string) {
	for range n {
		list = append(list, text+strings.Repeat("界", 300))
	}
	return list
}

func TestMonthWords(t *testing.T) {
	for month, want := range map[string]string{"2026-11": "November 2026", "": "", "soon": "soon"} {
		if got := monthWords(month); got != want {
			t.Errorf("%q: got %q, want %q", month, got, want)
		}
	}
}

var tags = regexp.MustCompile(`(?s)<!--.*?-->|<style>.*?</style>|<title>.*?</title>|<[^>]*>`)

// TestRender_textAndHTMLSayTheSame checks that both forms of each mail have all facts, within 30 KB, with hostile text
// escaped. With MASTHEAD_TEST_PICTURES it keeps the HTML in that folder, to be looked at.
func TestRender_textAndHTMLSayTheSame(t *testing.T) {
	all := specimens()
	for kind := range kinds {
		d, ok := all[kind]
		if !ok {
			t.Errorf("%s: there is no specimen", kind)
		}
		link, stop := "https://masthead.example/page#token=abc", ""
		if !kinds[kind].security {
			stop = "stop.token"
		}
		r, err := render(kind, d, link, stop, "https://masthead.example")
		if err != nil {
			t.Fatal(err)
		}
		if size := len(r.html) + len(r.text); size > 30<<10 {
			t.Errorf("%s: it has %d bytes, want at most 30 KB", kind, size)
		}
		if dir := os.Getenv("MASTHEAD_TEST_PICTURES"); dir != "" {
			if err := os.WriteFile(filepath.Join(dir, string(kind)+".html"), []byte(r.html), 0o600); err != nil {
				t.Error(err)
			}
		}
		read := html.UnescapeString(tags.ReplaceAllString(r.html, ""))
		c := contentOf(kind, d)
		texts := append([]string{c.Subject, c.Note, c.Button}, append(c.Paragraphs, c.Lines...)...)
		for _, f := range c.Facts {
			texts = append(texts, f.Label, f.Value)
		}
		for _, text := range texts {
			if !strings.Contains(r.text, text) || !strings.Contains(read, text) {
				t.Errorf("%s: %q isn't in both the text and the HTML", kind, text)
			}
		}
		if c.Button != "" && (!strings.Contains(r.text, link) || !strings.Contains(r.html, `href="`+link+`"`)) {
			t.Errorf("%s: its link isn't in both", kind)
		}
		if stop != "" != strings.Contains(r.text, "/email/unsubscribe#token="+stop) ||
			stop != "" != strings.Contains(r.html, "/email/unsubscribe#token=") {
			t.Errorf("%s: want a link to unsubscribe if it isn't about security", kind)
		}
		if strings.Contains(r.html, "<b>of</b>") || strings.Contains(r.html, "<no value>") {
			t.Errorf("%s: got %s", kind, r.html)
		}
	}
}
