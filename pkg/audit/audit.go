// Package audit creates reports on how pages present themselves to social platforms and search engines. It examines
// pages, stores reports, lists the history of a user, and serves live previews.
//
// [Examine] creates a [Report] about an address without storing it, which is all that the command line needs. [Service]
// stores reports. Package rule judges, package scrape fetches; this package defines the content of a report and its
// owner.
package audit

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"masthead/pkg/audit/rule"
	"masthead/pkg/audit/rule/checks"
	"masthead/pkg/humanize"
	"masthead/pkg/platform"
	"masthead/pkg/scrape"
	"masthead/render/palette"
)

// Report is the result of an audit. It is a plain value; its JSON is the storage format, not that of responses.
type Report struct {
	// ID is 22 random base62 digits, with which anyone can read the report. [Examine] assigns one.
	ID string `json:"-"`
	// URL is the requested address, normalized; FinalURL the one after Redirects.
	URL       string     `json:"url"`
	FinalURL  string     `json:"finalUrl"`
	Redirects []Redirect `json:"redirects,omitempty"`
	// Status is the HTTP status of the page.
	Status    int       `json:"status"`
	FetchedAt time.Time `json:"fetchedAt"`
	// Size is the number of bytes of the page after decompression; Truncated means that it has more than were read.
	Size      int64 `json:"size"`
	Truncated bool  `json:"truncated,omitempty"`

	Overall    Grade    `json:"overall"`
	Categories Grades   `json:"categories"`
	Metadata   Metadata `json:"metadata"`
	// Issues are the judged rules, including passed ones: failed before passed, then by severity, by lost points, by ID.
	Issues []Issue `json:"issues"`
	// NotChecked are the rules that can't be checked in the page's location, such as https on localhost.
	NotChecked []UncheckedRule `json:"notChecked,omitempty"`
	// Blocked are the IDs of the rules that couldn't be judged because another one failed; nil in reports from before it
	// was stored.
	Blocked []string `json:"blocked,omitempty"`
	// Pictures are the share image, that of X if it differs, and the favicon, if the page has them.
	Pictures []PageImage `json:"pictures,omitempty"`
	// Shared is what platforms read from the page, for platform.Show.
	Shared platform.Page `json:"shared"`
	// Patch is the effect of all tags that can be filled from the page itself, or nil if there are none.
	Patch *Patch `json:"mended,omitempty"`
	// Tags are those read from the page, in document order, at most [MaxTags]; MoreTags is the number of omitted ones.
	Tags     []Tag `json:"tags,omitempty"`
	MoreTags int   `json:"moreTags,omitempty"`
	// Drawn is the input of our own card for the page; nil in reports from before it was stored.
	Drawn *CardContent `json:"drawn,omitempty"`
	// Agents is how well AI agents can read the page; nil in reports from before it was stored.
	Agents *Agents `json:"agents,omitempty"`
	// Lens is the page as crawlers receive it: what follows from one request, unless the page was read by their names.
	// It is nil in reports from before it was stored.
	Lens *Lens `json:"lens,omitempty"`
	// PageType is the type of the page: home, article, product, video, profile, search or website.
	PageType string `json:"pageType"`
	// Discoverability is what the rules say about how search engines find the page.
	Discoverability rule.Discoverability `json:"discoverability"`
	Timings         Timings              `json:"timings"`
}

// Agents is how well AI agents can read a page, beside the report: it counts for none of its scores.
type Agents struct {
	Grade    Grade          `json:"grade"`
	Findings []AgentFinding `json:"findings"`
}

// AgentFinding is one thing that AI agents look for. Fix is "" if Pass.
type AgentFinding struct {
	ID      string `json:"id"`
	Title   string `json:"title"`
	Pass    bool   `json:"pass,omitempty"`
	Message string `json:"message"`
	Fix     string `json:"fix,omitempty"`
}

func agentsOf(a rule.Agents) *Agents {
	out := &Agents{Grade: gradeOf(a.Score)}
	for _, f := range a.Findings {
		out.Findings = append(out.Findings, AgentFinding{f.ID, f.Title, f.Pass, f.Message, f.Fix})
	}
	return out
}

