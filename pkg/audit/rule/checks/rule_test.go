package checks_test

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"masthead/pkg/audit/rule"
	"masthead/pkg/audit/rule/checks"
	"masthead/pkg/page"
	"masthead/pkg/picture"
	"masthead/pkg/platform"
	"masthead/pkg/scrape"
	"masthead/pkg/testenv"
)

func TestPerfectPage_is100(t *testing.T) {
	report := checks.Set().Judge(change{}.apply(t), now).Report()
	for _, i := range report.Issues {
		if !i.Pass {
			t.Errorf("%s: %s", i.ID, i.Message)
		}
		if i.Fix != "" || i.Code != "" || i.Gain != 0 || i.Lost != 0 {
			t.Errorf("%s passes: got fix %q, gain %v, want none", i.ID, i.Fix, i.Gain)
		}
	}
	if report.Overall.Rounded() != 100 || report.Overall.Grade() != "A+" || report.Overall.Points != 100 {
		t.Errorf("got %v %s, want 100 A+", report.Overall.Points, report.Overall.Grade())
	}
}

func TestPageWithoutTags_isBelow40(t *testing.T) {
	report := checks.Set().Judge(siteOf(t, "<p>Hello", pageURL), now).Report()
	if got := report.Overall.Rounded(); got >= 40 || report.Overall.Grade() != "F" {
		t.Errorf("got %d %s, want less than 40, F", got, report.Overall.Grade())
	}
	for _, c := range rule.Categories {
		t.Logf("%s: %.2f", c, report.Score(c).Points)
	}
}

// TestRules_eachCase holds what each case says of its rule, and that the gain of a failed one is what fixing it wins.
func TestRules_eachCase(t *testing.T) {
	seen := map[string]map[string]bool{}
	for _, c := range cases {
		t.Run(c.rule+"/"+c.name, func(t *testing.T) {
			site := c.change.apply(t)
			report, state := checks.Set().Judge(site, now).Report(), stateOf(site, now, c.rule)
			if seen[c.rule] == nil {
				seen[c.rule] = map[string]bool{}
			}
			seen[c.rule][state] = true
			issue := issueOf(report, c.rule)
			if c.want != "" {
				if state != c.want || issue != nil {
					t.Fatalf("got %s, listed: %v, want %s", state, issue, c.want)
				}
				return
			}
			if issue == nil {
				t.Fatalf("got %s, want it listed", state)
			}
			if math.Abs(issue.Credit-c.credit) > 0.0001 || issue.Severity != c.severity {
				t.Errorf("got credit %v, %s, want %v, %s: %s", issue.Credit, issue.Severity, c.credit, c.severity, issue.Message)
			}
			if !strings.Contains(issue.Message, c.says) {
				t.Errorf("got message %q, want one with %q", issue.Message, c.says)
			}
			if !strings.Contains(issue.Fix, c.advises) || (issue.Fix == "") != issue.Pass {
				t.Errorf("got fix %q, want one with %q", issue.Fix, c.advises)
			}
			wantWellFormed(t, report)
			if issue.Pass || issue.Code != "" { // TestAdvice_pastedCode_doesWhatItPromises pastes the code
				return
			}
			fixed := checks.Set().Judge(c.fixed.apply(t), now).Report()
			if got := issueOf(fixed, c.rule); got != nil && !got.Pass {
				t.Fatalf("the fixed page: %s", got.Message)
			}
			if leads := leaderOf(report, c.rule); leads != nil {
				if issue.Gain != 0 || !slices.Equal(issue.With, []string{leads.ID}) || leads.Gain == 0 && len(leads.With) == 0 {
					t.Errorf("got gain %v with %v, want it only at %s", issue.Gain, issue.With, leads.ID)
				}
				return
			}
			won := fixed.Overall.Points - report.Overall.Points
			if math.Abs(won-issue.Gain) > 0.0501 {
				t.Errorf("got gain %v, want %.3f as fixing wins", issue.Gain, won)
			}
		})
	}
	for _, r := range checks.Set().All() {
		if states := seen[r.ID]; !states["fail"] && !states["partial"] {
			t.Errorf("%s has no page that fails", r.ID)
		}
		if r.Needs != "" && !seen[r.ID]["blocked"] {
			t.Errorf("%s has no page where it is blocked", r.ID)
		}
		if strings.Contains(r.When, "Not judged") && !seen[r.ID]["not applicable"] {
			t.Errorf("%s has no page where it does not apply", r.ID)
		}
		if issueOf(checks.Set().Judge(change{}.apply(t), now).Report(), r.ID) == nil && !seen[r.ID]["pass"] {
			t.Errorf("%s has no page that passes", r.ID)
		}
	}
}

