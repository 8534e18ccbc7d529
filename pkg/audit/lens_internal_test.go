package audit

import (
	"net/http"
	"testing"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/fetch"
	"masthead/pkg/platform"
)

// The pause that a host asks for after the request by one name is no refusal of the next.
func TestCompare_pauseOfTheHost(t *testing.T) {
	pause := apperr.New(apperr.UpstreamFailed, "one.example asks for a pause.")
	pause.RetryAfter = time.Minute
	view := LensView{Access: Received}
	answered := fetchResult{response: &fetch.Response{Status: http.StatusOK}}
	compare(&view, platform.Visitors()[0], answered, fetchResult{err: pause})
	if view.Access != MayDiffer || len(view.Why) != 1 || view.Fix == "" {
		t.Errorf("got %+v, want that it may differ", view)
	}
}
