// Package platform knows the platforms that links are shared on: which tags each one reads, the sizes it displays,
// where it truncates, how long it caches a preview, and its crawler. It computes how each platform displays a page.
//
// The facts are in platforms.json, each with its source, which has the day on which it was looked up. To change a
// fact, edit that file, pack it (go test ./pkg/platform -run Packed -update), and then regenerate docs/platforms.md
// (-run Docs -update). Behavior that the existing fields can't express needs a new field, which show.go reads.
package platform

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/andybalholm/brotli"
)

// Platform has the facts about one platform. Text lengths are in columns (a wide character has two), picture and
// frame sizes in CSS pixels.
type Platform struct {
	ID, Name string
	// Needs lists what a page must have so that the platform shows more than a bare link: "title" or "card" (see
	// [Page.Card]).
	Needs []string
	// Title and Description are the texts of a card.
	Title, Description Text
	// Site is the line that shows where the link leads.
	Site SiteLine
	// ReadBytes is how many bytes of the HTML are searched for tags; 0 if unknown.
	ReadBytes Number
	Picture   PictureLimits
	// Large and Small are the layouts with a picture.
	Large, Small Frame
	Cache        Cache
	Tool         Tool
	Crawler      Crawler
	// Notes are additional sentences for readers.
	Notes []string
}

// Text is how a platform displays a text.
type Text struct {
	// Tags are its sources in order of preference: keys of meta elements, and "title" for the title element.
	Tags []string
	// Columns is where it is truncated; 0 if it is shown whole or not at all.
	Columns int
	Source  string
	// Layouts are the layouts that show it. A title is shown in all but [Link].
	Layouts []Layout
}

// SiteLine is the line that shows where a link leads: "host", "name" (og:site_name, or the host) or "name-only"
// (og:site_name or nothing). Upper means that it is in capitals.
type SiteLine struct {
	Line   string
	Upper  bool
	Source string
}

// Number is a number with the ID of its [Source]. A Value of 0 means unknown.
type Number struct {
	Value  float64
	Source string
}

// PictureLimits says which pictures a platform accepts. 0 means that a limit is unknown.
type PictureLimits struct {
	Tags []string
	// Bytes is the maximum file size. SafeBytes is a size that certainly works; larger files may be dropped. MostSide is
	// the maximum of both sides, MostRatio of the width divided by the height.
	Bytes, SafeBytes, MostSide, MostRatio Number
	Formats                               Formats
}

// Formats are the formats that a platform displays, by their names in pkg/picture. Open are those of which nothing
// reliable is known: they count as displayed, and a note says so.
type Formats struct {
	Names, Open []string
	Source      string
}

// Frame is the area of a picture in a layout, and the minimum size of a picture for that layout. A smaller picture
// gets the next layout or is not shown.
type Frame struct {
	// When is what selects the large layout: "card" ([Page.Card]), "size" (of the picture), or "ads", which aren't posts.
	When                    string
	Width, Height           int
	Fit                     Fit
	LeastWidth, LeastHeight int
	// Source is the source of the frame, LeastSource that of the minimum size.
	Source, LeastSource string
	// Title is the line of the title over the picture; nil for a title outside of it.
	Title *Overlay
}

// Overlay is a line of text over the lower left corner of a picture, in the frame's pixels: its distance from the
// edges, its height, the space beside the text, and the width of a column of text.
type Overlay struct {
	Inset, Height, Padding int
	Column                 float64
	Source                 string
}

// Fit is how a picture is scaled to its frame.
type Fit string

// Cover fills the frame and crops the picture around its center; Contain shows the whole picture.
const (
	Cover   Fit = "cover"
	Contain Fit = "contain"
)

// Cache is how long a platform caches a preview, and how to refresh it.
type Cache struct {
	// Hours is 0 if unknown.
	Hours   float64
	Source  string
	Refresh string
}

// Tool is the platform's own tool that shows what it reads of a page.
type Tool struct {
	// Name and URL are its name and address; "" if there is none.
	Name, URL string
	// Without is a sentence on what to do if there is none.
	Without string
	Source  string
}

