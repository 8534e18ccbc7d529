package etag_test

import (
	"testing"

	"masthead/pkg/etag"
)

func TestMatch_listWeakAndAny(t *testing.T) {
	tag := etag.Of([]byte("picture"))
	if len(tag) != 34 || etag.Of([]byte("other")) == tag {
		t.Fatalf("got %s", tag)
	}
	for header, want := range map[string]bool{
		"": false, "*": true, tag: true, "W/" + tag: true, `"x", ` + tag: true, `"x"`: false, tag[1:]: false,
		tag + "x": false,
	} {
		if got := etag.Match(header, tag); got != want {
			t.Errorf("%q: got %v, want %v", header, got, want)
		}
	}
}
