package site_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"masthead/pkg/audit"
	"masthead/pkg/audit/site"
	"masthead/pkg/platform"
)

// pageOf is a page with a score, at a path of the site.
func pageOf(path string, points float64, issues ...audit.Issue) site.Page {
	g := audit.NewGrade(points)
	r := &audit.Report{
		URL: "https://one.example" + path, FinalURL: "https://one.example" + path, Status: 200, Overall: g,
		Categories: audit.Grades{OG: g, Twitter: g, SEO: g}, Issues: issues,
		Metadata: audit.Metadata{
			Title: "The title of " + path, Description: "About " + path, Image: "https://one.example/picture" + path,
		},
		Tags:   []audit.Tag{{Key: "lang", Value: "en", Source: "html"}},
		Shared: platform.Page{URL: "https://one.example" + path, Host: "one.example", Status: 200},
	}
	return site.PageOf(r.URL, r, nil)
}

func failed(id, severity string, gain float64) audit.Issue {
	return audit.Issue{ID: id, Severity: severity, Message: "What was found.", Gain: gain, Lost: gain}
}

func TestOf_averagesAndOrdersPages(t *testing.T) {
	r := site.Of("https://one.example/sitemap.xml", []site.Page{
		pageOf("/good", 98), pageOf("/bad", 41), site.PageOf("https://one.example/gone", nil, errors.New("It timed out.")),
		pageOf("/fair", 80), pageOf("/bad too", 41),
	})
	if r.Read != 4 || r.Unread != 1 || r.Overall.Score != 65 || r.Overall.Letter != "D" {
		t.Errorf("got %d read, %d not, %+v; want 4, 1 and 65 D", r.Read, r.Unread, r.Overall)
	}
	var order []string
	for i := range r.Pages {
		order = append(order, strings.TrimPrefix(r.Pages[i].URL, "https://one.example"))
	}
	if want := []string{"/gone", "/bad", "/bad too", "/fair", "/good"}; !slices.Equal(order, want) {
		t.Errorf("got the order %v, want %v", order, want)
	}
	if want := []site.Letter{{"A+", 1}, {"B", 1}, {"F", 2}}; !slices.Equal(r.Letters, want) {
		t.Errorf("got letters %v, want %v", r.Letters, want)
	}
	if r.Pages[0].Error != "It timed out." {
		t.Errorf("got the error %q", r.Pages[0].Error)
	}
}

func TestOf_nothingRead_hasNoGrade(t *testing.T) {
	r := site.Of("", []site.Page{site.PageOf("https://one.example/", nil, errors.New("no"))})
	if r.Read != 0 || r.Overall != (audit.Grade{}) || r.Faults != nil || r.Findings != nil {
		t.Errorf("got %+v, want nothing", r)
	}
}

