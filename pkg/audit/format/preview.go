package format

import (
	"encoding/json"
	"fmt"
	"strings"

	"masthead/pkg/cleantext"
	"masthead/pkg/platform"
	"masthead/pkg/wire"
)

// Preview is what a link to a page shows. "" means missing.
type Preview struct {
	Title, Description, Image, SiteName, URL, Favicon, TwitterCardType string
	Platforms                                                          []platform.Preview
}

// MarshalJSON writes the fields as in the API, null for "", plus the platforms.
func (p Preview) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Title           *string            `json:"title"`
		Description     *string            `json:"description"`
		Image           *string            `json:"image"`
		SiteName        *string            `json:"siteName"`
		URL             *string            `json:"url"`
		Favicon         *string            `json:"favicon"`
		TwitterCardType *string            `json:"twitterCardType"`
		Platforms       []platform.Preview `json:"platforms"`
	}{
		wire.OrNull(p.Title), wire.OrNull(p.Description), wire.OrNull(p.Image), wire.OrNull(p.SiteName), wire.OrNull(p.URL),
		wire.OrNull(p.Favicon), wire.OrNull(p.TwitterCardType), p.Platforms,
	})
}

// maxPrinted is the maximum length of values in a terminal preview, in characters.
const maxPrinted = 2048

// PreviewText formats a preview for people: the seven fields, and how each platform shows the page.
func PreviewText(preview Preview, color bool) string {
	var b strings.Builder
	p := paint(color)
	for _, field := range [...][2]string{
		{"Title", preview.Title}, {"Description", preview.Description}, {"Image", preview.Image},
		{"Site name", preview.SiteName}, {"Address", preview.URL}, {"Icon", preview.Favicon},
		{"X card", preview.TwitterCardType},
	} {
		value := cleantext.Clean(field[1], maxPrinted)
		if value == "" {
			value = p.faint("none")
		}
		fmt.Fprintf(&b, "%s %s\n", p.bold(pad(field[0], 12)), value)
	}
	for i := range preview.Platforms {
		s := &preview.Platforms[i]
		fmt.Fprintf(&b, "\n%s %s\n", p.bold(pad(s.Name, 12)), p.verdict(s.Verdict, string(s.Verdict)))
		for _, line := range [...]string{s.Site, s.Title, s.Description} {
			if line != "" {
				fmt.Fprintf(&b, "             %s\n", line)
			}
		}
		if s.Picture != "" {
			fmt.Fprintf(&b, "             %s\n", p.faint(fmt.Sprintf("%s picture, %dx%d", s.Layout, s.Width, s.Height)))
		}
		if len(s.Notes) > 0 {
			fmt.Fprintf(&b, "             %s\n", p.faint(strings.Join(s.Notes, " ")))
		}
	}
	return b.String()
}
