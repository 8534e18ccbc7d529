package cleantext

import (
	"errors"
	"strings"
	"time"
)

// DateForms names the forms that [Date] accepts, for a message.
const DateForms = "a day such as 2026-03-12 or a moment such as 2026-03-12T09:30:00Z"

// Date returns the time that a text names: a day (midnight UTC) or a moment of RFC 3339, with or without white space
// around it.
func Date(text string) (time.Time, error) {
	text = strings.TrimSpace(text)
	for _, layout := range []string{time.DateOnly, time.RFC3339} {
		if t, err := time.Parse(layout, text); err == nil {
			return t, nil
		}
	}
	return time.Time{}, errors.New("not " + DateForms)
}
