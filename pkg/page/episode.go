package page

import (
	"strings"
	"time"
	"unicode/utf8"

	"masthead/pkg/cleantext"
)

// Episode is what structured data says about an episode of a podcast or series, or about a video. The zero value is
// none.
type Episode struct {
	// Show is the name of the podcast or series, Guest that of a person in this episode, or "".
	Show, Guest string
	// Number and Season are zero if unknown.
	Number, Season int
	// Length is zero if unknown.
	Length time.Duration
	// Video means that it is watched, Audio that the page has what is heard.
	Video, Audio bool
}

// Limits of the facts of episodes.
const (
	maxEpisode = 99_999
	maxSeason  = 999
	maxPerson  = 60
)

// episode returns the episode or video that a node is about; n is nil if only the Open Graph type says that the page
// has a video.
func (p *Page) episode(n *Value, kind Kind) (e Episode) {
	e.Video = kind == VideoKind || n.HasType("TVEpisode")
	e.Audio = !e.Video && p.OnlyHeard()
	if e.Length = duration(n.Get("duration")); e.Length == 0 {
		e.Length = duration(n.Get("timeRequired"))
	}
	for _, name := range [...]string{"associatedMedia", "audio", "video"} {
		media := p.Follow(n.Get(name))
		e.Audio = e.Audio || media != nil && name != "video"
		if e.Length == 0 {
			e.Length = duration(media.Get("duration"))
		}
	}
	if heard := n.HasType("PodcastEpisode") || n.HasType("RadioEpisode"); heard && e.Length > 0 {
		e.Audio = true
	}
	e.Number = wholeNumber(ldText(n.Get("episodeNumber")), maxEpisode)
	season := p.Follow(n.Get("partOfSeason"))
	e.Season = wholeNumber(ldText(season.Get("seasonNumber")), maxSeason)
	for _, name := range [...]string{"partOfSeries", "partOfSeason", "isPartOf"} {
		if e.Show = cleantext.Clean(p.ldName(n.Get(name)), cleantext.MaxSite); e.Show != "" {
			break
		}
	}
	for _, name := range [...]string{"actor", "actors", "contributor"} {
		if guest := p.personal(p.ldName(n.Get(name))); guest != "" && utf8.RuneCountInString(guest) <= maxPerson {
			e.Guest = guest
			break
		}
	}
	if strings.EqualFold(e.Show, p.Details.Title) {
		e.Show = ""
	}
	return e
}
