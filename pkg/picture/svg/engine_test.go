package svg_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"image"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"masthead/pkg/picture/svg"
	"masthead/pkg/testenv"
)

func TestEngine_notReady(t *testing.T) {
	d := clean(t, red)
	e := svg.New(svg.Config{Lazy: true})
	if _, err := e.Draw(context.Background(), d, 8, 8); !errors.Is(err, svg.ErrNotReady) {
		t.Errorf("before it is compiled: got %v", err)
	}
	over, cancel := context.WithCancel(context.Background())
	cancel()
	if err := e.Ready(over); !errors.Is(err, context.Canceled) {
		t.Errorf("with nobody waiting: got %v", err)
	}
	if err := errors.Join(e.Close(), e.Close()); err != nil {
		t.Error(err)
	}
	if _, err := e.Draw(context.Background(), d, 8, 8); !errors.Is(err, svg.ErrNotReady) {
		t.Errorf("after it is closed: got %v", err)
	}
	never := svg.New(svg.Config{Lazy: true})
	if err := never.Close(); err != nil {
		t.Error(err)
	}
	if _, err := never.Draw(context.Background(), d, 8, 8); !errors.Is(err, svg.ErrNotReady) {
		t.Errorf("closed unused: got %v", err)
	}
}

// TestEngine_damagedCode has what was kept end early, and a folder that cannot be made.
func TestEngine_damagedCode(t *testing.T) {
	if testing.Short() {
		t.Skip("left out under -short: it compiles the engine again")
	}
	engine(t) // so that there is code
	dir := t.TempDir()
	kept, err := filepath.Glob(filepath.Join(testenv.CacheDir(), "*", "*"))
	if err != nil || len(kept) < 2 {
		t.Fatalf("kept %v, %v", kept, err)
	}
	for _, file := range kept {
		code, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		copied := filepath.Join(dir, filepath.Base(filepath.Dir(file)), filepath.Base(file))
		if err := os.MkdirAll(filepath.Dir(copied), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(copied, code[:len(code)/2], 0o600); err != nil {
			t.Fatal(err)
		}
	}
	e := svg.New(svg.Config{Dir: dir, Wait: time.Minute})
	defer func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	}()
	if err := e.Ready(context.Background()); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Draw(context.Background(), clean(t, red), 8, 8); err != nil {
		t.Error(err)
	}
}

// TestEngine_stopped holds that a drawing ends with whoever wants it, and that closing waits for those that run.
func TestEngine_stopped(t *testing.T) {
	long := clean(t, heavy["fine dashes"])
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	if _, err := engine(t).Draw(ctx, long, 64, 64); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v, want the caller's own end", err)
	}
	e := svg.New(svg.Config{Dir: testenv.CacheDir(), Wait: time.Minute})
	if err := e.Ready(context.Background()); err != nil {
		t.Fatal(err)
	}
	var work sync.WaitGroup
	small := clean(t, red)
	for range 4 {
		work.Go(func() {
			for {
				_, err := e.Draw(context.Background(), small, 64, 64)
				if errors.Is(err, svg.ErrNotReady) {
					return
				}
				if err != nil && !errors.Is(err, svg.ErrTimeout) {
					t.Error(err)
					return
				}
			}
		})
	}
	if err := e.Close(); err != nil {
		t.Error(err)
	}
	work.Wait()
}

// TestDraw_memory_isBounded has layers that come to more than an instance may take.
func TestDraw_memory_isBounded(t *testing.T) {
	d := clean(t, head+strings.Repeat(`<g opacity=".9">`, 20)+`<rect width="99" height="99"/>`+
		strings.Repeat("</g>", 20)+"</svg>")
	_, err := engine(t).Draw(context.Background(), d, 2048, 2048)
	if !errors.Is(err, svg.ErrDamaged) && !errors.Is(err, svg.ErrTimeout) {
		t.Errorf("got %v, want that it takes more than there is", err)
	}
}

func BenchmarkFavicon(b *testing.B) {
	data, err := os.ReadFile("testdata/orbit.svg")
	if err != nil {
		b.Fatal(err)
	}
	e := engine(b)
	for b.Loop() {
		d, err := svg.Clean(data)
		if err == nil {
			_, err = e.Draw(context.Background(), d, 64, 64)
		}
		if err != nil {
			b.Fatal(err)
		}
	}
}

// TestModule_isTheOneNamed compares the engine with what README.md says of it.
func TestModule_isTheOneNamed(t *testing.T) {
	file, err := svg.Module()
	if err != nil {
		t.Fatal(err)
	}
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	if sum := fmt.Sprintf("`%x`", sha256.Sum256(file)); !strings.Contains(string(readme), sum) {
		t.Errorf("README.md does not name %s", sum)
	}
}

// BenchmarkSizes measures the engine for an icon set: one document at the two sizes that are drawn, in one instance.
func BenchmarkSizes(b *testing.B) {
	e := svg.New(svg.Config{Dir: testenv.CacheDir(), Wait: time.Minute})
	defer func() { _ = e.Close() }() // the benchmark is over
	d, err := svg.Clean([]byte(gradientLogo))
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := e.DrawSizes(b.Context(), d, image.Pt(512, 512), image.Pt(192, 192)); err != nil {
			b.Fatal(err)
		}
	}
}

// gradientLogo is a logo as many sites have it: a rounded square with a gradient, and a letter.
const gradientLogo = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 512 512"><defs>` +
	`<linearGradient id="g" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="#f97316"/>` +
	`<stop offset="1" stop-color="#be123c"/></linearGradient></defs>` +
	`<rect x="16" y="16" width="480" height="480" rx="104" fill="url(#g)"/>` +
	`<path d="M136 372V140h150c62 0 98 32 98 84s-36 84-98 84h-78v64zm72-124h70c22 0 34-8 34-24s-12-24-34-24h-70z" ` +
	`fill="#fff"/><g stroke="#fff" stroke-width="6" opacity=".85"><path d="M300 380h84M300 400h84M300 420h84"/></g></svg>`