// leaderOf returns the issue whose change also fixes that of a rule, or nil.
func leaderOf(report rule.Report, id string) *rule.Issue {
	for i := range report.Issues {
		if slices.Contains(report.Issues[i].Clears, id) {
			return &report.Issues[i]
		}
	}
	return nil
}

// What one change fixes is one step: the gain and the code are those of the issue to begin with.
func TestGain_findingsThatOneChangeFixes_areOneStep(t *testing.T) {
	for _, c := range []struct {
		name   string
		change change
		leads  string
		clears []string
	}{
		{"a share image that is an SVG", named("og-image-format", "svg").change, "og-image-dimensions",
			[]string{"og-image-format", "twitter-image-format"}},
		{"a small square", shared(sized(64, 64)), "og-image-dimensions",
			[]string{"twitter-image-dimensions", "og-image-aspect-ratio", "og-image-declared-size"}},
		{"an image that does not load", named("og-image-reachable", "404").change, "og-image-reachable",
			[]string{"twitter-image-reachable"}},
		{"no title for previews", without(metaTag + "title"), "og-title", []string{"twitter-title"}},
		{"all crawlers blocked", robots("User-agent: *\nDisallow: /"), "og-crawlers-allowed",
			[]string{"seo-robots-txt", "twitter-crawler-allowed"}},
	} {
		report := checks.Set().Judge(c.change.apply(t), now).Report()
		leads := issueOf(report, c.leads)
		if leads == nil || leads.Gain == 0 || !slices.Equal(leads.Clears, c.clears) {
			t.Errorf("%s: got %+v, want it to clear %v", c.name, leads, c.clears)
			continue
		}
		for _, id := range c.clears {
			if also := issueOf(report, id); also.Gain != 0 || also.Code != "" || !slices.Equal(also.With, []string{c.leads}) {
				t.Errorf("%s: got %+v, want neither a gain nor code", c.name, also)
			}
		}
	}
}

// wantWellFormed holds what is true of each report.
func wantWellFormed(t *testing.T, report rule.Report) {
	t.Helper()
	for _, i := range report.Issues {
		for _, text := range []string{i.Title, i.Message, i.Fix} {
			if strings.Contains(text, "%!") || strings.ContainsFunc(text, func(r rune) bool { return r < ' ' && r != '\n' }) {
				t.Errorf("%s: got text %q", i.ID, text)
			}
		}
		if i.Message == "" || i.Pass != (i.Fix == "") {
			t.Errorf("%s: passed: %v, message %q, fix %q", i.ID, i.Pass, i.Message, i.Fix)
		}
	}
	sorted := slices.IsSortedFunc(report.Issues, func(a, b rule.Issue) int {
		switch {
		case a.Pass != b.Pass && b.Pass:
			return -1
		case a.Pass != b.Pass:
			return 1
		case !a.Pass && (a.Lost == 0) != (b.Lost == 0):
			return cmp.Compare(b.Lost, a.Lost)
		}
		return cmp.Compare(b.Gain, a.Gain)
	})
	if !sorted {
		t.Error("the issues are not sorted")
	}
}

func TestRegistry_isWhole(t *testing.T) {
	all := checks.Set().All()
	if len(all) != 83 {
		t.Errorf("got %d rules, want the 83 of the table", len(all))
	}
	if !slices.IsSortedFunc(all, func(a, b rule.Rule) int { return strings.Compare(a.ID, b.ID) }) {
		t.Error("the rules are not sorted")
	}
	sum, count := map[rule.Category]float64{}, map[rule.Category]int{}
	for _, r := range all {
		count[r.Category]++
		if !r.Conditional {
			sum[r.Category] += r.Weight
		}
		for _, s := range r.Sources {
			if !slices.ContainsFunc(rule.References[:], func(ref rule.Reference) bool { return ref.Source == s }) {
				t.Errorf("%s: %s is no source", r.ID, s)
			}
		}
	}
	for c, want := range map[rule.Category]int{rule.OG: 30, rule.Twitter: 18, rule.SEO: 35} {
		if sum[c] != 100 || count[c] != want {
			t.Errorf("%s: got %d rules with weights of %v, want %d with 100", c, count[c], sum[c], want)
		}
	}
}

