package checks_test

import (
	"errors"
	"math"
	"net/url"
	"slices"
	"strings"
	"testing"

	"masthead/pkg/audit/rule"
	"masthead/pkg/audit/rule/checks"
	"masthead/pkg/page"
	"masthead/pkg/picture"
	"masthead/pkg/scrape"
	"masthead/pkg/testenv"
)

const bareHTML = `<!DOCTYPE html><html lang="de"><head><meta charset="utf-8">
<title>Eine Seite, die fast nichts sagt</title>
<meta name="description" content="Diese Beschreibung steht nur für Suchmaschinen da, und sonst für niemanden.">
<meta name="application-name" content="Beispiel">
</head><body><h1>Eine Seite</h1></body></html>`

func TestFix_tagsFromThePagesOwnValues(t *testing.T) {
	cases := []struct {
		name string
		html string
		// with are tags that must be among them, without parts that no tag may have.
		with, without []string
	}{
		{"nothing but search", bareHTML, []string{
			`<meta property="og:title" content="Eine Seite, die fast nichts sagt">`,
			`<meta property="og:description" content="Diese Beschreibung steht nur für Suchmaschinen da, und sonst für niemanden.">`,
			`<meta property="og:url" content="` + pageURL + `">`, `<meta property="og:type" content="website">`,
			`<meta property="og:site_name" content="Beispiel">`, `<meta property="og:locale" content="de_DE">`,
			`<meta name="twitter:card" content="summary_large_image">`, `<link rel="canonical" href="` + pageURL + `">`,
			`<meta name="viewport" content="width=device-width, initial-scale=1">`,
		}, []string{"twitter:site", "twitter:creator", `name="description"`, "<title>"}},
		{"a relative picture", strings.Replace(bareHTML, "</head>",
			`<meta property="og:image" content="/share.jpg"><meta name="twitter:image:alt" content="A &quot;drawing&quot;"></head>`, 1),
			[]string{
				`<meta property="og:image" content="https://www.example.com/share.jpg">`,
				`<meta property="og:image:width" content="1200">`, `<meta property="og:image:height" content="630">`,
				`<meta property="og:image:alt" content="A &#34;drawing&#34;">`,
				`<meta name="twitter:card" content="summary_large_image">`,
			}, nil},
		{"a picture for X alone", strings.Replace(bareHTML, "</head>",
			`<meta name="twitter:image" content="https://www.example.com/x.jpg"></head>`, 1),
			[]string{`<meta property="og:image" content="https://www.example.com/x.jpg">`}, []string{"og:image:alt"}},
		{"no title", strings.Replace(bareHTML, "<title>Eine Seite, die fast nichts sagt</title>", "", 1),
			[]string{"<title>Eine Seite</title>", `<meta property="og:title" content="Eine Seite">`}, nil},
		{"a wrong og:url", strings.Replace(perfectHTML, `"og:url" content="https://www.example.com/blog/perfect-page"`,
			`"og:url" content="https://www.example.com/"`, 1),
			[]string{`<meta property="og:url" content="` + pageURL + `">`}, []string{"og:title", "canonical"}},
		{"no name", strings.Replace(bareHTML, `<meta name="application-name" content="Beispiel">`, "", 1), nil,
			[]string{"og:site_name"}},
		{"a hostile title", strings.Replace(bareHTML, "Eine Seite, die fast nichts sagt",
			`&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;"&gt;`, 1), nil, []string{"<script", `""`}},
		{"template leftovers", `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>The title of the page</title>
<meta property="og:title" content="{{ page.title }}"><meta name="description" content="[object Object] of ${site}">
<meta name="application-name" content="undefined"></head><body><h1>A heading</h1></body></html>`,
			[]string{`<meta property="og:image:alt" content="The title of the page">`},
			[]string{"{{", "${", "[object", "undefined"}},
		{"a summary of a wide picture", strings.Replace(perfectHTML, "summary_large_image", "summary", 1),
			[]string{`<meta name="twitter:card" content="summary_large_image">`}, []string{"og:"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			site := siteOf(t, c.html, pageURL)
			before := checks.Set().Judge(site, now).Report()
			got := checks.Set().Judge(site, now).Patch()
			for _, tag := range c.with {
				if !slices.Contains(got.Tags, tag) {
					t.Errorf("got no %s among\n%s", tag, strings.Join(got.Tags, "\n"))
				}
			}
			for _, i := range before.Issues {
				if page.Leftover(i.Code) {
					t.Errorf("%s: got %s to paste, which is a leftover", i.ID, i.Code)
				}
			}
			for _, part := range c.without {
				if strings.Contains(strings.Join(got.Tags, "\n"), part) {
					t.Errorf("got %q in\n%s", part, strings.Join(got.Tags, "\n"))
				}
			}
			if got.Overall.Points <= before.Overall.Points {
				t.Errorf("the tags take it from %v to %v", before.Overall.Points, got.Overall.Points)
			}
		})
	}
}

