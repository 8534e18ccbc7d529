package checks_test

import (
	"bytes"
	"math"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"

	"masthead/pkg/audit/rule"
	"masthead/pkg/audit/rule/checks"
	"masthead/pkg/page"
	"masthead/pkg/picture"
	"masthead/pkg/scrape"
	"masthead/pkg/testenv"
)

// A source is a page as its owner edits it: the bytes, their content type, and the site that they were read with.
type source struct {
	body        []byte
	contentType string
	site        *scrape.Result
	here        string // the origin of a page on localhost, which serves its pictures; "" for another
}

var (
	htmlTag   = regexp.MustCompile(`(?i)<html\b(?:[^>"']|"[^"]*"|'[^']*')*>`)
	langValue = regexp.MustCompile(`(?i)\s(?:xml:)?lang\s*=\s*("[^"]*"|'[^']*'|[^\s>]*)`)
	headTag   = regexp.MustCompile(`(?i)<head(?:\s(?:[^>"']|"[^"]*"|'[^']*')*)?>`)
	doctype   = regexp.MustCompile(`(?i)^\s*<!doctype[^>]*>`)
	mainTag   = regexp.MustCompile(`(?i)<main\b[^>]*>`)
	bodyTag   = regexp.MustCompile(`(?i)<body\b(?:[^>"']|"[^"]*"|'[^']*')*>`)
	published = regexp.MustCompile(`((?:og|twitter):image" content=")https://(?:www\.)?example\.com/`)
	anElement = regexp.MustCompile(`(?is)<(?:meta|link)\b(?:[^>"']|"[^"]*"|'[^']*')*>|<title[^>]*>.*?</title\s*>`)
	keyOf     = regexp.MustCompile(`(?is)(\s(?:property|name|itemprop)\s*=\s*)("[^"]*"|'[^']*'|[^\s>"']+)`)
	oneTag    = regexp.MustCompile(`(?is)<(meta|link|title|script)\b[^\n]*`)
)

// pasted is the source with the code of an issue where its text says.
func (s source) pasted(t *testing.T, code string) source {
	t.Helper()
	out := source{contentType: s.contentType, here: s.here}
	if s.here != "" {
		code = published.ReplaceAllString(code, "${1}"+s.here+"/")
	}
	robots := ""
	switch p := s.site.Page.Value.Page; {
	case strings.HasPrefix(code, "User-agent:"):
		out.body, robots = s.body, "\n"+code+"\n"
	case strings.HasPrefix(code, "<html"):
		if !htmlTag.Match(s.body) {
			at := len(doctype.Find(s.body))
			out.body = []byte(string(s.body[:at]) + code + string(s.body[at:]))
			break
		}
		out.body = htmlTag.ReplaceAllFunc(s.body, func(old []byte) []byte { // also in conditional comments
			rest := langValue.ReplaceAllLiteral(old, nil)
			return []byte(strings.TrimSuffix(code, ">") + string(rest[len("<html"):]))
		})
	case strings.HasPrefix(code, "<meta charset"):
		at := after(s.body, headTag, htmlTag, doctype)
		out.body = []byte(string(s.body[:at]) + code + string(s.body[at:]))
		out.contentType = "text/html"
	case strings.HasPrefix(code, "<h1>"):
		at := after(s.body, mainTag, bodyTag)
		if at == 0 {
			at = s.headEnd(t)
		}
		out.body = []byte(string(s.body[:at]) + string(encoded(t, p, code)) + string(s.body[at:]))
	default:
		if !oneTag.MatchString(code) {
			t.Fatalf("where does %q belong?", code)
		}
		at := s.headEnd(t)
		out.body = bytes.Join([][]byte{
			withoutReplaced(s.body[:at], code), encoded(t, p, code), withoutReplaced(s.body[at:], code),
		}, nil)
	}
	out.site = s.again(t, out, robots)
	return out
}

// after is the offset after the first of elements that the page has.
func after(body []byte, elements ...*regexp.Regexp) int {
	for _, e := range elements {
		if at := e.FindIndex(body); at != nil {
			return at[1]
		}
	}
	return 0
}

// headEnd is the offset in the bytes where the head of the page ends.
func (s source) headEnd(t *testing.T) int {
	t.Helper()
	p := s.site.Page.Value.Page
	if p.Head.End > 300_000 { // the code says: at its beginning
		return max(p.Encoding.MetaEnd, after(s.body, headTag))
	}
	if p.Encoding.Name == "utf-8" {
		if bytes.HasPrefix(s.body, []byte("\xef\xbb\xbf")) {
			return p.Head.End + 3
		}
		return p.Head.End
	}
	e := charsetOf(t, p)
	text, err := e.NewDecoder().Bytes(s.body)
	if err != nil {
		t.Fatal(err)
	}
	front, err := e.NewEncoder().Bytes(text[:p.Head.End])
	if err != nil {
		t.Fatal(err)
	}
	return len(front)
}

