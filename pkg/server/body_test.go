package server

import (
	"encoding/json"
	"strings"
	"testing"

	"masthead/pkg/apperr"
)

func TestCheckJSON_onlyOnePlainValuePasses(t *testing.T) {
	for body, good := range map[string]bool{
		`{}`: true, ` [1, {"a": null}, "x"] `: true, `"text"`: true, `1`: true,
		`{"a": {"a": 1}, "b": [{"a": 1}, {"a": 2}]}`:      true,
		strings.Repeat("[", 32) + strings.Repeat("]", 32): true,
		``: false, `{`: false, `{} {}`: false, `{}x`: false, `{"a": 1, "a": 2}`: false,
		`{"a": 1, "\u0061": 2}`: false, `[1,]`: false,
		strings.Repeat("[", 33) + strings.Repeat("]", 33): false, `{"a" 1}`: false, "\ufeff{}": false,
		"\"\xff\"": false, "{\"\xc3\x28\": 1}": false, "\"\xed\xa0\x80\"": false, "\"\xc0\xaf\"": false, `"ä😀"`: true,
	} {
		err := checkJSON([]byte(body))
		if (err == nil) != good || (err != nil && apperr.CodeOf(err) != apperr.BadRequest) {
			t.Errorf("%.40q: got %v, want good %v", body, err, good)
		}
	}
}

// FuzzCheckJSON holds that what passes is JSON, whatever it is.
func FuzzCheckJSON(f *testing.F) {
	f.Add(`{"url": "https://example.com/", "style": {"dark": true}, "list": [1, 2.5, null]}`)
	f.Add(`[[[[{"a":{}}]]]]`)
	f.Add(`{"a":1}{`)
	f.Fuzz(func(t *testing.T, body string) {
		if err := checkJSON([]byte(body)); err == nil && !json.Valid([]byte(body)) {
			t.Errorf("%q passed", body)
		}
	})
}
