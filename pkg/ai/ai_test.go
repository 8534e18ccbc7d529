package ai_test

import (
	"bytes"
	"context"
	"errors"
	"image/jpeg"
	"image/png"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"masthead/pkg/ai"
	"masthead/pkg/ai/fakeai"
	"masthead/pkg/fetch"
)

// patient is more than a picture ever takes here.
var patient = ai.Patience{Wait: time.Minute, Try: time.Minute}

const key = "sk-a-secret-key"

// open serves a provider and returns a client for it, with the models "fake-standard" and "gpt-image-fake".
func open(t *testing.T) (*ai.Client, *fakeai.Running) {
	t.Helper()
	provider, err := fakeai.Open(t.Context(), "127.0.0.1:0", fakeai.Config{Size: fakeai.Size{Width: 96, Height: 64}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = provider.Close() }) // some tests have closed it
	return client(t, provider.BaseURL), provider
}

func client(t *testing.T, base string) *ai.Client {
	t.Helper()
	fetcher, err := fetch.New(fetch.Config{Allow: []string{"127.0.0.1/32"}}, func(context.Context, string) {})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(fetcher.Close)
	c := ai.Open(ai.Config{
		BaseURL: base, APIKey: key, ImageModelStandard: fakeai.ModelStandard, ImageModelPro: "gpt-image-fake",
	}, fetcher, nil)
	t.Cleanup(c.Close)
	return c
}

func TestPicture_isThatOfTheModel(t *testing.T) {
	c, provider := open(t)
	file, err := c.Picture(t.Context(), "a harbour at dawn", ai.Standard, patient)
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(file))
	if err != nil || img.Bounds().Dx() != 96 {
		t.Errorf("standard: got %v, %v, want a PNG as wide as the provider draws", img, err)
	}
	if file, err = c.Picture(t.Context(), "a harbour at dusk", ai.Pro, patient); err != nil {
		t.Fatal(err)
	}
	if _, err := jpeg.Decode(bytes.NewReader(file)); err != nil {
		t.Errorf("pro: %v, want the JPEG that this family of models is asked for", err)
	}
	if count, prompt := provider.Asked(); count != 2 || prompt != "a harbour at dusk" {
		t.Errorf("the provider was asked %d times, last for %q", count, prompt)
	}
}

func TestPicture_faultsAreTold(t *testing.T) {
	c, provider := open(t)
	for fault, want := range map[fakeai.Fault]error{
		fakeai.Busy: ai.ErrProvider, fakeai.Broken: ai.ErrProvider, fakeai.Unauthorized: ai.ErrProvider,
		fakeai.Policy: ai.ErrPolicy, fakeai.Garbage: ai.ErrProvider, fakeai.Empty: ai.ErrProvider,
		fakeai.Cut: ai.ErrProvider, fakeai.Huge: ai.ErrProvider, fakeai.Redirect: ai.ErrProvider,
		fakeai.Garbled: nil, // what the file holds is for the caller to find out
		fakeai.None:    nil, fakeai.ByAddress: nil, fakeai.Strict: nil,
	} {
		t.Run(string(fault), func(t *testing.T) {
			before, _ := provider.Asked()
			const prompt = "the words of the prompt"
			file, err := c.Picture(t.Context(), prompt+", fault:"+string(fault), ai.Standard, patient)
			if !errors.Is(err, want) {
				t.Fatalf("got %v, want %v", err, want)
			}
			if err != nil && (strings.Contains(err.Error(), key) || strings.Contains(err.Error(), prompt)) {
				t.Errorf("the error tells key or prompt: %v", err)
			}
			if (len(file) > 0) != (want == nil) {
				t.Errorf("got %d bytes beside the error %v", len(file), err)
			}
			most := 1
			if fault == fakeai.Strict {
				most = 2 // a refused parameter is no try
			}
			if after, _ := provider.Asked(); after-before > most {
				t.Errorf("the provider was asked %d times, want %d", after-before, most)
			}
		})
	}
}

func TestPicture_refusedParameterIsRemembered(t *testing.T) {
	c, provider := open(t)
	provider.Fail(fakeai.Strict, -1)
	for range 3 {
		if _, err := c.Picture(t.Context(), "dunes", ai.Standard, patient); err != nil {
			t.Fatal(err)
		}
	}
	if count, _ := provider.Asked(); count != 4 {
		t.Errorf("the provider was asked %d times, want 4: once for the parameter, and once for each picture", count)
	}
}

func TestPicture_slowProviderIsNotWaitedFor(t *testing.T) {
	c, _ := open(t)
	_, err := c.Picture(t.Context(), "fault:slow", ai.Standard, ai.Patience{Try: 20 * time.Millisecond})
	if !errors.Is(err, ai.ErrTimeout) {
		t.Errorf("got %v, want %v", err, ai.ErrTimeout)
	}
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(20*time.Millisecond, cancel)
	if _, err = c.Picture(ctx, "fault:slow", ai.Standard, patient); !errors.Is(err, context.Canceled) {
		t.Errorf("a caller who left: got %v, want %v", err, context.Canceled)
	}
}

func TestPicture_deadProvider(t *testing.T) {
	c, provider := open(t)
	if err := provider.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Picture(t.Context(), "waves", ai.Standard, patient); !errors.Is(err, ai.ErrProvider) {
		t.Errorf("got %v, want %v", err, ai.ErrProvider)
	}
}

