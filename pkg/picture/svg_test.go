package picture_test

import (
	"context"
	"errors"
	"image/color"
	"strings"
	"testing"
	"time"

	"masthead/pkg/picture"
	"masthead/pkg/picture/svg"
	"masthead/pkg/testenv"
)

func svgDecoder(t *testing.T) *picture.Decoder {
	t.Helper()
	engine := svg.New(svg.Config{Dir: testenv.CacheDir(), Wait: time.Minute})
	t.Cleanup(func() {
		if err := engine.Close(); err != nil {
			t.Error(err)
		}
	})
	return picture.NewDecoder(picture.Config{SVG: engine})
}

const svgHead = `<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" `

func TestDecode_SVG_isDrawnAtTheWantedSize(t *testing.T) {
	decoder := svgDecoder(t)
	const red = `><rect x="-9999" y="-9999" width="99999" height="99999" fill="#f00"/></svg>`
	for _, tt := range []struct {
		root string
		side int
		w, h int
	}{
		{`viewBox="0 0 16 16"`, 128, 128, 128}, {`width="9999" height="9999" viewBox="0 0 16 16"`, 64, 64, 64},
		{`width="40" height="10"`, 160, 640, 160}, {`viewBox="0 0 10 40"`, 160, 160, 640}, {`viewBox="0 0 16 16"`, 0, 512, 512},
		{`viewBox="0 0 1000 10"`, 160, 2048, 20}, {`viewBox="0 0 9000 1"`, 160, 2048, 1}, {`viewBox="0 0 9 9"`, 1 << 30, 2048, 2048},
	} {
		img, facts, err := decoder.Decode(context.Background(), []byte(svgHead+tt.root+red), picture.Want{Side: tt.side})
		if err != nil {
			t.Errorf("%s: %v", tt.root, err)
			continue
		}
		if img.Rect.Dx() != tt.w || img.Rect.Dy() != tt.h || facts.Width != tt.w || facts.Height != tt.h ||
			facts.Format != picture.SVG || facts.Alpha != picture.No {
			t.Errorf("%s: got %v and %+v, want %d×%d", tt.root, img.Rect, facts, tt.w, tt.h)
		}
		if got := img.NRGBAAt(tt.w/2, tt.h/2); got != (color.NRGBA{255, 0, 0, 255}) {
			t.Errorf("%s: the middle is %v", tt.root, got)
		}
	}
}

func TestDecode_SVG_faults_haveTheirKind(t *testing.T) {
	decoder := svgDecoder(t)
	for name, tt := range map[string]struct {
		document string
		want     error
	}{
		"damaged": {svgHead + `><g></svg>`, picture.ErrCorrupt},
		"empty":   {svgHead + `/>`, picture.ErrCorrupt},
		"words":   {svgHead + `><text>a</text></svg>`, picture.ErrUnsupported},
		"long":    {svgHead + `>` + strings.Repeat(" ", svg.MaxBytes) + `</svg>`, picture.ErrTooLarge},
	} {
		img, _, err := decoder.Decode(context.Background(), []byte(tt.document), picture.Want{})
		if !errors.Is(err, tt.want) || img != nil || picture.Transient(err) {
			t.Errorf("%s: got %v, want %v", name, err, tt.want)
		}
	}
	slow := svgHead + `viewBox="0 0 9 9">` +
		strings.Repeat(`<path stroke="red" stroke-width="8" stroke-dasharray=".0003" d="M0 0h1e5v9e4H0z"/>`, 900) + `</svg>`
	_, _, err := decoder.Decode(context.Background(), []byte(slow), picture.Want{})
	if !errors.Is(err, picture.ErrTimeout) || errors.Is(err, picture.ErrCorrupt) {
		t.Errorf("slow: got %v, want %v", err, picture.ErrTimeout)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	if _, _, err := decoder.Decode(ctx, []byte(slow), picture.Want{}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("given up: got %v", err)
	}
}

func TestDecode_SVG_beforeTheEngineIsReady(t *testing.T) {
	engine := svg.New(svg.Config{Lazy: true})
	t.Cleanup(func() { _ = engine.Close() })
	decoder := picture.NewDecoder(picture.Config{SVG: engine})
	_, _, err := decoder.Decode(context.Background(), []byte(svgHead+`viewBox="0 0 9 9"><circle r="9"/></svg>`), picture.Want{})
	if !errors.Is(err, picture.ErrNotReady) || !picture.Transient(err) {
		t.Errorf("got %v, want %v", err, picture.ErrNotReady)
	}
}