// CardContent is the content of our own card for a page: its texts as on every card, and the accent, #RRGGBB, chosen
// from its icon and its colors, or "" if the audit didn't look for them.
type CardContent struct {
	Title       string `json:"title"`
	Description string `json:"description"`
	SiteName    string `json:"siteName"`
	Eyebrow     string `json:"eyebrow"`
	Accent      string `json:"accent"`
}

// cardContentOf returns the content of our card for a site.
func cardContentOf(site *scrape.Result) *CardContent {
	texts := scrape.TextsOf(site.Page.Value.Page)
	d := &CardContent{
		Title: texts.CardTitle, Description: texts.Description, SiteName: texts.SiteName, Eyebrow: texts.Eyebrow,
	}
	if site.Colors.State != scrape.NotAsked {
		d.Accent = palette.Hex(palette.Choose(scrape.Candidates(site.Colors.Value, true), true).Accent)
	}
	return d
}

// Patch is the effect of fixing a page.
type Patch struct {
	// Place says where in the head the tags have to be pasted if its end isn't the place, or "".
	Place string `json:"place,omitempty"`
	// Card is the address at which the site must save our card for Code to work, or "".
	Card string `json:"card,omitempty"`
	// Code is the code to paste into the head, one line for each of the Tags.
	Code string `json:"code"`
	Tags int    `json:"tags"`
	// Overall is the result of another audit with those tags.
	Overall Grade `json:"overall"`
}

func patchOf(m rule.Patch) *Patch {
	if len(m.Tags) == 0 {
		return nil
	}
	return &Patch{Place: m.Place, Card: m.Card, Code: strings.Join(m.Tags, "\n"), Tags: len(m.Tags), Overall: gradeOf(m.Overall)}
}

// Redirect is one hop: an address and its redirect status.
type Redirect struct {
	URL    string `json:"url"`
	Status int    `json:"status"`
}

// Grade is a score with its letter. Points are exact, 0 to 100; Score is rounded.
type Grade struct {
	Points float64 `json:"points"`
	Score  int     `json:"score"`
	Letter string  `json:"letter"`
}

func gradeOf(s rule.Score) Grade { return Grade{s.Points, s.Rounded(), s.Grade()} }

// NewGrade returns the grade of points, such as an average.
func NewGrade(points float64) Grade { return gradeOf(rule.Score{Points: points}) }

// Grades are those of the categories.
type Grades struct {
	OG      Grade `json:"og"`
	Twitter Grade `json:"twitter"`
	SEO     Grade `json:"seo"`
}

// Of returns the grade of a category.
func (g *Grades) Of(c rule.Category) Grade {
	switch c {
	case rule.OG:
		return g.OG
	case rule.Twitter:
		return g.Twitter
	default:
		return g.SEO
	}
}

// Metadata is the preview of a page, as shown for a link to it. Texts are complete, addresses absolute; "" means
// missing.
type Metadata struct {
	Title           string `json:"title,omitempty"`
	Description     string `json:"description,omitempty"`
	Image           string `json:"image,omitempty"`
	SiteName        string `json:"siteName,omitempty"`
	URL             string `json:"url,omitempty"`
	Favicon         string `json:"favicon,omitempty"`
	TwitterCardType string `json:"twitterCardType,omitempty"`
}

