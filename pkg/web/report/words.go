package report

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"masthead/pkg/humanize"
)

func statusText(status int) string { return http.StatusText(status) }

// Checked says how long ago a page was read.
func Checked(age time.Duration) string {
	switch {
	case age < time.Second:
		return "Checked just now"
	case age < time.Minute:
		return "Checked " + humanize.Count(int(age/time.Second), "second") + " ago"
	}
	return "Checked " + humanize.Count(int(age/time.Minute), "minute") + " ago"
}

// spelled spells out a small number.
func spelled(n int) string {
	words := [...]string{
		"no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
	}
	if n >= 0 && n < len(words) {
		return words[n]
	}
	return strconv.Itoa(n)
}

// seconds formats a duration: "1.2 s", "180 ms".
func seconds(d time.Duration) string {
	if d < time.Second {
		return fmt.Sprintf("%d ms", max(1, d.Milliseconds()))
	}
	return fmt.Sprintf("%.1f s", d.Seconds())
}

// formats are the usual names of formats.
var formats = map[string]string{"jpeg": "JPEG", "webp": "WebP", "ico": "ICO", "svg": "SVG"}

func formatName(format string) string {
	if name := formats[format]; name != "" {
		return name
	}
	return strings.ToUpper(format)
}

// points formats a gain, "" for none.
func points(gain float64) string {
	if gain == 0 {
		return ""
	}
	return fmt.Sprintf("%+.1f", gain)
}

// inline returns a picture of a report that isn't stored as a data: address.
func (s *Source) inline(name string) string {
	for i := range s.Report.Pictures {
		if shown := s.Report.Pictures[i].Shown; shown != nil && shown.Name == name && len(shown.Data) > 0 {
			return Inline(shown)
		}
	}
	return ""
}
