package page

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Limits of a reading time that a page says.
const (
	maxReadingTime = 3 * time.Hour
	maxMinuteText  = 64 // bytes of the run of text that says it
)

// readingWords are parts of words for reading, in small letters.
const readingWords = `read|lese|lectur|lettura|leitura|leestijd|läs|læs|czyt|чтен|читан|okuma|阅读|閱讀|読`

var (
	aboutReading = regexp.MustCompile(`(?i)` + readingWords)
	// saidMinutes matches what pages write above an article: “5 minute read”, “3 min de lecture”, “4 Min. Lesezeit”.
	saidMinutes = regexp.MustCompile(`(?i)\b(\d{1,3})[ \x{a0}-]?(?:min|minut)\p{L}{0,3}\.?[ \x{a0}-](?:d[ei] )?(?:` +
		readingWords + `)`)
	firstNumber = regexp.MustCompile(`^\D{0,8}(\d{1,3})\b`)
)

// minuteText keeps what a run of text says to be a reading time.
func (c *content) minuteText(b []byte) {
	if len(b) > maxMinuteText || !bytes.Contains(b, []byte("min")) && !bytes.Contains(b, []byte("Min")) {
		return
	}
	m := saidMinutes.FindSubmatch(b)
	switch {
	case m == nil:
	case c.minutes == "":
		c.minutes = string(m[1])
	case c.minutes != string(m[1]):
		c.minutes = "0" // those of several articles
	}
}

// saidReadingTime returns the reading time that an article says of itself, in whole minutes, or zero: in its tags for
// Twitter, in structured data, or in its text, if that says no other one, as lists of articles do.
func (p *Page) saidReadingTime(main *Value, inText string) time.Duration {
	said := ""
	for _, n := range [...]string{"1", "2"} {
		if aboutReading.MatchString(p.Meta.Get("twitter:label" + n)) {
			said = p.Meta.Get("twitter:data" + n)
			break
		}
	}
	m := firstNumber.FindStringSubmatch(said)
	if m == nil || strings.Contains(said, ":") {
		if d := duration(main.Get("timeRequired")).Round(time.Minute); d > 0 && d <= maxReadingTime {
			return d
		}
		m = []string{"", inText}
	}
	minutes, _ := strconv.Atoi(m[1])
	if d := time.Duration(minutes) * time.Minute; d <= maxReadingTime {
		return d
	}
	return 0
}
