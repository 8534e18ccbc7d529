package cleantext

import (
	"errors"
	"strings"
	"time"
)

// DateForms describes the formats that [Date] accepts, for messages.
const DateForms = "a date such as 2026-03-12 or a time such as 2026-03-12T09:30:00Z"

// Date parses a date (midnight UTC) or an RFC 3339 time, ignoring surrounding white space.
func Date(text string) (time.Time, error) {
	text = strings.TrimSpace(text)
	for _, layout := range []string{time.DateOnly, time.RFC3339} {
		if t, err := time.Parse(layout, text); err == nil {
			return t, nil
		}
	}
	return time.Time{}, errors.New("not " + DateForms)
}
