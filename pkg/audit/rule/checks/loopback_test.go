package checks_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"masthead/pkg/audit/rule"
	"masthead/pkg/audit/rule/checks"
	"masthead/pkg/scrape"
)

const localURL = "http://localhost:3000/blog/perfect-page"

// onLocalhost is a change of a page on localhost.
func onLocalhost(c change) change {
	c.at = localURL
	return c
}

// loopbackCases are rules that do not apply to a page on localhost.
var loopbackCases = []testCase{
	{rule: "og-image-https", name: "localhost", change: onLocalhost(to("https://www.example.com/share.jpg", "http://localhost:3000/share.jpg")), credit: 1, severity: rule.Warning, says: "on localhost"},
	{rule: "twitter-image-url", name: "localhost", change: onLocalhost(to("https://www.example.com/share.jpg", "http://localhost:3000/share.jpg")), credit: 1, severity: rule.Warning, says: "on localhost"},
	{rule: "seo-https", name: "localhost", change: onLocalhost(change{}), want: "not applicable"},
	{rule: "seo-canonical-target", name: "localhost", change: onLocalhost(change{}), want: "not applicable"},
}

func notChecked(report rule.Report) (ids []string) {
	for _, n := range report.NotChecked {
		ids = append(ids, n.ID)
	}
	return ids
}

func TestLoopback_pageThatIsReadyToBePublished_is100(t *testing.T) {
	for _, at := range []string{localURL, "http://127.0.0.1:8080/", "http://[::1]/a", "http://blog.localhost:3000/"} {
		site := change{at: at}.apply(t)
		for i := range site.Alternates { // they link to the published page
			site.Alternates[i].Value.LinksBack = false
		}
		report := checks.Set().Judge(site, now).Report()
		for _, i := range report.Issues {
			if !i.Pass {
				t.Errorf("%s: %s: %s", at, i.ID, i.Message)
			}
		}
		want := []string{"og-url-valid", "seo-canonical-target", "seo-hreflang-reciprocal", "seo-https"}
		if got := notChecked(report); !slices.Equal(got, want) || report.Overall.Points != 100 {
			t.Errorf("%s: got %v points, not checked: %v; want 100, %v", at, report.Overall.Points, got, want)
		}
		for _, n := range report.NotChecked {
			if n.Reason == "" || n.Title == "" || n.Category == "" {
				t.Errorf("got %+v", n)
			}
			const command = "masthead audit https://www.example.com/"
			if n.ID != "seo-https" && !strings.Contains(n.Reason, command) {
				t.Errorf("%s: got reason %q, want the command that checks it", n.ID, n.Reason)
			}
		}
		discovered := checks.Set().Judge(site, now).Discoverability()
		if c, h := discovered.Canonical, discovered.Hreflang; len(c)+len(h) > 0 {
			t.Errorf("%s: got %v, %v, want no findings", at, c, h)
		}
	}
}