// TestPicture_addressOfAPictureIsAStrangers has a provider that gives an address of an inner network.
func TestPicture_addressOfAPictureIsAStrangers(t *testing.T) {
	reached := false
	inner := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached = true }))
	defer inner.Close()
	provider := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(`{"data": [{"url": "` + inner.URL + `/latest/meta-data"}]}`))
	}))
	defer provider.Close()
	fetcher, err := fetch.New(fetch.Config{}, func(context.Context, string) {})
	if err != nil {
		t.Fatal(err)
	}
	c := ai.Open(ai.Config{BaseURL: provider.URL, ImageModelStandard: "m"}, fetcher, nil)
	_, err = c.Picture(t.Context(), "waves", ai.Standard, patient)
	if !errors.Is(err, ai.ErrProvider) || !errors.Is(err, fetch.ErrRefused) || reached {
		t.Errorf("got %v, reached %v; want it refused", err, reached)
	}
}

func TestPicture_turns(t *testing.T) {
	var running, most atomic.Int64
	release := make(chan struct{})
	provider := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		now := running.Add(1)
		defer running.Add(-1)
		for seen := most.Load(); now > seen && !most.CompareAndSwap(seen, now); seen = most.Load() {
		}
		<-release
		_, _ = w.Write([]byte(`{"data": [{"b64_json": "aGVsbG8="}]}`))
	}))
	defer provider.Close()
	c := client(t, provider.URL)
	var work sync.WaitGroup
	for range 24 {
		work.Go(func() {
			if file, err := c.Picture(t.Context(), "waves", ai.Standard, patient); err != nil || string(file) != "hello" {
				t.Errorf("got %q, %v", file, err)
			}
		})
	}
	for running.Load() < 8 {
		time.Sleep(time.Millisecond)
	}
	if _, err := c.Picture(t.Context(), "waves", ai.Standard, ai.Patience{Try: time.Minute}); !errors.Is(err, ai.ErrBusy) {
		t.Errorf("who does not wait: got %v, want %v", err, ai.ErrBusy)
	}
	close(release)
	work.Wait()
	if most.Load() != 8 {
		t.Errorf("%d ran at once, want 8", most.Load())
	}
}

// TestPicture_ownersTakeTurns has one owner fill the provider and half of the queue: its next is refused at once, and
// another's comes after one of its own, not after all.
func TestPicture_ownersTakeTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var asked []string
		next := make(chan struct{})
		c := ai.OpenFunc(func(_ context.Context, prompt, _ string) ([]byte, error) {
			<-next
			asked = append(asked, prompt)
			return nil, nil
		})
		ask := func(owner string) (err error) {
			_, err = c.Picture(t.Context(), owner, ai.Standard, ai.Patience{Wait: time.Minute, Try: time.Minute, Owner: owner})
			return err
		}
		for range 8 + 128 {
			go func() {
				if err := ask("greedy"); err != nil {
					t.Error(err)
				}
			}()
			synctest.Wait()
		}
		if err := ask("greedy"); !errors.Is(err, ai.ErrBusy) {
			t.Errorf("one too many: got %v, want %v", err, ai.ErrBusy)
		}
		go func() {
			if err := ask("other"); err != nil {
				t.Error(err)
			}
		}()
		synctest.Wait()
		for range 8 + 128 + 1 {
			next <- struct{}{}
			synctest.Wait()
		}
		if at := slices.Index(asked, "other"); at < 0 || at > 17 {
			t.Errorf("the other was %d of %d, want to be among the first after those who ran", at, len(asked))
		}
	})
}

// TestPicture_fullQueueFailsAtOnce takes all places with callers whose provider never answers.
func TestPicture_fullQueueFailsAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := ai.OpenFunc(func(ctx context.Context, _, _ string) ([]byte, error) { <-ctx.Done(); return nil, ctx.Err() })
		for range 8 + 256 {
			go func() {
				// It ends with the test.
				_, _ = c.Picture(t.Context(), "waves", ai.Standard, ai.Patience{Wait: time.Hour, Try: time.Hour})
			}()
		}
		synctest.Wait()
		began := time.Now()
		_, err := c.Picture(t.Context(), "waves", ai.Standard, patient)
		if !errors.Is(err, ai.ErrBusy) || time.Since(began) > 0 {
			t.Errorf("got %v after %v, want %v at once", err, time.Since(began), ai.ErrBusy)
		}
	})
}

func TestOpen_off(t *testing.T) {
	c := ai.Open(ai.Config{}, nil, nil)
	if c.Draws(ai.Standard) {
		t.Error("a client without a provider draws")
	}
	if _, err := c.Picture(t.Context(), "waves", ai.Standard, patient); !errors.Is(err, ai.ErrOff) {
		t.Errorf("got %v, want %v", err, ai.ErrOff)
	}
	c.Close()
	standard := ai.Open(ai.Config{BaseURL: "http://127.0.0.1:1", ImageModelStandard: "m"}, nil, nil)
	defer standard.Close()
	if !standard.Draws(ai.Standard) || standard.Draws(ai.Pro) {
		t.Error("want the configured model, and no other")
	}
}
