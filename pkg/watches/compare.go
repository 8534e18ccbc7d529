package watches

import (
	"slices"
	"strings"

	"masthead/pkg/audit"
)

// The subjects of findings that aren't rules. A picture has one subject for all rules that say that it doesn't load.
const (
	shareImage = "og:image"
	xImage     = "twitter:image"
	favicon    = "favicon"
	grade      = "grade"
	page       = "page"
	siteMap    = "sitemap"
)

const (
	severityError   = "error"
	severityWarning = "warning"
)

// alarms reports whether the owner is told of a finding.
func (f *Finding) alarms() bool {
	return f.Severity == severityError || f.Subject == favicon
}

// found returns what is wrong with a page in a report. open are the findings that were open before, by subject.
func found(r *audit.Report, open map[string]Finding) []Finding {
	own := slices.ContainsFunc(r.Pictures, func(p audit.PageImage) bool { return p.Kind == audit.XImage })
	_, wasX := open[xImage]
	var list []Finding
	add := func(subject, severity string, w words) {
		if !slices.ContainsFunc(list, func(f Finding) bool { return f.Subject == subject }) {
			list = append(list, Finding{Subject: subject, Severity: severity, words: w})
		}
	}
	shareGone := false
	for _, i := range r.Failed() {
		shareGone = shareGone || i.Severity == severityError && (i.ID == "og-image" || i.ID == "og-image-reachable")
	}
	for _, i := range r.Failed() {
		isError := i.Severity == severityError
		switch {
		case isError && (i.ID == "og-image" || i.ID == "og-image-reachable"):
			add(shareImage, severityError, ofPicture(shareImage, r.Picture(audit.ShareImage)))
		case isError && (i.ID == "twitter-image" || i.ID == "twitter-image-reachable"):
			if !shareGone || own || wasX { // else X shows the share image, which is named already
				add(xImage, severityError, ofPicture(xImage, r.Picture(audit.XImage)))
			}
		case i.ID == "seo-favicon" && !loads(r.Picture(audit.Favicon)):
		default:
			add(i.ID, i.Severity, ofIssue(&i))
		}
	}
	if icon := r.Picture(audit.Favicon); !loads(icon) {
		add(favicon, severityWarning, ofPicture(favicon, icon))
	}
	// A rule that another one blocks isn't judged: nothing is known of it.
	for _, id := range r.Blocked {
		if f, ok := open[id]; ok {
			add(id, f.Severity, f.words)
		}
	}
	if f, ok := dropped(r.Overall.Letter, open); ok {
		list = append(list, f)
	}
	return list
}

// dropped returns the finding of a grade that is still lower than before it dropped.
func dropped(letter string, open map[string]Finding) (f Finding, still bool) {
	f, was := open[grade]
	if !was || !lower(letter, f.words.Before) {
		return f, false
	}
	return Finding{Subject: grade, Severity: severityError, words: f.words}, true
}

func loads(p *audit.PageImage) bool { return p != nil && p.Reachable }

// lower reports whether a grade has a lower letter than another. A plus makes no difference.
func lower(a, b string) bool { return strings.TrimSuffix(a, "+") > strings.TrimSuffix(b, "+") }

// changes are the differences between two audits.
type changes struct {
	begun, over []Finding // to store
	same        []Finding // which are still open, with the words of today
	// sentences say what changed; worse and better are those that the owner is told.
	sentences, worse, better []string
}

// compare returns what changed for a watch: open are the findings that were open before, and now those of a report.
// Nothing is told of the first report.
func compare(w Watch, first bool, open map[string]Finding, now []Finding, score int, letter string) changes {
	var c changes
	if !first {
		now = withDrop(w, now, open, letter)
		if s := scoreChange(w.Score, score); s != "" {
			c.sentences = append(c.sentences, s)
		}
	}
	seen := map[string]bool{}
	for _, f := range now {
		was, isOpen := open[f.Subject]
		seen[f.Subject] = true
		if isOpen && was.continues(f) {
			was.changed = was.words != f.words || was.Severity != f.Severity
			was.words, was.Severity = f.words, f.Severity
			c.same = append(c.same, was)
			continue
		}
		f.Told = !first && f.alarms()
		if isOpen {
			c.over = append(c.over, was)
			if was.alarms() && !f.alarms() {
				c.ended(was, was.words.no())
			}
		}
		c.begun = append(c.begun, f)
		if first {
			continue
		}
		text := f.words.Now + ending(f.words.Detail)
		c.sentences = append(c.sentences, text)
		if f.Told {
			c.worse = append(c.worse, text)
		}
	}
	for subject, was := range open {
		if !seen[subject] {
			c.over = append(c.over, was)
			c.ended(was, was.words.Fixed+".")
		}
	}
	slices.Sort(c.better)
	return c
}

// ended adds the end of a finding.
func (c *changes) ended(was Finding, text string) {
	c.sentences = append(c.sentences, text)
	if was.Told {
		c.better = append(c.better, text)
	}
}

// no says that a finding is no longer an error.
func (w words) no() string { return strings.TrimSuffix(w.Now, " fails") + " is no longer an error." }

// continues reports whether a later finding is the same: as bad as before, and for a grade, not lower again.
func (f *Finding) continues(later Finding) bool {
	return f.alarms() == later.alarms() && (f.Subject != grade || f.words == later.words)
}

// withDrop adds the finding of a grade that dropped since the last report. While it is lower than it was, only a letter
// lower than all since is another drop.
func withDrop(w Watch, now []Finding, open map[string]Finding, letter string) []Finding {
	was, isOpen := open[grade]
	before := w.Letter
	if isOpen {
		before = was.words.Before
		if !lower(letter, was.words.lowest()) {
			return now
		}
	}
	if !lower(letter, before) {
		return now
	}
	now = slices.DeleteFunc(now, func(f Finding) bool { return f.Subject == grade })
	return append(now, Finding{Subject: grade, Severity: severityError, words: ofGrade(letter, before)})
}

// lowest is the grade that a drop led to.
func (w words) lowest() string { return w.Now[strings.LastIndex(w.Now, " ")+1:] }
