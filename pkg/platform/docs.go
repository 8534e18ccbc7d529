package platform

import (
	"fmt"
	"strings"

	"masthead/pkg/humanize"
)

// Markdown returns all facts about the platforms as a Markdown document, which is docs/platforms.md.
func Markdown() string {
	d := read()
	var b strings.Builder
	b.WriteString(`# Platforms

What becomes of a shared link on each platform: the numbers that the report's pictures, the rules of audits and the
command line go by. This page is made from ` + "`pkg/platform/platforms.json`" + `:
` + "`go test ./pkg/platform -run Docs -update`" + ` regenerates it. In brackets is the source of each number, which has
the day on which it was looked up; the platform doesn't promise what was only observed.

Lengths are in columns of a screen (a wide character has two), KB are 1,000 bytes, frames are in pixels at a scale of
one, as on a desktop.
`)
	d.writeTexts(&b)
	d.writePictures(&b)
	d.writeCrawlers(&b)
	d.writeRest(&b)
	return b.String()
}

func (d *data) writeTexts(b *strings.Builder) {
	b.WriteString("\n## Texts\n\n| Platform | Title from | Cut at | Description from | Cut at | Shown in |\n" +
		"|---|---|---|---|---|---|\n")
	for i := range d.Platforms {
		p := &d.Platforms[i]
		shown := "no layout"
		var layouts []string
		for _, l := range p.Description.Layouts {
			layouts = append(layouts, string(l))
		}
		if len(layouts) > 0 {
			shown = strings.Join(layouts, ", ")
		}
		cut := "-"
		if len(layouts) > 0 {
			cut = p.Description.limit()
		}
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s | %s |\n", p.Name, tags(p.Title.Tags), p.Title.limit(),
			tags(p.Description.Tags), cut, shown)
	}
	b.WriteString("\n`title` is the title element, `description` the plain meta element.\n")
}

func (d *data) writePictures(b *strings.Builder) {
	b.WriteString("\n## Pictures\n\n| Platform | Picture from | Large | from | Small | from | At most | Formats |\n" +
		"|---|---|---|---|---|---|---|---|\n")
	for i := range d.Platforms {
		p := &d.Platforms[i]
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s | %s | %s | %s (%s) |\n", p.Name, tags(p.Picture.Tags),
			p.Large.words(), p.Large.from(), p.Small.words(), p.Small.from(), p.Picture.most(),
			p.Picture.Formats.Words(), p.Picture.Formats.Source)
	}
	b.WriteString("\nCover fills the frame and cuts off what is outside, around the middle; contain shows the whole " +
		"picture within it.\n")
}

func (d *data) writeCrawlers(b *strings.Builder) {
	b.WriteString("\n## Crawlers and caches\n\n" +
		"| Platform | In robots.txt | User-Agent | Tags read | Kept for | To refresh | Its own tool |\n" +
		"|---|---|---|---|---|---|---|\n")
	for i := range d.Platforms {
		p := &d.Platforms[i]
		token := "asks none"
		if p.Crawler.Token != "" {
			token = "`" + p.Crawler.Token + "`"
		}
		until := "not known"
		if p.ReadBytes.Value > 0 {
			until = fmt.Sprintf("the first %s (%s)", humanize.Bytes(int64(p.ReadBytes.Value)), p.ReadBytes.Source)
		}
		fmt.Fprintf(b, "| %s | %s | `%s` (%s) | %s | %s (%s) | %s | %s |\n", p.Name, token, p.Crawler.UserAgent,
			p.Crawler.Source, until, p.Cache.kept(), p.Cache.Source, p.Cache.Refresh, p.Tool.words())
	}
}

