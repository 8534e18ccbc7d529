package server

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/labstack/echo/v4"

	"masthead/pkg/apperr"
)

// TestProblem_canceledIsUnavailable holds that a client who leaves does not show as a 500 in the log.
func TestProblem_canceledIsUnavailable(t *testing.T) {
	if got := faultOf(fmt.Errorf("find session: %w", context.Canceled)); got.Code != apperr.Unavailable {
		t.Errorf("got %s, want %s", got.Code, apperr.Unavailable)
	}
}

// TestBounded_waitEndsWith503 has a handler wait for something that never comes.
func TestBounded_waitEndsWith503(t *testing.T) {
	e := echo.New()
	e.HTTPErrorHandler = writeProblem
	e.Use(bounded(time.Millisecond))
	e.GET("/", func(c echo.Context) error {
		<-c.Request().Context().Done()
		return fmt.Errorf("wait for the database: %w", c.Request().Context().Err())
	})
	answer := httptest.NewRecorder()
	e.ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/", nil))
	if answer.Code != http.StatusServiceUnavailable || answer.Header().Get("Retry-After") == "" {
		t.Errorf("got %d %v, want 503 with Retry-After", answer.Code, answer.Header())
	}
	if body := answer.Body.String(); !strings.Contains(body, "took too long") {
		t.Errorf("got %s, want it to say that this took too long", body)
	}
}
