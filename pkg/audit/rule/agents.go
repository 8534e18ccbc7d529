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
	add := func(points float64, id, title string, v verdict) {
		if v.state != judged {
			return
		}
		a.Findings = append(a.Findings, AgentFinding{
			ID: "agents-" + id, Title: title, Pass: v.credit == 1, Message: v.message, Fix: v.advice, points: points,
		})
	}
	add(30, "text", "Text without scripts", f.agentText())
	add(20, "structured-data", "Structured data", f.agentData())
	add(15, "llms-txt", "llms.txt", f.agentFile(&f.site.LLMs))
	add(15, "markdown", "Markdown on request", f.agentMarkdown(&f.site.Markdown))
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

func (f *facts) agentText() verdict {
	n := humanize.Count(f.page.TextChars, "character")
	if f.page.TextChars+f.page.WideChars >= textLeast {
		return f.pass("The HTML has %s of text; most agents run no scripts.", n)
	}
	return f.fail("Without scripts the page has %s of text, and most agents run none.", n).
		fix("Render the content on the server: at least %d characters of text in the HTML.", textLeast)
}

func (f *facts) agentData() verdict {
	for _, n := range f.page.Nodes() {
		if types := n.Types(); len(types) > 0 {
			return f.pass("The page says what it is about as %s.", f.show(types[0]))
		}
	}
	return f.fail("The page has no structured data that says what it is about.").
		fix("Add a JSON-LD block; %s this page.", fitting(ExpectedTypes(f.page)))
}

func (f *facts) agentFile(part *scrape.Part[scrape.Linked]) verdict {
	switch part.State {
	case scrape.Got:
		return f.pass("The site has an llms.txt, a table of contents for language models.")
	case scrape.Absent:
		return f.fail("The site has no /llms.txt, a table of contents for language models.").
			fix("Serve /llms.txt: a heading with the site's name, a sentence about it, and links to its most useful pages, in " +
				"Markdown. See https://llmstxt.org.")
	}
	return inapplicable
}

func (f *facts) agentMarkdown(part *scrape.Part[scrape.Linked]) verdict {
	switch part.State {
	case scrape.Got:
		return f.pass("The page is sent as Markdown to readers that accept text/markdown.")
	case scrape.Absent:
		message := "Asked for text/markdown, the page is sent as HTML."
		if n := part.Value.Status; n != http.StatusOK && n != 0 {
			message = fmt.Sprintf("Asked for text/markdown, the page returns status %s.", status(n))
		}
		return f.fail("%s", message).
			fix("Answer a request with “Accept: text/markdown” with the content as Markdown and “Content-Type: " +
				"text/markdown”; send “Vary: Accept”.")
	}
	return inapplicable
}

func (f *facts) agentHeading() verdict {
	n, text := 0, ""
	for i := range f.headings {
		if h := &f.headings[i]; h.Level == 1 && cmp.Or(h.Text, h.Alt) != "" {
			n++
			text = cmp.Or(text, h.Text, h.Alt)
		}
	}
	if n == 1 {
		return f.pass("The page has one main heading: “%s”.", f.show(text))
	}
	return f.fail("The page has %s.", humanize.Count(n, "main heading")).fix("Use exactly one h1 that names the page.")
}

func (f *facts) agentLanguage() verdict {
	if f.lang != "" {
		return f.pass("The page says that its language is “%s”.", f.show(f.lang))
	}
	return f.fail("The page does not say its language.").fix("Set lang on the html element.")
}

// agentCrawlers says which crawlers of AI agents robots.txt allows. That is the site's decision: it isn't judged.
func (f *facts) agentCrawlers() verdict {
	var tokens []string
	for _, v := range platform.Visitors() {
		if v.Agent {
			tokens = append(tokens, v.Token)
		}
	}
	switch f.site.Robots.State {
	case scrape.Absent:
		return f.pass("There is no robots.txt, so every crawler is allowed.")
	case scrape.Got:
	default:
		return inapplicable
	}
	blocked := f.blockedFrom(f.robotsPaths(nil), tokens)
	switch len(blocked) {
	case 0:
		return f.pass("robots.txt allows %s.", humanize.And(tokens))
	case len(tokens):
		return f.pass("robots.txt blocks %s, as the site may wish.", humanize.And(blocked))
	}
	return f.pass("robots.txt blocks %s and allows the other crawlers of AI agents, as the site may wish.",
		humanize.And(blocked))
}
