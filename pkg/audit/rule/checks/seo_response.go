package checks

import (
	"cmp"
	"net/http"
	"net/url"
	"regexp"
	"strings"

	"masthead/pkg/audit/rule"
	"masthead/pkg/humanize"
)

var seoHTTPStatus = rule.Rule{
	ID: "seo-http-status", Category: rule.SEO, Severity: rule.Error, Weight: 7, Title: "HTTP status",
	Sources: []rule.Source{rule.LH, rule.GS},
	When: "The final status is 200. Half the points for another one below 300, and (a warning) where the title or the " +
		"main heading of a short page says that there is no such page.",
	Fix: "Return status 200 for this address, and 404 for one that doesn't exist.",
	Check: func(f *rule.Facts) rule.Verdict {
		n := f.Document.Status
		v := f.Fail("The page returned status %s.", rule.Status(n))
		switch {
		case n == http.StatusOK && missing(f) != "":
			return f.Found(0.5, "The page says “%s”, but it returned status 200, so search engines keep it.",
				f.Show(missing(f))).As(rule.Warning).
				Fix("Return status 404 or 410 for an address without a page.")
		case n == http.StatusOK:
			return f.Pass("The page returned status 200.")
		case n > 200 && n < 300:
			v.Credit = 0.5
		}
		if n >= 300 {
			v = v.Hides(rule.Everywhere)
		}
		return v.Fix("Return status 200 for this address (it returned %d).", n)
	},
}

// missingText is the maximum length of a page that only says that there is none, in characters.
const missingText = 1500

// notFound matches the titles and headings of such pages.
var notFound = regexp.MustCompile(`(?i)^(error\s*)?404\b|\b404\s*[-–—|:]?\s*(error|not found)|` +
	`\b(page|site) (was |is |could )?(not|cannot) (be )?found\b|^not found\b|\bseite (wurde )?nicht gefunden\b|` +
	`\bpage (introuvable|non trouvée)|\bpágina no encontrada|\bpágina não encontrada|\bpagina non trovata|` +
	`страница не найдена|ページが見つかりません|页面不存在|找不到(此|该)?页面`)

// missing returns the title or the main heading by which a page says that it doesn't exist, or "".
func missing(f *rule.Facts) string {
	if f.Page.TextChars > missingText {
		return ""
	}
	if title := rule.First(f.Titles); notFound.MatchString(title) {
		return title
	}
	for i := range f.Headings {
		if h := &f.Headings[i]; h.Level == 1 && notFound.MatchString(h.Text) {
			return h.Text
		}
	}
	return ""
}

var seoRedirects = rule.Rule{
	ID: "seo-redirects", Category: rule.SEO, Severity: rule.Warning, Weight: 1, Title: "Redirects",
	Sources: []rule.Source{rule.GS},
	When: "At most one redirect leads to the page. Half the points for two. A temporary one (302, 303, 307) between " +
		"http and https, or with and without www, costs a quarter.",
	Fix:   "Link straight to the final address.",
	Alone: true,
	Check: func(f *rule.Facts) rule.Verdict {
		hops := f.Document.Redirects
		temporary := 0
		for i, hop := range hops {
			to := f.Final
			if i+1 < len(hops) {
				to = hops[i+1].URL.String()
			}
			switch hop.Status {
			case http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect:
				from := hop.URL.String()
				if f.Comparable(from) == f.Comparable(to) && isVariant(from, to) {
					temporary = hop.Status
				}
			}
		}
		credit := [...]float64{1, 1, 0.5, 0}[min(len(hops), 3)]
		if temporary != 0 {
			credit = max(0, credit-0.25)
		}
		switch {
		case credit == 1:
			return f.Pass("%s to the page.", humanize.Count(len(hops), "redirect"))
		case temporary != 0:
			return f.Found(credit, "%s to the page; the one between forms of its address is temporary (%d).",
				humanize.Count(len(hops), "redirect"), temporary).
				Fix("Link straight to %s (%s), and redirect permanently (301 or 308) between http and https and with and "+
					"without www.", f.Show(f.Publicly(f.Final)), humanize.Count(len(hops), "hop"))
		}
		return f.Found(credit, "%d redirects lead to the page.", len(hops)).
			Fix("Link straight to %s; %d hops were needed.", f.Show(f.Publicly(f.Final)), len(hops))
	},
}

// isVariant reports whether two addresses differ only by their scheme or a leading www.
func isVariant(a, b string) bool {
	x, err := url.Parse(a)
	if err != nil {
		return false
	}
	y, err := url.Parse(b)
	return err == nil && (x.Scheme != y.Scheme || !strings.EqualFold(x.Host, y.Host))
}

var seoHTTPS = rule.Rule{
	ID: "seo-https", Category: rule.SEO, Severity: rule.Error, Weight: 4, Title: "HTTPS", Sources: []rule.Source{rule.GS},
	When:  "The final address uses https. Not judged on localhost.",
	Fix:   "Serve the page over https:// and redirect http:// to it.",
	Alone: true,
	Check: func(f *rule.Facts) rule.Verdict {
		switch {
		case f.Page.URL.Scheme == "https":
			return f.Pass("The page is served over https.")
		case f.Loopback:
			return rule.Unchecked(rule.NoHTTPS)
		}
		return f.Fail("The page is served over unencrypted http.").
			Fix("Serve the page at https%s and redirect the http address to it.", strings.TrimPrefix(f.Show(f.Final), "http"))
	},
	Apply: func(f *rule.Facts) { f.HTTPS = true },
}

var seoCharset = rule.Rule{
	ID: "seo-charset", Category: rule.SEO, Severity: rule.Warning, Weight: 2, Title: "Character encoding",
	Sources: []rule.Source{rule.HTML},
	When: "UTF-8 is declared in the Content-Type header, by a byte order mark or by a meta element within the first " +
		"1024 bytes, and the bytes agree. Half the points for another encoding that agrees, or UTF-8 declared later.",
	Fix:   "Send Content-Type: text/html; charset=utf-8, and put a meta charset first in the head.",
	Alone: true,
	Check: func(f *rule.Facts) rule.Verdict {
		e := f.Page.Encoding
		name := f.Show(e.Name)
		declared := cmp.Or(e.Header, e.Meta)
		if e.Source == "bom" {
			declared = e.Name
		}
		v := f.Fail("The page does not declare its encoding.")
		switch {
		case declared == "":
		case declared != e.Name || !e.Valid:
			v = f.Fail("The page declares %s, but its bytes are something else.", f.Show(declared))
		case e.Name != "utf-8":
			v = f.Found(0.5, "The encoding is %s; UTF-8 works everywhere.", name)
		case e.Source == "meta" && e.MetaEnd > charsetBytes:
			v = f.Found(0.5, "UTF-8 is declared after the first 1024 bytes, where browsers no longer look.")
		default:
			return f.Pass("The encoding is UTF-8, and it is declared.")
		}
		switch {
		case e.Name != "utf-8" || !e.Valid:
			return v.Fix("Save the page as UTF-8 first; only then send “Content-Type: text/html; charset=utf-8” and declare " +
				"it in a meta element.")
		case e.Header != "" && e.Header != "utf-8":
			return v.Fix("Send “Content-Type: text/html; charset=utf-8”, which comes before any meta element.")
		}
		return v.Fix("Put this first in the head, or send “Content-Type: text/html; charset=utf-8”:").
			Paste(`<meta charset="utf-8">`)
	},
}
