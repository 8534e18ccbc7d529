package images_test

import (
	"bytes"
	"net/http"
	"testing"

	"masthead/pkg/app/apptest"
)

// TestAccept_picture requests the picture itself.
func TestAccept_picture(t *testing.T) {
	t.Parallel()
	h := apptest.StartSignedIn(t)
	record := h.Generate("/page/one", nil).Want(http.StatusOK)
	stored := h.Get(record.Path("imageUrl")).Want(http.StatusOK)
	for accept, want := range map[string]string{
		"": "application/json", "*/*": "application/json", "application/json, image/*": "application/json",
		"text/html": "application/json", "image/*": "image/png", "image/png": "image/png",
		"image/jpeg, image/png;q=0.5": "image/png",
	} {
		got := h.Generate("/page/one", nil, apptest.Header("Accept", accept)).Want(http.StatusOK)
		if got.Header.Get("Content-Type") != want {
			t.Errorf("Accept %q: got %s, want %s", accept, got.Header.Get("Content-Type"), want)
		}
		picture := want == "image/png"
		if picture != bytes.Equal(got.Body, stored.Body) ||
			picture != (got.Header.Get("Content-Location") == record.Text("imageUrl")) {
			t.Errorf("Accept %q: got %d bytes at %q", accept, len(got.Body), got.Header.Get("Content-Location"))
		}
	}
	h.Generate("/page/one", nil, apptest.Header("Accept", "image/jpeg")).
		WantProblem(http.StatusNotAcceptable, "NOT_ACCEPTABLE")
	repeat := apptest.Header("Idempotency-Key", "a picture")
	for range 2 {
		got := h.Generate("/page/two", nil, apptest.Header("Accept", "image/*"), repeat).Want(http.StatusOK)
		if got.Header.Get("Content-Type") != "image/png" || got.Header.Get("Content-Location") == "" {
			t.Errorf("got %v", got.Header)
		}
	}
	// The key is that of a picture: a record isn't what it answers, and the other way round.
	h.Generate("/page/two", nil, repeat).WantProblem(http.StatusUnprocessableEntity, "IDEMPOTENCY_MISMATCH")
	record = h.Generate("/page/two", nil, apptest.Header("Idempotency-Key", "a record")).Want(http.StatusOK)
	for accept, status := range map[string]int{"*/*": http.StatusOK, "image/*": http.StatusUnprocessableEntity} {
		got := h.Generate("/page/two", nil, apptest.Header("Accept", accept), apptest.Header("Idempotency-Key", "a record"))
		if got.Status != status || status == http.StatusOK && got.Text("id") != record.Text("id") {
			t.Errorf("a record's key with Accept %q: %d %s", accept, got.Status, got.Body)
		}
	}
}
