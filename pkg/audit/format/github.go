package format

import (
	"fmt"
	"io"
	"strings"
)

// githubCommands are the workflow commands by severity. Source: GitHub, Workflow commands for GitHub Actions.
var githubCommands = map[string]string{"error": "error", "warning": "warning", "info": "notice"}

var (
	githubData     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	githubProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// writeGitHub writes a workflow command for each failed rule, largest gain first, and one line with the score of each
// page.
func writeGitHub(w io.Writer, pages []Page, o Options) error {
	for _, p := range pages {
		if p.Err != nil {
			if err := command(w, "error", "No page", p.URL+": "+p.Err.Error()); err != nil {
				return err
			}
			continue
		}
		for _, found := range ByGain(p.Report) {
			text := p.URL + "\n" + found.Message + "\n"
			if needed := p.Report.Needed(&found); needed != "" {
				text += needed + "\n"
			}
			text += found.Fix()
			if err := command(w, githubCommands[found.Severity], found.Title, text); err != nil {
				return err
			}
		}
		if o.lowScore(&p) {
			text := fmt.Sprintf("%s: %d of 100, but at least %d is required", p.URL, p.Report.Overall.Score, o.MinScore)
			if err := command(w, "error", "Score", text); err != nil {
				return err
			}
		}
		if _, err := fmt.Fprintf(w, "%s: %d of 100, %s\n", githubData.Replace(p.URL), p.Report.Overall.Score,
			p.Report.Overall.Letter); err != nil {
			return err
		}
	}
	return nil
}

// command writes one workflow command. Its values can't begin another one, since that takes a new line.
func command(w io.Writer, name, title, text string) error {
	_, err := fmt.Fprintf(w, "::%s title=%s::%s\n", name, githubProperty.Replace(title), githubData.Replace(text))
	return err
}