// Crawler is the client that fetches pages for a platform.
type Crawler struct {
	// Token is the product token in robots.txt, or "" for a crawler that ignores robots.txt.
	Token, UserAgent, Source string
}

// Visitor is a crawler that reads pages: for the previews of a platform, or, if Agent, for an AI's answers or training.
type Visitor struct {
	ID, Name string
	Agent    bool
	// Token is the product token in robots.txt, or "" for a crawler that ignores robots.txt.
	Token, UserAgent, Source string
	// ReadBytes is how many bytes of the HTML are searched for tags; 0 if unknown.
	ReadBytes int
	// IgnoresRobots says why the crawler may not obey robots.txt although it has a token, as a sentence; "" if it does.
	IgnoresRobots string
}

// Visitors returns all crawlers: those of the platforms in display order, those of further networks, the AI agents.
func Visitors() []Visitor {
	d := read()
	all := make([]Visitor, 0, len(d.Platforms)+len(d.Crawlers))
	for i := range d.Platforms {
		p := &d.Platforms[i]
		all = append(all, Visitor{
			ID: p.ID, Name: p.Name, Token: p.Crawler.Token, UserAgent: p.Crawler.UserAgent, Source: p.Crawler.Source,
			ReadBytes: int(p.ReadBytes.Value),
		})
	}
	return append(all, d.Crawlers...)
}

// Source is the source of a number. Published means that the platform itself documents it. Checked is the day on which
// the facts were last compared with it, such as "2026-11-21"; .ci/run warns when that is more than 18 months ago.
type Source struct {
	ID, Name, URL string
	Published     bool
	Checked       string
}

// data is the content of platforms.json.
type data struct {
	Sources   []Source
	Platforms []Platform
	// Crawlers are those of networks without a preview here, and of AI agents.
	Crawlers []Visitor
}

// packed is platforms.json, compressed with Brotli: that makes the program 15 KB smaller.
//
//go:embed platforms.json.br
var packed []byte

// read parses the file. It panics if the file is invalid, which the package's tests detect.
var read = sync.OnceValue(func() *data {
	d := &data{}
	decoder := json.NewDecoder(brotli.NewReader(bytes.NewReader(packed)))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(d); err != nil {
		panic(fmt.Sprintf("platform: read platforms.json: %v", err))
	}
	return d
})

// All returns the platforms in display order. The caller must not modify their fields.
func All() []Platform { return slices.Clone(read().Platforms) }

// Find returns the platform with an ID such as "x" or "imessage".
func Find(id string) (Platform, bool) {
	for _, p := range read().Platforms {
		if p.ID == id {
			return p, true
		}
	}
	return Platform{}, false
}

// Sources returns the sources of the numbers.
func Sources() []Source { return slices.Clone(read().Sources) }

// Checked returns the date since which all facts have been checked, in UTC: the oldest of the sources' dates.
func Checked() time.Time {
	oldest := time.Time{}
	for _, s := range read().Sources {
		day, err := time.Parse(time.DateOnly, s.Checked)
		if err != nil {
			panic(fmt.Sprintf("platform: the date of source %s in platforms.json: %v", s.ID, err))
		}
		if oldest.IsZero() || day.Before(oldest) {
			oldest = day
		}
	}
	return oldest
}

// Tokens returns the product tokens of the crawlers that respect robots.txt, in the order of [All].
func Tokens() []string {
	var tokens []string
	for _, p := range read().Platforms {
		if p.Crawler.Token != "" {
			tokens = append(tokens, p.Crawler.Token)
		}
	}
	return tokens
}

// UserAgent returns the User-Agent of a platform's crawler. name is the product token, or the platform's ID or name,
// ignoring case.
func UserAgent(name string) (userAgent string, ok bool) {
	for _, p := range read().Platforms {
		if strings.EqualFold(name, p.ID) || strings.EqualFold(name, p.Name) ||
			p.Crawler.Token != "" && strings.EqualFold(name, p.Crawler.Token) {
			return p.Crawler.UserAgent, true
		}
	}
	for _, v := range read().Crawlers {
		if strings.EqualFold(name, v.ID) || strings.EqualFold(name, v.Name) || strings.EqualFold(name, v.Token) {
			return v.UserAgent, true
		}
	}
	return "", false
}
