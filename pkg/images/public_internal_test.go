package images

import (
	"errors"
	"testing"
	"time"
)

func TestFallbacks_areRememberedForAWhile(t *testing.T) {
	now := time.Now()
	f := newFallbacks(func() time.Time { return now })
	refused := errors.New("refused")
	f.refuse("key", refused)
	now = now.Add(refusedFor - time.Second)
	if _, known, err := f.find("key"); !known || !errors.Is(err, refused) {
		t.Errorf("within five minutes: got %v, %v, want the error", known, err)
	}
	now = now.Add(2 * time.Second)
	if _, known, err := f.find("key"); known || err != nil {
		t.Errorf("after five minutes: got %v, %v, want another try", known, err)
	}
	now = now.Add(-time.Hour) // the clock goes back
	if _, known, _ := f.find("key"); known {
		t.Error("after the clock went back: got the error, want another try")
	}
}