func TestOf_faults_areThoseOfAllPagesByWhatTheyCost(t *testing.T) {
	var pages []site.Page
	for i := range 8 {
		issues := []audit.Issue{failed("og-site-name", "warning", 1)}
		if i < 2 {
			issues = append(issues, failed("og-image", "error", 20))
		}
		pages = append(pages, pageOf(fmt.Sprintf("/%d", i), 70, append(issues, failed("twitter-creator", "info", 0))...))
	}
	r := site.Of("", pages)
	var got []string
	for _, f := range r.Faults {
		got = append(got, fmt.Sprintf("%s %s on %d +%.1f", f.ID, f.Severity, f.Pages, f.Gain))
	}
	want := []string{"og-image error on 2 +5.0", "og-site-name warning on 8 +1.0", "twitter-creator info on 8 +0.0"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	f := r.Faults[1]
	if f.Title != "Site name" || f.Category != "og" || f.Fix == "" || len(f.Examples) != site.MaxExamples {
		t.Errorf("got %+v, want the words of the rule and %d examples", f, site.MaxExamples)
	}
}

// finding returns the result of a check.
func finding(t *testing.T, r *site.Report, id string) site.Finding {
	t.Helper()
	for _, f := range r.Findings {
		if f.ID == id {
			return f
		}
	}
	t.Fatalf("there is no %s in %+v", id, r.Findings)
	return site.Finding{}
}

func TestOf_repeatedValues_areFound(t *testing.T) {
	home := func(path string, change func(*site.Page)) site.Page {
		p := pageOf(path, 90)
		p.Title = "Home"
		if change != nil {
			change(&p)
		}
		return p
	}
	for _, c := range []struct {
		name  string
		pages []site.Page
		count int // of pages with the title; 0 if the check passes
	}{
		{"two pages", []site.Page{home("/a", nil), home("/b", nil), pageOf("/c", 90)}, 2},
		{"other capitals", []site.Page{home("/a", nil), home("/b", func(p *site.Page) { p.Title = "HOME" })}, 2},
		{"unlike each other", []site.Page{home("/a", nil), pageOf("/b", 90)}, 0},
		{"without a title", []site.Page{
			home("/a", func(p *site.Page) { p.Title = "" }), home("/b", func(p *site.Page) { p.Title = "" }),
		}, 0},
		{"one canonical address", []site.Page{
			home("/a", nil), home("/a?sort=asc", func(p *site.Page) { p.Canonical = "/a" }), pageOf("/c", 90),
		}, 0},
		{"a canonical address elsewhere", []site.Page{
			home("/a", nil), home("/b", func(p *site.Page) { p.Canonical = "https://other.example/a" }),
		}, 2},
		{"in another language", []site.Page{home("/a", nil), home("/de", func(p *site.Page) { p.Lang = "de" })}, 0},
		{"hidden from search", []site.Page{
			home("/a", nil), home("/b", func(p *site.Page) { p.Hidden = true }), pageOf("/c", 90),
		}, 0},
		{"an error page", []site.Page{
			home("/a", nil), home("/b", func(p *site.Page) { p.Status = 404 }), pageOf("/c", 90),
		}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := finding(t, site.Of("", c.pages), "site-unique-titles")
			if f.Pass != (c.count == 0) || f.Pass != (f.Fix == "") || f.Message == "" {
				t.Fatalf("got %+v", f)
			}
			if c.count > 0 && (len(f.Groups) != 1 || f.Groups[0].Count != c.count || len(f.Groups[0].URLs) != c.count) {
				t.Errorf("got %+v, want %d pages", f.Groups, c.count)
			}
		})
	}
}

func TestOf_repeatedPictures_areListedUpToALimit(t *testing.T) {
	var pages []site.Page
	for i := range 3 * (site.MaxGroups + 2) {
		p := pageOf(fmt.Sprintf("/%d", i), 90)
		p.Image = fmt.Sprintf("https://one.example/%d.png", i/3)
		pages = append(pages, p)
	}
	for i := range 10 {
		p := pageOf(fmt.Sprintf("/more/%d", i), 90)
		p.Image = "https://one.example/0.png"
		pages = append(pages, p)
	}
	f := finding(t, site.Of("", pages), "site-unique-pictures")
	if len(f.Groups) != site.MaxGroups || f.Groups[0].Count != 13 || len(f.Groups[0].URLs) != site.MaxExamples {
		t.Errorf("got %d groups, the first %+v", len(f.Groups), f.Groups[0])
	}
	want := "46 of 46 pages have the same share image as another page; 12 share images are on several pages."
	if f.Message != want {
		t.Errorf("got %q, want %q", f.Message, want)
	}
}

func TestOf_onePage_isNotCompared(t *testing.T) {
	if r := site.Of("", []site.Page{pageOf("/", 90)}); r.Findings != nil {
		t.Errorf("got %+v, want no findings", r.Findings)
	}
}

func TestPage_worst_isTheWorstPreview(t *testing.T) {
	p := pageOf("/", 50)
	if worst, ok := p.Worst(); !ok || worst.Verdict != platform.BareLink || worst.Name() == "" {
		t.Errorf("got %+v, %v for a page without tags, want a bare link", worst, ok)
	}
	p.Views = []site.View{{"x", platform.Whole}}
	if worst, ok := p.Worst(); ok {
		t.Errorf("got %+v, want none for a page shown whole", worst)
	}
}