func TestNewSet_whatIsNoRule_panics(t *testing.T) {
	whole := slices.Clip(checks.Set().All())
	taken, untitled, needy := whole[0], whole[0], whole[0]
	untitled.ID, untitled.Title = "og-another", ""
	needy.ID, needy.Needs = "og-another", "og-nothing"
	for want, rules := range map[string][]rule.Rule{
		"rule: two rules are called " + taken.ID:                append(whole, taken),
		"rule: og-another is incomplete":                        append(whole, untitled),
		"rule: og-another names og-nothing, which isn't a rule": append(whole, needy),
		"rule: a cap names seo-http-status, which isn't a rule": whole[:1],
	} {
		t.Run(want, func(t *testing.T) {
			defer func() {
				if got := recover(); got != want {
					t.Errorf("got panic %v, want %s", got, want)
				}
			}()
			set := make([]*rule.Rule, len(rules))
			for i := range rules {
				set[i] = &rules[i]
			}
			rule.NewSet(set...)
		})
	}
}

// The figures are worked out by hand from the weights and the caps.
func TestCaps(t *testing.T) {
	for _, c := range []struct {
		name     string
		change   change
		category rule.Category
		most     int
		overall  int
	}{
		{"status 404", status(404), rule.SEO, 39, 49},
		{"status 206 is partial, but an error", status(206), rule.SEO, 97, 96},
		{"noindex", header("X-Robots-Tag", "noindex"), rule.SEO, 59, 79},
		{"robots.txt", robots("User-agent: Googlebot\nDisallow: /"), rule.SEO, 59, 79},
		{"no title", without("<title>"), rule.SEO, 79, 93},
		{"no og:image, below its cap", without(`<meta property="og:image" `), rule.OG, 48, 69},
		{"share image fails", failing(errUpstream, 0), rule.OG, 59, 69},
		{"share image fails, that of X loads", both(failing(errUpstream, 0), ownImage(ownURL, untouched)), rule.OG, 59, 79},
		{"no title of any kind", without("<title>", `<meta property="og:title`), rule.OG, 49, 69},
		{"previewers blocked", robots("User-agent: facebookexternalhit\nUser-agent: LinkedInBot\nUser-agent: Slackbot-LinkExpanding\n" +
			"User-agent: Discordbot\nUser-agent: TelegramBot\nUser-agent: WhatsApp\nDisallow: /"), rule.OG, 69, 79},
		{"no card", without(`<meta name="twitter:card`, `<meta property="og:title`), rule.Twitter, 49, 85},
		{"Twitterbot blocked", robots("User-agent: Twitterbot\nDisallow: /"), rule.Twitter, 69, 89},
		{"a warning", to(`"@example"`, `"example"`), rule.Twitter, 98, 99},
		{"a warning of less than one point", hops(hop("http://www.example.com/blog/perfect-page", 302)), rule.SEO, 99, 99},
		{"only a title element", without(metaTag + "title"), rule.OG, 95, 89},
		{"a placeholder as title", to(ogTitle, "[object Object]\""), rule.OG, 92, 69},
		{"a placeholder as title element", to("<title>A page that has all that it should have", "<title>{{ title }}"), rule.OG, 92, 69},
		{"a placeholder as description", to(ogDesc, "${description} and so on until it is long enough\""), rule.OG, 91, 96},
		{"an icon as the share image", declared("96", "96", sized(96, 96)), rule.OG, 90, 79},
		{"WebP, which LinkedIn does not show", format(picture.WebP, "image/webp"), rule.OG, 99, 89},
		{"AVIF, which none shows", format(picture.AVIF, "image/avif"), rule.OG, 96, 69},
		{"1 MB, which WhatsApp drops", size(1_000_000), rule.OG, 98, 89},
		{"6 MB", size(6_000_000), rule.OG, 97, 69},
		{"image blocked for LinkedIn", robots("User-agent: LinkedInBot\nDisallow: /share.jpg"), rule.OG, 99, 89},
	} {
		report := checks.Set().Judge(c.change.apply(t), now).Report()
		got, overall := report.Score(c.category).Rounded(), report.Overall.Rounded()
		if got != c.most || overall != c.overall {
			t.Errorf("%s: got %s %d, overall %d, want %d, %d", c.name, c.category, got, overall, c.most, c.overall)
		}
	}
}

// Rules without weight only give notes: nothing to gain, and last among what isn't as it could be.
func TestReport_ruleWithoutWeight_isANoteAtTheEnd(t *testing.T) {
	change := both(without(`<meta name="twitter:creator"`, `<meta name="twitter:site"`), without(`<meta name="viewport"`))
	report := checks.Set().Judge(change.apply(t), now).Report()
	var failed []string
	for _, i := range report.Issues {
		if !i.Pass {
			failed = append(failed, i.ID)
		}
	}
	if want := []string{"twitter-site", "seo-viewport", "twitter-creator"}; !slices.Equal(failed, want) {
		t.Errorf("got %v, want %v", failed, want)
	}
	if note := issueOf(report, "twitter-creator"); note.Gain != 0 || note.Lost != 0 || note.Fix == "" {
		t.Errorf("got %+v, want advice without points", note)
	}
	alone := checks.Set().Judge(without(`<meta name="twitter:creator"`).apply(t), now).Report()
	if alone.Overall.Points != 100 {
		t.Errorf("a page with nothing but a note has %v points, want 100", alone.Overall.Points)
	}
}

