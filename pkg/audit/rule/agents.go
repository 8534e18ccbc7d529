package rule

import (
	"cmp"
	"fmt"
	"net/http"

	"masthead/pkg/humanize"
	"masthead/pkg/platform"
	"masthead/pkg/scrape"
)

// Agents is how well AI agents can read a page. It stands beside the report and counts for none of its scores.
type Agents struct {
	Score    Score
	Findings []AgentFinding
}

// AgentFinding is one thing that AI agents look for. Fix is "" if Pass.
type AgentFinding struct {
	ID, Title    string
	Pass         bool
	Message, Fix string
	points       float64
}

// Agents returns how well AI agents can read the judged site. What wasn't requested isn't listed.
func (j *Judgment) Agents() Agents {
	f := j.facts
	var a Agents
	add := func(points float64, id, title string, v Verdict) {
		if v.State != Judged {
			return
		}
		a.Findings = append(a.Findings, AgentFinding{
			ID: "agents-" + id, Title: title, Pass: v.Credit == 1, Message: v.Message, Fix: v.Advice, points: points,
		})
	}
	add(30, "text", "Text without scripts", f.agentText())
	add(20, "structured-data", "Structured data", f.agentData())
	add(15, "llms-txt", "llms.txt", f.agentFile(&f.Site.LLMs))
	add(15, "markdown", "Markdown on request", f.agentMarkdown(&f.Site.Markdown))
	add(10, "heading", "One main heading", f.agentHeading())
	add(10, "language", "Language", f.agentLanguage())
	add(0, "crawlers", "Crawlers of AI agents", f.agentCrawlers())
	got, of := 0.0, 0.0
	for i := range a.Findings {
		of += a.Findings[i].points
		if a.Findings[i].Pass {
			got += a.Findings[i].points
		}
	}
	if of > 0 {
		a.Score = Score{100 * got / of}
	}
	return a
}

func (f *Facts) agentText() Verdict {
	n := humanize.Count(f.Page.TextChars, "character")
	if f.Page.TextChars+f.Page.WideChars >= TextLeast {
		return f.Pass("The HTML has %s of text; most agents run no scripts.", n)
	}
	return f.Fail("Without scripts the page has %s of text, and most agents run none.", n).
		Fix("Render the content on the server: at least %d characters of text in the HTML.", TextLeast)
}

func (f *Facts) agentData() Verdict {
	for _, n := range f.Page.Nodes() {
		if types := n.Types(); len(types) > 0 {
			return f.Pass("The page says what it is about as %s.", f.Show(types[0]))
		}
	}
	return f.Fail("The page has no structured data that says what it is about.").
		Fix("Add a JSON-LD block; %s this page.", Fitting(ExpectedTypes(f.Page)))
}

func (f *Facts) agentFile(part *scrape.Part[scrape.LinkedPage]) Verdict {
	switch part.State {
	case scrape.Got:
		return f.Pass("The site has an llms.txt, a table of contents for language models.")
	case scrape.Absent:
		return f.Fail("The site has no /llms.txt, a table of contents for language models.").
			Fix("Serve /llms.txt: a heading with the site's name, a sentence about it, and links to its most useful pages, in " +
				"Markdown. See https://llmstxt.org.")
	}
	return Inapplicable
}

func (f *Facts) agentMarkdown(part *scrape.Part[scrape.LinkedPage]) Verdict {
	switch part.State {
	case scrape.Got:
		return f.Pass("The page is sent as Markdown to readers that accept text/markdown.")
	case scrape.Absent:
		message := "Asked for text/markdown, the page is sent as HTML."
		if n := part.Value.Status; n != http.StatusOK && n != 0 {
			message = fmt.Sprintf("Asked for text/markdown, the page returns status %s.", Status(n))
		}
		return f.Fail("%s", message).
			Fix("Answer a request with “Accept: text/markdown” with the content as Markdown and “Content-Type: " +
				"text/markdown”; send “Vary: Accept”.")
	}
	return Inapplicable
}

func (f *Facts) agentHeading() Verdict {
	n, text := 0, ""
	for i := range f.Headings {
		if h := &f.Headings[i]; h.Level == 1 && cmp.Or(h.Text, h.Alt) != "" {
			n++
			text = cmp.Or(text, h.Text, h.Alt)
		}
	}
	if n == 1 {
		return f.Pass("The page has one main heading: “%s”.", f.Show(text))
	}
	return f.Fail("The page has %s.", humanize.Count(n, "main heading")).Fix("Use exactly one h1 that names the page.")
}

func (f *Facts) agentLanguage() Verdict {
	if f.Lang != "" {
		return f.Pass("The page says that its language is “%s”.", f.Show(f.Lang))
	}
	return f.Fail("The page does not say its language.").Fix("Set lang on the html element.")
}

// agentCrawlers says which crawlers of AI agents robots.txt allows. That is the site's decision: it isn't judged.
func (f *Facts) agentCrawlers() Verdict {
	var tokens []string
	for _, v := range platform.Visitors() {
		if v.Agent {
			tokens = append(tokens, v.Token)
		}
	}
	switch f.Site.Robots.State {
	case scrape.Absent:
		return f.Pass("There is no robots.txt, so every crawler is allowed.")
	case scrape.Got:
	default:
		return Inapplicable
	}
	blocked := f.BlockedFrom(f.RobotsPaths(nil), tokens)
	switch len(blocked) {
	case 0:
		return f.Pass("robots.txt allows %s.", humanize.And(tokens))
	case len(tokens):
		return f.Pass("robots.txt blocks %s, as the site may wish.", humanize.And(blocked))
	}
	return f.Pass("robots.txt blocks %s and allows the other crawlers of AI agents, as the site may wish.",
		humanize.And(blocked))
}