func (d *data) writeRest(b *strings.Builder) {
	b.WriteString("\n## Other crawlers\n\nThose of networks whose previews aren't drawn here, and of AI agents.\n\n" +
		"| Crawler | | In robots.txt | User-Agent |\n|---|---|---|---|\n")
	for _, c := range d.Crawlers {
		kind := "previews"
		if c.Agent {
			kind = "AI agent"
		}
		token := "`" + c.Token + "`"
		if c.IgnoresRobots != "" {
			token += ". " + c.IgnoresRobots
		}
		fmt.Fprintf(b, "| %s | %s | %s | `%s` (%s) |\n", c.Name, kind, token, c.UserAgent, c.Source)
	}
	b.WriteString("\n## Notes\n\n| Platform | What else is known |\n|---|---|\n")
	for i := range d.Platforms {
		for _, note := range d.Platforms[i].Notes {
			fmt.Fprintf(b, "| %s | %s |\n", d.Platforms[i].Name, note)
		}
	}
	b.WriteString("\n## Sources\n\n| Short | Source | Promised by the platform | Looked up |\n|---|---|---|---|\n")
	for _, s := range d.Sources {
		name, published := s.Name, "no"
		if s.URL != "" {
			name = "[" + name + "](" + s.URL + ")"
		}
		if s.Published {
			published = "yes"
		}
		fmt.Fprintf(b, "| %s | %s | %s | %s |\n", s.ID, name, published, s.Checked)
	}
}

func tags(keys []string) string { return "`" + strings.Join(keys, "`, `") + "`" }

func (t *Text) limit() string {
	if t.Columns == 0 {
		return "never (" + t.Source + ")"
	}
	return fmt.Sprintf("%d (%s)", t.Columns, t.Source)
}

// Words lists the formats: "JPEG, PNG; not certain: WEBP".
func (f *Formats) Words() string {
	words := strings.ToUpper(strings.Join(f.Names, ", "))
	if len(f.Open) > 0 {
		words += "; not certain: " + strings.ToUpper(strings.Join(f.Open, ", "))
	}
	return words
}

func (f *Frame) words() string {
	text := fmt.Sprintf("%dx%d, %s (%s)", f.Width, f.Height, f.Fit, f.Source)
	switch f.When {
	case "card":
		text += ", by `twitter:card`"
	case "ads":
		text += ", in advertisements alone"
	}
	if o := f.Title; o != nil {
		text += fmt.Sprintf(", the title over its lower edge (%s)", o.Source)
	}
	return text
}

func (f *Frame) from() string {
	if f.LeastWidth <= 1 && f.LeastHeight <= 1 {
		return "any size"
	}
	return fmt.Sprintf("%s (%s)", f.least(), f.LeastSource)
}

func (l *PictureLimits) most() string {
	var all []string
	if l.Bytes.Value > 0 {
		all = append(all, fmt.Sprintf("%s (%s)", humanize.Bytes(int64(l.Bytes.Value)), l.Bytes.Source))
	}
	if l.SafeBytes.Value > 0 {
		all = append(all, fmt.Sprintf("over %s perhaps dropped (%s)", humanize.Bytes(int64(l.SafeBytes.Value)),
			l.SafeBytes.Source))
	}
	if l.MostSide.Value > 0 {
		all = append(all, fmt.Sprintf("%.0f pixels a side (%s)", l.MostSide.Value, l.MostSide.Source))
	}
	if l.MostRatio.Value > 0 {
		all = append(all, fmt.Sprintf("%.0f:1 (%s)", l.MostRatio.Value, l.MostRatio.Source))
	}
	if len(all) == 0 {
		return "not known"
	}
	return strings.Join(all, ", ")
}

func (t *Tool) words() string {
	if t.URL == "" {
		return t.Without + " (" + t.Source + ")"
	}
	return "[" + t.Name + "](" + t.URL + ") (" + t.Source + ")"
}

func (c *Cache) kept() string {
	switch {
	case c.Hours == 0:
		return "not known"
	case c.Hours < 1:
		return fmt.Sprintf("%.0f minutes", 60*c.Hours)
	}
	return fmt.Sprintf("%.0f days", c.Hours/24)
}
