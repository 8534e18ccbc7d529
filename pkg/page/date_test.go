package page_test

import (
	"testing"
	"time"

	"masthead/pkg/page"
)

func TestParseDate_formats_readOrRefused(t *testing.T) {
	for in, want := range map[string]string{ // "" is no date
		"2024-05-06T07:08:09Z":                 "2024-05-06T07:08:09Z",
		"2024-05-06T07:08:09.123456+02:00":     "2024-05-06T05:08:09Z",
		"2024-05-06T07:08:09.5+0200":           "2024-05-06T05:08:09Z",
		"2024-05-06T07:08:09-05":               "2024-05-06T12:08:09Z",
		"2024-05-06t07:08:09z":                 "2024-05-06T07:08:09Z",
		"2024-05-06T07:08":                     "2024-05-06T07:08:00Z",
		"2024-05-06T07:08+01:00":               "2024-05-06T06:08:00Z",
		"2024-05-06 07:08:09":                  "2024-05-06T07:08:09Z",
		"2024-05-06 07:08:09 +0200":            "2024-05-06T05:08:09Z",
		"2024-05-06 07:08:09 UTC":              "2024-05-06T07:08:09Z",
		" 2024-05-06 ":                         "2024-05-06T00:00:00Z",
		"20240506T070809Z":                     "2024-05-06T07:08:09Z",
		"20240506":                             "2024-05-06T00:00:00Z",
		"Mon, 06 May 2024 07:08:09 GMT":        "2024-05-06T07:08:09Z",
		"Mon, 6 May 2024 07:08:09 +0200":       "2024-05-06T05:08:09Z",
		"Mon, 06 May 2024 07:08:09 EST":        "2024-05-06T12:08:09Z",
		"Mon, 06 May 2024 07:08:09 XYZ":        "",
		"Monday, 06-May-24 07:08:09 GMT":       "2024-05-06T07:08:09Z",
		"":                                     "",
		"today":                                "",
		"2024":                                 "",
		"2024-13-01":                           "",
		"2024-02-30":                           "",
		"06/05/2024":                           "",
		"0001-01-01T00:00:00Z":                 "",
		"1970-01-01T00:00:00Z":                 "",
		"1970-01-01T01:00:00+01:00":            "",
		"P1D and more text than a date":        "",
		"2024-05-06T07:08:09Z and then a tail": "",
	} {
		got := ""
		if d, ok := page.ParseDate(in); ok {
			got = d.UTC().Truncate(time.Second).Format(time.RFC3339)
		}
		if got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

func FuzzDate(f *testing.F) {
	for _, seed := range []string{"2024-05-06T07:08:09.1+02:00", "Mon, 06 May 2024 07:08:09 EST",
		"Monday, 06-May-24 07:08:09 GMT", "20240506T070809Z", "2024-05-06 07:08 UTC"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		d, ok := page.ParseDate(s)
		if ok && (d.Year() < 1900 || d.Year() > 9999 || d.Unix() == 0) || !ok && !d.IsZero() {
			t.Errorf("%q: got %v, %v", s, d, ok)
		}
		if !ok {
			return
		}
		if again, ok := page.ParseDate(d.UTC().Format(time.RFC3339Nano)); d.UTC().Year() <= 9999 && (!ok || !again.Equal(d)) {
			t.Errorf("%q is %v, which is read as %v", s, d, again)
		}
	})
}
