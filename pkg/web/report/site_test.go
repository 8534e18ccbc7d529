package report_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"masthead/pkg/audit"
	"masthead/pkg/audit/site"
	"masthead/pkg/web/report"
	"masthead/pkg/web/webtest"
)

// siteFile draws the page of a site with pages of a head each; all have one picture.
func siteFile(t *testing.T, heads []string, more ...site.Page) string {
	t.Helper()
	pages := more
	for i, head := range heads {
		r := reportOf(t, head, 200, 1200, 630)
		r.FinalURL = fmt.Sprintf("%s/%d", address, i)
		pages = append(pages, site.PageOf(r.FinalURL, r, nil))
	}
	shown := &audit.Thumbnail{
		Name: "share.jpg", ContentType: "image/jpeg", Width: 400, Height: 210, Data: []byte("a picture"),
	}
	var b strings.Builder
	err := report.WriteSiteFile(&b, &report.SitePage{
		Report: site.Of("https://one.example/sitemap.xml", pages), At: now,
		Shown: func(p *site.Page) *audit.Thumbnail {
			if p.Image == "" {
				return nil
			}
			return shown
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func wantIn(t *testing.T, html string, want ...string) {
	t.Helper()
	for _, text := range want {
		if !strings.Contains(html, text) {
			t.Errorf("the page lacks %q", text)
		}
	}
}

func TestWriteSiteFile_showsPagesFaultsAndPreviews(t *testing.T) {
	html := siteFile(t, []string{perfect, perfect, "<title>Little</title>"},
		site.PageOf("https://one.example/gone", nil, errors.New("It took too long.")))
	wantIn(t, html, "of 3 pages", "What pages repeat", "2 of 3 pages have the same title as another page.",
		"Faults that pages share", "on 3 of 3 pages", "Worst pages", "Pages without a report", "It took too long.",
		"Every page when shared", "No picture", "https://one.example/sitemap.xml")
	if n := strings.Count(html, "data:image/jpeg"); n != 1 {
		t.Errorf("the one picture of two pages is in the file %d times", n)
	}
	if n := strings.Count(html, `<use href="#picture-1"`); n != 2 {
		t.Errorf("the picture is shown %d times, want 2", n)
	}
	if strings.Contains(html, "<form") {
		t.Error("a file has a form")
	}
}

func TestWriteSiteFile_nothingRead_saysWhy(t *testing.T) {
	html := siteFile(t, nil, site.PageOf("https://one.example/", nil, errors.New("Nothing responds there.")))
	wantIn(t, html, "None of the pages could be read", "Nothing responds there.")
	if strings.Contains(html, "Worst pages") || strings.Contains(html, "average of") {
		t.Error("a site without pages has scores")
	}
}

func TestWriteSiteFile_textsOfPages_areEscaped(t *testing.T) {
	head := strings.ReplaceAll(perfect, "A title of a page", webtest.Payload)
	html := siteFile(t, []string{head, head}, site.PageOf("https://one.example/", nil, errors.New(webtest.Payload)))
	if strings.Contains(html, webtest.Payload) {
		t.Error("a text of a page is in the markup as it is")
	}
	wantIn(t, html, "have the same title")
}

func TestWriteSiteFile_manyPages_areCutAtALimit(t *testing.T) {
	many := make([]site.Page, 0, 260)
	of := site.PageOf(address, reportOf(t, perfect, 200, 1200, 630), nil)
	for i := range 260 {
		p := of
		p.URL = fmt.Sprintf("%s/%d", address, i)
		many = append(many, p)
	}
	wantIn(t, siteFile(t, nil, many...), "And 60 more, better than these.", "The first 20 of 260")
}