// Issue is the result of a rule. Its texts contain values from the page, cut and without control characters; they must
// be escaped for output.
type Issue struct {
	ID       string `json:"id"`
	Category string `json:"category"` // og, twitter or seo
	Severity string `json:"severity"` // error, warning or info
	Pass     bool   `json:"pass,omitempty"`
	// Credit is the fraction of its points that the rule got, 0 to 1.
	Credit  float64 `json:"credit,omitempty"`
	Title   string  `json:"title"`
	Message string  `json:"message"`
	// Advice says what to do, Code is code to paste; both are "" for a rule that passed, and Code if there is nothing to
	// paste.
	Advice string `json:"advice,omitempty"`
	Code   string `json:"code,omitempty"`
	// Gain is how much fixing this, and the rules of With, would raise the overall score, to one decimal. It is 0 if the
	// rule costs nothing, if the score rises only with those of With, of which one has the gain, or if the change for the
	// only one of With fixes this as well. Lost is what the rule itself lost.
	Gain float64  `json:"gain,omitempty"`
	Lost float64  `json:"lost,omitempty"`
	With []string `json:"with,omitempty"`
	// Clears are the failed rules that the same change fixes: With of each is this one, and Code is "".
	Clears []string `json:"clears,omitempty"`
}

// A Group is what one change fixes: the issue to begin with, and those that are then fixed as well.
type Group struct {
	Issue
	Also []Issue
}

// Grouped groups failed issues, in their order, by the changes that fix them. An issue whose change isn't among them is
// a group of its own.
func Grouped(failed []Issue) []Group {
	var groups []Group
	joined := map[string]int{}
	for i := range failed {
		for _, id := range failed[i].Clears {
			joined[id] = i
		}
	}
	for i := range failed {
		if _, ok := joined[failed[i].ID]; ok {
			continue
		}
		group := Group{Issue: failed[i]}
		for j := range failed {
			if first, ok := joined[failed[j].ID]; ok && first == i {
				group.Also = append(group.Also, failed[j])
			}
		}
		groups = append(groups, group)
	}
	return groups
}

// maxNeeded is how many issues [Report.Needed] names.
const maxNeeded = 3

// Needed says in a sentence which issues must be fixed together with one so that the score rises, or "".
func (r *Report) Needed(i *Issue) string {
	if len(i.With) == 0 {
		return ""
	}
	titles := make([]string, 0, maxNeeded)
	for _, id := range i.With[:min(len(i.With), maxNeeded)] {
		titles = append(titles, "“"+titleOf(id)+"”")
	}
	if more := len(i.With) - len(titles); more > 0 {
		titles = append(titles, fmt.Sprintf("%d more", more))
	}
	isFirst := func(other Issue) bool { return slices.Contains(other.Clears, i.ID) }
	if slices.ContainsFunc(r.Issues, isFirst) {
		return "The change for " + titles[0] + " also fixes this."
	}
	if i.Gain > 0 {
		return "This gain takes fixing " + humanize.And(titles) + " as well."
	}
	verb := " is"
	if len(i.With) > 1 {
		verb = " are"
	}
	return "This raises the score once " + humanize.And(titles) + verb + " fixed."
}

// titleOf returns the title of a rule, or its ID if there is no such rule any more.
func titleOf(id string) string {
	all := checks.Set().All()
	if at := slices.IndexFunc(all, func(r rule.Rule) bool { return r.ID == id }); at >= 0 {
		return all[at].Title
	}
	return id
}

// UncheckedRule is a rule that couldn't be checked, with the reason as a sentence.
type UncheckedRule struct {
	ID       string `json:"id"`
	Category string `json:"category"` // og, twitter or seo
	Title    string `json:"title"`
	Reason   string `json:"reason"`
}

// Fix returns the advice followed by the code on lines of its own, or "" for a rule that passed.
func (i *Issue) Fix() string {
	if i.Code == "" {
		return i.Advice
	}
	return i.Advice + "\n" + i.Code
}

// Failed returns the issues that did not pass.
func (r *Report) Failed() []Issue {
	for i := range r.Issues {
		if r.Issues[i].Pass {
			return r.Issues[:i] // failed ones come first
		}
	}
	return r.Issues
}

// Picture returns the picture of a kind, or nil. If X shows the share image, that is also its picture.
func (r *Report) Picture(kind PictureKind) *PageImage {
	for i := range r.Pictures {
		if r.Pictures[i].Kind == kind {
			return &r.Pictures[i]
		}
	}
	if kind == XImage {
		return r.Picture(ShareImage)
	}
	return nil
}