// TestLoopback_whatCanBeSeenThere_isJudged holds that nothing but the place of the page is left out.
func TestLoopback_whatCanBeSeenThere_isJudged(t *testing.T) {
	for _, c := range []struct {
		name, rule, state string
		change            change
	}{
		{"og:url without scheme", "og-url-valid", "fail", to(`og:url" content="https://www.example.com/`, `og:url" content="/`)},
		{"canonical of another page here", "seo-canonical-target", "partial",
			to(`canonical" href="https://www.example.com/blog/perfect-page`, `canonical" href="http://localhost:3000/other`)},
		{"canonical is the page here", "seo-canonical-target", "pass",
			to(`canonical" href="https://www.example.com/blog/perfect-page`, `canonical" href="`+localURL)},
		{"http image elsewhere", "og-image-https", "fail", to("https://www.example.com/share.jpg", "http://www.example.com/share.jpg")},
		{"http image here", "og-image-https", "pass", to("https://www.example.com/share.jpg", "http://localhost:3000/share.jpg")},
		{"http image of X here", "twitter-image-url", "pass", to("https://www.example.com/share.jpg", "http://localhost:3000/share.jpg")},
		{"image server here", "og-image-https", "pass", to("https://www.example.com/share.jpg", "http://127.0.0.1:9000/share.jpg")},
		{"relative image", "twitter-image-url", "fail", to(`content="https://www.example.com/share.jpg`, `content="/share.jpg`)},
		{"no x-default", "seo-hreflang-valid", "partial", without(`<link rel="alternate" hreflang="x-default"`)},
		{"versions here without the page", "seo-hreflang-valid", "partial", to(
			`hreflang="en-GB" href="https://www.example.com/blog/perfect-page"`, `hreflang="fr" href="http://localhost:3000/fr"`,
			`hreflang="de" href="https://www.example.com/de/perfect"`, `hreflang="de" href="http://localhost:3000/de"`,
			`hreflang="x-default" href="https://www.example.com/blog/perfect-page"`, `hreflang="x-default" href="http://localhost:3000/"`)},
	} {
		c.change.at = localURL
		if got := stateOf(c.change.apply(t), now, c.rule); got != c.state {
			t.Errorf("%s: got %s, want %s", c.name, got, c.state)
		}
	}
	// A page of the public web that names localhost has a fault.
	public := to("https://www.example.com/share.jpg", "http://localhost:3000/share.jpg")
	if got := stateOf(public.apply(t), now, "og-image-https"); got != "fail" {
		t.Errorf("an image on localhost of a public page: got %s, want fail", got)
	}
}

// TestLoopback_fixesNameNoLocalhost goes through every page that a rule finds fault with, as one on localhost.
func TestLoopback_fixesNameNoLocalhost(t *testing.T) {
	local := regexp.MustCompile(`localhost|127\.0\.0\.1`)
	pages := []*scrape.Result{siteOf(t, "<p>Hello", localURL), siteOf(t, "<p>Hello", "https://localhost:3000/")}
	for _, c := range cases {
		if c.change.at != "" {
			continue
		}
		change := c.change
		change.at = localURL
		pages = append(pages, change.apply(t))
		pages = append(pages, onThisMachine(t, change))
	}
	for _, site := range pages {
		for _, i := range checks.Set().Judge(site, now).Report().Issues {
			if local.MatchString(i.Code) {
				t.Errorf("%s: got code %q", i.ID, i.Code)
			}
			if strings.Contains(i.Advice, "https://localhost") {
				t.Errorf("%s: got advice %q", i.ID, i.Advice)
			}
		}
		for _, tag := range checks.Set().Judge(site, now).Patch().Tags {
			if local.MatchString(tag) {
				t.Errorf("got tag %s", tag)
			}
		}
	}
}

// onThisMachine is the site of a change whose addresses are all on localhost, as those of a dev server are.
func onThisMachine(t *testing.T, c change) *scrape.Result {
	t.Helper()
	html := perfectHTML
	for i := 0; i+1 < len(c.html); i += 2 {
		html = strings.ReplaceAll(html, c.html[i], c.html[i+1])
	}
	site := siteOf(t, strings.ReplaceAll(html, "https://www.example.com", "http://localhost:3000"), localURL)
	if c.site != nil && len(site.ShareImages) > 0 {
		c.site(site)
	}
	return site
}

func TestFix_onLoopback_isTheScoreOfThePublishedTags(t *testing.T) {
	site := to(`content="https://www.example.com/share.jpg"`, `content="/share.jpg"`).apply(t)
	local := to(`content="https://www.example.com/share.jpg"`, `content="/share.jpg"`)
	local.at = localURL
	fixed := checks.Set().Judge(local.apply(t), now).Patch()
	want := checks.Set().Judge(site, now).Patch()
	if !slices.Equal(fixed.Tags, want.Tags) || fixed.Overall != want.Overall {
		t.Errorf("got %v, %q, want those of the published page: %v, %q", fixed.Overall, fixed.Tags, want.Overall, want.Tags)
	}
}
