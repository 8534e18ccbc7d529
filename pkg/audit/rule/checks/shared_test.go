package checks_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"masthead/pkg/audit/rule"
	"masthead/pkg/page"
	"masthead/pkg/platform"
	"masthead/pkg/scrape"
	"masthead/pkg/testenv"
)

func TestShared_perfectPage_isWholeOnEveryPlatform(t *testing.T) {
	shared := rule.Shared(siteOf(t, perfectHTML, pageURL))
	for _, shown := range platform.ShowAll(shared) {
		if shown.Verdict.Severity() != 0 || shown.PictureFrom != "og:image" {
			t.Errorf("%s: got %s: %q", shown.Name, shown.Verdict, shown.Notes)
		}
	}
	if shared.Host != "www.example.com" || shared.URL != pageURL || shared.Status != 200 ||
		shared.Card != "summary_large_image" || len(shared.Blocked) != 0 {
		t.Errorf("got %+v", shared)
	}
}

func TestShared_partsOfTheSite_reachThePlatforms(t *testing.T) {
	site := siteOf(t, strings.Replace(perfectHTML, `<meta name="twitter:card"`,
		`<meta name="twitter:image:src" content="/x.png"><meta name="twitter:title" content="For X"><meta name="twitter:card"`,
		1), pageURL)
	site.Robots = scrape.Part[page.Robots]{State: scrape.Got, Value: page.ParseRobots([]byte(
		"User-agent: LinkedInBot\nDisallow: /\n\nUser-agent: Discordbot\nDisallow: /share.jpg\n"))}
	if want := scrape.ShareImageURLs(site.Page.Value.Page); len(want) != 2 {
		t.Fatalf("share images: %v", want)
	}
	site.ShareImages = []scrape.Part[scrape.ShareImage]{
		jpeg(t, "https://www.example.com/share.jpg"),
		{State: scrape.Failed, Err: errors.New("gone"), Value: scrape.ShareImage{Status: 404}},
	}
	shared := rule.Shared(site)
	if !slices.Equal(shared.Blocked, []string{"LinkedInBot"}) {
		t.Errorf("blocked: %v", shared.Blocked)
	}
	if len(shared.Pictures) != 2 || shared.Pictures[0].Format != "jpeg" || shared.Pictures[0].Width != 1200 ||
		!slices.Equal(shared.Pictures[0].Blocked, []string{"LinkedInBot", "Discordbot"}) ||
		shared.Pictures[1].Tag != "twitter:image" || shared.Pictures[1].Fault == "" {
		t.Errorf("pictures: %+v", shared.Pictures)
	}
	want := map[string]platform.Verdict{
		"x": platform.NoPicture, "linkedin": platform.BareLink, "discord": platform.NoPicture, "slack": platform.Whole,
	}
	for _, shown := range platform.ShowAll(shared) {
		if w, ok := want[shown.Platform]; ok && shown.Verdict != w {
			t.Errorf("%s: got %s, want %s: %q", shown.Name, shown.Verdict, w, shown.Notes)
		}
		if shown.Platform == "x" && shown.Title != "For X" {
			t.Errorf("title of X: %q", shown.Title)
		}
	}
}

func TestShared_corpus_neverPanicsAndShowsWhatThePreviewHas(t *testing.T) {
	for _, p := range testenv.Pages(t) {
		site := siteOf(t, string(p.Body), p.PageURL)
		shared := rule.Shared(site)
		for _, shown := range platform.ShowAll(shared) {
			if shown.Layout != platform.Link && shown.Title == "" {
				t.Errorf("%s on %s: %s without a title", p.Name, shown.Name, shown.Layout)
			}
			if shown.Layout == platform.Link && shown.Title != shared.URL {
				t.Errorf("%s on %s: a bare link shows %q", p.Name, shown.Name, shown.Title)
			}
		}
	}
}