func charsetOf(t *testing.T, p *page.Page) encoding.Encoding {
	t.Helper()
	e, err := htmlindex.Get(p.Encoding.Name)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// encoded is code in the encoding of the page.
func encoded(t *testing.T, p *page.Page, code string) []byte {
	t.Helper()
	if p.Encoding.Name == "utf-8" {
		return []byte(code)
	}
	out, err := encoding.HTMLEscapeUnsupported(charsetOf(t, p).NewEncoder()).Bytes([]byte(code))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// withoutReplaced removes the elements that those of code replace.
func withoutReplaced(part []byte, code string) []byte {
	keys := map[string]bool{}
	p := page.Parse([]byte("<!doctype html><head>"+code+"</head>"), "text/html; charset=utf-8", nil)
	for i := range p.Meta {
		keys[p.Meta[i].Key] = true
	}
	versions := map[string]bool{}
	for i := range p.Hreflang {
		versions[strings.ToLower(p.Hreflang[i].Hreflang)] = true
	}
	return anElement.ReplaceAllFunc(part, func(element []byte) []byte {
		q := page.Parse(append([]byte("<!doctype html><head>"), element...), "text/html; charset=utf-8", nil)
		switch {
		case len(q.Titles) > 0 && len(p.Titles) > 0, len(q.Canonicals) > 0 && len(p.Canonicals) > 0:
			return nil
		case len(q.Hreflang) > 0 && versions[strings.ToLower(q.Hreflang[0].Hreflang)]:
			return nil
		}
		return keyOf.ReplaceAllFunc(element, func(attribute []byte) []byte {
			parts := keyOf.FindSubmatch(attribute)
			var kept []string
			for _, key := range strings.Fields(strings.Trim(string(parts[2]), `"'`)) {
				lower := strings.ToLower(key)
				if !keys[lower] && !(keys["og:image"] && strings.HasPrefix(lower, "og:image")) {
					kept = append(kept, key)
				}
			}
			return []byte(string(parts[1]) + `"` + strings.Join(kept, " ") + `"`)
		})
	})
}

// again is the site after another reading: the page as it is now, and the same responses to everything else. Our card
// is saved where its address says.
func (s source) again(t *testing.T, now source, robots string) *scrape.Result {
	t.Helper()
	before := s.site.Page.Value.Page
	p := page.Parse(now.body, now.contentType, before.URL)
	if now.contentType == s.contentType {
		p.Encoding = before.Encoding
	}
	site := *s.site
	site.Page.Value.Page = p
	site.ShareImages = nil
	old := scrape.ShareImageURLs(before)
	for _, address := range scrape.ShareImageURLs(p) {
		part := scrape.Part[scrape.ShareImage]{}
		for i := range old {
			if i < len(s.site.ShareImages) && (old[i] == address || s.site.ShareImages[i].Value.Final.String() == address) {
				part = s.site.ShareImages[i]
			}
		}
		if part.State == scrape.NotAsked && strings.HasSuffix(address, "/"+rule.CardFile) {
			part = jpeg(t, address)
			part.Value.ContentType, part.Value.Facts.Format = "image/png", picture.PNG
		}
		site.ShareImages = append(site.ShareImages, part)
	}
	if len(p.Canonicals) > 0 && p.Canonicals[0].Href == p.URL.String() {
		site.Canonical = scrape.Part[scrape.LinkedPage]{State: scrape.Absent}
	}
	if robots != "" {
		site.Robots.Value = site.Robots.Value.With(robots)
	}
	return &site
}

// holdsPromises pastes the code of each issue of a page and audits it again: the finding is gone, the score rises by
// the gain, and no other rule gets less than before. It returns how many pieces of code there were.
func holdsPromises(t *testing.T, s source) (pieces int) {
	t.Helper()
	report, credits := checks.Set().Judge(s.site, now).Report(), creditsOf(s.site, now)
	for i := range report.Issues {
		issue := &report.Issues[i]
		if issue.Pass || issue.Code == "" {
			continue
		}
		pieces++
		after := s.pasted(t, issue.Code)
		then := checks.Set().Judge(after.site, now).Report()
		if len(issue.With) > 0 && then.Overall.Points > report.Overall.Points+1e-6 {
			t.Errorf("%s: wins %.3f without %v", issue.ID, then.Overall.Points-report.Overall.Points, issue.With)
		}
		if found := issueOf(then, issue.ID); found != nil && !found.Pass {
			t.Errorf("%s: still there after pasting\n%s\n%s", issue.ID, issue.Code, found.Message)
		}
		for _, id := range issue.Clears {
			if found := issueOf(then, id); found != nil && !found.Pass {
				t.Errorf("%s: its code leaves %s: %s", issue.ID, id, found.Message)
			}
		}
		won, known := then.Overall.Points-report.Overall.Points, len(issue.With) == 0
		if issue.Gain > 0 && !known {
			won, known = s.together(t, report, issue)
		}
		if known && math.Abs(won-issue.Gain) > 0.1 {
			t.Errorf("%s: got gain %v, want %.3f as pasting wins:\n%s", issue.ID, issue.Gain, won, issue.Code)
		}
		if strings.HasSuffix(issue.Advice, ".") {
			t.Errorf("%s: got advice without a colon before its code: %q", issue.ID, issue.Advice)
		}
		for id, credit := range creditsOf(after.site, now) {
			if had, judged := credits[id]; judged && credit < had-1e-9 {
				t.Errorf("%s: its code takes %s from %v to %v:\n%s", issue.ID, id, had, credit, issue.Code)
			}
		}
	}
	return pieces
}

// together is what pasting the code of an issue and of those that it needs wins; known is false if one of them has
// none.
func (s source) together(t *testing.T, report rule.Report, issue *rule.Issue) (won float64, known bool) {
	t.Helper()
	after := s.pasted(t, issue.Code)
	for _, id := range issue.With {
		other := issueOf(report, id)
		if other == nil || other.Code == "" {
			return 0, false
		}
		after = after.pasted(t, other.Code)
	}
	return checks.Set().Judge(after.site, now).Report().Overall.Points - report.Overall.Points, true
}

// TestAdvice_pastedCode_doesWhatItPromises goes through the pages written for each rule.
func TestAdvice_pastedCode_doesWhatItPromises(t *testing.T) {
	pieces, with := 0, map[string]bool{}
	for _, c := range cases {
		if c.change.at != "" {
			continue // on localhost the code is for the published page
		}
		t.Run(c.rule+"/"+c.name, func(t *testing.T) {
			s := source{body: []byte(c.change.text(t)), contentType: "text/html; charset=utf-8", site: c.change.apply(t)}
			pieces += holdsPromises(t, s)
			for _, i := range checks.Set().Judge(s.site, now).Report().Issues {
				if i.Code != "" {
					with[i.ID] = true
				}
			}
		})
	}
	t.Logf("%d pieces of code by %d rules", pieces, len(with))
	if pieces < 100 {
		t.Errorf("got %d pieces of code, want at least 100", pieces)
	}
}

// holdsPatch pastes everything at once: the page is then as good as promised.
func holdsPatch(t *testing.T, s source) {
	t.Helper()
	patch := checks.Set().Judge(s.site, now).Patch()
	if len(patch.Tags) == 0 {
		return
	}
	tags := strings.Join(patch.Tags, "\n")
	got := checks.Set().Judge(s.pasted(t, tags).site, now).Report().Overall.Points
	if math.Abs(got-patch.Overall.Points) > 0.1 {
		t.Errorf("all at once: got %v, want the promised %v:\n%s", got, patch.Overall.Points, tags)
	}
}

// TestAdvice_corpus_pastedCode_doesWhatItPromises does so on real pages, alone and with everything that they refer to
// in good order, and with an element that ends the head at its beginning. What is pasted all at once is as good as
// promised.
func TestAdvice_corpus_pastedCode_doesWhatItPromises(t *testing.T) {
	pieces := 0
	for _, c := range testenv.Pages(t) {
		whole := siteOf(t, string(c.Body), c.PageURL)
		whole.Page.Value.Page = page.Parse(c.Body, c.ContentType, c.Address)
		cut := source{body: headTag.ReplaceAll(c.Body, []byte("$0<div>Hello</div>")), contentType: c.ContentType}
		cut.site = source{site: whole}.again(t, cut, "")
		cut.site.Page.Value.Page = page.Parse(cut.body, c.ContentType, c.Address)
		for name, s := range map[string]source{
			"alone": {body: c.Body, contentType: c.ContentType, site: parsed(&c)},
			"whole": {body: c.Body, contentType: c.ContentType, site: whole}, "cut": cut,
		} {
			t.Run(c.Name+"/"+name, func(t *testing.T) {
				pieces += holdsPromises(t, s)
				holdsPatch(t, s)
			})
		}
	}
	t.Logf("%d pieces of code", pieces)
}