// Where the page's picture is missing or of no use, our card takes its place, at an address of the page's host; the
// score is that of the page with the card saved there. A good picture stays.
func TestFix_uselessPicture_isReplacedByOurCard(t *testing.T) {
	const own = "https://www.example.com/" + rule.CardFile
	image := `<meta property="og:image" content="https://www.example.com/share.jpg">`
	x := `<meta name="twitter:image" content="https://www.example.com/share.jpg">`
	failed := scrape.Part[scrape.ShareImage]{State: scrape.Failed, Value: scrape.ShareImage{Status: 404},
		Err: errors.New("404")}
	sized := func(w, h int, f picture.Format) scrape.Part[scrape.ShareImage] {
		return scrape.Part[scrape.ShareImage]{State: scrape.Got, Value: scrape.ShareImage{
			Status: 200, ContentType: "image/" + f.String(), Size: 90_000, Facts: picture.Facts{Format: f, Width: w, Height: h},
		}}
	}
	for _, c := range []struct {
		name, head string
		part       scrape.Part[scrape.ShareImage]
		offered    bool
	}{
		{"none", "", scrape.Part[scrape.ShareImage]{}, true},
		{"404", image, failed, true},
		{"404 for X too", image + x, failed, true},
		{"an icon", image, sized(96, 96, picture.PNG), true},
		{"an SVG", image, sized(1200, 630, picture.SVG), true},
		{"good", image, sized(1200, 630, picture.JPEG), false},
	} {
		t.Run(c.name, func(t *testing.T) {
			read := func(head string) *scrape.Result {
				site := siteOf(t, strings.Replace(bareHTML, "</head>", head+"</head>", 1), pageURL)
				site.ShareImages = nil
				for _, address := range scrape.ShareImageURLs(site.Page.Value.Page) {
					part := c.part
					if address == own {
						part = sized(1200, 630, picture.PNG)
					}
					site.ShareImages = append(site.ShareImages, part)
				}
				return site
			}
			got := checks.Set().Judge(read(c.head), now).Patch()
			tags := strings.Join(got.Tags, "\n")
			if offered := got.Card == own && strings.Contains(tags, `<meta property="og:image" content="`+own+`">`); offered != c.offered {
				t.Fatalf("card at %q, want offered %v; tags:\n%s", got.Card, c.offered, tags)
			}
			if !c.offered {
				return
			}
			pasted := checks.Set().Judge(read(tags), now).Report()
			if math.Abs(got.Overall.Points-pasted.Overall.Points) > 1e-9 {
				t.Errorf("got %v, and %v when the tags stand in the page", got.Overall.Points, pasted.Overall.Points)
			}
			for _, i := range pasted.Issues {
				if strings.Contains(i.ID, "image") && !i.Pass && i.ID != "twitter-image-alt" {
					t.Errorf("after pasting: %s: %s", i.ID, i.Message)
				}
			}
		})
	}
}

// TestFix_scoreIsThatOfThePastedPage pastes the tags into the HTML itself, in place of those that say the same, and
// audits it anew.
func TestFix_scoreIsThatOfThePastedPage(t *testing.T) {
	const picture = `<meta property="og:image" content="https://www.example.com/a.jpg">`
	for _, old := range []string{"", picture, `<meta name="twitter:card" content="photo">`} {
		fixed := checks.Set().Judge(siteOf(t, strings.Replace(bareHTML, "</head>", old+"</head>", 1), pageURL), now).Patch()
		head := strings.Join(fixed.Tags, "\n") + "</head>"
		pasted := checks.Set().Judge(siteOf(t, strings.Replace(bareHTML, "</head>", head, 1), pageURL), now).Report()
		if math.Abs(fixed.Overall.Points-pasted.Overall.Points) > 1e-9 {
			t.Errorf("instead of %q: got %v, and %v when the tags stand in the page", old, fixed.Overall.Points,
				pasted.Overall.Points)
		}
	}
}

func TestFix_perfectPage_needsNothing(t *testing.T) {
	got := checks.Set().Judge(siteOf(t, perfectHTML, pageURL), now).Patch()
	if len(got.Tags) != 0 || got.Overall.Points != 100 {
		t.Errorf("got %v, %v", got.Tags, got.Overall)
	}
}

// TestFix_corpus_neverLowersAScore holds that real pages gain by the tags, which are whole elements, and that pasting
// them leaves nothing to paste.
func TestFix_corpus_neverLowersAScore(t *testing.T) {
	for _, p := range testenv.Pages(t) {
		site := siteOf(t, string(p.Body), p.PageURL)
		before := checks.Set().Judge(site, now).Report()
		fixed := checks.Set().Judge(site, now).Patch()
		if fixed.Overall.Points < before.Overall.Points-1e-9 {
			t.Errorf("%s: from %v to %v by\n%s", p.Name, before.Overall.Points, fixed.Overall.Points,
				strings.Join(fixed.Tags, "\n"))
		}
		for _, tag := range fixed.Tags {
			u, err := url.Parse(p.PageURL)
			if err != nil {
				t.Fatal(err)
			}
			q := page.Parse([]byte("<head>"+tag+"</head>"), "text/html; charset=utf-8", u)
			if len(q.Meta)+len(q.Links)+len(q.Titles) != 1 {
				t.Errorf("%s: %q is not one element", p.Name, tag)
			}
		}
	}
}
