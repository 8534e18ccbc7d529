package checks_test

import (
	"strings"
	"testing"

	"masthead/pkg/audit/rule/checks"
)

// TestAudit_payloads_stayInTheirAttributes holds that what can be pasted has no markup of the page's own: whoever
// pastes it must not paste what a stranger wrote.
func TestAudit_payloads_stayInTheirAttributes(t *testing.T) {
	const payload = `&quot;&gt;&lt;/title&gt;&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;`
	tags := `<title>` + payload + `</title><meta name=description content="` + payload + `"><h1>` + payload + `</h1>` +
		`<link rel=canonical href="https://www.example.com/` + payload + `">`
	for _, i := range checks.Set().Judge(siteOf(t, tags, pageURL), now).Report().Issues {
		if strings.Contains(i.Code, "<script>") || strings.Contains(i.Code, `"></title>`) {
			t.Errorf("%s: got code %q", i.ID, i.Code)
		}
	}
}

func FuzzAudit(f *testing.F) {
	f.Add(perfectHTML, "noindex, unavailable_after: 1", `<a>; rel="canonical"`)
	f.Add(`<meta property=og:url content="//[::1"><link rel=canonical href=%zz>`, "a:b:c,", "<")
	f.Add(`<meta property="og:image" content=x><meta property=og:image:width content=9999999999999999999999>`, "", "")
	f.Fuzz(func(t *testing.T, html, robots, link string) {
		change := both(header("X-Robots-Tag", robots), header("Link", link))
		site := siteOf(t, html, pageURL)
		change.site(site)
		report := checks.Set().Judge(site, now).Report()
		wantWellFormed(t, report)
		if p := report.Overall.Points; !(p >= 0 && p <= 100) {
			t.Errorf("got a score of %v", p)
		}
	})
}

// TestCode_garbledText: what was decoded wrongly isn't what the author wrote, so no code repeats it.
func TestCode_garbledText(t *testing.T) {
	html := "<!doctype html><html lang=de><meta charset=utf-8><title>Keramik aus der Werkstatt in L\xfcbeck</title>" +
		"<meta name=description content=\"Jede Schale wird in L\xfcbeck von Hand gedreht und dann zweimal gebrannt.\">"
	report := checks.Set().Judge(siteOf(t, html, pageURL), now).Report()
	if i := issueOf(report, "og-title"); i.Code != "" || strings.HasSuffix(i.Fix, ":") {
		t.Errorf("got the advice %q", i.Fix)
	}
	for _, i := range report.Issues {
		if strings.Contains(i.Code, "beck") {
			t.Errorf("%s: got the code %s", i.ID, i.Code)
		}
	}
}
