package checks_test

import (
	"fmt"
	"strings"
	"testing"

	"masthead/pkg/audit/rule/checks"
	"masthead/pkg/scrape"
)

func TestAgents_saysWhatAgentsFind(t *testing.T) {
	whole := change{site: func(s *scrape.Result) { s.LLMs.State, s.Markdown.State = scrape.Got, scrape.Got }}
	for _, c := range []struct {
		name   string
		change change
		score  int
		letter string
		// says has the findings that aren't as they should be, and the note about crawlers.
		says []string
	}{
		{"everything", whole, 100, "A+", []string{"robots.txt allows GPTBot, OAI-SearchBot, ChatGPT-User, ClaudeBot and PerplexityBot."}},
		{"files not requested", change{}, 100, "A+", nil},
		{"no files", change{site: func(s *scrape.Result) {
			s.LLMs.State, s.Markdown.State, s.Markdown.Value.Status = scrape.Absent, scrape.Absent, 406
		}}, 70, "C", []string{"no /llms.txt", "status 406"}},
		{"scripts only", both(whole, to("Words of the page that stand there without any script. ", "")), 70, "C",
			[]string{"characters of text, and most agents run none"}},
		{"nothing", change{html: []string{perfectHTML, "<div id=app></div>"}}, 0, "F",
			[]string{"0 characters of text", "no structured data", "0 main headings", "does not say its language"}},
		{"one crawler blocked", both(whole, robots("User-agent: GPTBot\nDisallow: /")), 100, "A+",
			[]string{"robots.txt blocks GPTBot and allows the other"}},
		{"all blocked", both(whole, robots("User-agent: *\nDisallow: /")), 100, "A+", []string{"as the site may wish"}},
	} {
		site := c.change.apply(t)
		judged := checks.Set().Judge(site, now)
		got := judged.Agents()
		var texts []string
		for _, f := range got.Findings {
			texts = append(texts, fmt.Sprint(f.Pass, " ", f.Message))
			if f.Pass != (f.Fix == "") || f.Message == "" || !strings.HasPrefix(f.ID, "agents-") {
				t.Errorf("%s: finding %+v", c.name, f)
			}
			if issueOf(judged.Report(), f.ID) != nil {
				t.Errorf("%s: %s is among the issues", c.name, f.ID)
			}
		}
		if got.Score.Rounded() != c.score || got.Score.Grade() != c.letter {
			t.Errorf("%s: got %d %s, want %d %s:\n%s", c.name, got.Score.Rounded(), got.Score.Grade(), c.score, c.letter,
				strings.Join(texts, "\n"))
		}
		for _, part := range c.says {
			if !strings.Contains(strings.Join(texts, "\n"), part) {
				t.Errorf("%s: got no %q in\n%s", c.name, part, strings.Join(texts, "\n"))
			}
		}
	}
}
