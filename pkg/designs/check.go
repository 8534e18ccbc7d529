package designs

import (
	"cmp"
	"context"
	"errors"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"masthead/pkg/card"
	"masthead/pkg/identity"
	"masthead/render/design"
	"masthead/render/design/check"
)

// Report is what was found out about a card of a design.
type Report struct {
	// Drawn reports whether the document can be drawn.
	Drawn    bool
	Findings []Finding
	// Contrast is the lowest one of a text, or 0 if none could be measured.
	Contrast float64
	// Title is the title as it is set, or nil.
	Title *Title
	Facts []Fact
}

// Finding is a fault by line. Suggestion is what to write in place of a tag's name, or "".
type Finding struct {
	check.Finding
	Suggestion string
}

// Title is the title of a card: the size of its letters in pixels, and whether its end is missing.
type Title struct {
	Size float64
	Cut  bool
}

// Fact is a text of the page. Size is that of its letters in pixels, or 0 if it isn't found on the card.
type Fact struct {
	Name, Value string
	Used        bool
	Size        float64
}

// Bounds of a report.
const (
	maxFindings = 50
	maxFacts    = 60
	maxFactRune = 200
)

// Check measures a card of a design, or of the document p.HTML in its place. Faults of the document are findings.
func (s *Service) Check(ctx context.Context, caller identity.Caller, p PreviewRequest) (Report, error) {
	stored, err := s.store.get(ctx, caller, p.DesignID, 0)
	if err != nil {
		return Report{}, err
	}
	project, err := s.projects.Get(ctx, caller, stored.ProjectID)
	if err != nil {
		return Report{}, err
	}
	p.HTML = cmp.Or(p.HTML, stored.HTML)
	r, err := s.requestOf(ctx, caller, project, p)
	var checked card.CheckResult
	if err == nil {
		checked, err = s.maker.Check(ctx, r)
	}
	var fault *design.Error
	if errors.As(err, &fault) {
		return Report{Findings: []Finding{{Finding: check.Finding{
			Code: check.Broken, Line: fault.Line, Column: fault.Column, Message: fault.Message,
		}}}}, nil
	}
	if err != nil {
		return Report{}, err
	}
	report := Report{Drawn: true, Contrast: checked.Contrast, Title: titleOf(&checked)}
	if p.Text == "" { // the tags are the same for all texts
		report.Findings = tagFindings(r.Design.Design, p.HTML)
	}
	for _, f := range checked.Findings {
		report.Drawn = report.Drawn && f.Code != check.Broken
		report.Findings = append(report.Findings, Finding{Finding: f})
	}
	slices.SortStableFunc(report.Findings, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	report.Findings = report.Findings[:min(len(report.Findings), maxFindings)]
	report.Facts = factsOf(r.Design.Design, &checked)
	return report, nil
}

// tagFindings returns the tags that no fact fills in, with their places in the document.
func tagFindings(d *design.Design, source string) (found []Finding) {
	for _, tag := range check.Tags(d) {
		f := Finding{
			Finding:    check.Finding{Code: check.Unknown, Message: tag.Message()},
			Suggestion: tag.Like,
		}
		if len(tag.Name) < 100 { // else it isn't one that was mistyped
			form := regexp.MustCompile(`\{\{[{#^&]?\s*(` + regexp.QuoteMeta(tag.Name) + `)\s*\}\}`)
			if at := form.FindStringSubmatchIndex(source); at != nil {
				before := source[:at[2]]
				f.Line, f.Column = 1+strings.Count(before, "\n"), at[2]-strings.LastIndexByte(before, '\n')
			}
		}
		found = append(found, f)
		if len(found) == maxFindings {
			break
		}
	}
	return found
}

// titleOf returns the title of a card.
func titleOf(c *card.CheckResult) *Title {
	title, _ := c.Facts["title"].(string)
	of := Title{Size: sizeOf(c, title)}
	of.Cut = slices.ContainsFunc(c.Findings, func(f check.Finding) bool { return f.Code == check.Cut })
	for _, t := range c.Texts {
		if t.Slot == "title" {
			of.Size = max(of.Size, t.Size)
			of.Cut = of.Cut || strings.HasSuffix(strings.TrimSpace(t.Text), "…") && !strings.HasSuffix(title, "…")
		}
	}
	if of.Size == 0 {
		return nil
	}
	return &of
}

// sizeOf returns the size of the letters of a text on a card, or 0 if none of it is there. Lines are parts of it.
func sizeOf(c *card.CheckResult, text string) (size float64) {
	const least = 4 // letters of a line, if the text has as many
	whole, longest := squeezed(text), 0
	for _, t := range c.Texts {
		line := squeezed(t.Text)
		n := len([]rune(line))
		if whole != "" && strings.Contains(line, whole) && (len([]rune(whole)) >= least || hasWords(t.Text, text)) {
			n = len([]rune(whole))
		} else if !strings.Contains(whole, line) || n < min(least, len([]rune(whole))) {
			continue
		}
		if n > longest {
			longest, size = n, t.Size
		}
	}
	return size
}

// hasWords reports whether a text has the words of another one, whole. Writings without spaces have them anywhere.
func hasWords(text, words string) bool {
	for i := strings.Index(text, words); i >= 0; {
		before, _ := utf8.DecodeLastRuneInString(text[:i])
		after, _ := utf8.DecodeRuneInString(text[i+len(words):])
		if !spelled(before) && !spelled(after) {
			return true
		}
		next := strings.Index(text[i+1:], words)
		if next < 0 {
			break
		}
		i += 1 + next
	}
	return false
}

// spelled reports whether a letter or digit goes on a word: those of writings without spaces don't.
func spelled(r rune) bool {
	return (unicode.IsLetter(r) || unicode.IsDigit(r)) && !unicode.In(r, unicode.Han, unicode.Hiragana,
		unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// squeezed is a text with its letters and digits only, in lower case.
func squeezed(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, text)
}

// derived are facts that repeat parts of others: how large they are says nothing of a text.
var derived = map[string]bool{"initial": true, "day": true, "month": true, "titleStop": true}

// factsOf returns the texts of the page by name, first those that the design uses.
func factsOf(d *design.Design, c *card.CheckResult) (facts []Fact) {
	for name, value := range c.Facts {
		text, ok := value.(string)
		if !ok || strings.TrimSpace(text) == "" || name == "lang" || name == "dir" || derived[name] ||
			strings.HasPrefix(text, "page:") {
			continue
		}
		f := Fact{Name: name, Used: d.Uses(name)}
		letters := []rune(text)
		f.Value = string(letters[:min(len(letters), maxFactRune)])
		if f.Used {
			f.Size = sizeOf(c, text)
		}
		facts = append(facts, f)
	}
	slices.SortFunc(facts, func(a, b Fact) int {
		if a.Used != b.Used {
			if a.Used {
				return -1
			}
			return 1
		}
		return strings.Compare(a.Name, b.Name)
	})
	return facts[:min(len(facts), maxFacts)]
}
