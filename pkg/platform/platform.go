// Package platform owns what is known of the platforms that links are shared on: which tags each reads, how large it
// shows what, where it cuts, how long it keeps a preview, and who fetches for it; and what becomes of a page there.
//
// The numbers stand in platforms.json, each with its source; the file is dated as a whole. To change one, change it
// there and have docs/platforms.md written anew (go test ./pkg/platform -run Docs -update). What a platform does that
// the fields cannot say takes a new field, read in show.go.
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
)

// Platform is what is known of one platform. Lengths of texts are in columns of a screen (a wide character has two),
// pictures and frames in pixels, at a scale of one.
type Platform struct {
	ID, Name string
	// Needs are what the platform shows a bare link without: "title", or "card" (see [Page.Card]).
	Needs []string
	// Title and Description are the texts of a card.
	Title, Description Text
	// Site is the line that tells where the link leads.
	Site Site
	// ReadBytes is how far into the HTML tags are read; 0 is not known.
	ReadBytes Number
	Picture   PictureLimits
	// Large and Small are the layouts with a picture.
	Large, Small Frame
	Cache        Cache
	Crawler      Crawler
	// Notes are further sentences, for readers.
	Notes []string
}

// Text is how a platform shows a text.
type Text struct {
	// Tags are where it is taken from, the first that there is: keys of meta elements, and "title" for the element.
	Tags []string
	// Columns is where it is cut; 0 when it is shown whole, or not at all.
	Columns int
	Source  string
	// Layouts are those in which it is shown; a title is shown in all but [Link].
	Layouts []Layout
}

// Site is the line that tells where a link leads: "host", "name" (og:site_name, else the host) or "name-only" (nothing
// without og:site_name). Upper says that it is in capitals.
type Site struct {
	Line   string
	Upper  bool
	Source string
}

// Number is a number with the id of its [Source]. A Value of 0 is none.
type Number struct {
	Value  float64
	Source string
}

// PictureLimits say which pictures a platform takes. Where a limit is 0, none is known.
type PictureLimits struct {
	Tags []string
	// Bytes is the size of the largest file that is shown, SafeBytes one that is sure to be. MostSide bounds both
	// sides, MostRatio the width divided by the height.
	Bytes, SafeBytes, MostSide, MostRatio Number
	Formats                               Formats
}

// Formats are the formats that a platform shows, by the names of pkg/picture.
type Formats struct {
	Names  []string
	Source string
}

// Frame is the place of the picture in a layout, and the least picture that gets it. A smaller one gets the next
// layout, or none.
type Frame struct {
	// When says what decides for the large layout: "card" (that of [Page.Card]) or "size" (that of the picture).
	When                    string
	Width, Height           int
	Fit                     Fit
	LeastWidth, LeastHeight int
	// Source is that of the frame, LeastSource that of the least size.
	Source, LeastSource string
}

// Fit says how a picture is brought into its frame.
type Fit string

// The ways: Cover fills the frame and cuts off what is outside, around the middle; Contain shows the whole picture.
const (
	Cover   Fit = "cover"
	Contain Fit = "contain"
)

// Cache is how long a platform keeps what it read, and how one makes it read again.
type Cache struct {
	// Hours is 0 when it is not known.
	Hours   float64
	Source  string
	Refresh string
	// URL is that of the platform's tool for it; "" for none.
	URL string
}

// Crawler is who fetches pages for a platform.
type Crawler struct {
	// Token is the product token that robots.txt names; "" for one that asks no robots.txt.
	Token, UserAgent, Source string
}

// Source is where a number comes from. Published says that the platform itself promises it.
type Source struct {
	ID, Name, URL string
	Published     bool
}

// data is the content of platforms.json.
type data struct {
	Checked   string
	Sources   []Source
	Platforms []Platform
}

//go:embed platforms.json
var file []byte

// read parses the file. It panics for one that is not whole, a fault of the program that its first test shows.
var read = sync.OnceValue(func() *data {
	d := &data{}
	decoder := json.NewDecoder(bytes.NewReader(file))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(d); err != nil {
		panic(fmt.Sprintf("platform: read platforms.json: %v", err))
	}
	return d
})

// All returns the platforms in the order in which they are shown. The caller must not change what they hold.
func All() []Platform { return slices.Clone(read().Platforms) }

// Find returns the platform of an id, such as "x" or "imessage".
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

// Checked is the day as of which the numbers are known, in UTC.
func Checked() time.Time {
	day, err := time.Parse(time.DateOnly, read().Checked)
	if err != nil {
		panic(fmt.Sprintf("platform: the date of platforms.json: %v", err))
	}
	return day
}

// Tokens returns the product tokens of the crawlers that ask robots.txt, in the order of [All].
func Tokens() []string {
	var tokens []string
	for _, p := range read().Platforms {
		if p.Crawler.Token != "" {
			tokens = append(tokens, p.Crawler.Token)
		}
	}
	return tokens
}

// UserAgent returns what the crawler of a platform calls itself. name is the product token, or the platform's id or
// name, in any case.
func UserAgent(name string) (userAgent string, ok bool) {
	for _, p := range read().Platforms {
		if strings.EqualFold(name, p.ID) || strings.EqualFold(name, p.Name) ||
			p.Crawler.Token != "" && strings.EqualFold(name, p.Crawler.Token) {
			return p.Crawler.UserAgent, true
		}
	}
	return "", false
}
