package fakeai_test

import (
	"bytes"
	"encoding/json"
	"image"
	"image/color"
	"math"
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

func TestDraw_samePromptSamePicture(t *testing.T) {
	a, b := fakeai.Draw("bokeh in teal", 96, 64), fakeai.Draw("bokeh in teal", 96, 64)
	if !bytes.Equal(a.Pix, b.Pix) {
		t.Error("the same prompt gave two pictures")
	}
	if other := fakeai.Draw("bokeh in teal, again", 96, 64); bytes.Equal(a.Pix, other.Pix) {
		t.Error("another prompt gave the same picture")
	}
}

// TestDraw_isCalmWhereItShould compares the spread of lightness on both sides of pictures, over all motifs.
func TestDraw_isCalmWhereItShould(t *testing.T) {
	for _, motif := range []string{"soft light", "bokeh", "silk", "waves", "dunes", "paper"} {
		for _, tones := range []string{"dark tones", "light tones"} {
			calm, busy, light := 0., 0., 0.
			for _, color := range []string{"teal", "coral", "indigo", "gold", "emerald"} {
				img := fakeai.Draw(motif+" in "+color+", "+tones+", calm area on the left", 192, 128)
				calm += spread(img, image.Rect(0, 0, 64, 128))
				busy += spread(img, image.Rect(96, 0, 192, 128))
				light += mean(img)
			}
			if calm >= busy {
				t.Errorf("%s, %s: the calm side has a spread of %.1f, the other of %.1f", motif, tones, calm/5, busy/5)
			}
			if dark := tones == "dark tones"; dark != (light/5 < 128) {
				t.Errorf("%s, %s: got a mean lightness of %.0f", motif, tones, light/5)
			}
		}
	}
}

func levels(img image.Image, r image.Rectangle, each func(float64)) {
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			g, _ := color.GrayModel.Convert(img.At(x, y)).(color.Gray)
			each(float64(g.Y))
		}
	}
}

func mean(img image.Image) float64 {
	sum := 0.
	levels(img, img.Bounds(), func(v float64) { sum += v })
	return sum / float64(img.Bounds().Dx()*img.Bounds().Dy())
}

// spread is the mean deviation of lightness within a row: a gradient from top to bottom is as calm as can be.
func spread(img image.Image, r image.Rectangle) (sum float64) {
	for y := r.Min.Y; y < r.Max.Y; y++ {
		row, n, total, squares := image.Rect(r.Min.X, y, r.Max.X, y+1), 0., 0., 0.
		levels(img, row, func(v float64) { n++; total += v; squares += v * v })
		sum += math.Sqrt(max(0, squares/n-total/n*total/n)) / float64(r.Dy())
	}
	return sum
}
