package fakeai_test

import (
	"bytes"
	"encoding/json"
	"image"
	"image/png"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"masthead/pkg/ai/fakeai"
)

func ask(t *testing.T, s *fakeai.Server, body string) *httptest.ResponseRecorder {
	t.Helper()
	w := httptest.NewRecorder()
	s.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/v1/images/generations", strings.NewReader(body)))
	return w
}

func TestServer_formOfAnswers(t *testing.T) {
	s := fakeai.New(fakeai.Config{})
	for name, c := range map[string]struct {
		body   string
		status int
		member string // of the first picture, or of the error
	}{
		"base64":      {`{"prompt": "waves", "size": "96x64"}`, 200, "b64_json"},
		"address":     {`{"prompt": "waves", "size": "96x64", "response_format": "url"}`, 200, "url"},
		"policy":      {`{"prompt": "fault:policy", "size": "96x64"}`, 400, "content_policy_violation"},
		"rate":        {`{"prompt": "fault:429"}`, 429, "rate_limit_exceeded"},
		"no prompt":   {`{}`, 400, "invalid_request_error"},
		"no JSON":     {`prompt=waves`, 400, "invalid_request_error"},
		"huge size":   {`{"prompt": "waves", "size": "9000x9000"}`, 400, "size"},
		"no size":     {`{"prompt": "waves", "size": "wide"}`, 400, "size"},
		"other fault": {`{"prompt": "fault:typo", "size": "96x64"}`, 200, "b64_json"},
	} {
		w := ask(t, s, c.body)
		if w.Code != c.status || !strings.Contains(w.Body.String(), `"`+c.member+`"`) || !json.Valid(w.Body.Bytes()) {
			t.Errorf("%s: got %d %.200s, want %d with %s", name, w.Code, w.Body, c.status, c.member)
		}
	}
}

func TestServer_faultsAreSwitchedWhileItRuns(t *testing.T) {
	s := fakeai.New(fakeai.Config{Size: fakeai.Size{Width: 64, Height: 64}})
	set := func(query string) int {
		w := httptest.NewRecorder()
		s.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/fault?"+query, nil))
		return w.Code
	}
	status := func() int { return ask(t, s, `{"prompt": "waves"}`).Code }
	if got := set("name=500&count=2"); got != http.StatusNoContent {
		t.Fatalf("got %d", got)
	}
	for i, want := range []int{500, 500, 200} {
		if got := status(); got != want {
			t.Errorf("picture %d: got %d, want %d", i, got, want)
		}
	}
	set("name=429")
	if got := status(); got != 429 {
		t.Errorf("got %d, want 429", got)
	}
	set("name=none")
	if got := status(); got != 200 {
		t.Errorf("after none: got %d, want 200", got)
	}
	if got := set("name=typo"); got != http.StatusBadRequest {
		t.Errorf("a fault that is none: got %d, want 400", got)
	}
}

// TestServer_picturesAreOfThePrompt checks that a prompt decides the picture, and that all have the requested size: a
// gradient by itself, and a configured picture cropped and scaled.
func TestServer_picturesAreOfThePrompt(t *testing.T) {
	red := image.NewNRGBA(image.Rect(0, 0, 10, 30))
	for i := 0; i < len(red.Pix); i += 4 {
		red.Pix[i], red.Pix[i+3] = 255, 255
	}
	drawn := fakeai.New(fakeai.Config{})
	given := fakeai.New(fakeai.Config{Picture: func(string) image.Image { return red }})
	picture := func(s *fakeai.Server, prompt string) image.Image {
		t.Helper()
		var body struct {
			Data []struct {
				File []byte `json:"b64_json"`
			}
		}
		err := json.Unmarshal(ask(t, s, `{"prompt": "`+prompt+`", "size": "96x64"}`).Body.Bytes(), &body)
		if err != nil || len(body.Data) != 1 {
			t.Fatalf("got %+v, %v", body, err)
		}
		img, err := png.Decode(bytes.NewReader(body.Data[0].File))
		if err != nil || img.Bounds().Size() != image.Pt(96, 64) {
			t.Fatalf("got %v, %v, want a PNG of 96×64", img, err)
		}
		return img
	}
	a, again, b := picture(drawn, "teal"), picture(drawn, "teal"), picture(drawn, "coral")
	if a.At(40, 40) != again.At(40, 40) || a.At(0, 0) == b.At(0, 0) || a.At(0, 0) == a.At(95, 63) {
		t.Errorf("got %v, %v and %v", a.At(0, 0), again.At(0, 0), b.At(0, 0))
	}
	if r, g, _, _ := picture(given, "teal").At(90, 60).RGBA(); r < 0xf000 || g > 0x0fff {
		t.Errorf("got red %x and green %x, want the configured picture", r, g)
	}
}
