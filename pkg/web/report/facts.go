package report

import (
	"fmt"
	"slices"
	"strings"

	"masthead/pkg/audit"
	"masthead/pkg/humanize"
	"masthead/pkg/platform"
)

// facts are the facts read from the page, and the pictures before and after.
type facts struct {
	Tags []audit.Tag
	More int
	// Pictures describe each picture that the page names.
	Pictures []pictureFacts
	// Before is the current share image, or nil if none can be shown.
	Before *shownPicture
	// BeforeSays describes it, or says why there is none.
	BeforeSays string
	AfterSays  string
	Size       string
}

type pictureFacts struct{ Name, URL, Says string }

type shownPicture struct {
	URL           string
	Width, Height int
}

var pictureNames = map[audit.PictureKind]string{
	audit.ShareImage: "Share image", audit.XImage: "Picture of X", audit.Favicon: "Favicon",
}

func factsOf(s *Source) facts {
	r := s.Report
	f := facts{Tags: r.Tags, More: r.MoreTags, Size: humanize.Bytes(r.Size)}
	if r.Truncated {
		f.Size = "the first " + f.Size
	}
	for i := range r.Pictures {
		p := &r.Pictures[i]
		f.Pictures = append(f.Pictures, pictureFacts{pictureNames[p.Kind], p.URL, pictureSays(p)})
	}
	f.BeforeSays = "The page names no picture."
	if p := r.Picture(audit.ShareImage); p != nil && !previewed(r, p) {
		f.BeforeSays = "No tag that previews read names a picture."
	} else if p != nil {
		f.BeforeSays = pictureSays(p)
		if address := s.pictureOf(p); address != "" {
			f.Before = &shownPicture{address, p.Shown.Width, p.Shown.Height}
		}
	}
	if c := s.Card; c != nil {
		f.AfterSays = fmt.Sprintf("%d×%d, %s, %s", c.Width, c.Height, formatName(c.Format), humanize.Bytes(c.Bytes))
	}
	return f
}

// previewed reports whether a tag that link previews read names the picture: they ignore others, such as those for
// search engines.
func previewed(r *audit.Report, p *audit.PageImage) bool {
	return slices.ContainsFunc(r.Shared.Pictures, func(s platform.ShareImage) bool { return s.URL == p.URL })
}

// pictureSays describes a picture.
func pictureSays(p *audit.PageImage) string {
	if p.Format == "" && p.Fault != "" {
		return "Not shown: " + p.Fault
	}
	var parts []string
	if p.Width > 0 {
		parts = append(parts, fmt.Sprintf("%d×%d", p.Width, p.Height))
	}
	if p.Format != "" {
		parts = append(parts, formatName(p.Format))
	}
	if p.Bytes > 0 {
		bytes := humanize.Bytes(p.Bytes)
		if p.AtLeast {
			bytes = "over " + bytes
		}
		parts = append(parts, bytes)
	}
	if p.Fault != "" {
		parts = append(parts, p.Fault)
	}
	return strings.Join(parts, ", ")
}
