package card

import (
	"fmt"
	"reflect"
	"testing"
	"time"

	"masthead/pkg/fetch"
	"masthead/pkg/page"
	"masthead/pkg/picture"
)

// TestFetchLimits_upperBoundIsWhatIsRead holds that no setting of the fetching can ask for more than what reads the
// result takes: it would do nothing, and nobody would be told.
func TestFetchLimits_upperBoundIsWhatIsRead(t *testing.T) {
	limits := reflect.TypeFor[fetch.Limits]()
	for name, readerTakes := range map[string]int{
		"PageBytes": page.MaxBytes, "ImageBytes": picture.MaxFileBytes, "IconBytes": picture.MaxFileBytes,
		"SVGBytes": picture.MaxFileBytes,
	} {
		field, _ := limits.FieldByName(name)
		var got int
		if _, err := fmt.Sscan(field.Tag.Get("most"), &got); err != nil || got > readerTakes {
			t.Errorf("%s: got %d, %v, want at most the %d bytes that are read", name, got, err, readerTakes)
		}
	}
	for i := range limits.NumField() {
		field := limits.Field(i)
		if field.Type != reflect.TypeFor[time.Duration]() {
			continue
		}
		if got, err := time.ParseDuration(field.Tag.Get("most")); err != nil || got > readTime {
			t.Errorf("%s: got %v, %v, want at most the %v that a Maker waits", field.Name, got, err, readTime)
		}
	}
}