// The networks that limit the score are those whose previews show no picture, or nothing but the address.
func TestCaps_areThoseOfThePreviews(t *testing.T) {
	limits := map[int]float64{0: 100, 1: 89, 2: 79, 3: 69}
	agrees := func(t *testing.T, name string, site *scrape.Result) {
		t.Helper()
		hidden := map[string]bool{}
		for _, s := range platform.ShowAll(rule.Shared(site)) {
			network, large := map[string]string{
				"facebook": "facebook", "whatsapp": "facebook", "x": "x", "linkedin": "linkedin",
			}[s.Platform]
			if large && s.Verdict.Severity() >= platform.NoPicture.Severity() {
				hidden[network] = true
			}
		}
		report := checks.Set().Judge(site, now).Report()
		if got := hiddenOf(site, now); got != len(hidden) {
			t.Errorf("%s: %d networks limit the score, but %v show no picture: %+v", name, got, hidden,
				platform.ShowAll(rule.Shared(site)))
		}
		if got := report.Overall.Points; got > limits[len(hidden)] {
			t.Errorf("%s: got %v, want at most %v", name, got, limits[len(hidden)])
		}
		for _, i := range report.Issues {
			if !i.Pass && i.Lost > 0 && (got(report) > 99 || i.Severity == rule.Error && got(report) > 96) {
				t.Errorf("%s: got %v beside %s", name, got(report), i.ID)
			}
			if !i.Pass && i.Lost > 0 && i.Gain < 0.1 && len(i.With) == 0 {
				t.Errorf("%s: %s has no gain and needs nothing else", name, i.ID)
			}
			if i.Lost == 0 && i.Gain != 0 {
				t.Errorf("%s: %s costs nothing and gains %v", name, i.ID, i.Gain)
			}
		}
		for i := range rule.Categories {
			if len(report.Issues) > 0 && !report.Issues[0].Pass && report.Issues[0].Gain == 0 && report.Issues[0].Lost > 0 {
				t.Errorf("%s: the first issue of %v has no gain", name, rule.Categories[i])
			}
		}
	}
	for _, c := range cases {
		agrees(t, c.rule+"/"+c.name, c.change.apply(t))
	}
	for _, p := range testenv.Pages(t) {
		agrees(t, p.Name, parsed(&p))
		whole := siteOf(t, string(p.Body), p.PageURL)
		whole.Page.Value.Page = page.Parse(p.Body, p.ContentType, p.Address)
		agrees(t, p.Name+" with its pictures", whole)
	}
}

func got(r rule.Report) float64 { return r.Overall.Points }

// Findings that keep the same cap raise the score only together, which is said at the most important one; what the cap
// hides waits for them.
func TestGain_findingsThatOnlyRiseTogether_areOneStep(t *testing.T) {
	temporary := hops(hop("http://www.example.com/blog/perfect-page", 302))
	for _, c := range []struct {
		name   string
		change change
		want   []string
	}{
		{"two errors and a warning", both(both(to(canonicalLink, `<link rel=canonical href="`+pageURL+`#a">`),
			robots("User-agent: Discordbot\nDisallow: /")), temporary), []string{
			"seo-canonical-valid 3 og-crawlers-allowed",
			"og-crawlers-allowed 0 seo-canonical-valid",
			"seo-redirects 0 seo-canonical-valid og-crawlers-allowed",
		}},
		{"all that is left", both(to("</a>", `</a><a href="/b">More</a>`), temporary), []string{
			"seo-redirects 1 seo-link-text", "seo-link-text 0 seo-redirects",
		}},
		{"one error and a warning", both(to(canonicalLink, `<link rel=canonical href="`+pageURL+`#a">`), temporary), []string{
			"seo-canonical-valid 3 ", "seo-redirects 0 seo-canonical-valid",
		}},
		{"none", change{}, nil},
	} {
		var got []string
		for _, i := range checks.Set().Judge(c.change.apply(t), now).Report().Issues {
			if !i.Pass {
				got = append(got, fmt.Sprintf("%s %v %s", i.ID, i.Gain, strings.Join(i.With, " ")))
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, strings.Join(got, "\n"), strings.Join(c.want, "\n"))
		}
	}
}
