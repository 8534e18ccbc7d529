package dashboard

import (
	"html/template"
	"strings"

	"masthead/pkg/web/ui"
)

// Line is the row of a watch in the table of the page at path. A page has twenty, and a template would take ten times
// as long for each.
func (r *watchRow) Line(path string) template.HTML {
	var b strings.Builder
	write := func(parts ...string) {
		for _, part := range parts {
			b.WriteString(part)
		}
	}
	name, read, every := template.HTMLEscapeString(r.Name), string(r.Read), r.Every
	b.WriteString(`<tr`)
	if r.Open != nil {
		b.WriteString(` class="asked"`)
	}
	write(` id="w`, r.ID, `"><td>`, string(ui.Score(r.Score, r.Grade)), `</td><th scope="row"><bdi>`, name, `</bdi>`)
	switch {
	case r.Paused:
		b.WriteString(`<span>Paused: your plan has no room for it</span>`)
	case r.Trouble != "":
		write(`<span class="trouble">`, string(ui.Severity(r.Severity, r.Trouble)), `</span>`)
		if r.Unread {
			b.WriteString(`<span>Is the address right? If not, stop watching it, and watch the right one. ` +
				`Otherwise, it’s tried again within half an hour.</span>`)
		}
	case r.Score == "":
		b.WriteString(`<span>The first audit is on its way</span>`)
	}
	write(`<span class="on-phone">`, every, `, audited `, read, `</span></th><td class="ph">`)
	if r.Open == nil && r.Spark != nil {
		b.WriteString(string(r.Spark.SVG()))
	}
	write(`</td><td class="num">`, string(r.Delta.HTML()), `</td><td class="ph when">`, read, `</td><td class="ph">`,
		every, `</td><td class="acts"><a class="fold-link" href="`, path)
	sign, open := "−", "true"
	if r.Open == nil {
		sign, open = "+", "false"
		write(`?open=`, r.ID)
	}
	write(`#w`, r.ID, `" aria-expanded="`, open, `" aria-label="Details of `, name, `">`, sign, `</a></td></tr>`)
	return template.HTML(b.String()) //nolint:gosec // IDs, words of ours, and texts that are escaped
}
